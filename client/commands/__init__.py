# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: one module each, with `add_arguments(parser)` and `run(args, context) -> int`.

`client.commands.cli.COMMANDS` lists them. At its top a module imports only what loads quickly (no trio, no
prompt_toolkit, no game), and the rest in its functions. What is no command itself:

    cli        reads the command line, runs its command, and prints every error
    described  commands, their arguments and what is typed at a table as plain data, from the parsers and the deeds;
               `completion` and the manual page are made of that and the table of keys
    arguments  the game, its seats, its options, its bots; `ways`: how peers reach each other
    seating    what the commands share that play at a table; `people`: several people at one screen
    awaiting   a lobby of this home, new or opened again, until the table begins
    letters    what the commands share that play by post
"""
