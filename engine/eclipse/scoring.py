# SPDX-License-Identifier: GPL-3.0-or-later
"""Final scoring (rule document, 6; rules notes, Scoring)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.registry import Score
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.waits import Reveal
from engine.eclipse.sectors import controlled
from engine.eclipse.shrines import standing
from engine.eclipse.species import artifacts, row, technologies_on
from engine.eclipse.state import NOBODY, Eclipse, neutral_ships, ship_kind, wanderers_of
from engine.eclipse.tables import Scoring
from engine.eclipse.terms import ANCIENT, RARE

__all__ = ["PARTS", "WAYS", "final", "points", "scores", "show_reputation"]

PARTS = (
    "reputation",
    "ambassadors",
    "sectors",
    "monoliths",
    "portals",
    "discoveries",
    "technologies",
    "species",
    "traitor",
)
"""The parts of a score, in the order of the score sheet."""

REPUTATION_FOR_A_POINT = 3
"""What Ancient Might asks for each point, and the document of the Eridani."""


def final(g: Eclipse) -> Rule[None]:
    """All reputation tiles are shown and the game is over."""
    yield from show_reputation(g, *(seat for seat in range(g.table.seats) if not g.seats.out[seat]))
    g.round.phase = 5
    for score in scores(g):
        g.tell("score/final", seat=score.seat, total=score.total, rank=score.rank)


def show_reputation(g: Eclipse, *seats: int) -> Rule[None]:
    """These seats show their reputation tiles, whose values are counted."""
    tiles = {
        seat: [Handle("reputation", held - 1) for held in row_of(g.seats.reputation, seat) if held > 0]
        for seat in seats
    }
    faces = yield from ask(Reveal(tuple(tile for held in tiles.values() for tile in held), "reputation"))
    for seat, held in tiles.items():
        g.seats.final[seat] = sum(int(faces[tile] or 0) for tile in held)
        g.tell("score/reputation", seat=seat, value=g.seats.final[seat])


def points(g: Eclipse, seat: int, reputation: int) -> tuple[tuple[str, int], ...]:
    """Victory points of a seat by :data:`PARTS`, given the value of its reputation tiles; of a seat that is out as they
    stood when it was eliminated.
    """
    if g.seats.out[seat]:
        return tuple(zip(PARTS, row_of(g.seats.standing, seat), strict=True))
    const, constants = g.const, g.const.constants
    held = row_of(g.seats.reputation, seat)
    owned = controlled(g, seat)
    parts = {
        "reputation": reputation,
        "ambassadors": constants.ambassador_vp * sum(tile < 0 for tile in held),
        "sectors": sum(const.sector_vp[tile] for tile in owned),
        "monoliths": constants.monolith_vp * sum(g.sectors.monolith[tile] for tile in owned),
        "portals": sum(max(0, g.sectors.warp[tile] - 1) for tile in owned),
        "discoveries": constants.discovery_vp * g.seats.kept[seat] + _tile_points(g, seat, reputation),
        "technologies": sum(const.technology_vp[technologies_on(g, seat, track)] for track in range(RARE)),
        "species": _species_points(g, seat, reputation),
        "traitor": constants.traitor_vp if g.round.traitor == seat else 0,
    }
    return tuple((part, parts[part]) for part in PARTS)


def _controlled_sectors(g: Eclipse, seat: int) -> int:
    return g.sectors.owner.count(seat)


def _ancients(g: Eclipse, seat: int) -> int:
    """Ancients left on the map."""
    return sum(g.ships.place[ship] != NOBODY and ship_kind(g, ship) == ANCIENT for ship in neutral_ships(g))


def _ancient_parts(g: Eclipse, seat: int) -> int:
    """Discovery tiles kept as ship parts, on blueprints or in store."""
    laid = sum(tile > 0 and g.const.ancient[tile - 1] for tile in row_of(g.seats.blueprint, seat))
    return sum(row_of(g.seats.parts, seat)) + laid


def _shrines(g: Eclipse, seat: int) -> int:
    """Shrines in sectors that the seat controls."""
    return sum(standing(g, tile) for tile in controlled(g, seat))


def _orbitals(g: Eclipse, seat: int) -> int:
    """Orbitals in sectors that the seat controls."""
    return sum(g.sectors.orbital[tile] for tile in controlled(g, seat))


WAYS: Mapping[Scoring, Callable[[Eclipse, int], int]] = {
    "controlled-sectors": _controlled_sectors,
    "ancients": _ancients,
    "ancient-parts": _ancient_parts,
    "shrines": _shrines,
    "orbitals": _orbitals,
}
"""The ways of scoring of species boards."""


def _species_points(g: Eclipse, seat: int, reputation: int) -> int:
    total = sum(WAYS[way](g, seat) for way in row(g, seat).scoring)
    if _scores_might_by_species(g, seat):
        total += reputation // REPUTATION_FOR_A_POINT
    return total


def _scores_might_by_species(g: Eclipse, seat: int) -> bool:
    return g.table.options.get("document-scoring") == "on" and row(g, seat).id == "eridani"


def _tile_points(g: Eclipse, seat: int, reputation: int) -> int:
    """The Artifact Codex and Ancient Might; the Eridani do not score the same reputation twice."""
    if not g.const.shrine_rows:
        return 0
    found = wanderers_of(g)
    might = found.might[seat] and not _scores_might_by_species(g, seat)
    return found.codex[seat] * artifacts(g, seat) + might * (reputation // REPUTATION_FOR_A_POINT)


def scores(g: Eclipse) -> Sequence[Score]:
    """Every seat's result, best first; ties are broken by resources in storage, then shared.

    An eliminated player has nothing in storage and ranks behind all others, unless the edition lets it win.
    """
    rows = []
    for seat in range(g.table.seats):
        out = g.seats.out[seat]
        parts = points(g, seat, g.seats.final[seat])
        resources = 0 if out else sum(row_of(g.seats.store, seat))
        behind = bool(out) and not g.const.constants.eliminated_may_win
        rows.append(((not behind, sum(value for _, value in parts), resources), seat, parts))
    rows.sort(key=lambda entry: (*(-int(part) for part in entry[0]), entry[1]))
    return [Score(Seat(seat), key[1], parts, 1 + sum(other[0] > key for other in rows)) for key, seat, parts in rows]
