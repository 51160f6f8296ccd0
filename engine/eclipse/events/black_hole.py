# SPDX-License-Identifier: GPL-3.0-or-later
"""Black holes: ships that enter leave the board and come back elsewhere, at once or later (document, Black Hole).

A ship that is away has no place and ``entered`` = minus the round in which it may return.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Item
from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Roll
from engine.eclipse import sectors
from engine.eclipse.blueprints import stats
from engine.eclipse.combat.dice import BLANK, BURST, FACES
from engine.eclipse.state import NOBODY, Eclipse, fleet_of, player_ships, ship_kind, ship_owner
from engine.eclipse.stats import HULL
from engine.eclipse.terms import INNER, PIECES
from engine.eclipse.words import record

__all__ = [
    "SEGMENTS",
    "Emerge",
    "Reappear",
    "choose_sector",
    "closing",
    "delay",
    "destinations",
    "emerge",
    "entering",
    "returns",
]

AT_ONCE, NEXT_ROUND = (BLANK, BURST), (2, 3)


def delay(face: int) -> int:
    """Rounds until the ship may return, by the number of the yellow die."""
    return 0 if face in AT_ONCE else 1 if face in NEXT_ROUND else 2


def entering(g: Eclipse, seat: int, tile: int) -> list[Item]:
    """What happens to a ship that has just entered: the first takes the discovery, then the die decides."""
    return [["discovery", seat, tile], ["black-hole", seat, tile]]


def destinations(g: Eclipse) -> list[int]:
    """Sectors that ships return to, by the black hole on the map; none without one."""
    tiles = sectors.graph(g).tiles
    hole = next((tile for tile in tiles if tile in g.const.black_holes), None)
    if hole is None:
        return []
    if g.const.returns[hole] == "inner":
        return [tile for tile in tiles if g.const.sector_place[tile] == INNER]
    return [tile for tile in tiles if tile != hole and sectors.at_the_frontier(g, tile)]


@record
class Reappear(Choose[str]):
    """A ship comes out of the black hole at once: in which sector?"""

    seat: Seat
    ship: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return sorted(g.const.sector_ids[tile] for tile in destinations(g))

    def caretaker(self, g: Eclipse) -> str:
        return self.options(g)[0]


def black_hole(g: Eclipse, seat: Seat, tile: int) -> Rule[None]:
    """The die decides when the ship returns; at once, it takes one damage, which may destroy it."""
    (face,) = yield from ask(Roll((FACES,), "black-hole"))
    ship = sectors.fleet(g)[tile][seat][0]
    name, sector = PIECES[ship_kind(g, ship)], g.const.sector_ids[tile]
    g.tell("black-hole/rolled", seat=seat, ship=name, sector=sector, face=face)
    until = g.round.number + delay(face)
    if delay(face):
        g.ships.place[ship] = NOBODY
        g.ships.entered[ship] = -until
        if until > g.const.constants.rounds:
            _lose(g, ship)
        else:
            g.tell("black-hole/away", seat=seat, ship=name, round=until)
        return
    g.ships.damage[ship] += 1
    if g.ships.damage[ship] > stats(g, seat, ship_kind(g, ship))[HULL] or not destinations(g):
        _lose(g, ship)
        return
    to = yield from ask(Reappear(seat, name))
    _arrive(g, ship, g.const.sector_index[to])


def _lose(g: Eclipse, ship: int) -> None:
    """Back to the supply."""
    g.ships.place[ship], g.ships.entered[ship], g.ships.damage[ship] = NOBODY, 0, 0
    g.tell("black-hole/lost", seat=ship_owner(g, ship), ship=PIECES[ship_kind(g, ship)])


def _arrive(g: Eclipse, ship: int, tile: int) -> None:
    """A ship enters a sector after everybody there."""
    g.round.entries += 1
    g.ships.place[ship], g.ships.entered[ship] = tile, g.round.entries
    seat, name = ship_owner(g, ship), PIECES[ship_kind(g, ship)]
    g.tell("black-hole/returned", seat=seat, ship=name, sector=g.const.sector_ids[tile])


@record
class Emerge:
    """Let a ship whose round has come return from the black hole, before an action."""

    ship: str
    sector: str


def _due(g: Eclipse, seat: int) -> dict[str, int]:
    """Ships of the seat that may return now, one of each kind by name."""
    found: dict[str, int] = {}
    for ship in fleet_of(seat):
        if g.ships.entered[ship] == -g.round.number:
            found.setdefault(PIECES[ship_kind(g, ship)], ship)
    return found


def returns(g: Eclipse, seat: int) -> list[Emerge]:
    """Every return that the seat can choose in its turn, in order."""
    if not g.const.black_holes or not (due := _due(g, seat)):
        return []
    homes = sorted(g.const.sector_ids[tile] for tile in destinations(g))
    return [Emerge(name, sector) for name in sorted(due) for sector in homes]


def emerge(g: Eclipse, seat: int, pick: Emerge) -> None:
    """A ship returns."""
    _arrive(g, _due(g, seat)[pick.ship], g.const.sector_index[pick.sector])


def closing(g: Eclipse) -> list[Item]:
    """The end of a round, where there is a black hole."""
    return [["lost-in-spacetime"]] if g.const.black_holes else []


def lost_in_spacetime(g: Eclipse) -> None:
    """Ships that could have returned in this round and did not are lost."""
    for ship in player_ships(g):
        if g.ships.entered[ship] == -g.round.number:
            _lose(g, ship)


def choose_sector(g: Eclipse, drawn: Sequence[int]) -> None:
    """Only one black hole is in the game; if one was drawn, the others stay in the box."""
    for draw in drawn:
        chosen = g.const.black_holes[draw - 1]
        for tile in g.const.black_holes:
            if tile != chosen:
                g.sectors.where[tile] = sectors.UNUSED
        g.tell("setup/black-hole", sector=g.const.sector_ids[chosen])


SEGMENTS = {
    "black-hole": black_hole,
    "lost-in-spacetime": lost_in_spacetime,
}
