"""The move screen says how a battle would end, by the same odds as `starlock odds`."""

from __future__ import annotations

import json

import pytest

from client import cli
from client.show.eclipse_odds import battle_odds
from client.texts import use
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.eclipse import sectors
from engine.eclipse.actions.build import idle_ship, launch
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import ANCIENT, CRUISER, INTERCEPTOR


@pytest.fixture
def begun() -> Eclipse:
    use("en")
    table = settle_options(ECLIPSE2, 2, {"species": "terran-union,terran-republic"})
    assert isinstance(table, Table)
    match = Match.new(ECLIPSE2, table)
    for _ in play(match, Dealer(HashDice(1)), by_caretaker):
        if match.g.round.number == 1:
            break
    state: Eclipse = match.g
    sectors.lay(state, state.const.sector_index["304"], (0, -3, 0))
    return state


def test_a_flight_into_battle_tells_the_odds(begun: Eclipse, capsys: pytest.CaptureFixture[str]) -> None:
    tile = begun.const.sector_index["304"]
    assert sectors.deploy(begun, ANCIENT, tile)
    launch(begun, idle_ship(begun, 0, CRUISER), tile)
    told = battle_odds(begun, 0, CRUISER, tile)
    assert cli.main(["odds", "eclipse2", "2", "cruiser", "vs", "ancient", "--json"]) == 0
    wins = json.loads(capsys.readouterr().out)["attacker_wins"]
    assert told == f"wins {wins:.0%}"


def test_who_controls_the_sector_defends_it(begun: Eclipse) -> None:
    tile = begun.const.sector_index["304"]
    launch(begun, idle_ship(begun, 1, INTERCEPTOR), tile)
    attacking = battle_odds(begun, 0, INTERCEPTOR, tile)
    begun.sectors.owner[tile] = 0
    assert (attacking, battle_odds(begun, 0, INTERCEPTOR, tile)) == ("wins 45%", "wins 55%")


def test_nothing_is_told_without_a_battle_or_with_too_many_ships(begun: Eclipse) -> None:
    tile = begun.const.sector_index["304"]
    assert battle_odds(begun, 0, CRUISER, tile) == ""
    for _ in range(7):
        launch(begun, idle_ship(begun, 1, INTERCEPTOR), tile)
    assert battle_odds(begun, 0, CRUISER, tile) == ""
