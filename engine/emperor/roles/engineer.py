# SPDX-License-Identifier: GPL-3.0-or-later
"""Engineer: a free Fighter for the chooser, then everybody builds ships (rule document, 5 Engineer)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.emperor import galaxy, technologies
from engine.emperor.control import order
from engine.emperor.state import EMPIRE_TOKEN, NOBODY, Emperor
from engine.emperor.terms import FIGHTER, SHIPS, UNITS
from engine.emperor.words import record

__all__ = ["SEGMENTS", "Build", "BuildShip", "DeployFighter", "begin"]

HULLS = "modular-hulls"


def begin(g: Emperor, seat: int) -> None:
    """The chooser's free Fighter, then everybody builds."""
    g.then(["free-fighter", seat], *(["build", other, 0] for other in order(g, seat)))


@record
class DeployFighter(Choose[str | None]):
    """To which Starbase does the free Fighter go?"""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, *(g.const.spaces[space] for space in galaxy.shipyards(g, self.seat))]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return [(g.const.spaces[space], no_starbase(g, space)) for space in empires(g, self.seat)]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else ((UNITS[FIGHTER], 1),)

    def caretaker(self, g: Emperor) -> str | None:
        return self.options(g)[1]


def empires(g: Emperor, seat: int) -> list[int]:
    """Sectors of a seat that have no Starbase."""
    return [space for space in galaxy.controlled(g, seat) if g.sectors.token[space] == EMPIRE_TOKEN]


def no_starbase(g: Emperor, space: int) -> Refusal:
    """Why no ship is deployed there."""
    return Refusal("engineer/no-starbase", "", (g.const.spaces[space],))


def free_fighter(g: Emperor, seat: Seat) -> Rule[None]:
    """The chooser's free Fighter, if one is in reserve."""
    if galaxy.idle_ship(g, seat, FIGHTER) == NOBODY:
        return
    space = yield from ask(DeployFighter(seat))
    if space is not None:
        launch(g, seat, FIGHTER, space)
        g.tell("engineer/fighter", seat=seat, space=space)


def launch(g: Emperor, seat: int, kind: int, space: str) -> None:
    """Put a ship from the reserve on the board."""
    g.ships.place[galaxy.idle_ship(g, seat, kind)] = g.const.space_index[space]


def cost(g: Emperor, kind: int, cheap: int) -> tuple[int, int, int]:
    """Marks, metal and energy for a ship; ``cheap``: 1 + the technology that makes it cheaper, or 0."""
    unit = g.const.units[kind]
    marks, metal, energy = (0, unit.marks, unit.energy) if g.const.metal_hulls else (unit.marks, 0, unit.energy)
    if cheap:
        card = g.const.technologies[cheap - 1]
        marks, energy = max(0, marks - card.marks), max(0, energy - card.amount)
    return marks, metal, energy


def judge(g: Emperor, seat: int, kind: int, cheap: int) -> Refusal | None:
    """Why a seat cannot build such a ship."""
    if galaxy.idle_ship(g, seat, kind) == NOBODY:
        return Refusal("engineer/none-left", "", (UNITS[kind],))
    stock = (("marks", g.seats.marks[seat]), ("metal", g.seats.metal[seat]), ("energy", g.seats.energy[seat]))
    for price, (name, has) in zip(cost(g, kind, cheap), stock, strict=True):
        if price > has:
            return Refusal("engineer/too-expensive", "", (UNITS[kind], name, price, has))
    return None


@record
class Build:
    """Build a ship at a Starbase."""

    ship: str
    space: str


@record
class BuildShip(Choose[Build | str | None]):
    """Build one more ship, use Modular Hulls for the next one, or stop. ``cheap``: as in :func:`cost`."""

    seat: Seat
    cheap: int

    def options(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[Build | str | None]:
        possible = [kind for kind in sorted(SHIPS, key=UNITS.__getitem__) if not judge(g, self.seat, kind, self.cheap)]
        yards = [g.const.spaces[space] for space in galaxy.shipyards(g, self.seat)]
        tech = 0 if self.cheap else 1 + technologies.usable(g, self.seat, HULLS)
        useful = tech and any(judge(g, self.seat, kind, tech) is None for kind in SHIPS)
        return [
            None,
            *([HULLS] if useful else []),
            *(Build(UNITS[kind], space) for kind in possible for space in yards),
        ]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        found: list[tuple[Value, Refusal]] = []
        for kind in SHIPS:
            problem = judge(g, self.seat, kind, self.cheap)
            yards = [(space, problem) for space in galaxy.shipyards(g, self.seat)] if problem else []
            for space, why in (*yards, *((space, no_starbase(g, space)) for space in empires(g, self.seat))):
                found.append((Build(UNITS[kind], g.const.spaces[space]), why))
        return found

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if not isinstance(option, Build):
            return ()
        prices = zip(("marks", "metal", "energy"), cost(g, UNITS.index(option.ship), self.cheap), strict=True)
        return tuple((name, -price) for name, price in prices if price)

    def caretaker(self, g: Emperor) -> None:
        return None


def build(g: Emperor, seat: Seat, cheap: int) -> Rule[None]:
    """One ship; the player may go on until he stops."""
    asked = BuildShip(seat, cheap)
    if len(asked.options(g)) == 1:
        return
    match (yield from ask(asked)):
        case None:
            return
        case Build(name, space):
            kind = UNITS.index(name)
            marks, metal, energy = cost(g, kind, cheap)
            g.seats.marks[seat] -= marks
            g.seats.metal[seat] -= metal
            g.seats.energy[seat] -= energy
            launch(g, seat, kind, space)
            g.tell("engineer/built", seat=seat, ship=name, space=space, marks=marks, metal=metal, energy=energy)
            g.then(["build", seat, 0])
        case _:
            tech = technologies.usable(g, seat, HULLS)
            effective = yield from technologies.use(g, seat, HULLS)
            g.then(["build", seat, 1 + tech if effective else 0])


SEGMENTS = {"free-fighter": free_fighter, "build": build}
"""Agenda items of this chapter."""
