"""A whole game at one terminal, without a network: the person's seats are asked by the line client, bots play the rest.

`python line_game.py --seats 4 --person 0 1 2 3 --seed 7` plays Eclipse with the person in those seats; the last line
says how it ended. Tests run it in a pseudo-terminal.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import trio

sys.path.insert(0, str(Path(__file__).parents[2]))

from quiet_table import QuietTable

from client.bots import NODES, bot
from client.fronts.line.run import run
from client.system import texts
from client.system.context import Context
from client.system.platform import ending_as_interrupt, is_interrupt
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.notices import ChatSaid
from client.table.player import Asked, Player
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice
from engine.core.events import Event
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game, settle_options

Refused = Any


class LocalControls(QuietTable):
    """A table of one process. names: of the seats; person: the seats held here."""

    def __init__(self, match: Match, dealer: Dealer, names: Sequence[str], person: Sequence[int]) -> None:
        self.match, self._dealer, self.names, self.seats = match, dealer, names, tuple(person)
        self.genesis: Any = SimpleNamespace(
            game=match.spec.id, seats=len(names), members=(), table=bytes(16), origin=None
        )
        self.history: list[tuple[int, Sequence[Event]]] = []
        self.player: Player | None = None
        self.left = trio.CancelScope()
        self.examine = self.save = self.reach = None
        self.alone: Callable[[Sequence[str]], None] | None = None

    def lens(self, seat: int) -> Lens:
        return self._dealer.lens(seat) if seat in self.seats else Lens()

    def name(self, seat: int) -> str:
        return self.names[seat]

    def owing(self) -> Sequence[int]:
        return self.match.owing()

    def debts(self) -> Mapping[int, str]:
        return dict.fromkeys(self.owing(), "answer")

    def linked(self) -> Mapping[int, bool]:
        return {seat: True for seat in range(len(self.names)) if seat not in self.seats}

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in range(len(self.names))}

    def held(self) -> Mapping[int, int]:
        return dict.fromkeys(self.linked(), self.match.height - 1)

    def chat(self, text: str) -> Refused:
        assert self.player is not None
        self.player.notice(ChatSaid(self.names[self.seats[0]], text))

    @property
    def leave(self) -> Callable[[], None]:
        return self.left.cancel


async def play(controls: LocalControls, dealer: Dealer, player: Player, level: str, rng: random.Random) -> bool:
    """Play to the end; False when the person left before."""
    match, program = controls.match, bot(level)
    controls.player = player
    player.sit(controls)
    with controls.left:
        while not match.over:
            height = match.height
            given: list[Any] = [dealer.outcome(match, lambda *_: None)]
            if given == [None]:
                seat = match.owing()[0]
                ask = match.ask_of(seat)
                assert ask is not None
                asked = Asked(seat, match.clone(), Lens(controls.lens(seat)), ask, height)
                if seat in controls.seats:
                    given = [Answer(seat, value) for value in await player.choose(asked)]
                else:
                    given = [Answer(seat, program.choose(asked.view(), ask, rng, NODES))]
            for each in given:
                told = match.apply(each)
                controls.history.append((height, told))
                player.tell(height, told)
            await trio.lowlevel.checkpoint()
        return True
    return False


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--person", type=int, nargs="+", default=[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--bots", default="random")
    parser.add_argument("--lang", default="en")
    parser.add_argument("-o", dest="options", action="append", default=[])
    args = parser.parse_args()
    texts.use(args.lang)
    spec = game("eclipse2")
    table = settle_options(spec, args.seats, dict(option.split("=") for option in args.options))
    assert isinstance(table, Table), table
    dealer = Dealer(HashDice(args.seed))
    names = ["Anna", "Bob", "Carl", "Dina", "Emil", "Fay"][: args.seats]
    controls = LocalControls(Match.new(spec, table), dealer, names, args.person)
    logs = tempfile.TemporaryDirectory()
    context = Context(
        "play", False, Folders(Path(), Path(), Path(logs.name)), sys.stdout, sys.stderr, Meter(io.StringIO())
    )
    try:
        with ending_as_interrupt():
            over = run(context, lambda player: play(controls, dealer, player, args.bots, random.Random(args.seed)))
    except BaseException as error:
        if not is_interrupt(error):
            raise
        print("interrupted")
        return 3
    scores = " ".join(f"{score.seat}:{score.total}" for score in spec.scores(controls.match.g)) if over else ""
    print(f"ended {over} {scores}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
