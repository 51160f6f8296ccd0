# SPDX-License-Identifier: GPL-3.0-or-later
"""The client: commands, the table, screens, bots, replay and proof.

The other packages do not know each other (the rules know no network, the network knows no game, none of them
holds texts for people), so everything that joins them is here, in rooms. A room imports only rooms that stand above it
in this list.

    system    what every room may use: errors, folders, files, the log, texts, the registry of the games
    words     texts for codes: events, refusals and terms of the rules in the language in use
    show      pictures of a game as lines of text, cells and SVG
    bots      bots, which see what a person in their seat sees
    games     all that the client knows of each game, one folder for each
    table     one peer at one table: store, lockstep, links, players
    proof     judges a game from its bytes, walks through it, and compares its luck with fair chance
    session   what a person sees and does at a table, independent of the screen
    report    a recorded game written as a page that checks itself, as tables of data, as one position
    fronts    the ways to play a seat: line by line, on the full screen, in the browser, as a program
    commands  the commands of the terminal, each a module; `cli` finds and runs them

`locale` holds the translations.

`__main__` starts `commands.cli`, which finds the command in one table (`cli.COMMANDS`), imports that command's module
alone and gives its `run` a `Context`: folders, output, progress, the log. A command returns its exit code, and raises
`UserError` for everything that a person can correct. `cli` is the one place that prints an error, as text or JSON.
"""

__version__ = "0.1.0"
