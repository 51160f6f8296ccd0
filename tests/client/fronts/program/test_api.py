"""API.md tells a program all that it needs: its example plays, and every key and action is named in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, is_dataclass
from functools import cached_property
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, get_args, get_type_hints
from urllib.parse import urlsplit

import pytest
import trio
from screen_game import Solo
from seat0 import Seat0
from web_client import Browser, begun, serving

from client.fronts.web.actions import PAGE, perform
from client.session.deeds import DEEDS, deeds_of
from client.session.view import KEYS, SessionView
from client.show.document import SHOWN

ROOT = Path(__file__).parents[4]
LISTED: dict[Any, Sequence[str]] = {**SHOWN}
GUIDE = (ROOT / "docs" / "API.md").read_text("utf-8")


def keys(kind: Any, known: set[Any]) -> Iterator[str]:
    """Every key of a dataclass and of those that it is made of, without what is worked out for what is marked alone."""
    if is_dataclass(kind) and kind not in known:
        known.add(kind)
        hints = get_type_hints(kind)
        for each in fields(kind):
            if each.name in LISTED.get(kind, (each.name,)):
                yield each.name
                yield from keys(hints[each.name], known)
    for part in get_args(kind):
        yield from keys(part, known)


def kinds_of(view: type) -> Iterator[Any]:
    """What the parts of a view are of."""
    for key in KEYS:
        read = vars(view).get(key)
        made = read.func if isinstance(read, cached_property) else read.fget if isinstance(read, property) else view
        if key not in ("version", "log_from", "chat_from"):
            yield get_type_hints(made)["return" if made is not view else key]


def test_every_key_of_a_view_is_named() -> None:
    found = {*KEYS, *(key for kind in kinds_of(SessionView) for key in keys(kind, set()))}
    assert {key for key in found if f"`{key}`" not in GUIDE} == set()
    assert "amounts" in found


def test_the_table_of_actions_is_that_of_the_deeds() -> None:
    assert subprocess.run([sys.executable, ROOT / "scripts" / "api.py", "--check"], check=False).returncode == 0
    assert {name for name in PAGE if f"`{name}`" not in GUIDE} == set()


@pytest.mark.slow
def test_the_example_gives_answers_at_a_real_table(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert code is not None
    (tmp_path / "example.py").write_text(code[1], "utf-8")
    starlock = [sys.executable, "-m", "client", "play", "eclipse2", "--players", "2", "--seed", "5", "--api"]
    done = subprocess.run(
        [sys.executable, tmp_path / "example.py", *starlock],
        cwd=ROOT,
        env={**os.environ, "STARLOCK_HOME": str(tmp_path / "home"), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("send ") == 5


@pytest.mark.slow
def test_a_table_that_is_over_ends_by_quit_while_it_is_followed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "client", "play", "eclipse2", "--players", "2", "--seed", "5", "--api"]
    environment = {**os.environ, "STARLOCK_HOME": str(tmp_path / "home"), "LANGUAGE": "en"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE) as game:
        assert game.stdout is not None
        place = json.loads(game.stdout.readline())
        key, host = {"X-Starlock": place["key"]}, urlsplit(place["url"]).netloc

        def asked(line: HTTPConnection, path: str, **body: object) -> HTTPResponse:
            line.request("POST", path, json.dumps(body), key)
            return line.getresponse()

        def done(act: str) -> bool:
            with closing(HTTPConnection(host, timeout=120)) as line:
                return bool(json.load(asked(line, "/do", act=act))["ok"])

        proposed = left = ended = False
        with closing(HTTPConnection(host, timeout=120)) as line, asked(line, "/state") as states:
            for state in (json.loads(row) for row in states if row.strip()):
                ended = state["ended"]
                proposed = proposed or (bool(state["view"]["ask"]) and done("end"))
                left = left or (state["over"] and done("quit"))
        assert left
        assert ended, "the last state says so, and the stream ends of itself"
        assert game.wait(120) == 0


def test_what_is_not_done_has_a_code_of_its_own() -> None:
    session = Solo("eclipse2").session
    for asked, code in (
        ({"act": "no-such-deed"}, "act/unknown"),
        ({"act": 5}, "act/unknown"),
        ({"act": "pick", "step": session.asking.step, "option": "first"}, "act/fields"),
        ({"act": "pick", "step": session.asking.step}, "act/fields"),
        ({"act": "pick", "option": 0}, "act/fields"),
        ({"act": "pick", "step": str(session.asking.step), "option": 0}, "act/fields"),
        ({"act": "undo", "step": None}, "act/fields"),
        ({"act": "undo", "step": True}, "act/fields"),
        ({"act": "pick", "step": session.asking.step - 1, "option": 0}, "act/late"),
        ({"act": "leave"}, "act/sure"),
    ):
        reply = perform(session, asked)
        assert (reply["ok"], reply["code"]) == (False, code)


def test_who_asks_for_what_there_is_not_is_told_the_ids_and_fields_that_there_are() -> None:
    session = Solo("eclipse2").session
    said = perform(session, {"act": "snd"})["text"]
    assert said.startswith("There is no action “snd”. There are: map, near, ")
    known = said.rpartition(": ")[2].rstrip(".").split(", ")
    assert {*known} == {*deeds_of(session), *PAGE} - {"read"}, "no request names a file of this machine"
    assert len(known) == len({*known})
    for asked, wanted in (
        ({"act": "pick"}, "step; option: index"),
        ({"act": "takeback", "height": "1"}, "height: number of a step, may be left out"),
        ({"act": "search"}, "text: text"),
    ):
        assert perform(session, asked)["text"] == f"The action “{asked['act']}” has these fields: {wanted}."


async def test_a_request_that_names_no_action_is_not_taken_for_one_that_was_done(nursery: trio.Nursery) -> None:
    browser = Browser(serving(Solo("eclipse2").session), nursery)
    reply = await browser.act(await browser.key())
    assert (reply["ok"], reply["code"]) == (False, "act/unknown")


@pytest.mark.parametrize(("more", "front"), [({}, "--api"), ({"html": True}, "--web")])
def test_who_goes_on_alone_has_the_same_front_at_the_new_table(more: Mapping[str, object], front: str) -> None:
    words, session = list[str](), begun().session
    controls: Any = session.table.running
    controls.alone = words.extend
    assert perform(session, {"act": "alone", "sure": True, **more})["ok"]
    assert words == [front]


async def test_texts_name_deeds_by_their_ids_for_a_program_and_by_their_titles_for_the_page(
    nursery: trio.Nursery,
) -> None:
    table = Seat0("eclipse2", 2)
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    asked = {"act": "hold", "step": table.session.asking.step}
    program, page = await browser.act(key, **asked), await browser.act(key, **asked, html=True)
    assert program["text"] == "No question is open that hold could answer with no."
    assert page["text"] == f"No question is open that “{DEEDS['hold'].title}” could answer with no."


def test_a_program_reads_the_position_as_numbers_and_names() -> None:
    session = Solo("rex").session
    reply = perform(session, {"act": "position"})
    assert reply["ok"]
    assert reply["position"]["state"]["table"]["game"] == "rex"
    assert session.asking.draft is not None
    assert session.asking.draft.ask is not None
    assert reply["asked"]["word"] == session.asking.draft.ask.word
    assert len(reply["asked"]["options"]) == len(session.asking.draft.ask.options(session.asking.draft.view().g))
    assert reply["scores"] is None
    json.dumps(reply)
