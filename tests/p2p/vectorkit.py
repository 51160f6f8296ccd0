"""What the vectors of PROTOCOL.md are made of: members with fixed secrets, and values as JSON holds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.identity.keys import SigningKey
from p2p.lobby.posted import LetterError
from p2p.log.records import FileError
from p2p.reach.ticket import TicketError
from p2p.sync.bundle import BundleError
from p2p.wire.codec import WireError, encode
from p2p.wire.entry import NO_PREV, Entry, make_entry
from seeds.errors import Fault
from seeds.group import L
from seeds.hashing import H

REFUSALS = WireError, FileError, BundleError, LetterError, TicketError
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = SigningKey.from_seed(bytes([11]) * 32)
TABLE, SECRET = bytes([7]) * 32, bytes([9]) * 32
MEMBERS = tuple(H("member", number) for number in range(4))
PLACE: dict[str, Any] = {
    "table": TABLE,
    "seq": 0,
    "prev": NO_PREV,
    "epoch": 0,
    "height": 0,
    "head": TABLE,
    "state": bytes(16),
}


def secret(member: bytes) -> bytes:
    """The table secret of a member."""
    return H("secret", member)


def fresh(*what: bytes | int | str) -> bytes:
    """32 bytes for a proof."""
    return H("fresh", *what)


def said(kind: str, body: Any, **fields: Any) -> Entry:
    """An entry of the first key."""
    return make_entry(KEY, **{**PLACE, **fields, "kind": kind, "body": body})


def shown(value: Any) -> Any:
    """A value as JSON holds it: bytes and great numbers as hexadecimal text."""
    match value:
        case bytes():
            return value.hex()
        case bool() | None | str():
            return value
        case int():
            return value if abs(value) < 1 << 53 else f"{value:x}"
        case Mapping():
            return {name: shown(each) for name, each in value.items()}
        case Sequence():
            return [shown(each) for each in value]
    raise TypeError(type(value).__name__)


def mixed(value: Any) -> str:
    """Text, bytes and numbers beside each other, as the hexadecimal text of their encoding."""
    return encode(value).hex()


def flipped(data: bytes, at: int = 0) -> bytes:
    """The bytes with one bit changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def beyond(data: bytes, at: int = 0) -> bytes:
    """The bytes with the order of the group added to the scalar at this place."""
    number = int.from_bytes(data[at : at + 32], "little") + L
    return data[:at] + number.to_bytes(32, "little") + data[at + 32 :]


def code_of(judge: Callable[..., object], *given: Any) -> str:
    """The code with which the program refuses this."""
    try:
        found = judge(*given)
    except REFUSALS as error:
        return error.code
    assert isinstance(found, Fault), found
    return found.code


def refusals(
    judge: Callable[[Any], object], cases: Mapping[str, Any], name: str, show: Callable[[Any], Any] = shown
) -> list[dict[str, Any]]:
    """Inputs that are refused, each with the code: by what is wrong with it."""
    return [{"why": why, name: show(each), "code": code_of(judge, each)} for why, each in cases.items()]
