from __future__ import annotations

import pytest
from eclipse_table import Play, both_editions, clear, own_technology, put, station, table

from engine.core.registry import GameSpec
from engine.eclipse import population
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.terms import MONEY


def phases(play: Play) -> list[str]:
    return [event["phase"] for event in play.events("round/phase")]


@both_editions
def test_a_round_has_action_combat_upkeep_and_cleanup(edition: GameSpec) -> None:
    play = table(game=edition)
    play.say("pass", "pass")
    assert phases(play) == ["combat", "upkeep", "cleanup", "action"]
    assert play.g.round.number == 2


def test_the_game_ends_after_the_eighth_round_without_a_last_cleanup() -> None:
    play = table()
    with play.edit() as g:
        g.round.number = 8
        g.flow.agenda = [["next-turn"], ["phase", "combat"], ["phase", "upkeep"], ["final"]]
    play.say("pass", "pass")
    assert phases(play) == ["combat", "upkeep"]
    assert play.match.over
    assert play.g.round.phase == 5


def test_eight_rounds_are_played() -> None:
    play = table(3).until()
    assert play.match.over
    assert play.g.round.number == 8


@both_editions
def test_turns_go_clockwise_from_the_start_player(edition: GameSpec) -> None:
    play = table(4, drawn={"start-player": (3,)}, game=edition)
    seats = []
    for _ in range(4):
        seats.append(play.seat)
        play.say("pass")
    assert seats == [2, 3, 0, 1]


def test_the_first_to_pass_gets_two_money_and_starts_the_next_round() -> None:
    play = table(3)
    assert play.ask.price(play.g, "pass") == (("money", 2),)
    play.say("influence", "stop")
    assert play.seat == 1
    before = play.store(1)[MONEY]
    play.say("pass")
    assert play.store(1)[MONEY] == before + 2
    assert play.ask.price(play.g, "pass") == ()
    play.say("pass", "pass")
    assert play.g.round.number == 2
    assert play.g.round.start == play.seat == 1


@both_editions
def test_the_action_phase_ends_when_the_last_player_passes(edition: GameSpec) -> None:
    play = table(3, game=edition).say("pass", "pass")
    assert play.seat == 2
    play.say("pass")
    assert play.g.round.number == 2


@both_editions
def test_who_has_not_passed_goes_on_until_all_have(edition: GameSpec) -> None:
    play = table(game=edition).say("pass")
    for _ in range(2):
        assert (play.seat, play.g.round.number) == (1, 1)
        play.say("influence", "stop")
        assert play.seat == 0
        assert play.refusal("influence") == "turn/passed"
        play.say("pass")
    play.say("pass")
    assert play.g.round.number == 2


@both_editions
def test_an_action_costs_the_leftmost_disc(edition: GameSpec) -> None:
    play = table(game=edition)
    discs = play.g.seats.discs[0]
    assert play.ask.price(play.g, "influence") == (("discs", -1),)
    play.say("influence")
    assert play.g.seats.discs[0] == discs - 1
    assert play.g.seats.spent[0] == 1


def test_without_a_disc_one_can_only_pass() -> None:
    play = table()
    with play.edit() as g:
        g.seats.spent[0], g.seats.discs[0] = g.seats.discs[0], 0
    assert [option for option in play.options() if not option.startswith(("colonise", "trade"))] == ["pass"]
    assert play.refusal("explore") == "turn/no-disc"


@both_editions
def test_after_passing_only_upgrade_build_and_move_are_left_as_reactions(edition: GameSpec) -> None:
    play = table(game=edition)
    with play.edit() as g:
        put(g, "102", 0, -1)
    play.say("pass", "influence", "stop")
    assert play.seat == 0
    assert set(play.options()) - {option for option in play.options() if " " in option} == {
        "build",
        "move",
        "pass",
        "upgrade",
    }
    for action in ("explore", "research", "influence"):
        assert play.refusal(action) == "turn/passed"


