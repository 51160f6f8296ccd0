# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock doctor`: checks this home and the network step by step, with causes and advice."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from client.commands.ways import add_ticket, given_ticket
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.identity import Identity


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket."""
    add_ticket(parser, optional=True)


def run(args: Namespace, context: Context) -> int:
    """Run all checks; the network's only in a sound home, because they need the identity. Exit code 1 when a necessary
    one fails."""
    import trio

    from client.table.doctor import home_steps, lines_of, well
    from client.table.doctor_here import steps_here
    from client.table.joining import read_ticket

    ticket = None if args.ticket is None else read_ticket(given_ticket(args.ticket))
    home = home_steps(context)
    steps = [*home, *(trio.run(steps_here, _identity(context), ticket) if well(home) else ())]
    context.answer("\n".join(lines_of(steps)), ok=well(steps), steps=[asdict(step) for step in steps])
    return DONE if well(steps) else CHECK_FAILED


def _identity(context: Context) -> Identity:
    """The identity of this home; where nobody can be asked for its passphrase, as on a page of the home screen, one for
    this look at the network alone."""
    from client.table.identity import Identity, own_identity
    from p2p.identity.keys import SigningKey

    try:
        return own_identity(context)
    except UserError as error:
        if error.code != "identity/passphrase-needed":
            raise
        return Identity(SigningKey.generate(), context.folders.identity, locked=False, new=False)
