# SPDX-License-Identifier: GPL-3.0-or-later
"""What expansions add: the sectors of Galactic Events (nebulas of several parts, pulsars, black holes, exploded
supernovas), shrines, and the boards of Magellan and Lyra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.system.texts import N_, _
from engine.core.sections import row_of
from engine.eclipse.columns import FACE
from engine.eclipse.events.pulsar import SPACES
from engine.eclipse.sectors import ON_MAP, Fleet, graph
from engine.eclipse.shrines import standing
from engine.eclipse.species import has_ability
from engine.eclipse.state import Eclipse, events_of, ship_kind, ship_owner, wanderers_of
from engine.eclipse.terms import PIECES, RESOURCES, SQUARES

KINDS: Final[Mapping[str, str]] = {
    "black-hole": N_("black hole"),
    "pulsar": N_("pulsar"),
    "supernova": N_("supernova"),
    "exploded": N_("exploded supernova"),
    "nebula": N_("nebula"),
}
"""The kinds of sectors of Galactic Events in words."""


def kind_of(g: Eclipse, tile: int) -> str:
    """The kind of a tile on the map, "" for an ordinary one."""
    kinds = {
        "black-hole": g.const.black_holes,
        "pulsar": g.const.pulsars,
        "supernova": g.const.exploded,
        "exploded": g.const.exploded.values(),
    }
    found = next((kind for kind, tiles in kinds.items() if tile in tiles), "")
    return found or ("nebula" if g.const.siblings[tile] else "")


def laid(g: Eclipse, tile: int) -> list[int]:
    """The tiles on the map for a tile: itself, the parts of a nebula, or the other face of a supernova."""
    faces = (tile, *g.const.subsectors[tile], *([g.const.exploded[tile]] if tile in g.const.exploded else []))
    return [face for face in faces if g.sectors.where[face] == ON_MAP]


def there(g: Eclipse, tile: int, ships: Fleet) -> Mapping[int, Sequence[int]]:
    """The ships of a zone by owner, for a nebula those of all parts."""
    found: dict[int, list[int]] = {}
    for part in (tile, *g.const.siblings[tile]):
        for owner, here in ships.get(part, {}).items():
            found.setdefault(owner, []).extend(here)
    return found


def hidden(g: Eclipse, tile: int) -> int:
    """The number of face-down discoveries in a zone."""
    return sum(g.sectors.discovery[part] for part in (tile, *g.const.siblings[tile]))


def number(g: Eclipse, tile: int) -> str:
    """The number on the map: a nebula's without the letter of its part, an exploded supernova's with a cross."""
    printed = g.const.sector_ids[tile].split(FACE)[0]
    return printed + "x" if tile in g.const.exploded.values() else printed


def ways_of_part(g: Eclipse, tile: int) -> str:
    """The connections of a part of a nebula: the other parts, and the neighbours at its edges."""
    ways = graph(g)
    zones = " ".join(f"{q},{r}" for (q, r), _edge, wormhole in ways.open[tile] if wormhole)
    joined = _("joined with {sectors}").format(sectors=" ".join(g.const.sector_ids[other] for other in ways.full[tile]))
    return joined + (", " + _("open to zones {zones}").format(zones=zones) if zones else "")


def notes(frame: Frame, tile: int) -> list[str]:
    """Notes about a pulsar's disc, ships in a black hole, and shrines, by planet and the resource paid."""
    g, shown = frame.g, []
    if tile in g.const.pulsars and g.sectors.owner[tile] >= 0:
        shown.append(_("The disc lies on: {action}.").format(action=term(SPACES[events_of(g).space[tile]])))
        if events_of(g).used[tile]:
            shown.append(_("It has been activated in this round."))
    if tile in g.const.black_holes:
        for ship, entered in enumerate(g.ships.entered):
            if entered < 0:
                who, kind = frame.names[ship_owner(g, ship)], term(PIECES[ship_kind(g, ship)])
                shown.append(_("Away until round {round}: {who}: {ship}").format(round=-entered, who=who, ship=kind))
    if shrine_count(g, tile):
        found = row_of(wanderers_of(g).shrines, tile)
        each = [f"{term(SQUARES[planet])} ({term(RESOURCES[paid - 1])})" for planet, paid in enumerate(found) if paid]
        shown.append(_("Shrines beside planets: {planets}").format(planets=", ".join(each)))
    return shown


# Shrines and boards ---------------------------------------------------------------------------------------------------


TILES = {"sealed": N_("a discovery, face down"), "codex": N_("Artifact Codex"), "might": N_("Ancient Might")}


def shrine_count(g: Eclipse, tile: int) -> int:
    """The number of shrines in a sector; 0 in a game without them."""
    return standing(g, tile) if g.const.shrine_rows else 0


def holds(frame: Frame, seat: int) -> list[str]:
    """The contents of a board: discovery tiles, and the shrine board of Lyra."""
    g = frame.g
    texts: list[str] = []
    if not g.const.shrine_rows:
        return texts
    found = wanderers_of(g)
    tiles = [_(text) for name, text in TILES.items() if getattr(found, name)[seat]]
    if tiles:
        texts.append(_("on the board: {tiles}").format(tiles=", ".join(tiles)))
    if has_ability(g, seat, "shrines"):
        rows = []
        for resource, row in enumerate(g.const.shrine_rows):
            left = row.costs[found.placed[seat, resource] :]
            costs = " ".join(map(str, left)) or frame.glyphs.dash
            rows.append(f"{term(row.resource)} {costs} ({term(row.bonus)})")
        texts.append(_("shrines left, by cost: {rows}").format(rows="; ".join(rows)))
    return texts
