# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in the browser: from a click to the new page, its bytes, and what it takes to load.

A late position of a game of four, as a page at one seat has it: an option is picked and taken back by the page's own
actions, and the state that follows is made ready to be sent.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final

import trio

from bench import Measure, by_turns, cost
from bench.chromium import BROWSER, Chromium
from bench.engine import GAME, played, table_of
from client.fronts.web.actions import perform
from client.fronts.web.door import Door
from client.fronts.web.server import Server
from client.fronts.web.state import StateFeed
from client.session.news import LoggedEvent
from client.session.session import Session
from client.system.journal import no_log
from client.table.player import Asked, TableControls
from engine.core.cards import Lens
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import Value
from engine.core.waits import Choose

SEATS: Final = 4
LATE: Final = 6
"""Round of the position."""
CLICKS: Final = 24
WIDE: Final = 12
"""Options that the question has at least."""
CLICKING: Final = """(async () => {
  const ask = document.querySelector("#ask"), times = [];
  const until = done => new Promise(go => {
    const look = () => { if (done()) { watch.disconnect(); go(); } }, watch = new MutationObserver(look);
    watch.observe(ask, {subtree: true, childList: true});
    look();
  });
  await until(() => ask.querySelector("button"));
  for (let click = 0; click < CLICKS; click++) {
    const drafted = Boolean(ask.querySelector(".final")), began = performance.now();
    ask.querySelector(drafted ? ".final button" : ".options button, .cells button").click();
    await until(() => Boolean(ask.querySelector(".final")) !== drafted);
    times.push(performance.now() - began);
  }
  return times;
})()"""
"""Picks and takes back by turns; milliseconds of each."""
NAMES: Final = ("Anna", "Bob", "Cid", "Dee")


class _Still:
    """A table where nothing goes on."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.genesis: Any = SimpleNamespace(game=GAME, seats=SEATS, members=(), origin=None)
        self.history: Sequence[tuple[int, Sequence[Event]]] = ()
        self.seats = (match.owing()[0],)
        self.leave: Callable[[], None] = lambda: None

    def stands(self, height: int) -> bool:
        return True

    def past(self, height: int) -> Match | None:
        return None

    def answered(self, seat: int) -> None:
        """Nothing was sent here."""

    def rolls(self) -> Sequence[Any]:
        return ()

    def lens(self, seat: int) -> Lens:
        return Lens()

    def name(self, seat: int) -> str:
        return NAMES[seat]

    def owing(self) -> Sequence[int]:
        return self.match.owing()

    def debts(self) -> Mapping[int, str]:
        return dict.fromkeys(self.owing(), "answer")

    def linked(self) -> Mapping[int, bool]:
        return dict.fromkeys(range(SEATS), True)

    def ways(self) -> Mapping[int, str]:
        return dict.fromkeys(range(SEATS), "direct")

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in range(SEATS)}

    def votes(self) -> Sequence[Any]:
        return ()

    def proposer(self, pact: bytes) -> str:
        return ""

    def refused(self, *_anything: object) -> None:
        """Nothing is said at this table."""

    alone: Any = None

    chat = propose = vote = vouch = claim = refused


def measures() -> list[Measure]:
    """Click to new page, map, state and import; in a real Chromium where there is one."""
    return [*clicks(), *(pages() if BROWSER is not None else ()), loading()]


def pages() -> list[Measure]:
    """From a click in a real Chromium to the page that shows what came of it: the middle one and the worst of many.

    Floor: what the session alone takes for a pick or a step back.
    """
    alone = clicks()[0].value
    times = trio.run(_clicked)
    return [
        cost("web-page", median(times), "ms", alone, most=100, notes={"clicks": len(times)}),
        cost("web-page-worst", max(times), "ms", alone, most=300, notes={"clicks": len(times)}),
    ]


async def _clicked() -> Sequence[float]:
    door, session = Door.opened(), late()
    server = Server(session, door.guard, no_log)
    screen: Any = _Told(server)  # as much of a screen as a draft tells
    session.screens.append(screen)
    try:
        async with trio.open_nursery() as nursery:
            await nursery.start(trio.serve_listeners, server.connection, [door.listener()])
            times: Sequence[float] = await trio.to_thread.run_sync(_in_chromium, door.link())
            nursery.cancel_scope.cancel()
    finally:
        door.close()
    return times


def _in_chromium(link: str) -> Sequence[float]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, Chromium(Path(folder)) as page:
        page.open(link)
        times: Sequence[float] = page.run(CLICKING.replace("CLICKS", str(CLICKS)))
        return times


class _Told:
    """A screen that lets the pages know."""

    def __init__(self, server: Server) -> None:
        self.changed = server.changed

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """The view has the draft."""


def clicks() -> list[Measure]:
    """A pick or a step back until the state is ready to be sent, and how many bytes that are.

    Floor of the time: the same state written and read as JSON; of the bytes: the same deflated.
    """
    session = late()
    feed = StateFeed(session, (), no_log, drawn=True)
    feed.next()
    acts = cycle(("pick", "undo"))

    def click() -> bytes:
        answer = perform(session, {"act": next(acts), "step": session.asking.step, "option": 0})
        if not answer["ok"]:
            raise LocalError(str(answer))
        return feed.next()

    state = click()
    click()
    took, floor, clicks = by_turns(
        lambda: [click() for _ in range(CLICKS)], lambda: [json.dumps(json.loads(state)) for _ in range(CLICKS)]
    )
    drawing = session.table.pictures.documents.drawing
    drawn = drawing(session.frame()).encode()
    drew, copied, drawings = by_turns(lambda: drawing(session.frame()), lambda: json.dumps(drawn.decode()))
    fresh = StateFeed(session, (), no_log, drawn=True).next()
    rest = len(fresh) - len(json.dumps(drawn.decode()))
    return [
        cost("web-click", took / CLICKS * 1000, "ms", floor / CLICKS * 1000, most=100, spread=clicks),
        cost("web-map", drew * 1000, "ms", copied * 1000, most=20, spread=drawings),
        cost("web-map-bytes", len(drawn), "bytes", len(zlib.compress(drawn)), most=60_000),
        cost("web-state-bytes", rest, "bytes", len(zlib.compress(fresh)), most=80_000),
    ]


def loading() -> Measure:
    """What importing the page costs. Floor: the libraries that it stands on."""
    ours, bare = (_python(code) for code in ("import client.fronts.web.page", "import h11, trio"))
    took, floor, spread = by_turns(ours, bare)
    return cost("web-import", took * 1000, "ms", floor * 1000, spread=spread)


def _python(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def late() -> Session:
    """A session at a seat that is asked something with many options, late in a random game."""
    spec = game(GAME)
    for number in range(20):
        for match, _given in played(spec, table_of(spec, SEATS), f"a late game {number}", checkpoint=1):
            if match.g.round.number >= LATE and isinstance(match.pending, Choose):
                controls: Any = _Still(match.clone())
                ask = match.pending
                if len(ask.options(match.g)) >= WIDE:
                    return _asked(controls, ask)
    raise LocalError("no game went on for so long")


def _asked(controls: TableControls, ask: Choose[Any]) -> Session:
    def send(_asked: Asked, _values: Sequence[Value]) -> None:
        """Nothing is sent at this table."""

    session = Session(send, lambda: None)
    session.sit(controls)
    session.asking.asked(Asked(ask.seat, controls.match.clone(), Lens(), ask, controls.match.height))
    return session
