"""The page as a screen of a session: the lines above it, who leaves the table to it, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing
from screen_game import Solo
from trio.testing import MockClock
from web_client import Browser, serving

from client.fronts import FrontOptions
from client.fronts.web import page as pages
from client.fronts.web.door import Door
from client.fronts.web.page import FAREWELL, FIRST, GRACE, WebPage
from client.session.news import Announced, LoggedEvent
from p2p.lockstep.machine import TableRefusal


def context(door: Door | None = None, **more: Any) -> Any:
    said: list[Any] = []
    usual = {
        "door": door, "log": lambda *_event, **_fields: None, "result": None, "result_text": "", "said": said,
        "note": said.append, "print_result": said.append,
        "folders": SimpleNamespace(data=None),
    }  # fmt: skip
    return SimpleNamespace(**usual | more)


@pytest.fixture(name="page")
def _page() -> Iterator[Any]:
    made: Any = WebPage(Solo("emperor").session, context())
    yield made
    made.door.close()


def above(page: Any) -> list[str]:
    """The lines above the page."""
    return [line() for line in page.server.lines]


def logged(text: str) -> LoggedEvent:
    return LoggedEvent(1, text, "combat/hit", ())


def test_lines_stand_above_the_page_until_the_table_begins_or_a_question_comes(page: Any) -> None:
    page.show(lambda: "listening")
    page.show(lambda: "plain", plain=True)
    assert above(page) == ["listening"]
    page.begun()
    assert above(page) == []
    page.show(lambda: "again")
    page.asked(None)
    assert above(page) == []
    page.asked(TableRefusal("table/no-seat"))
    (told,) = above(page)
    assert told.startswith("That was not taken: ")
    page.drafted([logged("one"), logged("two")])
    assert above(page) == ["one", "two"]
    page.drafted([])
    assert above(page) == []
    page.questioned()
    page.happened([logged("x")], [logged("x")])
    assert above(page) == []


def test_an_announcement_stands_until_the_game_goes_on_though_its_question_is_asked_again(page: Any) -> None:
    page.asked(None)
    page.noticed(Announced(None, "Bob is connected.".strip))
    page.asked(None)
    assert above(page) == ["Bob is connected."]
    page.happened([logged("x")], [logged("x")])
    page.asked(None)
    assert above(page) == []


def test_the_last_eight_announcements_are_shown_and_no_chat(page: Any) -> None:
    for number in range(10):
        page.noticed(Announced(None, f"news {number}".strip))
    page.noticed(Announced(None, lambda: ""))
    assert above(page) == [f"news {number}" for number in range(2, 10)]


def test_a_table_is_left_to_the_page_unless_the_person_has_closed_every_page(page: Any) -> None:
    server = page.server = SimpleNamespace(visited=True, streams={}, lines=[], over=False)
    assert not page.take_over()
    assert not page.alone.is_set()
    for visited, streams in ((False, {}), (True, {1: "open"})):
        page.alone = trio.Event()
        server.visited, server.streams = visited, streams
        assert page.take_over()
        assert page.alone.is_set()
    said = page.farewell()
    assert "http://127.0.0.1:" in said
    assert " 5 minutes" in said
    assert GRACE == 300


@pytest.mark.parametrize("over", [True, False])
async def test_a_table_that_only_the_page_shows_is_left_once_no_page_is_open_unless_it_is_over(
    page: Any, over: bool
) -> None:
    waited, left, drawn = list[Any](), list[int](), list[int]()

    async def unseen(*seconds: float) -> None:
        waited.append(seconds)

    page.server = SimpleNamespace(wait_unseen=unseen, over=over, lines=[])
    page.changed = lambda: drawn.append(1)
    page._session = SimpleNamespace(leave=lambda: left.append(1))
    await page.keep(7.0)
    assert waited == [(7.0, GRACE)]
    assert len(left) == (not over)
    await page.go_on_alone()
    assert waited[1:] == [(0, GRACE)]
    assert "The terminal was left; the table goes on here." in above(page)[0]
    assert " 5 minutes" in above(page)[0]
    assert drawn


async def test_a_browser_is_opened_once_and_each_call_gives_a_new_address(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    async def here(work: Any, *given: Any, **_how: Any) -> None:
        work(*given)

    monkeypatch.setattr(pages, "open_browser", lambda *given: opened.append(given))
    monkeypatch.setattr(trio.to_thread, "run_sync", here)
    first, second = await page.open(), await page.open()
    assert first != second
    assert opened == [(page.door, page._context.folders)]
    assert page.door.known
    access = page.access()
    assert access["url"] == page.door.url
    assert access["key"] != page.access()["key"]


@pytest.mark.parametrize("name", ["rex-1", None])
async def test_the_end_is_shown_until_no_page_is_open_or_the_person_goes_on_from_there(
    autojump_clock: MockClock, page: Any, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    waited, changed = list[Any](), list[int]()
    home = trio.Event()

    async def unseen(*seconds: float) -> None:
        waited.append(seconds)
        await trio.sleep(30)

    page._context.result = {"name": name}
    monkeypatch.setattr(pages, "report_page", lambda name, context: (name, context))
    page.server = SimpleNamespace(
        wait_unseen=unseen, over=False, lines=["before"], changed=lambda: changed.append(1), home=home, reports={}
    )
    began = trio.current_time()
    await page.linger("Ann has won.")
    assert trio.current_time() - began == 30
    assert waited == [(FIRST, FAREWELL)]
    assert above(page) == ["Ann has won."]
    assert page.server.over
    assert changed == [1]
    assert [made() for made in page.server.reports.values()] == ([(name, page._context)] if name else [])
    home.set()
    began = trio.current_time()
    await page.linger("Ann has won.")
    assert trio.current_time() == began
    gone: list[int] = []
    await page.show_end("Bob has won.", lambda: gone.append(1))
    assert gone == [1]
    assert above(page) == ["Bob has won."]


async def test_who_quits_after_the_end_is_gone_at_once_even_while_following(
    autojump_clock: MockClock, page: Any, nursery: trio.Nursery
) -> None:
    page.server = serving(page._session)
    browser, left = Browser(page.server, nursery), trio.Event()
    key = await browser.key()
    follower = await browser.states(key)
    await follower.next()

    async def linger() -> None:
        await page.linger("Ann has won.")
        left.set()

    nursery.start_soon(linger)
    assert (await follower.next())["over"]
    assert (await browser.act(key, act="quit"))["ok"]
    with trio.fail_after(FAREWELL):
        await left.wait()
    assert page.server.streams == 1


@pytest.mark.parametrize("program", [True, False])
@pytest.mark.parametrize("started", [True, False])
@pytest.mark.parametrize("text", ["", "Ann has won."])
def test_a_page_alone_is_served_until_the_table_and_its_last_reader_have_ended(
    monkeypatch: pytest.MonkeyPatch, program: bool, started: bool, text: str
) -> None:
    noted: list[Any] = []

    class Served:
        def __init__(self, session: Any, given: Any, port: int) -> None:
            noted.append(("made", port))
            self.alone = trio.Event()

        async def serve(self, task_status: Any = trio.TASK_STATUS_IGNORED) -> None:
            task_status.started()
            await trio.sleep_forever()

        def access(self) -> str:
            return "access"

        async def keep(self, first: float) -> None:
            noted.append(("keep", first))

        async def open(self) -> str:
            return "http://here"

        async def linger(self, told: str) -> None:
            noted.append(("linger", told))

        async def go_on_alone(self) -> None:
            noted.append("alone")

        async def close(self) -> None:
            noted.append("close")

    async def main(_player: Any) -> int:
        await trio.testing.wait_all_tasks_blocked()
        return 7

    monkeypatch.setattr(pages, "WebPage", Served)
    door: Any = "door" if started else None
    here = context(door, result_text=text)
    assert pages.run(here, main, FrontOptions(None, 4711, program)) == 7
    assert noted[0] == ("made", 4711)
    assert (("keep", 0 if started else inf) in noted) == (not program)
    assert noted[-1] == "close"
    assert (("linger", text) in noted) == bool(text)
    assert "alone" not in noted
    assert here.said == (["access"] if program else ["The board is at http://here"])
