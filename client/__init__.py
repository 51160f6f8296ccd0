# SPDX-License-Identifier: GPL-3.0-or-later
"""The client: commands, the table, screens, bots, replay and proof.

The other packages do not know each other (the rules know no network, the network knows no game, none of them
holds texts for people), so everything that joins them is here.

Commands
    `__main__` starts `cli`, which finds the command in one table (`cli.COMMANDS`), imports that command's module alone
    and gives its `run` a `Context`: folders, output, progress, the log. A command returns its exit code, and raises
    `UserError` for everything that a person can correct. `cli` is the one place that prints an error, as text or JSON.
Texts
    `texts` translates (gettext; English is in the source, Spanish in `locale/`). `wording` gives every event and every
    refusal code its sentence: the other packages have only codes and numbers. `names` makes text from strangers safe to
    show. `reference` describes each game, for `starlock rules` and the help at the table.
Games
    `games` holds all that the client knows of each game, one folder and one registering line per game. `machine` adapts
    a game to the network; `custom_content` reads a user's content file; `rounds` counts rounds by events. `bots` play,
    in one process (`simulate`) or as peers.
People
    `player` is the interface of a person or a bot in a seat, which receives the table's `notices` and `lobby_notices`;
    `fronts` lists the ways to play a seat; `session` is what a person sees and does at a table, independent of the
    screen; `screen` is the board on a terminal's full screen, `line` the same line by line, `web` the board in the
    browser, `show` draws what a seat may see as lines of text, `bridge` runs the terminal's asyncio and the table's
    trio in one thread. `table` is one peer at one table, connected to the network; `identity` is the person's key.
Proof
    `audit` judges a game, a table or a piece of evidence from its bytes, `audit_report`, `audit_chance` and
    `evidence_report` report the verdict; `walk` replays a recorded game to any of its heights, `recording` holds its
    steps with the known cards, `position` writes one of them as text, JSON or SVG, `dealt` deals cards for playing on
    from it; `luck` compares its dice with fair ones, `draws` its draws with other shuffles; `rows` writes it as tables
    of data; `report` writes it as a page that shows the game and checks itself in a browser, by independent code.
System
    `errors` holds the errors for people and the exit codes; `system_troubles` has those of the operating system in
    words; `meant` guesses the meaning of an unknown word; `context`
    is what a command works with; `files` reads and writes files of the user; `platform` handles signals, child
    processes and the differences between operating systems; `settings` knows the folders; `manual` makes the manual
    page and shell completion; `parsed` caches parsed content, `kept_code` the code of generated functions; `journal` is
    the log that `--log` writes; `progress` is the callback of long work.
"""

__version__ = "0.1.0"
