"""What a person sees at the questions of Rex: what was looked at, what a card asks, stage by stage what is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rex_bot import BASE, HACAN, JOL_NAR, LAZAX, LETNEV, PALACE, SIX, SOL, SPACE, XXCHA, Play, opening, table
from rex_person import NAMES, Person, asked

from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, plain
from client.system.texts import use
from client.words import DisplayNames, display_names_at, event_text
from engine.core import values
from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.core.waits import Choose
from engine.rex.battle import CallTraitor
from engine.rex.spec import REX
from engine.rex.spoils import Prisoner
from engine.rex.state import PHASES

SHOWS = pictures("rex")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


# What was looked at


def test_jol_nar_sees_the_card_that_is_sold_at_its_bids_and_among_its_cards() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5).top("strategy", "energy-rifle")
    person = asked(game, ["lot", 1, 6, JOL_NAR], phase="bidding")
    assert person.seat == JOL_NAR
    assert "Seen: next Strategy card: Energy Rifle" in person.read()
    assert "Seen: next Strategy card: Energy Rifle" in person.show("cards")


def test_another_bidder_sees_nothing_of_the_card() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5).top("strategy", "energy-rifle")
    person = asked(game, ["lot", 1, 6, SOL], phase="bidding")
    assert person.seat == SOL
    assert "Strategy card:" not in person.read() + person.show("cards")


def test_jol_nar_knows_a_card_that_it_has_seen_in_the_hand_of_its_buyer() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5).top("strategy", "energy-rifle")
    game.run(["lot", 1, 1, LETNEV], ["recruit", JOL_NAR], phase="bidding")
    game.say("1", *["pass"] * 5)
    person = asked(game, ["deploy", JOL_NAR])
    assert "Seen: in the hand of Fay: Energy Rifle" in person.read()


def test_jol_nar_sees_the_next_influence_card_when_it_moves_and_deploys() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5).army(JOL_NAR, SPACE, 2).top("influence", "location-4")
    person = asked(game, ["foresight"], ["move", JOL_NAR])
    seen = "Seen: next Influence card: Location 4 (Grand Exchange (sector 4): 8; Pleasure District (sector 13): 6)"
    assert seen in person.read()
    assert seen in person.show("cards")
    assert "Seen: next Influence card" in asked(game, ["foresight"], ["deploy", JOL_NAR]).read()
    assert "Seen" not in asked(game, ["foresight"], ["deploy", HACAN]).read()


def fleet_card(game: Play) -> str:
    """What Sol sees of the Bombardment deck, whose top it has looked at when it was shuffled."""
    (card,) = game.g.decks.top("bombardment", 1)
    sectors = game.dealer.lens(SOL)[card]
    return f"Seen: next Bombardment card: the fleet moves {sectors} sector"


def test_sol_sees_how_far_the_fleet_goes_next() -> None:
    game = table(SIX).army(SOL, SPACE, 3)
    person = asked(game, ["move", SOL])
    assert person.seat == SOL
    assert fleet_card(game) in person.read()
    assert fleet_card(game) in person.show("cards")
    assert "Seen" not in asked(game, ["deploy", HACAN]).read()


def test_sol_sees_the_bombardment_card_when_a_saboteur_may_act() -> None:
    game = table(SIX)
    game.deal(SOL, "fleet-sabotage")
    person = Person(game.run(["window", "bombardment"], phase="bombardment"))
    assert game.asked == "play-card"
    assert fleet_card(game) in person.read()


# Betrayal


def betrayer(card: str, **options: str) -> Play:
    """Lazax and Hacan have won together; Lazax holds this card."""
    game = table(SIX, betrayal="on", **options).ally(LAZAX, HACAN)
    with game.edit() as g:
        game.dealer.lens(LAZAX).learn(Handle("betrayal", g.seats.betrayal[LAZAX] - 1), card)
    return game


def test_the_question_of_betrayal_shows_the_own_card_and_whether_it_is_met() -> None:
    game = betrayer("massed-banners").army(LAZAX, SPACE, 3).army(HACAN, PALACE, 1)
    person = asked(game, ["betrayal", "strongholds", LAZAX, HACAN])
    shown = person.read()
    assert "Massed Banners (3). You have more units on the map than each of your allies. Now: met." in shown
    assert "what the card asks is so; the highest number shown wins alone" in shown
    poor = asked(betrayer("massed-banners").army(HACAN, PALACE, 1), ["betrayal", "strongholds", LAZAX, HACAN]).read()
    assert "Now: not met." in poor
    assert "what the card asks is so" not in poor


def test_a_betrayal_card_tells_its_condition_among_the_own_cards_at_any_time() -> None:
    game = betrayer("throne-claimant")
    person = asked(game, ["deploy", LAZAX])
    text = person.show("cards")
    assert (
        "Throne Claimant (8). You control the Imperial Palace and at least one stronghold more. Now: not met." in text
    )


def test_a_condition_on_influence_that_one_does_not_see_is_not_guessed() -> None:
    assert "When your alliance has won, you are told whether" in asked(
        betrayer("deep-coffers"), ["deploy", LAZAX]
    ).show("cards")
    known = betrayer("deep-coffers", **{"open-influence": "on"}).influence(1, 9, 2, 1, 1, 1)
    assert "Now: met." in asked(known, ["deploy", LAZAX]).show("cards")


# Seats


class Predicting(Play):
    """A game that stops where Xxcha predicts."""

    def secret(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        if ask.word == "predict":
            raise LookupError(ask.word)
        return super().secret(match, seat, ask)


def prophet() -> Person:
    """Xxcha before its prediction."""
    settled = settle_options(REX, 6, {"factions": SIX})
    assert isinstance(settled, Table)
    game = Predicting(settled, 1)
    with pytest.raises(LookupError, match="predict"):
        game.until("predict")
    return Person(game, XXCHA)


def test_a_prediction_names_seats_and_then_rounds() -> None:
    person = prophet()
    shown = person.read()
    assert "1 A Ada, Federation of Sol 2 B Bob, Lazax Empire" in shown
    assert "In which round, 1 to 8, does Eve win? 1 … 8 x 0, 9 … 99:" in person.type("eve")
    assert "Draft, not sent 1 Eve wins, In round 5" in person.type("5")


def test_a_number_picks_the_seat_at_that_place_of_the_list() -> None:
    person = prophet()
    person.type("1; 8")
    person.type("send")
    assert person.sent == ((SOL, 8),)


def test_xxcha_reads_its_own_prediction_among_its_cards_and_nobody_else_does() -> None:
    game = table(SIX)
    sealed = Handle("seal", game.g.round.prediction - 1)
    for seat in range(6):  # lenses of others know no choice of Xxcha; were one there, it would not be shown
        game.dealer.lens(seat).learn(sealed, values.plain((LAZAX, 5)))
    said = "Your prediction: Bob in round 5"
    assert said in asked(game, ["deploy", XXCHA]).show("cards")
    assert all(said not in asked(game, ["deploy", seat]).show("cards") for seat in range(6) if seat != XXCHA)


def test_each_ceasefire_of_a_round_has_its_number_in_the_question() -> None:
    game = table(SIX).run(["ceasefire"], phase="influence")
    names = DisplayNames("rex")
    ceasefire = Event("influence/drawn", {"card": "temporary-ceasefire"})
    before = [(1, [ceasefire]), (2, [Event("round/opens", {"round": game.g.round.number, "seat": 0})])]
    drawn = [(3, [Event("influence/drawn", {"card": "sol-offensive"}), ceasefire]), (4, [ceasefire])]
    frame = Frame(game.match.view(Seat(0)), NAMES, UNICODE, display_names=names)
    for told, number in ((3, 1), (4, 2)):
        said = SHOWS.questions.text(replace(frame, history=[*before, *drawn][:told]), game.ask, ())
        assert said == f"Ceasefire {number} of round {game.g.round.number}: ally, give, leave, or done?"
    assert not SHOWS.questions.text(frame, game.ask, ()), "the choice's own sentence"


def test_an_offer_of_influence_asks_for_whom_then_for_how_much() -> None:
    game = table(SIX).influence(5, 5, 5, 5, 5, 5)
    person = asked(game, ["ceasefire"], phase="influence")
    assert "Ceasefire" in person.read()
    shown = person.type("give")
    assert "Whom do you offer influence?" in shown
    assert "1 B Bob, Lazax Empire" in shown
    assert "How much influence do you offer Cy?" in person.type("c")
    person.type("2; send")
    assert person.sent == (("give", 2, 2),)


def test_a_battle_is_picked_by_the_name_of_the_foe() -> None:
    game = table(SIX).army(SOL, PALACE, 2).army(HACAN, PALACE, 2).army(JOL_NAR, PALACE, 2)
    person = asked(game, ["battles-of", SOL], phase="battle")
    shown = person.read()
    assert "fight imperial-palace C Cy, Emirates of Hacan" in shown
    assert "Draft, not sent 1 Fight" in person.type("fight imperial-palace eve")


# Stages


def test_a_deployment_of_lazax_says_at_each_stage_what_is_asked_and_what_it_costs() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9).army(HACAN, PALACE, 1)
    person = asked(game, ["deploy", LAZAX])
    shown = person.read()
    assert "Deploy in which space?" in shown
    assert f"{SPACE} 1 each" in shown or "1 each;" in shown
    assert "imperial-palace 2 each;" in shown
    assert "Deploy in Imperial Palace. How many normal units?" in person.type(PALACE)
    assert "Deploy in Imperial Palace. How many Mechanized units besides?" in person.type("1")


def test_hacan_reads_that_it_pays_half_and_sol_nothing() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9)
    assert "1 each, half of the whole for you" in asked(game, ["deploy", HACAN]).read()
    assert "free;" in asked(game, ["deploy", SOL]).read()


def test_a_move_says_at_each_stage_what_is_asked() -> None:
    person = asked(table(SIX).army(LAZAX, SPACE, 2, 1), ["move", LAZAX])
    assert "from which space?" in person.read()
    to = person.type(SPACE)
    assert "Move from Grand Exchange to where?" in to
    draft = person.screen.session.asking.draft
    assert draft is not None
    assert "How many normal units?" in person.type(str(draft.options()[0]))
    assert "How many Mechanized units besides?" in person.type("1")


def test_a_recruitment_says_at_each_stage_what_is_asked() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9)
    with game.edit() as g:
        for lost, left in ((g.seats.casualties, g.seats.reserve), (g.seats.mech_casualties, g.seats.mech_reserve)):
            lost[LAZAX], left[LAZAX] = 2, left[LAZAX] - 2
    person = asked(game, ["recruit", LAZAX], phase="recruitment")
    assert "Recruit how many normal units?" in person.read()
    assert "How many Mechanized units besides (up to 1)?" in person.type("1")
    assert "Which leader comes back? Or nobody." in person.type("0")


def test_a_leader_has_strength_and_faction_where_it_is_a_traitor_or_a_captive() -> None:
    game = opening(SIX).until("keep-traitors")
    shown = Person(game).read()
    for handle in game.ask.options(game.g):
        leader = game.g.const.leaders[game.g.const.leader_index[game.dealer.faces[handle]]]
        assert f"{leader.name}, strength {leader.strength}," in shown


def test_a_captive_and_a_suspect_are_asked_about_with_strength_and_faction() -> None:
    game = table(SIX)
    frame = Frame(game.match.view(LAZAX), NAMES, UNICODE)
    captive = SHOWS.questions.text(frame, Prisoner(Seat(LAZAX), "fleet-marshal"), ())
    assert captive.startswith("You have captured Fleet Marshal, strength 6, Federation of Sol:")
    suspect = SHOWS.questions.text(frame, CallTraitor(Seat(LAZAX), "oracle"), ())
    assert suspect.startswith("Is Oracle, strength 5, Xxcha Kingdom your traitor?")


def test_a_testimony_asks_who_and_about_what() -> None:
    game = table(SIX)
    (card,) = game.deal(SOL, "sworn-testimony")
    person = Person(game.run(["window", "recruitment"], phase="recruitment"))
    assert person.seat == SOL
    assert "What do you say the card is?" in person.type(card)
    assert "Who has to testify? 1 B Bob, Lazax Empire" in person.type("sworn-testimony")
    assert "About which card or traitor?" in person.type("eve")


# Spaces


def test_a_space_is_found_by_its_name_or_a_part_of_it() -> None:
    match = table(SIX).match
    frame = Frame(match.view(0), NAMES, UNICODE, ("Imperial", "palace"))
    assert plain(SHOWS.documents.commands["map"].draw(frame)[0]).startswith("Imperial Palace: sector")
    several = SHOWS.documents.commands["map"].draw(Frame(match.view(0), NAMES, UNICODE, ("imperial",), 200))
    assert len(several) > 2
    assert all("mperial" in plain(line) for line in several)


def test_the_score_is_the_strongholds_of_each_player_or_alliance_and_how_many_win() -> None:
    game = table(SIX).army(SOL, PALACE, 1).army(LAZAX, BASE, 1).ally(LAZAX, HACAN)
    shown = [
        plain(line).split()
        for line in SHOWS.documents.commands["score"].draw(Frame(game.match.view(0), NAMES, UNICODE))
    ]
    assert shown[:3] == [
        ["strongholds"],
        ["A", "Ada", "1/3", "Imperial", "Palace"],
        ["B", "Bob,", "C", "Cy", "1/4", "Imperial", "Navy", "Base"],
    ]


# Words


def test_the_money_of_rex_is_no_action_in_spanish() -> None:
    use("es")
    try:
        game = table(SIX).influence(9, 9, 9, 9, 9, 9)
        person = asked(game, ["deploy", LAZAX])
        assert "1 cada una" in person.read()
        person.type(PALACE)
        prices = person.type("0")
        assert "influencia -1" in prices
        phase = event_text(Event("rex/phase", {"phase": "influence"}), NAMES, person.screen.session.table.display_names)
        heads = plain(SHOWS.documents.commands["boards"].draw(Frame(game.match.view(0), NAMES, UNICODE))[0])
    finally:
        use("en")
    assert phase == "Fase: influencia."
    assert "influencia" in heads


def test_phases_are_written_alike() -> None:
    display_names = display_names_at(REX)
    phases = [event_text(Event("rex/phase", {"phase": phase}), NAMES, display_names) for phase in PHASES[1:-1]]
    assert phases == [f"Phase: {phase}." for phase in PHASES[1:-1]]


def test_one_unit_is_not_several() -> None:
    one, two = (Event("units/destroyed", {"seat": 0, "space": SPACE, "units": units}) for units in (1, 2))
    assert event_text(one, NAMES, DisplayNames("rex")) == "Ada loses 1 unit in Grand Exchange."
    assert event_text(two, NAMES, DisplayNames("rex")) == "Ada loses 2 units in Grand Exchange."


# Bids and spaces


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_bidder_reads_the_bids_in_one_row(language: str) -> None:
    use(language)
    try:
        game = table(SIX).influence(9, 9, 9, 9, 9, 9)
        assert "1 … 9" in asked(game, ["lot", 1, 6, SOL], phase="bidding").read()
    finally:
        use("en")


def test_a_bidder_without_influence_passes_by_the_number_of_the_list() -> None:
    person = asked(table(SIX).influence(0, 5, 5, 5, 5, 5), ["lot", 1, 6, SOL], phase="bidding")
    assert "1 pass" in person.read()
    assert "Draft, not sent 1 Pass" in person.type("1")


def test_a_space_has_its_own_name_beside_what_is_typed_for_it() -> None:
    use("es")
    try:
        shown = asked(table(SIX).influence(9, 9, 9, 9, 9, 9), ["deploy", LAZAX]).read()
    finally:
        use("en")
    assert "grand-exchange Gran Bolsa; 1 cada una; sector 4" in shown


def test_a_deployment_is_asked_on_one_screen() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9)
    person = asked(game, ["deploy", LAZAX])
    assert "roads:" not in person.read()
    person.columns = 80
    person.screen.typed("options")
    assert len(person.screen.take()) <= 45


def test_who_has_no_seat_sees_how_many_cards_each_seat_holds_and_none_of_them() -> None:
    game = table(SIX)
    game.deal(SOL, "fleet-sabotage")
    frame = Frame(game.match.view(Seat(-1)), NAMES, UNICODE, display_names=DisplayNames("rex"))
    shown = [plain(row) for row in SHOWS.documents.commands["cards"].draw(frame)]
    assert [row.split()[0] for row in shown[1:]] == [*NAMES]
    assert shown[1 + SOL].split()[1] == "1"
    assert "Sabotage" not in "\n".join(shown)


def test_the_answer_that_ends_a_choice_stands_first_and_not_among_the_spaces() -> None:
    game = table(SIX).influence(9, 9, 9, 9, 9, 9).army(LAZAX, PALACE, 2)
    for word, ending in (("deploy", "done"), ("move", "stay")):
        person = asked(game, [word, LAZAX])
        person.read()
        choices = person.screen.session.asking.choices
        assert choices is not None
        assert len(choices.options) > 1
        assert choices.options[0] == ending


def test_fleet_sabotage_asks_for_a_number_of_sectors() -> None:
    game = table(SIX)
    game.deal(SOL, "fleet-sabotage")
    person = Person(game.run(["window", "bombardment"], phase="bombardment"))
    person.read()
    card = next(text for text in person.screen.complete("strategy"))
    assert "Fleet Sabotage: how many sectors does the fleet move?" in person.type(f"{card}; fleet-sabotage")
