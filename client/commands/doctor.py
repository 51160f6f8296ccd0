# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock doctor`: checks this home and the network step by step, with causes and advice."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from client.commands.ways import add_ticket, given_ticket
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket."""
    add_ticket(parser, optional=True)


def run(args: Namespace, context: Context) -> int:
    """Run all checks; the network's only in a sound home, because they need the identity. Exit code 1 when a necessary
    one fails."""
    import trio

    from client.table.doctor import home_steps, lines_of, well
    from client.table.doctor_here import steps_here
    from client.table.identity import own_identity
    from client.table.joining import read_ticket

    ticket = None if args.ticket is None else read_ticket(given_ticket(args.ticket))
    home = home_steps(context)
    steps = [*home, *(trio.run(steps_here, own_identity(context), ticket) if well(home) else ())]
    context.answer("\n".join(lines_of(steps)), ok=well(steps), steps=[asdict(step) for step in steps])
    return DONE if well(steps) else CHECK_FAILED
