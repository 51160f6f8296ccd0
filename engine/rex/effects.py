# SPDX-License-Identifier: GPL-3.0-or-later
"""The effects of the Strategy cards played outside battle plans, and the targets that each may have.

Source: content of the strategy deck; rulings interference and testimony.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Roll
from engine.rex.city_map import available_leaders, bombarded, faces, faction, scatter, shielded, units
from engine.rex.hands import claim, hand, traitors
from engine.rex.reasons import COUNTS, lies, places, truths
from engine.rex.state import AVAILABLE, CASUALTY, Rex
from engine.rex.terms import ABILITIES, OFFICER
from engine.rex.words import record

__all__ = ["ALONE", "EFFECTS", "SEGMENTS", "TARGETS", "UNFIT", "testimony_false"]

Unfit = tuple[Sequence[Value], Callable[[Any], Refusal | None]]
"""The texts that may be typed as a target, and the reason for one that is not an option."""


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
    """Do you hold this Strategy card, or this leader as a traitor? The truth is owed."""

    seat: Seat
    by: int
    about: str

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        held = (*hand(g, self.seat), *traitors(g, self.seat))
        return truths(lens, held, "no", self.about)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return lies(self.options(g, lens), self.about, "no")

    def caretaker(self, g: Rex) -> str:
        return "no"


def testify(g: Rex, seat: Seat, by: Seat, about: str) -> Rule[None]:
    """A yes/no question is answered in public and kept as a claim."""
    answer = yield from ask(Testify(seat, by, about))
    claim(g, seat, f"{'holds' if answer == 'yes' else 'lacks'}/{about}", (*hand(g, seat), *traitors(g, seat)))
    g.tell("card/testified", seat=seat, by=by, about=about, answer=answer)


def testimony_false(code: str, faces: Sequence[str | None]) -> bool:
    """True if a claim about cards is disproved by their faces. A card that nobody can open disproves nothing.

    A player without a leader that "cannot" play a card does not have that card, or another card to stand in for a
    leader.
    """
    kind, about = code.split("/")
    if kind == "holds":
        return about not in faces and None not in faces
    return about in faces and (kind == "lacks" or OFFICER in faces)


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
        if at != g.const.hub and shielded(g, at) and any(faces(g, seat, near) for near in (at, *g.const.roads[at]))
    )


def shield_bomb(g: Rex, seat: int, id: str) -> None:
    """The space loses its shield for good, and all units in it are destroyed."""
    space = g.const.space_index[id]
    g.board.broken[space] = 1
    g.tell("bombardment/shield-destroyed", seat=seat, space=id)
    for other in range(g.table.seats):
        lost = units(g, other, space)
        if lost:
            scatter(g, other, space, g.board.units[other, space], g.board.mech[other, space])
            g.tell("units/destroyed", seat=other, space=id, units=lost)


# Targets that a person may expect, and why they are not options


def _no_abilities(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    playing = [faction(g, other) for other in range(g.table.seats)]

    def judge(ability: str) -> Refusal:
        if ability in ABILITIES[faction(g, seat)]:
            return Refusal("ability/own", "", (ability,))
        there = any(ability in ABILITIES[id] for id in playing)
        return Refusal("ability/cancelled-already" if there else "ability/nobodys", "", (ability,))

    return sorted(ability for known in ABILITIES.values() for ability in known), judge


def _no_recruits(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    own = [g.const.leaders[at].id for at in g.const.leaders_of[g.seats.faction[seat]]]
    few = Refusal("recruit/few-casualties", "", (g.seats.casualties[seat],))
    return (*own, "units"), lambda id: few if id == "units" else Refusal("recruit/no-casualty", "", (id,))


def _no_witness(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    if not on:
        return (seat,), lambda other: Refusal("card/yourself", "", (other,))
    return sorted(row.id for row in g.const.leaders), lambda id: Refusal("card/not-in-play", "", (id,))


def _no_cache(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    card = g.const.influence[g.const.locations[g.round.location]]

    def judge(id: str) -> Refusal:
        if id in card.spaces:
            return Refusal("maneuver/bombarded", "", (id, g.round.fleet))
        return Refusal("card/elsewhere", "", (id, *card.spaces))

    return places(g), judge


def _no_sectors(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    return COUNTS, lambda sectors: Refusal("card/too-many-sectors", "", (g.const.numbers.sabotage_most,))


def _no_shields(g: Rex, seat: int, on: tuple[Value, ...]) -> Unfit:
    def judge(id: str) -> Refusal:
        space = g.const.space_index[id]
        whole = space != g.const.hub and shielded(g, space)
        return Refusal("card/nobody-near" if whole else "card/no-shield", "", (id,))

    return places(g), judge


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
UNFIT: Final[Mapping[str, Callable[[Rex, int, tuple[Value, ...]], Unfit]]] = MappingProxyType(
    {
        "diplomatic-interference": _no_abilities,
        "fleet-sabotage": _no_sectors,
        "fresh-recruits": _no_recruits,
        "hidden-cache": _no_cache,
        "shield-bomb": _no_shields,
        "sworn-testimony": _no_witness,
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

SEGMENTS = {"testify": testify, "turncoat": turncoat}
