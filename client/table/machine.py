# SPDX-License-Identifier: GPL-3.0-or-later
"""A game as the network sees it: the engine's Match behind the Machine protocol of `p2p.lockstep`.

The network uses plain data, the engine uses values. Only this module converts between them: answers in plain form
become values of the game's vocabulary, the eight waits become `Pending`, and invalid input of hostile peers (unknown
words, malformed shapes) ends as a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.core.cards import SEALS, Lens
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input, Notice, Outcome
from engine.core.match import Match
from engine.core.registry import GameSpec
from engine.core.sections import compact
from engine.core.values import Handle, Plain, plain
from engine.core.waits import Choose, Deal, Reveal, Roll, Seal, Show, Shuffle, Together
from p2p.lockstep import machine as net
from p2p.wire.codec import Value


class GameMachine:
    """One table's game. `lenses` holds the card faces that the seats of this peer know; it is no part of the state."""

    def __init__(self, match: Match, lenses: dict[int, Lens] | None = None) -> None:
        self.match = match
        self.lenses = {} if lenses is None else lenses
        self._judged: dict[int, tuple[net.Given, Match, Input]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return GameMachine, (self.match, self.lenses)

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return self.match.spec

    @property
    def ident(self) -> tuple[str, bytes]:
        """Rules and their version, content digest."""
        return self.spec.rules_id, self.spec.content_id(self.match.g.table)

    def lens(self, seat: int) -> Lens:
        """The card faces that a seat of this peer knows."""
        return self.lenses.setdefault(seat, Lens())

    # What is pending --------------------------------------------------------------------------------------------------

    def pending(self) -> net.Pending | None:
        """The wait as plain data; None when the game is over."""
        wait, decks = self.match.pending, self.match.g.decks
        owing: tuple[int, ...] = self.match.owing()
        match wait:
            case None:
                return None
            case Choose():
                return net.Pending("choose", owing)
            case Together(asks):
                return net.Pending("together", owing, seats_all=tuple(sorted(asks)))
            case Seal(asks, keep):
                made = _references(decks.next_handles(SEALS, len(asks)))
                return net.Pending("seal", owing, handles=made, seats_all=tuple(sorted(asks)), keep=keep)
            case Roll(sides, tag):
                return net.Pending("roll", sides=sides, tag=tag)
            case Shuffle(deck, members, tag):
                made = _references(decks.next_handles(deck, len(members)))
                cards: tuple[Value, ...] = tuple(map(_member, members))
                return net.Pending("shuffle", deck=deck, members=cards, handles=made, tag=tag)
            case Deal(deck, n, to):
                return net.Pending("deal", (to,), deck=deck, handles=_references(decks.top(deck, n)))
            case Reveal(handles, play):
                return net.Pending("reveal", handles=_references(handles), tag=play)
            case Show(handles, to):
                return net.Pending("show", (to,), handles=_references(handles))
        raise LocalError(f"not a wait: {wait}")

    def caretaker(self, seat: int) -> Value:
        """The caretaker's answer, in plain form."""
        value: Value = plain(self.match.caretaker(seat))
        return value

    # Inputs -----------------------------------------------------------------------------------------------------------

    def check(self, given: net.Given) -> Refusal | None:
        """Why the input is refused, None if it is valid. At a seal an answer is judged by the sealed choice."""
        read = self._read(given)
        if isinstance(read, Refusal):
            return read
        if isinstance(read, Answer) and isinstance(self.match.pending, Seal):
            choose = self.match.ask_of(read.seat)
            return Refusal("answer/not-asked") if choose is None else choose.validate(None, read.value)
        refusal = self.match.check(read)
        self._judged = {self.match.height: (given, self.match, read)} if refusal is None else {}
        return refusal

    def apply(self, given: net.Given) -> Sequence[Event]:
        """Apply an input that `check` accepts. An input that `check` or `batch` has just judged is not judged again."""
        judged = self._judged.pop(self.match.height, None)
        if judged is not None and _same(judged[0], given) and judged[1] is self.match:
            return self.match.apply(judged[2], checked=True)
        self._judged = {}
        return self.match.apply(self._taken(given))

    def replay(self, given: net.Given) -> Sequence[Event]:
        """Apply an input that this game has accepted here before, without judging it again."""
        return self.match.apply(self._taken(given), checked=True)

    def batch(self, seat: int, values: Sequence[Value]) -> Refusal | None:
        """Judge consecutive answers of one seat without applying them."""
        read = []
        for index, value in enumerate(values):
            try:
                read.append(self.spec.words.value(value))
            except (ValueError, RecursionError) as problem:
                return Refusal("answer/unreadable", str(index), (str(problem),))
        judged = self.match.clone().batch(seat, read)
        if isinstance(judged, Refusal):
            return judged
        inputs = [
            (net.GivenAnswer(seat, value), self.match, Answer(Seat(seat), each))
            for value, each in zip(values, read, strict=True)
        ]
        self._judged = dict(enumerate(inputs, self.match.height))
        return None

    def learn(self, seat: int, handle: net.HandleRef, card: Value) -> None:
        """Tell a seat of this peer the face of a card."""
        self.lens(seat).learn(Handle(*handle), card)

    def _taken(self, given: net.Given) -> Input:
        read = self._read(given)
        if isinstance(read, Refusal):
            raise LocalError(f"illegal input {given}: {read}")
        return read

    def _read(self, given: net.Given) -> Input | Refusal:
        match given:
            case net.GivenAnswer(seat, value):
                try:
                    return Answer(Seat(seat), self.spec.words.value(value))
                except (ValueError, RecursionError) as problem:
                    return Refusal("answer/unreadable", "", (str(problem),))
            case net.GivenOutcome(value):
                return self._outcome(value)
            case net.GivenNotice(kind, seat):
                return Notice(kind, Seat(seat))

    def _outcome(self, value: Value) -> Outcome | Refusal:
        if value is None:
            return Outcome()
        if type(value) is not list:
            return Refusal("outcome/shape")
        wait = self.match.pending
        if isinstance(wait, Reveal) and len(wait.handles) == len(value):
            return Outcome(tuple(map(_card, wait.handles, value)))
        return Outcome(tuple(value))

    # Digests, copies --------------------------------------------------------------------------------------------------

    def digest(self) -> bytes:
        """16 bytes over everything that decides the future."""
        return self.match.digest()

    def scores(self) -> list[Value]:
        """Places and points of all seats, and the points of each kind."""
        scores = sorted(self.spec.scores(self.match.g), key=lambda score: score.seat)
        return [[score.rank, score.total, [[kind, points] for kind, points in score.parts]] for score in scores]

    def sections(self) -> Mapping[str, bytes]:
        """A digest for each section of the state."""
        g = self.match.g
        return {name: getattr(g, name).digest() for name in g.sections}

    def explain(self, names: Iterable[str]) -> Mapping[str, Value]:
        """The readable form of these sections."""
        g = self.match.g
        return {name: getattr(g, name).dump() for name in names if name in g.sections}

    def clone(self) -> GameMachine:
        """An independent game at the same point, with its own lenses."""
        return GameMachine(self.match.clone(), {seat: Lens(lens) for seat, lens in self.lenses.items()})


def _same(judged: net.Given, given: net.Given) -> bool:
    """True if an input is the judged one, or holds the same value object."""
    if isinstance(judged, net.GivenAnswer) and isinstance(given, net.GivenAnswer):
        return judged.seat == given.seat and judged.value is given.value
    return judged is given


def _references(handles: Iterable[Handle]) -> tuple[net.HandleRef, ...]:
    return tuple((handle.deck, handle.index) for handle in handles)


def _member(card: Plain | Handle) -> Value:
    return [card.deck, card.index] if isinstance(card, Handle) else card


def _card(handle: Handle, card: Value) -> Value:
    """A card in the engine's form. An opened choice is the JSON text of its plain form; a value that JSON cannot hold
    becomes "unreadable"."""
    if handle.deck != SEALS or card is None:
        return card
    try:
        return compact(card)
    except (TypeError, ValueError, RecursionError):
        return ""
