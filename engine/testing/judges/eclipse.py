# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a position is possible: conservation of every kind of piece, and the range of every column.

It is used for positions set up by hand, and by tests after every segment of random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.errors import Refusal
from engine.core.sections import Column, Grid, column, flat, row_of
from engine.eclipse.population import GRAVES, ORBITAL_SQUARE
from engine.eclipse.scoring import PARTS
from engine.eclipse.shrines import planets
from engine.eclipse.species import has_ability
from engine.eclipse.state import (
    FLEET,
    NOBODY,
    PLACES,
    SECTOR_SQUARES,
    SLOTS,
    Eclipse,
    events_of,
    face_down,
    ships_of,
    wanderers_of,
)
from engine.eclipse.terms import ANCIENT, GCDS, PLAYER_SHIPS, RARE, RESOURCES, SQUARES, STARBASE
from engine.testing.judges.eclipse_agenda import check_agenda

__all__ = ["check"]

ON_MAP = 2


def check(g: Eclipse) -> Refusal | None:
    """Return None for a possible position, else the first fault with its path: ``seats.discs.1`` (17, 16)."""
    for part in (
        _lengths,
        _round,
        _seats,
        _discs,
        _cubes,
        _ambassadors,
        _technologies,
        _reputation,
        _blueprints,
        _sectors,
        _ships,
        _pulsars,
        _wanderers,
    ):
        for problem in part(g):
            return problem
    return None


