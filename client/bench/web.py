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
from types import SimpleNamespace
from typing import Any, Final

from client.bench import Measure, by_turns, cost
from client.bench.engine import GAME, played, table_of
from client.journal import no_log
from client.player import Asked, TableControls
from client.session.session import Session
from client.web.actions import perform
from client.web.state import StateFeed
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
NAMES: Final = ("Anna", "Bob", "Cid", "Dee")


class _Still:
    """A table where nothing goes on."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.genesis: Any = SimpleNamespace(game=GAME, seats=SEATS, members=())
        self.history: Sequence[tuple[int, Sequence[Event]]] = ()
        self.seats = (match.owing()[0],)
        self.leave: Callable[[], None] = lambda: None

    def stands(self, height: int) -> bool:
        return True

    def past(self, height: int) -> Match | None:
        return None

    def rolls(self) -> Sequence[Any]:
        return ()

    def lens(self, seat: int) -> Lens:
        return Lens()

    def name(self, seat: int) -> str:
        return NAMES[seat]

    def owing(self) -> Mapping[str, Sequence[int]]:
        return {self.name(seat): [seat] for seat in self.match.owing()}

    def debts(self) -> Mapping[str, str]:
        return dict.fromkeys(self.owing(), "answer")

    def linked(self) -> Mapping[str, bool]:
        return dict.fromkeys(NAMES, True)

    def ways(self) -> Mapping[str, str]:
        return dict.fromkeys(NAMES, "direct")

    def votes(self) -> Sequence[Any]:
        return ()

    def proposer(self, pact: bytes) -> str:
        return ""

    def refused(self, *_anything: object) -> None:
        """Nothing is said at this table."""

    chat = propose = vote = vouch = claim = refused


def measures() -> list[Measure]:
    """Click to new page, map, state and import."""
    return [*clicks(), loading()]


def clicks() -> list[Measure]:
    """A pick or a step back until the state is ready to be sent, and how many bytes that are.

    Floor of the time: the same state written and read as JSON; of the bytes: the same deflated.
    """
    session = late()
    feed = StateFeed(session, (), no_log)
    feed.next()
    acts = cycle(("pick", "undo"))

    def click() -> bytes:
        answer = perform(session, {"act": next(acts), "step": session.step, "option": 0})
        if not answer["ok"]:
            raise LocalError(str(answer))
        return feed.next()

    state = click()
    click()
    took, floor, clicks = by_turns(
        lambda: [click() for _ in range(CLICKS)], lambda: [json.dumps(json.loads(state)) for _ in range(CLICKS)]
    )
    drawing = session.pictures.drawing
    drawn = drawing(session.frame()).encode()
    drew, copied, drawings = by_turns(lambda: drawing(session.frame()), lambda: json.dumps(drawn.decode()))
    fresh = StateFeed(session, (), no_log).next()
    rest = len(fresh) - len(json.dumps(drawn.decode()))
    return [
        cost("web-click", took / CLICKS * 1000, "ms", floor / CLICKS * 1000, most=100, spread=clicks),
        cost("web-map", drew * 1000, "ms", copied * 1000, most=20, spread=drawings),
        cost("web-map-bytes", len(drawn), "bytes", len(zlib.compress(drawn)), most=60_000),
        cost("web-state-bytes", rest, "bytes", len(zlib.compress(fresh)), most=80_000),
    ]


def loading() -> Measure:
    """What importing the page costs. Floor: the libraries that it stands on."""
    ours, bare = (_python(code) for code in ("import client.web.page", "import h11, trio"))
    took, floor, spread = by_turns(ours, bare)
    return cost("web-import", took * 1000, "ms", floor * 1000, spread=spread)


def _python(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def late() -> Session:
    """A session at a seat that is asked something with many options, late in a random game."""
    spec = game(GAME)
    for number in range(20):
        for match, _given in played(spec, table_of(spec, SEATS), f"late {number}"):
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
    session.asked(Asked(ask.seat, controls.match.clone(), Lens(), ask, controls.match.height))
    return session
