# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns: the choice of an action, and its activations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from client.games.eclipse.bot import boards, raids, worth
from client.games.eclipse.bot.raids import FARTHEST, Raid
from client.games.eclipse.bot.wanderers import best_swap, shrine_value
from engine.core.hexes import EDGES, opposite
from engine.core.ids import Seat
from engine.core.values import Value
from engine.core.views import View
from engine.eclipse import population, sectors
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.build import Build, Construct
from engine.eclipse.actions.explore import Explore, PlaceSector, Zone, zones
from engine.eclipse.actions.influence import TRACK, Influence, Shift, targets
from engine.eclipse.actions.move import Fly, Move, flights
from engine.eclipse.actions.research import Buy, Research, cost
from engine.eclipse.actions.upgrade import Upgrade, blueprints
from engine.eclipse.catalog import ring
from engine.eclipse.diplomacy import KEEP, AnswerOffer, Exchange, Offer
from engine.eclipse.events.black_hole import Emerge
from engine.eclipse.events.pulsar import Activate
from engine.eclipse.flow import Finish, Menu
from engine.eclipse.free import Colonise
from engine.eclipse.sectors import DISCARDED, STACKED
from engine.eclipse.species import activations, has_ability, has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.terms import ACTIONS, CATEGORIES, MATERIALS, PIECES, RESOURCES

PASS, DONE = "pass", "done"


def best_colony(g: Eclipse, seat: int, options: list[Value]) -> Colonise | None:
    """The best use of a colony ship, None if no use is worth it."""
    picks = [pick for pick in options if isinstance(pick, Colonise)]
    best = max(picks, key=lambda pick: worth.colony(g, seat, pick), default=None)
    return best if best is not None and worth.colony(g, seat, best) > -0.1 else None


def menu(view: View, wait: Menu, rng: Random) -> Value:
    """Use colony ships, free ships from a black hole and make offers first; then take the most valuable action, or
    pass."""
    g, seat = view.g, wait.seat
    options = list(wait.options(g))
    colony = best_colony(g, seat, options)
    if colony is not None:
        return colony
    back = [option for option in options if isinstance(option, Emerge)]
    if back:
        return min(back, key=lambda ship: danger(g, seat, ship.sector))
    offers = [offer for offer in options if isinstance(offer, Offer) and offer.returned == KEEP and _room(g, offer)]
    if offers:
        return max(offers, key=lambda offer: worth.cube(g, seat, RESOURCES.index(offer.cube)))
    value, best = max(weighed(g, seat, options), key=lambda pair: pair[0], default=(0.0, PASS))
    if value > 0:
        return best
    return best_swap(g, seat, options) or PASS


def _room(g: Eclipse, offer: Offer) -> bool:
    """True if the partner can accept without returning a reputation tile, as a bot does."""
    answers = AnswerOffer(Seat(offer.partner), NOBODY).options(g)
    return any(isinstance(answer, Exchange) and answer.returned == KEEP for answer in answers)


def weighed(g: Eclipse, seat: int, options: list[Value]) -> list[tuple[float, Value]]:
    """The value of each affordable action, less the upkeep of its disc."""
    affordable, price = worth.left_after(g, seat, 1) >= 0, worth.disc(g, seat)
    kinds = [option for option in options if option in VALUES and affordable]
    valued: list[tuple[float, Value]] = [(VALUES[kind](g, seat, times(g, seat, kind)) - price, kind) for kind in kinds]
    return valued + [(VALUES[pulse.action](g, seat, 1), pulse) for pulse in options if isinstance(pulse, Activate)]


def times(g: Eclipse, seat: int, kind: str) -> int:
    """The activations that an action would have now."""
    return 1 if g.seats.passed[seat] else activations(g, seat, ACTIONS.index(kind))


# Explore


def explore_value(g: Eclipse, seat: int, n: int) -> float:
    """The value of the best zone, by the sectors it may contain."""
    reachable = zones(g, seat)
    best = max((_zone(g, seat, zone) for zone in reachable), default=-1.0)
    return best * (1 + worth.NUMBERS["explore-again"] * (n - 1))


