# SPDX-License-Identifier: GPL-3.0-or-later
"""As `starlock ladder`, also on a cluster, and the page LADDER.md.

    ladder.py greedy random --game rex --rows FILE --cluster tcp://HOST:8786     play on the machines of a cluster
    ladder.py --page LADDER.md [FILE…]                                           write files of rows into the page

A cluster is one of Dask distributed (`dask scheduler`, `dask worker`), with the same version of starlock and the extra
`cluster` on each machine. A game whose worker is lost is played again by another; each row is written once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from secrets import token_hex
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from client.bots import levels_of  # noqa: E402
from client.bots.ladder import RowsError, Series, points, read_rows, verdict  # noqa: E402
from client.bots.one_game import GameTask, PlayedGame, play_task  # noqa: E402
from client.bots.version import playing_version  # noqa: E402
from client.commands import ladder  # noqa: E402
from client.system.context import Context  # noqa: E402
from client.system.errors import UserError  # noqa: E402
from client.system.progress import Meter  # noqa: E402

AHEAD = 4
"""Games that wait in line for each thread of the cluster."""
RETRIES = 5
"""How often a game is played again whose worker was lost."""
EXPLAINED = """\
Each line is a series of pairs of games. Both games of a pair have the same seed and the same bots in the other seats;
in one the bot under test plays, in the other the first bot of the field plays in its place. So *an equal* is measured:
in games that share victories it is more than one in the number of seats. Brackets hold intervals of 95 % (Wilson), `z`
is McNemar's figure for the pairs that only one of both won, points have intervals of 95 % too. Times are those of the
machines that played, *core hours* what all bots of the series thought. Seats rotate from pair to pair."""
JUDGED = """\
A game has the levels that it tells apart: a level that is the same as another one there has no line. A level is shown
to be better than the one below it if the lower end of its interval lies above the share of an equal, in at least
{pairs} pairs. The aims are those for the best level of each game among three of greedy; `first` is greedy with the
factions of Rex in the order that it had when the aims were set."""
POINTS = """\
Mean points of each kind in these series: of the bot, of an equal in its place, and of the best other seat beside the
bot."""
COUNTED = "## Where the points come from"
"""The heading of the table of points."""
TRIED = "## What was tried"
"""The heading of the part of the page that is written by hand, at its end."""
ENOUGH = 200
"""Pairs from which a series shows something."""
BEST = (("expert", "first"), ("master", "greedy"), ("expert", "greedy"))
"""The series that may meet the aim of a game, bot and field; of series with as many pairs the first counts."""


def on_cluster(address: str, tasks: Iterable[tuple[Any, GameTask]]) -> Iterator[tuple[Any, PlayedGame]]:
    """Play tasks on a cluster of Dask distributed. UserError if it cannot be reached."""
    try:
        from distributed import Client, as_completed

        cluster = Client(address)
    except (ImportError, OSError, ValueError) as error:
        how = "Start `dask scheduler` there; each machine needs the extra `cluster`."
        raise UserError("ladder/cluster", f"No cluster answers at {address}: {error}", how) from error
    with cluster as client:
        waiting, keys, name = enumerate(tasks), dict[str, Any](), token_hex(8)

        def begin(count: int) -> list[Any]:
            begun = []
            for number, (key, task) in islice(waiting, count):
                future = client.submit(play_task, task, key=f"{name}-{number}", retries=RETRIES)
                keys[future.key] = key
                begun.append(future)
            return begun

        threads = max(sum(client.nthreads().values()), 1)
        running = as_completed(begin(AHEAD * threads))
        for future in running:
            row = future.result()
            key = keys.pop(future.key, None)
            if key is None:
                continue  # it was told before its worker died, and again when another had played it
            yield key, row
            for another in begin(1):
                running.add(another)


def page(target: Path, files: Iterable[Path]) -> None:
    """Write the series in these files into the tables. What they hold of other series stays, with its day and commit,
    and so does what is written by hand. ValueError for games of other bots than those of this commit."""
    made = f"{datetime.now(UTC).date().isoformat()} | {_commit()} |"
    before = target.read_text("utf-8") if target.exists() else ""
    parts, tried = before.partition(f"\n{TRIED}\n")[::2]
    lines, counted = (_lines(part) for part in parts.partition(f"\n{COUNTED}\n")[::2])
    for path in files:
        head = json.loads(path.read_text("utf-8").split("\n", 1)[0])
        names = ("game", "seats", "options", "bot", "seed")
        if head["version"] != playing_version(head["game"]):
            raise ValueError(f"{path}: other bots played these games; write the page with the commit that has them")
        series = Series(**{name: head[name] for name in names}, field=tuple(head["field"]))
        games = read_rows(path, series, {name: head[name] for name in ("version", "rules", "content")}).values()
        line = f"{ladder.markdown_row(series, verdict(series, games))} {made}"
        lines[_series(line)] = line
        counted.pop(_series(line), None)
        if told := _points_told(points(series, games)):
            counted[_series(line)] = f"| {' | '.join(_series(line))} | {told} |"
    how = f"Made by `scripts/ladder.py --page {target.name} FILE…`."
    sorted_lines = [lines[key] for key in sorted(lines)]
    text = ["# The ladder of bots", "", how, "", EXPLAINED, "", *_heading(*ladder.COLUMNS, "day", "commit")]
    text += [*sorted_lines, "", "## What is shown", "", JUDGED.format(pairs=ENOUGH), "", *judged(sorted_lines), ""]
    if counted:
        text += [COUNTED, "", POINTS, "", *_heading(*ladder.COLUMNS[:4], "kind: bot, equal, best other")]
        text += [*[counted[key] for key in sorted(counted)], ""]
    target.write_text("\n".join(text) + (f"\n{TRIED}\n{tried}" if tried else ""), "utf-8")


def _heading(*columns: str) -> tuple[str, str]:
    return f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"


def _points_told(counted: Mapping[str, tuple[float, ...]]) -> str:
    """The kinds of points that count anywhere."""
    kinds = {kind: means for kind, means in counted.items() if any(means)} if len(counted) > 1 else {}
    return "; ".join(f"{kind}: " + ", ".join(f"{mean:.1f}" for mean in means) for kind, means in kinds.items())


@dataclass(frozen=True)
class ShownRow:
    """What a line of the table says: pairs, shares won and of an equal, and the lower end of the first."""

    pairs: int
    won: float
    least: float
    equal: float

    @classmethod
    def of(cls, line: str) -> ShownRow:
        cells = [cell.strip() for cell in line.split("|")]
        won, least, _, equal = (int(number) / 100 for number in re.findall(r"(\d+)%", f"{cells[6]} {cells[7]}")[:4])
        return cls(int(cells[5]), won, least, equal)

    def told(self, met: bool) -> str:
        few = f"only {self.pairs} pairs of {ENOUGH}: " if self.pairs < ENOUGH else ""
        word = "" if few else "shown: " if met else "not shown: "
        return f"{few}{word}{self.won:.0%} (from {self.least:.0%}) against {self.equal:.0%}"


AIMS: Mapping[str, tuple[str, Callable[[ShownRow], bool]]] = {
    "eclipse1": ("50 %, lower end above 42", lambda shown: shown.won >= 0.5 and shown.least > 0.42),
    "eclipse2": ("50 %, lower end above 42", lambda shown: shown.won >= 0.5 and shown.least > 0.42),
    "emperor": ("60 %", lambda shown: shown.won >= 0.6),
    "rex": ("12 points above an equal", lambda shown: shown.won >= shown.equal + 0.12),
}
"""By game, the aim for its best level among three of greedy, and whether a series meets it."""


def judged(lines: Iterable[str]) -> Iterator[str]:
    """A table with a line for each level beside the one below it, and for the aim of each game."""
    found = {_series(line): ShownRow.of(line) for line in lines}
    by_bots = {(game, bot, field): shown for (game, _, bot, field), shown in found.items()}
    yield from ("| game | what | so far |", "|---|---|---|")
    for game, (aim, meets) in AIMS.items():
        levels = [name for name in levels_of(game) if name != "random"]
        for below, above in pairwise(levels):
            shown = by_bots.get((game, above, below))
            said = shown.told(shown.least > shown.equal) if shown else "not played"
            yield f"| {game} | {above} among {below} | {said} |"
        possible = [(bot, field) for bot, field in BEST if bot in levels]
        played = [(pair, by_bots[game, *pair]) for pair in possible if (game, *pair) in by_bots]
        (bot, field), best = max(played, key=lambda one: (meets(one[1]), one[1].pairs), default=(possible[-1], None))
        yield f"| {game} | {bot} among {field}: {aim} | {best.told(meets(best)) if best else 'not played'} |"


def _series(line: str) -> tuple[str, ...]:
    """The cells that name the series of a line: game, seats, bot and field."""
    return tuple(cell.strip() for cell in line.split("|")[1:5])


def _lines(text: str) -> dict[tuple[str, ...], str]:
    """The lines of the first table of a text, by series."""
    table = text.partition("\n## ")[0]
    found = [
        line for line in table.splitlines() if line.startswith("| ") and not line.startswith(f"| {ladder.COLUMNS[0]} |")
    ]
    return {_series(line): line for line in found}


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty"]
    asked = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


def arguments() -> ArgumentParser:
    """The arguments of `starlock ladder`, and those for a cluster."""
    parser = ArgumentParser(prog="ladder.py", description=__doc__.partition("\n")[0])
    ladder.add_arguments(parser)
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on the cluster with this scheduler")
    parser.add_argument("--json", action="store_true", help="answer with one JSON object")
    parser.add_argument("--page", metavar="FILE", help="write the page anew, with files of rows: --page FILE [ROWS…]")
    return parser


def main(words: list[str]) -> int:
    """Play, or write the page. Exit codes are those of starlock."""
    if words[:1] == ["--page"] and len(words) > 1:
        try:
            page(Path(words[1]), map(Path, words[2:]))
        except (OSError, RowsError, ValueError, KeyError) as error:
            print(f"ladder.py: {error}", file=sys.stderr)
            return 2
        return 0
    args: Namespace = arguments().parse_args(words)
    context = Context("ladder", args.json, None, sys.stdout, sys.stderr, Meter(sys.stderr))
    try:
        if args.cluster:
            code = ladder.climbed(args, context, partial(on_cluster, args.cluster))
        else:
            code = ladder.run(args, context)
    except UserError as error:
        print(f"ladder.py: {error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    if context.as_json and context.result is not None:
        context.print_result(context.result)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
