# SPDX-License-Identifier: GPL-3.0-or-later
"""Deployment: units come from the reserves, or are relocated by Hacan and its allies; Xxcha follows.

Source: rule document, 5 and 7; rulings deploy-price, sol-deployment.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.rex.city_map import allied, bombarded, faces, faction, seat_of, settleable, units
from engine.rex.hands import blocked, use
from engine.rex.maneuver import DONE, few_units, group_counts, shift
from engine.rex.reasons import COUNTS, no_rest, places, reasons, too_dear, too_many
from engine.rex.state import NOBODY, Rex
from engine.rex.words import record

__all__ = ["RELOCATE", "SEGMENTS", "deploy_price", "may_deploy"]

RELOCATE = "relocate"


def unit_price(g: Rex, seat: int, space: int) -> int:
    """Influence for each unit deployed into a space, before Hacan's discount; Sol pays nothing."""
    if faction(g, seat) == "sol":
        return 0
    others = any(other != seat and faces(g, other, space) for other in range(g.table.seats))
    if space != g.const.hub and others:
        return g.const.numbers.contested_price
    return g.const.numbers.deploy_price


def deploy_price(g: Rex, seat: int, space: int, count: int) -> int:
    """Influence for the whole deployment; Hacan pays half, rounded up."""
    full = unit_price(g, seat, space) * count
    half = faction(g, seat) == "hacan" and not blocked(g, "hacan-half-price")
    return (full + 1) // 2 if half else full


def may_deploy(g: Rex, seat: int, space: int) -> bool:
    """True if a space takes units of the seat: Sol deploys in its home sectors only."""
    home = g.const.factions[g.seats.faction[seat]].home_sectors
    return settleable(g, seat, space) and (not home or g.const.spaces[space].sector in home)


def not_deployable(g: Rex, seat: int, space: int) -> Refusal | None:
    """Return the reason why the seat cannot deploy a unit in a space."""
    home = g.const.factions[g.seats.faction[seat]].home_sectors
    row = g.const.spaces[space]
    if not g.seats.reserve[seat] + g.seats.mech_reserve[seat]:
        return Refusal("deploy/reserve-empty")
    if home and row.sector not in home:
        return Refusal("deploy/home-sectors", "", (row.id, home[0], home[-1]))
    return no_rest(g, seat, space) or too_dear(
        deploy_price(g, seat, space, 1), g.seats.influence[seat], "deploy/too-expensive"
    )


def relocator(g: Rex, seat: int) -> bool:
    """True if a seat is Hacan or its ally: these may relocate instead of deploying."""
    hacan = seat_of(g, "hacan")
    return hacan != NOBODY and (hacan == seat or allied(g, hacan, seat))


def relocatable(g: Rex, seat: int) -> list[str]:
    """The spaces whose units the seat could relocate, were the ability not cancelled."""
    if not relocator(g, seat) or g.seats.influence[seat] < g.const.numbers.relocate_price:
        return []
    return sorted(
        row.id
        for at, row in enumerate(g.const.spaces)
        if units(g, seat, at) and not bombarded(g, at) and relocation_targets(g, seat, at)
    )


def relocation_targets(g: Rex, seat: int, start: int) -> list[str]:
    """Return the spaces to which units of a space may be relocated."""
    return sorted(row.id for at, row in enumerate(g.const.spaces) if at != start and settleable(g, seat, at))


