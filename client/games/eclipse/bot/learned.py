# SPDX-License-Identifier: GPL-3.0-or-later
"""A value that was learned from games of bots, and a choice by it: one ply with chance sampled.

`values/GAME.toml` holds the weights of the figures of `figures`, by round; scripts/value.py writes it. At a great
question each plan (an answer, or two of them) is played to the end of the action, with greedy for everything that it
leaves open, in games imagined from the view. The plan with the greatest value wins, if it is clearly better than what
greedy would do. All other questions are greedy's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Final

from client.games.eclipse.bot import answer, boards, raids, turn, worth
from client.games.eclipse.bot.figures import figures
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.dealer import Dealer, HashDice
from engine.core.imagine import ImagineError, imagine
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.build import Build, Construct
from engine.eclipse.actions.research import Buy, Research, cost
from engine.eclipse.discovery import TakeDiscovery
from engine.eclipse.flow import PHASES, Finish, Menu
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import CATEGORIES, MATERIALS, MONEY, RESOURCES
from engine.eclipse.upkeep import Settle

SCALE: Final = 10000
"""Parts of a point in which the weights are counted."""
VALUES: Final = "values"
"""The folder of the files of weights."""
SAMPLES: Final = 3
"""How often a plan that meets chance is played."""
CLEARLY: Final = 0.2
"""The points by which a plan must be better than greedy's."""
TECHNOLOGIES: Final = 4
"""The technologies that are tried, the best by greedy's values first."""
FINALISTS: Final = 3
"""The plans that are played to the end, besides greedy's."""
TRADES: Final = 4
"""The most trades before an action that could not be paid otherwise."""
LONG: Final = 1000
"""The most inputs until an action is over."""

Plan = tuple[Value, ...]
"""The own answers with which a plan begins."""


# The value -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights of a game. rows: by round from the first, the constant and the weight of each figure by name."""

    rows: tuple[tuple[int, Mapping[str, int]], ...]


@cache
def learned_for(id: str) -> Learned | None:
    """The weights of a game; None if none have been learned for it."""
    file = files(__package__).joinpath(VALUES, f"{id}.toml")
    if not file.is_file():
        return None
    data = tomllib.loads(file.read_text("utf-8"))
    rows = [
        (constant, {name: weights[at] for name, weights in data["figures"].items() if weights[at]})
        for at, constant in enumerate(data["constant"])
    ]
    return Learned(tuple(rows))


def value(learned: Learned, g: Eclipse, seat: int, lens: Mapping[Any, Any]) -> int:
    """The value of a position for a seat: its expected points, in parts of `SCALE`."""
    constant, weights = learned.rows[min(g.round.number, len(learned.rows)) - 1]
    found = figures(g, seat, lens)
    return constant + sum(weight * found[name] for name, weight in weights.items() if name in found)


def settled(match: Match) -> bool:
    """True if no action is going on: a turn begins, or the action phase is over."""
    return match.pending is None or match.g.round.phase != PHASES.index("action") or isinstance(match.pending, Menu)


# The choice ----------------------------------------------------------------------------------------------------------


def choose(
    view: View, wait: Choose[Any], rng: Random, budget: int, *, to_the_end: bool = False
) -> tuple[Value, list[tuple[float, Plan]]]:
    """The answer of the best plan, and all plans with the points that they promise, the best first, if any were
    weighed. to_the_end: in the last round, play each plan to the end of the game and count the points."""
    usual = answer(view, wait, rng)
    weighed = weigh(view, wait, rng, budget, usual, to_the_end and worth.last_round(view.g))
    if not weighed:
        return usual, []
    best, plan = weighed[0]
    mine = next((points for points, other in weighed if other[0] == usual), None)
    return plan[0] if mine is None or best > mine + CLEARLY else usual, weighed


def weigh(
    view: View, wait: Choose[Any], rng: Random, budget: int, usual: Value, to_the_end: bool = False
) -> list[tuple[float, Plan]]:
    """The plans with the points that they promise, the best first; [] where nothing is to be weighed. usual: what
    greedy would answer."""
    id = view.g.table.game
    learned = learned_for(id)
    plans = list(dict.fromkeys(_plans(view, wait, usual)))
    if learned is None or len(plans) < 2 or view.start is None:
        return []
    tries = _Tries(learned, view, [rng.getrandbits(48) for _ in range(SAMPLES)], budget)
    try:
        found = [(tries.value(plan), plan) for plan in plans if tries.budget > 0]
        found.sort(key=lambda one: -one[0])
        if to_the_end:
            few = [plan for _, plan in found[:FINALISTS]]
            few += [plan for _, plan in found[FINALISTS:] if plan[0] == usual][:1]
            ends = [(tries.value(plan, to_the_end=True), plan) for plan in few if tries.budget > 0]
            found = sorted(ends, key=lambda one: -one[0]) if len(ends) == len(few) else found
    except ImagineError:
        return []
    return found


class _Tries:
    """Plans tried in imagined games, the same ones for each plan. budget: the positions that may still be looked at."""

    def __init__(self, learned: Learned, view: View, seeds: Sequence[int], budget: int) -> None:
        self._learned, self._view, self._seeds, self.budget = learned, view, seeds, budget
        self._games: list[tuple[Match, Dealer]] = []

    def value(self, plan: Plan, *, to_the_end: bool = False) -> float:
        """The points of a plan: of one game if it meets no chance, else the mean of several."""
        points: list[int] = []
        for at, seed in enumerate(self._seeds):
            if len(self._games) <= at:
                self._games.append(imagine(game(self._view.g.table.game), self._view, HashDice(seed)))
            found, chance, looked = _played(self._learned, *self._games[at], self._view.seat, plan, seed, to_the_end)
            points.append(found)
            self.budget -= looked
            if not chance or self.budget <= 0:
                break
        return sum(points) / len(points) / SCALE


