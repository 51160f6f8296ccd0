# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments for how peers reach each other: ports, tickets, addresses and relays."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from client.system.errors import UserError
from client.system.files import read_at_most, too_long
from client.system.names import shown
from client.system.platform import take_terminal_as_input
from client.system.texts import _

STANDARD_INPUT: Final = "-"
MAX_PORT: Final = 65_535


def add_listening(parser: ArgumentParser) -> None:
    """Add --port and --local."""
    parser.add_argument("--port", metavar="P", type=int, default=0, help=_("listen on port P (default: any)"))
    parser.add_argument("--local", action="store_true", help=_("play on this machine alone"))


def add_ticket(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Add TICKET. optional: True if the command can find a table without one."""
    text = _("the line that begins with “starlock:”, a file that holds it, or - for standard input")
    parser.add_argument("ticket", metavar=_("TICKET"), nargs="?" if optional else None, help=text)


def given_ticket(word: str) -> str:
    """The text with the ticket: the argument itself, a file of that name, or standard input. UserError."""
    from p2p.reach.lines import MAX_TEXT

    return given_bytes(word, MAX_TEXT).decode(errors="replace")


def given_bytes(word: str, most: int) -> bytes:
    """The same as bytes. UserError `file/too-long` beyond `most` bytes."""
    from p2p.reach.lines import begins

    if word == STANDARD_INPUT:
        data = sys.stdin.buffer.read(most + 1)
        take_terminal_as_input()
    elif not begins(word) and os.path.isfile(word):  # noqa: PTH113  False for a name that is too long
        data = read_at_most(Path(word), most, whole=True)
    else:
        return word.encode(errors="replace")
    if len(data) > most:
        raise too_long(_("Standard input"), most)
    return data


def add_reach(parser: ArgumentParser) -> None:
    """Add --address, --relay and --libp2p."""
    parser.add_argument(
        "--address",
        metavar=_("HOST[:PORT]"),
        dest="addresses",
        action="append",
        default=[],
        type=_endpoint,
        help=_("an address at which others reach this port from outside, for a forwarded port; may be repeated"),
    )
    parser.add_argument(
        "--relay",
        metavar=_("HOST[:PORT]"),
        dest="relays",
        action="append",
        default=[],
        type=_endpoint,
        help=_("a relay for those who cannot be reached otherwise (see starlock relay); may be repeated"),
    )
    parser.add_argument(
        "--libp2p",
        metavar=_("MULTIADDR"),
        dest="circuits",
        action="append",
        default=[],
        type=_circuit,
        help=_("a relay of the libp2p network instead: /ip4/HOST/tcp/PORT/p2p/ID; may be repeated"),
    )


def _endpoint(text: str) -> Callable[[int], tuple[str, int]]:
    """An argument's `type`: host and port; the result takes the default port. UserError."""
    from p2p.wire.address import parse_endpoint

    try:
        parse_endpoint(text, 1)
    except ValueError as error:
        raise UserError(
            "cli/address",
            _("“{text}” is no address.").format(text=shown(text)),
            _("An address is a name or an IP address, and perhaps a colon and a port from 1 to {most}.").format(
                most=MAX_PORT
            ),
        ) from error
    return lambda port: parse_endpoint(text, port)


def _circuit(text: str) -> str:
    """An argument's `type`: a relay of the libp2p network. UserError."""
    from client.table.words import link_trouble
    from p2p.link.contract import LinkRefusedError
    from p2p.reach.circuits import installed
    from p2p.wire.circuit import relay_address

    try:
        address = relay_address(text)
    except ValueError as error:
        raise UserError(
            "cli/multiaddr",
            _("“{text}” is no relay of the libp2p network.").format(text=shown(text)),
            _("Such a relay is given as /ip4/HOST/tcp/PORT/p2p/ID; ip6, dns4 and dns6 may stand for ip4."),
        ) from error
    if not installed():
        raise link_trouble(LinkRefusedError("libp2p/missing"))
    return address


def public_addresses(args: Namespace) -> Callable[[int], tuple[str, ...]]:
    """The addresses that the user gave, for the port that this peer listens on."""
    from p2p.wire.address import at_endpoint

    return lambda port: tuple(at_endpoint(*endpoint(port)) for endpoint in args.addresses)


def relays(args: Namespace) -> list[str]:
    """The relays that the user gave."""
    from p2p.reach.relay import PORT
    from p2p.reach.ticket import MAX_RELAYS
    from p2p.wire.address import RELAY, at_endpoint

    if len(args.relays) + len(args.circuits) > MAX_RELAYS:
        raise UserError("cli/usage", _("A ticket names at most {most} relays.").format(most=MAX_RELAYS), "")
    own = [at_endpoint(host, port, RELAY) for host, port in (endpoint(PORT) for endpoint in args.relays)]
    return [*own, *args.circuits]


def check_port(port: int) -> None:
    """Raise UserError for an invalid port."""
    if not 0 <= port <= MAX_PORT:
        raise UserError(
            "cli/port",
            _("There is no port {port}.").format(port=port),
            _("Ports go from 1 to {most}; 0 or nothing is any.").format(most=MAX_PORT),
        )
