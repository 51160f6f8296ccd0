# SPDX-License-Identifier: GPL-3.0-or-later
"""The full screen: a session as a board, played with arrows, mouse or words.

    run        runs a table on the terminal and restores the terminal
    app        prompt_toolkit: keys and mouse go to a screen, what it draws goes to the terminal
    keys       the keys of all panes, the source of help, palette, manual page and bindings
    home       the home screen, with the `form` for a new table
    replay     a recorded game and its pages: `position` is the pane of a step
    front      the screen of a session: lobby and table, and what the session tells
    lobby      the pane before the table begins
    table      the panes of a table: the `question`, the map, the news
    pages      the keys that work over pages too, and their pages
    deeds      deeds by keys, lists and typed lines, and what they answer
    layout     a table with its bars, a pure function of scene, ui and size; the battle
    asking     the pane beside the map, with the question; `galaxy`: the map in its pane; `feed`: the news
    proof      the verify panel
    troubles   troubles, and their page
    shared     what several screens show: the rules, the boards of the seats, what can be bought, the fields of a form
    scene      everything shown at one moment, read from the session once, and what the person looks at
    settings   the user's file of keys and colours

A screen is a stack of panes (`client.fronts.kit`), each with its own keys, help and foot. Panes and pages are made with
what they need: a way to the present scene, to deeds, to open a page; none knows the screen. It keeps no state of the
game and does not change it: all it shows comes from the session, and all it does are the session's deeds.
Everything except `app` and `run` works without a terminal.
"""