def _zone(g: Eclipse, seat: int, zone: tuple[int, int]) -> float:
    """The mean value of the sectors that may still be in the zone's stack."""
    stack = ring(*zone)
    where = STACKED if g.round.left[stack] else DISCARDED
    pool = [tile for tile in g.const.stacks[stack] if g.sectors.where[tile] == where]
    near = -0.05 * (abs(zone[0]) + abs(zone[1]))
    return sum(_find(g, seat, tile) for tile in pool) / max(1, len(pool)) + near


def _find(g: Eclipse, seat: int, tile: int) -> float:
    """The value of a newly found sector."""
    e, friend = g.const, has_ability(g, seat, "ancient-friend")
    ancients = e.ancient_spaces[tile]
    affordable = g.seats.discs[seat] > 1 and worth.left_after(g, seat, 2) >= 0
    settles = max(0.0, worth.sector(g, seat, tile)) if affordable or not worth.last_round(g) else 0.0
    settles *= 1.0 if affordable else 0.5
    if ancients and friend:
        return settles + ancients
    if ancients:
        return worth.NUMBERS["dangerous"] * worth.rounds_to_come(g) * (1 if ancients == 1 else 0.5)
    return settles + (worth.discovery() if e.discovery_spaces[tile] else 0.0)


def explore(view: View, wait: Explore, rng: Random) -> Value:
    """Explore the best zone."""
    g, seat, options = view.g, wait.seat, list(wait.options(view.g))
    colony = best_colony(g, seat, options)
    if colony is not None:
        return colony
    reachable = [option for option in options if isinstance(option, Zone)]
    if Stop() in options and (not reachable or worth.left_after(g, seat, 0) < 0):
        return Stop()
    return max(reachable, key=lambda zone: (_zone(g, seat, (zone.q, zone.r)), zone.q, zone.r))


def laid(g: Eclipse, seat: int, tile: int, mask: int, zone: tuple[int, int]) -> float:
    """The value of a sector placed in a zone with these wormholes: its own, connections to own sectors, further ones,
    and those for opponents."""
    ways, value = sectors.graph(g), _find(g, seat, tile)
    for edge, (dq, dr) in enumerate(EDGES):
        if not mask >> edge & 1:
            continue
        to = zone[0] + dq, zone[1] + dr
        other = ways.at.get(to)
        if other is None:
            value += 0.2 / max(1, ring(*to))
        elif ways.masks[other] >> opposite(edge) & 1:
            owner = g.sectors.owner[other]
            value += 0.5 if owner == seat else -0.3 if owner != NOBODY else 0.15
    return value


def place_sector(view: View, wait: PlaceSector, rng: Random) -> Value:
    """Place the best sector in the best rotation; discard only a sector that would connect opponents."""
    g, best, top = view.g, "discard", -0.2
    for option in wait.options(g):
        if option == "discard":
            continue
        tile = g.const.sector_index[option.sector]
        value = laid(g, wait.seat, tile, g.const.wormholes[tile][option.turned], (wait.q, wait.r))
        if value > top:
            best, top = option, value
    return best


# Influence


def influence_value(g: Eclipse, seat: int, n: int) -> float:
    """The value of the sectors to take after the disc of the action, and of refreshed colony ships."""
    gains = sorted((take(g, seat, tile, 1) for tile, _ in targets(g, seat)), reverse=True)[:n]
    while gains and worth.left_after(g, seat, 1 + len(gains)) < 0:
        gains.pop()
    idle = g.seats.colony_all[seat] - g.seats.colony[seat]
    vacant = 0.0
    if idle and not g.seats.colony[seat]:
        vacant = _vacant(g, seat, min(idle, g.const.constants.colony_ship_refresh))
    return sum(gain for gain in gains if gain > 0) + vacant


def take(g: Eclipse, seat: int, tile: int, before: int = 0) -> float:
    """The value of a sector that the seat may take, after so many discs before that one."""
    return worth.sector(g, seat, tile, before) + worth.discovery() * g.sectors.discovery[tile]


def _vacant(g: Eclipse, seat: int, ships: int) -> float:
    """The value of what this many colony ships could settle now; they are refreshed next round anyway."""
    stars = population.advanced(g, seat)
    picks = [
        Colonise(g.const.sector_ids[tile], *pick)
        for tile, owner in enumerate(g.sectors.owner)
        if owner == seat
        for pick in population.vacancies(g, seat, tile, stars)
    ]
    best = sorted((worth.colony(g, seat, pick) for pick in picks), reverse=True)[:ships]
    return sum(max(0.0, one) for one in best) / max(1, worth.rounds_to_come(g)) * 1.2


