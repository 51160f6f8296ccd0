"""Positions set up by hand: what greedy must do in them, and what it must never do."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

import pytest
from eclipse_table import Play, both_editions, own_technology, put, station, table

from client.bots import NODES
from client.bots.graded import ExpertBot
from client.bots.greedy import GreedyBot
from client.games.eclipse.bot import learned, worth
from client.games.eclipse.bot.turn import explore_value, laid
from engine.core.cards import Handle, Lens
from engine.core.hexes import EDGES, opposite
from engine.core.ids import Seat
from engine.core.notation import format_value
from engine.core.registry import GameSpec
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import population
from engine.eclipse.blueprints import stats
from engine.eclipse.combat.reputation import Keep, KeepTile
from engine.eclipse.combat.strike import Engage
from engine.eclipse.discovery import TakeDiscovery
from engine.eclipse.free import Colonise
from engine.eclipse.sectors import STACKED, UNUSED, graph
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, SHIELD
from engine.eclipse.terms import MATERIALS, MONEY, SCIENCE
from engine.eclipse.upkeep import MakeMoney, balance


def picked(play: Play, ask: Choose[Value] | None = None, lens: Lens | None = None) -> str:
    """What greedy says when asked, or would say if it were asked that."""
    wait = play.ask if ask is None else ask
    view = play.match.view(wait.seat, lens)
    value = GreedyBot().choose(view, wait, Random(1), NODES)
    return format_value(value)


def turn(play: Play) -> list[str]:
    """All answers of seat 0 until somebody else is asked."""
    said: list[str] = []
    while not play.match.over and play.seat == 0:
        said.append(picked(play))
        play.say(said[-1])
    return said


def test_a_way_to_an_own_sector_is_worth_more_than_one_to_nobodys_and_that_more_than_one_to_a_rivals() -> None:
    g: Eclipse = far_out().match.g.copy()
    tile, new, ways, worths = g.const.sector_index["310"], g.const.sector_index["201"], graph(g), []
    edge, zone = next(
        (edge, zone)
        for edge, (dq, dr) in enumerate(EDGES)
        if ways.masks[tile] >> edge & 1 and (zone := (6 + dq, 1 + dr)) not in ways.at
    )
    for owner in (0, NOBODY, 1):
        g.sectors.owner[tile] = owner
        worths.append(laid(g, 0, new, 1 << opposite(edge), zone))
    assert worths[0] > worths[1] > worths[2]


def far_out(*own: str, foes: tuple[str, ...] = (), species: tuple[str, ...] = (), seats: int = 2) -> Play:
    """Seat 0 holds 304 with its only ships, 310 beside it holds the foes; both lie far out with nothing else around."""
    play = table(seats, species)
    with play.edit() as g:
        for ship in range(18 * seats):
            g.ships.place[ship] = NOBODY
        put(g, "304", 6, 0, owner=0)
        put(g, "310", 6, 1)
        station(g, "304", 0, *own)
        station(g, "310", NOBODY, *foes)
        g.seats.colony[0] = 0
    return play


def only_moves(g: Eclipse) -> None:
    """Nothing to explore, build or buy."""
    for stack in range(4):
        g.round.left[stack] = 0
    for tech in range(len(g.round.tray)):
        g.round.bag[tech] += g.round.tray[tech]
        g.round.tray[tech] = 0
    g.seats.store[0, MATERIALS] = 0


# Turns


def test_colony_ships_come_before_anything_else() -> None:
    play = table()
    with play.edit() as g:
        put(g, "103", 1, 0, owner=0)
    assert [answer.split()[0] for answer in turn(play)[:2]] == ["colonise", "colonise"]


@both_editions
def test_a_cube_goes_to_poor_money_though_the_next_one_adds_less_there(
    edition: GameSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Money brings 3, one more cube 4 and a second 6; science and materials bring 4, and 6 with the next cube. The
    expert once lived on 3 money up to round 6, with 8 of the others, as its value counts what the next cube adds."""
    monkeypatch.setattr(
        learned, "value", lambda _weights, g, _seat, _lens: -9 * learned.SCALE * g.seats.track[0, SCIENCE]
    )
    play = table(game=edition)
    with play.edit(possible=False) as g:
        put(g, "314", 1, 0, owner=0)
        for resource, out in ((MONEY, 1), (SCIENCE, 2), (MATERIALS, 2)):
            g.seats.track[0, resource] = g.const.constants.population_cubes - out
        home = g.const.home[g.seats.species[0]]
        for square, (_, star) in enumerate(g.const.squares[home]):
            assert star or g.sectors.cubes[home, square]
    assert [population.income(play.g, 0, resource) for resource in (MONEY, SCIENCE, MATERIALS)] == [3, 4, 4]
    for bot in (GreedyBot(), ExpertBot()):
        answer = bot.choose(play.match.view(0), play.ask, Random(1), NODES)
        assert answer == Colonise("314", "gray", "money")


