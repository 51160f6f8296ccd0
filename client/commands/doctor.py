# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock doctor`: says who can reach this home, and checks it and the network step by step, with advice."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from client.commands.ways import (
    add_reach,
    add_ticket,
    check_port,
    given_ticket,
    listed_relays,
    public_addresses,
    relays,
)
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.platform import errors_in_file
from client.system.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.doctor import DoctorStep
    from client.table.identity import Identity


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket, and the ways that others would have."""
    add_ticket(parser)
    text = _("the port that others use: one that your router passes on (default: any)")
    parser.add_argument("--port", metavar="P", type=int, default=0, help=text)
    add_reach(parser)


def run(args: Namespace, context: Context) -> int:
    """Run all checks; the network's only in a sound home, because they need the identity. Exit code 1 when a necessary
    one fails, or when friends outside cannot come."""
    import trio

    from client.table.doctor import home_steps, lines_of, well
    from client.table.doctor_here import steps_here
    from client.table.joining import read_ticket

    ticket = None if args.ticket is None else read_ticket(given_ticket(args.ticket))
    home = home_steps(context)
    check_port(args.port)
    known = relays(args) or listed_relays(context.folders.config)
    look = partial(steps_here, port=args.port, public=public_addresses(args), relays=known)
    network: list[DoctorStep] = []
    if well(home):
        identity = _identity(context)
        with errors_in_file(context.folders.logs):
            network = trio.run(look, identity, ticket)
    steps = [*network[:1], *home, *network[1:]]
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
