"""Pictures of a game as lines of text: the map, the boards, the tray, a battle, the points.

Every picture is a pure function of a `View`, so it can show only what that seat may know; what it gives are `Line`s:
runs of text with the name of a style, which a terminal colours or not.  All that matters is said by letters, so that
nothing is lost without colour, and a `Glyphs` table says what is drawn where only ASCII is at hand.

    styled    runs, lines, columns, wrapping
    sheets    what lies on a board or in a market as cells, with the options that concern it
    battles   a battle under way as plain data, the same for every screen
    svg       elements of maps as SVG
    hexmap    a map of brick-shaped hexes, of any game
    chart     a map whose spaces can be found in its text
    pictures  what the client asks of a game to show it
    wall      what is shown where a drawing fails
    titles    options in words, by templates

The pictures themselves stand with their games, in `client.games`.
"""
