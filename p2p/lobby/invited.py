# SPDX-License-Identifier: GPL-3.0-or-later
"""A newcomer or guest of a lobby, as the inviter knows it."""

from __future__ import annotations

from engine.core.dataclass import dataclass
from p2p.lobby.messages import Sitter
from p2p.lockstep.genesis import Row
from p2p.wire.address import Address


@dataclass(slots=True)
class Invited:
    """A link with a newcomer or guest.

    Attributes:
        stage: "new", "wait", "seated" or "watch".
        ticket: whether it has proven the ticket; a stranger of the LAN has not.
        asked: number of its requests for seats.
        admitted: the names under which the inviter has let it in, if only another name is missing.
        hash, nonce: those of the present round.
        spoken: number of its texts.
    """

    identity: bytes
    binding: bytes
    dial_back: Address | None
    ticket: bool = True
    stage: str = "new"
    asked: int = 0
    admitted: frozenset[str] = frozenset()
    sitter: Sitter | None = None
    rows: tuple[Row, ...] = ()
    ready: bool = False
    hash: bytes | None = None
    nonce: bytes | None = None
    wish: str = ""
    spoken: int = 0
