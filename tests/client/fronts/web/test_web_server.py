"""The page's server: what it answers, what it refuses, and that nothing of it reaches the table."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zipfile import ZipFile

import pytest
import trio
import trio.testing
from test_session import Seat0
from trouble_scenes import NOTICES, faced
from web_client import HOST, PORT, Answered, Browser, serving

from client.fronts.web.door import HEADERS
from client.fronts.web.fragments.table import languages
from client.fronts.web.http import MOST
from client.fronts.web.server import STREAMS
from client.fronts.web.state import script_words
from client.session.view import view_of
from client.show.document import Document
from client.show.html import STYLE
from client.show.pictures import Frame
from client.system.texts import LANGUAGES
from client.table.notices import DivergenceFound
from p2p.link.strangers import HALF_OPEN

STATIC = Path(__file__).parents[4] / "client" / "fronts" / "web" / "static"


@pytest.fixture
def table() -> Seat0:
    found = Seat0("eclipse2", 2)
    found.go()
    return found


async def test_a_code_is_traded_for_the_key_once(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    code = browser.server.guard.new_code().encode()
    assert (await browser.ask("POST", "/key", code)).status == 200
    assert (await browser.ask("POST", "/key", code)).status == 403
    assert (await browser.ask("POST", "/key", b"guess")).status == 403


async def test_each_link_has_a_key_of_its_own(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    keys = [await browser.key(), await browser.key(), browser.server.guard.new_key()]
    assert len(set(keys)) == 3
    for key in keys:
        assert (await browser.ask("POST", "/do", b"{}", key=key)).status == 200


async def test_a_code_that_comes_twice_ends_its_key_and_no_other(table: Seat0, nursery: trio.Nursery) -> None:
    """Whoever was first, one of the two has read the link of the other."""
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
async def test_a_foreign_request_is_refused_and_changes_nothing(name: str, table: Seat0, nursery: trio.Nursery) -> None:
    status, method, path, headers = FOREIGN[name]
    browser, before = Browser(serving(table.session), nursery), table.session.asking.step
    body = json.dumps({"act": "pick", "step": before, "option": 0}).encode()
    answer = await browser.ask(method, path, body, headers)
    assert answer.status == status
    assert carries_the_policy(answer)
    assert table.session.asking.step == before


async def test_a_link_from_another_site_may_open_the_page(table: Seat0, nursery: trio.Nursery) -> None:
    headers = {**HOST, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert (await Browser(serving(table.session), nursery).ask("GET", "/", headers=headers)).status == 200


async def test_every_response_carries_the_policy(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    for path in ("/", "/page.js", "/page.css", "/nothing"):
        assert carries_the_policy(await browser.ask("GET", path))
    parts = HEADERS["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"} <= {*parts}
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


async def test_an_action_names_the_step_that_it_is_about(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    key, step = await browser.key(), table.session.asking.step
    stale = await browser.act(key, act="pick", step=step - 1, option=0)
    assert (stale["ok"], table.session.asking.step) == (False, step)
    assert (await browser.act(key, act="pick", step=step, option=0))["ok"]
    assert table.session.asking.step > step
    assert (await browser.act(key, act="undo", step=table.session.asking.step))["ok"]
    assert view_of(table.session).picked == []


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
    {"act": "leave"},
    {"act": "map", "words": 3},
    {"act": "tab", "name": "send"},
]


@pytest.mark.parametrize("fields", MALFORMED, ids=str)
async def test_an_unreadable_action_is_answered_and_changes_nothing(
    fields: Any, table: Seat0, nursery: trio.Nursery
) -> None:
    browser = Browser(serving(table.session), nursery)
    key, step = await browser.key(), table.session.asking.step
    answer = await browser.act(key, **{"step": step, **fields})
    assert not answer["ok"]
    assert answer["text"]
    assert table.session.asking.step == step


async def test_a_body_that_is_no_object_or_too_large_is_refused(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    for body, status in ((b"[]", 400), (b"{", 400), (b"[" * 50_000, 400), (b" " * 100_000, 413)):
        assert (await browser.ask("POST", "/do", body, key=key)).status == status


async def test_a_page_follows_what_is_drafted_elsewhere(table: Seat0, nursery: trio.Nursery) -> None:
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


async def test_no_number_of_tabs_takes_the_connections_for_clicks(table: Seat0, nursery: trio.Nursery) -> None:
    """A browser opens six connections to one address; the tab that was opened first stops following and says why."""
    browser = Browser(serving(table.session), nursery)
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


async def test_two_tabs_show_the_same_and_the_slower_one_answers_nothing_twice(
    table: Seat0, nursery: trio.Nursery
) -> None:
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


async def test_idle_connections_do_not_lock_the_page_out(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    idle = [browser.connect() for _ in range(3 * HALF_OPEN)]
    await trio.testing.wait_all_tasks_blocked()
    assert (await browser.ask("GET", "/")).status == 200
    for stream in idle:
        await stream.aclose()


async def test_a_connection_that_asks_nothing_ends_by_itself(
    table: Seat0, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    stream = Browser(serving(table.session), nursery).connect()
    assert await stream.receive_some(10) == b""


async def test_a_drawing_that_fails_shows_the_text_and_ends_nothing(table: Seat0, nursery: trio.Nursery) -> None:
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
    record: str, name: str, table: Seat0, nursery: trio.Nursery
) -> None:
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
    table: Seat0, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    table: Seat0, nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    browser = Browser(serving(table.session), nursery)
    states = await browser.states(await browser.key())
    await states.next()
    with trio.move_on_after(1000) as open_still:
        await browser.server.wait_unseen(60, 5)
    assert open_still.cancelled_caught
    await states.stream.aclose()
    before = trio.current_time()
    await browser.server.wait_unseen(60, 5)
    assert trio.current_time() - before >= 5


async def test_the_end_shows_places_and_the_page_that_proves_the_game(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    assert (await browser.ask("POST", "/report", key=key)).status == 404  # the game goes on
    browser.server.over, browser.server.reports = True, {"eclipse2-1": lambda: b"<html>proof</html>"}
    state = await (await browser.states(key)).next()
    assert [block["kind"] for block in state["end"]] == ["table"]
    assert state["report"] is True
    assert (await browser.ask("POST", "/report")).status == 403
    made = await browser.ask("POST", "/report", key=key)
    path = made.body.decode()
    assert made.status == 200
    assert (await browser.ask("GET", path[:-1])).status == 404
    page = await browser.ask("GET", path)
    assert page.body == b"<html>proof</html>"
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts")  # not the origin of the board


async def test_the_start_page_gives_the_page_of_each_finished_game_and_of_no_other(
    table: Seat0, nursery: trio.Nursery
) -> None:
    browser = Browser(serving(table.session), nursery)
    key, made = await browser.key(), list[str]()

    def page(name: str) -> bytes:
        made.append(name)
        return name.encode()

    browser.server.reports = {name: partial(page, name) for name in ("rex-1", "rex-2")}
    for name in ("rex-2", "rex-1", "rex-2"):
        answer = await browser.ask("POST", "/report", json.dumps({"table": name}).encode(), key=key)
        assert (await browser.ask("GET", answer.body.decode())).body == name.encode()
    assert made == ["rex-2", "rex-1"]
    for body, status in ((b'{"table": "rex-3"}', 404), (b'{"table": 1}', 404), (b"[]", 400), (b"{", 400)):
        assert (await browser.ask("POST", "/report", body, key=key)).status == status


async def test_the_game_so_far_is_fetched_as_a_file_by_who_has_the_key(nursery: trio.Nursery, tmp_path: Path) -> None:
    star = tmp_path / "rex-1.star"
    browser = Browser(
        serving(SimpleNamespace(table=SimpleNamespace(controls=SimpleNamespace(save=lambda: star)))), nursery
    )
    star.write_bytes(b"entries")
    assert (await browser.ask("POST", "/report", b'{"save": "save"}')).status == 403
    made = await browser.ask("POST", "/report", b'{"save": "save"}', key=await browser.key())
    file = await browser.ask("GET", made.body.decode())
    assert (made.status, file.status) == (200, 200)
    assert (file.body, file.headers["content-disposition"]) == (b"entries", 'attachment; filename="rex-1.star"')


async def test_a_report_on_programs_that_differ_is_fetched_with_the_log_and_nothing_else_is(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    apart, star, report = faced("divergence"), tmp_path / "friday.star", tmp_path / "divergence-9c41-93.json"
    star.write_bytes(b"the log")
    report.write_text("{}")
    controls: Any = apart.controls
    browser = Browser(serving(apart.session), nursery)
    key = await browser.key()
    for body, status in ((b'{"save": "bug"}', 409), (b'{"save": "quit"}', 404), (b'{"save": ["bug"]}', 404)):
        assert (await browser.ask("POST", "/report", body, key=key)).status == status
    controls.save = lambda: star
    apart.session.notice(replace(cast("DivergenceFound", NOTICES["divergence"]), file=report))
    made = await browser.ask("POST", "/report", b'{"save": "bug"}', key=key)
    file = await browser.ask("GET", made.body.decode())
    assert file.headers["content-disposition"] == 'attachment; filename="friday-93.zip"'
    with ZipFile(BytesIO(file.body)) as bundle:
        assert {*bundle.namelist()} == {star.name, report.name}


async def test_a_large_file_is_read_from_a_page_with_a_key_and_on_the_start_page_alone(
    table: Seat0, nursery: trio.Nursery
) -> None:
    browser, judged, large = Browser(serving(table.session), nursery), list[bytes](), bytes(MOST + 1)
    key = await browser.key()
    assert (await browser.ask("POST", "/verify", b"entries", key=key)).status == 404
    browser.server.start = cast("Any", SimpleNamespace(judge=judged.append))
    assert (await browser.ask("POST", "/verify", large)).status == 413
    assert (await browser.ask("POST", "/do", large, key=key)).status == 413
    assert (await browser.ask("POST", "/verify", large, key=key)).status == 200
    assert judged == [large]


async def test_a_picture_that_fails_is_said_to_and_nothing_ends(
    table: Seat0, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_an_earlier_position_is_shown_and_one_that_never_was_is_not(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    key, height = await browser.key(), table.match.height
    found = await browser.act(key, act="past", height=height)
    assert found["map"].startswith("<svg")
    assert found["height"] == height
    assert not (await browser.act(key, act="past", height=-1))["ok"]


def test_the_page_is_small_and_holds_no_inline_script_style_or_handler() -> None:
    assert sum(path.stat().st_size for path in (*STATIC.iterdir(), STYLE)) <= 21_600
    html = (STATIC / "page.html").read_text("utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]*src=)|\son\w+=", html)


def test_every_text_of_the_pages_script_is_used_and_given() -> None:
    named = re.compile(r"\bwords\.(\w+)")
    script = "".join(path.read_text("utf-8") for path in STATIC.glob("*.js"))
    assert set(named.findall(script)) == script_words().keys()


def test_the_page_loads_no_lockstep_before_there_is_a_table() -> None:
    code = "import sys, client.fronts.web.page; print(*{'p2p.lockstep', 'cryptography', 'cbor2'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


async def test_every_file_of_the_page_is_served(table: Seat0, nursery: trio.Nursery) -> None:
    browser = Browser(serving(table.session), nursery)
    for path in (*STATIC.iterdir(), STYLE):
        answer = await browser.ask("GET", "/" + ("" if path.name == "page.html" else path.name))
        assert (answer.status, answer.body) == (200, path.read_bytes())


def test_the_page_offers_every_language() -> None:
    assert re.findall(r'<option value="(\w+)"', languages("en")) == list(LANGUAGES)


async def test_who_has_no_key_is_told_what_to_do(table: Seat0, nursery: trio.Nursery) -> None:
    answer = await Browser(serving(table.session), nursery).ask("POST", "/state", key="of another starlock")
    assert answer.status == 403
    assert "new link" in answer.body.decode()


async def test_the_network_is_looked_at_from_a_table_that_uses_one(
    table: Seat0, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    browser = Browser(serving(table.session), nursery)
    states, key = await browser.states(await browser.key()), await browser.key()
    assert (await states.next())["network"] is None
    monkeypatch.setattr(table, "examine", None, raising=False)
    assert not (await browser.act(key, act="doctor"))["ok"]
    monkeypatch.setattr(table, "examine", lambda told: told(["+ It listens."]))
    assert (await browser.act(key, act="doctor"))["ok"]
    browser.server.changed()
    assert (await states.next())["network"] == {"looking": False, "lines": ["+ It listens."]}
