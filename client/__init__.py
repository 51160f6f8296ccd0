"""Where everything meets: the commands, the table, the screens, the bots, replay and proof.

The other packages know nothing of each other (the rules no network, the network no game, neither of them a text), so
all that joins them stands here.

Commands
    `__main__` starts `cli`, which finds the command in one table (`cli.COMMANDS`), imports that command's module alone
    and gives its `run` a `Context`: folders, output, progress, the log. A command returns its exit code, and raises
    `UserError` for everything a person can put right. `cli` is the one place that prints an error, as text or JSON.
Texts
    `texts` translates (gettext; English is in the source, Spanish in `locale/`). `wording` gives every event and every
    refusal code its sentence: the other packages have no text, only codes and numbers. `names` makes what strangers
    wrote safe to show. `reference` is each game in our own words, for `starlock rules` and the help at the table.
Games
    `games` holds all that the client knows of each game, one folder a game, one line to register it. `machine` is a
    game as the network sees it; `custom_content` reads the content that a user brings to one; `rounds` counts its
    rounds by its events. `bots` play it, in one process (`simulate`) or as peers; `bench` measures how fast all is.
People
    `player` is what sits on a seat, a person or a bot, and hears the table's `notices`; `fronts` is the table of what
    a seat is played with; `session` is what a person sees and does at a table, whatever shows it; `screen` is the
    board on a terminal's full screen, `line` the same line by line, `web` the board in the browser, `show` draws what
    a seat may see as lines of text, `bridge` lets the terminal's asyncio and the table's trio run in one thread.
    `table` is one peer at one table, where all of this meets the network; `identity` is the person's own key.
Proof
    `audit` judges a game, a table or a piece of evidence from its bytes, `audit_report`, `audit_chance` and
    `evidence_report` say what came of it; `walk` replays a recorded game to any of its heights, `recording` lays it out
    step by step with the cards that are known, `dealt` deals its cards to who plays on from one; `luck` compares its
    dice with fair ones, `draws` what was drawn with other shuffles; `report` writes it as a page that shows it and
    checks itself in a browser, by code that shares nothing with ours.
System
    `errors` holds what a person can put right and the exit codes, `meant` guesses what an unknown word meant,
    `context` what a command is given, `files` how files of the user are read and written; `platform` holds signals,
    child processes and what differs between operating systems; `settings` the folders; `manual` the manual page and
    the shells' completion; `parsed` keeps content that was parsed; `journal` the log that `--log` writes; `progress`
    the one callback of long work.
"""

__version__ = "0.1.0"
