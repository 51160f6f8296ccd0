# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers outside of turns: discoveries, combat, diplomacy, reputation, upkeep, set-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from client.games.eclipse.bot import boards, worth
from client.games.eclipse.bot.battle import chance, side
from client.games.eclipse.bot.turn import best_colony, danger
from client.games.eclipse.bot.wanderers import best_swap
from engine.core.sections import row_of
from engine.core.values import Handle, Value
from engine.core.views import View
from engine.eclipse import free, sectors
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.explore import LookAgain, held
from engine.eclipse.actions.research import Buy, PlacePortal, Split, TakeResources
from engine.eclipse.blueprints import stats
from engine.eclipse.combat.aftermath import Control, TakeControl
from engine.eclipse.combat.bombard import AttackPopulation, Bombard
from engine.eclipse.combat.reputation import Keep, KeepTile
from engine.eclipse.combat.strike import Attack, Engage, Retreat
from engine.eclipse.diplomacy import AnswerOffer
from engine.eclipse.discovery import POINTS, STORE, TakeDiscovery
from engine.eclipse.events.black_hole import Reappear
from engine.eclipse.population import BringBack, ReturnCube
from engine.eclipse.scoring import REPUTATION_FOR_A_POINT
from engine.eclipse.setup import PickSpecies
from engine.eclipse.species import artifacts
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import CATEGORIES, CRUISER, MONEY, RESOURCES, SCIENCE
from engine.eclipse.upkeep import Abandon, MakeMoney, Settle

MEAN_TILE = 2


def pick_species(view: View, wait: PickSpecies, rng: Random) -> Value:
    """Pick any species at random, so that tables differ."""
    return rng.choice(list(wait.options(view.g)))


def look_again(view: View, wait: LookAgain, rng: Random) -> Value:
    """Look at a second sector if that costs nothing."""
    options = list(wait.options(view.g))
    drawn = held(view.g)
    poor = all(worth.sector(view.g, wait.seat, tile) < 1.5 for tile in drawn)
    return options[-1] if poor else None


def take_control(view: View, wait: TakeControl, rng: Random) -> Value:
    """Take control of a sector that is worth its upkeep, if the upkeep can be paid."""
    g, tile = view.g, view.g.const.sector_index[wait.sector]
    pays = worth.sector(g, wait.seat, tile) > 0 and worth.left_after(g, wait.seat, 1) >= 0
    return Control(wait.sector) if pays else None


def take_discovery(view: View, wait: TakeDiscovery, rng: Random) -> Value:
    """Take the effect if it is worth more than the points."""
    g = view.g
    best, top = POINTS, float(g.const.constants.discovery_vp)
    for option in wait.options(g):
        if option != POINTS:
            value = _effect(g, wait, option)
            if value > top:
                best, top = option, value
    return best


def _effect(g: Eclipse, wait: TakeDiscovery, option: Value) -> float:
    """The value of one use of a discovery."""
    e, seat = g.const, wait.seat
    discovery = e.discovery_index[wait.discovery]
    gains = zip(worth.units(g, seat), e.discovery_resources[discovery], strict=True)
    value = sum(unit * amount for unit, amount in gains) * (0.1 if worth.last_round(g) else 1.3)
    early = worth.rounds_to_come(g) / e.constants.rounds
    match e.discovery_effect[discovery]:
        case "part":
            scored = "ancient-parts" in e.species[g.seats.species[seat]].scoring
            if option == STORE:
                return 0.5 * early + scored
            return 2.2 * boards.place_gain(g, seat, option) + scored
        case "ancient-tech":
            track = CATEGORIES[e.category[e.technology_index[option]]]
            return boards.technology_value(g, seat, Buy(option, track), 0) + 0.5 * early
        case "ancient-cruiser":
            return 0.4 + 3.2 * early + 0.3 * worth.power(stats(g, seat, CRUISER)) * early
        case "ancient-orbital":
            return value + max(worth.cube(g, seat, MONEY), worth.cube(g, seat, SCIENCE))
        case "ancient-monolith":
            return float(e.constants.monolith_vp) * 0.95
        case "ancient-warp-portal":
            return float(e.constants.portal_discovery_vp) + 0.2 * early
        case "artifact-codex":
            return artifacts(g, seat) + 2.0 * early
        case "ancient-might":
            held = sum(tile > 0 for tile in row_of(g.seats.reputation, seat))
            return (MEAN_TILE * held + 4.0 * early) / REPUTATION_FOR_A_POINT
    return value