def _played(
    learned: Learned, game: Match, cards: Dealer, seat: int, plan: Plan, seed: int, to_the_end: bool
) -> tuple[int, bool, int]:
    """The value after a plan, whether it met chance, and how many positions were looked at."""
    match, dealer, chance = game.clone(), Dealer(HashDice(seed)), Random(seed)
    dealer.faces, dealer.lenses = dict(cards.faces), {at: Lens(lens) for at, lens in cards.lenses.items()}
    for own in plan:
        if match.ask_of(seat) is None or match.check(Answer(match.owing()[0], own)) is not None:
            break
        match.apply(Answer(match.owing()[0], own), checked=True, heard=False)
    met, looked = False, len(plan)
    while match.pending is not None and (to_the_end or not settled(match)) and looked < LONG:
        given: Any = dealer.outcome(match, lambda match, at, ask: _greedy(match, dealer, at, ask, chance))
        if given is None:
            at = match.owing()[0]
            ask = match.ask_of(at)
            assert ask is not None
            given = Answer(at, _greedy(match, dealer, at, ask, chance))
        else:
            met = True
        match.apply(given, checked=True, heard=False)
        looked += 1
    if match.pending is None:
        points = sum(score.total for score in match.spec.scores(match.g) if score.seat == seat)
        return SCALE * points, met, looked
    return value(learned, match.g, seat, dealer.lens(seat)), met, looked


def _greedy(match: Match, dealer: Dealer, seat: int, ask: Choose[Any], chance: Random) -> Value:
    return answer(match.view(seat, dealer.lens(seat), copy=False), ask, chance)


# The plans -----------------------------------------------------------------------------------------------------------


def _plans(view: View, wait: Choose[Any], usual: Value) -> Iterator[Plan]:
    """Greedy's answer first, then others that are worth a look; nothing at a question that is greedy's alone."""
    g, seat = view.g, wait.seat
    yield (usual,)
    match wait:
        case Menu() if isinstance(usual, Colonise):
            yield from _cubes(wait.options(g))
        case Menu() if isinstance(usual, str):
            yield from _actions(g, seat, wait)
        case Finish() | Settle() if isinstance(usual, Colonise):
            yield from _cubes(wait.options(g))
        case Research():
            yield from ((pick,) for pick in _technologies(g, seat, wait.options(g)))
            yield from ((pick,) for pick in wait.options(g) if isinstance(pick, Stop))
        case Build():
            yield from ((pick,) for pick in _pieces(g, seat, wait.options(g), wait.of - wait.n + 1))
            yield from ((pick,) for pick in wait.options(g) if isinstance(pick, Stop))
        case TakeDiscovery():
            yield from ((pick,) for pick in wait.options(g))


def _cubes(options: Sequence[Value]) -> Iterator[Plan]:
    return ((option,) for option in options if isinstance(option, Colonise))


def _actions(g: Eclipse, seat: int, wait: Menu) -> Iterator[Plan]:
    options = wait.options(g)
    yield ("pass",)
    before = _trades(g, seat, options)
    if before is None:
        return
    for kind in options:
        if not isinstance(kind, str) or kind == "pass":
            continue
        yield (*before, kind)
        if kind == "research":
            bought = Research(wait.seat, 1, turn.times(g, seat, kind))
            yield from ((*before, kind, pick) for pick in _technologies(g, seat, bought.options(g)))
        if kind == "build":
            times = turn.times(g, seat, kind)
            built = Build(wait.seat, 1, times)
            yield from ((*before, kind, pick) for pick in _pieces(g, seat, built.options(g), times))


def _trades(g: Eclipse, seat: int, options: Sequence[Value]) -> Plan | None:
    """The trades of materials that pay the disc of an action, () if none is needed, None if they do not suffice."""
    short = -worth.left_after(g, seat, 1)
    if short <= 0:
        return ()
    trade = Trade(RESOURCES[MATERIALS], RESOURCES[MONEY])
    rate = g.const.trade[g.seats.species[seat]]
    enough = trade in options and short <= TRADES and g.seats.store[seat, MATERIALS] >= rate * short
    return (trade,) * short if enough and g.seats.discs[seat] > 0 else None


def _technologies(g: Eclipse, seat: int, options: Sequence[Value]) -> list[Value]:
    def gain(buy: Buy) -> float:
        price = cost(g, seat, g.const.technology_index[buy.tech], CATEGORIES.index(buy.track))
        return boards.technology_value(g, seat, buy, price)

    buys = sorted((buy for buy in options if isinstance(buy, Buy)), key=gain, reverse=True)
    return [*buys[:TECHNOLOGIES]]


def _pieces(g: Eclipse, seat: int, options: Sequence[Value], times: int) -> list[Value]:
    """The best place for each kind of piece."""
    ahead = raids.Raids(g, seat)
    best: dict[str, tuple[float, Construct]] = {}
    for option in options:
        if isinstance(option, Construct):
            gain = boards.build_value(g, seat, option, times, ahead)
            if option.piece not in best or gain > best[option.piece][0]:
                best[option.piece] = gain, option
    return [option for _, option in best.values()]
