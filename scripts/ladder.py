# SPDX-License-Identifier: GPL-3.0-or-later
"""How often a bot of one level beats three of another: `ladder.py [LEVEL [OTHER [GAMES [GAME]]]]`.

The default is greedy against random in four-seat games of Eclipse. Seats rotate, and the number of a game seeds it. A
win is rank 1, alone or shared. Prints the share of wins with its 95 % Wilson interval, the mean scores and how long
decisions took.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from client.bots import bot, chooser, level
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.match import Match
from engine.core.registry import GAMES, Score, game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose

SEATS = 4
CONFIDENCE = 1.96
"""Standard deviations of a 95 % interval."""


@dataclass(slots=True)
class Ladder:
    """The results of the games so far."""

    wins: int = 0
    own: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (E. B. Wilson, 1927)."""
    share, z = wins / games, CONFIDENCE
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return (middle - spread) / whole, (middle + spread) / whole


def one_game(levels: list[str], seed: str, seconds: list[float], timed: int, id: str) -> list[Score]:
    """The scores by seat of one game; how long each decision of one seat took goes into ``seconds``."""
    spec = game(id)
    table = settle_options(spec, len(levels), {})
    if not isinstance(table, Table):
        raise SystemExit(str(table))
    match, dealer = Match.new(spec, table, checkpoint=None), Dealer(HashDice(seed))
    choose = chooser([bot(name) for name in levels], dealer, random.Random(f"bots/{seed}"))

    def clocked(match: Match, seat: int, ask: Choose[Any]) -> Value:
        started = perf_counter()
        value = choose(match, seat, ask)
        if seat == timed:
            seconds.append(perf_counter() - started)
        return value

    for _given, _told in play(match, dealer, clocked):
        pass
    return sorted(spec.scores(match.g), key=lambda score: score.seat)


def climb(name: str, other: str, games: int, id: str, seed: str = "ladder") -> Ladder:
    """Play games of one level against three bots of another."""
    ladder = Ladder()
    for number in range(games):
        seat = number % SEATS
        levels = [other] * SEATS
        levels[seat] = name
        scores = one_game(levels, f"{seed}/{number}", ladder.seconds, seat, id)
        ladder.wins += scores[seat].rank == 1
        ladder.own.append(scores[seat].total)
        ladder.others += [score.total for score in scores if score.seat != seat]
    return ladder


def main() -> int:
    """Play and print; returns 0 when the lower end of the interval is above 1/4, the share of an equal."""
    words = sys.argv[1:]
    name, other = level(words[0] if words else "greedy"), level(words[1] if len(words) > 1 else "random")
    games = int(words[2]) if len(words) > 2 else 100
    id = words[3] if len(words) > 3 else "eclipse2"
    if id not in GAMES:
        raise SystemExit(f"{id} is none of {', '.join(GAMES)}")
    ladder = climb(name, other, games, id)
    low, high = wilson(ladder.wins, games)
    cuts = quantiles(ladder.seconds, n=100)
    print(f"{id}: {name} against {SEATS - 1} {other}: {ladder.wins} of {games} won ({low:.1%} to {high:.1%})")
    print(f"points: {name} {mean(ladder.own):.1f}, {other} {mean(ladder.others):.1f}")
    median, most, longest = (1e3 * seconds for seconds in (cuts[49], cuts[98], max(ladder.seconds)))
    print(f"decisions: median {median:.1f} ms, 99 % within {most:.1f} ms, longest {longest:.0f} ms")
    return 0 if low > 1 / SEATS else 1


if __name__ == "__main__":
    sys.exit(main())
