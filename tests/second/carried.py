# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 12.4 to 12.6: the lines that messengers carry between homes."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from hashlib import sha512
from ipaddress import ip_address
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from second.codec import Refused, decode, encode, is_bytes, is_int, is_list, refuse
from second.hashing import H
from second.signing import signed, strict_key

INVITATION, TABLE, ANSWER, HEARD = range(4)


def read_line(text: str, *wanted: int) -> tuple[int, list[Any]]:
    """Kind and fields of the one line in a text, which is of a kind wanted."""
    match = re.search(r"starlock:\s*(.*)", text, re.IGNORECASE | re.DOTALL)
    if match is None:
        refuse("ticket/prefix")
    letters = re.sub(r"[\s\"']", "", match[1]).upper()
    size = int.from_bytes(base32(letters[:4])[:2], "big")
    if size > 3_000:
        refuse("ticket/typo")
    needed = -(-(2 + size + 5) * 8 // 5)
    if len(letters) < needed and re.fullmatch("[A-Z2-7]*", letters):
        refuse("ticket/length")
    data = base32(letters[:needed])
    body = data[2:-5]
    if data[-5:] != H("line-check", body)[:5]:
        refuse("ticket/typo")
    try:
        fields = decode(body)
    except Refused:
        refuse("ticket/form")
    if not isinstance(fields, list) or len(fields) < 1 or not is_int(fields[0]):
        refuse("ticket/form")
    if fields[0] != 2:
        refuse("ticket/version")
    if len(fields) < 2 or not is_int(fields[1]):
        refuse("ticket/form")
    if fields[1] not in wanted:
        refuse("ticket/kind")
    return fields[1], fields[2:]


def base32(letters: str) -> bytes:
    if not re.fullmatch("[A-Z2-7]*", letters):
        refuse("ticket/letter")
    return base64.b32decode(letters + "=" * (-len(letters) % 8))


# Invitations (12.4).


@dataclass
class Ticket:
    lobby: bytes
    inviter: bytes
    secret: bytes
    candidates: list[str]
    relays: list[str]
    expiry: int
    heard: bool

    def meeting(self) -> bytes:
        """The name of the meeting that it admits to."""
        return H("announced" if self.heard else "ticket", self.lobby)


def read_ticket(text: str, now: int) -> Ticket:
    """The ticket in a text at a time in seconds since 1970."""
    kind, fields = read_line(text, INVITATION, HEARD)
    if not is_list(fields, 6):
        refuse("ticket/form")
    lobby, inviter, secret, candidates, relays, expiry = fields
    right = isinstance(lobby, bytes) and len(lobby) in (16, 32) and strict_key(inviter) and is_bytes(secret, 16)
    if not right or not isinstance(candidates, list) or not isinstance(relays, list) or not is_int(expiry):
        refuse("ticket/form")
    if len(candidates) > 6 or len(relays) > 3:
        refuse("ticket/form")
    read = [address(item, "tcp") for item in candidates], [address(item, "relay") for item in relays]
    if now > expiry:
        refuse("ticket/expired")
    return Ticket(lobby, inviter, secret, *read, expiry, kind == HEARD)


def address(item: Any, scheme: str) -> str:
    if isinstance(item, str):
        return item
    if scheme == "relay" and isinstance(item, list):
        return relay(item)
    if not isinstance(item, bytes) or len(item) not in (6, 18):
        refuse("ticket/form")
    port = int.from_bytes(item[-2:], "big")
    if port == 0:
        refuse("ticket/form")
    host = ip_address(item[:-2])
    name = f"[{host}]" if host.version == 6 else str(host)
    return f"{scheme}://{name}:{port}"


def relay(item: list[Any]) -> str:
    """A relay with its key, and perhaps a pass."""
    place, *words = item
    if len(words) not in (1, 2) or not is_bytes(words[0], 32) or isinstance(place, list):
        refuse("ticket/form")
    if words[1:] and (not isinstance(words[1], bytes) or not 1 <= len(words[1]) <= 40):
        refuse("ticket/form")
    letters = [base64.b32encode(each).decode().rstrip("=").lower() for each in words]
    return address(place, "relay").replace("://", f"://{':'.join(letters)}@")


# Answers (12.5).


@dataclass
class Answer:
    lobby: bytes
    guest: bytes
    instance: bytes
    places: list[str]
    expiry: int


def x25519_keys(seed: bytes, identity: bytes) -> tuple[bytes, bytes]:
    """The secret and the public X25519 key of an identity."""
    prime = 2**255 - 19
    y = int.from_bytes(identity, "little") % 2**255
    u = (1 + y) * pow(1 - y, prime - 2, prime) % prime
    return sha512(seed).digest()[:32], u.to_bytes(32, "little")


def read_answer(text: str, seed: bytes, identity: bytes, lobby: bytes) -> Answer | None:
    """The answer in a text to this inviter for this lobby, None if it is sealed to somebody else."""
    _, fields = read_line(text, ANSWER)
    if not is_list(fields, 1) or not isinstance(fields[0], bytes) or len(fields[0]) <= 32:
        refuse("ticket/form")
    ephemeral, sealed = fields[0][:32], fields[0][32:]
    own = X25519PrivateKey.from_private_bytes(x25519_keys(seed, identity)[0])
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(ephemeral))
        key = H("answer key", shared, ephemeral, identity, lobby)
        plain = ChaCha20Poly1305(key).decrypt(bytes(12), sealed, None)
    except (InvalidTag, ValueError):
        return None
    said = decode(plain)
    if not is_list(said, 6):
        refuse("ticket/form")
    named, guest, instance, places, expiry, signature = said
    right = is_bytes(instance, 8) and isinstance(places, list) and 1 <= len(places) <= 6 and is_int(expiry)
    if named != lobby or not right or not all(isinstance(each, bytes) for each in places):
        refuse("ticket/form")
    if not signed(guest, H("answer", identity, ephemeral, encode(said[:5])), signature):
        refuse("ticket/form")
    return Answer(named, guest, instance, [address(each, "tcp") for each in places], expiry)


# Whereabouts (12.6).


def whereabouts_right(table: bytes, said: list[Any]) -> bool:
    """True if a member has signed these whereabouts for the table."""
    key, number, places, signature = said
    return signed(key, H("whereabouts", table, key, number, [address(each, "tcp") for each in places]), signature)


def read_table_ticket(text: str) -> list[Any]:
    """The fields of a ticket of a running table."""
    _, fields = read_line(text, TABLE)
    if not is_list(fields, 5):
        refuse("ticket/form")
    mark, maker, listed, expiry, _signature = fields
    if not is_bytes(mark, 16) or not is_bytes(maker, 32) or not isinstance(listed, list) or not is_int(expiry):
        refuse("ticket/form")
    for said in listed:
        if not is_list(said, 4) or not is_bytes(said[0], 32) or not is_int(said[1]) or not isinstance(said[2], list):
            refuse("ticket/form")
        if len(said[2]) > 6:
            refuse("ticket/form")
    if len({said[0] for said in listed}) < len(listed) or len(listed) > 9:
        refuse("ticket/form")
    return fields


def table_ticket_right(table: bytes, fields: list[Any]) -> bool:
    """True if this is a ticket of the table, signed by its maker."""
    statement = H("table ticket", table, encode(fields[:4]))
    return bool(fields[0] == H("table mark", table)[:16] and signed(fields[1], statement, fields[4]))
