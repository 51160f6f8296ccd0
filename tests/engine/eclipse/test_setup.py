from __future__ import annotations

from collections.abc import Callable

import pytest
from eclipse_table import both_editions, table

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, by_caretaker
from engine.core.hexes import EDGES, distance
from engine.core.match import Match
from engine.core.registry import GameSpec, settle_options
from engine.core.sections import row_of
from engine.core.waits import Roll, Shuffle
from engine.eclipse.catalog import Edition, first, second
from engine.eclipse.sectors import STACKED, graph, neighbours
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY
from engine.eclipse.terms import ANCIENT, GCDS, GUARDIAN, RARE, STARTING, VARIANTS

ALIENS = ("eridani", "hydran", "planta", "draco", "mechanema", "orion")


def test_centre_has_the_gcds_and_a_discovery() -> None:
    play = table()
    centre = play.tile("001")
    assert (play.g.sectors.q[centre], play.g.sectors.r[centre]) == (0, 0)
    assert play.ships("001") == ["gcds"]
    assert play.g.sectors.discovery[centre] == 1
    assert play.g.sectors.owner[centre] == NOBODY


@pytest.mark.parametrize("seats", range(2, 7))
def test_starting_zones_left_over_get_guardian_sectors(seats: int) -> None:
    play = table(seats)
    e, g = play.g.const, play.g
    guarded = [tile for tile in graph(g).tiles if tile in e.guardian_sectors]
    assert len(guarded) == min(4, 6 - seats)
    for tile in guarded:
        assert play.ships(e.sector_ids[tile]) == ["guardian"]
        assert g.sectors.discovery[tile] == 1
    zones = [(g.sectors.q[tile], g.sectors.r[tile]) for tile in graph(g).tiles if tile != e.center]
    assert sorted(zones) == sorted((2 * q, 2 * r) for q, r in EDGES)


