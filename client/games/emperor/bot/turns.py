# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers of the greedy bot in Galactic Emperor, by their immediate value in planets and points.

Planets count at every Regent and at the end, so the bot takes free planets first, attacks weak ones if its fleet or
influence surely wins, keeps its sectors fed, and chooses the role that brings it more than the others. The bot does not
change the view and uses nothing else. `answer` is the entry point: one answer to one wait of the game "emperor".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from client.bots.numbers import GREEDY, Numbers
from client.games.emperor.bot.worth import fleet_strength, lands, planets_of, standing, strength, tile_worth, win_odds
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.emperor import galaxy
from engine.emperor.catalog import away
from engine.emperor.combat import ExtraDie, Retreat
from engine.emperor.flow import ChooseRole
from engine.emperor.roles.engineer import Build, BuildShip, DeployFighter
from engine.emperor.roles.explorer import ClaimTile, PlaceTile
from engine.emperor.roles.merchant import Discard, Guild, Lay, NameResource, Sell, Trade
from engine.emperor.roles.regent import BuyInfluence, Exert, outcome
from engine.emperor.roles.scientist import BuyTechnology
from engine.emperor.roles.scientist import judge as unaffordable
from engine.emperor.roles.steward import FreeCube, RunFree
from engine.emperor.roles.warlord import ClaimSector, MoveShip, Ship, Warp
from engine.emperor.stacks import face_up
from engine.emperor.state import NO_TOKEN, NOBODY, Emperor
from engine.emperor.technologies import Reroll, Sabotage, UseTechnology
from engine.emperor.terms import ENERGY, METAL, UNITS

NUMBERS: Final = Numbers(__package__)
"""The numbers in use; `numbers.toml` says what each of them is."""
LONG: Final = 12
"""Rounds after which the Regent becomes more valuable, because only points from the pool are sure to end a game."""
WANTED: Final = (
    "targeting-computers", "diplomatic-corps", "propaganda", "hydroponics", "fusion-drive", "robotics", "time-warp",
    "deflector-shields", "modular-hulls", "trade-guild", "saboteurs", "colony-pods",
)  # fmt: skip
"""Effects of technologies, the best first."""


def answer(view: View, wait: Choose[Any], rng: Random, numbers: Mapping[str, float] | None = None) -> Value:
    """The bot's answer; for a wait that it does not handle, the caretaker's. numbers: by which it values."""
    think = ANSWERS.get(type(wait))
    if think is None:
        return wait.caretaker(view.g)
    with NUMBERS.using(NUMBERS.styled(GREEDY) if numbers is None else numbers):
        return think(view.g, wait)


# Roles


def choose_role(g: Emperor, wait: ChooseRole) -> Value:
    """Choose the role with the greatest advantage over the other seats."""
    return max(wait.options(g), key=lambda name: (ROLE_WORTH[name](g, wait.seat), name))


def _explorer(g: Emperor, seat: int) -> float:
    best = max((tile_worth(g, tile) for tile in face_up(g)), default=0.0)
    return NUMBERS["explorer"] * best if g.seats.reserve[seat] else 0.2


def _merchant(g: Emperor, seat: int) -> float:
    room = sum(g.const.numbers.food_room - g.sectors.food[space] for space in galaxy.generating(g, seat))
    return 1.0 + NUMBERS["merchant"] * room


def _steward(g: Emperor, seat: int) -> float:
    fed = [sum(g.sectors.food[space] > 0 for space in galaxy.generating(g, other)) for other in range(g.table.seats)]
    return 0.5 + NUMBERS["steward"] * fed[seat] - 0.2 * (sum(fed) - fed[seat]) / (len(fed) - 1)


def _engineer(g: Emperor, seat: int) -> float:
    return 0.6 + NUMBERS["engineer"] * min(g.seats.marks[seat], 6)


def _warlord(g: Emperor, seat: int) -> float:
    prizes = [_target(g, seat, space, 0.0) for space in lands(g)]
    return 0.3 + NUMBERS["warlord"] * sum(sorted(prizes)[-2:])


