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
    wrote safe to show.
People
    `player` is what sits on a seat, a person or a bot; `line` is the person at a terminal, `show` draws what a seat
    may see as lines of text, `bridge` lets the terminal's asyncio and the table's trio run in one thread.
System
    `platform` holds signals, child processes and what differs between operating systems; `settings` the folders;
    `journal` the log that `--log` writes; `progress` the one callback of long work.
"""

__version__ = "0.1.0"
