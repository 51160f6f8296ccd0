"""A picture that is added to one game is on all fronts and in the report, with no edit elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from line_room import Room
from report_pages import course_of, drawn_altered, needs_node, page_of
from screen_game import Solo, typed

from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.games.eclipse.show import pictures as show
from client.show.document import Cell, Document, Part, TextTable
from client.show.pictures import Frame, Picture
from client.system.journal import no_log
from client.system.places import load
from client.system.texts import N_
from engine.core.dataclass import replace

ROOT = Path(__file__).parents[3]


def discs(frame: Frame) -> Document:
    """How many discs each seat has left, with a name as somebody hostile may have it."""
    rows = [(Cell("<b>Ada</b>"), Cell(f"{n} discs are left")) for n in frame.g.seats.discs]
    return [Part("The discs", "all", blocks=[TextTable((), rows)])]


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    documents = show.PICTURES.documents
    commands = {**documents.commands, "discs": Picture("", N_("the discs of all"), discs, title=N_("Discs left"))}
    monkeypatch.setattr(show, "PICTURES", replace(show.PICTURES, documents=replace(documents, commands=commands)))
    load.cache_clear()
    page_of.cache_clear()
    yield
    load.cache_clear()
    page_of.cache_clear()


def test_an_added_picture_is_typed_in_line_mode() -> None:
    assert "<b>Ada</b>  0 discs are left" in Room().type("discs")


def test_an_added_picture_is_a_page_of_the_full_screen() -> None:
    assert "The discs <b>Ada</b>" in typed(Solo("eclipse2").front, "discs")


def test_an_added_picture_is_a_tab_of_the_page_and_names_in_it_are_text() -> None:
    session = Solo("eclipse2").session
    tabs = json.loads(StateFeed(session, (), no_log, drawn=True).next())["html"]["tabs"]
    assert 'data-tab="discs">Discs left</button>' in tabs
    html = perform(session, {"act": "tab", "name": "discs"})["html"]["picture"]
    assert "<td>&lt;b&gt;Ada&lt;/b&gt;</td><td>0 discs are left</td>" in html


@needs_node
def test_an_added_picture_stands_in_the_report_at_each_moment_and_is_marked_as_told(tmp_path: Path) -> None:
    star, path = (ROOT / "tests" / "stars" / "eclipse2-without-portals.1.star").read_bytes(), tmp_path / "page.html"
    path.write_bytes(page_of(star))
    drawn = {title: made for title, made, _numbers in course_of(path.read_bytes())["pictures"]}
    assert len(drawn["Discs left"]) > 2, "it changes as play goes on"
    assert all("<td>&lt;b&gt;Ada&lt;/b&gt;</td>" in made for made in drawn["Discs left"])
    usual, last = drawn_altered(path, [])
    assert usual["verdict"] == "yes"
    assert {"The discs", "<b>Ada</b>"} <= {*last["drawn"]["told"]}
