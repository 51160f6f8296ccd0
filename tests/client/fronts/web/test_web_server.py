"""The page's server at a table: what it answers, what it shows, and that nothing of it reaches the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing
from web_client import Browser, begun, serving

from client.fronts.web.state import script_words
from client.session.session import Session
from client.session.view import view_of
from client.show.document import Document
from client.show.pictures import Frame


async def test_an_action_names_the_step_that_it_is_about(nursery: trio.Nursery) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    key, step = await browser.key(), table.session.asking.step
    stale = await browser.act(key, act="pick", step=step - 1, option=0)
    assert (stale["ok"], table.session.asking.step) == (False, step)
    assert (await browser.act(key, act="pick", step=step, option=0))["ok"]
    assert table.session.asking.step > step
    assert (await browser.act(key, act="undo", step=table.session.asking.step))["ok"]
    assert view_of(table.session).picked == []


async def test_an_answer_about_one_newcomer_is_none_about_the_next(nursery: trio.Nursery) -> None:
    session, heard = Session(lambda *_: None, lambda: None), list[tuple[str, bool]]()
    browser = Browser(serving(session), nursery)
    key = await browser.key()

    def knocks(name: str) -> Callable[[bool], None]:
        def answered(yes: bool) -> None:
            heard.append((name, yes))

        session.confirm(lambda: f"May {name} sit down?", answered)
        return answered

    bob = knocks("Bob")
    seen = session.asking.step
    session.confirmed(bob)  # whose link is lost
    eve = knocks("Eve")
    late = await browser.act(key, act="reply", yes=True, step=seen)
    assert (late["code"], heard) == ("act/late", [])
    assert (await browser.act(key, act="reply", yes=False, step=session.asking.step))["ok"]
    session.confirmed(eve)
    assert heard == [("Eve", False)]


MALFORMED: list[Any] = [
    {},
    {"act": ["pick"]},
    {"act": "none"},
    {"act": "pick", "option": "0"},
    {"act": "pick", "option": 10**9},
    {"act": "pick", "option": -1},
    {"act": "chat", "text": 7},
    {"act": "vote", "id": 7, "yes": True},
    {"act": "vote", "id": "", "yes": "yes"},
    {"act": "absent", "members": 1},
    {"act": "absent", "members": ["Bob"]},
    {"act": "takeback", "height": "1"},
    {"act": "takeback", "height": 2**64},
    {"act": "leave"},
    {"act": "map", "words": 3},
    {"act": "tab", "name": "send"},
]


@pytest.mark.parametrize("fields", MALFORMED, ids=str)
async def test_an_unreadable_action_is_answered_and_changes_nothing(fields: Any, nursery: trio.Nursery) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    key, step = await browser.key(), table.session.asking.step
    answer = await browser.act(key, **{"step": step, **fields})
    assert not answer["ok"]
    assert answer["text"]
    assert table.session.asking.step == step


async def test_a_body_that_is_no_object_or_too_large_is_refused(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    key = await browser.key()
    half = b'{"act": "chat", "text": "\\ud83d"}'
    for body, status in ((b"[]", 400), (b"{", 400), (half, 400), (b"[" * 50_000, 400), (b" " * 100_000, 413)):
        assert (await browser.ask("POST", "/do", body, key=key)).status == status


async def test_a_page_follows_what_is_drafted_elsewhere(nursery: trio.Nursery) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    states = await browser.states(await browser.key())
    first = await states.next()
    assert first["words"] == script_words()
    assert "map" in first
    choices = table.session.asking.choices
    assert choices is not None
    table.session.asking.pick(choices.options[0])
    browser.server.changed()
    second = await states.next()
    assert second["view"]["step"] == table.session.asking.step
    assert second["view"]["picked"] == view_of(table.session).picked
    assert second["view"]["log_from"] == len(first["view"]["log"])
    await states.stream.aclose()


async def test_two_tabs_show_the_same_and_the_slower_one_answers_nothing_twice(nursery: trio.Nursery) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    tabs = [await browser.states(key) for _ in range(2)]
    before, same = [await tab.next() for tab in tabs]
    assert before == same
    step = before["view"]["step"]
    assert (await browser.act(key, act="pick", step=step, option=0))["ok"]
    browser.server.changed()
    first, second = [await tab.next() for tab in tabs]
    assert first == second
    assert first["view"]["step"] > step
    assert (await browser.act(key, act="pick", step=step, option=0))["ok"]  # a second click is no fault
    assert not (await browser.act(key, act="pick", step=step, option=1))["ok"]
    assert table.session.asking.step == first["view"]["step"]
    for tab in tabs:
        await tab.stream.aclose()


async def test_a_drawing_that_fails_shows_the_text_and_ends_nothing(nursery: trio.Nursery) -> None:
    table = begun()

    def broken(_frame: Any) -> Any:
        raise ZeroDivisionError

    shown = table.session.table.pictures
    table.session.table.pictures = replace(shown, documents=replace(shown.documents, map=broken))
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    states = await browser.states(key)
    assert (await states.next())["map"] == ""
    assert (await browser.act(key, act="map"))["lines"]
    await states.stream.aclose()


@pytest.mark.parametrize(
    ("record", "name"),
    [
        *(("documents", name) for name in ("status", "form", "before")),
        *(("questions", name) for name in ("text", "places", "hint")),
        ("counts", "figures"),
        ("fights", "now"),
    ],
)
async def test_a_fault_in_what_a_game_draws_or_words_leaves_the_question_on_the_page(
    record: str, name: str, nursery: trio.Nursery
) -> None:
    table = begun()

    def broken(*_anything: Any) -> Any:
        raise ZeroDivisionError

    failing = replace(getattr(table.session.table.pictures, record), **{name: broken})
    table.session.table.pictures = replace(table.session.table.pictures, **{record: failing})
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    states = await browser.states(key)
    view = (await states.next())["view"]
    assert view["ask"]["options"]
    assert (await browser.act(key, act="pick", step=view["step"], option=0))["ok"]
    await states.stream.aclose()


async def test_a_fault_in_one_connection_leaves_the_others(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun()

    def broken() -> Any:
        raise ZeroDivisionError

    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    monkeypatch.setattr(table.session, "votes", broken)
    stream = (await browser.states(key)).stream
    while await stream.receive_some(4096):
        pass
    assert (await browser.ask("GET", "/")).status == 200


async def test_the_end_is_shown_until_no_page_is_open(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    browser = Browser(serving(begun().session), nursery)
    states = await browser.states(await browser.key())
    await states.next()
    with trio.move_on_after(1000) as open_still:
        await browser.server.wait_unseen(60, 5)
    assert open_still.cancelled_caught
    await states.stream.aclose()
    before = trio.current_time()
    await browser.server.wait_unseen(60, 5)
    assert trio.current_time() - before >= 5


async def test_a_picture_that_fails_is_said_to_and_nothing_ends(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun()

    def fail(_frame: Frame) -> Document:
        raise RuntimeError("a fault in a drawing")

    shown = table.session.table.pictures
    known = shown.documents.commands
    failing = replace(shown.documents, commands={**known, "score": replace(known["score"], document=fail)})
    monkeypatch.setattr(table.session.table, "pictures", replace(shown, documents=failing))
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    answer = await browser.act(key, act="score")
    assert answer == {"ok": False, "code": "act/refused", "text": "This cannot be drawn now."}
    assert (await browser.act(key, act="boards"))["ok"]


async def test_an_earlier_position_is_shown_and_one_that_never_was_is_not(nursery: trio.Nursery) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    key, height = await browser.key(), table.match.height
    found = await browser.act(key, act="past", height=height)
    assert found["map"].startswith("<svg")
    assert found["height"] == height
    assert not (await browser.act(key, act="past", height=-1))["ok"]


async def test_the_network_is_looked_at_from_a_table_that_uses_one(
    monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    table = begun()
    browser = Browser(serving(table.session), nursery)
    states, key = await browser.states(await browser.key()), await browser.key()
    assert (await states.next())["network"] is None
    monkeypatch.setattr(table, "examine", None, raising=False)
    assert not (await browser.act(key, act="doctor"))["ok"]
    monkeypatch.setattr(table, "examine", lambda told: told(["+ It listens."]))
    assert (await browser.act(key, act="doctor"))["ok"]
    browser.server.changed()
    assert (await states.next())["network"] == {"looking": False, "lines": ["+ It listens."]}
