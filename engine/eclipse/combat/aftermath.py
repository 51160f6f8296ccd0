# SPDX-License-Identifier: GPL-3.0-or-later
"""After the battles: control, discoveries, repair.

Rule document, 5; rulings lost-control, combat-discovery, repair, elimination-nothing-left.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Item
from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import discovery, population, words
from engine.eclipse.combat.order import present, sole
from engine.eclipse.state import NOBODY, Eclipse, fleet_of, places_of, player_ships

__all__ = ["Control", "TakeControl", "aftermath", "control", "control_lost", "find", "finder", "repair"]


def aftermath(g: Eclipse) -> None:
    """Attack population everywhere, then influence sectors, then take discoveries; the highest sector number first."""
    places = {g.ships.place[ship]: None for ship in player_ships(g) if g.ships.place[ship] != NOBODY}
    tiles = sorted(places, key=lambda tile: (-g.const.sector_order[tile], tile))
    attacks: list[Item] = [["bombard", tile] for tile in tiles]
    influence: list[Item] = [[name, tile] for tile in tiles for name in ("control-lost", "control")]
    hidden = [tile for tile, lies in enumerate(g.sectors.discovery) if lies]
    finds: list[Item] = [
        ["find", tile] for tile in sorted(hidden, key=lambda tile: (-g.const.sector_order[tile], tile))
    ]
    g.then(*attacks, *influence, *finds, ["repair"])


def control_lost(g: Eclipse, tile: int) -> Rule[None]:
    """An opponent's ships are there unopposed and no cube is left: the disc returns to its owner's track."""
    owner, seat = g.sectors.owner[tile], sole(g, tile)
    if seat is not None and owner not in (NOBODY, seat) and not population.cubes(g, tile):
        g.tell("combat/control-lost", seat=owner, sector=g.const.sector_ids[tile], by=seat)
        yield from population.abandon(g, Seat(owner), tile)


@words.record
class Control:
    """Place an influence disc in a sector."""

    sector: str


@words.record
class TakeControl(Choose[Control | None]):
    """Whether to take control of a sector with only the seat's ships."""

    seat: Seat
    sector: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Control | None]:
        return (None, Control(self.sector))

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else (("discs", -1),)

    def caretaker(self, g: Eclipse) -> None:
        return None


def control(g: Eclipse, tile: int) -> Rule[None]:
    """Let the only owner of ships in an uncontrolled sector place a disc from the influence track."""
    seat = sole(g, tile)
    if seat is None or g.sectors.owner[tile] != NOBODY or not g.const.influence_spaces[tile] or not g.seats.discs[seat]:
        return
    if (yield from ask(TakeControl(Seat(seat), g.const.sector_ids[tile]))) is not None:
        population.take_control(g, seat, tile)


def finder(g: Eclipse, tile: int) -> int | None:
    """Return the seat that takes the discovery of an undefended sector: its controller, or the only owner of ships
    there, unless the discovery comes with control.
    """
    foes = present(g, tile).get(NOBODY)
    if foes:
        return None
    owner = g.sectors.owner[tile]
    if owner != NOBODY:
        return owner
    return sole(g, tile) if g.const.constants.discovery_by == "exploration" else None


def find(g: Eclipse, tile: int) -> Rule[None]:
    """Take an undefended discovery."""
    seat = finder(g, tile)
    if seat is not None and g.sectors.discovery[tile]:
        yield from discovery.claim(g, Seat(seat), tile)


def repair(g: Eclipse) -> None:
    """Damage is repaired; a player with neither ships nor sectors is out, where the edition says so."""
    for ship, damage in enumerate(g.ships.damage):
        if damage:
            g.ships.damage[ship] = 0
    if not g.const.constants.nothing_left_is_out:
        return
    for seat in range(g.table.seats):
        if g.seats.out[seat] or seat in g.sectors.owner:
            continue
        afloat = any(place != NOBODY for place in places_of(g, seat))
        away = any(g.ships.entered[ship] < 0 for ship in fleet_of(seat))
        if not (afloat or away):
            g.then(["eliminate", seat])
