"""The page as HTML, and what each of its requests is answered, as kept in tests/client/fronts/web/pages."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from kept import compared
from lobby_scenes import opened
from screen_game import Solo
from start_pages import started
from test_screen_home import TABLES
from trouble_scenes import NOTICES

from client.fronts.web.actions import PAGE, perform
from client.fronts.web.state import AT_TABLE, StateFeed
from client.session.deeds import DEEDS, deeds_of
from client.session.session import Session
from client.session.view import view_of
from client.show.document import as_plain
from client.system.journal import no_log
from client.table.notices import ChatSaid

KEPT: Final = Path(__file__).with_name("pages")
FIELDS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"name": "boards", "html": True},
    {"name": "score"},
    {"name": "none"},
    {"deed": "chat", "text": "hello <b>"},
    {"deed": "takeback"},
    {"deed": "none"},
    {"height": 3},
    {"at": 1},
    {"at": 9999},
    {"height": "3"},
    {"text": "e"},
    {"language": "tlh"},
    {"option": 0},
    {"option": 999},
    {"text": "zzz", "html": True},
)
"""With what each request is tried."""
LEFT: Final = frozenset({"quit", "leave", "home", "reach", "alone"})


def tags(markup: str) -> list[str]:
    """Markup with each element in a line of its own."""
    return [row.strip() for row in re.sub(r"(?=<(?!/))", "\n", markup).splitlines() if row.strip()]


def state(feed: StateFeed, **more: Any) -> Iterator[str]:
    """What a page is sent now, of the map the first element alone."""
    made = json.loads(feed.next({**AT_TABLE, **more}))
    for name, markup in made.pop("html", {}).items():
        yield f"-- {name}"
        yield from tags(markup)
    if "map" in made:
        yield f"-- map: {made.pop('map')[:200]}"
    yield from (f"-- {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in made.items())


def asked(session: Session, fields: dict[str, Any]) -> Iterator[str]:
    """A request and its answer."""
    reply = json.loads(json.dumps(as_plain(perform(session, fields))))
    if "map" in reply:
        reply["map"] = reply["map"][:200]
    markup = reply.pop("html", {}) if isinstance(reply.get("html", {}), dict) else {}
    yield f"> {json.dumps(fields, ensure_ascii=False)}"
    yield f"= {json.dumps(reply, ensure_ascii=False)}"
    for name, text in markup.items():
        yield f"-- {name}"
        yield from tags(text)


def table(name: str) -> Iterator[str]:
    """A table some moves on, at which everything is asked that a page can ask."""
    solo = Solo(name, 3)
    solo.play(50, random.Random(4))
    solo.controls.player = SimpleNamespace(notice=solo.session.notice)
    feed = StateFeed(solo.session, [lambda: "Bob has joined <here>."], no_log, drawn=True)
    yield from state(feed)
    step, seen = view_of(solo.session).step, set[str]()
    for act in (*PAGE, *(each for each in DEEDS if each not in LEFT)):
        for fields in FIELDS[:: 1 if act in PAGE else 3]:
            told = "\n".join(asked(solo.session, {"act": act, "step": step, **fields}))
            answer = told.partition("\n")[2]
            yield told if answer not in seen else told.partition("\n")[0]
            seen.add(answer)
    solo.session.notice(ChatSaid("Bob", "truce <until> round 5?"))
    solo.session.notice(NOTICES["disk-full"])
    yield from state(feed)
    yield from state(feed, over=True, report=True)
    yield from (f"{name} {deed.title} {deed.usage}" for name, deed in deeds_of(solo.session).items() if deed.shows)


def lobby() -> Iterator[str]:
    """Before the table begins."""
    front, _door = opened()
    feed = StateFeed(front.session, [], no_log, drawn=True)
    yield from state(feed)
    for fields in (
        {"act": "ready"},
        {"act": "wish", "word": "orion"},
        {"act": "wish", "word": "none"},
        {"act": "remove"},
    ):
        yield from asked(front.session, fields)
    yield from state(feed)
    yield from state(StateFeed(front.session, [], no_log))


def start() -> Iterator[str]:
    """The start page."""
    page = started(TABLES)
    view = view_of(Session(lambda *_answer: None, lambda: None))
    yield from tags(page.drawn(view))
    for fields in (
        {"act": "fill", "field": "game", "value": "rex"},
        {"act": "fill", "field": "players", "value": "99"},
        {"act": "fill", "field": "kind", "value": "host"},
        {"act": "fill", "field": "option betrayal", "value": "on"},
        {"act": "fill", "field": "none", "value": "1"},
        {"act": "fill", "field": "game"},
        {"act": "join"},
        {"act": "join", "ticket": "starlock:abc"},
        {"act": "watch"},
        {"act": "resume", "name": "none"},
        {"act": "rules"},
        {"act": "none"},
        {"act": "language", "language": "tlh"},
        {"act": "begin"},
    ):
        yield f"> {json.dumps(fields)}"
        yield f"= {json.dumps(as_plain(page.perform(fields)))}"
        yield f"problem {page.problem}, told {page.told}, chosen {page.home.chosen}"
    yield from tags(page.drawn(view))


PAGES: Final = {
    "eclipse2": lambda: table("eclipse2"),
    "rex": lambda: table("rex"),
    "lobby": lobby,
    "start": start,
}


@pytest.mark.usefixtures("greenwich")
@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_as_it_is_kept_and_answers_each_request_as_kept(name: str) -> None:
    compared(KEPT / f"{name}.html.txt", "\n".join(PAGES[name]()) + "\n")