@record
class Deploy(Choose[tuple[Value, ...]]):
    """Asks for a space and the units to deploy, or ``relocate``, start, destination and units, or ``done``."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        spaces, index = g.const.spaces, g.const.space_index
        match so_far:
            case ():
                into = [row.id for at, row in enumerate(spaces) if self._deployable(g, at)]
                return sorted((DONE, *into, *((RELOCATE,) if self._sources(g) else ())))
            case ("done",):
                return ()
            case ("relocate",):
                return self._sources(g)
            case ("relocate", start):
                return relocation_targets(g, self.seat, index[start])
            case ("relocate", start, _, *counts):
                return self._affordable(g, group_counts(g, self.seat, index[start], tuple(counts)), tuple(counts))
            case (space, *counts):
                return self._reserves(g, index[space], tuple(counts))
        return ()

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options, index = self.options(g, lens, so_far), g.const.space_index
        match so_far:
            case ():
                return reasons(
                    (*places(g), RELOCATE),
                    options,
                    lambda id: self._no_relocation(g) if id == RELOCATE else not_deployable(g, self.seat, index[id]),
                )
            case ("relocate",):
                return reasons(places(g), options, lambda id: self._no_source(g, index[id]))
            case ("relocate", start):
                return reasons(places(g), options, lambda id: self._no_target(g, start, id))
        return reasons(COUNTS, options, lambda n: self._too_many(g, so_far, n)) if options else ()

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if not isinstance(option, int):
            return ()
        if so_far[0] == RELOCATE:
            paid = option * g.const.numbers.relocate_price
        else:
            space = g.const.space_index[so_far[0]]
            before = sum(so_far[1:])
            paid = deploy_price(g, self.seat, space, before + option) - deploy_price(g, self.seat, space, before)
        return (("influence", -paid),) if paid else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (DONE,)

    def _deployable(self, g: Rex, space: int) -> bool:
        reserve = g.seats.reserve[self.seat] + g.seats.mech_reserve[self.seat]
        fits = reserve > 0 and may_deploy(g, self.seat, space)
        return fits and deploy_price(g, self.seat, space, 1) <= g.seats.influence[self.seat]

    def _reserves(self, g: Rex, space: int, counts: tuple[int, ...]) -> Sequence[int]:
        normal, mech = g.seats.reserve[self.seat], g.seats.mech_reserve[self.seat]
        if not counts:
            pool = range(0 if mech else 1, normal + 1)
        elif len(counts) == 1 and mech:
            pool = range(0 if counts[0] else 1, mech + 1)
        else:
            return ()
        held, before = g.seats.influence[self.seat], sum(counts)
        return [n for n in pool if deploy_price(g, self.seat, space, before + n) <= held]

    def _sources(self, g: Rex) -> list[str]:
        return [] if blocked(g, "hacan-relocation") else relocatable(g, self.seat)

    def _no_relocation(self, g: Rex) -> Refusal:
        if not relocator(g, self.seat):
            return Refusal("deploy/not-hacan")
        if blocked(g, "hacan-relocation"):
            return Refusal("deploy/relocation-cancelled")
        dear = too_dear(g.const.numbers.relocate_price, g.seats.influence[self.seat], "deploy/too-expensive")
        return dear or Refusal("deploy/nothing-to-relocate")

    def _no_source(self, g: Rex, start: int) -> Refusal | None:
        if not units(g, self.seat, start):
            return Refusal("maneuver/no-units", "", (g.const.spaces[start].id,))
        return no_rest(g, self.seat, start)

    def _no_target(self, g: Rex, start: str, to: str) -> Refusal | None:
        if start == to:
            return Refusal("maneuver/there-already", "", (to,))
        return no_rest(g, self.seat, g.const.space_index[to])

    def _too_many(self, g: Rex, so_far: tuple[Value, ...], wanted: int) -> Refusal | None:
        """Return the reason why this number of units cannot be deployed: too few, 0, or too expensive."""
        held, index = g.seats.influence[self.seat], g.const.space_index
        if so_far[0] == RELOCATE:
            _, start, _, *counts = so_far
            price = (sum(counts) + wanted) * g.const.numbers.relocate_price
            possible = group_counts(g, self.seat, index[start], tuple(counts))
            few = few_units(g, self.seat, index[start], tuple(counts), wanted)
            return few if wanted not in possible else too_many(price, held, "deploy/too-little")
        space, *counts = so_far
        reserve = (g.seats.mech_reserve if counts else g.seats.reserve)[self.seat]
        if wanted > reserve:
            return Refusal("deploy/few-reserves", "", (reserve,))
        dear = too_many(deploy_price(g, self.seat, index[space], sum(counts) + wanted), held, "deploy/too-little")
        return dear or Refusal("maneuver/nobody-goes")

    def _affordable(self, g: Rex, pool: Sequence[int], counts: tuple[int, ...]) -> Sequence[int]:
        held, price = g.seats.influence[self.seat], g.const.numbers.relocate_price
        return [n for n in pool if (sum(counts) + n) * price <= held]


def deploy(g: Rex, seat: Seat) -> Rule[None]:
    """Units come from the reserves into one space, or Hacan and its allies relocate a group."""
    what, *rest = yield from ask(Deploy(seat))
    if blocked(g, "hacan-relocation") and relocatable(g, seat):
        use(g, seat_of(g, "hacan"), "hacan-relocation")
    if what == DONE:
        return
    if what == RELOCATE:
        start, to, normal, mech = (*rest, 0)[:4]
        _pay(g, seat, (normal + mech) * g.const.numbers.relocate_price, "relocation")
        shift(g, seat, start, to, normal, mech)
        g.tell("maneuver/relocated", seat=seat, space=start, to=to, units=normal, mechanized=mech)
        return
    normal, mech = (*rest, 0)[:2]
    space = g.const.space_index[what]
    paid = deploy_price(g, seat, space, normal + mech)
    if faction(g, seat) == "hacan":
        use(g, seat, "hacan-half-price")
    _pay(g, seat, paid, "deployment")
    g.seats.reserve[seat] -= normal
    g.seats.mech_reserve[seat] -= mech
    g.board.units[seat, space] += normal
    g.board.mech[seat, space] += mech
    g.tell("maneuver/deployed", seat=seat, space=what, units=normal, mechanized=mech, paid=paid)
    if faction(g, seat) != "xxcha":
        g.then(["shadow"])


def _pay(g: Rex, seat: int, paid: int, what: str) -> None:
    """Other players pay Hacan for their units' way; Hacan pays the bank."""
    hacan = seat_of(g, "hacan")
    g.seats.influence[seat] -= paid
    if paid and hacan not in (NOBODY, seat) and use(g, hacan, "hacan-income"):
        g.seats.influence[hacan] += paid
        g.tell("maneuver/paid", seat=hacan, by=seat, influence=paid, what=what)


@record
class Shadow(Choose[str]):
    """Asks if a unit of Xxcha follows a deployment into the Galactic Council, free of charge."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("no", "yes")

    def caretaker(self, g: Rex) -> str:
        return "yes"


def shadow(g: Rex) -> Rule[None]:
    """After another player's deployment Xxcha may put one unit into the Galactic Council."""
    seat = seat_of(g, "xxcha")
    if seat == NOBODY or not g.seats.reserve[seat]:
        return
    if blocked(g, "xxcha-shadow"):
        use(g, seat, "xxcha-shadow")
        return
    answer = yield from ask(Shadow(Seat(seat)))
    if answer == "yes":
        g.seats.reserve[seat] -= 1
        g.board.units[seat, g.const.hub] += 1
        g.tell("maneuver/shadow", seat=seat)


SEGMENTS = {"deploy": deploy, "shadow": shadow}
