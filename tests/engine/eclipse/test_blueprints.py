"""What ships can do: printed values, parts, legality."""

from __future__ import annotations

import pytest
from arena import Arena

from engine.eclipse.actions.upgrade import balance, blueprints, legal
from engine.eclipse.blueprints import armed, dice, npc_stats, parts_of, ship_stats, stats
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import CANNONS, COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, MISSILES, PRODUCTION, SHIELD
from engine.eclipse.terms import ANCIENT, CRUISER, GCDS, GUARDIAN, INTERCEPTOR, PLAYER_SHIPS, STARBASE


def test_a_ship_does_what_its_printed_parts_and_its_board_say() -> None:
    g = Arena("orion", "planta").g
    cruiser = stats(g, 0, CRUISER)
    assert [cruiser[at] for at in (INITIATIVE, COMPUTER, SHIELD, HULL, DRIVE)] == [3, 1, 1, 1, 1]
    assert (cruiser[PRODUCTION], cruiser[CONSUMPTION]) == (5, 2)
    assert stats(g, 1, INTERCEPTOR)[COMPUTER] == 1


def test_a_tile_counts_instead_of_what_is_printed_under_it() -> None:
    arena = Arena().part(0, "cruiser", 0, "gluon-computer").part(0, "cruiser", 5, "plasma-cannon")
    before = parts_of(Arena().g, 0, CRUISER)
    assert sum(new != old for new, old in zip(parts_of(arena.g, 0, CRUISER), before, strict=True)) == 2
    cruiser = stats(arena.g, 0, CRUISER)
    assert cruiser[COMPUTER] == 3
    assert dice(cruiser) == (1, 0)
    assert stats(arena.g, 1, CRUISER)[COMPUTER] == 1


def test_a_part_beside_the_slots_counts() -> None:
    arena = Arena()
    before = stats(arena.g, 0, INTERCEPTOR)
    after = stats(arena.part(0, "interceptor", 8, "muon-source").g, 0, INTERCEPTOR)
    assert (after[PRODUCTION], after[INITIATIVE]) == (before[PRODUCTION] + 2, before[INITIATIVE] + 1)


def test_missiles_and_cannons_are_counted_apart() -> None:
    interceptor = stats(Arena().part(0, "interceptor", 3, "plasma-missile").g, 0, INTERCEPTOR)
    assert dice(interceptor, CANNONS) == (0,)
    assert dice(interceptor, MISSILES) == (1, 1)
    assert armed(interceptor, MISSILES)


@pytest.mark.parametrize("ship", [ANCIENT, GUARDIAN, GCDS])
def test_ships_of_nobody_follow_the_blueprint_in_play(ship: int) -> None:
    g = Arena().g
    basic = npc_stats(g, ship)
    g.round.npc[ship - ANCIENT] = 1
    assert npc_stats(g, ship) == ship_stats(g, NOBODY, ship) != basic


@pytest.mark.parametrize("board", range(12))
def test_every_printed_blueprint_is_legal(board: int) -> None:
    arena = Arena()
    arena.g.seats.species[0] = board
    slots = blueprints(arena.g, 0)
    assert [legal(arena.g, 0, ship, slots[ship]) for ship in PLAYER_SHIPS] == [None] * 4


def test_what_a_blueprint_needs_is_what_its_ships_have() -> None:
    arena = Arena().part(0, "interceptor", 3, "antimatter-cannon").part(0, "cruiser", 4, "hull")
    arena.part(0, "starbase", 4, "nuclear-drive")
    slots = blueprints(arena.g, 0)
    codes = [legal(arena.g, 0, ship, slots[ship]) for ship in (INTERCEPTOR, CRUISER, STARBASE)]
    assert [code and code.code for code in codes] == ["upgrade/energy", "upgrade/no-drive", "upgrade/starbase-drive"]
    for ship in PLAYER_SHIPS:
        can = stats(arena.g, 0, ship)
        assert balance(arena.g, 0, ship, slots[ship]) == (can[PRODUCTION] - can[CONSUMPTION], can[DRIVE])
