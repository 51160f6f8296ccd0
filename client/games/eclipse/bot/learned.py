# SPDX-License-Identifier: GPL-3.0-or-later
"""A value that was learned from games of bots, and a choice by it: one action ahead, then two, with chance sampled.

`values/GAME.toml` holds the weights of the figures of `figures`, by round; scripts/value.py writes it. At a great
question each plan (an answer, or two of them) is played to the end of the action, with greedy for everything that it
leaves open. Those that look clearly better than what greedy would do are played again beside it, with another own
action by greedy, since what an action brings is often its order alone: the next one would have brought it too. The best
plan wins, if it is still clearly better. Cubes of colony ships are greedy's: the value sees what the next one adds, and
not an income that grows with those after it. Of the species it takes the one with which it ended farthest ahead, by
`values/GAME-species.toml`. All other questions are greedy's.
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
from engine.core.ids import Seat
from engine.core.imagine import ImagineError, replayed
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.build import Build, Construct
from engine.eclipse.actions.research import Buy, Research, cost
from engine.eclipse.actions.upgrade import Place, blueprints
from engine.eclipse.discovery import POINTS, TakeDiscovery
from engine.eclipse.flow import PHASES, Menu
from engine.eclipse.free import Trade
from engine.eclipse.setup import PickSpecies
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import CATEGORIES, MATERIALS, MONEY, RESOURCES

SCALE: Final = 10000
"""Parts of a point in which the weights are counted."""
VALUES: Final = "values"
"""The folder of the files of weights."""
SAMPLES: Final = 4
"""How often a plan that meets chance is played."""
FINALISTS: Final = 2
"""The plans that are compared with greedy's once more."""
SOON: Final = 0.5
"""The weight of the points after one action beside those after two: before the second one the others act, and may take
what it would have brought."""
CLEARLY: Final = 0.2
"""The points by which a plan must be better than greedy's."""
WAVER: Final = {"eclipse1": 0.7, "eclipse2": 0.3}
"""By game, the standard deviation of the errors, in points, with which the value chooses no better than greedy."""
TECHNOLOGIES: Final = 4
"""The technologies that are tried, the best by greedy's values first."""
TRADES: Final = 4
"""The most trades before an action that could not be paid otherwise."""
AIMED: Final = ("influence", "move", "upgrade")
"""The actions that greedy, which carries them out, must have a use for: else it would fly out of battles, or back, put
parts in the place of better ones, or do nothing."""
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


@cache
def species_for(id: str) -> Mapping[str, int]:
    """By species of a game, the points by which an expert among greedy ended ahead of their mean, in parts of `SCALE`;
    of a species that is not there nothing is known."""
    file = files(__package__).joinpath(VALUES, f"{id}-species.toml")
    return tomllib.loads(file.read_text("utf-8"))["species"] if file.is_file() else {}


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
    view: View, wait: Choose[Any], rng: Random, budget: int, wavers: bool = False
) -> tuple[Value, list[tuple[float, Plan]]]:
    """The answer of the best plan, and all plans with the points that they promise, the best first, if any were
    weighed. wavers: whether it misjudges them by `WAVER`."""
    usual = answer(view, wait, rng)
    weighed = weigh(view, wait, rng, budget, usual, WAVER[view.g.table.game] if wavers else 0.0)
    if not weighed:
        return usual, []
    best, plan = weighed[0]
    mine = next((points for points, other in weighed if other[0] == usual), None)
    return plan[0] if mine is None or best > mine + CLEARLY else usual, weighed


