"""One height: what the table waits for, who owes which slot, and the judgement of an entry that wants to fill one.

    step                stage  slot of             entry, body
    prepare             1      each member         commit   commitment to the seed of the next roll
    choose, together    1      each seat asked     answer   [seat, [value, ...]]
    seal                1      each seat asked     seal     [seat, commitment to its choice]
    roll, shuffle       3      each contributor    open     [index of the roll, seed, commitment to the next seed]
    reveal              5      each member with a sealed choice to open
                                                   reveal   [[deck, index, value, nonce], ...]
    deal, show, over           nobody

A slot is (stage, seat or number of the member); the head takes the entries in the order of their slots. A slot whose
owner the table has left out is not waited for: the caretaker, the fallback or an absent seed stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from p2p.lockstep.machine import Answer, HandleRef, Kind, Pending
from p2p.wire.codec import Value
from p2p.wire.entry import Entry

Slot: TypeAlias = tuple[int, int]
StepKind: TypeAlias = Kind | Literal["prepare", "over"]

SAID: Final[Mapping[str, str]] = {
    "prepare": "commit", "choose": "answer", "together": "answer", "seal": "seal", "roll": "open", "shuffle": "open",
    "reveal": "reveal",
}  # fmt: skip
"""The kind of entry that fills the slots of a step."""
STAGE: Final[Mapping[str, int]] = {"commit": 1, "answer": 1, "seal": 1, "open": 3, "reveal": 5}
MAX_BATCH: Final = 256


@dataclass(frozen=True, slots=True)
class Fault:
    """A proven fault of a peer. code: stable name; author: its key; entries: the ids that prove it, two when they
    contradict each other, one when genesis and log up to its head are needed to judge it; detail: for a log."""

    code: str
    author: bytes
    entries: tuple[bytes, ...]
    detail: str = ""


@dataclass(slots=True)
class Step:
    """The open height. said: what the entry in a slot gives to the outcome; answers: those that the machine has judged;
    fallback: the caretaker's value of each sealed seat; state: digest when the height opened, computed when somebody
    needs it."""

    kind: StepKind
    pending: Pending | None = None
    owed: dict[Slot, bytes] = field(default_factory=dict)
    filled: dict[Slot, Entry] = field(default_factory=dict)
    said: dict[Slot, Value] = field(default_factory=dict)
    answers: dict[int, Answer] = field(default_factory=dict)
    fallback: dict[int, Value] = field(default_factory=dict)
    state: bytes | None = None

    def slot_of(self, entry: Entry) -> Slot | None:
        """The slot an entry is about, None when it is of another kind or form."""
        stage = STAGE[entry.kind]
        if entry.kind in ("answer", "seal"):
            match entry.body:
                case [int() as seat, _] if type(seat) is int:
                    return stage, seat
            return None
        return next((slot for slot, owner in self.owed.items() if owner == entry.author and slot[0] == stage), None)

    def handle_of(self, seat: int) -> HandleRef:
        """The handle about to be made for the sealed choice of a seat."""
        assert self.pending is not None
        return self.pending.handles[self.pending.seats_all.index(seat)]

    def fill(self, slot: Slot, entry: Entry, said: Value) -> None:
        self.filled[slot] = entry
        self.said[slot] = said


def read_answers(body: Value) -> list[Value] | None:
    """The values of an answer's body, None when it has another form."""
    match body:
        case [int(), list() as values] if 1 <= len(values) <= MAX_BATCH:
            return values
    return None


def read_opening(body: Value, index: int) -> tuple[bytes, bytes] | None:
    """Seed and next commitment of an `open` for roll `index`, None when it has another form."""
    match body:
        case [int() as k, bytes() as seed, bytes() as following] if k == index and len(seed) == len(following) == 32:
            return seed, following
    return None


def read_cards(body: Value, handles: list[HandleRef]) -> list[tuple[Value, bytes]] | None:
    """Values and nonces of a `reveal` for just these handles in their order, None when it has another form."""
    if type(body) is not list or len(body) != len(handles):
        return None
    cards: list[tuple[Value, bytes]] = []
    for item, (deck, index) in zip(body, handles, strict=True):
        match item:
            case [str() as name, int() as number, value, bytes() as nonce] if (name, number) == (deck, index):
                cards.append((value, nonce))
            case _:
                return None
    return cards
