"""Whole combat phases among many fleets: they end, and every piece is somewhere."""

from __future__ import annotations

import pytest
from arena import Arena
from volume import gated

from engine.core.dealer import HashDice, at_random, by_caretaker, play
from engine.core.match import MAX_TAIL
from engine.eclipse.combat.order import sides
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import GRAY, RESOURCES, SQUARES
from engine.testing.judges.eclipse import check

SECTORS = ("001", "101", "102", "106", "104", "109")
RING = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
BOARDS = ("planta", "draco", "orion", "hydran", "eridani", "mechanema")
FLEET = ("interceptor", "cruiser", "dreadnought", "starbase")
PARTS = (
    "plasma-missile",
    "antimatter-cannon",
    "gauss-shield",
    "ion-turret",
    "hull",
    "positron-computer",
    "flux-missile",
)
KNOWN = ("neutron-absorber", "antimatter-splitter", "wormhole-generator")


def melee(seed: int) -> Arena:
    """Fleets of two to six players and of nobody in the middle, with odd blueprints and some population."""
    dice = HashDice(f"melee {seed}")
    seats = 2 + seed % 5
    arena = Arena(*(BOARDS[(seed + seat) % 6] for seat in range(seats)), guardian_blueprint="advanced")
    for sector, (q, r) in zip(SECTORS[1:], RING, strict=False):
        arena.lies(sector, q, r)
    for sector in SECTORS:
        owner = dice.below(seats + 2)
        if owner < seats:
            kinds = [kind for kind, star in arena.g.const.squares[arena.tile(sector)] if not star]
            cubes = [(at, RESOURCES[kind % GRAY]) for at, kind in enumerate(kinds) if SQUARES[kind] != "gray"]
            wanted = dice.below(len(cubes) + 1)
            plain = [square for square, (_, star) in enumerate(arena.g.const.squares[arena.tile(sector)]) if not star]
            arena.owns(owner, sector, *((plain[at], resource) for at, resource in cubes[:wanted]))
        if dice.below(3) == 0:
            arena.ships(NOBODY, sector, **{("gcds" if sector == "001" else "ancient"): 1})
    for _ in range(6 * seats):
        seat, ship = dice.below(seats), FLEET[dice.below(4)]
        if list(arena.fleet(seat)).count(ship) < (8, 4, 2, 4)[FLEET.index(ship)]:
            arena.ships(seat, SECTORS[dice.below(len(SECTORS))], **{ship: 1})
        arena.part(seat, FLEET[dice.below(3)], dice.below(3), PARTS[dice.below(len(PARTS))])
    for seat, technology in enumerate(KNOWN[:seats]):
        arena.knows(seat, technology)
    return arena


@pytest.mark.parametrize("seed", gated(range(30), 6))
def test_a_melee_ends_with_one_side_in_each_sector_and_every_piece_accounted_for(seed: int) -> None:
    arena = melee(seed).begin()
    match, dice = arena.match, HashDice(f"dice {seed}")
    arena.dealer.dice = dice
    listed = ECLIPSE2.events
    for given, told in play(match, arena.dealer, at_random(dice)):
        assert match.tail <= MAX_TAIL, given
        arena.events.extend(told)
        assert all(tuple(event.args) == tuple(listed[event.id]) for event in told)
        other = match.clone()
        assert (other.pending, other.digest()) == (match.pending, match.digest())
        if match.tail == 0:
            assert check(match.g) is None, match.g.flow.now
    g = match.g
    assert arena.new_events("combat/battle")
    assert not any(g.ships.damage)
    assert all(leaving == NOBODY for leaving in g.ships.leaving)
    found = [told["sector"] for told in arena.new_events("discovery/found") if told["discovery"] == "ancient-cruiser"]
    for tile in dict.fromkeys(place for place in g.ships.place if place != NOBODY):
        players = [seat for seat in sides(g, tile) if seat != NOBODY]
        assert len(players) <= 1 or g.const.sector_ids[tile] in found


@pytest.mark.parametrize("seed", gated(range(5), 2))
def test_stand_ins_alone_finish_the_combat_phase(seed: int) -> None:
    arena = melee(seed).begin()
    arena.dealer.dice = HashDice(seed)
    for _ in play(arena.match, arena.dealer, by_caretaker):
        assert arena.match.tail <= MAX_TAIL
    assert check(arena.now) is None
