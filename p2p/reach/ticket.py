"""An invitation as one line of text, to be sent by any means: `starlock:` and base32.

version  lobby  inviter  secret  candidates  relays  expiry     canonical CBOR, then 5 bytes of its hash, as base32

The lobby is 16 bytes, or 32 once a table has started and its id is known. Who holds the secret may knock; the inviter's
key says whom to expect. Case, spaces and line breaks do not matter, since messengers like to change them; any other
change is found by the hash, and the error says what kind of change it looks like.
"""

from __future__ import annotations

import secrets
from base64 import b32decode, b32encode
from dataclasses import dataclass, field
from hmac import digest
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, Self

from p2p.link.meet import Meeting
from p2p.reach.addresses import Address, valid_host
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.signing import strict_key
from seeds.hashing import H

PREFIX: Final = "starlock:"
VERSION: Final = 1
CHECK: Final = 5
SECRET: Final = 16
LOBBY: Final = 16
TABLE: Final = 32
MAX_CANDIDATES: Final = 6
MAX_RELAYS: Final = 3
MAX_LETTERS: Final = 1_000
ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyz234567")


class TicketError(Exception):
    """Why a text is no ticket, or no longer.

    code: "ticket/prefix" (does not begin with starlock:), "ticket/letter" (detail: the letter and its place from 1),
    "ticket/length" (letters are missing or doubled), "ticket/typo" (all letters are possible, but not together),
    "ticket/version" (detail: its version), "ticket/form" (made by a faulty program), "ticket/expired".
    """

    def __init__(self, code: str, *detail: object) -> None:
        super().__init__(code, *detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Ticket:
    """lobby: 16 bytes, or the 32 of a table; inviter: identity key; secret: 16 bytes; candidates: up to 6 addresses of
    the inviter; relays: up to 3; expiry: seconds since 1970 (UTC)."""

    lobby: bytes
    inviter: bytes
    secret: bytes = field(repr=False)
    candidates: tuple[Address, ...]
    relays: tuple[Address, ...]
    expiry: int

    def meeting(self) -> Meeting:
        """Return where its holders meet."""
        return Meeting(H("ticket", self.lobby), self.secret)

    def proof(self, binding: bytes) -> bytes:
        """Return the 32 bytes that prove, on the channel with this binding and no other, that one holds the ticket."""
        return digest(self.secret, binding, "sha256")

    def check(self, now: float) -> Self:
        """Return itself. Raises TicketError "ticket/expired" after its expiry. now: seconds since 1970."""
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
                [_pack_address(address) for address in self.candidates],
                [_pack_address(address) for address in self.relays],
                self.expiry,
            ]
        )
        return PREFIX + b32encode(body + _check(body)).decode().rstrip("=").lower()


def new_ticket(lobby: bytes, inviter: bytes, candidates: tuple[Address, ...], expiry: int) -> Ticket:
    """Return a ticket with a new secret; of more candidates than fit the first are taken."""
    return Ticket(lobby, inviter, secrets.token_bytes(SECRET), candidates[:MAX_CANDIDATES], (), expiry)


def parse_ticket(text: str) -> Ticket:
    """Return the ticket that `text` holds. Raises TicketError. Whether it has expired is `Ticket.check`'s business."""
    letters = "".join(text.split()).lower()
    if not letters.startswith(PREFIX):
        raise TicketError("ticket/prefix")
    letters = letters.removeprefix(PREFIX)
    for place, letter in enumerate(letters, len(PREFIX) + 1):
        if letter not in ALPHABET:
            raise TicketError("ticket/letter", letter, place)
    if len(letters) % 8 in (1, 3, 6) or not CHECK < len(letters) <= MAX_LETTERS:
        raise TicketError("ticket/length", len(letters))
    data = b32decode(letters.upper() + "=" * (-len(letters) % 8))
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
                    tuple(map(_read_address, candidates)),
                    tuple(map(_read_address, relays)),
                    expiry,
                )
    raise TicketError("ticket/form", "fields")


def _check(body: bytes) -> bytes:
    return H("ticket-check", body)[:CHECK]


def _pack_address(address: Address) -> Plain:
    try:
        return ip_address(address.host).packed + address.port.to_bytes(2, "big")
    except ValueError:
        return [address.host, address.port]


def _read_address(value: Value) -> Address:
    match value:
        case bytes(packed) if len(packed) in (6, 18):
            host: IPv4Address | IPv6Address = ip_address(packed[:-2])
            address = Address(str(host), int.from_bytes(packed[-2:], "big"))
        case [str(name), int(port)] if type(port) is int and port <= 65_535 and valid_host(name):
            address = Address(name, port)
        case _:
            raise TicketError("ticket/form", "address")
    if address.port < 1:
        raise TicketError("ticket/form", "address")
    return address
