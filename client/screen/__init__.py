"""The full screen: a session as a board, played with arrows, mouse or words.

    run        takes the terminal, runs the table on it, gives the terminal back
    app        prompt_toolkit: keys and mouse go to the front, what it draws goes to the terminal
    host       what a front needs of its terminal
    front      one of the screens of a session, without a terminal: keys in, drawn screens out
    shown_front  what keys, lists and pages use of it
    actions    what keys do; `moves`: steps and scrolling; `pages`: what is shown on top of the table
    home       the home screen; `replay`: a recorded game, with its `timeline` and what `happened`
    lobby      the table before it begins; `gathering`: what keys do there
    foot       the keys that the foot of the screen names
    keys       the one table of keys, from which help, palette and bindings come
    layout     the whole screen, a pure function of scene, ui and size
    asking     the pane of the question; `galaxy`: the map in its pane; `options`: the options as a list
    battle     the battle under way; `whatif`: another one, with numbers to set
    proof      the verify panel
    network    what of the network works here
    troubles   what stands in the way; `consent`: proposals, and what can be done about troubles
    sheet      blueprints, markets, hands and battles as cards
    scene      what is shown at one moment, read from the session once
    ui         where the person looks: pane, cursor, space in focus, page on top
    canvas     lines put together to a screen
    style      the colours; `settings`: the user's file

The screen keeps nothing about the game and writes nothing into it: all it shows comes from the session, and all it does
are the session's actions.  Everything but `app` and `run` works without a terminal.
"""

from typing import Final

__all__ = ["SMALL"]

SMALL: Final = (80, 24)
"""Below these columns or rows one pane is shown at a time, and tables are played line by line."""
