"""Standing orders: one answer to all questions of a kind, until the phase, the round or the game ends."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from rex_bot import SIX, SOL, table
from rex_person import Person
from screen_game import Solo, typed

from client.fronts.web.actions import perform
from client.session.draft import Draft
from client.session.orders import Orders, order_text
from client.session.player import keep_orders
from client.session.view import as_json, view_of
from client.system.texts import use
from client.table.notices import GameOver
from client.table.player import Asked
from client.words import PLAIN
from client.words.rounds import round_told
from engine.core.cards import Lens
from engine.core.dataclass import replace
from engine.core.events import Event
from engine.core.ids import Seat
from engine.rex.alliances import AcceptGift
from engine.rex.state import PHASES
from engine.rex.windows import PlayCard


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def at_menu() -> Solo:
    """A game of Eclipse at the person's first action."""
    solo = Solo("eclipse2")
    while solo.session.asking.draft is not None and solo.session.asking.draft.ask.word != "menu":  # type: ignore[union-attr]
        solo.press("1", "s")
    return solo


def pick(solo: Solo, text: str) -> None:
    solo.front.doing.command(text)
    solo.step()


def rounds(solo: Solo) -> int:
    return round_told(event for _height, told in solo.controls.history for event in told)


def test_an_order_to_pass_answers_until_the_round_ends_and_no_longer() -> None:
    solo = at_menu()
    before = rounds(solo)
    pick(solo, "pass")
    solo.session.asking.order(0, "round")
    pick(solo, "send")
    assert rounds(solo) == before + 1
    assert solo.session.asking.standing() == []
    assert not solo.session.asking.draft or solo.session.asking.draft.empty


def test_the_moment_of_a_game_names_its_round_however_long_ago_that_began() -> None:
    solo = at_menu()
    seen = set()
    for _ in range(12):
        seen.add(solo.session.table.moment(solo.match)["round"])
        assert solo.session.table.moment(solo.match)["round"] == str(rounds(solo))
        solo.play(1, Random(7))
    assert "0" not in seen


def test_an_order_for_the_game_answers_in_all_rounds_and_says_so() -> None:
    solo = at_menu()
    pick(solo, "pass; order game")
    pick(solo, "send")
    assert solo.match.over or rounds(solo) > 2
    assert any("is answered by pass" in text for _style, text in solo.front.news.texts)


class Undone:
    """A person at windows of Rex, where every answer has a height of its own and all from one on can be taken back."""

    def __init__(self) -> None:
        game = table(SIX)
        game.deal(SOL, "energy-rifle")
        self.person = Person(game.run(["window", "maneuvering"]))
        self.controls: Any = self.person.screen.session.table.controls
        self.asking = self.person.screen.session.asking

    def asked(self, height: int) -> bool:
        """True if the person is asked at another window, at this height."""
        self.person.sent, self.asking.waiting = (), []
        self.controls.height = height
        game, ask = self.person.game, PlayCard(Seat(SOL), "maneuvering")
        self.asking.asked(Asked(SOL, game.match.clone(), game.dealer.lens(SOL), ask, height))
        return not self.person.sent

    def take_back(self, height: int) -> None:
        """All agree to take back what happened at this height and the next ones until now."""
        now, stands = self.controls.height, self.controls.stands
        self.controls.stands = lambda at: stands(at) and not height <= at < now


def test_an_answer_that_an_order_has_given_and_that_is_taken_back_is_for_the_person_to_give() -> None:
    table = Undone()
    now = table.controls.height
    table.person.type("hold game")
    assert not table.asked(now + 1)
    assert not table.asked(now + 2)
    table.controls.height = now + 4
    table.take_back(now + 2)
    assert table.asked(now + 4)
    assert table.asking.orders.given == []


def test_an_order_ends_with_the_answer_that_it_was_given_with_and_stands_where_another_one_is_taken_back() -> None:
    table = Undone()
    now = table.controls.height
    table.person.type("hold game")
    assert not table.asked(now + 1)
    table.controls.height = now + 4
    table.take_back(now + 2)
    assert not table.asked(now + 4)
    table.controls.height = now + 6
    table.take_back(now)
    assert table.asked(now + 6)


def test_an_order_whose_answer_was_taken_back_stands_no_more_after_a_restart(tmp_path: Path) -> None:
    table, path = Undone(), tmp_path / "orders" / "a1.json"
    now = table.controls.height
    keep_orders(table.person.screen.session, path)
    table.person.type("hold game")
    assert not table.asked(now + 1)
    again = Undone()
    keep_orders(again.person.screen.session, path)
    again.controls.height = now + 3
    again.take_back(now + 1)
    assert again.asked(now + 3)