def _regent(g: Emperor, seat: int) -> float:
    mine = galaxy.planets(g, seat)
    others = [galaxy.planets(g, other) for other in range(g.table.seats) if other != seat]
    long = max(0, g.round.number - LONG)
    ahead = mine - sum(others) / len(others)
    return 1.2 + NUMBERS["regent"] * ahead + 0.4 * (g.seats.marks[seat] >= 2) + NUMBERS["hurry"] * long


def _scientist(g: Emperor, seat: int) -> float:
    return (
        NUMBERS["scientist"]
        if any(unaffordable(g, seat, tech) is None for tech in range(len(g.const.technologies)))
        else 0.1
    )


ROLE_WORTH: Final[Mapping[str, Callable[[Emperor, int], float]]] = {
    "explorer": _explorer, "merchant": _merchant, "steward": _steward, "engineer": _engineer, "warlord": _warlord,
    "regent": _regent, "scientist": _scientist, "warlord-2": _warlord,
}  # fmt: skip


# Explorer


def place_tile(g: Emperor, wait: PlaceTile) -> Value:
    """Place good tiles near the own bases, bad ones near those of others."""
    const = g.const
    tiles = sorted(wait.options(g), key=lambda id: -tile_worth(g, const.tile_index[id]))
    tile = tiles[0]
    spaces = wait.options(g, None, (tile,))
    if not spaces:
        return (tile,)
    good = tile_worth(g, const.tile_index[tile]) > 0

    def near(name: str) -> tuple[float, str]:
        space = const.space_index[name]
        mine = _reach(g, wait.seat, space)
        others = min(_reach(g, other, space) for other in range(g.table.seats) if other != wait.seat)
        return (others - 1.5 * mine if good else mine - others), name

    return tile, max(spaces, key=near)


def _reach(g: Emperor, seat: int, space: int) -> int:
    return min(away(g.const, base, space) for base in galaxy.controlled(g, seat))


def claim_tile(g: Emperor, wait: ClaimTile) -> Value:
    """Claim it, unless the last token would end a game that others lead."""
    return wait.how if _may_end(g, wait.seat) else None


def _may_end(g: Emperor, seat: int) -> bool:
    return g.seats.reserve[seat] > 1 or standing(g, seat) == 0


# Merchant and Steward


def discard(g: Emperor, wait: Discard) -> Value:
    """Prefer high prices with much to sell, else low ones."""
    stock = g.seats.metal[wait.seat] + 2 * g.seats.energy[wait.seat]
    return min(wait.dice) if stock >= 6 else max(wait.dice)


def guild(g: Emperor, wait: NameResource) -> Value:
    """Choose cheaper food, to place more of it."""
    return Guild("food", "cheaper")


def trade(g: Emperor, wait: Trade) -> Value:
    """Sell what is not needed, then feed the sectors with the greatest yield."""
    picks: tuple[Value, ...] = ()
    for resource, keep in ((METAL, 3), (ENERGY, 3)):
        surplus = wait.stock(g, resource) - keep
        options = wait.options(g, None, picks)
        sales = [option for option in options if isinstance(option, Sell) and option.amount == surplus]
        picks = (*picks, sales[0] if sales else options[0])
    while options := wait.options(g, None, picks):
        marks = wait.budget(g, picks)
        lays = [lay for lay in options if isinstance(lay, Lay) and lay.food * wait.prices[0] <= marks - 2]
        picks = (*picks, lays[-1] if lays else options[0])
    return picks


def free_cube(g: Emperor, wait: FreeCube) -> Value:
    """Take energy, the more expensive resource."""
    options = wait.options(g)
    return "energy" if "energy" in options else options[-1]


def run_free(g: Emperor, wait: RunFree) -> Value:
    """Run the sector with the greatest yield."""
    names = [name for name in wait.options(g) if name is not None]
    return max(names, key=lambda name: (sum(g.const.icons[g.sectors.tile[g.const.space_index[name]]][1:]), name))


