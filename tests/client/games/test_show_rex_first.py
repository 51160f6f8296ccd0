"""Who plays Rex for the first time reads nothing false: the legend, the advice, the cards, what happened."""

from __future__ import annotations

from typing import Any

import pytest
from rex_bot import HACAN, JOL_NAR, LAZAX, LETNEV, SIX, SOL, SPACE, table
from rex_person import NAMES, Person, asked

from client.games.rex.show.boards import cards
from client.games.rex.wording.guide import GUIDE
from client.games.rex.wording.texts import PROMPTS
from client.session.notation import beyond
from client.session.view import view_of
from client.show.document import Sheet
from client.show.pictures import Frame
from client.show.styled import UNICODE
from client.system.texts import use
from client.words import DisplayNames, event_text
from engine.core.events import Event


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def told(event: str, **args: Any) -> str:
    return event_text(Event(event, args), NAMES, DisplayNames("rex"))


# The map


def test_the_legend_explains_roads_and_tells_of_those_that_are_not_drawn() -> None:
    shown = asked(table(SIX).army(SOL, SPACE, 2), ["move", SOL]).show("legend")
    assert "○ on a wall: a road" in shown
    assert "at a corner have a road that is not drawn" in shown


# Advice


def test_the_question_for_a_faction_names_none_that_may_be_taken() -> None:
    assert "Letnev" not in PROMPTS["pick-faction"]


def test_advice_names_no_price_and_no_distance_that_differ_by_faction() -> None:
    for word in ("deploy", "move-group"):
        assert not any(figure in GUIDE[word] for figure in (" 1 ", " 2 ", "two spaces"))
    assert "two strongholds" not in GUIDE["place-units"]  # Sol's sectors have one where the other is demolished


def test_advice_about_playing_a_card_is_true_while_its_target_is_picked() -> None:
    game = table(SIX)
    game.deal(SOL, "sworn-testimony")
    person = Person(game.run(["window", "influence"], phase="influence"), SOL)
    before = view_of(person.screen.session).advice
    person.type("2")
    assert before.startswith("Most cards are kept")
    assert "No is" not in view_of(person.screen.session).advice


def test_advice_tells_what_the_dial_of_the_fleet_and_a_prediction_are_for() -> None:
    assert "difference between your dial" in GUIDE["fleet-dial"]
    assert "you win instead, alone" in GUIDE["predict"]


def test_a_title_leaves_the_name_of_a_seat_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rex_person.NAMES", ("ada", "bob", "cy", "di", "eve", "fay"))
    game = table(SIX)
    game.deal(SOL, "sworn-testimony")
    person = Person(game.run(["window", "influence"], phase="influence"), SOL)
    person.type("2")
    person.type("1")
    choices = person.screen.session.asking.choices
    assert choices is not None
    assert choices.title(0) == "bob has to testify"


# Cards and leaders


def test_a_card_that_can_be_played_tells_what_it_does() -> None:
    game = table(SIX)
    game.deal(SOL, "fleet-sabotage")
    person = Person(game.run(["window", "bombardment"], phase="bombardment"), SOL)
    assert "Instead of a draw the fleet moves 0 to 10 sectors, as you like." in person.read()
    hand, *_others = cards(Frame(game.match.view(SOL, game.dealer.lens(SOL)), NAMES, UNICODE))
    assert isinstance(hand, Sheet)
    assert [cell.note for cell in hand.cells] == ["Instead of a draw the fleet moves 0 to 10 sectors, as you like."]


def test_a_row_of_the_list_says_a_name_once() -> None:
    heir = "Baronial Heir, strength 6, Barony of Letnev"
    assert beyond("Led by Baronial Heir", heir) == "strength 6, Barony of Letnev"
    assert beyond("Play Bio-Filter", "Bio-Filter: Defence against bio attacks.") == "Defence against bio attacks."
    assert beyond("Play Bio-Filter", "Bio-Filter") == ""
    assert beyond("Fight Bob", "Bobby, Federation of Sol") == "Bobby, Federation of Sol"


# What happened


def test_units_without_mechanized_ones_are_told_without_them() -> None:
    moved = told("maneuver/moved", seat=0, space=SPACE, to="iaf-hq", units=3, mechanized=0)
    assert moved == "Ada moves 3 units from Grand Exchange to IAF HQ."
    one = told("maneuver/deployed", seat=0, space=SPACE, paid=2, units=1, mechanized=0)
    assert one == "Ada deploys 1 unit in Grand Exchange for 2."
    assert told("recruit/units", seat=0, paid=0, units=5, mechanized=0) == "Ada recruits 5 units for 0."
    assert told("maneuver/moved", seat=0, space=SPACE, to="iaf-hq", units=3, mechanized=2).endswith("Mechanized 2.")


def test_the_report_before_a_battle_says_what_its_figures_are() -> None:
    report = told("battle/report", seat=0, space=SPACE, units=5, cards=2, leaders=(5, 3))
    assert report == "Ada in Grand Exchange: units 5, cards 2, leaders of strength 5, 3."


def test_who_has_no_mechanized_units_is_asked_for_units() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9)
    assert "Deploy in Grand Exchange. How many units?" in asked(game, ["deploy", HACAN]).type(SPACE)
    assert "How many normal units?" in asked(game, ["deploy", LAZAX]).type(SPACE)


# Bids and ties


def test_a_bidder_reads_who_has_bid_most() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5).top("strategy", "energy-rifle")
    game.run(["lot", 1, 6, SOL], phase="bidding")
    assert "Card 1 of 6: nobody has bid; bid at least 1, or pass." in Person(game).read()
    game.say("2")
    assert "Card 1 of 6: Ada has bid 2; bid at least 3, or pass." in Person(game).read()


def test_a_battle_tells_who_wins_a_tie_and_the_leaders_that_are_ready() -> None:
    game = table(SIX).army(JOL_NAR, SPACE, 5).army(LETNEV, SPACE, 3)
    game.run(["fight", game.g.const.space_index[SPACE], JOL_NAR, LETNEV], phase="battle")
    shown = Person(game).show("battle")
    assert shown.count("wins a tie") == 1
