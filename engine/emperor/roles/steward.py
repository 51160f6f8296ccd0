# SPDX-License-Identifier: GPL-3.0-or-later
"""Steward: a free cube for the chooser, then production with the food that was laid (rule document, 5 Steward)."""

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
from engine.emperor.state import NOBODY, Emperor
from engine.emperor.terms import ENERGY, METAL, RESOURCES
from engine.emperor.words import record

__all__ = ["SEGMENTS", "FreeCube", "Produce", "RunFree", "begin", "store"]


def begin(g: Emperor, seat: int) -> None:
    """The chooser takes a cube, then everybody produces."""
    g.then(["free-cube", seat], *(["produce", other] for other in order(g, seat)))


def rooms(g: Emperor, seat: int) -> tuple[int, int]:
    """Return the metal and energy that still fit into storage."""
    numbers = g.const.numbers
    return numbers.metal_room - g.seats.metal[seat], numbers.energy_room - g.seats.energy[seat]


def store(g: Emperor, seat: int, metal: int, energy: int) -> tuple[int, int]:
    """Put cubes into storage. Cubes that do not fit are lost. Return the stored ones."""
    metal_room, energy_room = rooms(g, seat)
    stored = min(metal, metal_room), min(energy, energy_room)
    g.seats.metal[seat] += stored[0]
    g.seats.energy[seat] += stored[1]
    return stored


@record
class FreeCube(Choose[str | None]):
    """Take one metal or one energy."""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        metal, energy = rooms(g, self.seat)
        return [None, *(["energy"] if energy else []), *(["metal"] if metal else [])]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        rest = zip((METAL, ENERGY), rooms(g, self.seat), strict=True)
        return [(RESOURCES[at], Refusal("steward/no-room", "", (RESOURCES[at],))) for at, room in rest if not room]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else ((option, 1),)

    def caretaker(self, g: Emperor) -> str | None:
        return self.options(g)[-1]


def free_cube(g: Emperor, seat: Seat) -> Rule[None]:
    """The chooser's free cube, if there is room."""
    if not any(rooms(g, seat)):
        return
    cube = yield from ask(FreeCube(seat))
    if cube is not None:
        store(g, seat, int(cube == RESOURCES[METAL]), int(cube == RESOURCES[ENERGY]))
        g.tell("steward/cube", seat=seat, resource=cube)


@record
class RunFree(Choose[str | None]):
    """Use Robotics: which sector produces without food?"""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, *(g.const.spaces[space] for space in galaxy.generating(g, self.seat))]

    def caretaker(self, g: Emperor) -> None:
        return None


@record
class Produce(Choose[tuple[str | None, ...]]):
    """Which sectors spend a food to produce: for each that has food the sector or None, in order.

    ``done``: a sector that has produced already.
    """

    seat: Seat
    done: str
    staged = True

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        ready = self.ready(g)
        return [None, g.const.spaces[ready[len(so_far)]]] if len(so_far) < len(ready) else ()

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if option is None:
            return ()
        _, metal, energy = g.const.icons[g.sectors.tile[g.const.space_index[option]]]
        return (("food", -1), *((name, n) for name, n in (("metal", metal), ("energy", energy)) if n))

    def caretaker(self, g: Emperor) -> tuple[str | None, ...]:
        """Produce while nothing is lost; what would not fit keeps its food."""
        metal, energy = rooms(g, self.seat)
        picks: list[str | None] = []
        for space in self.ready(g):
            _, more_metal, more_energy = g.const.icons[g.sectors.tile[space]]
            fits = more_metal <= metal and more_energy <= energy
            picks.append(g.const.spaces[space] if fits else None)
            if fits:
                metal, energy = metal - more_metal, energy - more_energy
        return tuple(picks)

    def ready(self, g: Emperor) -> list[int]:
        """Own generating sectors with food."""
        done = g.const.space_index.get(self.done, NOBODY)
        return [space for space in galaxy.generating(g, self.seat) if g.sectors.food[space] and space != done]


def produce(g: Emperor, seat: Seat) -> Rule[None]:
    """One player's sectors produce."""
    free = ""
    if technologies.usable(g, seat, "robotics") != NOBODY:
        named = yield from ask(RunFree(seat))
        if named is not None and (yield from technologies.use(g, seat, "robotics")):
            run(g, seat, named)
            free = named
    asked = Produce(seat, free)
    picks = (yield from ask(asked)) if asked.ready(g) else ()
    for space in picks:
        if space is not None:
            g.sectors.food[g.const.space_index[space]] -= 1
            run(g, seat, space)


def run(g: Emperor, seat: int, space: str) -> None:
    """A sector yields all its metal and energy."""
    _, metal, energy = g.const.icons[g.sectors.tile[g.const.space_index[space]]]
    stored = store(g, seat, metal, energy)
    lost = metal + energy - sum(stored)
    g.tell("steward/produced", seat=seat, space=space, metal=stored[0], energy=stored[1], lost=lost)


SEGMENTS = {"free-cube": free_cube, "produce": produce}
"""Agenda items of this chapter."""
