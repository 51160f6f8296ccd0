"""What a link is to those who use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from p2p.wire.address import Address
from seeds.dataclass import dataclass


class LinkDownError(Exception):
    """The link has ended.

    code: "bye/…" as one side gave it, "link/closed" or "link/broken" (the other side is gone), "link/dead" (silent for
    6 s), "link/queue-full", "link/slept", "link/shutdown", or the code of the WireError that
    the other side caused.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class LinkRefusedError(Exception):
    """A connection that did not become a link.

    Attributes:
        code: "link/unreachable" (nobody answers there), "link/timeout", "link/hung-up" (the other side closed: the
            ticket or table is not known there, or it is busy, or it is no starlock), "link/self" (this very process),
            "link/other-identity" (not the expected person), "link/bad-signature", "link/other-version",
            "link/unknown-meeting", "link/no-transport" (no way to dial an address of that scheme),
            "listen/port-in-use", "listen/failed", or the code of a WireError.
        detail: names and numbers for the wording: for another version ours, theirs, and the name and version of the
            other program; for another identity its key; for a port that port and the system's word for it.
    """

    def __init__(self, code: str, *detail: object) -> None:
        super().__init__(code, *detail)
        self.code = code
        self.detail = detail


@dataclass(slots=True)
class Stats:
    """What passed over a link.

    Attributes:
        rtt: seconds of the last ping, None before the first.
        seen: this side's address as the other side sees it, empty when unknown.
        since: the clock's time when the link came up.
    """

    since: float
    sent_frames: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    rtt: float | None = None
    seen: str = ""


class Pipe(Protocol):
    """An authenticated channel that carries frames, before it has a queue and pings.

    Attributes:
        peer_id: the other's identity key.
        instance: 8 bytes that name its process.
        program: its name and version.
        binding: 32 bytes, equal on both sides of this channel and on no other.
        meeting: the name under which the two met.
        dialed: whether this side began.
        remote: the other's address for people to read, never written to a log.
        dial_back: where the other side says it listens, None for nowhere.
        via: the relay that passes everything on, empty for none: such a link is replaced as soon as there is a direct
            one.
        punched: whether both sides opened the channel at the same moment, each from the port where it listens.
    """

    peer_id: bytes
    instance: bytes
    program: str
    binding: bytes
    meeting: bytes
    dialed: bool
    remote: str
    dial_back: Address | None
    via: Address
    punched: bool

    async def send(self, messages: Sequence[bytes]) -> None:
        """Send messages in order; raises trio.BrokenResourceError or trio.ClosedResourceError."""

    async def recv(self) -> bytes:
        """Return the next message; raises trio.EndOfChannel, a trio resource error or WireError."""

    def abort(self) -> None:
        """Have `aclose` forget what was not delivered: the other side is gone without a word, and a connection that the
        system goes on trying to end keeps the same two ports from being connected again."""

    async def aclose(self) -> None:
        """Close at once."""
