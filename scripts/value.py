# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn the value of positions of Eclipse from games that bots play, and write it into a content file.

    value.py play GAME --games N --rows FILE     play games and keep their positions; goes on with what FILE holds
    value.py train FILE [--into TOML]            write client/games/eclipse/bot/values/GAME.toml from them

Greedy plays with numbers drawn at random for each seat and some random answers, so that positions differ. After an
action, most positions are kept: the figures of the seat that acted. All chance follows from the seed and the number of
the game, and the training uses no chance, so that two runs write the same file.

The value is a sum of figures with weights, one set of weights for each round, in points at the end of the game. The
last round is fitted to the final points; each round before it to a mixture of these and of the value that the seat had
one round later (`LATER`), which has less noise. The weights are those of least squares with a penalty on their size
(ridge regression; A. Hoerl and R. Kennard, 1970) and are rounded to whole numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from client.bots.numbers import perturbed  # noqa: E402
from client.games.eclipse.bot import answer, worth  # noqa: E402
from client.games.eclipse.bot.figures import figures  # noqa: E402
from client.games.eclipse.bot.learned import SCALE, VALUES, settled  # noqa: E402
from engine.core.agenda import Table  # noqa: E402
from engine.core.dealer import Dealer, HashDice, play  # noqa: E402
from engine.core.match import Match  # noqa: E402
from engine.core.registry import game, settle_options  # noqa: E402
from engine.core.values import Value  # noqa: E402
from engine.core.waits import Choose  # noqa: E402
from engine.eclipse.actions.build import Build  # noqa: E402
from engine.eclipse.actions.research import Research  # noqa: E402
from engine.eclipse.flow import Menu  # noqa: E402

SEATS = (4, 4, 3, 4, 2, 4, 4, 5, 4, 4)
"""The seats of the games, in turn."""
SPREAD = 0.35
"""How far the numbers of a seat differ from greedy's."""
RANDOM = 0.25
"""The greatest share of random answers of a seat."""
KEPT = 0.7
"""The share of positions that are kept."""
LATER = 0.8
"""How much of what is learned is the value one round later."""
RIDGE = 0.15
"""The penalty on weights, in units of the number of positions."""


# Playing -------------------------------------------------------------------------------------------------------------


class Seats:
    """The bots of a game: numbers and share of random answers by seat."""

    def __init__(self, seats: int, seed: str) -> None:
        self._chance = [Random(f"{seed}/{seat}") for seat in range(seats)]
        base = worth.NUMBERS.styled("greedy")
        self._numbers = [perturbed(base, SPREAD, chance) for chance in self._chance]
        self._random = [RANDOM * chance.random() for chance in self._chance]

    def choose(self, match: Match, dealer: Dealer, seat: int, ask: Choose[Any]) -> Value:
        """An answer of a seat."""
        chance = self._chance[seat]
        if isinstance(ask, Menu | Research | Build) and chance.random() < self._random[seat]:
            options = [one for one in ask.options(match.g) if isinstance(one, str) or not isinstance(ask, Menu)]
            return options[chance.randrange(len(options))]
        view = match.view(seat, dealer.lens(seat), copy=False)
        return answer(view, ask, chance, self._numbers[seat])


def played(id: str, number: int, seed: str) -> dict[str, Any]:
    """A game as a row: final points by seat, and positions as [seat, round, figures…]."""
    spec, seats = game(id), SEATS[number % len(SEATS)]
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table), table
    match, dealer = Match.new(spec, table, checkpoint=None), Dealer(HashDice(f"{seed}/{number}"))
    bots, chance = Seats(seats, f"{seed}/{number}"), Random(f"{seed}/{number}")
    samples: list[list[int]] = []
    acted = -1

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        nonlocal acted
        value = bots.choose(match, dealer, seat, ask)
        if isinstance(ask, Menu) and isinstance(value, str):
            acted = seat
        return value

    for _ in play(match, dealer, choose):
        if acted >= 0 and settled(match):
            if chance.random() < KEPT:
                found = figures(match.g, acted, dealer.lens(acted))
                samples.append([acted, match.g.round.number, *found.values()])
            acted = -1
    final = {score.seat: score.total for score in spec.scores(match.g)}
    return {"game": number, "final": [final[seat] for seat in sorted(final)], "samples": samples}


def names(id: str) -> list[str]:
    """The names of the figures of an edition."""
    spec = game(id)
    table = settle_options(spec, 4, {})
    assert isinstance(table, Table), table
    match, dealer = Match.new(spec, table), Dealer(HashDice("names"))
    for _ in play(match, dealer, lambda match, seat, ask: match.caretaker(seat)):
        if match.g.round.number == 1 and isinstance(match.pending, Menu):
            return list(figures(match.g, 0, dealer.lens(0)))
    raise AssertionError("no turn")


