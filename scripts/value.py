# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn the value of positions of Eclipse from games that bots play, and write it into a content file.

    value.py play GAME --games N --rows FILE     play games and keep their positions; goes on with what FILE holds
    value.py test FILE…                          try penalties on games kept out, one of five
    value.py train FILE… [--into TOML]           write client/games/eclipse/bot/values/GAME.toml from them
    value.py species GAME --games N --rows FILE  play games with each species, and write GAME-species.toml beside it

Greedy plays with numbers drawn at random for each seat and some random answers, so that positions differ. After an
action, most positions are kept: the figures of the seat that acted. `--learned 60` lets the value that was learned
before choose in 60 of 100 seats, so that the next one knows the positions that it leads to. All chance follows from the
seed and the number of the game, and the training uses no chance, so that two runs write the same file.

The value is a sum of figures with weights, one set of weights for each round, in points at the end of the game. The
last round is fitted to the final points; each round before it to a mixture of these and of the value that the seat had
one round later (`LATER`), which has less noise. The weights of the last round begin with the points that a seat would
have if the game ended now, those of each other round with the weights of the round after it; least squares with a
penalty on the difference (ridge regression; A. Hoerl and R. Kennard, 1970) find how far they go from there.
`--start TOML` begins with the weights of another edition for as many rounds to come, which needs fewer games. Weights
are rounded to whole numbers.

For the species an expert plays among greedy, in a seat that rotates, and takes the one that may be the best by the
games before: by its mean of the points ahead of the others, and a margin for few games (P. Auer, N. Cesa-Bianchi and
P. Fischer, 2002), so that most games are of the species between which it is to decide.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from math import inf
from operator import add, mul
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from client.bots import NODES, bot, chooser  # noqa: E402
from client.bots.numbers import perturbed  # noqa: E402
from client.games.eclipse.bot import answer, worth  # noqa: E402
from client.games.eclipse.bot.figures import figures  # noqa: E402
from client.games.eclipse.bot.learned import SCALE, VALUES, choose, settled  # noqa: E402
from engine.core.agenda import Table  # noqa: E402
from engine.core.dealer import Dealer, HashDice, play  # noqa: E402
from engine.core.match import Match  # noqa: E402
from engine.core.registry import game, settle_options  # noqa: E402
from engine.core.values import Value  # noqa: E402
from engine.core.waits import Choose  # noqa: E402
from engine.eclipse.actions.build import Build  # noqa: E402
from engine.eclipse.actions.research import Research  # noqa: E402
from engine.eclipse.flow import Menu  # noqa: E402
from engine.eclipse.setup import PickSpecies  # noqa: E402

SPREAD = 0.35
"""How far the numbers of a seat differ from greedy's."""
RANDOM = 0.25
"""The greatest share of random answers of a seat."""
KEPT = 0.7
"""The share of positions that are kept."""
LATER = 0.8
"""How much of what is learned is the value one round later."""
RIDGE = 0.5
"""The penalty on what weights differ by, in units of the number of positions; `test` compares others."""
RIDGES = (0.15, 0.5, 1.5)
POINTS = "points "
"""How the figures begin that are parts of the score sheet."""
PARTS = 5
"""One of so many games is kept out of a test."""

CONTENT = ROOT / "client" / "games" / "eclipse" / "bot" / VALUES
MARGIN = 20.0
"""The points by which a species may be better than its mean after a game, and half of them after four."""
PRIOR = 2
"""The games of the mean of all species that are added to those of each."""


# Playing -------------------------------------------------------------------------------------------------------------


