# SPDX-License-Identifier: GPL-3.0-or-later
"""The Machine protocol that a game implements for the lockstep, and the plain data that both exchange.

A machine is deterministic and knows no network, keys or clock. It returns what it waits for (`Pending`), takes the
inputs that the table agreed on (`GivenAnswer`, `GivenOutcome`, `GivenNotice`) and computes a digest of its state.
Answers are plain data of the wire codec: numbers, text, None, and lists for records. A machine may hold faces of cards
that one seat knows (`learn`); they never change its state or its digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from engine.core.dataclass import dataclass
from p2p.wire.codec import Value

Kind = Literal["choose", "together", "seal", "roll", "shuffle", "deal", "reveal", "show"]
HandleRef: TypeAlias = tuple[str, int]
"""A face-down card: the deck's name and the card's number in it, never used twice."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What the game needs next.

    kind: one of the eight waits.
    seats: choose, together, seal: the seats that still owe an answer, ascending; deal, show: the one reader.
    sides: roll: the size of each die; the outcome is a list of as many numbers, each from 1 to its size.
    deck: shuffle, deal: the deck's name.
    members: shuffle: the cards (numbers or text) and the handles put back, these as [deck, index].
    handles: shuffle: those about to be made, top first; deal: those being dealt; reveal, show: those to be opened;
        seal: those about to be made, one for each of `seats_all`.
    seats_all: together, seal: every seat asked, ascending.
    keep: seal: held beyond the next reveal.
    tag: roll, shuffle: the rule's name for it; reveal: the play.
    """

    kind: Kind
    seats: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    deck: str = ""
    members: tuple[Value, ...] = ()
    handles: tuple[HandleRef, ...] = ()
    seats_all: tuple[int, ...] = ()
    keep: bool = False
    tag: str = ""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer of a seat to a choose or together."""

    seat: int
    value: Value


@dataclass(frozen=True, slots=True)
class GivenOutcome:
    """The outcome of dice, decks or openings. roll: list of numbers; shuffle, deal, show, seal: None; reveal: one card
    (or None: its owner is gone, or does not open the choice) for each handle, in order."""

    value: Value


@dataclass(frozen=True, slots=True)
class GivenNotice:
    """An event outside the rules that concerns a seat. kind "gone": its owner will not come back."""

    kind: str
    seat: int


Given: TypeAlias = GivenAnswer | GivenOutcome | GivenNotice


@dataclass(frozen=True, slots=True)
class TableRefusal:
    """The reason why something was not done: a stable code, the place in the value, and names and numbers for the
    message."""

    code: str
    path: str = ""
    detail: tuple[object, ...] = ()


class RefusalLike(Protocol):
    """Any refusal of this shape; a game may bring its own class."""

    @property
    def code(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def detail(self) -> tuple[object, ...]: ...


class Machine(Protocol):
    """A game in progress.

    At a seal, `check` and `caretaker` judge and fill in a secret choice, which enters the machine only when a reveal
    opens its handle: the card is then the answer's wire value, the machine judges it again and takes the caretaker's
    value of the time of the seal where it does not fit. An input that `check` refuses must never be applied; `apply`
    raises on it, which is an error of this program and never of a peer. An answer that was checked, alone or in a
    batch, is applied with the same object as its value, so that a machine may remember that it has judged it.
    """

    @property
    def ident(self) -> tuple[str, bytes]:
        """Name and version of the rules, and the digest of the content. They must be equal at all peers of a
        table."""

    def pending(self) -> Pending | None:
        """Return what the game waits for, None when it is over."""

    def check(self, given: Given) -> RefusalLike | None: ...

    def apply(self, given: Given) -> Sequence[object]:
        """Apply this input and return the events, which are opaque here."""

    def replay(self, given: Given) -> Sequence[object]:
        """Apply an input that this game has taken at this place before, without judging it again."""

    def batch(self, seat: int, values: Sequence[Value]) -> RefusalLike | None:
        """Judge consecutive answers of one seat, all or nothing, without applying any. Refuse answers beyond a wait of
        another kind or seat."""

    def caretaker(self, seat: int) -> Value:
        """Return the deterministic, public and legal answer of the caretaker, also the fallback of a seal."""

    def digest(self) -> bytes:
        """Return 16 bytes over all state that affects the rest of the game. Equal on all peers at equal heights."""

    def scores(self) -> list[Value]:
        """Return [place, points, [[kind, points], ...]] of each seat, ascending, as of now; places count from 1."""

    def sections(self) -> Mapping[str, bytes]:
        """Return a digest for each section of the state."""

    def explain(self, names: Iterable[str]) -> Mapping[str, Value]:
        """Return the readable form of these sections, for a divergence report."""

    def learn(self, seat: int, handle: HandleRef, card: Value) -> None:
        """Learn the face of a card that only `seat`, which is held on this peer, may see."""

    def clone(self) -> Machine: ...
