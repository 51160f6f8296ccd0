"""Votes on the full screen: what is proposed, with what it does, and yes or no to it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from screen_game import Solo, choose_vote, listing, text_of
from trouble_scenes import Consenting, faced

from client.session.log import lost_by
from client.words.pacts import leaving_text, left_text, pact_text
from p2p.lockstep.pacts import Pact
from p2p.lockstep.voting import Vote


def test_leaving_for_good_is_asked_for_on_a_page_that_says_what_it_does() -> None:
    table = faced("reconnecting")
    consenting = Consenting(table)
    for last, asked in ((("1",), []), (("2",), [("leave", (), None, False)])):
        choose_vote(table.front, "Leave for good …")
        shown = " ".join(text_of(table.front).replace("│", " ").split())
        assert leaving_text() in shown
        for key in last:
            table.front.press(key)
        assert consenting.asked == asked
    assert left_text() in [text for _style, text in table.front.news.texts]


def test_reading_on_where_programs_differed_is_offered_from_that_move() -> None:
    table = faced("divergence")
    table.front.press("!")
    shown = " ".join(text_of(table.front, (200, 50)).split())
    assert "propose that all read on from step 92, once the programs agree" in shown
    assert "every step that fits stays" in pact_text("repair", {"at": "92"})


@pytest.mark.parametrize("across", [False, True])
def test_a_take_back_is_proposed_with_what_it_loses_and_across_secrets_says_so(across: bool) -> None:
    table = Solo("eclipse2")
    table.play(30, random.Random(2))
    height = table.session.events.entries[-3].height
    table.session.sent.heights[0] = height, height
    consenting = Consenting(table, across)
    table.front.press("v")
    shown = " ".join(text_of(table.front).split())
    assert ("whoever saw them still knows them" in shown) is across
    assert "Propose to all: take back" in shown
    table.front.page.cursor = 0  # type: ignore[union-attr]
    table.front.press("enter")
    assert consenting.asked == [("takeback", (), height, across)]


def test_who_is_asked_about_a_take_back_across_secrets_reads_the_sentence() -> None:
    text = pact_text("takeback", lost_by("takeback", [4, True], []))
    assert "whoever saw them still knows them" in text
    assert "still knows" not in pact_text("takeback", lost_by("takeback", [4, False], []))


def test_nobody_is_proposed_to_be_given_up_before_being_left_out() -> None:
    table = Solo("eclipse2")
    table.session.only_other = lambda: None  # type: ignore[method-assign]  # as at a table of three
    consenting = Consenting(table)
    table.front.press("v")
    assert "Propose to give Bob up for good: Bob has to be left out first" in text_of(table.front)
    gone = next(at for at, item in enumerate(listing(table.front).listed()) if "give Bob up" in item.text)
    table.front.press(str(gone + 1))
    assert consenting.asked == []


def test_nobody_is_proposed_to_be_given_up_twice() -> None:
    table = Solo("eclipse2")
    consenting = Consenting(table)
    controls: Any = table.controls
    controls.linked = dict
    controls.ways = dict
    table.front.press("v")
    assert "Propose to give Bob up for good: Bob has been given up already" in text_of(table.front)
    gone = next(at for at, item in enumerate(listing(table.front).listed()) if "give Bob up" in item.text)
    table.front.press(str(gone + 1))
    assert consenting.asked == []


@pytest.mark.parametrize(("key", "yes"), [("y", True), ("n", False)])
def test_yes_and_no_mark_their_own_entry_of_a_proposal_and_a_click_must_come_twice(key: str, yes: bool) -> None:
    table = Solo("eclipse2")
    controls: Any = table.controls
    said: list[bool] = []
    controls.vote = lambda _pact, word: said.append(word)
    controls.votes = lambda: [Vote(Pact("end", 9, bytes(32), (), "agreed"), (), None)]
    table.session.screens.tell()
    table.front.press(key)
    table.front.press("enter")
    assert said == [yes]
    table.front.press("v")
    hit = next(hit for hit in table.front.draw(120, 40).hits if (hit.what, hit.value) == ("item", "0"))
    table.front.click(hit.x, hit.y)
    assert len(said) == 1, "a proposal is not agreed to by the first click"
    table.front.click(hit.x + 1, hit.y)
    assert said == [yes, True]
    assert "You agree: end the game here." in text_of(table.front)
