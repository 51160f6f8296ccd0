"""The hidden cards of a seat whose owner leaves for good (ruling hand-returned)."""

from __future__ import annotations

import pytest
from rex_table import Play, table

from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.inputs import Notice
from engine.core.match import Match
from engine.rex.spec import REX
from engine.rex.terms import BETRAYAL, STRATEGY, TRAITOR

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def leave(made: Play, seat: int) -> None:
    """The owner of a seat leaves for good."""
    for kind in ("vacated", "hand-returned"):
        made.match.apply(Notice(kind, Seat(seat)))


def test_all_hidden_cards_go_back_into_their_decks() -> None:
    made = table(SIX, betrayal="on")
    made.deal(1, "energy-rifle", "bio-filter")
    made.run(["deploy", 2])
    sizes = {deck: len(made.g.decks.order[deck]) for deck in (STRATEGY, TRAITOR, BETRAYAL)}
    traitors = len(made.g.seats.traitors[1])
    leave(made, 1)
    made.stand_in()
    told = {"seat": 1, "cards": 2, "traitors": traitors, "betrayal": 1}
    assert made.events("card/hand-returned") == [told]
    assert (made.g.seats.hand[1], made.g.seats.traitors[1], made.g.seats.betrayal[1]) == ([], [], 0)
    assert len(made.g.decks.order[STRATEGY]) == sizes[STRATEGY] + 2
    assert len(made.g.decks.order[TRAITOR]) == sizes[TRAITOR] + traitors
    assert len(made.g.decks.order[BETRAYAL]) == sizes[BETRAYAL] + 1
    made.judge(made.g)


@pytest.mark.parametrize(
    ("kinds", "returned"), [(("left-out", "back"), False), (("vacated",), False), (("hand-returned",), True)]
)
def test_a_hand_goes_back_when_it_is_said_so_and_not_with_whoever_is_left_out_for_a_while(
    kinds: tuple[str, ...], returned: bool
) -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["deploy", 2])
    for kind in kinds:
        made.match.apply(Notice(kind, Seat(1)))
    made.stand_in()
    assert bool(made.events("card/hand-returned")) == returned
    assert bool(made.g.seats.hand[1]) != returned


def test_what_the_seat_claimed_is_not_checked_any_more() -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["testify", 1, 0, "energy-rifle"], ["testify", 2, 0, "energy-rifle"], ["deploy", 2])
    made.say("no", "no")
    assert [row[1] for row in made.g.decks.claims] == [1, 2]
    leave(made, 1)
    made.stand_in()
    assert [row[1] for row in made.g.decks.claims] == [2]


@pytest.mark.parametrize(("leaving", "false"), [(False, 1), (True, 0)])
def test_who_leaves_while_hands_are_opened_is_called_no_liar(leaving: bool, false: int) -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["testify", 1, 0, "energy-rifle"])
    made.say("no")
    state = made.match.segment_start()
    state.flow.now, state.flow.agenda = ["finish", "strongholds", 0], []
    made.match = Match(REX, state)
    if leaving:
        leave(made, 1)
    made.new_events = []
    made.serve()
    assert made.match.over
    assert len(made.events("claim/false")) == false


def test_a_card_that_is_up_for_bidding_stays_on_top() -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["bidding"], phase="bidding")
    top = made.g.decks.top(STRATEGY, 1)
    assert made.asked == "bid"
    leave(made, 1)
    made.stand_in()
    assert made.g.seats.hand[1] == []
    assert made.g.decks.top(STRATEGY, 1) == top
    assert made.asked == "bid"


def test_a_battle_is_fought_to_its_end_before_the_hand_goes_back() -> None:
    made = table(SIX)
    cards = made.deal(1, "energy-rifle", "energy-shield")
    made.naive().army(0, "imperial-palace", 3).army(1, "imperial-palace", 4)
    made.run(["fight", made.g.const.space_index["imperial-palace"], 0, 1], phase="battle")
    leave(made, 1)
    while made.g.battle.space >= 0:
        assert len(made.g.seats.hand[1]) == len(cards)
        made.stand_in()
    assert made.g.seats.hand[1] == []
    assert made.events("card/hand-returned")[0]["cards"] == 2


def test_a_prediction_that_nobody_opens_counts_for_nothing() -> None:
    made = table(SIX)
    handle = Handle("seal", made.g.round.prediction - 1)
    made.dealer.faces[handle] = None
    leave(made, 3)
    with made.edit() as g:
        g.round.number = g.round.located = 8
        g.round.location = 0
        g.decks.order["influence"] = g.decks.order["influence"][8:]
    made.run(["prophecy", "strongholds", 0], phase="bombardment")
    assert made.events("victory/not-opened") == [{"seat": 3}]
    assert made.events("victory/predicted") == []
    assert made.g.round.winners == [0], "the stand-in would have foreseen seat 0 in round 8"


@pytest.mark.parametrize(("notices", "kept"), [((), 1), (("left-out",), 0), (("left-out", "back"), 0)])
def test_a_stand_in_that_is_asked_at_once_claims_nothing(notices: tuple[str, ...], kept: int) -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["testify", 1, 0, "energy-rifle"], ["testify", 2, 0, "energy-rifle"])
    for kind in notices:
        made.match.apply(Notice(kind, Seat(1)))
    made.say("no")
    assert sum(row[2] == "lacks/energy-rifle" for row in made.g.decks.claims) == kept
    made.judge(made.g)


@pytest.mark.parametrize(("notices", "kept"), [(("left-out",), 0), (("left-out", "back"), 1)])
def test_a_seat_claims_again_when_its_owner_is_back(notices: tuple[str, ...], kept: int) -> None:
    made = table(SIX)
    made.deal(1, "energy-rifle")
    made.run(["testify", 2, 0, "energy-rifle"], ["testify", 1, 0, "energy-rifle"], ["deploy", 2])
    for kind in notices:
        made.match.apply(Notice(kind, Seat(1)))
    made.say("no", "no")
    said = [row[1:3] for row in made.g.decks.claims]
    assert said.count([1, "lacks/energy-rifle"]) == kept
    assert said.count([1, "stood-in"]) == 1 - kept
    assert [2, "lacks/energy-rifle"] in said
    made.judge(made.g)


def test_a_seat_that_nobody_owns_claims_nothing_for_good() -> None:
    made = table(SIX)
    made.run(["testify", 2, 0, "energy-rifle"], ["testify", 1, 0, "energy-rifle"], ["deploy", 2])
    made.match.apply(Notice("left-out", Seat(1)))
    leave(made, 1)
    made.say("no", "no")
    assert [row[1:3] for row in made.g.decks.claims] == [[2, "lacks/energy-rifle"], [1, "stood-in"]]
