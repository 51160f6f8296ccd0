"""The model of a person at a table, without any screen, and its view as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from parties import BOB
from seat0 import GAMES, Seat0

from client.session.draft import Draft
from client.session.news import Announced, ChatMessage
from client.session.view import VERSION, as_json, view_of
from client.system.texts import use
from client.table.notices import (
    ChatSaid,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    OthersHeard,
    TableNotice,
    VoteNotice,
    VoteStage,
)
from client.words import refusal_text


def test_the_last_step_of_what_was_sent_is_the_last_of_its_values() -> None:
    table = Seat0("eclipse2", 2)
    assert table.go()
    first = table.match.height
    while not table.session.asking.sendable:
        assert table.session.asking.draft is not None
        table.session.asking.pick(table.session.asking.draft.options()[0])
    assert table.session.asking.draft is not None
    values = len(table.session.asking.draft.values)
    assert table.session.asking.send() is None
    assert (table.session.sent.first, table.session.sent.last) == (first, first + values - 1)


def test_a_question_before_the_table_reaches_every_screen_at_once() -> None:
    table, other = Seat0("eclipse2", 2), Seat0("eclipse2", 2)
    table.session.screens.append(other)  # type: ignore[arg-type]
    table.session.confirm(lambda: "Let them in?", lambda _yes: None)
    assert (table.questions, other.questions) == (1, 1)


@pytest.mark.parametrize(
    "moved", [HistoryRewound(3), VoteNotice(VoteStage.AGREED, "takeback"), VoteNotice(VoteStage.AGREED, "repair")]
)
def test_a_wait_begins_anew_where_the_game_has_gone_back(moved: TableNotice) -> None:
    table = Seat0("eclipse2", 2)
    screens = table.session.screens
    assert table.go()
    screens.tell()
    (owing,) = screens.since
    long_ago = screens.since[owing] = 1.0
    table.session.notice(OthersHeard())
    assert screens.since[owing] == long_ago
    table.session.notice(moved)
    assert screens.since[owing] > long_ago


def test_what_the_title_of_an_option_says_is_not_said_again_beside_it() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    kept = table.session.table.pictures
    for hint, shown in (("%s", ""), ("for %s", "for %s")):
        told = replace(kept.questions, hint=lambda *ask, hint=hint: hint % kept.questions.title(*ask).lower())
        table.session.table.pictures = replace(kept, questions=told)
        table.session.asking.list_options()
        ask = view_of(table.session).ask
        assert ask is not None
        assert all(one.hint == (shown and shown % one.title.lower()) for one in ask.options)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_view_is_json_and_names_each_option_that_can_be_picked(name: str, players: int) -> None:
    table, rng = Seat0(name, players), Random(5)
    for _ in range(12):
        if not table.go():
            break
        session = table.session
        while session.asking.choices is not None and not session.asking.sendable:
            view = as_json(view_of(session))
            assert json.loads(json.dumps(view))["version"] == VERSION
            texts = [option["text"] for option in view["ask"]["options"]]
            assert texts == session.asking.choices.texts
            assert all(option["title"] for option in view["ask"]["options"])
            before = session.asking.step
            session.asking.pick(session.asking.choices.options[rng.randrange(len(texts))])
            assert session.asking.step > before
        if session.asking.draft is not None:
            assert session.asking.send() is None
    assert table.sent


def test_the_step_tells_each_question_and_draft_from_the_one_before() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    session = table.session
    assert session.asking.choices is not None
    seen = [session.asking.step]
    session.asking.pick(session.asking.choices.options[0])
    seen.append(session.asking.step)
    assert session.asking.undo()
    seen.append(session.asking.step)
    assert seen == sorted(set(seen))
    assert not session.asking.undo()


def test_a_draft_without_a_pick_has_answered_nothing() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    draft = table.session.asking.draft
    assert isinstance(draft, Draft)
    assert list(draft.answered) == []
    assert view_of(table.session).picked == []


def test_an_empty_draft_is_not_sent_and_it_is_said_that_an_answer_has_to_be_picked_first() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    refusal = table.session.asking.send()
    assert refusal is not None
    assert refusal.code == "draft/unpicked"
    assert "choose an answer" in refusal_text(refusal)
    assert table.sent == []


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["emperor", "rex"])
def test_an_incomplete_answer_is_not_sent_and_the_open_question_is_named(name: str, language: str) -> None:
    table = Seat0(name, 3)
    session, rng = table.session, Random(4)
    use(language)
    while session.asking.draft is None or not session.asking.draft.so_far:
        if session.asking.draft is None:
            assert table.go()
        elif session.asking.choices is None:
            assert session.asking.send() is None
        else:
            session.asking.pick(rng.choice(session.asking.choices.options))
    ask = view_of(session).ask
    assert ask is not None
    refusal = session.asking.send()
    assert refusal is not None
    assert refusal.code == "draft/incomplete"
    assert ask.text in refusal_text(refusal, session.table.display_names)
    assert session.asking.draft is not None
    assert session.asking.draft.so_far


def test_what_a_sent_draft_has_shown_is_no_news() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    session = table.session
    assert session.asking.choices is not None
    session.asking.pick(session.asking.choices.options[0])
    shown = table.shown
    assert shown
    before = len(session.events.entries)
    table.news.clear()
    session.asking.send()
    assert [each.text for each in session.events.entries[before:]][: len(shown)] == [each.text for each in shown]
    assert not {each.text for each in table.news} & {each.text for each in shown}


def test_a_view_gives_only_what_is_new_of_log_and_chat() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    session = table.session
    session.notice(ChatSaid("Bob", "hello\x1b[2J"))
    whole = view_of(session)
    assert whole.chat == (ChatMessage("Bob", session.events.chat[0].text),)
    assert "\x1b" not in whole.chat[0].text
    rest = as_json(whole, len(whole.log), 1)
    assert [rest[key] for key in ("log", "chat", "log_from", "chat_from")] == [[], [], len(whole.log), 1]


def test_news_name_the_spaces_of_the_map_that_they_are_about() -> None:
    table = Seat0("eclipse2", 2)
    for _ in range(6):
        assert table.go()
        while not table.session.asking.sendable:
            assert table.session.asking.choices is not None
            table.session.asking.pick(table.session.asking.choices.options[0])
        table.session.asking.send()
    ids = table.match.g.const.sector_index
    about = [told for told in table.session.events.entries if told.places]
    assert about
    assert all(place in ids for told in about for place in told.places)


def test_a_notice_is_announced_as_it_came_and_in_words() -> None:
    table = Seat0("eclipse2", 2)
    lost = LinkChanged(LinkChange.DOWN, (BOB,))
    table.session.notice(lost)
    news = table.noted[-1]
    assert isinstance(news, Announced)
    assert news.about == lost
    assert "Bob" in news.text
