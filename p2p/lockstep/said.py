# SPDX-License-Identifier: GPL-3.0-or-later
"""What was said and shown since a height: choices, rolls and openings with their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol

from p2p.lockstep.history import Heights
from p2p.lockstep.machine import GivenAnswer, GivenOutcome, Pending
from p2p.lockstep.randomness import Randomness
from p2p.lockstep.step import Step, read_answers
from p2p.wire.codec import Value
from p2p.wire.entry import Entry


class SaidAtHeight(NamedTuple):
    """What was said at a height.

    Attributes:
        what: "seed" is the opened seed of a roll that did not end, "opening" also an opened choice, "more" what is not
            listed.
        who: the key of who said it; empty for what many contribute to.
        value: a choice as its seat gave it, the faces of a roll, the open deck that was shuffled, the opened cards.
    """

    height: int
    what: Literal["choice", "roll", "shuffle", "opening", "seed", "more"]
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
    @property
    def step(self) -> Step: ...


def said_since(position: Playing, height: int, last: int) -> tuple[SaidAtHeight, ...]:
    """Return what was said in the present game at or above a height. last: that of the step."""
    rolls = {each.roll.height: each for each in position.chance.rolls}
    found = list[SaidAtHeight]()
    for at, given in position.history.since(height):
        if isinstance(given, GivenAnswer):
            found.append(SaidAtHeight(at, "choice", position.owner[given.seat], given.value))
        elif isinstance(given, GivenOutcome) and at in rolls and rolls[at].kind == "shuffle":
            found.append(SaidAtHeight(at, "shuffle", b"", position.asked[at].deck))
            del rolls[at]
        elif isinstance(given, GivenOutcome) and at in rolls:
            found.append(SaidAtHeight(at, "roll", b"", list(rolls.pop(at).faces)))
        elif isinstance(given, GivenOutcome) and at in position.asked and position.asked[at].kind == "reveal":
            found.append(SaidAtHeight(at, "opening", b"", given.value))
    here = (position.step.filled[slot] for slot in sorted(position.step.filled))
    return (*found, *(word for entry in here for word in words(entry, last)))


def words(entry: Entry, height: int) -> Iterator[SaidAtHeight]:
    """Yield what an entry says for a height, and for later ones if it is an answer of several values."""
    match entry.kind, entry.body:
        case "answer", body:
            values = enumerate(read_answers(body) or (), entry.height)
            yield from (SaidAtHeight(at, "choice", entry.author, value) for at, value in values if at >= height)
        case "reveal", list() as cards:
            opened: list[Value] = [card[2] for card in cards if isinstance(card, list) and len(card) == 4]
            yield SaidAtHeight(height, "opening", entry.author, opened)
        case "open", [_, bytes() as seed, _]:
            yield SaidAtHeight(height, "seed", entry.author, seed)


def shown_since(position: Playing, height: int) -> bool:
    """True if sealed cards of the present game may have been shown to somebody at or above a height."""
    waits = (wait for at, wait in position.asked.items() if at >= height and position.history.on_line(at))
    return any(map(position.chance.reads, waits))


def rolled_since(position: Playing, height: int) -> bool:
    """True if a roll of the present game was finished at or above a height."""
    rolls = (rolled.roll.height for rolled in position.chance.rolls)
    return any(rolled >= height and position.history.stands(rolled) for rolled in rolls)
