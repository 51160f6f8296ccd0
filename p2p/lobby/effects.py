# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lobby asks its caller to do, as plain data. The caller drains `effects()` after every call."""

from __future__ import annotations

from typing import TypeAlias

from engine.core.dataclass import dataclass
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.genesis import Genesis
from p2p.wire.address import Address
from p2p.wire.codec import Plain


@dataclass(frozen=True, slots=True)
class Say:
    """Send a message over a link."""

    link: str
    kind: str
    body: Plain


@dataclass(frozen=True, slots=True)
class Close:
    """Send what is queued on a link, then close it with a good-bye that carries this code."""

    link: str
    code: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Guest: the terms of the table. To sit, call `sit`. content: the table's own content, checked against the id in
    the terms, empty for the content that comes with the game."""

    terms: Terms
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Knocked:
    """Inviter: a holder of the ticket asks for seats. Call `approve`."""

    link: str
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class Waiting:
    """Guest: the inviter must approve."""


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Guest: somebody at the table has this name, or one that looks like it. Sit with another one, or leave.

    Attributes:
        free: some names that nobody has there.
    """

    name: str
    free: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The seats have changed. Who was not let in yet sees no room. free: seats that nobody has."""

    room: tuple[Seated, ...]
    free: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The table begins with this genesis, which was checked. places: the addresses of each member, by identity key."""

    genesis: Genesis
    places: dict[bytes, tuple[Address, ...]]


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Guest: the inviter has refused. Inviter: a guest was refused. who: its name."""

    code: str
    detail: tuple[str, ...]
    who: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """A member said something to all."""

    name: str
    text: str


Effect: TypeAlias = Say | Close | Offered | Knocked | Waiting | NameTaken | RoomChanged | Dealt | TurnedAway | Heard
