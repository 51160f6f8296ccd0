# SPDX-License-Identifier: GPL-3.0-or-later
"""One folder for each game: everything that the client knows of it. `client.system.registry` finds their records.

Each game's folder has the same four parts, each one module or more:

    show       its pictures (`client.show.pictures.Pictures`): maps, boards, hints, the meaning of options
    wording    its texts: events, refusals, names of things, questions, titles of options
    reference  its reference, for `starlock rules` and the help at the table
    bot        its greedy bot

No module outside a game's folder names a piece or card of the game.
"""