def weigh(
    view: View, wait: Choose[Any], rng: Random, budget: int, usual: Value, waver: float = 0.0
) -> list[tuple[float, Plan]]:
    """The plans with the points that they promise, the best first; [] where nothing is to be weighed. Plans that look
    clearly better than greedy's are compared with it once more, two actions ahead. usual: what greedy would answer.

    waver: 0, or the standard deviation of an error that is added to the points of each plan; then one action ahead
    decides, and species are greedy's.
    """
    if isinstance(wait, PickSpecies):
        return [] if waver else _species(view.g, wait)
    learned = learned_for(view.g.table.game)
    plans = list(dict.fromkeys(_plans(view, wait, usual)))
    if learned is None or len(plans) < 2:
        return []
    try:
        tries = _Tries(learned, view, rng, budget)
    except ImagineError:
        return []
    found = tries.weighed(plans, 1)
    if waver:
        return sorted(((points + rng.gauss(0.0, waver), plan) for points, plan in found), key=lambda one: -one[0])
    soon = {plan: points for points, plan in found}
    better = [plan for points, plan in found[:FINALISTS] if points > soon[plans[0]] + CLEARLY]
    if not better:
        return found
    late = tries.weighed([plans[0], *better], 2)
    return sorted(((SOON * soon[plan] + (1 - SOON) * points, plan) for points, plan in late), key=lambda one: -one[0])


def _species(g: Eclipse, wait: PickSpecies) -> list[tuple[float, Plan]]:
    ahead = species_for(g.table.game)
    return sorted(((ahead.get(name, 0) / SCALE, (name,)) for name in wait.options(g)), reverse=True)


class _Tries:
    """Plans tried from a view, with the same dice for each plan. An action meets no hidden card. budget: the positions
    that may still be looked at."""

    def __init__(self, learned: Learned, view: View, rng: Random, budget: int) -> None:
        self._learned, self._seat, self._lens, self._budget = learned, view.seat, view.lens, budget
        self._match = replayed(game(view.g.table.game), view)
        self._seeds = [rng.getrandbits(48) for _ in range(SAMPLES)]

    def weighed(self, plans: Sequence[Plan], actions: int) -> list[tuple[float, Plan]]:
        """The points of each plan, the best first: of one game if it meets no chance, else the mean of several."""
        found = []
        for plan in plans:
            points: list[int] = []
            for seed in self._seeds:
                if points and self._budget <= 0:
                    break
                promised, met_chance = self._played(plan, seed, actions)
                points.append(promised)
                if not met_chance:
                    break
            found.append((sum(points) / len(points) / SCALE, plan))
            if self._budget <= 0:
                break
        return sorted(found, key=lambda one: -one[0])

    def _played(self, plan: Plan, seed: int, actions: int) -> tuple[int, bool]:
        """The value after a plan and so many own actions in all, and whether chance was met. Greedy decides on what the
        plan leaves open; the others pass meanwhile."""
        match, dealer, chance, seat = self._match.clone(), Dealer(HashDice(seed)), Random(seed), self._seat
        dealer.faces, dealer.lenses = dict(self._lens), {seat: Lens(self._lens)}
        for own in plan:
            if match.ask_of(seat) is None or match.check(Answer(match.owing()[0], own)) is not None:
                break
            match.apply(Answer(match.owing()[0], own), checked=True, heard=False)
        met, looked, more = False, len(plan), actions - 1
        while looked < LONG and (not settled(match) or (more and isinstance(match.pending, Menu))):
            given: Any = dealer.outcome(match, lambda match, at, ask: _greedy(match, dealer, at, ask, chance))
            if given is None:
                at = match.owing()[0]
                ask = match.ask_of(at)
                assert ask is not None
                waits = isinstance(ask, Menu) and at != seat
                given = Answer(at, turn.PASS if waits else _greedy(match, dealer, at, ask, chance))
                more -= isinstance(ask, Menu) and at == seat and isinstance(given.value, str)
            else:
                met = True
            match.apply(given, checked=True, heard=False)
            looked += 1
        self._budget -= looked
        return value(self._learned, match.g, seat, dealer.lens(seat)), met


def _greedy(match: Match, dealer: Dealer, seat: int, ask: Choose[Any], chance: Random) -> Value:
    return answer(match.view(seat, dealer.lens(seat), copy=False), ask, chance)


# The plans -----------------------------------------------------------------------------------------------------------


