"""The move screen says how a battle would end, by the same odds as `starlock odds`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from client.commands import cli
from client.games.eclipse.show.fight import battle_at
from client.games.eclipse.show.odds import battle_odds, outlook, standing
from client.games.eclipse.show.whatif import whatif
from client.show.lines import lines
from client.show.pictures import Frame
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.words import DisplayNames, event_text
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.views import View
from engine.eclipse import sectors
from engine.eclipse.combat.order import acted_bit
from engine.eclipse.sectors import idle_ship, launch
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


def frame_of(state: Eclipse, seat: int = 0) -> Frame:
    view = View(Seat(seat), state, None, None, Lens(), 0)
    return Frame(view, ("Anna", "Bob"), UNICODE)


def test_a_contested_sector_and_a_drafted_stack_tell_the_odds_of_all_ships_together(begun: Eclipse) -> None:
    tile = begun.const.sector_index["304"]
    assert sectors.deploy(begun, ANCIENT, tile)
    launch(begun, idle_ship(begun, 0, CRUISER), tile)
    alone = standing(frame_of(begun), tile)
    launch(begun, idle_ship(begun, 0, CRUISER), tile)
    together = standing(frame_of(begun), tile)
    assert [owner for owner, _wins in alone] == [owner for owner, _wins in together] == [0, -1]
    (_seat, less), (_seat, wins) = alone[0], together[0]
    assert less < wins
    [told] = map(plain, lines(outlook(frame_of(begun), 0), 200))
    assert told.split() == f"Sector 304: 2 × cruiser against Ancient: wins {wins:.0%}".split()
    assert outlook(frame_of(begun, 1), 1) == []
    assert f"Anna {wins:.1%}" in " ".join(map(plain, lines(battle_at(frame_of(begun), tile), 80)))


def test_odds_of_a_battle_under_way_count_from_where_it_stands(begun: Eclipse) -> None:
    tile = begun.const.sector_index["304"]
    for seat in (0, 1):
        launch(begun, idle_ship(begun, seat, INTERCEPTOR), tile)
    chances = []
    for acted in (0, acted_bit(attacking=False, kind=INTERCEPTOR)):
        begun.flow.now = ["strike", tile, 1, 0, 1, acted]
        chances.append(round(standing(frame_of(begun), tile)[0][1], 3))
    assert chances == [round(5 / 11, 3), round(6 / 11, 3)]


def test_dice_tell_what_hits_and_what_they_need() -> None:
    args: dict[str, Any] = {"seat": 0, "ship": "interceptor", "sector": "304", "weapons": "cannons"}
    event = Event("combat/rolled", {**args, "dice": ("yellow", "orange"), "faces": (6, 4), "needs": 5})
    told = event_text(event, ("Anna", "Bob"), DisplayNames("eclipse2"))
    assert told == "Anna rolls in sector 304 (interceptor, cannons): yellow 6 hit, orange 4 miss; needs 5+."


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2 cruisers vs ancient", "Anna (2 × cruiser) attacks the neutral fleet (Ancient): wins "),
        ("B 2 interceptor vs A cruiser", "Bob (2 × interceptor) attacks Anna (cruiser): wins "),
        ("cruiser vs interceptor", "Whose ships?"),
        ("cruiser vs", "ships on both sides"),
        ("battlestar vs ancient", "“battlestar” is no type of ship."),
        ("5 cruiser vs ancient", "There are 4 at most: cruiser."),
        ("cruiser ancient vs ancient", "side by side"),
        ("ancient vs 2 cruisers", "Neutral ships always defend. For example: odds 2 cruiser vs ancient"),
        ("ancient vs B 2 cruiser", "Neutral ships always defend."),
        ("ancient vs gcds", "Neutral ships always defend."),
        ("cruiser ancient", "For example: odds 2 cruiser vs ancient"),
        ("2 cruiser + 1 interceptor vs ancient", "Anna (interceptor, 2 × cruiser) attacks the neutral fleet"),
        ("cruiser, 2 interceptor vs B dreadnought", "Anna (2 × interceptor, cruiser) attacks Bob (dreadnought): wins "),
        ("", "No sector has ships of two sides."),
    ],
)
def test_what_if_at_the_table_fights_with_the_ships_as_built(begun: Eclipse, typed: str, told: str) -> None:
    frame = replace(frame_of(begun), words=typed.split(), width=200)
    assert told in " ".join(map(plain, lines(whatif(frame), 200)))