def test_who_shares_a_screen_ends_no_hold_of_another_person() -> None:
    table = Undone()
    table.person.type("hold game")
    table.controls.seats, other = (SOL, SOL + 1), replace(table.asking.orders.given[0], seat=SOL + 1)
    table.asking.orders.given.append(other)
    table.asking.present = SOL
    assert table.asking.hold() is False
    assert table.asking.orders.given == [other]


def test_an_order_given_with_an_answer_that_is_not_sent_yet_stands() -> None:
    solo = at_menu()
    at = solo.match.height
    solo.controls.stands = lambda height: height < at  # type: ignore[method-assign]
    pick(solo, "pass")
    solo.session.asking.order(0, "round")
    assert len(solo.session.asking.standing()) == 1


def test_the_round_of_a_game_is_that_of_what_was_not_taken_back() -> None:
    solo = at_menu()
    before, at = rounds(solo), solo.match.height
    solo.controls.history.append((at, [Event("round/opens", {"round": before + 1})]))
    assert solo.session.table.moment(solo.match)["round"] == str(before + 1)
    solo.controls.stands = lambda height: height < at  # type: ignore[method-assign]
    assert solo.session.table.moment(solo.match)["round"] == str(before)
    assert all(event.args.get("round") != before + 1 for event in solo.session.table.recent)


def test_an_answer_that_is_not_possible_leaves_the_question_to_the_person() -> None:
    solo = at_menu()
    draft = solo.session.asking.draft
    assert draft is not None
    solo.session.asking.orders.read(
        '[{"seat": 0, "word": "menu", "answer": "research", "until": "game", "mark": "", "hold": false},'
        ' {"seat": 0, "word": "menu", "answer": "fly to the moon", "until": "game", "mark": "", "hold": false}]'
    )
    solo.session.asking.orders.given.pop(0)
    assert solo.session.asking.orders.of(draft) is None


def test_an_order_answers_the_next_question_inside_a_draft_and_can_be_undone_there() -> None:
    solo = at_menu()
    solo.session.asking.orders.read(
        '[{"seat": 0, "word": "explore", "answer": "explore 1 -1", "until": "game", "mark": "", "hold": false}]'
    )
    pick(solo, "explore")
    draft = solo.session.asking.draft
    assert draft is not None
    ask = draft.ask
    if ask is not None and ask.word == "explore":  # another zone is offered here: order the first one
        option = draft.options()[0]
        solo.session.asking.pick(option)
        solo.session.asking.order(len(view_of(solo.session).picked) - 1, "game")
        solo.session.asking.undo(whole=True)
        solo.session.asking.pick("explore")
    assert [len(view_of(solo.session).picked), solo.session.asking.undo(), len(view_of(solo.session).picked)] == [
        2,
        True,
        1,
    ]


def test_orders_survive_a_restart_in_a_file_of_the_home(tmp_path: Path) -> None:
    solo = at_menu()
    keep_orders(solo.session, tmp_path / "orders" / "a1.json")
    pick(solo, "pass")
    solo.session.asking.order(0, "game")
    again = at_menu()
    keep_orders(again.session, tmp_path / "orders" / "a1.json")
    assert again.session.asking.standing() == solo.session.asking.standing() != []
    other = at_menu()
    keep_orders(other.session, tmp_path / "orders" / "b2.json")
    assert other.session.asking.standing() == []
    again.session.asking.orders.end(lambda _order: True)
    assert not list((tmp_path / "orders").iterdir())


EVER = '[{"seat": 0, "word": "menu", "answer": "pass", "until": "ever", "mark": "", "hold": false}]'


@pytest.mark.parametrize("text", ["", "[]]", '{"a": 1}', '[{"seat": 0}]', "[7]", EVER])
def test_a_file_that_cannot_be_read_is_told_and_leaves_no_order(tmp_path: Path, text: str) -> None:
    (tmp_path / "orders").mkdir()
    (tmp_path / "orders" / "a1.json").write_text(text)
    solo = at_menu()
    keep_orders(solo.session, tmp_path / "orders" / "a1.json")
    assert solo.session.asking.standing() == []
    assert "cannot be read" in solo.front.news.texts[-1][1]


def test_a_home_that_takes_no_file_is_told_and_the_order_stands_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "orders").write_text("in the way")
    solo = at_menu()
    keep_orders(solo.session, tmp_path / "orders" / "a1.json")
    pick(solo, "pass")
    solo.session.asking.order(0, "game")
    assert "cannot be kept" in " ".join(text for _style, text in solo.front.news.texts)
    assert len(solo.session.asking.standing()) == 1


