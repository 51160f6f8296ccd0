# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune the numbers of greedy by games among seats whose numbers are drawn at random.

    tune.py play GAME --games N --rows FILE     play games; goes on with what FILE holds
    tune.py fit FILE [--scale S]                print the numbers after one step along the gradient

Each seat multiplies each number by a factor exp(SPREAD z) with z normal. A ridge regression of its success on all z
says which way each number should go. Success is the share of victory, and a little for points ahead of the others.
The step goes by S along the gradient, for the numbers that matter most; a ladder must then show that it helps.
"""

from __future__ import annotations

import argparse
import json
import sys
from math import exp
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from value import keep, solved  # noqa: E402

from client.bots.numbers import Numbers  # noqa: E402
from client.system.places import load  # noqa: E402
from client.system.registry import game_client  # noqa: E402
from engine.core.agenda import Table  # noqa: E402
from engine.core.dealer import Dealer, HashDice, play  # noqa: E402
from engine.core.match import Match  # noqa: E402
from engine.core.registry import GAMES, game, settle_options  # noqa: E402
from engine.core.values import Value  # noqa: E402
from engine.core.waits import Choose  # noqa: E402

SPREAD = 0.35
POINT = 0.01
"""What a point ahead counts, in victories."""
RIDGE = 0.05
LEAST = 1.3
"""Numbers that matter less than this many standard errors stay as they are."""


def played(id: str, number: int, seats: int, seed: str) -> dict[str, Any]:
    """A game as a row: success and z of each seat."""
    spec, client = game(id), game_client(id)
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table), table
    numbers: Numbers = load(client.numbers)
    base, answer = numbers.styled("greedy"), load(client.bot)
    chance = [Random(f"tune/{seed}/{number}/{seat}") for seat in range(seats)]
    drawn = [{name: each.gauss(0.0, 1.0) for name in base} for each in chance]
    using = [MappingProxyType({name: base[name] * exp(SPREAD * z[name]) for name in base}) for z in drawn]
    match, dealer = Match.new(spec, table, checkpoint=None), Dealer(HashDice(f"tune/{seed}/{number}"))

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        value: Value = answer(match.view(seat, dealer.lens(seat), copy=False), ask, chance[seat], using[seat])
        return value

    for _ in play(match, dealer, choose, heard=False):
        pass
    scores = {int(score.seat): score for score in spec.scores(match.g)}
    won = [seat for seat in range(seats) if scores[seat].rank == 1]
    mean = sum(score.total for score in scores.values()) / seats
    success = [(seat in won) / len(won) + POINT * (scores[seat].total - mean) for seat in range(seats)]
    return {
        "game": number,
        "success": [round(one, 4) for one in success],
        "z": [[round(z, 4) for z in each.values()] for each in drawn],
    }


def fit(path: Path, scale: float) -> None:
    """Print the numbers after a step, those that matter most first, with their standard errors."""
    lines = path.read_text().splitlines()
    head, games = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    rows = [z for game in games for z in game["z"]]
    success = [one for game in games for one in game["success"]]
    count, size = len(rows), len(head["numbers"])
    middle = sum(success) / count
    matrix = [[sum(row[a] * row[b] for row in rows) / count for b in range(a + 1)] for a in range(size)]
    for at in range(size):
        matrix[at][at] += RIDGE
    right = [
        sum(row[at] * (one - middle) for row, one in zip(rows, success, strict=True)) / count for at in range(size)
    ]
    slope = solved(matrix, right)
    errors = [
        one - middle - sum(w * z for w, z in zip(slope, row, strict=True))
        for row, one in zip(rows, success, strict=True)
    ]
    error = (sum(one * one for one in errors) / count / count) ** 0.5
    base = load(game_client(head["game"]).numbers).styled("greedy")
    print(f"# {len(games)} games, {count} seats; one standard error is {error:.4f} victories")
    top = max(map(abs, slope))
    for at in sorted(range(size), key=lambda one: -abs(slope[one])):
        name = head["numbers"][at]
        if abs(slope[at]) < LEAST * error:
            break
        now = base[name] * exp(SPREAD * scale * slope[at] / top)
        print(f"{name} = {now:.4g}  # {base[name]:.4g}, {slope[at] / error:+.1f} standard errors")


def main() -> int:
    """Play or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games")
    playing.add_argument("game", choices=[id for id in GAMES if game_client(id).numbers])
    playing.add_argument("--games", type=int, default=500)
    playing.add_argument("--seats", type=int, default=4)
    playing.add_argument("--rows", type=Path, required=True)
    playing.add_argument("--seed", default="tune")
    fitting = commands.add_parser("fit", help="print the numbers after a step")
    fitting.add_argument("rows", type=Path)
    fitting.add_argument("--scale", type=float, default=2.0)
    args = parser.parse_args()
    if args.command == "play" and args.seats not in game(args.game).seats:
        parser.error(f"{args.game} has no table of {args.seats} seats")
    if args.command == "fit" and not args.rows.is_file():
        parser.error(f"{args.rows} is no file")
    if args.command == "play":
        numbers = list(load(game_client(args.game).numbers).styled("greedy"))
        head = {"tune": 1, "game": args.game, "seats": args.seats, "seed": args.seed, "numbers": numbers}
        keep(args.rows, head, args.games, lambda number: played(args.game, number, args.seats, args.seed))
    else:
        fit(args.rows, args.scale)
    return 0


if __name__ == "__main__":
    sys.exit(main())