def test_a_reaction_has_one_activation_whatever_the_technologies() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "nanorobots")
        g.seats.store[0, 2] = 30
    play.say("pass", "influence", "stop", "build")
    discs = play.g.seats.discs[0]
    play.say("construct interceptor 221")
    assert play.seat == 1
    assert play.g.seats.discs[0] == discs
    assert play.ships("221", 0) == ["interceptor", "interceptor"]


def test_technologies_add_activations_to_an_action() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "nanorobots")
        g.seats.store[0, 2] = 30
    play.say("build")
    for _ in range(3):
        assert play.seat == 0
        play.say("construct interceptor 221")
    assert play.seat == 1


def test_activations_may_be_left_unused() -> None:
    play = table()
    with play.edit() as g:
        put(g, "102", 0, -1)
    play.say("move", "fly interceptor 221 102", "stop")
    assert play.seat == 1
    assert play.ships("102", 0) == ["interceptor"]


def test_colony_ships_may_be_used_after_the_last_activation() -> None:
    play = table()
    with play.edit() as g:
        own_technology(g, 0, "advanced-economy")
    play.say("influence", "stop")
    assert play.seat == 0
    assert "colonise 221 money* money" in play.options()
    play.say("colonise 221 money* money")
    assert play.seat == 1


def test_an_eliminated_player_takes_no_turn() -> None:
    play = table(3)
    with play.edit() as g:
        clear(g, 1)
        g.seats.out[1] = 1
    play.say("pass")
    assert play.seat == 2
    play.say("pass")
    assert play.g.round.number == 2


def test_who_has_neither_ships_nor_sectors_is_out() -> None:
    play = table(3)
    with play.edit() as g:
        clear(g, 1)
    play.say("pass", "pass", "pass")
    assert list(play.g.seats.out) == [0, 1, 0]


def test_a_turn_begins_with_trades_and_colony_ships_as_often_as_one_likes() -> None:
    play = table()
    with play.edit() as g:
        g.seats.store[0, 0] = 10
    play.say("trade money science", "trade money materials", "trade money science")
    assert play.seat == 0
    assert play.store(0) == (4, 5, 5)
    play.say("pass")
    assert play.seat == 1


def test_ships_meeting_an_enemy_fight_in_the_same_round() -> None:
    play = table()
    with play.edit() as g:
        station(g, "221", 1, "interceptor")
    play.say("pass", "pass")
    assert any(event.id == "combat/battle" for event in play.new_events)


def test_offers_that_cannot_be_made_are_refused_with_their_reason() -> None:
    assert table(2).refusal("offer 1 money -1") == "diplomacy/too-few-players"
    assert table(4).refusal("offer 1 money -1") == "diplomacy/no-border"
    play = table(4).say("pass", "influence", "stop", "pass", "pass")
    assert play.seat == 0
    assert play.refusal("offer 1 money -1") == "turn/passed"


def test_a_player_with_nothing_to_do_is_told_why() -> None:
    play = table()
    with play.edit() as g:
        g.seats.store[0, 0], g.seats.store[0, 1], g.seats.store[0, 2] = 0, 0, 0
    assert play.refusal("research") == "research/nothing-affordable"
    assert play.refusal("build") == "build/nothing-possible"
    assert play.refusal("move") == "move/nowhere"


@pytest.mark.parametrize("game", [ECLIPSE1, ECLIPSE2], ids=lambda game: game.id)
def test_who_only_passes_again_may_use_colony_ships_and_trade(game: GameSpec) -> None:
    play = table(game=game)
    with play.edit() as g:
        put(g, "313", 0, -3, owner=0)
        g.seats.passed[0] = 1
        g.seats.store[0, 2] = 9
    play.say("colonise 313 gray money", "trade materials money", "pass")
    assert play.events("turn/passed-again") == [{"seat": 0}]
    assert population.cubes(play.g, play.tile("313"))
