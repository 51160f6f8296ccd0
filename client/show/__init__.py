# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of a game: the map, the boards, the tray, a battle, the points.

Every picture is a pure function of a `View`, so it can show only what that seat may know. It returns a document: blocks
of plain data, which line mode draws as lines, the full screen as cards and the page as HTML. A `Line` is runs of text
with the name of a style, which a terminal may colour. Everything important is shown by letters too, so nothing is lost
without colour; a `Glyphs` table has characters for terminals with ASCII only.

    styled    runs, lines, columns, wrapping
    document  blocks: sheets of cells with their options, tables, notes, maps as text
    lines     documents as lines of text
    html      documents as HTML, in the style of `static`; `markup`: its elements
    boards    the boards and the points of all seats
    battles   the present battle as plain data, the same for every screen
    svg       elements of maps as SVG
    map       the one map of a game: places, pieces and ways, as text and as SVG
    pictures  the interface by which the client draws a game
    draws     draws compared with other shuffles; the battle dice that events tell of
    titles    options in words, by templates

The pictures themselves are with their games, in `client.games`.
"""