@pytest.mark.parametrize("versatile", ["gray", "orbital"])
def test_a_square_for_more_than_one_resource_is_kept_for_a_cube_without_another_square(versatile: str) -> None:
    play = table()
    with play.edit(possible=False) as g:
        put(g, "306", 1, 0, owner=0)  # money and materials
        put(g, "313", 0, 1, owner=0)  # gray
        g.sectors.orbital[play.tile("306")] = versatile == "orbital"
        if versatile == "orbital":
            g.sectors.owner[play.tile("313")] = NOBODY
        for resource in (MONEY, SCIENCE, MATERIALS):
            g.seats.track[0, resource] = g.const.constants.population_cubes - 2
    squares = {pick.square for pick in play.ask.options(play.g) if isinstance(pick, Colonise)}
    assert {"money", "materials", versatile} <= squares
    first = GreedyBot().choose(play.match.view(0), play.ask, Random(1), NODES)
    assert isinstance(first, Colonise)
    assert first.square in ("money", "materials")


def test_a_first_turn_is_no_pass() -> None:
    assert picked(table()) != "pass"


def test_without_money_for_the_upkeep_greedy_passes() -> None:
    play = table()
    with play.edit() as g:
        g.seats.spent[0], g.seats.discs[0] = 8, 4
        g.seats.store[0, MONEY] = 0
        g.seats.colony[0] = 0
    assert worth.left_after(play.g, 0, 1) < 0
    assert picked(play) == "pass"


def test_greedy_counts_the_money_after_the_upkeep_as_the_game_does_and_in_the_last_round_what_it_can_trade() -> None:
    play = table()
    with play.edit() as g:
        g.seats.store[0, SCIENCE], g.seats.store[0, MATERIALS] = 20, 20
        now = worth.left_after(g, 0, 0)
        assert now == balance(g, 0)
        g.round.number = g.const.constants.rounds
        assert worth.left_after(g, 0, 0) > now


def test_a_sector_is_worth_less_by_what_its_disc_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    play = table()
    with play.edit() as g:
        tile = next(tile for tile, spaces in enumerate(g.const.influence_spaces) if spaces)
        found = []
        for cost in (0.0, 5.0):
            monkeypatch.setattr(worth, "lifetime", lambda _g, _seat, _before, cost=cost: cost)
            found.append(worth.sector(g, 0, tile))
    assert found[0] - found[1] == pytest.approx(5.0)


