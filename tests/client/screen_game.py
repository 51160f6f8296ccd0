"""A table on the full screen without terminal and network: a person's front, bots in the other seats.

`python screen_game.py GAME [fails|complains]` plays it in a terminal, for tests with pseudo-terminals. After the
person's first answer a table that fails does so, and one that complains writes COMPLAINT as a library in C does.
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from line_game import LocalControls, play

from client.bots import NODES, bot
from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item, rebound
from client.fronts.kit.stack import Stack
from client.fronts.screen.front import Front
from client.fronts.screen.keys import KEYS
from client.fronts.screen.run import run
from client.session.session import Session
from client.show.styled import UNICODE, Glyphs, plain
from client.system.context import Context
from client.system.platform import ending_as_interrupt, is_interrupt
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.player import Asked
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Chooser, Dealer, HashDice
from engine.core.ids import Seat
from engine.core.inputs import Answer, Outcome
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose

COMPLAINT = b"sendto: Operation not permitted\n"
NAMES = ("Anna", "Bob", "Carl", "Dina", "Emil", "Fay")


def key_acts(mine: Mapping[str, Sequence[str]] = {}) -> dict[str, str]:
    """The act of each key at a table. mine: keys of one's own by act."""
    return {key: each.act for each in rebound(KEYS, mine) for key in each.keys}


def sought(page: Page, word: str) -> Sequence[Item]:
    """The entries of a page that a search keeps; the search ends."""
    page.search(word)
    found = page.listed()
    page.search("")
    return found


class NoHost:
    """A terminal that only counts."""

    def __init__(self) -> None:
        self.typed, self.told, self.drawn, self.copied = "", list[str](), 0, ""

    def type(self, text: str) -> None:
        self.typed = text

    def drop(self) -> None:
        self.typed = ""

    def redraw(self) -> None:
        self.drawn += 1

    def suspend(self) -> None:
        self.drawn += 1

    def copy(self, text: str) -> None:
        self.copied = text

    def forget(self) -> None:
        self.typed = ""

    def notify(self, text: str) -> None:
        self.told.append(text)

    def invalidate(self) -> None:
        self.drawn += 1

    def close(self) -> None:
        self.drawn += 1


def listing(front: Stack) -> Page:
    """The open page, which lists what can be chosen."""
    page = front.page
    assert page is not None
    assert page.items is not None
    return page


def choose_vote(front: Front, text: str) -> None:
    """Open the page of the votes anew, and choose what stands there under this text."""
    front.press("escape")
    front.press("v")
    page = listing(front)
    page.cursor = [item.text for item in page.listed()].index(text)
    front.press("enter")


def typed(front: Front, text: str) -> str:
    """What a typed line answers: news, and what is on the page that it opens."""
    before, open_before = len(front.news.texts), front.page
    front.doing.command(text)
    page = front.page
    shown = page.lines(200, "") if page is not None and page is not open_before else ()
    return " ".join(" ".join([*(said for _style, said in front.news.texts[before:]), *map(plain, shown)]).split())


def text_of(front: Front, size: tuple[int, int] = (120, 40)) -> str:
    """All that is drawn, line by line."""
    return "\n".join(plain(line) for line in front.draw(*size).lines)