class Seats:
    """The bots of a game: numbers and share of random answers by seat. learned: of 100 seats, those that choose by the
    value that was learned before."""

    def __init__(self, seats: int, seed: str, learned: int) -> None:
        self._chance = [Random(f"{seed}/{seat}") for seat in range(seats)]
        base = worth.NUMBERS.styled("greedy")
        self._numbers = [perturbed(base, SPREAD, chance) for chance in self._chance]
        self._random = [RANDOM * chance.random() for chance in self._chance]
        self._learned = [bool(learned) and chance.randrange(100) < learned for chance in self._chance]

    def choose(self, match: Match, dealer: Dealer, seat: int, ask: Choose[Any]) -> Value:
        """An answer of a seat."""
        chance = self._chance[seat]
        if isinstance(ask, Menu | Research | Build) and chance.random() < self._random[seat]:
            options = [one for one in ask.options(match.g) if isinstance(one, str) or not isinstance(ask, Menu)]
            return options[chance.randrange(len(options))]
        if self._learned[seat]:
            return choose(match.view(seat, dealer.lens(seat)), ask, chance, NODES)[0]
        view = match.view(seat, dealer.lens(seat), copy=False)
        return answer(view, ask, chance, self._numbers[seat])


def played(id: str, number: int, seats: int, seed: str, learned: int) -> dict[str, Any]:
    """A game as a row: final points by seat, and positions as [seat, round, figures…]."""
    spec = game(id)
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table), table
    match, dealer = Match.new(spec, table, checkpoint=None), Dealer(HashDice(f"{seed}/{number}"))
    bots, chance = Seats(seats, f"{seed}/{number}", learned), Random(f"{seed}/{number}")
    samples: list[list[int]] = []
    acted = -1

    def answered(match: Match, seat: int, ask: Choose[Any]) -> Value:
        nonlocal acted
        value = bots.choose(match, dealer, seat, ask)
        if isinstance(ask, Menu) and isinstance(value, str):
            acted = seat
        return value

    for _ in play(match, dealer, answered, heard=False):
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


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The games in a file."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


# Species -------------------------------------------------------------------------------------------------------------


def tried(id: str, number: int, seats: int, seed: str, before: Sequence[Game]) -> dict[str, Any]:
    """A game of an expert among greedy as a row: its species, and by how many points it ended ahead of their mean."""
    spec = game(id)
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table), table
    match, dealer, seat = Match.new(spec, table, checkpoint=None), Dealer(HashDice(f"{seed}/{number}")), number % seats
    bots = [bot("expert" if at == seat else "greedy") for at in range(seats)]
    inner, known = chooser(bots, dealer, Random(f"{seed}/{number}")), ahead(before)
    taken = ""

    def choose(match: Match, at: int, ask: Choose[Any]) -> Value:
        nonlocal taken
        if not isinstance(ask, PickSpecies) or at != seat:
            return inner(match, at, ask)
        counts = Counter(row["species"] for row in before)
        taken = max(
            ask.options(match.g), key=lambda name: known[name] + MARGIN / counts[name] ** 0.5 if name in known else inf
        )
        return taken

    for _ in play(match, dealer, choose, heard=False):
        pass
    final = {int(score.seat): score.total for score in spec.scores(match.g)}
    return {"game": number, "species": taken, "ahead": final.pop(seat) - sum(final.values()) / len(final)}


def ahead(games: Sequence[Game]) -> dict[str, float]:
    """By species, the mean points ahead; a species of few games lies near to the mean of all species."""
    by_species: dict[str, list[float]] = {}
    for row in games:
        by_species.setdefault(row["species"], []).append(row["ahead"])
    middle = sum(sum(found) / len(found) for found in by_species.values()) / max(1, len(by_species))
    return {name: (sum(found) + PRIOR * middle) / (len(found) + PRIOR) for name, found in sorted(by_species.items())}


def species(id: str, path: Path, into: Path | None = None) -> None:
    """Write the content file of the species of a game from a file of rows, or another file."""
    text, games = path.read_bytes(), rows_of(path)
    table = [
        f"# Written by scripts/value.py from {len(games)} games of an expert of {id} among greedy.",
        f"# Points ahead of their mean at the end of the game, in {SCALE}ths.",
        f'rows = "{blake2b(text, digest_size=16).hexdigest()}"',
        "",
        "[species]",
        *(f"{name} = {round(SCALE * points)}" for name, points in ahead(games).items()),
    ]
    target = into or CONTENT / f"{id}-species.toml"
    target.write_text("\n".join([*table, ""]))
    print(target)


