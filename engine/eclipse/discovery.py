# SPDX-License-Identifier: GPL-3.0-or-later
"""Discovery tiles: draw one, then use it or keep it for points (rule document, 5; rules notes, Discovery)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Roll
from engine.eclipse import sectors
from engine.eclipse.actions import research, upgrade
from engine.eclipse.actions.upgrade import Place
from engine.eclipse.species import has_technology, technologies_on
from engine.eclipse.state import NOBODY, Eclipse, face_down, wanderers_of
from engine.eclipse.terms import CRUISER, PIECES, RARE, RESOURCES
from engine.eclipse.words import record

__all__ = ["SEGMENTS", "TakeDiscovery", "claim", "draw"]

POINTS, STORE, USE = "points", "store", "use"

Uses = list[Value]


def _always(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    return [USE]


def _part(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    """Install it now wherever the blueprint stays legal, or store it."""
    part = g.const.discovery_part[discovery]
    spots = upgrade.places(g, seat, upgrade.blueprints(g, seat), (part,))
    return [STORE, *(place for place, problem in spots if problem is None)]


def _ancient_tech(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    """Return the cheapest regular technologies on the tray that the seat does not have and whose track is not full."""
    e = g.const
    lacking = [
        tech
        for tech, tiles in enumerate(g.round.tray)
        if tiles and e.category[tech] != RARE and not has_technology(g, seat, tech)
    ]
    lowest = min((e.cost[tech] for tech in lacking), default=0)
    return [
        e.technology_ids[tech]
        for tech in lacking
        if e.cost[tech] == lowest and technologies_on(g, seat, e.category[tech]) < e.constants.technology_slots
    ]


def _ancient_cruiser(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    return [USE] if sectors.idle_ship(g, seat, CRUISER) != NOBODY else []


def _ancient_orbital(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    return [] if g.sectors.orbital[tile] else [USE]


def _ancient_monolith(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    return [] if g.sectors.monolith[tile] else [USE]


def _ancient_warp_portal(g: Eclipse, seat: int, tile: int, discovery: int) -> Uses:
    return [] if g.const.portals[tile] or g.sectors.warp[tile] else [USE]


USES: dict[str, Callable[[Eclipse, int, int, int], Uses]] = {
    "resources": _always,
    "part": _part,
    "ancient-tech": _ancient_tech,
    "ancient-cruiser": _ancient_cruiser,
    "ancient-orbital": _ancient_orbital,
    "ancient-monolith": _ancient_monolith,
    "ancient-warp-portal": _ancient_warp_portal,
    "artifact-codex": _always,
    "ancient-might": _always,
}
STRUCTURES = ("ancient-orbital", "ancient-monolith")
"""What cannot stand in a nebula."""
PLACED = ("ancient-cruiser", "ancient-orbital", "ancient-monolith", "ancient-warp-portal")
"""Effects that put a piece into the sector; what Ancient Labs finds goes to the starting sector, as long as its player
controls it. A black hole keeps nothing.
"""


@record
class TakeDiscovery(Choose[object]):
    """What to do with a discovery tile found in a sector: its effect, or ``points``."""

    seat: Seat
    discovery: str
    sector: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        uses = self._uses(g)
        texts = sorted((*(use for use in uses if isinstance(use, str)), POINTS))
        places = [use for use in uses if isinstance(use, Place)]
        return [*texts, *sorted(places, key=lambda place: (place.ship, place.slot))]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return [] if self._uses(g) else [(USE, Refusal("discovery/no-effect", "", (self.discovery, self.sector)))]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if option == POINTS:
            return (("points", g.const.constants.discovery_vp),)
        gains = g.const.discovery_resources[g.const.discovery_index[self.discovery]]
        return tuple((RESOURCES[resource], amount) for resource, amount in enumerate(gains) if amount)

    def caretaker(self, g: Eclipse) -> str:
        return POINTS

    def _uses(self, g: Eclipse) -> Uses:
        discovery, tile = g.const.discovery_index[self.discovery], g.const.sector_index[self.sector]
        lost_home = tile == g.const.home[g.seats.species[self.seat]] and g.sectors.owner[tile] != self.seat
        if (lost_home or tile in g.const.black_holes) and g.const.discovery_effect[discovery] in PLACED:
            return []
        if g.const.siblings[tile] and g.const.discovery_effect[discovery] in STRUCTURES:
            return []
        return USES[g.const.discovery_effect[discovery]](g, self.seat, tile, discovery)


def claim(g: Eclipse, seat: Seat, tile: int) -> Rule[None]:
    """Take the discovery tile that lies in a sector, if nothing defends it."""
    if not g.sectors.discovery[tile] or NOBODY in sectors.fleet(g).get(tile, {}):
        return
    yield from draw(g, seat, tile)


def draw(g: Eclipse, seat: Seat, tile: int) -> Rule[None]:
    """Take a discovery tile, that of the sector if there is one. Pieces that it places go to that sector."""
    lying = g.sectors.discovery[tile]
    pool = [discovery for discovery, tiles in enumerate(g.round.discoveries) for _ in range(tiles)]
    if not lying and len(pool) <= face_down(g):
        g.tell("discovery/none-left", seat=seat)
        return
    (drawn,) = yield from ask(Roll((len(pool),), "discovery"))
    discovery = pool.pop(drawn - 1)
    while g.const.siblings[tile] and g.const.discovery_effect[discovery] in STRUCTURES and pool:
        redrawn = discovery
        (drawn,) = yield from ask(Roll((len(pool),), "discovery"))
        discovery = pool.pop(drawn - 1)
        g.tell("discovery/drawn-anew", seat=seat, discovery=g.const.discovery_ids[redrawn])
    g.round.discoveries[discovery] -= 1
    g.sectors.discovery[tile] = 0
    name, sector = g.const.discovery_ids[discovery], g.const.sector_ids[tile]
    g.tell("discovery/found", seat=seat, discovery=name, sector=sector)
    use = yield from ask(TakeDiscovery(seat, name, sector))
    take(g, seat, tile, discovery, use)


def take(g: Eclipse, seat: Seat, tile: int, discovery: int, use: Value) -> None:
    """Carry out the choice."""
    e, name = g.const, g.const.discovery_ids[discovery]
    if use == POINTS:
        g.seats.kept[seat] += 1
        g.tell("discovery/kept", seat=seat, discovery=name)
        return
    g.tell("discovery/used", seat=seat, discovery=name)
    for resource, amount in enumerate(e.discovery_resources[discovery]):
        g.seats.store[seat, resource] += amount
    match e.discovery_effect[discovery]:
        case "part":
            g.seats.parts[seat, e.discovery_part[discovery]] += 1
            if use != STORE:
                upgrade.install(g, seat, PIECES.index(use.ship), use.slot - 1, e.discovery_part[discovery])
        case "ancient-tech":
            tech = e.technology_index[use]
            g.round.tray[tech] -= 1
            research.gain_technology(g, seat, tech, e.category[tech])
        case "ancient-cruiser":
            sectors.launch(g, sectors.idle_ship(g, seat, CRUISER), tile)
        case "ancient-orbital":
            g.sectors.orbital[tile] = 1
        case "ancient-monolith":
            g.sectors.monolith[tile] = 1
        case "ancient-warp-portal":
            g.sectors.warp[tile] = 1 + e.constants.portal_discovery_vp
        case "artifact-codex":
            wanderers_of(g).codex[seat] = 1
        case "ancient-might":
            wanderers_of(g).might[seat] = 1


def unseal(g: Eclipse, seat: Seat) -> None:
    """Turn over the discovery tile on a species board. Pieces that it places go to the starting sector."""
    wanderers_of(g).sealed[seat] = 0
    g.tell("discovery/unsealed", seat=seat)
    g.then(["draw-discovery", seat, g.const.home[g.seats.species[seat]]])


SEGMENTS = {"discovery": claim, "draw-discovery": draw, "unseal": unseal}
