"""Terminals beside pages, with the real programme behind: each is left or closed in mid-game, and the page plays on."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from pty_driver import PATIENCE, ROOT, Terminal, open_terminal
from web_client import Reader

from client.system.errors import INTERRUPTED

pytestmark = pytest.mark.soak
LINK = r"http://127\.0\.0\.1:\d+/#[\w-]+"


def beside_page(opened: list[Terminal], home: Path, *words: str) -> tuple[Terminal, str]:
    """A command in a terminal of its own, and the link to its page."""
    env = {"STARLOCK_HOME": str(home), "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "BROWSER": "true"}
    terminal = open_terminal(opened, ["-m", "client", *words, "--web"], env, (30, 140))
    return terminal, terminal.until(LINK)[0]


class Alone:
    """Somebody at a page, who agrees to everything; `there` is set once `ready` is true of a state. Once the terminal
    is left, says something, sees that come and leaves the table; a spectator only leaves."""

    def __init__(self, link: str, ready: Any) -> None:
        self.there, self.left = threading.Event(), threading.Event()
        self._ready = ready
        self.reader = Reader(link, self._work)

    def _work(self, reader: Reader) -> None:
        acted = ready = False
        for state in reader.states():
            if state["view"]["question"] is not None:
                reader.act("reply", yes=True)
            if "door" in state and not ready:
                ready = reader.act("ready", yes=True)["ok"]
            if self._ready(state):
                self.there.set()
            alone = any("terminal was left" in text for text in state["lines"])
            if alone and not acted:
                acted = True
                if not reader.act("chat", text="still here")["ok"]:
                    assert reader.act("quit")["ok"]
            if acted and any(said["text"] == "still here" for said in state["view"]["chat"]):
                assert reader.act("quit")["ok"]
            if state["left"]:
                self.left.set()

    def wait(self, *terminals: Terminal) -> None:
        """Until `there` is set; terminals that nobody reads would hold their programmes up."""
        limit = time.monotonic() + PATIENCE
        while not self.there.is_set():
            assert time.monotonic() < limit
            for terminal in terminals:
                terminal.read(0.1)

    def finish(self) -> None:
        self.reader.join(60)
        assert self.reader.failed is None
        assert self.left.is_set()


def asked(state: dict[str, Any]) -> bool:
    return state["view"]["ask"] is not None


def begun(state: dict[str, Any]) -> bool:
    return bool(state["view"]["seats"])


def leave(terminal: Terminal, way: str) -> None:
    """Leave a terminal by a key, or close it."""
    if way:
        terminal.type(way)
        terminal.until("the table goes on at")
    else:
        os.close(terminal.fd)
        os.close(terminal.inner)
        terminal.fd, terminal.inner = os.open(os.devnull, os.O_RDWR), os.open(os.devnull, os.O_RDWR)


@pytest.mark.parametrize(
    ("way", "more"),
    [("q", []), ("", []), ("\x04", ["--linear"]), ("", ["--linear"])],
    ids=["q", "closed", "Ctrl-D in lines", "closed in lines"],
)
def test_a_solo_game_goes_on_at_the_page_and_is_resumed(
    way: str, more: list[str], opened: list[Terminal], tmp_path: Path
) -> None:
    terminal, link = beside_page(opened, tmp_path, "play", "eclipse2", "--players", "2", *more)
    page = Alone(link, asked)
    page.wait(terminal)
    leave(terminal, way)
    page.finish()
    assert terminal.process.wait(60) == INTERRUPTED
    again, link = beside_page(opened, tmp_path, "resume")
    page = Alone(link, asked)
    page.wait(again)
    leave(again, "q")
    page.finish()
    assert again.end() == INTERRUPTED


def test_who_hosts_joins_and_watches_may_close_the_terminal(opened: list[Terminal], tmp_path: Path) -> None:
    ticket = tmp_path / "ticket"
    words = ["host", "eclipse2", "--players", "2", "--local", "--private", "--ticket-file", str(ticket)]
    host, link = beside_page(opened, tmp_path / "host", *words)
    at_host = Alone(link, begun)
    host.until(r"starlock:\S+")
    given = ticket.read_text("ascii").strip()
    guest, link = beside_page(opened, tmp_path / "guest", "join", given, "--local")
    at_guest = Alone(link, begun)
    at_host.wait(host, guest)
    at_guest.wait(host, guest)
    viewer, link = beside_page(opened, tmp_path / "viewer", "watch", given, "--local")
    at_viewer = Alone(link, begun)
    at_viewer.wait(host, guest, viewer)
    for terminal in (host, guest, viewer):
        leave(terminal, "")
    for terminal, page in ((viewer, at_viewer), (guest, at_guest), (host, at_host)):
        page.finish()
        assert terminal.process.wait(60) == INTERRUPTED