def _plans(view: View, wait: Choose[Any], usual: Value) -> Iterator[Plan]:
    """Greedy's answer first, then others that are worth a look; nothing at a question that is greedy's alone."""
    g, seat = view.g, wait.seat
    yield (usual,)
    match wait:
        case Menu() if isinstance(usual, str):
            yield from _actions(g, seat, wait)
        case Research():
            yield from ((pick,) for pick in _technologies(g, seat, wait.options(g), 0))
            yield from ((pick,) for pick in wait.options(g) if isinstance(pick, Stop))
        case Build():
            yield from ((pick,) for pick in _pieces(g, seat, wait.options(g), wait.of - wait.n + 1, 0))
            yield from ((pick,) for pick in wait.options(g) if isinstance(pick, Stop))
        case TakeDiscovery():
            board = blueprints(g, seat)
            for pick in wait.options(g):
                less = (
                    pick == POINTS != usual and wait.discovery == "ancient-monolith"
                )  # the value knows but half of it
                if not (less or (isinstance(pick, Place) and boards.disarms(g, seat, board, pick))):
                    yield (pick,)


def _actions(g: Eclipse, seat: int, wait: Menu) -> Iterator[Plan]:
    options = wait.options(g)
    if not _monolith(g, seat, options):
        yield ("pass",)
    before = _trades(g, seat, options)
    if before is None:
        return
    for kind in options:
        if not isinstance(kind, str) or kind == "pass":
            continue
        times, picks = turn.times(g, seat, kind), list[Value]()
        if kind == "research":
            picks = _technologies(g, seat, Research(wait.seat, 1, times).options(g), 1)
        elif kind == "build":
            picks = _pieces(g, seat, Build(wait.seat, 1, times).options(g), times, 1)
        if picks or kind == "explore" or (kind in AIMED and turn.VALUES[kind](g, seat, times) > 0):
            yield (*before, kind)
            yield from ((*before, kind, pick) for pick in picks)


def _monolith(g: Eclipse, seat: int, options: Sequence[Value]) -> bool:
    """True if a pass would be the last one, and a Monolith can be built at once. Its points are sure; the value, which
    counts what can still be built too, knows but half of them."""
    last = worth.last_round(g) and not g.seats.passed[seat]
    if not last or "build" not in options:
        return False
    return any(option.piece == "monolith" for option in boards.payable(g, seat, Build(Seat(seat), 1, 1).options(g), 1))


def _trades(g: Eclipse, seat: int, options: Sequence[Value]) -> Plan | None:
    """The trades of materials that pay the disc of an action, () if none is needed, None if they do not suffice."""
    short = -worth.left_after(g, seat, 1)
    if short <= 0:
        return ()
    trade = Trade(RESOURCES[MATERIALS], RESOURCES[MONEY])
    rate = g.const.trade[g.seats.species[seat]]
    enough = trade in options and short <= TRADES and g.seats.store[seat, MATERIALS] >= rate * short
    return (trade,) * short if enough and g.seats.discs[seat] > 0 else None


def _technologies(g: Eclipse, seat: int, options: Sequence[Value], discs: int) -> list[Value]:
    def gain(buy: Buy) -> float:
        price = cost(g, seat, g.const.technology_index[buy.tech], CATEGORIES.index(buy.track))
        return boards.technology_value(g, seat, buy, price)

    return sorted(boards.payable(g, seat, options, discs), key=gain, reverse=True)[:TECHNOLOGIES]


def _pieces(g: Eclipse, seat: int, options: Sequence[Value], times: int, discs: int) -> list[Value]:
    """The best place for each kind of piece."""
    ahead = raids.Raids(g, seat, discs)
    best: dict[str, tuple[float, Construct]] = {}
    for option in boards.payable(g, seat, options, discs):
        gain = boards.build_value(g, seat, option, times, ahead)
        if option.piece not in best or gain > best[option.piece][0]:
            best[option.piece] = gain, option
    return [option for _, option in best.values()]
