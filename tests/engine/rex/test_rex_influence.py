from __future__ import annotations

import pytest
from rex_table import Play, opening, table

from engine.core.cards import Handle
from engine.core.errors import Refusal
from engine.rex.alliances import judge_proposal
from engine.rex.state import PHASES


def drawing(card: str, factions: str = "sol,hacan,letnev,xxcha,jol-nar", number: int = 1) -> Play:
    """The Influence phase of a round is about to draw a card."""
    made = table(factions)
    made.top("influence", card)
    with made.edit() as g:
        g.round.number, g.round.located = number, number - 1
        g.round.location = 0 if number > 1 else -1
        spare = [at for at in g.decks.order["influence"][1:] if _kind(made, at) == "location"][: number - 1]
        for at in spare:
            g.decks.order["influence"].remove(at)
    return made


def _kind(made: Play, at: int) -> str:
    return made.g.const.influence[made.dealer.faces[Handle("influence", at)]].kind


def placed(made: Play, space: str) -> int:
    return made.g.board.influence[made.g.const.space_index[space]]


def test_a_location_card_puts_influence_into_its_two_spaces() -> None:
    made = drawing("location-2").run(["influence"], phase="influence")
    assert (placed(made, "orbital-lift-yards"), placed(made, "customs-arcade")) == (8, 6)
    assert made.g.round.located == 1
    assert made.g.const.locations[made.g.round.location] == "location-2"


def test_no_influence_is_placed_under_the_fleet() -> None:
    made = drawing("location-1").run(["influence"], phase="influence")
    assert (placed(made, "adminus-mecatol"), placed(made, "hall-of-records")) == (0, 8)
    assert made.events("influence/kept-away") == [{"space": "adminus-mecatol"}]


def test_the_number_of_resolved_location_cards_is_the_round() -> None:
    made = opening()
    for number in range(1, 4):
        made.until("bid")
        assert made.g.round.located == made.g.round.number == number
        made.until("window")


def test_a_ceasefire_is_shuffled_back_in_the_first_three_rounds() -> None:
    made = drawing("temporary-ceasefire", number=3).run(["influence"], phase="influence")
    cards = len(made.g.decks.order["influence"])
    assert made.g.flow.now == ["talk"]
    for _ in range(5):
        made.say("done")
    assert made.events("influence/reshuffled")[0] == {"cards": cards + 1}
    assert made.g.round.ceasefires == 0


def test_a_ceasefire_is_discarded_from_the_fourth_round_on() -> None:
    made = drawing("temporary-ceasefire", number=4).run(["influence"], phase="influence")
    made.top("influence", "sol-offensive")
    assert made.g.flow.now == ["talk"]
    for _ in range(5):
        made.say("done")
    assert not made.events("influence/reshuffled")
    assert made.events("influence/drawn")[0] == {"card": "sol-offensive"}
    assert made.g.round.ceasefires >= 1


def test_after_a_ceasefire_or_an_offensive_another_card_is_drawn_until_a_location() -> None:
    made = drawing("sol-offensive").run(["influence"], phase="influence")
    assert made.g.round.offensives >= 1
    while made.g.flow.now == ["talk"]:
        made.say("done")
    assert made.g.round.located == 1


def test_an_offensive_is_discarded_and_does_not_come_back() -> None:
    made = drawing("sol-offensive").run(["influence"], phase="influence")
    (used,) = [at for at in range(16) if at not in made.g.decks.order["influence"]][:1]
    assert made.g.round.offensives >= 1
    while made.g.flow.now == ["talk"]:
        made.say("done")
    gone = [at for at in range(made.g.decks.made["influence"]) if at not in made.g.decks.order["influence"]]
    assert used in gone
    left = [_kind(made, at) for at in made.g.decks.order["influence"]]
    assert left.count("offensive") == 4 - made.g.round.offensives


def test_an_offensive_before_the_first_location_hits_nothing() -> None:
    made = table().run(["offensive"])
    assert made.events("offensive/misses")


def struck(made: Play) -> Play:
    with made.edit() as g:
        g.round.location, g.round.located, g.round.number = 1, 1, 1
        at = next(at for at in g.decks.order["influence"] if _kind(made, at) == "location")
        g.decks.order["influence"].remove(at)
        g.board.influence[g.const.space_index["customs-arcade"]] = 6
    return made.run(["offensive"])


def test_an_offensive_destroys_units_and_influence_in_both_spaces_of_the_last_location() -> None:
    made = table("hacan,letnev,jol-nar").army(0, "customs-arcade", 3).army(1, "orbital-lift-yards", 2)
    made.army(2, "grand-exchange", 2)
    struck(made)
    assert placed(made, "customs-arcade") == 0
    assert (made.count(0, "customs-arcade"), made.count(1, "orbital-lift-yards")) == (0, 0)
    assert made.count(2, "grand-exchange") == 2
    assert (made.g.seats.casualties[0], made.g.seats.casualties[1]) == (3, 2)


