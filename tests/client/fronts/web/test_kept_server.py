"""The responses of the page's server to each request, as kept in tests/client/fronts/web/pages, and its stream by a
clock that jumps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import trio
import trio.testing
from kept import compared
from seat0 import Seat0
from start_pages import started
from web_client import HOST, Browser, serving

from client.fronts.web.door import HEADERS
from client.fronts.web.http import MOST, PATIENCE, Connection
from client.fronts.web.server import BEAT, STREAMS

KEPT: Final = Path(__file__).with_name("pages")
PATHS: Final = (
    "/", "/page.css", "/page.js", "/none", "/state", "/do", "/key", "/verify", "/report", "/report/x", "/document.css",
)  # fmt: skip
BODIES: Final = (
    b"", b"{}", b'{"act": "search", "text": "e"}', b'{"table": "none"}', b"\xff", b" " * (MOST + 1), b" " * MOST,
)  # fmt: skip
STRANGE: Final = (
    {"Host": "evil.example"}, {**HOST, "Origin": "http://evil.example"}, {**HOST, "Sec-Fetch-Site": "cross-site"},
    {**HOST, "Sec-Fetch-Site": "same-origin"},
)  # fmt: skip


@pytest.fixture
def browser(nursery: trio.Nursery) -> Browser:
    table = Seat0("nim", 2)
    table.go()
    return Browser(serving(table.session), nursery)


async def test_each_request_gets_the_response_that_is_kept(browser: Browser) -> None:
    out, key = list[str](), await browser.key()

    async def ask(method: str, path: str, body: bytes = b"", headers: dict[str, str] = HOST, by: str = key) -> None:
        answer = await browser.ask(method, path, body, headers, by)
        answer.headers.pop("date")
        if method != "HEAD":
            assert int(answer.headers.pop("content-length")) == len(answer.body)
        told = {name: value for name, value in answer.headers.items() if value not in HEADERS.values()}
        said = answer.body[:60] if len(answer.body) < 400 else f"{len(answer.body) // 1000} thousand bytes"
        whose = "" if by == key else f" by {by!r}"
        out.append(f"{method} {path} {body[:40]!r} {len(body)} {headers if headers is not HOST else ''}{whose}")
        out.append(f"  {answer.status} {told} {said!r}")

    for path in PATHS:
        if path != "/state":
            for method in ("GET", "POST", "PUT", "HEAD"):
                await ask(method, path)
            await ask("POST", path, by="")
            await ask("POST", path, by="none")
        await ask("GET", f"{path}?x=1")
    for path in ("/do", "/report", "/verify", "/key"):
        for body in BODIES:
            await ask("POST", path, body)
    for headers in STRANGE:
        for method, path in (("GET", "/"), ("POST", "/do")):
            await ask(method, path, b"{}" if method == "POST" else b"", headers)
    browser.server.start = started()
    for body in BODIES[:4]:
        await ask("POST", "/verify", body)
        await ask("POST", "/do", body)
    compared(KEPT / "responses.txt", "\n".join(out) + "\n")


async def test_a_stream_beats_while_nothing_happens_and_ends_when_its_page_is_closed(
    browser: Browser, autojump_clock: trio.testing.MockClock
) -> None:
    states = await browser.states(await browser.key())
    began = trio.current_time()
    await states.next()
    assert trio.current_time() == began
    assert browser.server.streams == 1
    for beat in range(1, 4):
        assert b"\n" in await states.stream.receive_some(100)
        assert trio.current_time() - began == pytest.approx(beat * BEAT)
    browser.server.changed()
    await states.next()
    assert trio.current_time() - began == pytest.approx(3 * BEAT)
    await states.stream.aclose()
    await trio.testing.wait_all_tasks_blocked()
    assert browser.server.streams == 0


async def test_of_tabs_that_are_opened_at_once_no_more_follow_than_leave_connections_for_clicks(
    browser: Browser,
) -> None:
    key = await browser.key()
    tabs = [await browser.states(key) for _tab in range(STREAMS + 2)]
    for tab in tabs:
        await tab.next()
    await trio.testing.wait_all_tasks_blocked()
    assert browser.server.streams == STREAMS
    await browser.server.close(ended=True)
    for tab in tabs:
        while not (await tab.next())["ended"]:
            """A state from before."""
        assert await tab.end()


async def test_who_is_slow_to_ask_or_to_read_is_waited_for_so_long_and_no_longer(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    began = trio.current_time()
    assert await Connection(theirs).request() is None
    assert trio.current_time() - began == pytest.approx(PATIENCE)
    await ours.send_all(b"POST /do HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
    found = await Connection(theirs).request()
    assert found is not None
    assert (found.method, found.path, found.body) == ("POST", "/do", b"{}")
