# SPDX-License-Identifier: GPL-3.0-or-later
"""A guest's answer to a ticket that leads nowhere, as a line of text (`lines`), kind 2, for the same messenger.

It holds one field, which only who made the ticket opens (`open_answer`):

ephemeral X25519 key, ChaCha20-Poly1305(key, zero nonce) of canonical CBOR
    [lobby, guest, instance, places, expiry, signature]

The shared secret is that of the ephemeral key and the inviter's identity as X25519 key (RFC 7748, 4.1), so a ticket
holds no key more; the key is H("answer key", shared secret, ephemeral key, inviter, lobby), another one for each lobby.
The guest's identity signs H("answer", inviter, ephemeral key, encoding of the other fields), so nobody else answers in
its name. A place is 6 or 18
bytes: the IP address and the port from which the guest opens connections. Names are not possible, so that nobody is
made to look one up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha512
from ipaddress import ip_address
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from engine.core.dataclass import dataclass
from p2p.identity.keys import SigningKey
from p2p.reach.lines import ANSWER, VERSION, TicketError, bodies, write_line
from p2p.reach.ticket import LOBBY, TABLE, pack_address, read_address
from p2p.wire.address import TCP, Address, endpoint_of, scheme
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.signing import KEY_BYTES, P, sign, strict_key, verify
from seeds.hashing import H

LASTS: Final = 600
"""Seconds from printing to expiry."""
MAX_PLACES: Final = 6
INSTANCE: Final = 8
MAX_ANSWERS: Final = 8
"""Answers that are read from one text."""
_NONCE: Final = bytes(12)


def private_of(identity: SigningKey) -> X25519PrivateKey:
    """Return the X25519 key of an identity: the scalar that RFC 8032, 5.1.5, makes of its seed."""
    return X25519PrivateKey.from_private_bytes(sha512(identity.seed()).digest()[:KEY_BYTES])


def public_of(identity: bytes) -> X25519PublicKey:
    """Return the X25519 key of an identity: u = (1 + y) / (1 - y) (RFC 7748, 4.1). Raises ValueError if it is no
    key."""
    if not strict_key(identity):
        raise ValueError("not an identity")
    y = int.from_bytes(identity, "little") & (2**255 - 1)
    u = (1 + y) * pow(1 - y, -1, P) % P
    return X25519PublicKey.from_public_bytes(u.to_bytes(KEY_BYTES, "little"))


@dataclass(frozen=True, slots=True)
class GuestAnswer:
    """What a guest tells of itself.

    Attributes:
        lobby: id of the lobby (16 bytes), or of the table where it sits (32 bytes).
        guest: identity key.
        instance: 8 bytes of the guest's process.
        places: up to 6 `tcp://` addresses with the port from which the guest opens connections.
        expiry: seconds since 1970 (UTC).
    """

    lobby: bytes
    guest: bytes
    instance: bytes
    places: tuple[Address, ...]
    expiry: int

    def fields(self) -> list[Plain]:
        """Return what is signed."""
        return [
            self.lobby,
            self.guest,
            self.instance,
            [pack_address(each, TCP) for each in self.places],
            self.expiry,
        ]

    @classmethod
    def read(cls, value: Value, ephemeral: bytes, to: bytes) -> Self:
        """Return the answer in `value` after checking its signature. Raises TicketError "ticket/form"."""
        match value:
            case [bytes(lobby), bytes(guest), bytes(instance), list(places), int(expiry), bytes(signature)] if (
                len(lobby) in (LOBBY, TABLE)
                and len(instance) == INSTANCE
                and 1 <= len(places) <= MAX_PLACES
                and all(isinstance(each, bytes) for each in places)
                and type(expiry) is int
                and expiry >= 0
            ):
                found = cls(lobby, guest, instance, tuple(read_address(each, TCP) for each in places), expiry)
                if verify(guest, signature, _statement(found.fields(), ephemeral, to)):
                    return found
        raise TicketError("ticket/form", "answer")


def numbered(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """Return those addresses that an answer can carry: `tcp://` with an IP address, the first six."""
    found = [each for each in dict.fromkeys(addresses) if scheme(each) == TCP and _is_ip(endpoint_of(each)[0])]
    return tuple(found[:MAX_PLACES])


def write_answer(
    answer: GuestAnswer, identity: SigningKey, to: bytes, ephemeral: X25519PrivateKey | None = None
) -> str:
    """Return the line. Raises ValueError if `to` is no identity.

    identity: the guest's.
    to: who made the ticket, by identity key.
    ephemeral: for tests; a new key without one.
    """
    ephemeral = ephemeral or X25519PrivateKey.generate()
    public = ephemeral.public_key().public_bytes_raw()
    shared = ephemeral.exchange(public_of(to))
    signature = sign(identity.private, _statement(answer.fields(), public, to))
    sealed = ChaCha20Poly1305(_key(shared, public, to, answer.lobby)).encrypt(
        _NONCE, encode([*answer.fields(), signature]), None
    )
    return write_line(ANSWER, [public + sealed])


def read_answers(text: str) -> list[bytes]:
    """Return the sealed answers in a text, each once, the first eight. Raises TicketError if there is none whole."""
    sealed: list[bytes] = []
    error = TicketError("ticket/prefix")
    for body in bodies(text):
        if isinstance(body, TicketError):
            error = body
            continue
        match decoded(body):
            case [int(version), int(kind), bytes(box)] if (version, kind) == (VERSION, ANSWER):
                sealed.append(box)
            case [int(version), int(kind), *_] if version == VERSION:
                error = TicketError("ticket/kind", kind)
            case [int(version), *_]:
                error = TicketError("ticket/version", version)
            case _:
                error = TicketError("ticket/form", "fields")
    if not sealed:
        raise error
    return list(dict.fromkeys(sealed))[:MAX_ANSWERS]


def holds_answer(text: str) -> bool:
    """True if a text holds a whole answer."""
    try:
        return bool(read_answers(text))
    except TicketError:
        return False


def decoded(body: bytes) -> Value:
    """Return the value of a body, None if it is malformed."""
    try:
        return decode(body)
    except WireError:
        return None


def open_answer(sealed: bytes, identity: SigningKey, lobby: bytes) -> GuestAnswer | None:
    """Return the answer to this identity for this lobby or table, None if it is for another one. Raises TicketError if
    its content is malformed or its signature false. Its expiry is not checked."""
    to, public = identity.public, sealed[:KEY_BYTES]
    if len(sealed) <= KEY_BYTES:
        raise TicketError("ticket/form", "answer")
    try:
        shared = private_of(identity).exchange(X25519PublicKey.from_public_bytes(public))
        opened = ChaCha20Poly1305(_key(shared, public, to, lobby)).decrypt(_NONCE, sealed[KEY_BYTES:], None)
    except (InvalidTag, ValueError):  # another key, or one of small order
        return None
    answer = GuestAnswer.read(decoded(opened), public, to)
    if answer.lobby != lobby:
        raise TicketError("ticket/form", "answer")
    return answer


def _key(shared: bytes, ephemeral: bytes, to: bytes, lobby: bytes) -> bytes:
    return H("answer key", shared, ephemeral, to, lobby)


def _statement(fields: Sequence[Plain], ephemeral: bytes, to: bytes) -> bytes:
    return H("answer", to, ephemeral, encode(list(fields)))


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return "%" not in host
