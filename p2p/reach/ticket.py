# SPDX-License-Identifier: GPL-3.0-or-later
"""An invitation as one line of text: `starlock:` and base32.

version  lobby  inviter  secret  candidates  relays  expiry     canonical CBOR, then 5 bytes of its hash, as base32

The lobby is 16 bytes, or the 32-byte id of the table once it has started. A holder of the secret may knock; the inviter
proves to hold the inviter's key. A candidate is an address as text; `tcp://` and `relay://` with an IP address are
packed into 6 or 18 bytes. Case, spaces, line breaks, quotation marks and words around the ticket do not matter, since
messengers and people add them. The hash detects any other change, and the error names the likely kind.
"""

from __future__ import annotations

import re
import secrets
from base64 import b32decode, b32encode
from collections.abc import Sequence
from hmac import digest
from ipaddress import ip_address
from itertools import accumulate
from typing import Final, Self

from p2p.link.meet import Meeting
from p2p.wire.address import RELAY, TCP, Address, at_endpoint, endpoint_of, is_address, scheme
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.signing import strict_key
from seeds.dataclass import dataclass, field
from seeds.hashing import H

PREFIX: Final = "starlock:"
VERSION: Final = 1
CHECK: Final = 5
SECRET: Final = 16
LOBBY: Final = 16
TABLE: Final = 32
MAX_CANDIDATES: Final = 6
MAX_RELAYS: Final = 3
MAX_LETTERS: Final = 3_000
MAX_TEXT: Final = 100_000
ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")


class TicketError(Exception):
    """A text is not a valid ticket.

    code: "ticket/prefix" (nothing begins with starlock:), "ticket/letter" (detail: the letter and its place from 1),
    "ticket/length" (letters are missing or doubled), "ticket/typo" (all letters are possible, but not together),
    "ticket/version" (detail: its version), "ticket/form" (made by a faulty program), "ticket/expired".
    """

    def __init__(self, code: str, *detail: object) -> None:
        super().__init__(code, *detail)
        self.code = code
        self.detail = detail


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
    """

    lobby: bytes
    inviter: bytes
    secret: bytes = field(repr=False)
    candidates: tuple[Address, ...]
    relays: tuple[Address, ...]
    expiry: int

    def meeting(self) -> Meeting:
        """Return the meeting of its holders."""
        return Meeting(H("ticket", self.lobby), self.secret)

    def proof(self, binding: bytes) -> bytes:
        """Return 32 bytes that prove possession of the ticket on the channel with this binding only."""
        return digest(self.secret, binding, "sha256")

    def check(self, now: float) -> Self:
        """Return the ticket. Raises TicketError "ticket/expired" after its expiry. now: seconds since 1970 (UTC)."""
        if now > self.expiry:
            raise TicketError("ticket/expired", self.expiry)
        return self

    def __str__(self) -> str:
        body = encode(
            [
                VERSION,
                self.lobby,
                self.inviter,
                self.secret,
                [_pack_address(address, TCP) for address in self.candidates],
                [_pack_address(address, RELAY) for address in self.relays],
                self.expiry,
            ]
        )
        return PREFIX + b32encode(body + _check(body)).decode().rstrip("=").lower()


def new_ticket(
    lobby: bytes, inviter: bytes, candidates: Sequence[Address], expiry: int, relays: Sequence[Address] = ()
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


def parse_ticket(text: str) -> Ticket:
    """Return the ticket in `text`, which may contain other words. Does not check the expiry. Raises TicketError."""
    words = re.findall(r"[^\W_]+|:", text[:MAX_TEXT].lower())
    kept = "".join(words)
    begin = kept.rfind(PREFIX)
    if begin < 0:
        raise TicketError("ticket/prefix")
    ends = [end for end in accumulate(map(len, words)) if begin + len(PREFIX) < end <= begin + MAX_LETTERS]
    for end in ends:
        if _whole(kept[begin + len(PREFIX) : end]):
            return _parse(kept[begin + len(PREFIX) : end])
    return _parse(kept[begin + len(PREFIX) :])


def _whole(letters: str) -> bool:
    """True if the hash in these letters fits, so that the ticket ends here."""
    if not ALPHABET.issuperset(letters) or len(letters) % 8 in (1, 3, 6):
        return False
    data = _data(letters)
    return data[-CHECK:] == _check(data[:-CHECK])


def _parse(letters: str) -> Ticket:
    for place, letter in enumerate(letters, len(PREFIX) + 1):
        if letter not in ALPHABET:
            raise TicketError("ticket/letter", letter, place)
    if len(letters) % 8 in (1, 3, 6) or not CHECK < len(letters) <= MAX_LETTERS:
        raise TicketError("ticket/length", len(letters))
    data = _data(letters)
    body, check = data[:-CHECK], data[-CHECK:]
    if check != _check(body) or b32encode(data).decode().rstrip("=").lower() != letters:
        raise TicketError("ticket/typo")
    try:
        ticket = _read(decode(body))
    except WireError as error:
        raise TicketError("ticket/form", error.code) from error
    if str(ticket) != PREFIX + letters:
        raise TicketError("ticket/form", "another text says the same")
    return ticket


def _data(letters: str) -> bytes:
    return b32decode(letters.upper() + "=" * (-len(letters) % 8))


def _read(value: Value) -> Ticket:
    match value:
        case [int(version), *_] if version != VERSION:
            raise TicketError("ticket/version", version)
        case [_, bytes(lobby), bytes(inviter), bytes(secret), list(candidates), list(relays), int(expiry)]:
            sizes = len(lobby) in (LOBBY, TABLE) and strict_key(inviter) and len(secret) == SECRET
            if (
                sizes
                and len(candidates) <= MAX_CANDIDATES
                and len(relays) <= MAX_RELAYS
                and type(expiry) is int
                and expiry >= 0
            ):
                return Ticket(
                    lobby,
                    inviter,
                    secret,
                    tuple(_read_address(item, TCP) for item in candidates),
                    tuple(_read_address(item, RELAY) for item in relays),
                    expiry,
                )
    raise TicketError("ticket/form", "fields")


def _check(body: bytes) -> bytes:
    return H("ticket-check", body)[:CHECK]


def _pack_address(address: Address, usual: str) -> Plain:
    if scheme(address) != usual:
        return address
    host, port = endpoint_of(address)
    try:
        return ip_address(host).packed + port.to_bytes(2, "big")
    except ValueError:
        return address


def _read_address(value: Value, usual: str) -> Address:
    match value:
        case bytes(packed) if len(packed) in (6, 18) and any(packed[-2:]):
            return at_endpoint(str(ip_address(packed[:-2])), int.from_bytes(packed[-2:], "big"), usual)
        case str(text) if is_address(text):
            return text
    raise TicketError("ticket/form", "address")