def influence(view: View, wait: Influence, rng: Random) -> Value:
    """Take the best sector that upkeep allows; the first even at a loss, if the action had no effect without it."""
    g, seat, options = view.g, wait.seat, list(wait.options(view.g))
    colony = best_colony(g, seat, options)
    if colony is not None:
        return colony
    takes = [option for option in options if isinstance(option, Shift) and option.of == TRACK and option.to != TRACK]
    best = max(takes, key=lambda shift: take(g, seat, g.const.sector_index[shift.to]), default=None)
    idle = wait.n == 1 and g.seats.colony[seat] == g.seats.colony_all[seat]
    good = best is not None and (idle or take(g, seat, g.const.sector_index[best.to]) > 0)
    return best if good and worth.left_after(g, seat, 1) >= 0 else Stop()


# Research


def research_value(g: Eclipse, seat: int, n: int) -> float:
    """The value of the best affordable technology, and of the shrine that comes with it."""
    buys = boards.payable(g, seat, Research(Seat(seat), 1, n).options(g), 1)
    best = max((_buy(g, seat, buy) for buy in buys), default=-1.0)
    value, shrine = best * (1 + worth.NUMBERS["research-again"] * (n - 1)), shrine_value(g, seat)
    return max(0.0, value) + shrine if shrine else value


def _buy(g: Eclipse, seat: int, buy: Buy) -> float:
    price = cost(g, seat, g.const.technology_index[buy.tech], CATEGORIES.index(buy.track))
    return boards.technology_value(g, seat, buy, price)


def research(view: View, wait: Research, rng: Random) -> Value:
    """Research the best technology."""
    g, seat, options = view.g, wait.seat, list(wait.options(view.g))
    best = max(boards.payable(g, seat, options, 0), key=lambda buy: _buy(g, seat, buy), default=None)
    if best is None or (Stop() in options and _buy(g, seat, best) <= 0):
        return wait.caretaker(g)
    return best


# Upgrade


def upgrade(view: View, wait: Upgrade, rng: Random) -> Value:
    """Place the part with the greatest gain."""
    g, options = view.g, list(wait.options(view.g))
    _, place = boards.best_part(g, wait.seat, blueprints(g, wait.seat))
    if place is not None and place in options:
        return (place,)
    return wait.caretaker(g)


# Build