def judge(g: Eclipse, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    """Return the first fault: pieces first, then the planned segments."""
    return check(g) or check_agenda(g, segments)


def _lengths(g: Eclipse) -> Iterator[Refusal]:
    const, n = g.const, g.table.seats
    if n not in const.setups:
        yield Refusal("position/seats", "table.seats", (n,))
        return
    tiles, techs, parts = len(const.sectors), len(const.technologies), len(const.parts)
    wanted = {
        "round": {
            "left": 4,
            "bag": techs,
            "tray": techs,
            "discoveries": len(const.discoveries),
            "npc": GCDS + 1 - ANCIENT,
        },
        "seats": {
            "standing": len(PARTS) * n,
            "store": 3 * n,
            "track": 3 * n,
            "graveyard": len(GRAVES) * n,
            "techs": techs * n,
            "parts": parts * n,
            "blueprint": len(PLAYER_SHIPS) * SLOTS * n,
            "reputation": PLACES * n,
            "envoys": n * n,
        },
        "sectors": {"cubes": SECTOR_SQUARES * tiles},
        "ships": {},
    }
    if const.shrine_rows:
        wanted["wanderers"] = {"placed": 3 * n, "shrines": len(SQUARES) * tiles}
    usual = {"wanderers": n, "seats": n, "sectors": tiles, "ships": len(g.ships.place)}
    for section, sizes in wanted.items():
        for name in getattr(g, section).shapes:
            values = getattr(getattr(g, section), name)
            size = sizes.get(name, usual.get(section, 0))
            if not isinstance(values, int) and len(flat(values)) != size:
                yield Refusal("position/length", f"{section}.{name}", (len(flat(values)), size))
    if len(g.ships.place) < n * FLEET + sum(const.supply[GCDS - 1 :]):
        yield Refusal("position/length", "ships.place", (len(g.ships.place), n * FLEET))


def _range(path: str, values: Column | Grid, low: int, high: int) -> Iterator[Refusal]:
    for index, value in enumerate(flat(values)):
        if not low <= value <= high:
            yield Refusal("position/out-of-range", f"{path}.{index}", (value, low, high))


def _round(g: Eclipse) -> Iterator[Refusal]:
    n, row = g.table.seats, g.round
    bounds = {
        "number": (0, g.const.constants.rounds), "phase": (0, 5), "start": (0, n - 1), "next_start": (-1, n - 1),
        "turn": (-1, n - 1),
        "traitor": (-1, n - 1), "entries": (0, 32767),
    }  # fmt: skip
    for name, (low, high) in bounds.items():
        if not low <= getattr(row, name) <= high:
            yield Refusal("position/out-of-range", f"round.{name}", (getattr(row, name), low, high))
    for tile, count in enumerate(row.discoveries):
        if not 0 <= count <= g.const.discovery_bag.count(tile):
            yield Refusal(
                "position/out-of-range", f"round.discoveries.{tile}", (count, 0, g.const.discovery_bag.count(tile))
            )
    waiting = face_down(g)
    if waiting > sum(row.discoveries):
        yield Refusal("position/discoveries", "sectors.discovery", (waiting, sum(row.discoveries)))


def _seats(g: Eclipse) -> Iterator[Refusal]:
    seats, most = g.seats, g.const.constants.track_squares
    yield from _range("seats.species", seats.species, NOBODY, len(g.const.species) - 1)
    for name, high in (
        ("passed", 1),
        ("out", 1),
        ("colony", 32767),
        ("store", 32767),
        ("track", most),
        ("graveyard", 33),
        ("kept", 36),
    ):
        yield from _range(f"seats.{name}", getattr(seats, name), 0, high)
    yield from _range("seats.standing", seats.standing, -99, 999)
    for seat, ready in enumerate(seats.colony):
        if ready > seats.colony_all[seat]:
            yield Refusal("position/colony-ships", f"seats.colony.{seat}", (ready, seats.colony_all[seat]))


def _picked(g: Eclipse) -> Iterator[tuple[int, int]]:
    """Yield the seats that have their species board."""
    return ((seat, species) for seat, species in enumerate(g.seats.species) if species != NOBODY)


def _discs(g: Eclipse) -> Iterator[Refusal]:
    seats = g.seats
    for seat, species in _picked(g):
        discs = seats.discs[seat] + seats.spent[seat] + seats.reserve[seat] + g.sectors.owner.count(seat)
        wanted = g.const.start_discs[species] + g.const.reserve_discs[species]
        if discs != wanted or min(seats.discs[seat], seats.spent[seat], seats.reserve[seat]) < 0:
            yield Refusal("position/discs", f"seats.discs.{seat}", (discs, wanted))


def _cubes(g: Eclipse) -> Iterator[Refusal]:
    seats = g.seats
    for seat, _ in _picked(g):
        owned = [tile for tile, owner in enumerate(g.sectors.owner) if owner == seat]
        cubes = sum(cube > 0 for tile in owned for cube in row_of(g.sectors.cubes, tile))
        cubes += sum(row_of(seats.track, seat))
        cubes += sum(row_of(seats.graveyard, seat))
        cubes += sum(envoy > 0 for envoy in row_of(seats.envoys, seat))
        wanted = len(RESOURCES) * g.const.constants.population_cubes
        if cubes != wanted:
            yield Refusal("position/cubes", f"seats.track.{3 * seat}", (cubes, wanted))


def _ambassadors(g: Eclipse) -> Iterator[Refusal]:
    seats, n = g.seats, g.table.seats
    yield from _range("seats.envoys", seats.envoys, 0, len(RESOURCES))
    for seat, _ in _picked(g):
        row = row_of(seats.envoys, seat)
        ambassadors = seats.ambassadors[seat] + sum(envoy > 0 for envoy in row)
        if ambassadors != g.const.constants.ambassadors:
            yield Refusal(
                "position/ambassadors", f"seats.ambassadors.{seat}", (ambassadors, g.const.constants.ambassadors)
            )
        for other, envoy in enumerate(row):
            held = row_of(seats.reputation, other).count(-1 - seat)
            if held != (envoy > 0):
                yield Refusal("position/relations", f"seats.envoys.{seat * n + other}", (envoy, held))


def _technologies(g: Eclipse) -> Iterator[Refusal]:
    const, techs, count = g.const, g.seats.techs, len(g.const.technologies)
    yield from _range("seats.techs", techs, 0, RARE)
    for tech in range(count):
        owned = sum(
            techs[seat, tech] > 0 and tech not in const.start_technologies[species] for seat, species in _picked(g)
        )
        tiles, wanted = g.round.bag[tech] + g.round.tray[tech] + owned, const.technology_bag.count(tech)
        if tiles != wanted or min(g.round.bag[tech], g.round.tray[tech]) < 0:
            yield Refusal("position/technologies", f"round.bag.{tech}", (tiles, wanted))
    for seat in range(g.table.seats):
        for track in range(RARE):
            lying = row_of(techs, seat).count(track + 1)
            if lying > const.constants.technology_slots:
                yield Refusal(
                    "position/technology-track",
                    f"seats.techs.{seat * count}",
                    (lying, const.constants.technology_slots),
                )


def _reputation(g: Eclipse) -> Iterator[Refusal]:
    seats = g.seats
    for seat, species in _picked(g):
        spaces = len(g.const.reputation_spaces[species])
        for place in range(spaces, PLACES):
            if seats.reputation[seat, place]:
                yield Refusal("position/reputation-space", f"seats.reputation.{PLACES * seat + place}", (spaces,))
    held = [tile - 1 for tile in flat(seats.reputation) if tile > 0]
    loose = g.decks.order.get("reputation", [])
    if len(set(held)) != len(held) or any(tile in loose for tile in held):
        yield Refusal("position/reputation-twice", "seats.reputation")
    if len(held) + len(loose) > len(g.const.reputation_bag):
        yield Refusal(
            "position/reputation", "decks.order.reputation", (len(held) + len(loose), len(g.const.reputation_bag))
        )


def _blueprints(g: Eclipse) -> Iterator[Refusal]:
    yield from _range("seats.blueprint", g.seats.blueprint, 0, len(g.const.parts))
    yield from _range("seats.parts", g.seats.parts, 0, 1)
    for seat, species in _picked(g):
        for ship in PLAYER_SHIPS:
            slots = len(g.const.printed[species][ship])
            for slot in range(slots, SLOTS - 1):
                if g.seats.blueprint[seat, ship, slot]:
                    at = (seat * len(PLAYER_SHIPS) + ship) * SLOTS + slot
                    yield Refusal("position/blueprint-slot", f"seats.blueprint.{at}", (slots,))


def _sectors(g: Eclipse) -> Iterator[Refusal]:
    sectors, const = g.sectors, g.const
    bounds = {
        "where": (0, 4),
        "turned": (0, 5),
        "owner": (NOBODY, g.table.seats - 1),
        "orbital": (0, 1),
        "monolith": (0, 1),
        "warp": (0, 9),
    }
    for name, (low, high) in bounds.items():
        yield from _range(f"sectors.{name}", getattr(sectors, name), low, high)
    taken: dict[tuple[int, int], int] = {}
    for tile, where in enumerate(sectors.where):
        if where == ON_MAP:
            other = taken.setdefault((sectors.q[tile], sectors.r[tile]), tile)
            if other != tile and other not in const.siblings[tile]:
                yield Refusal(
                    "position/sectors-overlap", f"sectors.q.{tile}", (const.sector_ids[tile], const.sector_ids[other])
                )
        elif sectors.owner[tile] != NOBODY:
            yield Refusal("position/owned-off-map", f"sectors.owner.{tile}", (const.sector_ids[tile],))
        for square in range(SECTOR_SQUARES):
            cube = sectors.cubes[tile, square]
            exists = square < len(const.squares[tile]) or (square == ORBITAL_SQUARE and sectors.orbital[tile])
            if cube and not (exists and 1 <= cube <= len(RESOURCES) and sectors.owner[tile] != NOBODY):
                yield Refusal("position/cube", f"sectors.cubes.{SECTOR_SQUARES * tile + square}", (cube,))


def _ships(g: Eclipse) -> Iterator[Refusal]:
    tiles = len(g.const.sectors)
    yield from _range("ships.place", g.ships.place, NOBODY, tiles - 1)
    yield from _range("ships.leaving", g.ships.leaving, NOBODY, tiles - 1)
    yield from _range("ships.damage", g.ships.damage, 0, 99)
    latest = g.const.constants.rounds if g.const.black_holes else 0
    yield from _range("ships.entered", g.ships.entered, -latest, 32767)
    for ship, place in enumerate(g.ships.place):
        if place != NOBODY and g.ships.entered[ship] < 0:
            yield Refusal("position/ship-in-black-hole", f"ships.entered.{ship}", (g.const.sector_ids[place],))
        if place != NOBODY and g.sectors.where[place] != ON_MAP:
            yield Refusal("position/ship-off-map", f"ships.place.{ship}", (g.const.sector_ids[place],))


def _pulsars(g: Eclipse) -> Iterator[Refusal]:
    """Check that a disc on a pulsar is on one of its spaces."""
    if not g.const.pulsars:
        return
    events = events_of(g)
    for tile, owner in enumerate(g.sectors.owner):
        disc = tile in g.const.pulsars and owner != NOBODY
        if not int(disc) <= events.space[tile] <= 3 * disc:
            yield Refusal("position/out-of-range", f"events.space.{tile}", (events.space[tile], int(disc), 3 * disc))
        pulsar = int(tile in g.const.pulsars)
        if not 0 <= events.used[tile] <= pulsar:
            yield Refusal("position/out-of-range", f"events.used.{tile}", (events.used[tile], 0, pulsar))


def _wanderers(g: Eclipse) -> Iterator[Refusal]:
    """Check shrines (at planets, no more than have left their row) and armed orbitals (with a cube)."""
    if not g.const.shrine_rows:
        return
    found = wanderers_of(g)
    for name in ("sealed", "codex", "might"):
        yield from _range(f"wanderers.{name}", getattr(found, name), 0, 1)
    for resource, row in enumerate(g.const.shrine_rows):
        placed = column(found.placed[seat, resource] for seat in range(g.table.seats))
        yield from _range("wanderers.placed", placed, 0, len(row.costs))
        standing, gone = flat(found.shrines).count(1 + resource), sum(placed)
        if standing > gone:
            yield Refusal("position/shrines", "wanderers.shrines", (standing, gone))
    for at, shrine in enumerate(flat(found.shrines)):
        tile, planet = divmod(at, len(SQUARES))
        if shrine and not (planet in planets(g, tile) and 1 <= shrine <= len(RESOURCES)):
            yield Refusal("position/shrine", f"wanderers.shrines.{at}", (shrine,))
    for seat, _ in _picked(g):
        for ship in ships_of(seat, STARBASE) if has_ability(g, seat, "armed-orbitals") else ():
            place = g.ships.place[ship]
            if place != NOBODY and not (g.sectors.owner[place] == seat and g.sectors.cubes[place, ORBITAL_SQUARE]):
                yield Refusal("position/armed-orbital", f"ships.place.{ship}", (g.const.sector_ids[place],))