def place_portal(view: View, wait: PlacePortal, rng: Random) -> Value:
    """Place it in the safest sector: the one with the most own neighbours."""
    g, index = view.g, view.g.const.sector_index

    def safety(sector: str) -> tuple[int, str]:
        near = sectors.neighbours(g, index[sector])
        return sum(g.sectors.owner[to] == wait.seat for to in near), sector

    return max(wait.options(g), key=safety)


def take_resources(view: View, wait: TakeResources, rng: Random) -> Value:
    """Take all of the most valuable resource."""
    units = worth.units(view.g, wait.seat)
    best = max(range(len(units)), key=lambda resource: units[resource])
    return Split(*(wait.artifacts * (resource == best) for resource in range(len(units))))


def reappear(view: View, wait: Reappear, rng: Random) -> Value:
    """Choose the safest sector."""
    return min(wait.options(view.g), key=lambda sector: danger(view.g, wait.seat, sector))


def engage(view: View, wait: Engage, rng: Random) -> Value:
    """Fight on, or retreat if the battle cannot be won."""
    g, tile = view.g, view.g.const.sector_index[wait.sector]
    options = list(wait.options(g))
    retreats = [option for option in options if isinstance(option, Retreat)]
    if retreats:
        ships = sectors.fleet(g)
        own = side(g, wait.seat, ships[tile][wait.seat])
        others = sorted((owner, theirs) for owner, theirs in ships[tile].items() if owner != wait.seat)
        foes = tuple(one for owner, theirs in others for one in side(g, owner, theirs))
        if chance(own, foes) < worth.NUMBERS["hopeless"]:
            return retreats[0]
    return next(option for option in options if isinstance(option, Attack))


def attack_population(view: View, wait: AttackPopulation, rng: Random) -> Value:
    """Always attack: it is an opponent's population."""
    return Bombard(wait.sector)


def keep_tile(view: View, wait: KeepTile, rng: Random) -> Value:
    """Keep the best tile on a free place, or instead of a lesser one."""
    g, seat, lens = view.g, wait.seat, view.lens
    best, top = None, 0
    for option in wait.options(g, lens):
        if not isinstance(option, Keep):
            continue
        lies = g.seats.reputation[seat, option.place - 1]
        old = _face(lens, Handle(option.tile.deck, lies - 1)) if lies > 0 else 0
        gain = _face(lens, option.tile) - old
        if gain > top:
            best, top = option, gain
    return best


def _face(lens: Mapping[Handle, Any], tile: Handle) -> int:
    return int(lens.get(tile, MEAN_TILE))


def answer_offer(view: View, wait: AnswerOffer, rng: Random) -> Value:
    """Accept with the cheapest cube, if no reputation tile has to be given back."""
    g, seat = view.g, wait.seat
    good = [option for option in wait.options(g) if option is not None and option.returned < 0]
    return max(good, key=lambda option: worth.cube(g, seat, RESOURCES.index(option.cube)), default=None)


def return_cube(view: View, wait: ReturnCube | BringBack, rng: Random) -> Value:
    """Return it to the track that loses least."""
    g, seat = view.g, wait.seat
    return min(wait.options(g), key=lambda name: (worth.cube(g, seat, RESOURCES.index(name), -1), name))


def settle(view: View, wait: Settle, rng: Random) -> Value:
    """Use every colony ship before income, if only for a resource."""
    options = list(wait.options(view.g))
    return best_colony(view.g, wait.seat, options) or best_swap(view.g, wait.seat, options) or Stop()


def make_money(view: View, wait: MakeMoney, rng: Random) -> Value:
    """Use a colony ship first; then trade the most plentiful resource; else abandon the least valuable sector."""
    g, seat = view.g, wait.seat
    options = list(wait.options(g))
    swap = best_swap(g, seat, options)
    if swap is not None:
        return swap
    trades = [option for option in options if isinstance(option, free.Trade)]
    if trades:
        return max(trades, key=lambda trade: (g.seats.store[seat, RESOURCES.index(trade.of)], trade.of))
    leaves = [option for option in options if isinstance(option, Abandon)]
    return min(leaves, key=lambda leave: (worth.sector(g, seat, g.const.sector_index[leave.sector]), leave.sector))


ANSWERS: Mapping[type, Callable[[View, Any, Random], Value]] = MappingProxyType(
    {
        PickSpecies: pick_species,
        LookAgain: look_again,
        TakeControl: take_control,
        TakeDiscovery: take_discovery,
        PlacePortal: place_portal,
        TakeResources: take_resources,
        Reappear: reappear,
        Engage: engage,
        AttackPopulation: attack_population,
        KeepTile: keep_tile,
        AnswerOffer: answer_offer,
        ReturnCube: return_cube,
        BringBack: return_cube,
        Settle: settle,
        MakeMoney: make_money,
    }
)
"""The answers by wait; the caretaker answers all others."""
