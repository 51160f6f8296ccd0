"""The first edition: its components, and what is played differently."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from eclipse_table import Play, own_technology, put, station, table

from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.errors import Refusal
from engine.core.registry import game, settle_options
from engine.eclipse import population
from engine.eclipse.blueprints import stats
from engine.eclipse.catalog import first, second
from engine.eclipse.combat.reputation import KeepTile
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.sectors import ON_MAP, STACKED
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY
from engine.eclipse.stats import CANNONS, COMPUTER, CONSUMPTION, HULL, INITIATIVE, MISSILES, PRODUCTION, SHIELD
from engine.eclipse.terms import ANCIENT, DREADNOUGHT, GCDS, GUARDIAN, INTERCEPTOR, ORBITAL, RARE, REPUTATION_ONLY
from engine.testing.gamekit import some_table
from engine.testing.judges.eclipse import check

E = first()
EFFECTS = ("antimatter-splitter", "cloaking-device", "neutron-absorber", "neutron-bombs", "wormhole-generator")


def old(seats: int = 2, *species: str) -> Play:
    """A table of the first edition."""
    return table(seats, species, game=ECLIPSE1)


def explore(play: Play, sector: str, zone: str = "zone 0 -3", ring: int = 3) -> Play:
    pool = [tile for tile in play.g.const.stacks[ring] if play.g.sectors.where[tile] == STACKED]
    return play.force("sector", (1 + pool.index(play.tile(sector)),)).say("explore", zone)


# Components


def test_sectors_are_numbered_as_the_document_says() -> None:
    numbers = [E.sector_ids[tile] for stack in E.stacks for tile in stack]
    wanted = [*range(101, 109), *range(201, 212), *range(301, 319)]
    assert sorted(map(int, numbers)) == wanted
    homes = sorted(int(E.sector_ids[tile]) for tile in E.home)
    assert homes == list(range(221, 233))
    assert E.sector_ids[E.center] == "001"
    assert len(E.sectors) == 50


def test_technologies_are_96_tiles_of_24_kinds_none_of_them_rare() -> None:
    assert len(E.technologies) == 24
    assert len(E.technology_bag) == 96
    assert RARE not in E.category
    assert Counter(E.technology_bag.count(tech) for tech in range(24)) == {5: 9, 4: 6, 3: 9}


def test_21_discovery_tiles_give_what_the_document_lists() -> None:
    assert len(E.discovery_bag) == 21
    tiles = {name: E.discovery_bag.count(at) for at, name in enumerate(E.discovery_ids)}
    assert {name: n for name, n in tiles.items() if n == 3} == dict.fromkeys(
        ("money", "science", "materials", "ancient-tech", "ancient-cruiser"), 3
    )
    assert [n for n in tiles.values() if n != 3] == [1] * 6
    gains = {name: E.discovery_resources[at] for at, name in enumerate(E.discovery_ids)}
    assert (gains["money"], gains["science"], gains["materials"]) == ((8, 0, 0), (0, 5, 0), (0, 0, 6))


def test_there_are_as_many_discovery_tiles_as_sectors_that_show_one() -> None:
    assert sum(E.discovery_spaces) == 21


def test_32_reputation_tiles() -> None:
    assert Counter(E.reputation_bag) == {1: 12, 2: 9, 3: 7, 4: 4}


def test_ships_cubes_discs_and_ambassadors_of_each_player() -> None:
    assert E.supply[: GUARDIAN + 1] == (8, 4, 2, 4, 21, 0)
    assert E.supply[GCDS] == 1
    assert 3 * E.constants.population_cubes == 33
    assert {discs + more for discs, more in zip(E.start_discs, E.reserve_discs, strict=True)} == {16}
    assert E.constants.ambassadors == 3


def test_22_colony_ships_lie_on_the_boards() -> None:
    """Six boards, three or four ships: 19 in use; the box has three spare ones."""
    assert Counter(E.colony_ships) == {3: 11, 4: 1}


def test_ship_parts_have_the_figures_of_the_first_edition() -> None:
    part = {name: E.part_stats[at] for at, name in enumerate(E.part_ids)}
    assert len(part) == 17 + 6
    assert (part["gluon-computer"][INITIATIVE], part["positron-computer"][INITIATIVE]) == (2, 1)
    assert part["plasma-missile"][CONSUMPTION] == 0
    assert part["plasma-missile"][MISSILES + 1] == 2
    assert part["axion-computer"][COMPUTER] == 3
    assert part["ion-turret"][CONSUMPTION] == 1
    assert part["flux-shield"][SHIELD] == 3
    assert part["hypergrid-source"][PRODUCTION] == 11
    assert part["shard-hull"][HULL] == 3
    assert not any(stat[CANNONS + 2] or stat[MISSILES + 2] for stat in part.values())  # no blue dice
    assert not any(E.outside_grid)


def test_technologies_cost_what_they_do_in_the_first_edition() -> None:
    cost = {name: E.cost[at] for at, name in enumerate(E.technology_ids)}
    assert (cost["plasma-missile"], cost["gluon-computer"]) == (14, 16)
    assert (cost["improved-hull"], cost["fusion-source"]) == (4, 6)
    assert (cost["advanced-robotics"], cost["orbital"]) == (6, 8)
    assert (cost["artifact-key"], cost["wormhole-generator"]) == (14, 16)


def test_orbitals_cost_five_materials_and_four_for_mechanema() -> None:
    costs = {name: E.build_cost[at][ORBITAL] for at, name in enumerate(E.species_ids)}
    assert {name for name, price in costs.items() if price != 5} == {"mechanema"}
    assert costs["mechanema"] == 4


def test_ships_of_nobody_have_one_blueprint_and_there_are_no_guardians() -> None:
    (ancient,), guardians, (gcds,) = (E.npc_stats[ship] for ship in (ANCIENT, GUARDIAN, GCDS))
    assert guardians == ()
    assert (ancient[INITIATIVE], ancient[COMPUTER], ancient[HULL], ancient[CANNONS]) == (2, 1, 1, 2)
    assert (gcds[INITIATIVE], gcds[COMPUTER], gcds[HULL], gcds[CANNONS]) == (0, 1, 7, 4)


@pytest.mark.parametrize(
    ("seats", "outer", "start", "new"), [(2, 5, 12, 4), (3, 10, 14, 6), (4, 14, 16, 7), (5, 16, 18, 8), (6, 18, 20, 9)]
)
def test_set_up_of_the_first_edition_by_number_of_players(seats: int, outer: int, start: int, new: int) -> None:
    row = E.setups[seats]
    assert (row.outer_sectors, row.technologies, row.new_technologies) == (outer, start, new)
    assert len(row.starting_zones) == seats
    assert row.guardian_zones == ()
    assert row.diplomacy == (seats >= 4)


def test_boards_differ_as_the_first_edition_prints_them() -> None:
    resources = dict(zip(E.species_ids, E.start_resources, strict=True))
    assert resources["terran-directorate"] == (2, 3, 3)
    assert resources["hydran"] == (2, 5, 2)
    assert resources["planta"] == (4, 4, 4)
    assert resources["eridani"] == (26, 2, 4)
    trades = dict(zip(E.species_ids, E.trade, strict=True))
    assert {trades[name] for name in E.species_ids if name.startswith("terran")} == {2}
    assert (trades["orion"], trades["planta"]) == (4, 3)
    technologies = dict(zip(E.species_ids, E.start_technologies, strict=True))
    assert technologies["draco"] == ()


def test_only_the_dreadnought_of_the_eridani_has_more_energy() -> None:
    board = E.species_index["eridani"]
    assert E.base_stats[board][DREADNOUGHT][PRODUCTION] == 1
    assert E.base_stats[board][INTERCEPTOR][PRODUCTION] == 0


# Set-up


def test_starting_sectors_show_a_wormhole_to_the_centre_and_no_guardians_lie_beside_them() -> None:
    play = old(2)
    on_map = {play.g.const.sector_ids[tile] for tile, where in enumerate(play.g.sectors.where) if where == ON_MAP}
    assert on_map == {"001", play.home(0), play.home(1)}
    assert play.g.sectors.discovery[play.tile("001")] == 1
    assert play.ships("001") == ["gcds"]


def test_zones_without_players_are_explored_from_the_middle_stack() -> None:
    play = old(2).say("explore")
    assert "zone -1 -1" in play.options()
    with play.edit() as g:
        own_technology(g, 0, "wormhole-generator")
        put(g, "201", 1, -2)
        station(g, "201", 0, "interceptor")
    assert "zone 2 -2" in play.options()
    play.say("zone 2 -2")
    assert play.events("explore/drawn")[0]["sector"].startswith("2")


def test_terrans_begin_with_two_money_three_science_and_three_materials() -> None:
    play = old(2)
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
    play = old(2).until()
    assert play.match.over
    assert play.g.round.number == 9


def test_the_first_to_pass_gets_no_money() -> None:
    play = old(2)
    money = play.store(0)[0]
    play.say("pass")
    assert play.g.round.next_start == 0
    assert play.store(0)[0] == money


def test_a_discovery_comes_with_control_when_exploring() -> None:
    play = explore(old(2), "304").say("lay 304 0")
    assert play.ask.word == "take-control"
    with_disc, without = play, explore(old(2), "304").say("lay 304 0")
    without.say("-")
    assert without.events("discovery/found") == []
    found = with_disc.g.const.discovery_spaces[with_disc.tile("304")]
    assert without.g.sectors.discovery[without.tile("304")] == found


def test_control_taken_on_exploring_claims_the_discovery_at_once() -> None:
    sector = next(E.sector_ids[tile] for tile in E.stacks[3] if E.discovery_spaces[tile] and not E.ancient_spaces[tile])
    play = explore(old(2), sector)
    lay = next(option for option in play.options() if option.startswith("lay"))
    play.say(lay, f"control {sector}")
    assert play.ask.word == "take-discovery"
    declined = explore(old(2), sector).say(lay, "-")
    assert declined.g.sectors.discovery[declined.tile(sector)] == 1


def test_a_discovery_left_lying_comes_with_a_disc_placed_by_influence() -> None:
    play = old(2)
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
    play.say("influence", "shift track 304")
    assert play.ask.word == "take-discovery"


@pytest.mark.parametrize("taken", [True, False])
def test_after_combat_a_discovery_comes_with_control_only(taken: bool) -> None:
    play = old(2)
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
        station(g, "304", 0, "interceptor")
    play.now(["aftermath"]).say("control 304" if taken else "-")
    assert (play.ask.word == "take-discovery") == taken


def test_the_friends_of_ancients_take_no_discovery_under_them() -> None:
    play = old(2, "draco")
    with play.edit() as g:
        tile = put(g, "304", 0, -3, 0)
        g.sectors.discovery[tile] = 1
        station(g, "304", NOBODY, "ancient")
    play.say("influence", "shift track 304")
    assert play.ask.word != "take-discovery"
    assert play.g.sectors.discovery[play.tile("304")] == 1


def test_a_population_track_with_a_cube_on_its_twelfth_square_yields_nothing() -> None:
    play = old(2)
    for cubes, income in ((12, 0), (11, 2), (10, 3), (1, 24), (0, 28)):
        with play.edit(possible=False) as g:
            g.seats.track[0, 0] = cubes
        assert population.income(play.g, 0, 0) == income


def test_cubes_return_to_the_twelfth_square() -> None:
    play = old(2)
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
    play = old(4, "orion")
    with play.edit() as g:
        for place, other in enumerate((1, 2, 3)):
            g.seats.reputation[0, place] = -1 - other
            g.seats.envoys[other, 0] = 1
            g.seats.track[other, 0] -= 1
            g.seats.ambassadors[other] -= 1
    kept = KeepTile(play.match.owing()[0], (Handle("reputation", 0),)).options(play.g)
    assert [keep.place for keep in kept if keep is not None] == [4, 5]


def test_starbases_have_initiative_4() -> None:
    assert stats(old(2).g, 0, 3)[INITIATIVE] >= 4


def test_advanced_robotics_and_quantum_grid_give_discs() -> None:
    discs = {name: E.technology_discs[at] for at, name in enumerate(E.technology_ids)}
    assert {name: n for name, n in discs.items() if n} == {"quantum-grid": 2, "advanced-robotics": 1}


def test_technologies_of_the_first_edition_do_what_they_say() -> None:
    play = old(2)
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


FIRST_SOURCES = {
    "components",
    "count of the wooden pieces",
    "one diagram",
    "one of two sources",
    "one program",
    "ours",
    "players' list of answers",
    "publisher's answers",
    "rulebook as quoted",
    "two programs",
}
"""What a ruling of the first edition may name as its source, besides sections of its document."""


def section_names() -> set[str]:
    """The sections of the document of the first edition."""
    document = tomllib.loads((Path(__file__).parents[2] / "rules" / "004.toml").read_text("utf-8"))
    return {line["section"] for line in document["line"]}


def named_sources(source: str) -> set[str]:
    """The sources that a ruling names, without what each of them is for."""
    parts = {part.split(" for ")[0] for part in source.split("; ")}
    sections = {part.removeprefix("document, ") for part in parts if part.startswith("document, ")}
    assert {name for each in sections for name in each.split(" and ")} <= section_names(), source
    return {part for part in parts if not part.startswith("document, ")}


def test_rulings_of_the_first_edition_name_its_own_sources_or_say_that_they_come_from_the_second() -> None:
    explained = {"audit of the second edition", "the document does not say", "the table's rule"}
    for ruling in ECLIPSE1.rulings:
        assert named_sources(ruling.source) <= FIRST_SOURCES | explained | {"second edition"}, ruling.id


def test_a_ruling_of_the_first_edition_that_speaks_of_the_second_names_what_it_rests_on() -> None:
    speaking = {ruling.id: ruling.source for ruling in ECLIPSE1.rulings if "second edition" in ruling.ruling}
    assert speaking.keys() == {
        "first-new-technologies",
        "first-draco",
        "first-homes",
        "first-start",
        "first-diplomacy",
        "first-action-chapters",
    }
    own = {name for name, source in speaking.items() if "second edition" not in named_sources(source)}
    assert own == {"first-new-technologies", "first-draco", "first-homes", "first-start"}


def test_sources_that_both_editions_share_are_decisions_of_this_project_alone() -> None:
    second_sources = {ruling.id: ruling.source for ruling in ECLIPSE2.rulings}
    shared = [one for one in ECLIPSE1.rulings if second_sources.get(one.id) == one.source]
    assert {part for one in shared for part in named_sources(one.source)} <= {
        "ours",
        "the document does not say",
        "the table's rule",
    }


def test_rulings_that_the_first_edition_plays_otherwise_have_their_own_text() -> None:
    kept = {ruling.id: ruling.ruling for ruling in ECLIPSE2.rulings}
    own = {ruling.id for ruling in ECLIPSE1.rulings if kept.get(ruling.id) != ruling.ruling}
    assert {"upgrade-legality", "influence-refresh", "aggression", "elimination-nothing-left"} <= own


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


def test_no_figure_of_shared_sectors_is_mixed_up_with_the_second_edition() -> None:
    """Wormholes of shared numbers are identical; the faces listed as changed differ."""
    new = second()
    shared = [number for number in E.sector_ids if number in new.sector_index]
    assert len(shared) == 50
    for number in shared:
        assert E.wormholes[E.sector_index[number]][0] == new.wormholes[new.sector_index[number]][0]
    assert E.squares[E.center] != new.squares[new.center]
    for number, before, after in (("102", 3, 2), ("105", 3, 2), ("107", 2, 3), ("211", 2, 1), ("317", 1, 2)):
        assert (E.sector_vp[E.sector_index[number]], new.sector_vp[new.sector_index[number]]) == (before, after)


def test_the_first_to_pass_gets_the_start_marker_and_no_word_of_money() -> None:
    play = old(2)
    assert play.ask.price(play.g, "pass") == ()
    before = play.store(0)
    play.say("pass")
    assert play.store(0) == before
    assert play.g.round.next_start == 0
    assert play.events("turn/start-marker") == [{"seat": 0}]
    assert play.events("turn/start-tile") == []


def test_a_technology_that_the_edition_lacks_has_no_effect_for_who_owns_all_others() -> None:
    g = old().g
    lacking = [effect for effect in EFFECTS if effect not in g.const.technology_index]
    assert lacking
    for seat, tech in product(range(2), range(len(g.const.technologies))):
        g.seats.techs[seat, tech] = 1
    assert [effect for effect in EFFECTS for seat in (0, 1) if has_effect(g, seat, effect)] == [
        effect for effect in EFFECTS for _ in (0, 1) if effect not in lacking
    ]
