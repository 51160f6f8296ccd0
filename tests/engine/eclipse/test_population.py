from __future__ import annotations

import pytest
from eclipse_table import Play, both_editions, cube, own_technology, put, station, table

from engine.core.ids import Seat
from engine.core.registry import GameSpec
from engine.core.sections import flat, row_of
from engine.eclipse import free, population
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.population import BringBack
from engine.eclipse.spec import ECLIPSE2


def colonies(play: Play, seat: int = 0) -> list[tuple[str, str, str]]:
    return [(option.sector, option.square, option.cube) for option in free.colonies(play.g, seat)]


def test_income_is_the_value_uncovered_on_the_track() -> None:
    play = table()
    assert [population.income(play.g, 0, resource) for resource in range(3)] == [3, 3, 3]
    with play.edit(possible=False) as g:
        g.seats.track[0, 0] = 0
    assert population.income(play.g, 0, 0) == 28


def test_a_square_takes_a_cube_of_its_own_resource() -> None:
    play = table()
    with play.edit() as g:
        put(g, "304", 0, -3, owner=0)
        put(g, "306", 1, -3, owner=0)
    assert colonies(play) == [
        ("304", "materials", "materials"),
        ("306", "materials", "materials"),
        ("306", "money", "money"),
    ]


def test_advanced_squares_need_the_technology_of_their_resource() -> None:
    for technology, squares in (
        ("advanced-economy", ["money*"]),
        ("advanced-labs", ["science*"]),
        ("metasynthesis", ["money*", "science*"]),
    ):
        play = table()
        assert not colonies(play)
        with play.edit() as g:
            own_technology(g, 0, technology)
        assert [square for _, square, _ in colonies(play)] == squares


def test_gray_squares_take_any_cube_and_advanced_ones_need_the_cubes_own_technology() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
    assert colonies(play) == [("313", "gray", name) for name in ("materials", "money", "science")]
    play = table()
    with play.edit() as g:
        put(g, "110", 0, -1, owner=0)
    assert not colonies(play)
    with play.edit() as g:
        own_technology(g, 0, "advanced-mining")
    assert ("110", "gray*", "materials") in colonies(play)
    assert ("110", "gray*", "money") not in colonies(play)


