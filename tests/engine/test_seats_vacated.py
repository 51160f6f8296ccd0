"""Seats whose owner leaves for good, or that pass to somebody else, at any moment of a random game of every kind.

The network deals the decks anew: what only the old owner knew stands for other cards from then on, or for none that
anybody can open. Whatever was pending, the game goes on legally to a legal end, no piece is lost, and the seat holds
nothing any more of what it held.
"""

from __future__ import annotations

from typing import Any

import pytest
from volume import seeds

from engine.core.cards import SEALS, Handle
from engine.core.dealer import Chooser, Dealer, HashDice, play
from engine.core.ids import Seat
from engine.core.inputs import Input, Notice, Outcome
from engine.core.match import MAX_TAIL, Match
from engine.core.registry import GameSpec
from engine.core.sections import flat
from engine.core.values import Plain, Value
from engine.core.waits import Choose, Deal, Reveal, Seal, Show, Shuffle
from engine.eclipse.state import Eclipse
from engine.rex.state import Rex
from engine.testing.gamekit import TIMID, fair_scores, known_events, some_table, specs
from engine.testing.judges import judge

GAMES = {name: spec for name, spec in specs().items() if name != "toy"}
CASES = [
    pytest.param(spec, seats, id=f"{spec.id}-{seats}", marks=[] if seats == gate else pytest.mark.soak)
    for number, spec in enumerate(GAMES.values())
    for gate in (spec.seats[0 if number % 2 else -1],)
    for seats in spec.seats
]
"""The least or the most seats of each game in the gate."""
OFTEN = {
    "answer-offer": 3, "betray": 2, "call-traitor": 4, "commit-cards": 3, "keep-cards": 3, "keep-tile": 3,
    "keep-traitor": 12, "obey": 3, "plan-battle": 12, "predict": 12, "redraw": 12, "tell": 3, "testify": 3,
}  # fmt: skip
"""How often, one time in so many, the seat leaves that is asked about what is hidden."""
SHORT = {
    "fleet-dial": "no number is better than another: the sector is the difference of two",
    "plan-battle": "the lowest dial, the first leader and no card",
    "commit-cards": "the oldest cards, whatever they are",
}
"""Choices that others can open from three members on, each with what its fallback gives who keeps silent. A choice
that is kept cannot be opened by others, and counts for nothing when its owner does not open it."""
BATTLE, ELSE = 60, 500
"""How often somebody leaves in each step of a battle, and in any other."""


