"""Strategy cards played outside battle plans: who may play what when, and what each card does.

A window asks every seat that holds cards, again and again until nobody plays.  The public options name a card and what
it is said to be; the card is opened at once, and one that is something else is discarded without effect.

Source: content of the strategy deck; rulings windows, interference, testimony.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Reveal, Roll, Together
from engine.rex.city_map import available_leaders, bombarded, faction, scatter, shielded, turn_order, units
from engine.rex.hands import discard, fitting, hand, traitors, usable
from engine.rex.state import AVAILABLE, CASUALTY, Rex
from engine.rex.terms import ABILITIES, NO
from engine.rex.words import record

__all__ = ["SEGMENTS", "PlayCard", "eligible", "testimony_false"]

ANY_TIME: Final = ("diplomatic-interference", "fresh-recruits", "sworn-testimony")
IN_WINDOW: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "influence": ("tracking-beacon",),
        "location": ("hidden-cache",),
        "march": ("forced-march",),
        "fight": ("turncoat-medic",),
        "bombardment": ("fleet-sabotage", "shield-bomb"),
    }
)
"""Cards that belong to one window; any other may be played at the beginning of every phase too."""


@record
class PlayCard(Choose[tuple[Value, ...]]):
    """Play a Strategy card: which card, what it is, and what it is played on; or none."""

    seat: Seat
    window: str
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if not so_far:
            public = hand(g, self.seat)
            return [NO, *fitting(lens, public, playable(g, self.seat, self.window))]
        if so_far[0] == NO:
            return ()
        if len(so_far) == 1:
            uses = playable(g, self.seat, self.window)
            known = lens.get(so_far[0]) if lens is not None else None
            return usable([known] if known in uses else [], uses)
        return TARGETS[so_far[1]](g, self.seat, so_far[2:])

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (NO,)


def playable(g: Rex, seat: int, window: str) -> list[str]:
    """The cards that would do something now, sorted."""
    uses = sorted((*ANY_TIME, *IN_WINDOW.get(window, ())))
    return [use for use in uses if use in ALONE or TARGETS[use](g, seat, ())]


def eligible(g: Rex, seats: Sequence[int]) -> list[Seat]:
    """Who is asked: those who hold cards."""
    return [Seat(seat) for seat in seats if g.seats.hand[seat]]


def window(g: Rex, name: str, *seats: int) -> Rule[None]:
    """Ask who plays a card now, these seats or all; shield bombs come first, then turn order."""
    asked = sorted(eligible(g, seats or range(g.table.seats)))
    answers = yield from ask(Together({seat: PlayCard(seat, name) for seat in asked}))
    plays = [(seat, answers[Seat(seat)]) for seat in turn_order(g) if answers.get(Seat(seat), (NO,))[0] != NO]
    plays.sort(key=lambda play: play[1][1] != "shield-bomb")
    for seat, play in plays:
        yield from play_card(g, Seat(seat), play)
    if plays:
        g.then(["window", name, *seats])


def play_card(g: Rex, seat: Seat, play: tuple[Value, ...]) -> Rule[None]:
    """Open the card; it works when it is what it is said to be, and is gone in any case."""
    handle, use, *on = play
    faces = yield from ask(Reveal((handle,), use))
    discard(g, seat, handle)
    if faces[handle] is None:
        g.tell("card/spoiled", seat=seat, card=use)
        return
    g.tell("card/played", seat=seat, card=use)
    if use == "shield-bomb":
        g.round.removed.append(g.round.discards.pop())
    EFFECTS[use](g, seat, *on)


# Fresh Recruits


def _recruits(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    if on:
        return ()
    leaders = [
        g.const.leaders[at].id for at in g.const.leaders_of[g.seats.faction[seat]] if g.leaders.status[at] == CASUALTY
    ]
    return sorted((*leaders, *(("units",) if g.seats.casualties[seat] else ())))


def fresh_recruits(g: Rex, seat: int, what: str) -> None:
    """One leader, or up to five normal units, return; recruitment limits do not count them."""
    if what in g.const.leader_index:
        g.leaders.status[g.const.leader_index[what]] = AVAILABLE
        g.tell("recruit/leader", seat=seat, leader=what, paid=0)
        return
    count = min(g.seats.casualties[seat], g.const.numbers.fresh_units)
    g.seats.casualties[seat] -= count
    g.seats.reserve[seat] += count
    g.tell("recruit/units", seat=seat, units=count, mechanized=0, paid=0)


# Sworn Testimony


def _witness(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    if not on:
        return [other for other in range(g.table.seats) if other != seat]
    if len(on) == 1:
        leaders = [row.id for at, row in enumerate(g.const.leaders) if g.leaders.status[at]]
        return sorted((*g.const.cards, *leaders))
    return ()


def sworn_testimony(g: Rex, seat: int, witness: int, about: str) -> None:
    g.then(["testify", witness, seat, about])


@record
class Testify(Choose[str]):
    """Do you hold this Strategy card, or this leader as a traitor?  The truth is owed."""

    seat: Seat
    by: int
    about: str

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        held = (*hand(g, self.seat), *traitors(g, self.seat))
        if lens is None or any(handle not in lens for handle in held):
            return ("no", "yes")
        return ("yes",) if any(lens[handle] == self.about for handle in held) else ("no",)

    def caretaker(self, g: Rex) -> str:
        return "no"


def testify(g: Rex, seat: Seat, by: Seat, about: str) -> Rule[None]:
    """A yes/no question is answered in public and kept as a claim."""
    answer = yield from ask(Testify(seat, by, about))
    g.claim(seat, f"{'holds' if answer == 'yes' else 'lacks'}/{about}", (*hand(g, seat), *traitors(g, seat)))
    g.tell("card/testified", seat=seat, by=by, about=about, answer=answer)


def testimony_false(code: str, faces: Sequence[str | None]) -> bool:
    """Whether a claim about cards is disproved by their faces; a card that nobody can open disproves nothing."""
    kind, about = code.split("/")
    return about in faces if kind == "lacks" else about not in faces and None not in faces


# Diplomatic Interference


def _abilities(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    if on:
        return ()
    others = [faction(g, other) for other in range(g.table.seats) if other != seat]
    return sorted(ability for id in others for ability in ABILITIES[id] if ability not in g.round.blocked)


def interference(g: Rex, seat: int, ability: str) -> None:
    """The ability's next use in this phase does not work."""
    if ability not in g.round.blocked:
        g.round.blocked.append(ability)
    g.tell("ability/blocked", seat=seat, ability=ability)


