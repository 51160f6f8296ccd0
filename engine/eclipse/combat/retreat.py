# SPDX-License-Identifier: GPL-3.0-or-later
"""Retreat and stalemate (rule document, 5 and 7; rulings retreat, retreat-starbases, retreat-penalty, stalemate).

A retreating type stands at the border towards ``ships.leaving`` until its next activation, or the end of the battle.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors, words
from engine.eclipse.blueprints import armed, ship_stats
from engine.eclipse.combat import reputation
from engine.eclipse.combat.order import kinds, present
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.terms import PIECES, PLAYER_SHIPS, STARBASE

__all__ = [
    "Withdraw",
    "depart",
    "destinations",
    "destroy",
    "nearby_refusals",
    "penalise",
    "set_out",
    "stalemate",
    "stalled",
]


def judge(g: Eclipse, seat: int, tile: int, to: int) -> Refusal | None:
    """Why ships of the seat may not retreat from one sector to another."""
    name = g.const.sector_ids[to]
    if g.sectors.owner[to] != seat:
        return Refusal("retreat/not-controlled", "", (name,))
    if not sectors.connected(g, tile, to, seat):
        return Refusal("retreat/not-connected", "", (name,))
    return Refusal("retreat/opponents", "", (name,)) if sectors.enemies(g, seat, to) else None


def destinations(g: Eclipse, seat: int, tile: int) -> list[int]:
    """Connected sectors that the seat controls and that no opponent has ships in."""
    return [to for to in sectors.neighbours(g, tile, half=True) if judge(g, seat, tile, to) is None]


def nearby_refusals(g: Eclipse, seat: int, tile: int) -> list[tuple[int, Refusal]]:
    """Neighbouring sectors to which no retreat is possible, with the reason."""
    found = [(to, judge(g, seat, tile, to)) for to in sectors.neighbours(g, tile, half=True)]
    return [(to, reason) for to, reason in found if reason is not None]


def set_out(g: Eclipse, tile: int, seat: int, kind: int, to: int) -> None:
    """A whole type begins its retreat."""
    for ship in _of_kind(g, tile, seat, kind):
        g.ships.leaving[ship] = to
    names = g.const.sector_ids
    g.tell("combat/retreating", seat=seat, ship=PIECES[kind], sector=names[tile], to=names[to])
    penalise(g, tile, seat)


def penalise(g: Eclipse, tile: int, seat: int) -> None:
    """Once all remaining ships of a player are retreating, nothing is drawn for taking part."""
    ships = present(g, tile).get(seat, ())
    if seat != NOBODY and ships and all(g.ships.leaving[ship] != NOBODY for ship in ships):
        reputation.forfeit(g, tile, seat)


def depart(g: Eclipse, tile: int, owner: int, wanted: Sequence[int] = PLAYER_SHIPS) -> None:
    """Retreating ships of these types leave the sector."""
    names = g.const.sector_ids
    for kind in wanted:
        for ship in _of_kind(g, tile, owner, kind):
            to = g.ships.leaving[ship]
            if to != NOBODY:
                g.round.entries += 1
                g.ships.place[ship], g.ships.leaving[ship], g.ships.entered[ship] = to, NOBODY, g.round.entries
                g.tell("combat/retreated", seat=owner, ship=PIECES[kind], sector=names[tile], to=names[to])


def destroy(g: Eclipse, ship: int) -> None:
    """Back to the supply."""
    g.ships.place[ship], g.ships.leaving[ship], g.ships.entered[ship], g.ships.damage[ship] = NOBODY, NOBODY, 0, 0


def stalled(g: Eclipse, tile: int, attacker: int, defender: int) -> bool:
    """True if neither side can destroy the other: no cannons are left, and no ship is about to leave."""
    for owner in (attacker, defender):
        if any(armed(ship_stats(g, owner, kind)) for kind in kinds(g, tile, owner)):
            return False
        if any(g.ships.leaving[ship] != NOBODY for ship in present(g, tile)[owner]):
            return False
    return True


@words.record
class Withdraw(Choose[str]):
    """A stalemate: where a ship type of the attacker goes."""

    seat: Seat
    sector: str
    ship: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        tile = g.const.sector_index[self.sector]
        return sorted(g.const.sector_ids[to] for to in destinations(g, self.seat, tile))

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        tile = g.const.sector_index[self.sector]
        return [(g.const.sector_ids[to], reason) for to, reason in nearby_refusals(g, self.seat, tile)]

    def caretaker(self, g: Eclipse) -> str:
        return self.options(g)[0]


def stalemate(g: Eclipse, tile: int, seat: Seat, kind: int) -> Rule[None]:
    """Make a type of the attacker retreat at once. Ships that cannot are destroyed, and nobody is credited with
    them."""
    name, ship = g.const.sector_ids[tile], PIECES[kind]
    choose = Withdraw(seat, name, ship)
    targets = choose.options(g) if kind != STARBASE else ()
    to = (yield from ask(choose)) if len(targets) > 1 else targets[0] if targets else None
    reputation.forfeit(g, tile, seat)
    if to is None:
        for number in _of_kind(g, tile, seat, kind):
            destroy(g, number)
            g.tell("combat/stranded", seat=seat, ship=ship, sector=name)
        return
    set_out(g, tile, seat, kind, g.const.sector_index[to])
    depart(g, tile, seat, (kind,))


def _of_kind(g: Eclipse, tile: int, owner: int, kind: int) -> list[int]:
    return [ship for ship in present(g, tile).get(owner, ()) if ship_kind(g, ship) == kind]
