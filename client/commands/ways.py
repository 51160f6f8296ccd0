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
from client.system.platform import take_terminal_as_input
from client.system.system_troubles import reason
from client.system.texts import _
from client.table.relays import MAX_PORT, endpoint, node_of_text, relay_of_text, with_passes

__all__ = ["MAX_PORT", "endpoint"]

STANDARD_INPUT: Final = "-"
LISTED: Final = "relays.txt"
"""The list of relays that are used unasked."""


def add_listening(parser: ArgumentParser) -> None:
    """Add --port and --local."""
    parser.add_argument("--port", metavar="P", type=int, default=0, help=_("listen on port P (default: any)"))
    parser.add_argument("--local", action="store_true", help=_("play on this machine alone"))


def add_ticket(parser: ArgumentParser, *, on_lan: bool = False) -> None:
    """Add TICKET, which may be missing. on_lan: a table on this network may be named instead."""
    text = _("the line that begins with “starlock:”, a file that holds it, or - for standard input")
    if on_lan:
        text += _(", or the two words of a table on this network; without any, a table there")
    parser.add_argument("ticket", metavar=_("TICKET"), nargs="?", help=text)


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
        type=endpoint,
        help=_("an address at which others reach this port from outside, for a forwarded port; may be repeated"),
    )
    parser.add_argument(
        "--relay",
        metavar=_("RELAY"),
        dest="relays",
        action="append",
        default=[],
        type=relay_of_text,
        help=_(
            "a relay for those who cannot be reached otherwise: HOST[:PORT], or relay://… as its operator gave it; "
            "may be repeated (default: those in the file relays.txt next to your identity)"
        ),
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


def _circuit(text: str) -> str:
    """An argument's `type`: a relay of the libp2p network, whose package is installed. UserError."""
    from client.table.words import link_trouble
    from p2p.link.contract import LinkRefusedError
    from p2p.reach.circuits import installed

    address = node_of_text(text)
    if not installed():
        raise link_trouble(LinkRefusedError("libp2p/missing"))
    return address


def public_addresses(args: Namespace) -> Callable[[int], tuple[str, ...]]:
    """The addresses that the user gave, for the port that this peer listens on."""
    from p2p.wire.address import at_endpoint

    return lambda port: tuple(at_endpoint(*each(port)) for each in args.addresses)


def relays(args: Namespace) -> list[str]:
    """The relays that the user gave, with a pass in the place of an access key. UserError."""
    from p2p.reach.relay import PORT
    from p2p.reach.ticket import MAX_RELAYS

    if len(args.relays) + len(args.circuits) > MAX_RELAYS:
        raise UserError("cli/usage", _("A ticket names at most {most} relays.").format(most=MAX_RELAYS), "")
    return [*with_passes(relay(PORT) for relay in args.relays), *args.circuits]


def listed_relays(folder: Path) -> list[str]:
    """The relays in the file `relays.txt` of a folder, one a line, as --relay takes them. If it names none, the nodes
    of the libp2p network there, as --libp2p takes them, if its package is installed. # begins a comment. UserError
    names the line that is neither."""
    from p2p.reach.circuits import installed
    from p2p.reach.relay import PORT
    from p2p.reach.ticket import MAX_RELAYS

    path = folder / LISTED
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise UserError(
            "relays/unreadable",
            _("The list of relays {path} cannot be read: {reason}.").format(path=path, reason=reason(error)),
            _("Mend the file, or remove it."),
        ) from error
    found, nodes = list[str](), list[str]()
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        try:
            if text.startswith("/"):
                nodes.append(node_of_text(text))
            elif text:
                found.append(relay_of_text(text)(PORT))
        except UserError as error:
            said = _("{path}, line {number}: {reason}").format(path=path, number=number, reason=error.message)
            raise UserError(error.code, said, error.hint) from error
    return with_passes(found) or (nodes[:MAX_RELAYS] if installed() else [])


def check_port(port: int) -> None:
    """Raise UserError for an invalid port."""
    if not 0 <= port <= MAX_PORT:
        raise UserError(
            "cli/port",
            _("There is no port {port}.").format(port=port),
            _("Ports go from 1 to {most}; 0 or nothing is any.").format(most=MAX_PORT),
        )
