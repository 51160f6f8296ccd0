# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a position is possible: conservation of every kind of piece, the range of every column, the planned
segments.

It is used for positions set up by hand, and by tests after every segment of random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from typing import Any

from engine.core.agenda import Item
from engine.core.errors import Refusal
from engine.core.sections import Column, Grid, flat
from engine.emperor import galaxy
from engine.emperor.control import all_placed
from engine.emperor.state import BOARD, FLEET, HOME, NO_TOKEN, NOBODY, OUT, SUPPLY, Emperor, ship_kind
from engine.emperor.technologies import NONE, SPENT
from engine.emperor.terms import DREADNOUGHT, EXPLORER, FREE, GONE, ROLES, WARLORD_2

__all__ = ["judge"]

MOST = 9999
"""Limit of points, rounds and Marks. No game comes near it, and sums up to it do not overflow."""
IN_BATTLE = ("free-fire", "fire", "aftermath")


def judge(g: Emperor, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    """Return None for a possible position, else the first fault with its path: ``seats.reserve.1`` (9, 8)."""
    for part in (_ranges, _tiles, _control, _tokens, _food, _cards, _ships, _course, _battle):
        for problem in part(g):
            return problem
    return _agenda(g, segments)


def _bounds(g: Emperor) -> dict[str, tuple[int, int]]:
    """Return the least and greatest value of every field, by path."""
    n, const, numbers = g.table.seats, g.const, g.const.numbers
    seats, spaces = (NOBODY, n - 1), (NOBODY, len(const.spaces) - 1)
    tokens = (0, numbers.empires[str(n)])
    return {
        "round.number": (0, MOST), "round.phase": (0, 2), "round.throne": seats, "round.direction": (-1, 1),
        "round.first": (0, n - 1), "round.picks": (0, n), "round.chooser": seats,
        "round.role": (NOBODY, len(ROLES) - 1),
        "round.pool": (-MOST, MOST), "round.purchases": (0, n),
        "round.last": (int(all_placed(g)), 1), "round.cards": (0, GONE), "round.prices": (0, MOST),
        "round.display": (0, 2), "seats.marks": (0, MOST), "seats.metal": (0, numbers.metal_room),
        "seats.energy": (0, numbers.energy_room), "seats.vp": (0, MOST), "seats.reserve": tokens,
        "seats.influence": tokens, "seats.throne": tokens, "seats.crown": (0, 1), "seats.final": (0, MOST),
        "seats.techs": (NONE, SPENT), "seats.duel": (0, max(SUPPLY)), "sectors.tile": (NOBODY, len(const.tiles) - 1),
        "sectors.owner": seats, "sectors.token": (NO_TOKEN, HOME), "sectors.food": (0, numbers.food_room),
        "sectors.before": (0, n), "sectors.influence": tokens, "tiles.where": (0, OUT), "ships.place": spaces,
        "ships.moved": (0, 1), "ships.came": spaces, "ships.warped": (0, 1), "ships.damage": (0, 1),
        "battle.site": spaces, "battle.attacker": seats, "battle.defender": seats,
        "battle.extra": (NOBODY, DREADNOUGHT),
        "battle.token": (0, 1), "battle.warp": (0, 1), "battle.helped": seats,
    }  # fmt: skip


def _ranges(g: Emperor) -> Iterator[Refusal]:
    for path, (low, high) in _bounds(g).items():
        section, field = path.split(".")
        held: int | Column | Grid = getattr(getattr(g, section), field)
        values = {path: held} if isinstance(held, int) else {f"{path}.{at}": one for at, one in enumerate(flat(held))}
        for where, value in values.items():
            if not low <= value <= high:
                yield Refusal("position/out-of-range", where, (value, low, high))


def _tiles(g: Emperor) -> Iterator[Refusal]:
    const, lying = g.const, list(g.sectors.tile)
    for tile, where in enumerate(g.tiles.where):
        if lying.count(tile) != (where == BOARD):
            yield Refusal("position/tile", f"tiles.where.{tile}", (const.tiles[tile].id, lying.count(tile), where))
    swapped = g.tiles.where[const.black_hole] == BOARD
    if lying[const.centre] != (const.black_hole if swapped else const.sun):
        yield Refusal("position/centre", f"sectors.tile.{const.centre}", (lying[const.centre],))
    if (g.tiles.where[const.sun] == OUT) != swapped:
        yield Refusal("position/tile", f"tiles.where.{const.sun}", (g.tiles.where[const.sun],))
    for tile, where in enumerate(g.tiles.where):
        if where == OUT and tile != const.sun:
            yield Refusal("position/tile", f"tiles.where.{tile}", (const.tiles[tile].id, where))


def _control(g: Emperor) -> Iterator[Refusal]:
    const, sectors = g.const, g.sectors
    corners = [const.space_index[name] for name in const.numbers.homes[str(g.table.seats)]]
    for seat, corner in enumerate(corners):
        if (sectors.tile[corner], sectors.owner[corner], sectors.token[corner]) != (const.homes[seat], seat, HOME):
            yield Refusal("position/home", f"sectors.token.{corner}", (seat, const.spaces[corner]))
    for space, token in enumerate(sectors.token):
        if (sectors.owner[space] == NOBODY) != (token == NO_TOKEN):
            yield Refusal("position/token", f"sectors.token.{space}", (token, sectors.owner[space]))
        if token and not galaxy.is_planet(g, space):
            yield Refusal("position/no-planet", f"sectors.token.{space}", (const.spaces[space],))
        if token == HOME and space not in corners:
            yield Refusal("position/home", f"sectors.token.{space}", (const.spaces[space],))


def _tokens(g: Emperor) -> Iterator[Refusal]:
    n, seats = g.table.seats, g.seats
    total = g.const.numbers.empires[str(n)]
    pairs = list(zip(g.sectors.owner, g.sectors.token, strict=True))
    for seat in range(n):
        board = sum(owner == seat and token != HOME for owner, token in pairs)
        placed = sum(g.sectors.influence[space, seat] for space in range(len(g.const.spaces)))
        held = board + placed + seats.reserve[seat] + seats.influence[seat] + seats.throne[seat]
        if held != total:
            yield Refusal("position/empires", f"seats.reserve.{seat}", (held, total))
    given, pool = sum(seats.vp), g.const.numbers.pool[str(n)]
    if given + g.round.pool != pool:
        yield Refusal("position/points", "round.pool", (given, g.round.pool, pool))


def _food(g: Emperor) -> Iterator[Refusal]:
    for space, food in enumerate(g.sectors.food):
        tile = g.sectors.tile[space]
        if food and (tile == NOBODY or not any(g.const.icons[tile][1:])):
            yield Refusal("position/food", f"sectors.food.{space}", (food, g.const.spaces[space]))


def _cards(g: Emperor) -> Iterator[Refusal]:
    for tech, display in enumerate(g.round.display):
        owners = sum(g.seats.techs[seat, tech] != NONE for seat in range(g.table.seats))
        if owners != (display == 2):
            yield Refusal("position/technology", f"round.display.{tech}", (g.const.technologies[tech].id, owners))
    if (g.round.cards[EXPLORER] == GONE) == (g.round.cards[WARLORD_2] == GONE):
        yield Refusal("position/roles", f"round.cards.{EXPLORER}", (g.round.cards[EXPLORER],))
    free = len(g.round.cards) - list(g.round.cards).count(GONE)
    if free < g.table.seats:
        yield Refusal("position/roles", "round.cards", (free, g.table.seats))


def _ships(g: Emperor) -> Iterator[Refusal]:
    for ship, place in enumerate(g.ships.place):
        if place != NOBODY and galaxy.is_home(g, place) and g.sectors.owner[place] != ship // FLEET:
            yield Refusal("position/foreign-home", f"ships.place.{ship}", (g.const.spaces[place],))
        if place != NOBODY and galaxy.sun(g, place) and "displace" not in _planned(g):
            yield Refusal("position/sun", f"ships.place.{ship}", (g.const.spaces[place],))
        if g.ships.damage[ship] and (place == NOBODY or ship_kind(ship) != DREADNOUGHT):
            yield Refusal("position/damage", f"ships.damage.{ship}", (1,))


def _planned(g: Emperor) -> list[int | str]:
    """Return the names of the running and planned segments."""
    return [item[0] for item in (g.flow.now, *g.flow.agenda) if item]


def _course(g: Emperor) -> Iterator[Refusal]:
    """Check what the planned segments require."""
    planned, now = _planned(g), g.round
    if (now.throne == NOBODY) != ("claim-throne" in planned):
        yield Refusal("position/throne", "round.throne", (now.throne,))
    in_role = any(name in planned for name in ("end-role", "final", "claim-throne"))
    if in_role and NOBODY in (now.chooser, now.role):
        yield Refusal("position/role", "round.role", (now.role, now.chooser))
    if now.direction == 0 and now.number and "direction" not in planned:
        yield Refusal("position/direction", "round.direction", (0,))
    if "trade" in planned and "market" not in planned and not all(now.prices):
        yield Refusal("position/prices", "round.prices", tuple(now.prices))
    free = list(now.cards).count(FREE)
    if free < g.table.seats - now.picks:
        yield Refusal("position/roles", "round.cards", (free, now.picks))
    if "tie" in planned and g.seats.crown.count(1):
        yield Refusal("position/crown", "seats.crown", tuple(g.seats.crown))


def _battle(g: Emperor) -> Iterator[Refusal]:
    now, fights = g.battle, any(name in IN_BATTLE for name in _planned(g))
    sides = (now.site, now.attacker, now.defender)
    if fights and (NOBODY in sides or now.attacker == now.defender or galaxy.is_home(g, now.site)):
        yield Refusal("position/battle", "battle.site", sides)
    if not fights and (sides != (NOBODY,) * 3 or now.extra != NOBODY or now.token or now.warp):
        yield Refusal("position/battle", "battle.site", sides)


def _agenda(g: Emperor, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    items = [("flow.now", g.flow.now), *((f"flow.agenda.{at}", item) for at, item in enumerate(g.flow.agenda))]
    for path, item in items:
        if item and not _possible(g, segments, item):
            return Refusal("position/agenda-arguments", path, tuple(item))
    return None


def _possible(g: Emperor, segments: Mapping[str, Callable[..., Any]], item: Item) -> bool:
    if item[0] not in segments:
        return False
    names = [*signature(segments[str(item[0])]).parameters][1:]
    named = dict(zip(names, item[1:], strict=False))
    if "attacker" in named and named["attacker"] == named.get("defender"):
        return False
    return all(_there(g, name, value) for name, value in named.items())


def _there(g: Emperor, name: str, value: int | str) -> bool:
    """True if an argument of this name may have this value."""
    if not isinstance(value, int):
        return False
    seats, cards = g.table.seats, len(g.const.technologies)
    highest = {
        "seat": seats - 1, "attacker": seats - 1, "defender": seats - 1, "space": len(g.const.spaces) - 1,
        "cheap": cards, "extra": cards, "standing": 1, "phase": 3, "bout": g.const.numbers.duels,
    }  # fmt: skip
    return (1 if name in ("phase", "bout") else 0) <= value <= highest[name]