def keep(path: Path, head: Mapping[str, Any], games: int, played: Callable[[int], Any]) -> None:
    """Play the games that a file lacks, and keep each as a line of JSON behind the head. A line that was torn off is
    played again."""
    first = json.dumps(head) + "\n"
    text = path.read_text() if path.exists() else first
    text = text[: text.rfind("\n") + 1]
    if not text.startswith(first):
        raise SystemExit(f"{path}: other games, figures or numbers; name another file")
    path.write_text(text)
    done = {json.loads(line)["game"] for line in text.splitlines()[1:]}
    with path.open("a") as file:
        for number in range(games):
            if number not in done:
                file.write(json.dumps(played(number), separators=(",", ":")) + "\n")
                file.flush()
                print(f"\r{number + 1} of {games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


# Learning ------------------------------------------------------------------------------------------------------------

Vector = list[float]


def ridge(rows: Sequence[Sequence[int]], labels: Sequence[float]) -> tuple[Vector, float]:
    """The weights of the columns, and the constant."""
    count = len(rows)
    columns = [list(map(float, column)) for column in zip(*rows, strict=True)]
    means = [sum(column) / count for column in columns]
    spreads = [
        (sum((one - mean) ** 2 for one in column) / count) ** 0.5 for column, mean in zip(columns, means, strict=True)
    ]
    used = [at for at, spread in enumerate(spreads) if spread > 1e-9]
    scaled = [[(one - means[at]) / spreads[at] for one in columns[at]] for at in used]
    middle = sum(labels) / count
    wanted = [label - middle for label in labels]
    size = len(used)
    matrix = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            matrix[row][column] = sum(map(mul, scaled[row], scaled[column])) / count
        matrix[row][row] += RIDGE
    found = solved(matrix, [sum(map(mul, column, wanted)) / count for column in scaled])
    weights = [0.0] * len(columns)
    for at, weight in zip(used, found, strict=True):
        weights[at] = weight / spreads[at]
    return weights, middle - sum(map(mul, weights, means))


def solved(matrix: list[Vector], right: Vector) -> Vector:
    """Solve a symmetric positive system, given its lower half, by Cholesky's factors."""
    size = len(right)
    for row in range(size):
        for column in range(row + 1):
            rest = matrix[row][column] - sum(map(mul, matrix[row][:column], matrix[column][:column]))
            matrix[row][column] = rest**0.5 if row == column else rest / matrix[column][column]
    found = list(right)
    for row in range(size):
        found[row] = (found[row] - sum(map(mul, matrix[row][:row], found[:row]))) / matrix[row][row]
    for row in reversed(range(size)):
        below = sum(matrix[lower][row] * found[lower] for lower in range(row + 1, size))
        found[row] = (found[row] - below) / matrix[row][row]
    return found


def fitted(games: Sequence[dict[str, Any]], rounds: int, figures: int) -> Iterator[tuple[int, Vector, float, float]]:
    """The weights, constant and share of explained variance of each round, the last round first."""
    value: tuple[Vector, float] | None = None
    for number in range(rounds, 0, -1):
        rows, labels = [], []
        for row in games:
            ahead = {seat: figures for seat, at, *figures in reversed(row["samples"]) if at == number + 1}
            for seat, at, *numbers in row["samples"]:
                if at != number:
                    continue
                label = float(row["final"][seat])
                if value is not None and seat in ahead:
                    later = value[1] + sum(map(mul, value[0], ahead[seat]))
                    label = (1 - LATER) * label + LATER * later
                rows.append(numbers)
                labels.append(label)
        value = ridge(rows, labels)
        middle = sum(labels) / len(labels)
        errors = sum(
            (label - value[1] - sum(map(mul, value[0], one))) ** 2 for label, one in zip(labels, rows, strict=True)
        )
        yield number, *value, 1 - errors / sum((label - middle) ** 2 for label in labels)


def train(path: Path, into: Path | None) -> None:
    """Write the content file of the game that was played, or another file."""
    data = path.read_bytes()
    lines = data.decode().splitlines()
    head, games = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    games.sort(key=lambda row: int(row["game"]))
    rounds = max(at for row in games for _, at, *_ in row["samples"])
    weights: dict[int, tuple[Vector, float]] = {}
    for number, found, constant, explained in fitted(games, rounds, len(head["figures"])):
        weights[number] = found, constant
        print(f"round {number}: {explained:.2f} of the variance")
    digest = blake2b(b"\n".join(sorted(data.splitlines())), digest_size=16).hexdigest()
    table = [
        f"# Written by scripts/value.py from {len(games)} games of {head['game']} with the seed {head['seed']!r}.",
        f"# Points at the end of the game, in {SCALE}ths, by round from the first.",
        f'rows = "{digest}"',
        f"constant = {[round(SCALE * weights[at][1]) for at in sorted(weights)]}",
        "",
        "[figures]",
    ]
    for at, name in enumerate(head["figures"]):
        row = [round(SCALE * weights[number][0][at]) for number in sorted(weights)]
        if any(row):
            table.append(f'"{name}" = {row}')
    target = into or ROOT / "client" / "games" / "eclipse" / "bot" / VALUES / f"{head['game']}.toml"
    target.write_text("\n".join([*table, ""]))
    print(target)


def main() -> int:
    """Play or train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games and keep their positions")
    playing.add_argument("game", choices=["eclipse1", "eclipse2"])
    playing.add_argument("--games", type=int, default=400)
    playing.add_argument("--rows", type=Path, required=True)
    playing.add_argument("--seed", default="value")
    training = commands.add_parser("train", help="write the content file")
    training.add_argument("rows", type=Path)
    training.add_argument("--into", type=Path)
    args = parser.parse_args()
    if args.command == "play":
        head = {"value": 1, "game": args.game, "seed": args.seed, "figures": names(args.game)}
        keep(args.rows, head, args.games, lambda number: played(args.game, number, args.seed))
    else:
        train(args.rows, args.into)
    return 0


if __name__ == "__main__":
    sys.exit(main())
