# SPDX-License-Identifier: GPL-3.0-or-later
"""The pipe under a link, and the errors of links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.core.dataclass import dataclass
from p2p.wire.address import Address


class LinkDownError(Exception):
    """The link has ended.

    code: "bye/…" as sent by one side, "link/closed" or "link/broken" (the other side is gone), "link/dead" (silent for
        6 s), "link/queue-full", "link/slept", "link/shutdown", or the code of a WireError that the other side caused.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class LinkRefusedError(Exception):
    """A connection did not become a link.

    Attributes:
        code: "link/unreachable" (no answer), "link/timeout", "link/hung-up" (the other side closed: it does not know
            the ticket or table, is busy, or is another program), "link/self" (this process), "link/other-identity" (not
            the expected person), "link/bad-signature", "link/other-version", "link/unknown-meeting",
            "link/no-transport" (an address of an unknown scheme), "listen/port-in-use", "listen/failed", or the code of
            a WireError.
        detail: values for the message. Other version: ours, theirs, and name and version of the other program. Other
            identity: its key. Listening: the port and the system's message.
    """

    def __init__(self, code: str, *detail: object) -> None:
        super().__init__(code, *detail)
        self.code = code
        self.detail = detail


@dataclass(slots=True)
class Stats:
    """Counters of a link.

    Attributes:
        rtt: round trip of the last ping in seconds, None before the first.
        seen: this side's address as the other side sees it, empty if unknown.
        since: clock time in seconds when the link came up.
    """

    since: float
    sent_frames: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0
    rtt: float | None = None
    seen: str = ""


class Pipe(Protocol):
    """An authenticated channel that carries frames, without queue and pings.

    Attributes:
        peer_id: the other side's identity key, 32 bytes.
        instance: 8 bytes that name the other process.
        program: name and version of the other program.
        binding: 32 bytes, equal on both sides of this channel and different on any other.
        meeting: name of the meeting, 32 bytes.
        dialed: True if this side dialed.
        remote: the other side's address for display, never written to a log.
        dial_back: address at which the other side says it listens, None for none.
        via: address of the relay, empty for none. A direct link replaces a relayed one.
        punched: True if the channel was opened by hole punching, from the listening port of each side.
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
        """Send messages in order. Raises trio.BrokenResourceError or trio.ClosedResourceError."""

    def offer(self, message: bytes) -> bool:
        """Send a message at once. Return False if that might have to wait, as everywhere but within another link."""

    async def recv(self) -> bytes:
        """Return the next message. Raises trio.EndOfChannel, a trio resource error or WireError."""

    def abort(self) -> None:
        """Make `aclose` discard undelivered data, because the other side is gone. Otherwise the system goes on trying
        to end the connection, and the same two ports cannot be connected again."""

    def doze(self, size: int) -> bool:
        """Make later calls of `recv` sleep until `size` bytes have come, 1 for any. Bytes that have come before are
        returned at once. Return True if this system can do that; then a call under way must be made again."""

    def unheard(self) -> float:
        """Return the seconds since anything came from the other side, 0 if the system does not tell."""

    async def aclose(self) -> None:
        """Close at once."""