def hidden(g: Any) -> dict[Handle, int]:
    """The hidden cards that seats hold, and who holds them."""
    if isinstance(g, Rex):
        cards = {Handle("strategy", at): seat for seat, hand in enumerate(g.seats.hand) for at in hand}
        cards |= {Handle("traitor", at): seat for seat, hand in enumerate(g.seats.traitors) for at in hand}
        return cards | {Handle("betrayal", at - 1): seat for seat, at in enumerate(g.seats.betrayal) if at}
    if isinstance(g, Eclipse):
        tiles = enumerate(flat(g.seats.reputation))
        return {Handle("reputation", tile - 1): place // 5 for place, tile in tiles if tile > 0}
    return {}


class LeavingDealer(Dealer):
    """Deals anew when an owner leaves. ``lost``: cards and choices that nobody can open any more."""

    def __init__(self, dice: HashDice) -> None:
        super().__init__(dice)
        self.below = dice.below
        self.lost: set[Handle] = set()
        self.open: set[Handle] = set()
        self.back: set[Handle] = set()

    def outcome(self, match: Match, choose: Chooser) -> Outcome | None:
        """As usual; what is lost opens as None."""
        given, pending = super().outcome(match, choose), match.pending
        if isinstance(pending, Shuffle):
            self.back.update(member for member in pending.members if isinstance(member, Handle))
        if isinstance(pending, Reveal):
            self.open.update(pending.handles)
            return Outcome(tuple(None if handle in self.lost else self.faces[handle] for handle in pending.handles))
        return given

    def leaves(self, match: Match, seat: int) -> None:
        """What this seat alone has seen is dealt again among all that nobody knows, or lost."""
        mine = [handle for handle in self.lenses.pop(seat, {}) if handle not in self.back | self.open]
        for deck, order in match.g.decks.order.items():
            own = [handle for handle in mine if handle.deck == deck and handle.index not in order]
            if own and self.below(4) == 0:
                self.lost.update(own)
                continue
            free = [*own, *(Handle(deck, index) for index in order)]
            faces: list[Plain] = [self.faces[handle] for handle in free]
            self.faces.update((handle, faces.pop(self.below(len(faces)))) for handle in free)
        sealed = [Handle(SEALS, int(row[0])) for row in match.g.decks.seals if row[1] == seat]
        self.lost.update(handle for handle in sealed if self.below(2))


def by_lens(dealer: Dealer, dice: HashDice) -> Chooser:
    """Answers with any pick that the own lens allows, and rarely lets a chance go by; now and then with any at all."""

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        for _ in range(3):
            pick = any_pick(match, seat, ask)
            if pick is not None and pick not in TIMID and getattr(pick, "word", "") not in TIMID:
                return pick
        return any_pick(match, seat, ask)

    def any_pick(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if ask.word == "play-card" and dice.below(4):
            return match.caretaker(seat)
        g = None if isinstance(match.pending, Seal) else match.g
        lens = dealer.lens(seat) if dice.below(12) else None
        so_far: tuple[Value, ...] = ()
        options = ask.options(g, lens)
        if not ask.staged:
            return options[dice.below(len(options))]
        while options:
            so_far = (*so_far, options[dice.below(len(options))])
            options = ask.options(g, lens, so_far)
        return so_far

    return choose


class Leaving:
    """A random game of which owners leave. ``gone``: seats that the stand-in plays; ``held``: what seats held when
    their owner left and have not returned yet."""

    def __init__(self, spec: GameSpec, seats: int, seed: int) -> None:
        self.dice = HashDice(f"leaving {spec.id} {seats} {seed}")
        self.match = Match.new(spec, some_table(spec, seats, seed))
        self.dealer = LeavingDealer(self.dice)
        self.players = by_lens(self.dealer, self.dice)
        self.gone: set[int] = set()
        self.held: set[Handle] = set()
        self.left = 0
        self.new_events: list[str] = []

    def choose(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        if isinstance(match.pending, Seal):
            kept = ask.unopened(match.caretaker(seat)) is None
            assert kept if match.pending.keep else ask.word in SHORT
        return match.caretaker(seat) if seat in self.gone else self.players(match, seat, ask)

    def whole(self) -> None:
        """Play to the end; owners leave at any moment."""
        match, spec = self.match, self.match.spec
        twin = Match(spec, match.segment_start(), 16)
        for given, events in play(match, self.dealer, self.choose):
            known_events(spec, events)
            self.new_events += [event.id for event in events]
            twin.apply(given)
            assert match.tail <= MAX_TAIL + 2 * self.left
            self.held &= set(hidden(match.g)) if not match.over else set()
            if match.tail == 0:
                self.judge()
            seat = self.leaver()
            if seat is not None and match.pending is not None and self.left < match.g.table.seats:
                for notice in self.leave(seat):
                    assert match.apply(notice) == twin.apply(notice) == []
            assert twin.digest() == match.digest()
        assert match.over
        assert judge(spec, match.g) is None
        fair_scores(spec.scores(match.g), match.g.table.seats)

    def judge(self) -> None:
        g = self.match.g
        assert judge(self.match.spec, g) is None, g.flow.now
        if isinstance(g, Eclipse) and "reputation" in g.decks.order:
            there = len(hidden(g)) + len(g.decks.order["reputation"])
            out = "upkeep/eliminated" in self.new_events  # the tiles of who is eliminated leave the game
            assert there == len(g.const.reputation_bag) or (out and there < len(g.const.reputation_bag)), g.flow.now
        planned = [g.flow.now[:1], *(item[:1] for item in g.flow.agenda)]
        assert not self.held or ["return-hand"] in planned, "a hand has not gone back"

    def leaver(self) -> int | None:
        """Who leaves now, if anybody."""
        match, dice, n = self.match, self.dice, self.match.g.table.seats
        for seat in match.owing():
            ask = match.ask_of(seat)
            if seat not in self.gone and ask is not None and ask.word in OFTEN and dice.below(OFTEN[ask.word]) == 0:
                return seat
        battle = isinstance(match.g, Rex) and match.g.battle.space >= 0
        if dice.below(BATTLE if battle else ELSE):
            return None
        return match.g.battle.seat[dice.below(2)] if battle else dice.below(n)

    def leave(self, seat: int) -> list[Input]:
        """For good, while somebody stays; else the seat passes to somebody who knows nothing."""
        match = self.match
        self.left += 1
        self.held |= {handle for handle, holder in hidden(match.g).items() if holder == seat}
        self.dealer.leaves(match, seat)
        returned: list[Input] = [Notice("hand-returned", Seat(seat))]
        if seat in self.gone or (len(self.gone) + 1 < match.g.table.seats and self.dice.below(3)):
            self.gone.add(seat)
            return [Notice("vacated", Seat(seat)), *returned]
        self.gone.discard(seat)
        return returned


@pytest.mark.parametrize(("spec", "seats"), CASES)
def test_owners_may_leave_at_any_moment(spec: GameSpec, seats: int) -> None:
    for seed in seeds(1):
        leaving = Leaving(spec, seats, seed)
        leaving.whole()
        assert leaving.match.over


def test_nothing_is_hidden_in_galactic_emperor_so_that_nobody_takes_anything_along() -> None:
    """Why Galactic Emperor needs no rule for a seat whose owner leaves."""
    assert GAMES["emperor"].notice is None
    for seats in GAMES["emperor"].seats:
        leaving = Leaving(GAMES["emperor"], seats, seats)
        for _ in play(leaving.match, leaving.dealer, leaving.choose):
            assert not isinstance(leaving.match.pending, Seal | Deal | Show | Shuffle | Reveal)
