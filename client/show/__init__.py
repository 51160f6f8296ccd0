# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a game as lines of text: the map, the boards, the tray, a battle, the points.

Every picture is a pure function of a `View`, so it can show only what that seat may know. It returns `Line`s: runs of
text with the name of a style, which a terminal may colour. Everything important is shown by letters too, so nothing is
lost without colour; a `Glyphs` table has characters for terminals with ASCII only.

    styled    runs, lines, columns, wrapping
    sheets    the contents of a board or a market as cells, each with its options
    battles   the present battle as plain data, the same for every screen
    chance    the battle dice that events tell of
    svg       elements of maps as SVG
    hexmap    a map of brick-shaped hexes, of any game
    chart     a map whose spaces can be found in its text
    pictures  the interface by which the client draws a game
    draws     draws compared with other shuffles
    wall      shows a substitute for a drawing that fails
    titles    options in words, by templates

The pictures themselves are with their games, in `client.games`.
"""
