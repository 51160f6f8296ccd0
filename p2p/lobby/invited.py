# SPDX-License-Identifier: GPL-3.0-or-later
"""A newcomer or guest of a lobby, as the inviter knows it."""

from __future__ import annotations

from p2p.lobby.messages import Sitter
from p2p.lockstep.genesis import Row
from p2p.wire.address import Address
from seeds.dataclass import dataclass


@dataclass(slots=True)
class Invited:
    """A link with a newcomer or guest.

    Attributes:
        stage: "asked", "wait", "seated" or "watch".
        hash, nonce: those of the present round.
        spoken: number of its texts.
    """

    identity: bytes
    binding: bytes
    dial_back: Address | None
    stage: str = "new"
    sitter: Sitter | None = None
    rows: tuple[Row, ...] = ()
    ready: bool = False
    hash: bytes | None = None
    nonce: bytes | None = None
    wish: str = ""
    spoken: int = 0