# Learning ------------------------------------------------------------------------------------------------------------

Vector = list[float]
Weights = tuple[Vector, float]
"""Of the figures, and the constant."""
Game = Mapping[str, Any]


def ridge(rows: Sequence[Sequence[int]], labels: Sequence[float], penalty: float) -> Weights:
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
        matrix[row][row] += penalty
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


def fitted(games: Sequence[Game], penalty: float, start: Sequence[Weights]) -> dict[int, Weights]:
    """The weights of each round. start: with what weights to begin, by round from the first."""
    values: dict[int, Weights] = {}
    for number in range(len(start), 0, -1):
        later, rows, labels = values.get(number + 1), [], []
        begun = start[number - 1] if later is None else _moved(start[number - 1], later, start[number])
        for row in games:
            ahead = {seat: counted for seat, at, *counted in reversed(row["samples"]) if at == number + 1}
            for seat, at, *counted in row["samples"]:
                if at == number:
                    label = float(row["final"][seat])
                    if later is not None and seat in ahead:
                        label = (1 - LATER) * label + LATER * _value(later, ahead[seat])
                    rows.append(counted)
                    labels.append(label - _value(begun, counted))
        found, constant = ridge(rows, labels, penalty)
        values[number] = [*map(add, begun[0], found)], begun[1] + constant
    return values


def _moved(start: Weights, found: Weights, begun: Weights) -> Weights:
    """Weights of a round that differ from their start as those of the round after it do."""
    weights = [one + other - third for one, other, third in zip(start[0], found[0], begun[0], strict=True)]
    return weights, start[1] + found[1] - begun[1]


def started(figures: Sequence[str], rounds: int, file: Path | None) -> list[Weights]:
    """The weights to begin with: the points now, or those in a file for as many rounds to come."""
    if file is None:
        return [([float(name.startswith(POINTS)) for name in figures], 0.0)] * rounds
    data = tomllib.loads(file.read_text("utf-8"))
    known, none = len(data["constant"]), [0] * len(data["constant"])
    columns = [max(0, known - rounds + at) for at in range(rounds)]
    return [
        ([data["figures"].get(name, none)[at] / SCALE for name in figures], data["constant"][at] / SCALE)
        for at in columns
    ]


def _value(learned: Weights, figures: Sequence[int]) -> float:
    return learned[1] + float(sum(map(mul, learned[0], figures)))


def explained(values: Mapping[int, Weights], games: Sequence[Game]) -> list[float]:
    """By round, the share of the variance of final points in these games that the values explain."""
    shares = []
    for number in sorted(values):
        found = [
            (row["final"][seat], _value(values[number], figures))
            for row in games
            for seat, at, *figures in row["samples"]
            if at == number
        ]
        middle = sum(final for final, _ in found) / len(found)
        errors = sum((final - value) ** 2 for final, value in found)
        shares.append(1 - errors / sum((final - middle) ** 2 for final, _ in found))
    return shares


def read(paths: Sequence[Path]) -> tuple[Mapping[str, Any], list[Game], str]:
    """The first line, the games and a digest of files of rows, which are of one game and have the same figures. A game
    that is there twice counts once."""
    found = [path.read_text().splitlines() for path in paths]
    heads = [json.loads(lines[0]) for lines in found]
    if any((head["game"], head["figures"]) != (heads[0]["game"], heads[0]["figures"]) for head in heads):
        raise SystemExit("the files are of different games or have different figures")
    lines = sorted({line for lines in found for line in lines[1:]})
    digest = blake2b("\n".join([*sorted(lines[0] for lines in found), *lines]).encode(), digest_size=16).hexdigest()
    return heads[0], sorted(map(json.loads, lines), key=lambda row: int(row["game"])), digest


def _rounds(games: Sequence[Game]) -> int:
    return max(int(at) for row in games for _, at, *_ in row["samples"])


