# SPDX-License-Identifier: GPL-3.0-or-later
"""An invitation as a line of text (`lines`), kind 0, and a table heard on the LAN, kind 3:

lobby  inviter  secret  candidates  relays  expiry

The lobby is 16 bytes, or the 32-byte id of the table once it has started. A holder of the secret may knock; the inviter
proves to hold the inviter's key, to which a guest that reaches nobody seals its own addresses (`answer`). A candidate
is an address as text; `tcp://` and `relay://` with an IP address are packed into 6 or 18 bytes, and a relay with a key
is a list of that, the key and, if there is one, a pass. The secret of an announced table is known to everybody on the
LAN: it admits to another meeting, where the host tells no name before it has let somebody in.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from hmac import digest
from ipaddress import ip_address
from typing import Final, Self

from engine.core.dataclass import dataclass, field, replace
from p2p.link.meet import Meeting
from p2p.reach.find import announced_meeting
from p2p.reach.lines import ANNOUNCED, INVITATION, PREFIX, TicketError, read_line, write_line
from p2p.wire.address import (
    RELAY,
    TCP,
    Address,
    at_endpoint,
    at_relay,
    credentials_of,
    endpoint_of,
    is_address,
    scheme,
    without_credentials,
)
from p2p.wire.codec import Plain, Value
from p2p.wire.signing import strict_key
from seeds.hashing import H

__all__ = ["PREFIX", "Ticket", "TicketError", "new_ticket", "pack_address", "parse_ticket", "read_address"]

SECRET: Final = 16
LOBBY: Final = 16
TABLE: Final = 32
MAX_CANDIDATES: Final = 6
MAX_RELAYS: Final = 3


@dataclass(frozen=True, slots=True)
class Ticket:
    """An invitation to a lobby or table.

    Attributes:
        lobby: 16 bytes, or the 32-byte id of a table.
        inviter: the inviter's identity key, 32 bytes.
        secret: 16 bytes that prove the invitation.
        candidates: up to 6 addresses of the inviter.
        relays: up to 3 addresses of relays.
        expiry: seconds since 1970 (UTC).
        announced: whether the secret is that which the inviter announces on its LAN.
    """

    lobby: bytes
    inviter: bytes
    secret: bytes = field(repr=False)
    candidates: tuple[Address, ...]
    relays: tuple[Address, ...]
    expiry: int
    announced: bool = False

    def meeting(self) -> Meeting:
        """Return the meeting of its holders."""
        if self.announced:
            return replace(announced_meeting(self.lobby, self.secret), passive=True)
        return Meeting(H("ticket", self.lobby), self.secret)

    def proof(self, binding: bytes) -> bytes:
        """Return 32 bytes that prove possession of the ticket on the channel with this binding only."""
        return digest(self.secret, binding, "sha256")

    def check(self, now: float) -> Self:
        """Return the ticket. Raises TicketError "ticket/expired" after its expiry. now: seconds since 1970 (UTC)."""
        if now > self.expiry:
            raise TicketError("ticket/expired", self.expiry)
        return self

    def fields(self) -> list[Plain]:
        """Return the fields of its line."""
        return [
            self.lobby,
            self.inviter,
            self.secret,
            [pack_address(address, TCP) for address in self.candidates],
            [pack_address(address, RELAY) for address in self.relays],
            self.expiry,
        ]

    @classmethod
    def read(cls, fields: Sequence[Value], *, announced: bool = False) -> Self:
        """Inverse of `fields`. Raises TicketError."""
        match fields:
            case [
                bytes(lobby),
                bytes(inviter),
                bytes(secret),
                list(candidates),
                list(relays),
                int(expiry),
            ]:
                sizes = len(lobby) in (LOBBY, TABLE) and strict_key(inviter) and len(secret) == SECRET
                counts = len(candidates) <= MAX_CANDIDATES and len(relays) <= MAX_RELAYS
                if sizes and counts and type(expiry) is int and expiry >= 0:
                    return cls(
                        lobby,
                        inviter,
                        secret,
                        tuple(read_address(item, TCP) for item in candidates),
                        tuple(read_address(item, RELAY) for item in relays),
                        expiry,
                        announced,
                    )
        raise TicketError("ticket/form", "fields")

    def __str__(self) -> str:
        return write_line(ANNOUNCED if self.announced else INVITATION, self.fields())


def new_ticket(
    lobby: bytes,
    inviter: bytes,
    candidates: Sequence[Address],
    expiry: int,
    relays: Sequence[Address] = (),
) -> Ticket:
    """Return a ticket with a new secret. If there are too many addresses, the first are taken."""
    return Ticket(
        lobby,
        inviter,
        secrets.token_bytes(SECRET),
        tuple(candidates[:MAX_CANDIDATES]),
        tuple(relays[:MAX_RELAYS]),
        expiry,
    )


def parse_ticket(text: str, now: float = 0) -> Ticket:
    """Return the first whole ticket in `text` that has not expired. Raises TicketError. now: seconds since 1970 (UTC);
    at 0 no ticket has expired."""
    return read_line(text, {INVITATION: Ticket.read, ANNOUNCED: partial(Ticket.read, announced=True)}, now)


def pack_address(address: Address, usual: str) -> Plain:
    """Return the short form of an address in a line. usual: the scheme that is left out."""
    if scheme(address) != usual:
        return address
    host, port = endpoint_of(address)
    try:
        place: Plain = ip_address(host).packed + port.to_bytes(2, "big")
    except ValueError:
        place = without_credentials(address)
    key, admission = credentials_of(address) if usual == RELAY else (b"", b"")
    return [place, key, *([admission] if admission else [])] if key else place


def read_address(value: Value, usual: str) -> Address:
    """Inverse of `pack_address`, which has one form for each address. Raises TicketError."""
    found = ""
    match value:
        case bytes(packed) if len(packed) in (6, 18):
            found = at_endpoint(str(ip_address(packed[:-2])), int.from_bytes(packed[-2:], "big"), usual)
        case str(text):
            found = text
        case [place, bytes(key), *admission] if usual == RELAY and len(admission) <= 1 and not isinstance(place, list):
            passed = admission[0] if admission else b""
            if isinstance(passed, bytes) and (passed or not admission):
                found = at_relay(*_endpoint(read_address(place, RELAY)), key, passed)
    if not is_address(found) or pack_address(found, usual) != value:
        raise TicketError("ticket/form", "address")
    return found


def _endpoint(address: Address) -> tuple[str, int]:
    if scheme(address) != RELAY:
        raise TicketError("ticket/form", "address")
    return endpoint_of(address)
