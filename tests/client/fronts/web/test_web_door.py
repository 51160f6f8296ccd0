"""Who may ask the page's server: a key for each link, and nothing for other sites, hosts and origins."""

from __future__ import annotations

import json

import pytest
import trio
import trio.testing
from web_client import HOST, PORT, Answered, Browser, begun, serving

from client.fronts.web.door import HEADERS
from client.fronts.web.server import STREAMS
from client.fronts.web.state import script_words
from p2p.link.strangers import HALF_OPEN


async def test_a_code_is_traded_for_the_key_once(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    code = browser.server.guard.new_code().encode()
    assert (await browser.ask("POST", "/key", code)).status == 200
    assert (await browser.ask("POST", "/key", code)).status == 403
    assert (await browser.ask("POST", "/key", b"guess")).status == 403


async def test_each_link_has_a_key_of_its_own(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    keys = [await browser.key(), await browser.key(), browser.server.guard.new_key()]
    assert len(set(keys)) == 3
    for key in keys:
        assert (await browser.ask("POST", "/do", b"{}", key=key)).status == 200


async def test_a_code_that_comes_twice_ends_its_key_and_no_other(nursery: trio.Nursery) -> None:
    """Whoever was first, one of the two has read the link of the other."""
    table = begun()
    browser = Browser(serving(table.session), nursery)
    code, other = browser.server.guard.new_code().encode(), await browser.key()
    key = (await browser.ask("POST", "/key", code)).body.decode()
    assert (await browser.ask("POST", "/do", b"{}", key=key)).status == 200
    following, others = await browser.states(key), await browser.states(other)
    await following.next()
    await others.next()
    for _ in range(2):
        assert (await browser.ask("POST", "/key", code)).status == 403
    assert await following.end(), "who follows the table by this key is shown no more"
    assert not (await others.next())["ended"]
    for path in ("/do", "/state", "/report"):
        assert (await browser.ask("POST", path, b"{}", key=key)).status == 403
    assert (await browser.ask("POST", "/do", b"{}", key="")).status == 403
    assert (await browser.ask("POST", "/do", b"{}", key=other)).status == 200


async def test_who_has_no_key_is_told_what_to_do(nursery: trio.Nursery) -> None:
    answer = await Browser(serving(begun().session), nursery).ask("POST", "/state", key="of another starlock")
    assert answer.status == 403
    assert "new link" in answer.body.decode()


FOREIGN: dict[str, tuple[int, str, str, dict[str, str]]] = {
    "another host": (421, "GET", "/", {"Host": "evil.example"}),
    "another port": (421, "GET", "/", {"Host": f"127.0.0.1:{PORT + 1}"}),
    "a foreign origin": (403, "POST", "/key", {**HOST, "Origin": "https://evil.example"}),
    "a null origin": (403, "POST", "/key", {**HOST, "Origin": "null"}),
    "a foreign site's fetch": (403, "GET", "/", {**HOST, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}),
    "a foreign site's script": (403, "GET", "/page.js", {**HOST, "Sec-Fetch-Site": "cross-site"}),
    "no key": (403, "POST", "/do", HOST),
    "a wrong key": (403, "POST", "/state", {**HOST, "X-Starlock": "x" * 43}),
    "a preflight": (405, "OPTIONS", "/do", HOST),
    "another path": (404, "GET", "/../pyproject.toml", HOST),
}


def carries_the_policy(answer: Answered) -> bool:
    """True if an answer has every header that all have."""
    got = {name.lower(): value for name, value in answer.headers.items()}
    return {name.lower(): value for name, value in HEADERS.items()}.items() <= got.items()


@pytest.mark.parametrize("name", FOREIGN)
async def test_a_foreign_request_is_refused_and_changes_nothing(name: str, nursery: trio.Nursery) -> None:
    table = begun()
    status, method, path, headers = FOREIGN[name]
    browser, before = Browser(serving(table.session), nursery), table.session.asking.step
    body = json.dumps({"act": "pick", "step": before, "option": 0}).encode()
    answer = await browser.ask(method, path, body, headers)
    assert answer.status == status
    assert carries_the_policy(answer)
    assert table.session.asking.step == before


async def test_a_link_from_another_site_may_open_the_page(nursery: trio.Nursery) -> None:
    headers = {**HOST, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert (await Browser(serving(begun().session), nursery).ask("GET", "/", headers=headers)).status == 200


async def test_every_response_carries_the_policy(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    for path in ("/", "/page.js", "/page.css", "/nothing"):
        assert carries_the_policy(await browser.ask("GET", path))
    parts = HEADERS["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"} <= {*parts}
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


async def test_no_number_of_tabs_takes_the_connections_for_clicks(nursery: trio.Nursery) -> None:
    """A browser opens six connections to one address; the tab that was opened first stops following and says why."""
    browser = Browser(serving(begun().session), nursery)
    key = await browser.key()
    tabs = [await browser.states(key) for _ in range(STREAMS)]
    for tab in tabs:
        assert not (await tab.next())["ended"]
    tabs.append(await browser.states(key))
    assert not (await tabs[-1].next())["ended"]
    last = await tabs[0].next()
    assert last["ended"]
    assert last["words"]["closed"] == script_words(elsewhere=True)["closed"] != script_words()["closed"]
    assert await tabs[0].end()
    browser.server.changed()
    for tab in tabs[1:]:
        assert not (await tab.next())["ended"]
    assert browser.server.streams == STREAMS


async def test_idle_connections_do_not_lock_the_page_out(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    idle = [browser.connect() for _ in range(3 * HALF_OPEN)]
    await trio.testing.wait_all_tasks_blocked()
    assert (await browser.ask("GET", "/")).status == 200
    for stream in idle:
        await stream.aclose()


async def test_a_connection_that_asks_nothing_ends_by_itself(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    stream = Browser(serving(begun().session), nursery).connect()
    assert await stream.receive_some(10) == b""