# Engineer and Scientist


def deploy(g: Emperor, wait: DeployFighter) -> Value:
    """Deploy at the base nearest to the best target."""
    return _yard(g, wait.seat, [name for name in wait.options(g) if name is not None])


def _yard(g: Emperor, seat: int, names: Sequence[str]) -> str:
    goals = [space for space in lands(g) if g.sectors.owner[space] != seat] or [g.const.centre]
    return min(names, key=lambda name: (min(away(g.const, g.const.space_index[name], goal) for goal in goals), name))


def build(g: Emperor, wait: BuildShip) -> Value:
    """Build the largest ships first, while two Marks are left."""
    options = wait.options(g)
    if "modular-hulls" in options:
        return "modular-hulls"
    for kind in ("dreadnought", "cruiser", "fighter"):
        ships = [option for option in options if isinstance(option, Build) and option.ship == kind]
        if ships and g.seats.marks[wait.seat] - g.const.units[UNITS.index(kind)].marks >= NUMBERS["kept"]:
            yard = _yard(g, wait.seat, [ship.space for ship in ships])
            return Build(kind, yard)
    return None


def buy_technology(g: Emperor, wait: BuyTechnology) -> Value:
    """Buy the best available technology."""
    cards = [g.const.technologies[g.const.technology_index[id]] for id in wait.options(g) if id is not None]
    return min(cards, key=lambda card: WANTED.index(card.effect)).id if cards else None


# Warlord


def move(g: Emperor, wait: MoveShip) -> Value:
    """Move the ship with the best prize; none if staying is better."""
    options = wait.options(g)
    if "fusion-drive" in options:
        return ("fusion-drive",)
    best, value = (None,), 0.05
    for ship in (option for option in options if isinstance(option, Ship)):
        for way in _ways(g, wait, (ship,)):
            last = next(part for part in reversed(way) if part is not None)
            space = g.const.space_index[last.space if isinstance(last, Warp) else last]
            gain = _move_gain(g, wait.seat, ship, space)
            if gain > value:
                best, value = way, gain
    return best


