"""The first edition as a game of its own: its set-up, and what is played differently."""

from __future__ import annotations

from itertools import product

import pytest
from eclipse_table import Play, first_table, own_technology, put, station, table

from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.errors import Refusal
from engine.core.registry import game, settle_options
from engine.eclipse import population
from engine.eclipse.blueprints import stats
from engine.eclipse.catalog import first
from engine.eclipse.combat.reputation import KeepTile
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.sectors import ON_MAP, STACKED
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import INITIATIVE
from engine.eclipse.terms import REPUTATION_ONLY
from engine.testing.gamekit import some_table
from engine.testing.judges.eclipse import check

E = first()
EFFECTS = ("antimatter-splitter", "cloaking-device", "neutron-absorber", "neutron-bombs", "wormhole-generator")


def explore(play: Play, sector: str, zone: str = "zone 0 -3", ring: int = 3) -> Play:
    pool = [tile for tile in play.g.const.stacks[ring] if play.g.sectors.where[tile] == STACKED]
    return play.force("sector", (1 + pool.index(play.tile(sector)),)).say("explore", zone)


@pytest.mark.parametrize(
    ("seats", "outer", "start", "new"), [(2, 5, 12, 4), (3, 10, 14, 6), (4, 14, 16, 7), (5, 16, 18, 8), (6, 18, 20, 9)]
)
def test_set_up_of_the_first_edition_by_number_of_players(seats: int, outer: int, start: int, new: int) -> None:
    row = E.setups[seats]
    assert (row.outer_sectors, row.technologies, row.new_technologies) == (outer, start, new)
    assert len(row.starting_zones) == seats
    assert row.guardian_zones == ()
    assert row.diplomacy == (seats >= 4)


# Set-up


def test_starting_sectors_show_a_wormhole_to_the_centre_and_no_guardians_lie_beside_them() -> None:
    play = first_table(2)
    on_map = {play.g.const.sector_ids[tile] for tile, where in enumerate(play.g.sectors.where) if where == ON_MAP}
    assert on_map == {"001", play.home(0), play.home(1)}
    assert play.g.sectors.discovery[play.tile("001")] == 1
    assert play.ships("001") == ["gcds"]


def test_zones_without_players_are_explored_from_the_middle_stack() -> None:
    play = first_table(2).say("explore")
    assert "zone -1 -1" in play.options()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
        put(g, "201", 1, -2)
        station(g, "201", 0, "interceptor")
    assert "zone 2 -2" in play.options()
    play.say("zone 2 -2")
    assert play.events("explore/drawn")[0]["sector"].startswith("2")


def test_terrans_begin_with_two_money_three_science_and_three_materials() -> None:
    play = first_table(2)
    assert play.store(0) == (2, 3, 3)
    assert play.track(0) == (10, 10, 10)
    assert play.ships(play.home(0), 0) == ["interceptor"]
    assert play.g.seats.discs[0] == 12
    assert play.g.seats.colony[0] == 3


def test_two_players_are_advised_against_planta_and_draco_and_may_take_them() -> None:
    assert E.setups[2].advised_against == ("planta", "draco")
    assert [E.setups[seats].advised_against for seats in range(3, 7)] == [()] * 4
    play = table(2, "pick", game=ECLIPSE1)
    assert play.events("setup/advised-against") == [{"species": ("planta", "draco")}]
    assert {"planta", "draco"} <= set(play.options())


# What is played differently


def test_the_game_lasts_nine_rounds() -> None:
    play = first_table(2).until()
    assert play.match.over
    assert play.g.round.number == 9


def test_the_first_to_pass_gets_no_money() -> None:
    play = first_table(2)
    money = play.store(0)[0]
    play.say("pass")
    assert play.g.round.next_start == 0
    assert play.store(0)[0] == money


def test_a_discovery_comes_with_control_when_exploring() -> None:
    play = explore(first_table(2), "304").say("lay 304 0")
    assert play.ask.word == "take-control"
    with_disc, without = play, explore(first_table(2), "304").say("lay 304 0")
    without.say("-")
    assert without.events("discovery/found") == []
    found = with_disc.g.const.discovery_spaces[with_disc.tile("304")]
    assert without.g.sectors.discovery[without.tile("304")] == found


def test_control_taken_on_exploring_claims_the_discovery_at_once() -> None:
    sector = next(E.sector_ids[tile] for tile in E.stacks[3] if E.discovery_spaces[tile] and not E.ancient_spaces[tile])
    play = explore(first_table(2), sector)
    lay = next(option for option in play.options() if option.startswith("lay"))
    play.say(lay, f"control {sector}")
    assert play.ask.word == "take-discovery"
    declined = explore(first_table(2), sector).say(lay, "-")
    assert declined.g.sectors.discovery[declined.tile(sector)] == 1


def test_a_discovery_left_lying_comes_with_a_disc_placed_by_influence() -> None:
    play = first_table(2)
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
    play.say("influence", "shift track 304")
    assert play.ask.word == "take-discovery"


@pytest.mark.parametrize("taken", [True, False])
def test_after_combat_a_discovery_comes_with_control_only(taken: bool) -> None:
    play = first_table(2)
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
        station(g, "304", 0, "interceptor")
    play.now(["aftermath"]).say("control 304" if taken else "-")
    assert (play.ask.word == "take-discovery") == taken


