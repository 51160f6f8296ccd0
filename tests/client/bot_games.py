"""Whole games between bots of several levels, and the figures by which they think."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, Final, Self

from client.bots import Bot, bot, chooser
from client.bots.random import RandomBot
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.dealer import Dealer, HashDice
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

SHOWN: Final = 8
"""How many different figures of a function are listed by themselves."""


@dataclass(frozen=True, slots=True)
class BotGame:
    """A game that is played anew whenever it is needed. levels: the bot of each seat."""

    game: str
    levels: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    seed: str = "kept"


@dataclass(frozen=True, slots=True)
class Moment:
    """A question before it is answered. match: not to be changed. history: events by height."""

    match: Match
    seat: Seat
    wait: Choose[Any]
    lens: Lens
    level: str
    history: Sequence[tuple[int, Sequence[Event]]]

    @property
    def view(self) -> View:
        """What the seat sees, not copied."""
        return self.match.view(self.seat, self.lens, copy=False)


ALL: Final = (
    *((kind, "on") for kind in ("wanderers", "pulsar", "black-hole", "supernova", "nebula")),
    ("species", "magellan,lyra,exiles"),
)
"""Options of Eclipse with which most can be met."""
GAMES: Final = {
    "eclipse2": BotGame("eclipse2", ("greedy", "raider", "light"), ALL, "4"),
    "emperor": BotGame("emperor", ("greedy", "light", "greedy"), (), "0"),
    "rex": BotGame("rex", ("greedy", "light", "greedy", "raider"), (), "4"),
    "rex-three": BotGame("rex", ("greedy", "light", "builder"), (), "0"),
}
"""Games with positions of every kind."""
MORE: Final = {
    "rex-four": BotGame("rex", ("greedy",) * 4, (), "0"),
    "emperor-four": BotGame("emperor", ("greedy",) * 4, (), "0"),
}
"""Games of which only the answers are kept."""

Think = Callable[[Moment, Bot, Random], Value]


def moments(played: BotGame, think: Think) -> Iterator[tuple[Moment, Value]]:
    """Play a game; `think(moment, bot, rng)` returns the answer to each question, secret ones included."""
    spec = game(played.game)
    table = settle_options(spec, len(played.levels), dict(played.options))
    assert isinstance(table, Table), table
    match, dealer = Match.new(spec, table), Dealer(HashDice(played.seed))
    bots, chance = [bot(level) for level in played.levels], Random(played.seed)
    asked: list[tuple[Moment, Value]] = []
    history: list[tuple[int, Sequence[Event]]] = []

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        moment = Moment(match, Seat(seat), ask, Lens(dealer.lens(seat)), played.levels[seat], history)
        answer: Value = think(moment, bots[seat], chance)
        asked.append((moment, answer))
        return answer

    while not match.over:
        given: Input | None = dealer.outcome(match, choose)
        if given is None:
            seat = match.owing()[0]
            ask = match.ask_of(seat)
            assert ask is not None
            given = Answer(Seat(seat), choose(match, seat, ask))
        yield from asked
        asked.clear()
        history.append((match.height, match.apply(given)))


class Figures:
    """What the functions of a package return while it is at work."""

    def __init__(self, package: str) -> None:
        found = find_spec(package)
        assert found is not None
        self._folders = tuple(found.submodule_search_locations or ())
        self._package = package
        self._found: dict[CodeType, dict[float | str, None] | None] = {}

    def __enter__(self) -> Self:
        loaded = [module for name, module in sys.modules.items() if name.startswith(self._package)]
        for module in loaded:
            for each in vars(module).values():
                if hasattr(each, "cache_clear"):
                    each.cache_clear()
        sys.setprofile(self._seen)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def _seen(self, frame: FrameType, event: str, value: Any) -> None:
        if event == "return":
            code = frame.f_code
            if code not in self._found:
                named = code.co_filename.startswith(self._folders) and not code.co_name.startswith("<")
                self._found[code] = {} if named else None
            found = self._found[code]
            if found is not None:
                found.update(dict.fromkeys(_numbers(value)))

    def lines(self) -> Iterator[str]:
        """The different figures of each function, the first of them by themselves and all as a sum. How often it was
        called does not count."""
        named = {f"{Path(code.co_filename).stem}.{code.co_qualname}": found for code, found in self._found.items()}
        for name, found in sorted(named.items()):
            if found:
                first = list(dict.fromkeys(each if isinstance(each, str) else f"{each:.5g}" for each in found))
                whole = sum(each for each in found if not isinstance(each, str))
                more = f" … Σ {whole:.5g}" if len(first) > SHOWN else ""
                yield f"    {name}: {' '.join(first[:SHOWN])}{more}"


def _numbers(value: Any) -> Iterator[float | str]:
    if isinstance(value, int | float | str):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers(key)
            yield from _numbers(each)


def first_question(name: str = "rex") -> tuple[Any, View]:
    """The first question of a game that is open to a seat."""
    spec = game(name)
    agreed = settle_options(spec, 3, {})
    assert isinstance(agreed, Table)
    match, dealer = Match.new(spec, agreed), Dealer(HashDice("1"))
    choose = chooser([RandomBot()] * 3, dealer, Random(1))
    while not match.owing() or (outcome := dealer.outcome(match, choose)) is not None:
        match.apply(dealer.outcome(match, choose) if not match.owing() else outcome)  # type: ignore[arg-type]
    seat = match.owing()[0]
    view = match.view(seat, dealer.lens(seat))
    return view.ask, view
