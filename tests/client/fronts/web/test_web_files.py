"""Files of the page's server: those of the page, those that prove or report a game, and one that is read."""

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

import trio
import trio.testing
from trouble_scenes import NOTICES, faced
from web_client import Browser, begun, serving

from client.fronts.web.fragments.table import languages
from client.fronts.web.http import MOST
from client.fronts.web.state import script_words
from client.show.html import STYLE
from client.system.texts import LANGUAGES
from client.table.notices import DivergenceFound

STATIC = Path(__file__).parents[4] / "client" / "fronts" / "web" / "static"


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


async def test_every_file_of_the_page_is_served(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
    for path in (*STATIC.iterdir(), STYLE):
        answer = await browser.ask("GET", "/" + ("" if path.name == "page.html" else path.name))
        assert (answer.status, answer.body) == (200, path.read_bytes())


def test_the_page_offers_every_language() -> None:
    assert re.findall(r'<option value="(\w+)"', languages("en")) == list(LANGUAGES)


async def test_the_end_shows_places_and_the_page_that_proves_the_game(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
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


async def test_the_start_page_gives_the_page_of_each_finished_game_and_of_no_other(nursery: trio.Nursery) -> None:
    browser = Browser(serving(begun().session), nursery)
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


async def test_a_large_file_is_read_from_a_page_with_a_key_and_on_the_start_page_alone(nursery: trio.Nursery) -> None:
    browser, judged, large = Browser(serving(begun().session), nursery), list[bytes](), bytes(MOST + 1)
    key = await browser.key()
    assert (await browser.ask("POST", "/verify", b"entries", key=key)).status == 404
    browser.server.start = cast("Any", SimpleNamespace(judge=judged.append))
    assert (await browser.ask("POST", "/verify", large)).status == 413
    assert (await browser.ask("POST", "/do", large, key=key)).status == 413
    assert (await browser.ask("POST", "/verify", large, key=key)).status == 200
    assert judged == [large]
