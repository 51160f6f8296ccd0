# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages between a relay and its visitors, one in each frame, before it forwards bytes between two of them.

visitor   MAGIC and [version, verb, room]     wait: for a caller; call: one who waits there; see: only "seen";
                                              time: the relay's clock; back: behind the room stands a port, at which
                                              the relay calls the visitor back; a pass stands behind the room of wait
          MAGIC and [version, "seal", bytes]  the first message of Noise NK, from who knows the relay's key
relay     the second one; then all messages of both are encrypted, the request in the same form included
relay     ["seen", endpoint, port]            at once: the visitor's "host:port"; another port of the relay, 0 for none
          ["time", seconds]                   its clock, in seconds since 1970 (UTC)
          ["still"]                           every 15 s to a waiting visitor, so that both notice a lost connection
          ["called"]                          the relay has called back, or tried for some seconds
          ["paired"]                          from now on the other visitor's bytes; the two speak Noise
          ["no", code]                        "relay/nobody", "relay/full", "relay/too-many", "relay/malformed", …

A room is 16 bytes of a hash of the meeting's secret and the waiting peer's identity, so the relay learns neither, and
only peers that know the meeting find the room. The relay forwards ciphertext. Synchronous: bytes in, bytes out.

To call back, the relay connects to the address from which it sees the question come, at the port in it, and sends one
frame: BACK and the room, which is a number that the visitor has drawn. It tells nobody whether it came through: only
who listens at that port learns it. So nobody finds out by a relay which ports are open elsewhere.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, cast

from engine.core.dataclass import dataclass
from p2p.wire.address import MAX_PASS
from p2p.wire.codec import Plain, WireError, decode, encode
from seeds.hashing import H

MAGIC: Final = b"starlock relay "
BACK: Final = b"starlock back "
VERSION: Final = 1
ROOM: Final = 16
MAX_RELAY_MESSAGE: Final = 200
VERBS: Final = ("wait", "call", "see", "time")
LEAST_PORT: Final = 1_024
"""The least port at which a relay calls back."""
LATEST: Final = 1 << 40
"""Greatest accepted time in seconds since 1970."""

Verb: TypeAlias = Literal["wait", "call", "see", "time", "back"]


@dataclass(frozen=True, slots=True)
class Request:
    """A visitor's request. room: 16 bytes, ignored for "see" and "time". port: for "back" alone. admission: a pass, for
    "wait" alone, empty for none."""

    verb: Verb
    room: bytes = bytes(ROOM)
    port: int = 0
    admission: bytes = b""

    def pack(self) -> bytes:
        """Return the content of the frame."""
        more: list[Plain] = [self.port] if self.verb == "back" else [self.admission] if self.admission else []
        return MAGIC + encode([VERSION, self.verb, self.room, *more])


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
class Called:
    """The relay has called back, or tried."""


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


Answer: TypeAlias = Seen | Time | Called | Still | Paired | No


_REASON: Final = re.compile(r"relay/[A-Za-z-]+")
"""A relay speaks of itself: other codes say what a peer has shown over a link."""


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
        case [_, "back", bytes(room), int(port)] if (
            len(room) == ROOM and type(port) is int and LEAST_PORT <= port < 65_536
        ):
            return Request("back", room, port)
        case [_, "wait", bytes(room), bytes(admission)] if len(room) == ROOM and 0 < len(admission) <= MAX_PASS:
            return Request("wait", room, 0, admission)
    raise WireError("relay/malformed")


def pack_seal(message: bytes) -> bytes:
    """Return the content of the frame that begins an encrypted visit. message: the first one of the handshake."""
    return MAGIC + encode([VERSION, "seal", message])


def read_seal(content: bytes) -> bytes | None:
    """Return the handshake's message if a visit begins encrypted, None if it begins with a request. Raises
    WireError."""
    match decode(content[len(MAGIC) :], limit=MAX_RELAY_MESSAGE):
        case [int(version), "seal", bytes(message)] if version == VERSION:
            return message
    return None


def pack_answer(answer: Answer) -> bytes:
    """Return the content of the frame."""
    return encode(_fields(answer))


def _fields(answer: Answer) -> list[Plain]:
    match answer:
        case Seen(endpoint, port):
            return ["seen", endpoint, port]
        case Time(seconds):
            return ["time", seconds]
        case Called():
            return ["called"]
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
        case ["called"]:
            return Called()
        case ["still"]:
            return Still()
        case ["paired"]:
            return Paired()
        case ["no", str(code)] if _REASON.fullmatch(code):
            return No(code)
    raise WireError("relay/malformed")
