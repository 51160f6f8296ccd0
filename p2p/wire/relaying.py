# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages between a relay and its visitors, one in each frame, before it forwards bytes between two of them.

visitor   MAGIC and [version, verb, room]     wait: for a caller; call: the peer waiting there; see: only "seen";
                                              time: the relay's clock
relay     ["seen", endpoint, port]            at once: the visitor's "host:port"; another port of the relay, 0 for none
          ["time", seconds]                   its clock, in seconds since 1970 (UTC)
          ["still"]                           every 15 s to a waiting visitor, so that both notice a lost connection
          ["paired"]                          from now on the other visitor's bytes; the two speak Noise
          ["no", code]                        "relay/nobody", "relay/full", "relay/too-many", "relay/malformed", …

A room is 16 bytes of a hash of the meeting's secret and the waiting peer's identity, so the relay learns neither, and
only peers that know the meeting find the room. The relay forwards ciphertext. Synchronous: bytes in, bytes out.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast

from p2p.wire.codec import Plain, WireError, decode, encode
from seeds.dataclass import dataclass
from seeds.hashing import H

MAGIC: Final = b"starlock relay "
VERSION: Final = 1
ROOM: Final = 16
MAX_RELAY_MESSAGE: Final = 200
VERBS: Final = ("wait", "call", "see", "time")
LATEST: Final = 1 << 40
"""Greatest accepted time in seconds since 1970."""

Verb: TypeAlias = Literal["wait", "call", "see", "time"]


@dataclass(frozen=True, slots=True)
class Request:
    """A visitor's request. room: 16 bytes, ignored for "see" and "time"."""

    verb: Verb
    room: bytes = bytes(ROOM)

    def pack(self) -> bytes:
        """Return the content of the frame."""
        return MAGIC + encode([VERSION, self.verb, self.room])


@dataclass(frozen=True, slots=True)
class Seen:
    """The visitor's endpoint as the relay sees it. port: another port of the relay, to compare, 0 for none."""

    endpoint: str
    other_port: int


@dataclass(frozen=True, slots=True)
class Time:
    """The relay's clock. seconds: since 1970 (UTC)."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Still:
    """The relay is alive, and there is no caller yet."""


@dataclass(frozen=True, slots=True)
class Paired:
    """All further bytes come from the other visitor."""


@dataclass(frozen=True, slots=True)
class No:
    """The relay refuses. code: the reason."""

    code: str


Answer: TypeAlias = Seen | Time | Still | Paired | No


def room_of(secret: bytes, identity: bytes) -> bytes:
    """Return the room in which the peer with this identity key waits for peers that know the meeting's secret."""
    return H("relay-room", secret, identity)[:ROOM]


def read_request(content: bytes) -> Request:
    """Return a visitor's request. Raises WireError "relay/version", "relay/malformed" or a code of the codec."""
    match decode(content[len(MAGIC) :], limit=MAX_RELAY_MESSAGE):
        case [int(version), *_] if version != VERSION:
            raise WireError("relay/version", 0, str(version))
        case [_, str(verb), bytes(room)] if verb in VERBS and len(room) == ROOM:
            return Request(cast("Verb", verb), room)
    raise WireError("relay/malformed")


def pack_answer(answer: Answer) -> bytes:
    """Return the content of the frame."""
    return encode(_fields(answer))


def _fields(answer: Answer) -> list[Plain]:
    match answer:
        case Seen(endpoint, port):
            return ["seen", endpoint, port]
        case Time(seconds):
            return ["time", seconds]
        case Still():
            return ["still"]
        case Paired():
            return ["paired"]
        case No(code):
            return ["no", code]


def read_answer(content: bytes) -> Answer:
    """Inverse of `pack_answer`. Raises WireError."""
    match decode(content, limit=MAX_RELAY_MESSAGE):
        case ["seen", str(endpoint), int(port)] if type(port) is int and 0 <= port < 65_536:
            return Seen(endpoint, port)
        case ["time", int(seconds)] if type(seconds) is int and 0 <= seconds < LATEST:
            return Time(seconds)
        case ["still"]:
            return Still()
        case ["paired"]:
            return Paired()
        case ["no", str(code)] if code.isascii() and code.replace("/", "").replace("-", "").isalpha():
            return No(code)
    raise WireError("relay/malformed")
