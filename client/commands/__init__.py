# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: one module each, with `add_arguments(parser)` and `run(args, context) -> int`.

`client.commands.cli.COMMANDS` lists them; `cli` reads the command line, and prints every error. At its top a module
imports only what loads quickly (no trio, no prompt_toolkit, no game), and the rest in its functions. `arguments` holds
arguments that several commands share; `manual` makes the manual page and shell completion from the parsers.
"""