def test_no_to_all_cards_stands_for_as_long_as_is_said() -> None:
    game = table(SIX)
    game.deal(SOL, "energy-rifle")
    person = Person(game.run(["window", "maneuvering"]))
    person.read()
    assert "Say how long" in person.type("hold for ever")
    assert "until the game ends" in person.type("hold game")
    with game.edit() as g:
        g.round.phase = PHASES.index("battle")
    assert view_of(person.screen.session).held == [SOL]
    assert "until the game ends" in person.show("orders")
    assert "no standing order" in person.show("order off")


def test_typed_lines_list_orders_and_ends_them() -> None:
    solo = at_menu()
    assert said(solo, "order") == "There is no standing order."
    assert "Pick the answer first" in said(solo, "order round")
    pick(solo, "pass")
    assert "Say how long" in said(solo, "order sometimes")
    assert "1 “Your turn: one action, or pass.” is answered by pass until this round ends" in said(solo, "order round")
    assert said(solo, "order off 2") == "Say which: :order off 1."
    assert said(solo, "order off") == "There is no standing order."


def said(solo: Solo, text: str) -> str:
    return typed(solo.front, text)


def test_the_screen_gives_and_ends_orders_on_one_page() -> None:
    solo = at_menu()
    solo.press("O")
    assert solo.front.page is None
    assert "Pick an answer first" in solo.front.news.texts[-1][1]
    pick(solo, "pass")
    solo.press("O", "enter")
    assert [order.until for order in solo.session.asking.standing()] == ["round"]
    solo.press("O", "enter")
    assert solo.session.asking.standing() == []
    assert solo.front.news.texts[-1][1] == "There is no standing order."


def test_the_page_gives_orders_about_what_it_has_seen_and_ends_them_by_their_text() -> None:
    solo = at_menu()
    step = solo.session.asking.step
    pick(solo, "pass")
    assert not perform(solo.session, {"act": "order", "step": step, "at": 0, "until": "game"})["ok"]
    now = solo.session.asking.step
    assert perform(solo.session, {"act": "order", "step": now, "at": 0, "until": "game"})["ok"]
    for wrong in ({"at": 3, "until": "game"}, {"at": 0, "until": "ever"}, {"at": 0}):
        assert not perform(solo.session, {"act": "order", "step": now, **wrong})["ok"]
    shown = as_json(view_of(solo.session))["orders"]
    assert [(each["seat"], each["until"]) for each in shown] == [(0, "game")]
    assert perform(solo.session, {"act": "lift", "text": shown[0]["text"]})["ok"]
    assert not perform(solo.session, {"act": "lift", "text": shown[0]["text"]})["ok"]


def test_orders_end_with_the_game(tmp_path: Path) -> None:
    solo = at_menu()
    keep_orders(solo.session, tmp_path / "orders" / "a1.json")
    pick(solo, "pass")
    solo.session.asking.order(0, "game")
    solo.session.notice(GameOver())
    assert not list((tmp_path / "orders").iterdir())


def test_events_without_a_round_end_no_order() -> None:
    solo = at_menu()
    pick(solo, "pass")
    solo.session.asking.order(0, "round")
    solo.controls.history.append((solo.match.height, [Event("turn/action", {"seat": 1})]))
    assert len(solo.session.asking.standing()) == 1


def gift(amount: int, answer: str) -> Draft:
    """Somebody offers so much influence."""
    game = table(SIX)
    ask = AcceptGift(Seat(SOL), 1, amount)
    draft = Draft(Asked(SOL, game.match.clone(), Lens(), ask, game.match.height))
    assert answer in draft.options()
    return draft


@pytest.mark.parametrize(("answer", "amount", "answers"), [("yes", 3, True), ("yes", 4, False), ("no", 4, True)])
def test_an_order_to_take_or_pay_stands_for_its_price_and_a_no_for_any(answer: str, amount: int, answers: bool) -> None:
    given, later = gift(3, answer), gift(amount, answer)
    orders = Orders()
    orders.add(given.asked.ask, answer, given.state, "game", {"game": ""}, given.asked.height)
    assert (orders.of(later) is not None) == answers
    text = order_text(orders.given[0], PLAIN)
    assert ("at the same price" in text) == (answer == "yes")


def test_an_order_kept_without_its_price_answers_nothing() -> None:
    orders = Orders()
    orders.read('[{"seat": 0, "word": "accept-gift", "answer": "yes", "until": "game", "mark": "", "hold": false}]')
    assert orders.of(gift(3, "yes")) is None