def test_the_friends_of_ancients_take_no_discovery_under_them() -> None:
    play = first_table(2, "draco")
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
        station(g, "304", NOBODY, "ancient")
    play.say("influence", "shift track 304")
    assert play.ask.word != "take-discovery"
    assert play.g.sectors.discovery[play.tile("304")] == 1


def test_a_population_track_with_a_cube_on_its_twelfth_square_yields_nothing() -> None:
    play = first_table(2)
    for cubes, income in ((12, 0), (11, 2), (10, 3), (1, 24), (0, 28)):
        with play.edit(possible=False) as g:
            g.seats.track[0, 0] = cubes
        assert population.income(play.g, 0, 0) == income


def test_cubes_return_to_the_twelfth_square() -> None:
    play = first_table(2)
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0, owner=0)
        square = next(at for at, (kind, star) in enumerate(g.const.squares[tile]) if not star)
        resource = min(g.const.squares[tile][square][0], 2)
        population.place(g, 0, tile, square, resource)
        other = (resource + 1) % 3
        spare = 11 - g.seats.track[0, resource]
        g.seats.track[0, resource] += spare
        g.seats.track[0, other] -= spare
    play.say("influence", "shift 304 track")
    while play.ask.word == "return-cube":
        play.say(play.options()[0])
    assert max(play.track(0)) == 12
    assert check(play.g) is None


def test_some_reputation_spaces_take_no_ambassador() -> None:
    board = E.species_index["orion"]
    assert E.reputation_spaces[board][-1] == REPUTATION_ONLY
    play = first_table(4, "orion")
    with play.edit() as g:
        for place, other in enumerate((1, 2, 3)):
            g.seats.reputation[0, place] = -1 - other
            g.seats.envoys[other, 0] = 1
            g.seats.track[other, 0] -= 1
            g.seats.ambassadors[other] -= 1
    kept = KeepTile(play.match.owing()[0], (Handle("reputation", 0),)).options(play.g)
    assert [keep.place for keep in kept if keep is not None] == [4, 5]


def test_starbases_have_initiative_4() -> None:
    assert stats(first_table(2).g, 0, 3)[INITIATIVE] >= 4


def test_advanced_robotics_and_quantum_grid_give_discs() -> None:
    discs = {name: E.technology_discs[at] for at, name in enumerate(E.technology_ids)}
    assert {name: n for name, n in discs.items() if n} == {"quantum-grid": 2, "advanced-robotics": 1}


def test_technologies_of_the_first_edition_do_what_they_say() -> None:
    play = first_table(2)
    with play.edit() as g:
        own_technology(g, 0, "advanced-mining")
        own_technology(g, 0, "nanorobots")
    assert population.advanced(play.g, 0) == (False, False, True)


# As a game


def test_the_first_edition_is_a_game_of_its_own() -> None:
    assert game("eclipse1") is ECLIPSE1
    assert ECLIPSE1.rules_id == "eclipse1/1"
    ids = [spec.content_id(some_table(spec, 4, 0)) for spec in (ECLIPSE1, game("eclipse2"))]
    assert ids[0] != ids[1]
    assert {option.name for option in ECLIPSE1.options} == {"species", "draws", "dice", "patience", "handicap"}


@pytest.mark.parametrize(
    ("options", "seats", "code"),
    [
        ({"pulsar": "on"}, 4, "table/unknown-option"),
        ({"guardian-blueprint": "basic"}, 4, "table/unknown-option"),
        ({}, 7, "table/seats"),
        ({}, 1, "table/seats"),
        ({"species": "eridani,terran-directorate"}, 2, "option/same-board"),
        ({"species": "magellan,planta"}, 2, "option/unknown-species"),
    ],
)
def test_bad_tables_of_the_first_edition_are_refused(options: dict[str, str], seats: int, code: str) -> None:
    refusal = settle_options(ECLIPSE1, seats, options)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_table_of_the_first_edition_plays_the_first_edition() -> None:
    agreed = settle_options(ECLIPSE1, 6, {})
    assert isinstance(agreed, Table)
    assert ECLIPSE1.const(agreed) is first()


def test_the_first_to_pass_gets_the_start_marker_and_no_word_of_money() -> None:
    play = first_table(2)
    assert play.ask.price(play.g, "pass") == ()
    before = play.store(0)
    play.say("pass")
    assert play.store(0) == before
    assert play.g.round.next_start == 0
    assert play.events("turn/start-marker") == [{"seat": 0}]
    assert play.events("turn/start-tile") == []


def test_a_technology_that_the_edition_lacks_has_no_effect_for_who_owns_all_others() -> None:
    g = first_table().g
    lacking = [effect for effect in EFFECTS if effect not in g.const.technology_index]
    assert lacking
    for seat, tech in product(range(2), range(len(g.const.technologies))):
        g.seats.techs[seat, tech] = 1
    assert [effect for effect in EFFECTS for seat in (0, 1) if has_effect(g, seat, effect)] == [
        effect for effect in EFFECTS for _ in (0, 1) if effect not in lacking
    ]