def build_value(g: Eclipse, seat: int, n: int) -> float:
    """The value of the best piece, with as many more as activations and materials allow."""
    best = _construct(g, seat, n, 1)
    if best is None:
        return -1.0
    construct, value = best
    price = g.const.build_cost[g.seats.species[seat]][PIECES.index(construct.piece)]
    return value * max(1, min(n, g.seats.store[seat, MATERIALS] // price))


def _construct(g: Eclipse, seat: int, n: int, discs: int) -> tuple[Construct, float] | None:
    options = boards.payable(g, seat, Build(Seat(seat), 1, n).options(g), discs)
    ahead = raids.Raids(g, seat, discs)
    valued = [(boards.build_value(g, seat, option, n, ahead), option.piece, option.sector) for option in options]
    if not valued:
        return None
    value, piece, sector = max(valued)
    return Construct(piece, sector), value


def build(view: View, wait: Build, rng: Random) -> Value:
    """Build the best piece, if it is worth its materials."""
    g, seat, options = view.g, wait.seat, list(wait.options(view.g))
    best = _construct(g, seat, wait.of - wait.n + 1, 0)
    if best is None or (best[1] <= 0 and Stop() in options):
        return wait.caretaker(g)
    return best[0]


# Move


def move_value(g: Eclipse, seat: int, n: int) -> float:
    """The value of the best raid, finished by this action or a second one."""
    raid = _plan(g, seat, n, n, 2)
    return raid.value if raid and _step(g, seat, raid, flights(g, seat)) else -1.0


def _plan(g: Eclipse, seat: int, n: int, again: int, discs: int) -> Raid | None:
    """The best raid by this many flights, or with those of a second action. discs: what is to be paid then."""
    at_once = raids.Raids(g, seat, discs - 1).best(n)
    if g.seats.passed[seat] or worth.left_after(g, seat, discs) < 0:
        return at_once
    twice = raids.Raids(g, seat, discs).best(n, again)
    if twice is None:
        return at_once
    value = twice.value * worth.NUMBERS["second-action"] - worth.disc(g, seat)
    if value > (at_once.value if at_once else 0.0):
        return Raid(twice.tile, twice.ships, value)
    return at_once


def move(view: View, wait: Move, rng: Random) -> Value:
    """Move the next ship of the raid as far towards its target as possible."""
    g, seat, options = view.g, wait.seat, list(wait.options(view.g))
    possible = [option for option in options if isinstance(option, Fly)]
    raid = _plan(g, seat, wait.of - wait.n + 1, wait.of, 1)
    if raid is None and Stop() not in options:
        # the disc is paid, so that a raid that just pays for it goes on
        raid = raids.Raids(g, seat, 0).best(wait.of, wait.of)
    step = _step(g, seat, raid, possible) if raid else None
    if step is not None:
        return step
    if Stop() in options:
        return Stop()
    return min(
        possible,
        key=lambda fly: (
            _fights(g, seat, fly),
            danger(g, seat, fly.to),
            _entered(g, seat, fly),
            fly.ship,
            fly.sector,
            fly.to,
        ),
    )


def _fights(g: Eclipse, seat: int, fly: Fly) -> bool:
    """True if a flight leaves a battle."""
    return bool(sectors.enemies(g, seat, g.const.sector_index[fly.sector]))


def _entered(g: Eclipse, seat: int, fly: Fly) -> int:
    """When the ship of a flight came to its sector: the greater, the later."""
    there, kind = sectors.fleet(g)[g.const.sector_index[fly.sector]], PIECES.index(fly.ship)
    return max(g.ships.entered[ship] for ship in there[seat] if ship_kind(g, ship) == kind)


def _step(g: Eclipse, seat: int, raid: Raid, possible: list[Fly]) -> Fly | None:
    """The flight of the raid's nearest ship that brings it nearest to the target, best through own sectors; None if
    none brings it nearer."""
    first, ships = raid.ships[0], sectors.fleet(g)
    ship, sector = PIECES[first.kind], g.const.sector_ids[first.tile]
    nearer = []
    for fly in possible:
        end = g.const.sector_index[fly.to]
        if (fly.ship, fly.sector) == (ship, sector) and (end == raid.tile or raids.onward(g, seat, end, ships)):
            left = 0 if end == raid.tile else raids.distances(g, seat, end, first.kind, ships).get(raid.tile, FARTHEST)
            nearer += [((left, g.sectors.owner[end] != seat, fly.to), fly)] if left < first.activations else []
    return min(nearer, key=lambda found: found[0])[1] if nearer else None


def half_wormholes(g: Eclipse, seat: int) -> bool:
    """True if the seat needs a wormhole on one edge only."""
    return has_effect(g, seat, "wormhole-generator")


def danger(g: Eclipse, seat: int, sector: str) -> tuple[bool, bool, bool]:
    """A sort key: the greater, the less a ship should go to a sector."""
    tile = g.const.sector_index[sector]
    return raids.shunned(g, seat, tile), bool(sectors.enemies(g, seat, tile)), g.sectors.owner[tile] != seat


def finish(view: View, wait: Finish, rng: Random) -> Value:
    """Use colony ships for sectors found by this action."""
    return best_colony(view.g, wait.seat, list(wait.options(view.g))) or DONE


VALUES: Mapping[str, Callable[[Eclipse, int, int], float]] = MappingProxyType(
    {
        "explore": explore_value,
        "influence": influence_value,
        "research": research_value,
        "upgrade": boards.upgrades,
        "build": build_value,
        "move": move_value,
    }
)
"""The value of an action, by its kind and number of activations."""

ANSWERS: Mapping[type, Callable[[View, Any, Random], Value]] = MappingProxyType(
    {
        Menu: menu,
        Explore: explore,
        PlaceSector: place_sector,
        Influence: influence,
        Research: research,
        Upgrade: upgrade,
        Build: build,
        Move: move,
        Finish: finish,
    }
)
"""The answers to the waits of a turn."""
