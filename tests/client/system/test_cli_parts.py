"""The parts that every command shares: folders, progress, log, wording, reference."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.commands.seating import has_input, leading
from client.system.errors import UserError
from client.system.journal import open_log
from client.system.progress import Meter
from client.system.registry import GAMES
from client.system.settings import Folders, made
from client.system.texts import _, ngettext, use
from client.words import DisplayNames, event_text, refusal_text, texts
from client.words.reference import chapters, entries
from engine.core.errors import Refusal
from engine.core.events import Event
from p2p.log.store import StoreFull


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    use("en")
    yield
    use("en")  # one process has one language, and other tests follow


def test_starlock_home_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    folders = Folders.of_system()
    assert {folders.data.parent, folders.config.parent, folders.logs.parent} == {tmp_path}


def test_without_it_the_system_says_where_things_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STARLOCK_HOME", raising=False)
    folders = Folders.of_system()
    assert all("starlock" in str(folder) for folder in (folders.data, folders.config, folders.logs))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError) as error:
        made(tmp_path / "file" / "data")
    assert error.value.code == "home/unusable"
    assert str(tmp_path / "file" / "data") in error.value.message


def test_progress_is_drawn_over_itself_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    meter = Meter(terminal)
    meter(10, 10, "games")
    assert terminal.getvalue() == "\rgames  10/10  100 %"
    meter.clear()
    assert terminal.getvalue().endswith("\r" + " " * 19 + "\r")


class Buffered(Terminal):
    """A terminal that shows what was written once it is told to."""

    seen = ""

    def flush(self) -> None:
        self.seen = self.getvalue()


def test_progress_is_seen_when_it_is_made_though_no_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Buffered()
    meter = Meter(terminal)
    meter(10, 10, "games")
    assert "10/10" in terminal.seen
    meter.clear()
    assert terminal.seen.endswith(" \r")


def test_of_several_errors_the_one_that_a_person_can_correct_is_told_and_a_single_one_as_it_is() -> None:
    broken, wrong = ValueError("broken"), UserError("cli/port", "There is no such port.", "")
    assert leading(BaseExceptionGroup("all", [broken, BaseExceptionGroup("inner", [wrong])])) is wrong
    assert leading(BaseExceptionGroup("all", [BaseExceptionGroup("inner", [broken])])) is broken
    full = leading(BaseExceptionGroup("all", [broken, StoreFull(Path("disk"))]))
    assert isinstance(full, UserError)
    assert full.code == "store/full"
    several = BaseExceptionGroup("all", [broken, ValueError("also")])
    assert leading(several) is several


@pytest.mark.parametrize(("kind", "has"), [("file", True), ("pipe", True), ("null", False), ("closed", False)])
def test_lines_are_read_from_a_pipe_or_a_file_and_not_where_there_are_none(
    kind: str, has: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("yes\n")
    reading, writing = os.pipe()
    with (
        os.fdopen(reading) as pipe,
        os.fdopen(writing, "w"),
        (tmp_path / "file").open() as file,
        Path(os.devnull).open() as null,
    ):
        monkeypatch.setattr(sys, "stdin", {"pipe": pipe, "null": null}.get(kind, file))
        if kind == "closed":
            file.close()
        assert has_input() is has


@pytest.mark.parametrize(("stream", "term"), [(io.StringIO(), "xterm"), (Terminal(), "dumb")])
def test_progress_is_silent_where_nothing_can_be_drawn_over(
    stream: io.StringIO, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    meter = Meter(stream)
    meter(10, 10, "games")
    meter.clear()
    assert stream.getvalue() == ""


def test_the_log_has_one_object_a_line_and_no_secret(tmp_path: Path) -> None:
    with open_log(tmp_path / "log") as log:
        log("link/up", peer="abc", table_secret="deep", parts={"nonce": b"deep", "raw": b"deep"}, ids=["a", b"deep"])
        log("link/down", reason="line\nbreak")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["link/up", "link/down"]
    assert "deep" not in (tmp_path / "log").read_text()
    assert lines[0]["parts"] == {"nonce": "(kept secret)", "raw": "(4 bytes)"}


def test_an_event_becomes_a_sentence_with_the_seats_names() -> None:
    event = Event("diplomacy/offered", {"seat": 0, "partner": 1})
    assert event_text(event, ["Ada", "Rex"], DisplayNames("eclipse2")) == "Ada offers diplomatic relations to Rex."
    use("es")
    assert event_text(event, ["Ada", "Rex"], DisplayNames("eclipse2")) == "Ada ofrece relaciones diplomáticas a Rex."


def test_an_event_without_a_text_is_shown_as_it_is() -> None:
    assert event_text(Event("toy/odd", {"seat": 0, "n": (1, 2)}), ["Ada"]) == "toy/odd seat=Ada n=1, 2"


def test_a_refusal_becomes_a_sentence_with_its_details() -> None:
    ambiguous = Refusal("notation/ambiguous", "0", ("b", "build", "bank"))
    assert refusal_text(ambiguous) == "“b” can mean: build, bank"
    assert refusal_text(Refusal("toy/odd", "a.b", (3,))) == "a.b: toy/odd (3)"


@pytest.mark.parametrize("name", GAMES)
def test_templates_fit_their_placeholders(name: str) -> None:
    called = DisplayNames(name)
    for id in texts(name).refusals:
        assert refusal_text(Refusal(id, "place", ("one", "two", "three")), called)
    for id, template in texts(name).events.items():
        assert event_text(Event(id, {}), [], called), template


def test_names_of_people_cannot_smuggle_placeholders() -> None:
    event = Event("upkeep/eliminated", {"seat": 0, "total": 7})
    said = event_text(event, ["{seat.__class__}"], DisplayNames("eclipse2"))
    assert said == "{seat.__class__} is eliminated, with 7 victory points."


def test_plural_and_unknown_language() -> None:
    assert ngettext("one", "many", 2) == "many"
    assert _("") == ""
    with pytest.raises(UserError):
        use("xx")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_reference_covers_every_kind_of_thing_once(language: str) -> None:
    use(language)
    games = [entries(name) for name in GAMES]
    assert {one.kind for found in games for one in found} == {kind for name in GAMES for kind in chapters(name)}
    for found in games:
        assert len({(one.kind, one.word) for one in found}) == len(found)
        assert all(one.title and one.text and "{" not in one.text for one in found)
