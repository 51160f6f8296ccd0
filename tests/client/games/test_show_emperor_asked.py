"""What a person sees beside the options of Galactic Emperor: prices before commitment, dice, damage, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from test_line_games import TableControls

from client.fronts.line.screen import LineScreen
from client.session.session import Session
from client.show.lines import lines
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.table.player import Asked
from client.words import DisplayNames, event_text, refusal_text
from client.words.asking import prompt_text
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, by_caretaker, play
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor import galaxy
from engine.emperor.combat import Retreat
from engine.emperor.roles.explorer import ClaimTile
from engine.emperor.roles.merchant import Trade
from engine.emperor.roles.regent import BuyInfluence, Exert
from engine.emperor.roles.scientist import SHOWN, BuyTechnology
from engine.emperor.roles.steward import Produce
from engine.emperor.spec import EMPEROR
from engine.emperor.state import Emperor, ships_of
from engine.emperor.technologies import READY, Reroll, UseTechnology
from engine.emperor.terms import DREADNOUGHT, FIGHTER

NAMES = ("Ada", "Bo", "Cy")
SHOWS = pictures("emperor")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    use("en")
    yield
    use("en")


def started() -> Match:
    """Past set-up: seat 0 or another is asked for the Direction."""
    table = settle_options(EMPEROR, 3, {})
    assert isinstance(table, Table)
    match, dice = Match.new(EMPEROR, table), HashDice("asked")
    for _ in play(match, Dealer(dice), by_caretaker):
        if match.g.flow.now[:1] == ["direction"]:
            return match
    raise AssertionError("the game never began")


def hint(g: Emperor, match: Match, ask: Choose[Any], option: Value, *so_far: Value) -> str:
    return SHOWS.questions.hint(Frame(match.view(0), NAMES, UNICODE, (), 200), ask, option, so_far)


def before(match: Match, ask: Choose[Any]) -> str:
    return "\n".join(map(plain, lines(SHOWS.documents.before(Frame(match.view(0), NAMES, UNICODE, (), 200), ask), 200)))


def give(g: Emperor, seat: int, card: str, state: int = READY) -> None:
    g.seats.techs[seat, g.const.technology_index[card]] = state


def test_the_scientists_chooser_sees_what_he_pays_and_others_what_they_pay() -> None:
    match = started()
    g = match.g
    g.round.chooser = 0
    tech = g.const.technology_index["hydroponics"]
    g.round.display[tech] = SHOWN
    assert (g.const.technologies[tech].metal, g.const.technologies[tech].energy) == (0, 1)
    assert "Hydroponics: industry, costs metal 0, energy 0;" in before(match, BuyTechnology(Seat(0)))
    assert "Hydroponics: industry, costs metal 0, energy 1;" in before(match, BuyTechnology(Seat(1)))
    assert hint(g, match, BuyTechnology(Seat(0)), "hydroponics") == (
        "industry, used: Merchant. 2 food more in your harvest; for nothing"
    )
    assert hint(g, match, BuyTechnology(Seat(1)), "hydroponics").endswith("2 food more in your harvest")


def test_a_card_that_one_has_is_offered_by_its_effect_without_its_price() -> None:
    match = started()
    ask = UseTechnology(Seat(0), "hydroponics")
    assert hint(match.g, match, ask, "hydroponics") == "2 food more in your harvest"
    told = hint(match.g, match, BuyInfluence(Seat(0), 2), "propaganda")
    assert told == "Your extra influence costs 1 and does not raise the price"


def test_a_trade_says_what_the_harvest_brings_and_what_each_pick_leaves() -> None:
    match = started()
    g = match.g
    g.seats.marks[0], g.seats.metal[0], g.seats.energy[0] = 4, 1, 1
    ask = Trade(Seat(0), 3, (1, 2, 3))
    assert "Your whole harvest brings 3 Marks." in before(match, ask)
    buy = next(option for option in ask.options(g) if option is not None and ask.price(g, option)[0] == ("marks", -4))
    sell = ask.options(g)[-1]
    assert hint(g, match, ask, None) == "Marks in the end: 7"
    assert hint(g, match, ask, buy) == "Marks in the end: 3"
    assert hint(g, match, ask, None, sell) == "Marks in the end: 9"
    assert hint(g, match, Trade(Seat(0), 0, (1, 6, 6)), ask.options(g)[1]) == (
        "Marks in the end: -2, if you sell nothing"
    )


def test_an_answer_that_does_nothing_at_a_sector_names_the_sector() -> None:
    match = started()
    g, home = match.g, SHOWS.documents.home(Frame(match.view(0), NAMES, UNICODE, ()))
    trade, produce = Trade(Seat(0), 2, (1, 2, 3)), Produce(Seat(0), "")
    g.sectors.food[g.const.space_index[home]] = 1
    frame = Frame(match.view(0), NAMES, UNICODE, (), 200)
    assert SHOWS.questions.title(frame, trade, None, (None, None)).endswith(f"({home})")
    assert SHOWS.questions.title(frame, trade, None, (None, None)).startswith("Lay no food on ")
    assert SHOWS.questions.title(frame, trade, None, ()) == "Trade no metal"
    assert SHOWS.questions.title(frame, produce, None, ()).startswith("Spend no food at ")


def test_a_tile_is_claimed_without_a_word_of_the_program() -> None:
    match, asked = started(), ClaimTile(Seat(0), "d6", "claim")
    assert prompt_text(asked, NAMES, DisplayNames("emperor")) == "Claim d6 with an Empire token?"
    frame, pods = Frame(match.view(0), NAMES, UNICODE, ()), ClaimTile(Seat(0), "d6", "colony-pods")
    assert SHOWS.questions.title(frame, pods, "colony-pods", ()) == "Claim it by Colony Pods"
    match.g.seats.techs[0, match.g.const.technology_index["colony-pods"]] = READY
    assert ("marks", -3) in pods.price(match.g, "colony-pods")


def test_several_ships_of_a_kind_are_counted_with_a_sign() -> None:
    match = started()
    home = SHOWS.documents.home(Frame(match.view(0), NAMES, UNICODE, ()))
    match.g.ships.place[ships_of(0, FIGHTER)[1]] = match.g.const.space_index[home]
    told = SHOWS.documents.commands["map"].draw(Frame(match.view(0), NAMES, UNICODE, (home,), 200))
    assert "Ada: 2 × fighter" in " ".join(map(plain, told))


def test_picks_so_far_are_shown_and_a_trade_that_is_too_dear_names_its_price() -> None:
    match = started()
    match.g.seats.marks[0] = 2
    ask = Trade(Seat(0), 0, (1, 2, 3))
    screen = LineScreen(Session(lambda _asked, _values: None, lambda: None), lambda: 100)
    screen.session.sit(TableControls(match))
    screen.session.asking.asked(Asked(0, match, Lens(), ask, match.height))
    screen.session.asking.take_screen()
    screen.typed("buy metal 1")
    said = "\n".join(map(plain, screen.take()))
    assert said.rstrip().endswith("So far: Buy 1 metal")
    screen.typed("buy energy 1")
    assert "It takes 3 Marks; with all that you can sell you have 0." in plain(screen.take()[-1])


def test_every_die_says_what_it_shows_and_needs_and_whose_it_is() -> None:
    match = started()
    fire, market = Reroll(Seat(0), ((3, 4, 1), (6, 5, 2))), Reroll(Seat(0), ((3, 0, 0),))
    assert [hint(match.g, match, fire, at) for at in (1, 2)] == ["shows 3, needs 4, Bo", "shows 6, needs 5, Cy"]
    assert hint(match.g, match, fire, None) == ""
    assert hint(match.g, match, market, 1) == "shows 3"


def test_damaged_ships_are_told_apart_before_a_retreat() -> None:
    match = started()
    g = match.g
    space = g.const.space_index["c5"]
    for damage in (0, 1):
        ship = galaxy.idle_ship(g, 1, DREADNOUGHT)
        g.ships.place[ship], g.ships.damage[ship] = space, damage
    g.battle.site, g.battle.attacker, g.battle.defender = space, 0, 1
    assert "B 1 × damaged dreadnought" in before(match, Retreat(Seat(0), "c5", 1))


def test_a_card_that_one_has_not_is_no_reason_and_a_used_one_is() -> None:
    match = started()
    g, ask = match.g, BuyInfluence(Seat(0), 2)
    assert ask.refused(g) == []
    give(g, 0, "propaganda", READY + 1)
    assert [(option, why.code) for option, why in ask.refused(g)] == [("propaganda", "technology/not-ready")]


def test_two_answers_without_a_semicolon_are_told_how_to_stand_in_one_line() -> None:
    match = started()
    seat = match.owing()[0]
    ask = match.ask_of(seat)
    assert ask is not None
    screen = LineScreen(Session(lambda _asked, _values: None, lambda: None), lambda: 100)
    screen.session.sit(TableControls(match))
    screen.session.asking.asked(Asked(seat, match.clone(), Lens(), ask, match.height))
    screen.session.asking.take_screen()
    screen.take()
    screen.typed("left merchant")
    said = [plain(line) for line in screen.take()]
    assert said[-1] == "Several answers in one line stand with ; between them: left; merchant"
    screen.typed("xyzzy at all")
    assert [plain(line) for line in screen.take()] == ["“xyzzy at all” is neither an option nor a command. ? helps."]


def test_influence_that_is_not_placed_is_said_to_go_back() -> None:
    ours = DisplayNames("emperor")
    assert "goes back to your reserve" in prompt_text(Exert(Seat(0), 2), NAMES, ours)
    frame = Frame(started().view(0), NAMES, UNICODE, ())
    assert SHOWS.questions.title(frame, Exert(Seat(0), 2), None, ()) == "Place no more influence"


def test_what_is_too_dear_is_not_named_twice_beside_its_answer() -> None:
    ours = DisplayNames("emperor")
    assert refusal_text(Refusal("engineer/too-expensive", "", ("dreadnought", "energy", 2, 1)), ours) == (
        "It takes energy 2; you have 1."
    )
    assert refusal_text(Refusal("scientist/too-expensive", "", ("robotics", "metal", 2, 1)), ours) == (
        "It takes 2 metal; you have 1."
    )


def test_equal_things_in_a_row_are_counted_and_dice_are_not() -> None:
    ours = DisplayNames("emperor")
    ships: dict[str, Any] = {"attacker": 0, "defender": 1, "space": "c5", "against": ("cruiser", "empire")}
    battle = Event("warlord/battle", {**ships, "ships": ("fighter", "fighter", "fighter", "cruiser")})
    assert event_text(battle, NAMES, ours) == "Battle at c5: Ada (3 × fighter, cruiser) attacks Bo (cruiser, Empire)."
    assert "rolls 4, 4, 1" in event_text(
        Event("merchant/rolled", {"seat": 0, "marks": 3, "dice": (4, 4, 1)}), NAMES, ours
    )
