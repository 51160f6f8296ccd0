# SPDX-License-Identifier: GPL-3.0-or-later
"""What was said and shown since a height: choices, rolls and openings with their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

from p2p.lockstep.history import Heights
from p2p.lockstep.machine import GivenAnswer, GivenOutcome, Pending
from p2p.lockstep.randomness import Randomness
from p2p.wire.codec import Value


class SaidAtHeight(NamedTuple):
    """What was said at a height.

    Attributes:
        what: "seed" is the opened seed of a roll.
        who: the key of who said it; empty for a roll or an opening, to which many contribute.
        value: a choice as its seat gave it, the faces of a roll, the opened cards.
    """

    height: int
    what: Literal["choice", "roll", "opening", "seed"]
    who: bytes
    value: Value


class Playing(Protocol):
    """A position, as far as this module reads it."""

    @property
    def history(self) -> Heights: ...
    @property
    def chance(self) -> Randomness: ...
    @property
    def asked(self) -> Mapping[int, Pending]: ...
    @property
    def owner(self) -> Mapping[int, bytes]: ...


def said_since(position: Playing, height: int) -> tuple[SaidAtHeight, ...]:
    """Return what was said in the present game at or above a height."""
    rolls = {each.roll.height: each.faces for each in position.chance.rolls if each.kind == "roll"}
    found = list[SaidAtHeight]()
    for at, given in position.history.since(height):
        if isinstance(given, GivenAnswer):
            found.append(SaidAtHeight(at, "choice", position.owner[given.seat], given.value))
        elif isinstance(given, GivenOutcome) and at in rolls:
            found.append(SaidAtHeight(at, "roll", b"", list(rolls.pop(at))))
        elif isinstance(given, GivenOutcome) and at in position.asked and position.asked[at].kind == "reveal":
            found.append(SaidAtHeight(at, "opening", b"", given.value))
    return tuple(found)


def shown_since(position: Playing, height: int) -> bool:
    """True if sealed cards of the present game may have been shown to somebody at or above a height."""
    waits = (wait for at, wait in position.asked.items() if at >= height and position.history.on_line(at))
    return any(map(position.chance.reads, waits))


def rolled_since(position: Playing, height: int) -> bool:
    """True if a roll of the present game was finished at or above a height."""
    rolls = (rolled.roll.height for rolled in position.chance.rolls)
    return any(rolled >= height and position.history.stands(rolled) for rolled in rolls)