def test(paths: Sequence[Path], start: Path | None, penalties: Sequence[float]) -> None:
    """Print, for each penalty, how well games kept out are explained."""
    head, games, _ = read(paths)
    known, begun = [row for at, row in enumerate(games) if at % PARTS], started(head["figures"], _rounds(games), start)
    print(f"{len(known)} games, {len(games) - len(known)} kept out; share of the variance by round")
    print(f"start: {_told(explained(dict(enumerate(begun, 1)), games[::PARTS]))}")
    for penalty in penalties:
        print(f"{penalty}: {_told(explained(fitted(known, penalty, begun), games[::PARTS]))}", flush=True)


def _told(shares: Sequence[float]) -> str:
    return " ".join(f"{share:.3f}" for share in shares)


def train(paths: Sequence[Path], into: Path | None, start: Path | None = None, penalty: float = RIDGE) -> None:
    """Write the content file of the game that was played, or another file."""
    head, games, digest = read(paths)
    weights = fitted(games, penalty, started(head["figures"], _rounds(games), start))
    begun = f", begun with {start.name}" if start else ""
    table = [
        f"# Written by scripts/value.py from {len(games)} games of {head['game']} with the penalty {penalty}{begun}.",
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
    target = into or CONTENT / f"{head['game']}.toml"
    target.write_text("\n".join([*table, ""]))
    print(target)


def main() -> int:
    """Play, test or train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games and keep their positions")
    playing.add_argument("game", choices=["eclipse1", "eclipse2"])
    playing.add_argument("--games", type=int, default=400)
    playing.add_argument("--seats", type=int, default=4)
    playing.add_argument("--learned", type=int, default=0, help="of 100 seats, those that choose by the learned value")
    playing.add_argument("--rows", type=Path, required=True)
    playing.add_argument("--seed", default="value")
    boards = commands.add_parser("species", help="play games with each species, and write the content file")
    boards.add_argument("game", choices=["eclipse1", "eclipse2"])
    boards.add_argument("--games", type=int, default=120)
    boards.add_argument("--seats", type=int, default=4)
    boards.add_argument("--rows", type=Path, required=True)
    boards.add_argument("--seed", default="species")
    testing = commands.add_parser("test", help="try penalties on games kept out")
    testing.add_argument("rows", type=Path, nargs="+")
    testing.add_argument("--start", type=Path, help="begin with the weights in this file")
    testing.add_argument("--penalty", type=float, nargs="+", default=RIDGES)
    training = commands.add_parser("train", help="write the content file")
    training.add_argument("rows", type=Path, nargs="+")
    training.add_argument("--into", type=Path)
    training.add_argument("--start", type=Path, help="begin with the weights in this file")
    training.add_argument("--penalty", type=float, default=RIDGE)
    args = parser.parse_args()
    if args.command in ("play", "species") and args.seats not in game(args.game).seats:
        parser.error(f"{args.game} has no table of {args.seats} seats")
    if args.command in ("test", "train"):
        for path in (*args.rows, *([args.start] if args.start else [])):
            if not path.is_file():
                parser.error(f"{path} is no file")
    if args.command == "play":
        head = {"value": 1, "game": args.game, "seats": args.seats, "seed": args.seed, "learned": args.learned}
        head["figures"] = names(args.game)
        keep(args.rows, head, args.games, lambda number: played(args.game, number, args.seats, args.seed, args.learned))
    elif args.command == "species":
        head = {"species": 1, "game": args.game, "seats": args.seats, "seed": args.seed}
        keep(
            args.rows,
            head,
            args.games,
            lambda number: tried(args.game, number, args.seats, args.seed, rows_of(args.rows)[:number]),
        )
        species(args.game, args.rows)
    elif args.command == "test":
        test(args.rows, args.start, args.penalty)
    else:
        train(args.rows, args.into, args.start, args.penalty)
    return 0


if __name__ == "__main__":
    sys.exit(main())