class Solo:
    """Seat 0 is a person at a front; random bots play the rest."""

    def __init__(self, name: str, seed: int = 1, glyphs: Glyphs = UNICODE) -> None:
        spec = game(name)
        table = settle_options(spec, spec.seats[0], {})
        assert isinstance(table, Table), table
        self.match, self.dealer, self.rng = Match.new(spec, table), Dealer(HashDice(seed)), random.Random(seed)
        names = NAMES[: spec.seats[0]]
        self.controls = LocalControls(self.match, self.dealer, names, (0,))
        self.session = Session(self._send, lambda: None, glyphs, clock=lambda: 1.0)
        self.host = NoHost()
        self.front = Front(self.session, self.host)
        self.session.sit(self.controls)
        self._bot = bot("random")
        self.asked: Asked | None = None
        self._sent: list[Value] = []
        self.step()

    def _send(self, asked: Asked, values: Sequence[Value]) -> None:
        self._sent = list(values)
        self.asked = None
        self.session.asking.withdrawn(asked)

    def step(self) -> None:
        """Let the game go on until the person is asked, or it is over."""
        while self.asked is None and not self.match.over:
            given: list[Any]
            if self._sent:
                given, self._sent = [Answer(Seat(0), value) for value in self._sent], []
            else:
                given = [self.dealer.outcome(self.match, self._secret)]
                if given == [None]:
                    seat = self.match.owing()[0]
                    ask = self.match.ask_of(seat)
                    assert ask is not None
                    if seat == 0:
                        self._ask(ask)  # a standing order answers at once
                        continue
                    given = [Answer(seat, self._choose(self.match, seat, ask))]
            for each in given:
                height, told = self.match.height, self.match.apply(each)
                self.controls.history.append((height, told))
                self.session.happened(height, told)

    def _secret(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        """Secret choices are made by bots in every seat."""
        return self._choose(match, seat, ask)

    def _choose(self, match: Match, seat: int, ask: Choose[Any]) -> Value:
        asked = Asked(seat, match.clone(), Lens(self.dealer.lens(seat)), ask, match.height)
        return self._bot.choose(asked.view(), ask, self.rng, NODES)

    def _ask(self, ask: Choose[Any]) -> None:
        self.asked = Asked(0, self.match.clone(), Lens(self.dealer.lens(0)), ask, self.match.height)
        self.session.asking.asked(self.asked)

    def press(self, *keys: str) -> None:
        """Press keys; where they send an answer, the game goes on."""
        for key in keys:
            self.front.press(key)
            self.step()

    def play(self, most: int, rng: random.Random) -> int:
        """Play by keys alone until the game is over or so many keys were pressed; returns how many."""
        for pressed in range(most):
            if self.match.over:
                return pressed
            self._key(rng)
        return most

    def _key(self, rng: random.Random) -> None:
        listed = [entry for entry in self.front.scene.entries(self.front.ui) if entry.part < 0]
        if not listed or (self.session.asking.sendable and rng.random() < 0.7):
            self.press("s")
        else:
            self.front.ui.cursor = rng.randrange(len(listed))
            self.press("enter")


@cache
def shared(name: str) -> Solo:
    """A game some way on, for tests that only look."""
    table = Solo(name)
    table.play(60, random.Random(2))
    return table


class Troubled(Dealer):
    """A dealer that fails or complains once the person has answered."""

    asked, fails = False, False

    def outcome(self, match: Match, choose: Chooser) -> Outcome | None:
        if self.asked and self.fails:
            raise RuntimeError("the table fails")
        if self.asked:
            os.write(2, COMPLAINT)
        self.asked = match.ask_of(0) is not None
        return super().outcome(match, choose)


def main() -> int:
    spec = game(sys.argv[1])
    table = settle_options(spec, spec.seats[0], {})
    assert isinstance(table, Table), table
    dealer = Dealer(HashDice("1"))
    controls = LocalControls(Match.new(spec, table), dealer, NAMES[: spec.seats[0]], (0,))
    if sys.argv[2:]:
        dealer = Troubled(HashDice("1"))
        dealer.fails = sys.argv[2] == "fails"
    try:
        with ending_as_interrupt(), TemporaryDirectory() as home:
            folders = Folders.of_home(Path(os.environ.get("STARLOCK_HOME", home)))
            context = Context("play", False, folders, sys.stdout, sys.stderr, Meter(io.StringIO()))
            over = run(context, lambda player: play(controls, dealer, player, "random", random.Random(1)))
    except BaseException as error:
        if not is_interrupt(error):
            raise
        print("interrupted")
        return 3
    print(f"ended {over}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