def test_the_second_square_of_a_resource_is_worth_what_its_second_cube_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sector 102 has two squares for science, 103 one for money and one for science."""
    play, found = table(), []
    monkeypatch.setattr(worth, "lifetime", lambda *_given: 0.0)
    for first, second in ((0.0, 0.0), (4.0, 1.0)):
        monkeypatch.setattr(worth, "cube", lambda _g, _seat, _resource, more, by=(first, second): by[more])
        found.append([worth.sector(play.g, 0, play.g.const.sector_index[sector]) for sector in ("102", "103")])
    gained = [(then - now) / worth.NUMBERS["settled"] for now, then in zip(*found, strict=True)]
    assert gained == pytest.approx([5.0, 8.0])


def test_each_figure_that_grows_makes_a_ship_stronger_and_a_shield_of_the_foe_makes_it_weaker() -> None:
    can = stats(table().g, 0, 1)
    for figure in (CANNONS, MISSILES, COMPUTER, SHIELD, HULL, INITIATIVE):
        more = tuple(number + (at == figure) for at, number in enumerate(can))
        assert worth.power(more) > worth.power(can), figure
    aimed = tuple(number + (at == COMPUTER) for at, number in enumerate(can))
    assert worth.power(aimed, 1) < worth.power(aimed)
    assert worth.power(can, 0, 2) < worth.power(can)


def test_scarce_income_is_worth_more_and_what_is_kept_or_settled_less_with_fewer_rounds_to_come() -> None:
    g: Eclipse = table().match.g.copy()
    g.seats.discs[0] = 5
    usual, whole = worth.units(g, 0), g.seats.track[0, SCIENCE]
    g.seats.track[0, SCIENCE] = 0
    assert worth.units(g, 0)[1] < usual[1]
    assert worth.cube(g, 0, SCIENCE) == 0, "no cube is left"
    g.seats.track[0, SCIENCE] = whole

    def values() -> list[float]:
        found = (worth.money(g), worth.material(g), worth.disc(g, 0), worth.lifetime(g, 0), worth.cube(g, 0, SCIENCE))
        return [float(value) for value in found]

    before = values()
    assert min(before) > 0
    g.round.number = g.const.constants.rounds
    assert all(now < early for now, early in zip(values(), before, strict=True))


def test_a_rival_is_another_player_without_relations() -> None:
    g: Eclipse = table().match.g.copy()
    assert [worth.rival(g, 0, owner) for owner in (0, 1, NOBODY)] == [False, True, False]
    g.seats.envoys[0, 1] = 1
    assert not worth.rival(g, 0, 1)


def test_in_the_last_round_materials_become_monoliths() -> None:
    play = table()
    with play.edit() as g:
        g.round.number = 8
        own_technology(g, 0, "monolith")
        g.seats.store[0, MATERIALS] = 20
        g.seats.colony[0] = 0
        only = [tile for tile, owner in enumerate(g.sectors.owner) if owner == 0]
    said = turn(play)
    assert "build" in said
    assert any(answer.startswith("construct monolith") for answer in said)
    assert [play.g.sectors.monolith[tile] for tile in only] == [1]


def test_no_ship_is_built_in_the_last_round_for_nothing() -> None:
    play = table()
    with play.edit() as g:
        g.round.number = 8
        only_moves(g)
        g.seats.store[0, MATERIALS] = 9
        g.seats.colony[0] = 0
    assert not [answer for answer in turn(play) if answer.startswith("construct")]


# Battles


def test_who_cannot_win_retreats_and_who_can_stays() -> None:
    for ships, foes, answer in (
        (("interceptor",), ("guardian", "guardian"), "retreat interceptor 304"),
        (("dreadnought", "dreadnought"), ("ancient",), "attack dreadnought"),
    ):
        play = far_out(*ships, foes=foes, seats=6)
        with play.edit() as g:
            for ship in range(18):
                if g.ships.place[ship] != NOBODY:
                    g.ships.place[ship] = g.const.sector_index["310"]
        asked = Engage(Seat(0), "310", 1, (ships[0],))
        assert picked(play, asked) == answer


def explored(left: str, species: tuple[str, ...] = ()) -> float:
    """What it is worth to explore where one sector alone is left."""
    play = table(2, species)
    with play.edit(possible=False) as g:
        for ids in g.const.stacks:
            for tile in ids:
                g.sectors.where[tile] = STACKED if tile == play.tile(left) else UNUSED
    return explore_value(play.g, 0, 1)


def test_a_stack_whose_sectors_hold_two_ancients_attracts_less_than_one_with_one() -> None:
    assert explored("204") > explored("203") > 0


def test_a_stack_whose_sectors_hold_two_ancients_attracts_their_friend_more_than_one_with_one() -> None:
    friend = ("draco",)
    assert explored("203", friend) > explored("204", friend)


def test_a_stack_whose_sectors_hold_a_discovery_attracts_more_than_one_with_the_same_squares_alone() -> None:
    assert explored("382") > explored("310") > 0
    assert explored("381") > explored("306") > 0


# What is found, drawn and owed


def test_resources_found_in_the_last_round_are_kept_for_points() -> None:
    play = table()
    found = TakeDiscovery(Seat(0), "money", play.home(0))
    assert picked(play, found) == "use"
    with play.edit() as g:
        g.round.number = 8
    assert picked(play, found) == "points"


def test_a_part_that_improves_no_ship_is_kept_for_points_by_who_scores_parts_as_well() -> None:
    for species in ("hydran", "magellan"):
        play = table(2, (species,), wanderers="on")
        assert picked(play, TakeDiscovery(Seat(0), "ion-disruptor", play.home(0))) == "points"


def test_a_monolith_found_is_always_built() -> None:
    play = table()
    with play.edit() as g:
        g.round.number = 8
    assert picked(play, TakeDiscovery(Seat(0), "ancient-monolith", play.home(0))) == "use"


def test_the_expert_does_not_keep_a_monolith_for_fewer_points() -> None:
    play = table()
    found = TakeDiscovery(Seat(0), "ancient-monolith", play.home(0))
    for usual, kept in (("use", False), ("points", True)):
        plans = [*learned._plans(play.match.view(Seat(0)), found, usual)]
        assert ("use",) in plans
        assert (("points",) in plans) is kept


@pytest.mark.parametrize("room", [True, False])
def test_relations_are_offered_only_to_who_has_room_for_an_ambassador(room: bool) -> None:
    """Others would decline each turn."""
    play = table(4)
    with play.edit(possible=room) as g:
        put(g, "101", 1, -1, owner=0)
        put(g, "110", 1, 0, owner=1)
        g.seats.colony[0] = 0
        for place in range(0 if room else len(row_of(g.seats.reputation, 1))):
            g.seats.reputation[1, place] = 1
    assert picked(play).startswith("offer 1") is room


def test_the_best_reputation_tile_is_kept_and_nothing_is_swapped_for_less() -> None:
    play = table()
    low, high = Handle("reputation", 30), Handle("reputation", 31)
    faces = Lens({low: 1, high: 4})
    asked = KeepTile(Seat(0), (low, high))
    kept = GreedyBot().choose(play.match.view(0, faces), asked, Random(1), NODES)
    assert isinstance(kept, Keep)
    assert kept.tile == high
    with play.edit(possible=False) as g:
        for place in range(5):
            g.seats.reputation[0, place] = 1 + place
    full = Lens({low: 1, high: 2, **{Handle("reputation", place): 3 for place in range(5)}})
    assert GreedyBot().choose(play.match.view(0, full), asked, Random(1), NODES) is None
    least = Lens({**full, Handle("reputation", 2): 1})
    swapped = GreedyBot().choose(play.match.view(0, least), asked, Random(1), NODES)
    assert swapped == Keep(high, 3), "in the place of the least one"


def test_who_is_short_trades_before_leaving_a_sector_and_leaves_the_home_last() -> None:
    play = table()
    with play.edit() as g:
        put(g, "313", 6, 0, owner=0)
        g.seats.store[0, MATERIALS] = 9
    assert picked(play, MakeMoney(Seat(0))) == "trade materials money"
    with play.edit() as g:
        for resource in range(3):
            g.seats.store[0, resource] = 0
    assert picked(play, MakeMoney(Seat(0))) == "abandon 313"
