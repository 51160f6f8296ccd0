# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays as people write them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from typing import Final

from client.system.errors import UserError
from client.system.names import shown
from client.system.texts import _

MAX_PORT: Final = 65_535


def endpoint(text: str) -> Callable[[int], tuple[str, int]]:
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


def relay_of_text(text: str) -> Callable[[int], str]:
    """An argument's `type`: a relay; the result takes the default port. UserError."""
    from p2p.wire.address import RELAY, at_endpoint, is_address, scheme

    if scheme(text) == RELAY and is_address(text):
        return lambda _port: text
    if "//" in text:
        raise UserError(
            "cli/relay",
            _("“{text}” is no address of a relay.").format(text=shown(text)),
            _("Copy it whole, as the operator gave it: relay://KEY@HOST:PORT, or a name or an IP address."),
        )
    found = endpoint(text)
    return lambda port: at_endpoint(*found(port), RELAY)


def node_of_text(text: str) -> str:
    """A relay of the libp2p network. UserError."""
    from p2p.wire.circuit import relay_address

    try:
        return relay_address(text)
    except ValueError as error:
        raise UserError(
            "cli/multiaddr",
            _("“{text}” is no relay of the libp2p network.").format(text=shown(text)),
            _("Such a relay is given as /ip4/HOST/tcp/PORT/p2p/ID; ip6, dns4 and dns6 may stand for ip4."),
        ) from error


def with_passes(addresses: Iterable[str]) -> list[str]:
    """Addresses of relays, with a pass for one table in the place of an access key, which never leaves this home."""
    from p2p.reach.admission import TAG, admitted

    tag, now = secrets.token_bytes(TAG), time.time()
    return [admitted(each, tag, now) for each in addresses]


def relay_named(text: str) -> str:
    """The address of a relay that somebody names at a table: as --relay takes it, or as --libp2p does. UserError."""
    from p2p.reach.relay import PORT

    if text.startswith("/"):
        return node_of_text(text)
    return with_passes([relay_of_text(text)(PORT)])[0]