# Tracking Beacon, Hidden Cache, Forced March


def _alone(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    return ()


def tracking_beacon(g: Rex, seat: int) -> None:
    g.then(["offensive"])


def _cache_spaces(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    if on or g.round.location < 0:
        return ()
    card = g.const.influence[g.const.locations[g.round.location]]
    return sorted(id for id in card.spaces if not bombarded(g, g.const.space_index[id]))


def hidden_cache(g: Rex, seat: int, id: str) -> None:
    """The space of the Location card gets its influence once more."""
    card = g.const.influence[g.const.locations[g.round.location]]
    amount = card.influence[card.spaces.index(id)]
    g.board.influence[g.const.space_index[id]] += amount
    g.tell("influence/placed", space=id, influence=amount)


def forced_march(g: Rex, seat: int) -> None:
    g.then(["move", seat])


# Turncoat Medic


def turncoat_medic(g: Rex, seat: int) -> None:
    side = list(g.battle.seat).index(seat)
    g.then(["turncoat", 1 - side])


def turncoat(g: Rex, side: int) -> Rule[None]:
    """A random leader that the fighter could commit is killed."""
    leaders = available_leaders(g, g.battle.seat[side], g.battle.space)
    if not leaders:
        return
    (drawn,) = yield from ask(Roll((len(leaders),), "turncoat-medic"))
    g.leaders.status[leaders[drawn - 1]] = CASUALTY
    g.tell("leader/killed", seat=g.battle.seat[side], leader=g.const.leaders[leaders[drawn - 1]].id)


# Fleet Sabotage, Shield Bomb


def _sectors(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    return () if on or g.round.sabotage >= 0 else range(g.const.numbers.sabotage_most + 1)


def fleet_sabotage(g: Rex, seat: int, sectors: int) -> None:
    """The fleet moves as far as the saboteur says; no card is drawn."""
    g.round.sabotage = sectors
    g.tell("bombardment/sabotaged", seat=seat, sectors=sectors)


def _shields(g: Rex, seat: int, on: tuple[Value, ...]) -> Sequence[Value]:
    if on:
        return ()
    return ordered(
        row.id
        for at, row in enumerate(g.const.spaces)
        if at != g.const.hub and shielded(g, at) and any(units(g, seat, near) for near in (at, *g.const.roads[at]))
    )


def shield_bomb(g: Rex, seat: int, id: str) -> None:
    """The space loses its shield for good, and all units in it are destroyed."""
    space = g.const.space_index[id]
    g.board.broken[space] = 1
    g.tell("bombardment/shield-destroyed", seat=seat, space=id)
    for other in range(g.table.seats):
        at = other * len(g.const.spaces) + space
        lost = units(g, other, space)
        if lost:
            scatter(g, other, space, g.board.units[at], g.board.mech[at])
            g.tell("units/destroyed", seat=other, space=id, units=lost)


ALONE: Final = ("forced-march", "tracking-beacon", "turncoat-medic")
TARGETS: Final[Mapping[str, Callable[[Rex, int, tuple[Value, ...]], Sequence[Value]]]] = MappingProxyType(
    {
        "diplomatic-interference": _abilities,
        "fleet-sabotage": _sectors,
        "forced-march": _alone,
        "fresh-recruits": _recruits,
        "hidden-cache": _cache_spaces,
        "shield-bomb": _shields,
        "sworn-testimony": _witness,
        "tracking-beacon": _alone,
        "turncoat-medic": _alone,
    }
)
EFFECTS: Final[Mapping[str, Callable[..., None]]] = MappingProxyType(
    {
        "diplomatic-interference": interference,
        "fleet-sabotage": fleet_sabotage,
        "forced-march": forced_march,
        "fresh-recruits": fresh_recruits,
        "hidden-cache": hidden_cache,
        "shield-bomb": shield_bomb,
        "sworn-testimony": sworn_testimony,
        "tracking-beacon": tracking_beacon,
        "turncoat-medic": turncoat_medic,
    }
)

SEGMENTS = {"window": window, "testify": testify, "turncoat": turncoat}