def test_sol_and_its_allies_are_immune_to_offensives() -> None:
    made = table("sol,hacan,letnev,jol-nar,xxcha").ally(0, 1)
    made.army(1, "customs-arcade", 3).army(0, "orbital-lift-yards", 2).army(2, "customs-arcade", 1)
    struck(made).say("stay")
    assert made.count(1, "customs-arcade") == 3
    assert made.count(0, "orbital-lift-yards") == 2
    assert made.count(2, "customs-arcade") == 0


def test_sol_may_lift_units_out_of_a_struck_space_to_any_other() -> None:
    made = table("sol,hacan,letnev,jol-nar,xxcha").ally(0, 1)
    made.army(0, "customs-arcade", 3).army(1, "iaf-hq", 1)
    struck(made)
    assert made.options() == ["1", "2", "3", "stay"]
    there = made.options(2)
    assert "imperial-navy-base" in there
    assert "galactic-council" in there
    assert "iaf-hq" not in there  # an ally is there
    assert "adminus-mecatol" not in there  # under the fleet
    made.say("2 imperial-navy-base")
    assert made.count(0, "imperial-navy-base") == 2
    assert made.count(0, "customs-arcade") == 1


def test_face_down_units_are_hit_by_an_offensive() -> None:
    made = table("xxcha,hacan,letnev").army(0, "customs-arcade", 3)
    with made.edit() as g:
        g.board.hidden[g.const.space_index["customs-arcade"]] = 1
    struck(made)
    assert made.count(0, "customs-arcade") == 0
    assert not any(made.g.board.hidden)


# Ceasefire


def talking(factions: str = "sol,hacan,letnev,xxcha,jol-nar") -> Play:
    made = table(factions)
    return made.influence(10, *[5] * (made.g.table.seats - 1)).run(["ceasefire"], phase="influence")


def round_of(made: Play, *said: str) -> Play:
    for text in said:
        made.say(text)
    return made


def test_alliances_form_only_when_all_agree() -> None:
    made = round_of(talking(), "ally 1", "done", "done", "done", "done")
    assert made.options() == ["no", "yes"]
    made.say("yes")
    assert list(made.g.seats.alliance) == [1, 1, 0, 0, 0]
    made.say("ally 2")
    assert made.match.owing() == (1, 2)  # Hacan, its ally, is asked as well
    made.say("no", "yes")
    assert list(made.g.seats.alliance) == [1, 1, 0, 0, 0]
    assert made.events("alliance/declined") == [{"seat": 0, "seats": (1,)}]


def test_all_members_of_both_sides_are_asked() -> None:
    made = talking()
    with made.edit() as g:
        g.seats.alliance[0] = g.seats.alliance[1] = 1
    round_of(made, "ally 2", "done", "done", "done", "done")
    assert sorted(made.match.owing()) == [1, 2]
    made.say("yes").say("no")
    assert list(made.g.seats.alliance) == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_who_proposed_a_pair_is_asked_before_it_becomes_one_of_three(answer: str) -> None:
    made = talking()
    with made.edit() as g:
        g.round.first = 1
    round_of(made, "ally 1", "ally 2", "done", "done", "done").say("yes")
    assert list(made.g.seats.alliance) == [0, 2, 2, 0, 0]
    assert made.match.owing() == (0, 1, 2)
    made.say(answer, "yes", "yes")
    assert list(made.g.seats.alliance) == ([1, 1, 1, 0, 0] if answer == "yes" else [0, 2, 2, 0, 0])


def test_who_proposed_for_three_is_asked_before_it_joins_a_pair() -> None:
    made = talking().ally(0, 4)
    with made.edit() as g:
        g.round.first = 4
    round_of(made, "ally 1", "done", "done", "done", "leave")
    assert made.match.owing() == (0, 1)
    made.say("no", "yes")
    assert not any(made.g.seats.alliance)


def test_an_alliance_has_at_most_three_members_and_two_at_four_seats() -> None:
    made = talking("sol,hacan,letnev,xxcha").ally(0, 1)
    assert judge_proposal(made.g, 0, 2) == Refusal("alliance/too-large", "", (3, 2))
    assert "ally" not in made.options()
    five = talking()
    with five.edit() as g:
        for seat in (0, 1, 2):
            g.seats.alliance[seat] = 1
    assert "ally" not in five.options()
    assert judge_proposal(five.g, 0, 3) == Refusal("alliance/too-large", "", (4, 3))
    assert judge_proposal(five.g, 0, 1) == Refusal("alliance/already", "", (1,))


