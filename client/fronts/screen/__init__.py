# SPDX-License-Identifier: GPL-3.0-or-later
"""The full screen: a session as a board, played with arrows, mouse or words.

    run        runs a table on the terminal and restores the terminal
    app        prompt_toolkit: keys and mouse go to the front, what it draws goes to the terminal
    host       the interface of the terminal for a front
    front      the screen of a session, independent of a terminal: keys in, drawn screens out
    shown_front  the interface of a front for keys, lists and pages
    advised    options marked for the person
    actions    the actions of keys; `moves`: steps and scrolling; `focus`: the space in focus; `pages`: pages over all
    palette    everything that can be done, by name; `reading`: pages to read
    home       the home screen, with the `form` for a new table
    replay     a recorded game: `position` draws a step, with the `timeline` and what `happened`; `recorded`: its pages
    lobby      the table before it begins; `gathering`: the actions of keys there
    foot       the keys shown at the foot of the screen; `feed`: the news above it
    keys       the table of keys, the source of help, palette and bindings
    layout     the whole screen, a pure function of scene, ui and size
    bars       who must act, links, figures and seats; `beside`: the pane beside the map
    asking     the question in that pane; `galaxy`: the map in its pane; `options`: the options as a list
    battle     the present battle; `whatif`: a hypothetical one, with numbers to set
    proof      the verify panel
    fighting   the actions of keys in a battle
    troubles   troubles; `consent`: their page
    deeds      deeds by keys, lists and typed lines, and what they answer
    paged      a page over the table; `boards`: those of the seats; `shelves`: what can be bought; `articles`: the rules
    workbench  the editor of blueprints
    scene      everything shown at one moment, read from the session once
    settings   the user's file of keys and colours

The screen keeps no state of the game and does not change it: all it shows comes from the session, and all it does are
the session's actions. Everything except `app` and `run` works without a terminal. What it draws with
is in `client.fronts.kit`.
"""
