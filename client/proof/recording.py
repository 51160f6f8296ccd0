# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded game as steps: the game at any of them, and the cards that each seat knew.

A step is the effect of one input; step 0 is the game before any. One replay finds all steps, and keeps a copy of the
game every `EVERY` steps, so that going back is as quick as going on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from client.proof.walk import Walk
from client.show.pictures import pictures
from client.table.machine import GameMachine
from engine.core.cards import SEALS, Lens
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.match import Match
from engine.core.sections import compact
from engine.core.values import Handle, Plain
from engine.core.waits import Deal, Reveal, Seal, Show, Shuffle
from p2p.lockstep.machine import Given, GivenOutcome

EVERY: Final = 24
"""Steps between two copies of the game."""

Told = Callable[[int, int], None]
"""Called with the number of replayed steps and of all steps."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One input of a recorded game.

    Attributes:
        height: the height of the input.
        opens: the height after it.
        round: the round of the game then.
        events: the events that it caused.
        seat: the seat that acted, -1 for none.
        battle: True if a battle began.
    """

    height: int
    opens: int
    round: int
    events: Sequence[Event]
    seat: int
    battle: bool


@dataclass(slots=True)
class Cards:
    """What a log shows of face-down cards.

    Attributes:
        shuffled: the step, the new handles, and the cards among them: faces, or earlier handles.
        dealt: the step, the seat and the handles of cards that a seat saw.
        shown: by handle, the step at which all saw the card, and its face.
        sealed: the step and handles of sealed choices.
        own: the faces that the secrets of this home decrypt.
    """

    shuffled: list[tuple[int, tuple[Handle, ...], tuple[Plain | Handle, ...]]] = field(default_factory=list)
    dealt: list[tuple[int, int, tuple[Handle, ...]]] = field(default_factory=list)
    shown: dict[Handle, tuple[int, Plain]] = field(default_factory=dict)
    sealed: list[tuple[int, tuple[Handle, ...]]] = field(default_factory=list)
    own: dict[Handle, Plain] = field(default_factory=dict)

    def face(self, handle: Handle) -> Plain | None:
        """The face of a card at any step, None if neither the log nor this home knows it."""
        return self.shown[handle][1] if handle in self.shown else self.own.get(handle)

    def lens(self, seat: int, at: int) -> Lens:
        """What a seat knew after a step, as far as it is known here."""
        held = (handle for step, to, handles in self.dealt if to == seat and step <= at for handle in handles)
        faces = {handle: self.face(handle) for handle in held}
        return Lens({handle: face for handle, face in faces.items() if face is not None})


class Recording:
    """One game.

    Attributes:
        walk: the replayed log.
        steps: the steps in order; the first is the game before any input.
        scores: the step and all points, at the beginning of each round and at the end.
        cards: the known face-down cards.
        agreed: by step, what members agreed by vote after it.
        mine: the seats of this home.
    """

    def __init__(
        self,
        walk: Walk,
        own: Mapping[Handle, Plain] | None = None,
        told: Told = lambda _n, _all: None,
        mine: Sequence[int] = (),
    ) -> None:
        """own: the faces that the secrets of this home decrypt."""
        self.walk, self.mine = walk, mine
        self.steps: list[RecordedStep] = []
        self.scores: list[tuple[int, Sequence[int]]] = []
        self.cards = Cards(own=dict(own or {}))
        self.agreed: dict[int, list[str]] = {}
        self._copies: dict[int, GameMachine] = {}
        self._now: tuple[int, Match] | None = None
        self._lay_out(told)

    def _lay_out(self, told: Told) -> None:
        opening = pictures(self.walk.genesis.game).fights.opens[0]
        pending: tuple[object, tuple[Handle, ...]] = None, ()
        number, last = 0, self.walk.last
        for at, (step, match) in enumerate(self.walk.steps()):
            told(step.opens, last)
            if step.given is not None:
                self._note(at, *pending, step.given)
            events = [event for event in step.events if isinstance(event, Event)]
            begins = max((_round_of(event) for event in events), default=0)
            number = max(number, begins)
            seat = step.given.seat if step.given is not None and not isinstance(step.given, GivenOutcome) else -1
            battle = any(event.id == opening for event in events)
            self.steps.append(RecordedStep(step.height, step.opens, number, events, seat, battle))
            if begins:
                self._score(at, match)
            if at % EVERY == 0:
                assert isinstance(step.machine, GameMachine)
                self._copies[at] = step.machine.clone()
            pending = match.pending, _handles(match)
        self._score(len(self.steps) - 1, self.match(len(self.steps) - 1))
        for height, text in self.walk.agreed:
            self.agreed.setdefault(self.before(height), []).append(text)

    def _score(self, at: int, match: Match) -> None:
        scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
        self.scores.append((at, [score.total for score in scores]))

    def _note(self, at: int, wait: object, handles: tuple[Handle, ...], given: Given) -> None:
        """Note the cards that an input shows."""
        if not isinstance(given, GivenOutcome):
            return
        match wait:
            case Shuffle(_deck, members):
                self.cards.shuffled.append((at, handles, tuple(members)))
            case Deal() | Show():
                self.cards.dealt.append((at, int(wait.to), handles))
            case Seal():
                self.cards.sealed.append((at, handles))
            case Reveal():
                for handle, card in zip(handles, given.value if isinstance(given.value, list) else (), strict=False):
                    if card is not None:
                        face = compact(card) if handle.deck == SEALS else card
                        self.cards.shown.setdefault(handle, (at, face))

    def match(self, at: int) -> Match:
        """The game after this step. Do not change it."""
        if self._now is None or self._now[0] != at:
            start = max(copy for copy in self._copies if copy <= at)
            machine = self._copies[start].clone()
            self.walk.table.position.history.play_on(machine, start, at)
            self._now = at, machine.match
        return self._now[1]

    def before(self, height: int) -> int:
        """The last step whose input lies below a height."""
        return max((at for at, step in enumerate(self.steps) if step.height < height), default=0)

    def at_height(self, height: int) -> int:
        """The step after which a height opened, or the one before it."""
        return max((at for at, step in enumerate(self.steps) if step.opens <= height), default=0)


def _round_of(event: Event) -> int:
    """The round that an event begins, 0 for most."""
    number = event.args.get("round")
    return number if event.id.startswith("round/") and isinstance(number, int) else 0


def _handles(match: Match) -> tuple[Handle, ...]:
    """The handles of the cards in the pending wait."""
    decks = match.g.decks
    match match.pending:
        case Shuffle(deck, members):
            return tuple(decks.next_handles(deck, len(members)))
        case Deal(deck, n, _to):
            return tuple(decks.top(deck, n))
        case Seal(asks):
            return tuple(decks.next_handles(SEALS, len(asks)))
        case Reveal(handles) | Show(handles, _):
            return tuple(handles)
    return ()