def test_three_players_have_no_alliances() -> None:
    made = table().influence(10, 5, 5).run(["ceasefire"], phase="influence")
    assert made.options() == ["done", "give"]


def test_what_is_said_at_once_takes_effect_in_turn_order() -> None:
    made = talking("sol,hacan,letnev,xxcha")
    with made.edit() as g:
        g.round.first = 2
    round_of(made, "ally 1", "done", "give 1 2", "ally 1")
    assert (made.seat, made.asked, made.ask.by) == (1, "accept-gift", 2)  # type: ignore[attr-defined]
    made.say("no")
    assert (made.seat, made.asked, made.ask.partner) == (1, "agree-to-alliance", 3)  # type: ignore[attr-defined]
    made.say("yes")
    assert list(made.g.seats.alliance) == [0, 2, 0, 2]  # a pair is full: Sol, later in turn order, comes too late
    assert made.asked == "talk"


def test_who_is_done_talks_no_more_in_this_ceasefire_but_answers_offers() -> None:
    made = talking()
    round_of(made, "ally 1", "done", "done", "done", "done")
    assert (made.seat, made.asked) == (1, "agree-to-alliance")
    made.say("yes")
    assert list(made.g.seats.alliance) == [1, 1, 0, 0, 0]
    assert (made.match.owing(), made.asked) == ((0,), "talk")


def test_an_alliance_is_left_without_consent() -> None:
    made = talking()
    with made.edit() as g:
        for seat in (1, 2, 4):
            g.seats.alliance[seat] = 2
    round_of(made, "done", "leave", "done", "done", "done")
    assert list(made.g.seats.alliance) == [0, 0, 3, 0, 3]
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["leave", 4], ["talk"], *g.flow.agenda]
    assert list(made.g.seats.alliance) == [0] * 5


def test_new_allies_do_not_share_a_space_but_the_galactic_council() -> None:
    made = talking().army(0, "iaf-hq", 2).army(1, "iaf-hq", 3)
    made.army(0, "galactic-council", 1).army(1, "galactic-council", 1)
    with made.edit() as g:
        g.round.first = 1
    round_of(made, "ally 1", "done", "done", "done", "done").say("yes")
    assert made.count(0, "iaf-hq") == 0  # later in turn order
    assert made.count(1, "iaf-hq") == 3
    assert made.count(0, "galactic-council") == made.count(1, "galactic-council") == 1
    assert made.g.seats.reserve[0] == 19


@pytest.mark.parametrize(("answer", "held"), [("yes", [6, 9]), ("no", [10, 5])])
def test_influence_changes_hands_when_it_is_accepted(answer: str, held: list[int]) -> None:
    made = round_of(talking(), "give 1 4", "done", "done", "done", "done").say(answer)
    assert list(made.g.seats.influence)[:2] == held


def test_each_offer_is_made_once_a_ceasefire() -> None:
    made = round_of(talking(), "give 1 4", "done", "done", "done", "done").say("no")
    assert made.options("give") == ["2", "3", "4"]
    made.say("ally 1").say("no")
    assert made.refusal("ally 1") == "alliance/asked-before"


def test_everybody_talks_asks_and_offers_anew_in_another_ceasefire() -> None:
    made = table("sol,hacan,letnev,xxcha,jol-nar").influence(10, 5, 5, 5, 5)
    made.run(["ceasefire"], ["ceasefire"], phase="influence")
    round_of(made, "ally 1", "done", "done", "done", "done").say("no", "give 1 4").say("no")
    assert (made.refusal("ally 1"), made.refusal("give 1 4")) == ("alliance/asked-before", "alliance/offered-before")
    made.say("done")
    assert made.match.owing() == (0, 1, 2, 3, 4)
    assert "1" in made.options("ally")
    assert "1" in made.options("give")


def test_no_influence_is_promised_twice() -> None:
    made = round_of(talking(), "give 1 8", "done", "done", "done", "done").say("yes")
    assert made.options("give", 2) == ["1", "2"]


def test_talk_is_possible_in_a_ceasefire_only() -> None:
    made = opening("sol,hacan,letnev,xxcha,jol-nar")
    asked = set()
    while not made.match.over and made.g.round.number < 4:
        asked.add((made.ask.word, made.g.round.phase))
        made.stand_in()
    talk = {phase for word, phase in asked if word in {"talk", "accept-gift", "agree-to-alliance"}}
    assert talk == {PHASES.index("influence")}
    assert len({phase for _, phase in asked}) > 3
