"""What is said to a relay, in frames, before it passes bytes on between two of its visitors.

visitor   MAGIC and [version, verb, room]     wait: to be called there; call: who waits there; see: nothing else;
                                              time: what its clock says
relay     ["seen", endpoint, port]            at once: "host:port" as seen there; another port of the relay, 0 for none
          ["time", seconds]                   its clock, in seconds since 1970 (UTC)
          ["still"]                           every 15 s to whoever waits, so that both notice a cut
          ["paired"]                          what follows is the other visitor's: the two speak Noise with each other
          ["no", code]                        "relay/nobody", "relay/full", "relay/too-many", "relay/malformed", …

A room is named by 16 bytes of a hash of the meeting's secret and of who waits there, so that a relay learns neither,
and only those who know the meeting find the room. What is passed on is ciphertext. Synchronous: bytes in, bytes out.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast

from p2p.wire.codec import Plain, WireError, decode, encode
from seeds.dataclass import dataclass
from seeds.hashing import H

MAGIC: Final = b"starlock relay "
VERSION: Final = 1
ROOM: Final = 16
MAX_WORD: Final = 200
VERBS: Final = ("wait", "call", "see", "time")
LATEST: Final = 1 << 40
"""Seconds that no clock says, and so no relay."""

Verb: TypeAlias = Literal["wait", "call", "see", "time"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a visitor asks for. room: 16 bytes, of no meaning for "see" and "time"."""

    verb: Verb
    room: bytes = bytes(ROOM)

    def pack(self) -> bytes:
        """Return the content of its frame."""
        return MAGIC + encode([VERSION, self.verb, self.room])


@dataclass(frozen=True, slots=True)
class Seen:
    """From where the relay sees a visitor, and at which other port it may be visited for comparison, 0 for none."""

    endpoint: str
    other_port: int


@dataclass(frozen=True, slots=True)
class Time:
    """What the relay's clock says. seconds: since 1970 (UTC)."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Still:
    """The relay is there, and nobody has called yet."""


@dataclass(frozen=True, slots=True)
class Paired:
    """What follows is said by the other visitor."""


@dataclass(frozen=True, slots=True)
class No:
    """Why there is nothing to pass on."""

    code: str


Answer: TypeAlias = Seen | Time | Still | Paired | No


def room_of(secret: bytes, identity: bytes) -> bytes:
    """Return the room where who has this identity key waits for those who know a meeting's secret."""
    return H("relay-room", secret, identity)[:ROOM]


def read_request(content: bytes) -> Request:
    """Return what a visitor asks. Raises WireError "relay/version", "relay/malformed" or one of the codec."""
    match decode(content[len(MAGIC) :], limit=MAX_WORD):
        case [int(version), *_] if version != VERSION:
            raise WireError("relay/version", 0, str(version))
        case [_, str(verb), bytes(room)] if verb in VERBS and len(room) == ROOM:
            return Request(cast("Verb", verb), room)
    raise WireError("relay/malformed")


def pack_answer(answer: Answer) -> bytes:
    """Return the content of its frame."""
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
    match decode(content, limit=MAX_WORD):
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
