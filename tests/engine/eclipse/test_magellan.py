"""Magellan: its trade, its colony ships and its discovery (document 000, section 6; their rulings)."""

from __future__ import annotations

import pytest
from eclipse_table import grids, table, wander

from engine.eclipse.state import face_down, wanderers_of


@pytest.mark.parametrize(("option", "rate"), [("3", 3), ("2", 2)])
def test_magellan_trades_three_for_one_or_two_by_table_option(option: str, rate: int) -> None:
    play = table(2, ("magellan", "exiles"), wanderers="on", magellan_trade=option)
    with play.edit() as g:
        for seat in range(2):
            g.seats.store[seat, 0] = rate
            g.seats.store[seat, 1] = rate - 1
    assert "trade money science" in play.options()
    assert "trade science money" not in play.options()
    play.say("trade money science")
    assert play.store(0)[:2] == (0, rate)
    assert play.g.const.trade[play.g.seats.species[1]] == 3


def test_magellan_flips_a_colony_ship_for_a_resource_of_its_choice() -> None:
    play = wander("magellan", "hydran")
    assert play.store(0) == (2, 2, 3)
    play.say("swap science")
    assert (play.store(0), play.g.seats.colony[0]) == ((2, 3, 3), 2)
    assert play.events("free/swapped") == [{"seat": 0, "to": "science"}]
    play.say("swap money", "swap money")
    assert (play.store(0), play.g.seats.colony[0]) == ((4, 3, 3), 0)
    assert play.refusal("swap money") == "colonise/no-ship"
    assert play.say("pass").seat == 1
    assert not any(option.startswith("swap") for option in play.options())


def test_magellan_swaps_colony_ships_before_income_too() -> None:
    play = wander("magellan", "hydran").now(["settle", 0])
    assert play.options() == ["stop", "swap materials", "swap money", "swap science"]
    assert play.say("swap money", "stop").store(0)[0] == 3


def test_magellan_swaps_a_colony_ship_when_money_is_short() -> None:
    play = wander("magellan", "hydran")
    with play.edit() as g:
        g.seats.store[0, 0] = 0
        g.seats.spent[0], g.seats.discs[0] = 11, 1
        g.flow.agenda[0:0] = [["pay", 0]]
        g.flow.now = []
    assert "swap money" in play.options()
    assert "swap science" not in play.options()


def test_magellan_turns_its_discovery_over_with_the_first_fourth_technology_on_a_track() -> None:
    play = grids(wander("magellan", "hydran"), "gauss-shield", "positron-computer")
    assert wanderers_of(play.g).sealed[0] == 1
    assert face_down(play.g) == sum(play.g.sectors.discovery) + 1
    play.say("research", "buy improved-hull grid")
    assert (play.asked, play.seat) == ("take-discovery", 0)
    assert play.events("discovery/unsealed") == [{"seat": 0}]
    assert play.events("discovery/found")[0]["sector"] == "233"
    assert wanderers_of(play.g).sealed[0] == 0
    assert face_down(play.g) == sum(play.g.sectors.discovery)


def test_three_technologies_on_a_track_do_not_turn_it_over() -> None:
    play = grids(wander("magellan", "hydran"), "gauss-shield").say("research", "buy improved-hull grid")
    assert play.events("discovery/unsealed") == []
    assert wanderers_of(play.g).sealed[0] == 1