@both_editions
def test_an_orbital_takes_money_or_science(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        g.sectors.orbital[g.const.sector_index["221"]] = 1
    assert colonies(play) == [("221", "orbital", "money"), ("221", "orbital", "science")]
    play.say("colonise 221 orbital science")
    assert play.track(0) == (10, 9, 10)
    assert not colonies(play)


def test_no_cube_comes_from_an_empty_track() -> None:
    play = table()
    with play.edit() as g:
        put(g, "304", 0, -3, owner=0)
        g.seats.graveyard[0, 2], g.seats.track[0, 2] = g.seats.track[0, 2], 0
    assert not colonies(play)


@both_editions
def test_each_cube_takes_a_face_up_colony_ship(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
        g.seats.colony[0] = 1
    play.say("colonise 313 gray money")
    assert play.g.seats.colony[0] == 0
    with play.edit() as g:
        put(g, "314", 1, -3, owner=0)
    assert not colonies(play)


def test_in_upkeep_only_sectors_without_opponents_are_colonised() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
    assert free.colonies(play.g, 0, peaceful=True)
    with play.edit() as g:
        station(g, "313", 1, "interceptor")
    assert free.colonies(play.g, 0)
    assert not free.colonies(play.g, 0, peaceful=True)


def test_a_killed_cube_lies_in_its_owners_graveyard() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
        cube(g, 0, "313", 0, "science")
        population.kill(g, g.const.sector_index["313"], 0)
    assert list(row_of(play.g.seats.graveyard, 0)) == [0, 0, 0, 1, 0]
    assert population.cubes(play.g, play.tile("313")) == []


def killed(game: GameSpec = ECLIPSE2) -> Play:
    """Cubes of a gray square and of an orbital are destroyed; cleanup comes next."""
    play = table(game=game)
    with play.edit() as g:
        home = g.const.sector_index[play.home(0)]
        put(g, "313", 0, -3, owner=0)
        cube(g, 0, "313", 0, "science")
        g.sectors.orbital[home] = 1
        cube(g, 0, play.home(0), population.ORBITAL_SQUARE, "science")
        population.kill(g, home, population.ORBITAL_SQUARE)
        population.kill(g, g.const.sector_index["313"], 0)
        g.flow.now, g.flow.agenda = [], [["phase", "cleanup"], ["round"]]
    return play


@pytest.mark.parametrize("game", [ECLIPSE1, ECLIPSE2], ids=lambda game: game.id)
def test_the_owner_chooses_the_track_of_a_cube_killed_on_a_gray_square_or_an_orbital(game: GameSpec) -> None:
    play = killed(game)
    assert list(row_of(play.g.seats.graveyard, 0)) == [0, 0, 0, 1, 1]
    before = play.track(0)
    assert play.ask == BringBack(Seat(0), "gray")
    assert play.options() == ["materials", "money", "science"]
    play.say("materials")
    assert play.ask == BringBack(Seat(0), "orbital")
    assert play.options() == ["money", "science"]
    play.say("money")
    assert play.track(0) == (before[0] + 1, before[1], before[2] + 1)
    assert not any(flat(play.g.seats.graveyard))
    assert play.g.round.number == 2


def test_a_cube_killed_on_its_own_square_returns_to_its_track_without_a_question() -> None:
    play = table()
    with play.edit() as g:
        home = g.const.sector_index[play.home(0)]
        population.kill(g, home, population.cubes(g, home)[0])
        kind = next(kind for kind, cubes in enumerate(row_of(g.seats.graveyard, 0)) if cubes)
        before = g.seats.track[0, kind]
        g.flow.now, g.flow.agenda = [], [["phase", "cleanup"], ["round"]]
    assert play.g.seats.track[0, kind] == before + 1
    assert play.g.round.number == 2


def test_the_stand_in_brings_a_cube_back_where_the_least_income_is_lost() -> None:
    play = killed()
    with play.edit(possible=False) as g:
        for resource, cubes in enumerate((2, 10, 2)):
            g.seats.track[0, resource] = cubes
    assert play.match.caretaker(0) == "science"


def test_a_cube_whose_track_is_full_returns_to_another() -> None:
    play = table()
    with play.edit(possible=False) as g:
        put(g, "313", 0, -3, owner=0)
        cube(g, 0, "313", 0, "science")
        g.seats.track[0, 0], g.seats.track[0, 1] = 11, 9
    assert population.homes(play.g, 0, play.tile("221"), 0) == [1, 2]
    assert population.homes(play.g, 0, play.tile("313"), 0) == [1, 2]


@both_editions
def test_orbital_cubes_return_to_money_or_science(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        g.sectors.orbital[g.const.sector_index["221"]] = 1
        cube(g, 0, "221", 7, "money")
    assert population.homes(play.g, 0, play.tile("221"), 7) == [0, 1]


def test_trade_pays_the_boards_value_for_one_of_another_kind() -> None:
    for species, rate in (("eridani", 3), ("orion", 4), ("terran-union", 2)):
        play = table(2, [species])
        with play.edit() as g:
            g.seats.store[0, 0], g.seats.store[0, 1], g.seats.store[0, 2] = rate, rate - 1, 0
        assert [option for option in play.options() if option.startswith("trade")] == [
            "trade money materials",
            "trade money science",
        ]
        option = play.read("trade money science")
        assert play.ask.price(play.g, option) == (("money", -rate), ("science", 1))
        play.say("trade money science")
        assert play.store(0) == (0, rate, 0)


def test_what_is_free_but_not_possible_is_refused_with_its_reason() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
        g.seats.store[0, 0] = 1
    assert play.refusal("trade money science") == "trade/too-few"
    assert play.refusal("colonise 221 money* money") == "colonise/needs-technology"
    assert play.refusal("colonise 221 money money") == "colonise/occupied"
    play.say("colonise 313 gray money")
    assert play.refusal("colonise 313 gray money") == "colonise/occupied"
    with play.edit() as g:
        g.seats.colony[0] = 0
        put(g, "304", 1, -3, owner=0)
    assert play.refusal("colonise 304 materials materials") == "colonise/no-ship"
    with play.edit() as g:
        g.seats.colony[0] = 1
        g.seats.graveyard[0, 2], g.seats.track[0, 2] = g.seats.track[0, 2], 0
    assert play.refusal("colonise 304 materials materials") == "colonise/track-empty"
