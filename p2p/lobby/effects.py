"""What a lobby wants done, as plain data; the caller drains `effects()` after every call."""

from __future__ import annotations

from typing import TypeAlias

from p2p.lobby.words import Seated, Sitter, Terms
from p2p.lockstep.genesis import Genesis
from p2p.wire.address import Address
from p2p.wire.codec import Plain
from seeds.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Say:
    """Send a word over a link."""

    link: str
    kind: str
    body: Plain


@dataclass(frozen=True, slots=True)
class Close:
    """Send what is queued on a link and close it, with this code in the good-bye."""

    link: str
    code: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Guest: what is played here. To sit, call `sit`. content: the table's own, which has the id that the terms name;
    empty: what comes with the game."""

    terms: Terms
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Knocked:
    """Inviter: somebody with the ticket wants to sit. Call `approve`."""

    link: str
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class Waiting:
    """Guest: the inviter has to approve."""


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """Who sits now. free: seats without anybody."""

    room: tuple[Seated, ...]
    free: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The table begins: all of it was checked. places: where its members may be dialed, by identity."""

    genesis: Genesis
    places: dict[bytes, tuple[Address, ...]]


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Guest: no seat here. Inviter: somebody was sent away, named by `who`."""

    code: str
    detail: tuple[str, ...]
    who: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """Somebody at the table said something to all."""

    name: str
    text: str


Effect: TypeAlias = Say | Close | Offered | Knocked | Waiting | RoomChanged | Dealt | TurnedAway | Heard
