# SPDX-License-Identifier: GPL-3.0-or-later
"""Warlord: move ships, claim sectors, fight (rule document, 5 Warlord).

Battles are fought in :mod:`engine.emperor.combat`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, order
from engine.core.waits import Choose, Price
from engine.emperor import control as tokens
from engine.emperor import galaxy, technologies
from engine.emperor.state import NOBODY, Emperor, fleet_of, places_of, ship_kind
from engine.emperor.terms import UNITS
from engine.emperor.words import record

__all__ = ["SEGMENTS", "ClaimSector", "MoveShip", "NextBattle", "Ship", "Warp", "begin"]

DRIVE = "fusion-drive"


def begin(g: Emperor, seat: int) -> None:
    """Every player in order moves, claims and fights."""
    for other in tokens.order(g, seat):
        g.then(["move", other, 0], ["claims", other], ["battles", other], ["stand-down", other])


@record
class Ship:
    """A ship of this kind that stands there and has not moved."""

    kind: str
    space: str


@record
class Warp:
    """From the Black Hole straight to a sector."""

    space: str


@record
class MoveShip(Choose[tuple[Ship | Warp | str | None, ...]]):
    """Move one ship: which, then space by space, None to stay there; or Fusion Drive; or None to end moving.

    ``extra``: 1 + the technology that lets ships move further, or 0.
    """

    seat: Seat
    extra: int
    staged = True

    def options(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[Ship | Warp | str | None]:
        const = g.const
        match so_far:
            case ():
                drive = not self.extra and technologies.usable(g, self.seat, DRIVE) != NOBODY
                return [None, *([DRIVE] if drive else []), *self.ships(g)]
            case (Ship(_, space),):
                at = const.space_index[space]
                steps = galaxy.steps(g, self.seat, at)
                return [*(const.spaces[to] for to in steps), *(Warp(const.spaces[to]) for to in warps(g, at))]
            case (Ship(kind, _), *_, str(last)) if len(so_far) - 1 < self.reach(g, kind):
                here = const.space_index[last]
                if not galaxy.foes(g, self.seat, here):
                    return [None, *(const.spaces[to] for to in galaxy.steps(g, self.seat, here))]
        return ()

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        """Spaces next to the ship that it may not enter."""
        if not so_far or not self.options(g, lens, so_far):
            return ()
        at = so_far[0].space if len(so_far) == 1 else so_far[-1]
        space = g.const.space_index[at]
        open_ways = galaxy.steps(g, self.seat, space)
        return [(g.const.spaces[to], barred(g, to)) for to in g.const.near[space] if to not in open_ways]

    def caretaker(self, g: Emperor) -> tuple[None]:
        return (None,)

    def reach(self, g: Emperor, kind: str) -> int:
        """Return the number of spaces that such a ship may move."""
        more = g.const.technologies[self.extra - 1].amount if self.extra else 0
        return g.const.units[UNITS.index(kind)].move + more

    def ships(self, g: Emperor) -> list[Ship]:
        """Ships that may still move, identical ones once."""
        found: dict[tuple[int, int], Ship] = {}
        for number in fleet_of(self.seat):
            place = g.ships.place[number]
            key = (ship_kind(number), place)
            if place != NOBODY and not g.ships.moved[number] and key not in found:
                ship = Ship(UNITS[key[0]], g.const.spaces[place])
                if self.options(g, None, (ship,)):
                    found[key] = ship
        return sorted(found.values(), key=order)


def barred(g: Emperor, space: int) -> Refusal:
    """Why ships may not enter a space."""
    name = g.const.spaces[space]
    if g.sectors.tile[space] == NOBODY:
        return Refusal("warlord/untiled", "", (name,))
    if galaxy.sun(g, space):
        return Refusal("warlord/sun", "", (name,))
    return Refusal("warlord/enemy-home", "", (name,))


def warps(g: Emperor, space: int) -> list[int]:
    """Return the spaces to which ships in a space may warp: from the Black Hole to any sector that is not a home or
    Sun."""
    if g.sectors.tile[space] != g.const.black_hole:
        return []
    return [
        to
        for to, tile in enumerate(g.sectors.tile)
        if tile != NOBODY and to != space and not galaxy.sun(g, to) and not galaxy.is_home(g, to)
    ]


def move(g: Emperor, seat: Seat, extra: int) -> Rule[None]:
    """One ship moves; the player may go on until he ends it."""
    asked = MoveShip(seat, extra)
    if not asked.ships(g):
        return
    match (yield from ask(asked)):
        case (Ship(kind, start), *path):
            go(g, seat, kind, start, [part for part in path if isinstance(part, str | Warp)])
            g.then(["move", seat, extra])
        case (str(),):
            tech = technologies.usable(g, seat, DRIVE)
            effective = yield from technologies.use(g, seat, DRIVE)
            g.then(["move", seat, 1 + tech if effective else 0])


def go(g: Emperor, seat: int, kind: str, start: str, path: Sequence[str | Warp]) -> None:
    """Carry out a move; where it entered its last space from is where it may retreat to."""
    index = g.const.space_index
    here = galaxy.fleet(g, seat, index[start])
    ship = next(ship for ship in here if UNITS[ship_kind(ship)] == kind and not g.ships.moved[ship])
    last = path[-1]
    g.ships.moved[ship] = 1
    if isinstance(last, Warp):
        g.ships.place[ship], g.ships.warped[ship] = index[last.space], 1
        g.tell("warlord/warped", seat=seat, ship=kind, space=start, to=last.space)
        return
    way = (start, *(str(part) for part in path))
    g.ships.place[ship], g.ships.came[ship] = index[way[-1]], index[way[-2]]
    g.tell("warlord/moved", seat=seat, ship=kind, way=way)


@record
class ClaimSector(Choose[str | None]):
    """Claim a free sector in which ships of the seat stand; ``space`` names one that was just won."""

    seat: Seat
    space: str

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, *(g.const.spaces[space] for space in self.spaces(g))]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else (("empires", -1),)

    def caretaker(self, g: Emperor) -> None:
        return None

    def spaces(self, g: Emperor) -> list[int]:
        """Sectors that may be claimed."""
        places = [place for place in places_of(g, self.seat) if place != NOBODY]
        wanted = [g.const.space_index[self.space]] if self.space else sorted(set(places))
        return [space for space in wanted if space in places and galaxy.free_sector(g, self.seat, space)]


def claims(g: Emperor, seat: Seat) -> Rule[None]:
    """Resolve undefended sectors with ships, one after another."""
    asked = ClaimSector(seat, "")
    if not asked.spaces(g):
        return
    space = yield from ask(asked)
    if space is not None:
        tokens.claim(g, seat, g.const.space_index[space], "warlord")
        g.then(["claims", seat])


@record
class NextBattle(Choose[str]):
    """Which battle is fought next?"""

    seat: Seat

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return [g.const.spaces[space] for space in contested(g, self.seat)]

    def caretaker(self, g: Emperor) -> str:
        return self.options(g)[0]


def contested(g: Emperor, seat: int) -> list[int]:
    """Spaces where ships of a seat stand among others."""
    places = sorted(set(places_of(g, seat)))
    return [space for space in places if space != NOBODY and galaxy.foes(g, seat, space)]


def battles(g: Emperor, seat: Seat) -> Rule[None]:
    """The battles of one player's turn, one after the other."""
    spaces = contested(g, seat)
    if not spaces:
        return
    name = (yield from ask(NextBattle(seat))) if len(spaces) > 1 else g.const.spaces[spaces[0]]
    space = g.const.space_index[name]
    g.then(["battle", space, seat, galaxy.foes(g, seat, space)[0]], ["battles", seat])


def stand_down(g: Emperor, seat: Seat) -> None:
    """The turn is over: ships may move again in the next Warlord."""
    for ship in fleet_of(seat):
        g.ships.moved[ship], g.ships.came[ship], g.ships.warped[ship] = 0, NOBODY, 0


def conquer(g: Emperor, seat: Seat, space: int) -> Rule[None]:
    """Let the winner of a sector put an Empire token on it."""
    asked = ClaimSector(seat, g.const.spaces[space])
    if asked.spaces(g) and (yield from ask(asked)) is not None:
        tokens.claim(g, seat, space, "battle")


SEGMENTS = {
    "move": move,
    "claims": claims,
    "battles": battles,
    "stand-down": stand_down,
    "conquer": conquer,
}
"""Agenda items of this chapter."""
