"""One module a command, each with `add_arguments(parser)` and `run(args, context) -> int`.

`client.cli.COMMANDS` lists them.  A module imports at its top only what every start can afford (no trio, no
prompt_toolkit, no game) and the rest where it runs.  `arguments` holds what several commands ask for in the same way.
"""
