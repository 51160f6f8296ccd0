"""Pictures of a game as lines of text: the map, the boards, the tray, a battle, the points.

Every picture is a pure function of a `View`, so it can show only what that seat may know; what it gives are `Line`s:
runs of text with the name of a style, which a terminal colours or not.  All that matters is said by letters, so that
nothing is lost without colour, and a `Glyphs` table says what is drawn where only ASCII is at hand.

    styled    runs, lines, columns, wrapping
    sheets    what lies on a board or in a market as cells, with the options that concern it
    svg       elements of maps as SVG; the maps are in eclipse_svg, emperor_svg and rex_svg
    hexmap    a map of brick-shaped hexes, of any game
    pictures  what the line client asks of a game, and the list of games
    titles    options in words, by the templates of `client.wording.options`
    eclipse_* the pictures of Eclipse: galaxy, boards, tray, battle, points, and what an option means
    emperor_* the pictures of Galactic Emperor: map, boards, roles, market, and what an option means
    rex_*     the pictures of Rex: map, cards and what was looked at, what is asked and what an option means
"""
