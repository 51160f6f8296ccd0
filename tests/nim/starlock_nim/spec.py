"""The rules: in turn each seat takes stones from one heap, as many as it likes. Whoever takes the last stone wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, dataclass_transform

from engine.core.agenda import Flow, State, Table
from engine.core.cards import Decks, Lens
from engine.core.ids import Seat
from engine.core.registry import PATIENCE, GameSpec, Option, Score
from engine.core.rule import Rule, ask
from engine.core.sections import Column, Section, column, section
from engine.core.values import Value, Vocabulary
from engine.core.waits import Choose

words = Vocabulary()
C = TypeVar("C", bound=type)
HEAPS = {"four": (3, 5, 7, 9), "three": (1, 3, 5)}


@dataclass_transform(frozen_default=True)
def record(cls: C) -> C:
    """A record of Nim's vocabulary."""
    return words.record(cls)


@record
class Take:
    """Stones taken from a heap, which has a number from 1 on."""

    heap: int
    stones: int


@section
class Stones(Section):
    """``heaps``: stones left in each; ``last``: the seat that took the last stone, -1 before."""

    heaps: Column
    last: int


class Nim(State):
    __slots__ = ("stones",)
    stones: Stones


@record
class Turn(Choose[Take]):
    """Take stones from one heap."""

    seat: Seat

    def options(self, g: Nim, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Take]:
        return [Take(heap + 1, n) for heap, there in enumerate(g.stones.heaps) for n in range(1, there + 1)]

    def caretaker(self, g: Nim) -> Take:
        return self.options(g)[0]


def turn(g: Nim, seat: int) -> Rule[None]:
    """Take stones; the next seat follows while any are left."""
    taken = yield from ask(Turn(Seat(seat)))
    g.stones.heaps[taken.heap - 1] -= taken.stones
    g.tell("nim/taken", seat=seat, heap=taken.heap, stones=taken.stones)
    if any(g.stones.heaps):
        g.then(["turn", (seat + 1) % g.table.seats])
    else:
        g.stones.last = seat
        g.tell("nim/won", seat=seat)


def setup(table: Table) -> Nim:
    """Return the first position."""
    heaps = column(HEAPS[table.options["heaps"]])
    return Nim(None, table=table, flow=Flow.starting(["turn", 0]), decks=Decks.empty(), stones=Stones(heaps, -1))


def scores(g: Any) -> tuple[Score, ...]:
    """Return a point for whoever took the last stone."""
    won = [int(g.stones.last == seat) for seat in range(g.table.seats)]
    return tuple(Score(Seat(seat), point, (("last", point),), 1 + (max(won) - point)) for seat, point in enumerate(won))


NIM = GameSpec(
    id="nim",
    rules_version=1,
    seats=range(2, 5),
    words=words,
    state=Nim,
    setup=setup,
    const=lambda table: None,
    segments={"turn": turn},
    scores=scores,
    content_id=lambda table: b"nim, three piles",
    events={"nim/taken": ("seat", "heap", "stones"), "nim/won": ("seat",)},
    options=(PATIENCE, Option("heaps", "four", "option/heaps", values=tuple(HEAPS))),
)