def test_guardian_sectors_are_drawn_at_random() -> None:
    play = table(drawn={"guardians": (4, 3, 2, 1)})
    at = graph(play.g).at
    zones = play.g.const.setups[2].guardian_zones
    assert [play.g.const.sector_ids[at[q, r]] for q, r, _ in zones] == ["274", "273", "272", "271"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_home_sectors_lie_two_steps_from_the_centre_and_face_it(seats: int) -> None:
    g = table(seats).g
    homes = [tile for tile in graph(g).tiles if g.const.sector_place[tile] == STARTING]
    assert len(homes) == seats
    for tile in homes:
        q, r = g.sectors.q[tile], g.sectors.r[tile]
        inwards = EDGES.index((-q // 2, -r // 2))
        assert distance(q, r) == 2
        assert graph(g).masks[tile] >> inwards & 1
        assert g.sectors.turned[tile] == inwards


@both_editions
def test_everyone_starts_with_ship_disc_cubes_and_storage(edition: GameSpec) -> None:
    play = table(6, ALIENS, game=edition)
    g, e = play.g, play.g.const
    for seat, name in enumerate(ALIENS):
        board = e.species_index[name]
        home = play.tile(play.home(seat))
        assert play.ships(play.home(seat), seat) == ["cruiser" if name == "orion" else "interceptor"]
        assert g.sectors.owner[home] == seat
        assert g.seats.discs[seat] == e.start_discs[board] - 1
        assert g.seats.reserve[seat] == (5 if name == "eridani" else 3)
        assert play.store(seat) == e.start_resources[board]
        assert g.seats.colony[seat] == g.seats.colony_all[seat] == (4 if name == "planta" else 3)
        placed = [square for square in range(8) if g.sectors.cubes[home, square]]
        assert placed == list(e.start_squares[board])
        assert sum(play.track(seat)) == 33 - len(placed)


def test_hydran_begins_with_a_cube_on_its_advanced_science_square() -> None:
    play = table(2, ["hydran"])
    assert play.g.const.sectors[play.tile("224")].population == ("money", "science*", "materials*")
    assert list(row_of(play.g.sectors.cubes, play.tile("224"))) == [1, 2, 0, 0, 0, 0, 0, 0]


def test_eridani_begin_with_two_reputation_tiles_that_only_they_know() -> None:
    play = table(2, ["eridani"])
    held = [tile - 1 for tile in row_of(play.g.seats.reputation, 0) if tile]
    assert len(held) == 2
    assert {handle.index for handle in play.dealer.lens(0)} == set(held)
    assert not play.dealer.lens(1)
    assert len(play.g.decks.order["reputation"]) == 31


@both_editions
def test_species_are_picked_counter_clockwise_from_the_start_players_right(edition: GameSpec) -> None:
    play = table(4, "pick", drawn={"start-player": (2,)}, game=edition)
    seats = []
    while play.match.g.flow.now[0] == "pick-species":
        seats.append(play.seat)
        play.say(play.options()[0])
    assert seats == [0, 3, 2, 1]


@both_editions
def test_technologies_and_guardian_sectors_lie_there_when_species_are_picked(edition: GameSpec) -> None:
    play = table(4, "pick", game=edition)
    g, e = play.g, play.g.const
    assert play.asked == "pick-species"
    regular = sum(tiles for tech, tiles in enumerate(g.round.tray) if e.category[tech] != RARE)
    assert regular == e.setups[4].technologies
    guarded = [tile for tile in graph(g).tiles if tile in e.guardian_sectors]
    assert len(guarded) == len(e.setups[4].guardian_zones)


def test_one_roll_sets_up_what_players_have_in_common() -> None:
    agreed = settle_options(ECLIPSE2, 4, {"species": "random", "black-hole": "on", "gcds-blueprint": "random"})
    assert isinstance(agreed, Table)
    match, dealer, tags = Match.new(ECLIPSE2, agreed), Dealer(HashDice(0)), []
    while isinstance(match.pending, Roll | Shuffle):
        tags.append(match.pending.tag)
        outcome = dealer.outcome(match, by_caretaker)
        assert outcome is not None
        match.apply(outcome)
    assert tags == ["set-up", "reputation"]
    assert match.owing() == (match.g.round.start,)


def test_two_faces_of_one_board_exclude_each_other() -> None:
    play = table(2, "pick")
    play.say("eridani")
    assert "terran-directorate" not in play.options()
    assert play.refusal("terran-directorate") == "setup/board-taken"
    assert play.refusal("eridani") == "setup/board-taken"
    assert len(play.options()) == 10


def test_random_species_have_different_boards() -> None:
    g = table(6, "random", seed=5).g
    boards = [g.const.species[species].board for species in g.seats.species]
    assert len(set(boards)) == 6


def test_start_player_is_drawn() -> None:
    play = table(3, drawn={"start-player": (3,)})
    assert play.g.round.start == 2
    assert play.seat == 2


@pytest.mark.parametrize("kind", [ANCIENT, GUARDIAN, GCDS])
def test_a_table_chooses_the_blueprints_of_ships_of_nobody(kind: int) -> None:
    for variant in VARIANTS:
        play = table(ancient_blueprint=variant, guardian_blueprint=variant, gcds_blueprint=variant)
        assert VARIANTS[play.g.round.npc[kind - ANCIENT]] == variant


def test_blueprints_are_drawn_from_basic_and_advanced() -> None:
    play = table(2, ancient_blueprint="random", gcds_blueprint="random", drawn={"blueprints": (2, 1)})
    assert [VARIANTS[variant] for variant in play.g.round.npc] == ["advanced", "basic", "basic"]


@pytest.mark.parametrize("seats", range(2, 7))
def test_tray_gets_regular_technologies_by_number_of_players_and_rare_ones_besides(seats: int) -> None:
    for seed in range(4):
        g = table(seats, seed=seed).g
        regular = sum(tiles for tech, tiles in enumerate(g.round.tray) if g.const.category[tech] != RARE)
        assert regular == g.const.setups[seats].technologies
        assert sum(g.round.tray) + sum(g.round.bag) == 114


@pytest.mark.parametrize(("seats", "outer"), [(2, 5), (3, 8), (4, 14), (5, 16), (6, 18)])
def test_outer_stack_has_fewer_sectors_than_are_in_the_pool(seats: int, outer: int) -> None:
    g = table(seats).g
    assert list(g.round.left) == [0, 10, 13, outer]
    assert sum(where == STACKED for where in g.sectors.where) == 43


def test_without_warp_portals_three_sectors_a_technology_and_a_discovery_stay_in_the_box() -> None:
    g = table(warp_portals="off").g
    assert sum(where == STACKED for where in g.sectors.where) == 40
    assert sum(g.round.discoveries) == 35
    assert sum(g.round.tray) + sum(g.round.bag) == 113


def test_no_home_touches_the_centre() -> None:
    g = table(6).g
    assert neighbours(g, g.const.center) == ()


@pytest.mark.parametrize("edition", [first, second])
def test_every_player_starts_two_steps_from_the_centre(edition: Callable[[], Edition]) -> None:
    for players, setup in edition().setups.items():
        assert len(setup.starting_zones) == players
        assert {distance(q, r) for q, r, _ in setup.starting_zones} == {2}