def _ways(g: Emperor, wait: MoveShip, so_far: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    options = wait.options(g, None, so_far)
    if not options:
        yield so_far
    for option in options:
        yield from _ways(g, wait, (*so_far, option))


def _move_gain(g: Emperor, seat: int, ship: Ship, space: int) -> float:
    """The gain of a ship by going there, less the value of what it leaves."""
    start = g.const.space_index[ship.space]
    group = fleet_strength(g, [other for other in galaxy.fleet(g, seat, start) if not g.ships.moved[other]])
    stays = NUMBERS["stays"] if galaxy.free_sector(g, seat, start) and len(galaxy.fleet(g, seat, start)) == 1 else 0.0
    return _target(g, seat, space, group) - stays


def _target(g: Emperor, seat: int, space: int, coming: float) -> float:
    """The value of sending ships to a space. coming: the strength that could arrive together."""
    planets = planets_of(g, space)
    here = fleet_strength(g, galaxy.fleet(g, seat, space))
    foes = galaxy.foes(g, seat, space)
    if not foes:
        free = g.sectors.token[space] == NO_TOKEN and g.seats.reserve[seat] > 0
        return float(planets) if planets and free and not here else 0.0
    if galaxy.is_home(g, space) or not _reachable(g, seat, space, coming):
        return 0.0
    odds = win_odds(here + coming, strength(g, foes[0], space))
    return (NUMBERS["fight"] + planets) * odds if odds >= NUMBERS["bold"] else 0.0


def _reachable(g: Emperor, seat: int, space: int, coming: float) -> bool:
    return coming > 0 or bool(galaxy.fleet(g, seat, space))


def claim_sector(g: Emperor, wait: ClaimSector) -> Value:
    """Claim the sector with most planets, unless the last token would end a game that others lead."""
    spaces = wait.spaces(g)
    if not spaces or not _may_end(g, wait.seat):
        return None
    return g.const.spaces[max(spaces, key=lambda space: (planets_of(g, space), -space))]


def extra_die(g: Emperor, wait: ExtraDie) -> Value:
    """Add a die for the kind that hits most easily."""
    return min(wait.options(g), key=lambda name: g.const.units[UNITS.index(name)].hits)


def retreat(g: Emperor, wait: Retreat) -> Value:
    """Retreat if the battle looks lost."""
    space = g.const.space_index[wait.space]
    odds = win_odds(strength(g, wait.seat, space), strength(g, g.battle.defender, space))
    return "retreat" if odds < NUMBERS["hopeless"] else None


# Regent


def buy_influence(g: Emperor, wait: BuyInfluence) -> Value:
    """Buy influence if it is cheap."""
    options = wait.options(g)
    if "propaganda" in options:
        return "propaganda"
    cheap = wait.cost <= NUMBERS["influence-cost"] and g.seats.marks[wait.seat] >= wait.cost + NUMBERS["kept"]
    return "buy" if "buy" in options and cheap else None


def exert(g: Emperor, wait: Exert) -> Value:
    """Place one token after the other where it changes most."""
    picks: tuple[str | None, ...] = ()
    while options := wait.options(g, None, picks):
        names = [name for name in options if name is not None]
        best = max(names, key=lambda name: (_influence_gain(g, wait.seat, name, picks), name))
        picks = (*picks, best if _influence_gain(g, wait.seat, best, picks) > 0 else None)
    return picks


def _influence_gain(g: Emperor, seat: int, name: str, picks: Sequence[str | None]) -> float:
    """The value of one more token there, given those placed so far."""
    mine = picks.count(name)
    if name == "throne":
        before, after = list(g.seats.throne), list(g.seats.throne)
        worth = NUMBERS["throne"]
    else:
        space = g.const.space_index[name]
        before = list(row_of(g.sectors.influence, space))
        if g.sectors.owner[space] != NOBODY:
            before[g.sectors.owner[space]] += g.sectors.token[space]
        after = list(before)
        worth = float(planets_of(g, space))
    before[seat] += mine
    after[seat] += mine + 1
    return _change(before, after, seat, worth)


def _change(before: Sequence[int], after: Sequence[int], seat: int, worth: float) -> float:
    (had, had_left), (has, left) = outcome(before), outcome(after)
    gain = worth * ((has == seat) - (had == seat))
    gain += 0.5 * worth * ((had not in (seat, NOBODY)) - (has not in (seat, NOBODY)))
    return gain + (0.25 * worth * (left > had_left) if has == had == seat and had_left < 2 else 0.0)


# Technologies


def use(g: Emperor, wait: UseTechnology) -> Value:
    """Use everything that is free."""
    return wait.technology


def sabotage(g: Emperor, wait: Sabotage) -> Value:
    """Always use it: the card is ready again in the next round."""
    return "sabotage"


def reroll(g: Emperor, wait: Reroll) -> Value:
    """Reroll in an own battle a die that missed, or one of the other side that hit."""
    if g.battle.site == NOBODY or wait.seat not in (g.battle.attacker, g.battle.defender):
        return None
    bad = [at for at, (face, least, seat) in enumerate(wait.dice) if (face >= least) == (seat != wait.seat)]
    options = wait.options(g)
    return next((at + 1 for at in bad if at + 1 in options), None)


ANSWERS: Final[Mapping[type, Callable[[Emperor, Any], Value]]] = {
    BuildShip: build, BuyInfluence: buy_influence, BuyTechnology: buy_technology, ChooseRole: choose_role,
    ClaimSector: claim_sector, ClaimTile: claim_tile, DeployFighter: deploy, Discard: discard, Exert: exert,
    ExtraDie: extra_die, FreeCube: free_cube, MoveShip: move, NameResource: guild, PlaceTile: place_tile,
    Reroll: reroll, Retreat: retreat, RunFree: run_free, Sabotage: sabotage, Trade: trade, UseTechnology: use,
}  # fmt: skip
"""The answers by wait; the caretaker answers all others."""
