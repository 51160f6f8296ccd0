"""A page and a terminal that show the same table: either may be closed, and either ends what both show."""

from __future__ import annotations

import http.client
import io
import json
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.context import Context
from client.fronts import FrontOptions
from client.player import Player
from client.progress import Meter
from client.screen.run import run
from client.settings import Folders
from client.web.door import Door

PATIENCE = 60.0


class Reader(threading.Thread):
    """Somebody at a page in another program: trades the link's code for the key, then does what it is given."""

    def __init__(self, link: str, work: Callable[[Reader], None]) -> None:
        super().__init__(daemon=True)
        url, _hash, self._code = link.partition("#")
        self._host, self._work = url.split("/")[2], work
        self._key = ""
        self.failed: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            with self._asked("/key", self._code) as answer:
                self._key = answer.read().decode()
            self._work(self)
        except Exception as error:  # noqa: BLE001  # told in the thread that waits
            self.failed = error

    def act(self, name: str) -> dict[str, Any]:
        with self._asked("/do", json.dumps({"act": name})) as answer:
            done: dict[str, Any] = json.loads(answer.read())
        return done

    def states(self) -> Generator[dict[str, Any], None, None]:
        """Every state until the stream ends or is given up."""
        with self._asked("/state", "{}") as stream:
            while line := stream.readline():
                if line.strip():
                    yield json.loads(line)

    @contextmanager
    def _asked(self, path: str, body: str) -> Iterator[http.client.HTTPResponse]:
        with closing(http.client.HTTPConnection(self._host, timeout=PATIENCE)) as connection:
            connection.request("POST", path, body, {"X-Starlock": self._key})
            with connection.getresponse() as answer:
                assert answer.status == 200
                yield answer


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """What is typed at a terminal that shows nothing."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield typed


@pytest.fixture
def door() -> Iterator[Door]:
    """That of the start page."""
    opened = Door.opened()
    yield opened
    opened.close()


def played(
    monkeypatch: pytest.MonkeyPatch, folder: Path, door: Door | None, work: Callable[[Reader], None]
) -> tuple[int, str]:
    """A game on the full screen that is over at once, beside a page where `work` is done.  Returns the exit code and
    what was said."""
    readers: list[Reader] = []
    monkeypatch.setattr("webbrowser.open", lambda link: readers.append(Reader(link, work)))
    said = io.StringIO()
    context = Context("play", False, Folders(folder, folder, folder), said, said, Meter(io.StringIO()))
    context.door = door

    async def main(player: Player) -> int:
        context.answer("The game is over.", ok=True)
        return 0

    code = run(context, main, FrontOptions(port=0, linear=False))
    (reader,) = readers
    reader.join(PATIENCE)
    assert reader.failed is None
    return code, said.getvalue()


def test_the_end_on_the_full_screen_is_closed_from_the_page(
    keys: PipeInput, door: Door, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    last: list[dict[str, Any]] = []

    def go_home(reader: Reader) -> None:
        for state in reader.states():
            if state["home"] and not last:
                assert reader.act("home")["ok"]
                last.append(state)
            last[1:] = [state]

    code, said = played(monkeypatch, tmp_path, door, go_home)
    assert (code, said) == (0, "The game is over.\n")
    assert not last[-1]["ended"]  # the start page follows


def test_the_end_on_the_page_is_closed_from_the_full_screen(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    last: list[dict[str, Any]] = []

    def watch(reader: Reader) -> None:
        for state in reader.states():
            if state["over"] and not last:
                keys.send_text("q")
            last[:] = [state] if state["over"] else []

    code, said = played(monkeypatch, tmp_path, None, watch)
    assert (code, said) == (0, "The game is over.\n")
    assert last[0]["ended"]


def test_a_page_that_is_closed_leaves_the_end_on_the_full_screen(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def look_and_go(reader: Reader) -> None:
        with closing(reader.states()) as states:
            next(state for state in states if state["over"])
        keys.send_text("q")  # the screen is still there to be closed

    assert played(monkeypatch, tmp_path, None, look_and_go)[0] == 0
