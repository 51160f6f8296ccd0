"""What counts in Eclipse over time, and how its battles are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.eclipse.show.odds import standing
from client.games.eclipse.show.words import ROMAN, ships_text
from client.games.eclipse.wording import term
from client.show.pictures import BattleOdds, Count, Drawn, Fights, Frame
from client.texts import _
from engine.core.events import Event
from engine.eclipse import sectors
from engine.eclipse.population import income
from engine.eclipse.species import technologies_on
from engine.eclipse.state import NOBODY, Eclipse, ships_of
from engine.eclipse.terms import CATEGORIES, PIECES, PLAYER_SHIPS, RARE, RESOURCES

__all__ = ["FIGHTS", "draws", "growth"]


def growth(frame: Frame) -> Sequence[Count]:
    """Sectors, storage and income, ships on the map by kind, technologies by track."""
    g = frame.g
    seats = range(g.table.seats)
    if NOBODY in g.seats.species:
        return ()
    economy, fleets, technologies = _("Economy"), _("Fleets"), _("Technologies")
    kinds = {kind: [sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind)) for seat in seats]
             for kind in PLAYER_SHIPS}  # fmt: skip
    return [
        Count(economy, _("sectors"), [g.sectors.owner.count(seat) for seat in seats]),
        *(
            Count(economy, _("income: {resource}").format(resource=term(name)), [income(g, seat, at) for seat in seats])
            for at, name in enumerate(RESOURCES)
        ),
        *(
            Count(economy, _("stored: {resource}").format(resource=term(name)), g.seats.store[at::3])
            for at, name in enumerate(RESOURCES)
        ),
        Count(economy, _("discs left"), g.seats.discs),
        Count(fleets, _("ships"), [sum(each) for each in zip(*kinds.values(), strict=True)]),
        *(Count(fleets, term(PIECES[kind]), numbers) for kind, numbers in kinds.items()),
        *(
            Count(technologies, term(CATEGORIES[track]), [technologies_on(g, seat, track) for seat in seats])
            for track in range(RARE)
        ),
    ]


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The ships of each side in a sector."""
    here = sectors.fleet(frame.g).get(frame.g.const.sector_index[space], {})
    return [(owner, ships_text(frame.g, ships)) for owner, ships in here.items()]


def odds(frame: Frame, space: str) -> BattleOdds | None:
    """The chances of the battle in a sector."""
    found = standing(frame, frame.g.const.sector_index[space])
    return None if found is None else BattleOdds(*found)


def draws(g: Eclipse, events: Sequence[Event]) -> tuple[Sequence[Drawn], Mapping[str, Sequence[int]]]:
    """Sectors drawn from the stacks of the three rings, by the points that they are worth."""
    stacks = {ROMAN[ring]: g.const.stacks[ring] for ring in (1, 2, 3)}
    ring_of = {g.const.sector_ids[tile]: (name, tile) for name, tiles in stacks.items() for tile in tiles}
    drawn = []
    for event in events:
        if event.id == "explore/drawn" and event.args["sector"] in ring_of:
            name, tile = ring_of[str(event.args["sector"])]
            drawn.append((int(str(event.args["seat"])), name, g.const.sector_vp[tile]))
    return drawn, {name: [g.const.sector_vp[tile] for tile in tiles] for name, tiles in stacks.items()}


FIGHTS: Final = Fights(("combat/battle", "sector"), frozenset({"combat", "reputation"}), forces, odds)
