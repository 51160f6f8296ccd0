# SPDX-License-Identifier: GPL-3.0-or-later
"""Battle plans: secret dials and leaders, then secret cards (rule document, 5 battle).

A plan is a sealed choice, a function of what its own fields say: the units, leaders and cards at hand, what Xxcha
ordered and what an answer to Jol-Nar has fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from types import MappingProxyType

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask, sealed
from engine.core.sections import flat
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Reveal
from engine.rex.catalog import city
from engine.rex.city_map import available_leaders
from engine.rex.hands import claim, discard, fitting, hand, usable
from engine.rex.reasons import COUNTS, reasons
from engine.rex.state import Rex
from engine.rex.terms import BLUFF, KINDS, OFFICER, STRATEGY
from engine.rex.words import record

__all__ = ["INTENTS", "SEGMENTS", "allowed", "battle_cards", "bound", "fits_plan", "kinds_of", "may_go_unled"]

NONE, BOTH, NO_LEADER = "none", "both", "nobody"
INTENTS = {"attack": ("attack",), BOTH: KINDS, "defence": ("defence",), NONE: ()}


@lru_cache
def battle_cards(rules: int) -> Mapping[str, tuple[str, ...]]:
    """By kind, the cards that serve as an attack or a defence, sorted. The number of seats changes nothing here."""
    rows = city(6, rules).cards.values()
    return MappingProxyType({kind: tuple(sorted(r.id for r in rows if r.category == kind)) for kind in KINDS})


@lru_cache
def kinds_of(rules: int) -> Mapping[str, str]:
    """The kind of each of these cards."""
    return MappingProxyType({card: kind for kind, cards in battle_cards(rules).items() for card in cards})


def bound(pledge: str, order: str, rules: int) -> tuple[str, ...]:
    """The kinds of card that have to be played."""
    word, _, what = pledge.partition(" ")
    act, _, card = order.partition(" ")
    kinds = {word} if word in KINDS and what != NONE else set()
    if act == "play":
        kinds.add(kinds_of(rules)[card])
    return tuple(sorted(kinds))


def allowed(kind: str, pledge: str, order: str, rules: int) -> tuple[str, ...]:
    """The cards that may be committed as an attack or defence, sorted."""
    word, _, what = pledge.partition(" ")
    act, _, card = order.partition(" ")
    if word == kind:
        return (what,)
    if act == "play" and kinds_of(rules)[card] == kind:
        return (card,)
    return tuple(sorted(id for id in (*battle_cards(rules)[kind], BLUFF) if act != "withhold" or id != card))


def may_go_unled(lens: Lens | None, cards: Sequence[Handle], must: Sequence[str]) -> bool:
    """True if a player with no available leader may commit none; False if a card must be played or could stand in."""
    if len(cards) <= len(must):
        return True
    return not must and (lens is None or all(lens.get(card) != OFFICER for card in cards))


# Dials and leaders


@record
class PlanBattle(Choose[tuple[Value, ...]]):
    """A dial, a leader or a card that stands in for one, and which kinds of card will be committed."""

    seat: Seat
    most: int
    leaders: tuple[str, ...]
    cards: tuple[Handle, ...]
    pledge: str
    order: str
    rules: int
    staged = True

    def options(self, g: None, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if not so_far:
            return (int(self.pledge[5:]),) if self.pledge.startswith("dial ") else range(self.most + 1)
        if len(so_far) == 1:
            return self._leaders(lens)
        return self._intents(lens, so_far[1]) if len(so_far) == 2 else ()

    def refused(
        self, g: None, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options = self.options(g, lens, so_far)
        match len(so_far):
            case 0:
                return reasons(COUNTS, options, self._no_dial)
            case 1:
                picks = (*sorted(city(6, self.rules).leader_index), NO_LEADER, *self.cards)
                return reasons(picks, options, lambda pick: self._no_leader(lens, pick))
            case 2:
                return reasons(INTENTS, options, lambda intent: self._no_intent(so_far[1]))
        return ()

    def caretaker(self, g: None) -> tuple[Value, ...]:
        """The lowest dial, the first leader, no card unless one has been promised."""
        dial = self.options(None)[0]
        leader = self._leaders(None)[0]
        intents = self._intents(None, leader)
        return (dial, leader, NONE if NONE in intents else intents[0])

    def _no_dial(self, dial: int) -> Refusal:
        word, _, what = self.pledge.partition(" ")
        return (
            Refusal("battle/bound-by-answer", "", (word, what))
            if word == "dial"
            else Refusal("dial/too-high", "", (self.most,))
        )

    def _no_leader(self, lens: Lens | None, pick: Value) -> Refusal:
        word, _, what = self.pledge.partition(" ")
        if word == "leader":
            return Refusal("battle/bound-by-answer", "", (word, what))
        if isinstance(pick, Handle):
            face = lens.get(pick) if lens is not None else None
            spare = face is None or face == OFFICER
            return Refusal("battle/no-card-to-spare") if spare else Refusal("battle/no-officer", "", (str(face),))
        return Refusal("battle/leader-needed") if pick == NO_LEADER else Refusal("battle/leader-not-ready", "", (pick,))

    def _no_intent(self, leader: Value) -> Refusal:
        """Return the reason why cards of these kinds cannot be announced."""
        if leader == NO_LEADER:
            return Refusal("battle/cards-need-a-leader")
        word, _, what = self.pledge.partition(" ")
        act, _, card = self.order.partition(" ")
        if word in KINDS:
            return Refusal("battle/bound-by-answer", "", (word, what))
        return Refusal("battle/ordered", "", (act, card)) if act == "play" else Refusal("battle/lacks-cards")

    def _leaders(self, lens: Lens | None) -> Sequence[Value]:
        must = bound(self.pledge, self.order, self.rules)
        officers = list(self.cards) if len(self.cards) > len(must) else []
        named = self.pledge.removeprefix("leader ") if self.pledge.startswith("leader ") else ""
        if named:
            public: list[Value] = officers if named == OFFICER else [named]
        else:
            public = [*self.leaders, *officers]
            if not self.leaders and may_go_unled(lens, self.cards, must):
                public.insert(0, NO_LEADER)
        fit = {*fitting(lens, officers, (OFFICER,))}
        return usable([pick for pick in public if isinstance(pick, str) or pick in fit], public)

    def _intents(self, lens: Lens | None, leader: Value) -> Sequence[Value]:
        if leader == NO_LEADER:
            return (NONE,)
        rest = [card for card in self.cards if card != leader]
        must = bound(self.pledge, self.order, self.rules)
        no = [kind for kind in KINDS if self.pledge == f"{kind} {NONE}"]
        public = [
            intent
            for intent, kinds in INTENTS.items()
            if len(kinds) <= len(rest) and all(kind in kinds for kind in must) and not any(kind in no for kind in kinds)
        ] or [NONE]
        return usable([intent for intent in public if self._can(lens, rest, INTENTS[intent])], public)

    def _can(self, lens: Lens | None, rest: Sequence[Handle], kinds: Sequence[str]) -> bool:
        """True if different cards fit the kinds."""
        fits = [fitting(lens, rest, allowed(kind, self.pledge, self.order, self.rules)) for kind in kinds]
        return all(fits) and (len(fits) < 2 or len({*fits[0], *fits[1]}) > 1)


def plans(g: Rex) -> Rule[None]:
    """Both dial and commit in secret; dials, leaders and intents are opened at once.

    A player that commits no leader claims to hold no card that stands in for one.
    """
    chosen = yield from sealed({Seat(g.battle.seat[side]): _plan(g, side) for side in (0, 1)})
    officers: list[tuple[int, Handle]] = []
    for side in (0, 1):
        dial, leader, intent = chosen[Seat(g.battle.seat[side])]
        g.battle.dial[side], g.battle.intent[side] = dial, intent
        g.battle.leader[side] = OFFICER if isinstance(leader, Handle) else leader
        if isinstance(leader, Handle):
            officers.append((side, leader))
        elif leader != NO_LEADER:
            at = g.const.leader_index[leader]
            g.leaders.fought[at] = g.battle.space + 1
            g.leaders.battles[at] += 1
    faces = yield from ask(Reveal(tuple(card for _, card in officers), OFFICER))
    for side, card in officers:
        if faces[card] is None:
            discard(g, g.battle.seat[side], card)
            g.battle.leader[side], g.battle.intent[side] = NO_LEADER, NONE
        else:
            g.battle.officer[side] = card.index + 1
    for side in (0, 1):
        seat, leader, intent = g.battle.seat[side], g.battle.leader[side], g.battle.intent[side]
        if chosen[Seat(seat)][1] == NO_LEADER and g.seats.hand[seat]:
            claim(g, seat, f"lacks/{OFFICER}", hand(g, seat))
        g.tell("battle/plan", seat=seat, dial=g.battle.dial[side], leader=leader, intent=intent)


def _plan(g: Rex, side: int) -> PlanBattle:
    seat = Seat(g.battle.seat[side])
    leaders = sorted(g.const.leaders[at].id for at in available_leaders(g, seat, g.battle.space))
    most = g.battle.strength[side]
    return PlanBattle(seat, most, tuple(leaders), hand(g, seat), g.battle.pledge[side], g.battle.order[side], g.rules)


# Cards


@record
class CommitCards(Choose[tuple[Value, ...]]):
    """The cards for the announced kinds."""

    seat: Seat
    intent: str
    cards: tuple[Handle, ...]
    pledge: str
    order: str
    rules: int
    staged = True

    def options(self, g: None, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        kinds = INTENTS[self.intent]
        if len(so_far) == len(kinds):
            return ()
        public = [card for card in self.cards if card not in so_far]
        fit = fitting(lens, public, allowed(kinds[len(so_far)], self.pledge, self.order, self.rules))
        if len(kinds) - len(so_far) == 2:
            later = fitting(lens, public, allowed(kinds[1], self.pledge, self.order, self.rules))
            fit = [card for card in fit if any(other != card for other in later)]
        return usable(fit, public)

    def refused(
        self, g: None, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        kinds = INTENTS[self.intent]
        if len(so_far) == len(kinds):
            return ()

        def judge(card: Handle) -> Refusal:
            face = lens.get(card) if lens is not None else None
            if card in so_far:
                return Refusal("battle/committed", "", (kinds[so_far.index(card)],))
            return Refusal("battle/does-not-serve", "", (str(face), kinds[len(so_far)]))

        return reasons(self.cards, self.options(g, lens, so_far), judge)

    def caretaker(self, g: None) -> tuple[Value, ...]:
        return ordered(self.cards)[: len(INTENTS[self.intent])]


def fits_plan(g: Rex, handle: Handle, face: str) -> bool:
    """True if an opened card is one that its owner may have committed where it lies."""
    side, kind = divmod(flat(g.battle.card).index(handle.index + 1), len(KINDS))
    return face in allowed(KINDS[kind], g.battle.pledge[side], g.battle.order[side], g.rules)


def cards(g: Rex) -> Rule[None]:
    """Cards are committed face down and opened at once; what does not fit is discarded without effect."""
    sides = [side for side in (0, 1) if g.battle.intent[side] != NONE]
    chosen = yield from sealed({Seat(g.battle.seat[side]): _commit(g, side) for side in sides})
    for side in sides:
        kinds = map(KINDS.index, INTENTS[g.battle.intent[side]])
        for kind, card in zip(kinds, chosen[Seat(g.battle.seat[side])], strict=True):
            g.battle.card[side, kind] = card.index + 1
    played = tuple(Handle(STRATEGY, index - 1) for index in flat(g.battle.card) if index)
    faces = yield from ask(Reveal(played, "battle"))
    for side, kind in product((0, 1), range(len(KINDS))):
        if not g.battle.card[side, kind]:
            continue
        seat, card = g.battle.seat[side], Handle(STRATEGY, g.battle.card[side, kind] - 1)
        if faces[card] is None:
            discard(g, seat, card)
            g.battle.card[side, kind] = 0
        else:
            g.battle.open(side, kind, faces[card])
            g.tell("battle/card", seat=seat, kind=KINDS[kind], card=faces[card])


def _commit(g: Rex, side: int) -> CommitCards:
    seat = Seat(g.battle.seat[side])
    rest = tuple(card for card in hand(g, seat) if card.index + 1 != g.battle.officer[side])
    return CommitCards(seat, g.battle.intent[side], rest, g.battle.pledge[side], g.battle.order[side], g.rules)


SEGMENTS = {"plans": plans, "cards": cards}
