# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what takes too long for the gate: more games, tables and altered bytes, coverage, changed figures and mutants.

    .venv/bin/python scripts/soak.py 10 | 60 | 480
    .venv/bin/python scripts/soak.py list
    .venv/bin/python scripts/soak.py tables [KIND ...] [--tables N] [--from SEED] [--processes N] [--into FILE]
    .venv/bin/python scripts/soak.py games [KIND ...] [--games N] [--from SEED] [--processes N]

A number selects a tier: all parts, for about this many minutes on two cores, and a summary line. `list`
names the parts of each tier and the tests that run nowhere else.

Tables are simulated, N of each kind of `p2p.testing.trials`, a table of each kind in turn. Their numbers begin with the
clock's seconds unless `--from` says otherwise, so that each run has others. `--into` keeps what each table came to in a
file of lines, from which the same command goes on where it was ended.

Games must pass the checks of the generic suite. N games of each kind are played at each of its seat counts; every
second round of seat counts draws table options as well, and every second pair of rounds is played by the curious bot.

Prints the number that replays each failure, and summary lines. Exit code 1 when anything failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from engine.core.agenda import Table  # noqa: E402
from engine.core.dealer import at_random  # noqa: E402
from engine.core.registry import GAMES, game, settle_options  # noqa: E402
from engine.testing.gamekit import curious, play_judged, some_table  # noqa: E402
from p2p.testing.plans import Violation  # noqa: E402
from p2p.testing.products import remember_products  # noqa: E402
from p2p.testing.trials import TRIALS  # noqa: E402

EVENTS = {"pulsar": "on", "black-hole": "on", "supernova": "on", "nebula": "on"}
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in GAMES},
    "eclipse2-events": ("eclipse2", EVENTS),
    "eclipse2-wanderers": ("eclipse2", {"wanderers": "on", "species": "random"}),
    "rex-betrayal": ("rex", {"betrayal": "on"}),
}
"""Kind → its game, and the options that all its tables have."""


@dataclass(frozen=True)
class Tier:
    """How much of each part a tier runs.

    Attributes:
        volume: STARLOCK_VOLUME of all tests, 0 for the tests marked `soak` alone.
        tables: of each kind.
        games: of each kind at each seat count. Every figure is changed in each.
    """

    volume: int
    tables: int
    games: int
    mutants: int


TIERS = {10: Tier(0, 10, 1, 5), 60: Tier(5, 100, 10, 60), 480: Tier(50, 1000, 100, 400)}
"""Minutes on two cores → tier."""


def parts(minutes: int) -> dict[str, tuple[list[str], dict[str, str]]]:
    """The parts of a tier: name → command and environment variables."""
    tier, here = TIERS[minutes], str(Path(__file__).parent)
    workers = ["-n", str(os.cpu_count() or 1), "--dist", "load", "--maxschedchunk", "2"]
    chosen = ["-o", "timeout=7200", *([] if tier.volume else ["-m", "soak"])]
    volume = {"STARLOCK_VOLUME": str(tier.volume or 2)}
    commands: dict[str, tuple[list[str], dict[str, str]]] = {
        "tests": (["-m", "pytest", "-q", *workers, *chosen], volume),
        "tables": ([f"{here}/soak.py", "tables", "--tables", str(tier.tables)], {}),
        "games": ([f"{here}/soak.py", "games", "--games", str(tier.games)], {}),
        "figures": ([f"{here}/figures.py"], {}),
        "mutants": ([f"{here}/mutants.py", "--count", str(tier.mutants)], {}),
    }
    return commands


def soak(minutes: int) -> int:
    """Run the parts of a tier in turn; returns how many failed."""
    started, failed, summary = time.monotonic(), 0, []
    for name, (command, environment) in parts(minutes).items():
        print(f"--- {name}", flush=True)
        last = ""
        with subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
        ) as part:
            assert part.stdout is not None
            for line in part.stdout:
                print(line, end="", flush=True)
                last = line.strip() or last
        failed += part.returncode != 0
        summary.append(f"{name}{' FAILED' if part.returncode else ''}: {last}")
    print(f"Soak of {minutes} minutes, {time.monotonic() - started:.0f} s; " + "; ".join(summary))
    return failed


def tell_parts() -> int:
    """Print the commands of each tier, and the tests that only the soak runs."""
    for minutes in TIERS:
        print(f"{minutes} minutes:")
        for name, (command, environment) in parts(minutes).items():
            told = [word.replace(f"{ROOT}/", "") for word in command]
            print(f"  {name}: {' '.join([*(f'{key}={value}' for key, value in environment.items()), 'python', *told])}")
    print(f"Kinds of tables: {', '.join(TRIALS)}")
    print("Tests that only the soak runs, besides the others in greater volume:", flush=True)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "soak"],
        cwd=ROOT,
        env={**os.environ, "STARLOCK_VOLUME": "2"},
        check=False,
    ).returncode


def play_table(kind: str, seed: int) -> str:
    """Play the table of a number; returns what is wrong there, "" for nothing."""
    try:
        TRIALS[kind](seed)
    except Violation as violation:
        return str(violation)
    return ""


def soak_tables(kinds: Sequence[str], start: int, count: int, pool: Executor, into: Path | None = None) -> int:
    """Play `count` tables of each kind, from `start` on. into: the file of lines `KIND SEED WHAT IS WRONG` that is read
    first, and that each table adds one to. Returns how many failed."""
    started = time.monotonic()
    numbers = range(start, start + count)
    told = into.read_text("utf-8").splitlines() if into is not None and into.exists() else []
    found = {
        (kind, int(seed)): wrong
        for kind, seed, wrong in (line.split(" ", 2) for line in told)
        if kind in kinds and int(seed) in numbers
    }
    missing = [(kind, seed) for seed in numbers for kind in kinds if (kind, seed) not in found]
    played: dict[Future[str], tuple[str, int]] = {pool.submit(play_table, *each): each for each in missing}
    for future in as_completed(played):
        kind, seed = played[future]
        error = future.exception()
        wrong = future.result() if error is None else f"seed {seed}: {type(error).__name__}: {error}"
        found[kind, seed] = wrong.replace("\n", " ")
        if wrong:
            print(f"{kind}: {wrong}", flush=True)
        if into is not None:
            with into.open("a", encoding="utf-8") as lines:
                lines.write(f"{kind} {seed} {found[kind, seed]}\n")
    failed = Counter(kind for (kind, _), wrong in found.items() if wrong)
    for kind in kinds:
        which = [str(seed) for seed in numbers if found.get((kind, seed))]
        print(f"{kind}: {count} tables, {failed[kind]} failed{': ' if which else ''}{', '.join(which)}")
    print(f"{len(found)} tables from {start}, {failed.total()} failed, {time.monotonic() - started:.0f} s")
    return failed.total()


def table_of(kind: str, number: int) -> Table:
    """The table of a game's number: seat counts in turn, with random options in every second round of them."""
    name, options = KINDS[kind]
    spec = game(name)
    rounds, at = divmod(number, len(spec.seats))
    drawn = some_table(spec, spec.seats[at], number if rounds % 2 else 0)
    table = settle_options(spec, spec.seats[at], {**drawn.options, **options})
    assert isinstance(table, Table), f"{kind} {number}: {table}"
    return table


def whole_game(kind: str, number: int) -> int:
    """Play the game of that number with all checks; returns the number of inputs."""
    spec = game(KINDS[kind][0])
    bot = curious if number // len(spec.seats) // 2 % 2 else at_random
    return play_judged(spec, table_of(kind, number), number, bot)


def soak_games(kinds: Sequence[str], start: int, count: int, pool: Executor) -> int:
    """Play `count` games of each kind at each seat count, from `start` on; returns how many failed."""
    run = total = 0
    for kind in kinds:
        started, failed, inputs = time.monotonic(), 0, 0
        numbers = range(start, start + count * len(game(KINDS[kind][0]).seats))
        games: list[tuple[int, Future[int]]] = [(number, pool.submit(whole_game, kind, number)) for number in numbers]
        for number, played in games:
            error = played.exception()
            if error is None:
                inputs += played.result()
                continue
            failed += 1
            print(f"{kind} {number}: {type(error).__name__}: {error}\n{error.__cause__ or ''}", flush=True)
        seats = game(KINDS[kind][0]).seats
        told = f"{len(numbers)} games at {seats[0]} to {seats[-1]} seats, {inputs} inputs, {failed} failed"
        print(f"{kind}: {told}, {time.monotonic() - started:.0f} s", flush=True)
        run, total = run + len(numbers), total + failed
    print(f"{run} games, {total} failed")
    return total


def main() -> int:
    """Run what the arguments select; returns the exit code."""
    parser = argparse.ArgumentParser(description="Run what takes too long for the gate.")
    parser.add_argument("what", choices=(*map(str, TIERS), "list", "tables", "games"), help="minutes, or one part")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="tables or games: only these kinds")
    parser.add_argument("--tables", type=int, default=100, help="tables of each kind")
    parser.add_argument("--games", type=int, default=200, help="games of each kind at each seat count")
    parser.add_argument("--from", dest="start", type=int, help="first number")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="tables or games played at the same time")
    parser.add_argument("--into", type=Path, metavar="FILE", help="tables: keep the results there, and go on from them")
    arguments = parser.parse_args()
    known = {"tables": tuple(TRIALS), "games": tuple(KINDS)}.get(arguments.what, ())
    for kind in arguments.kinds:
        if kind not in known:
            parser.error(
                f"{kind} is no kind of {arguments.what}; there are {', '.join(known)}"
                if known
                else f"{arguments.what} takes no kinds; name them after the word tables or games"
            )
    if arguments.into is not None and (arguments.what != "tables" or arguments.start is None):
        parser.error("--into goes with tables and --from, so that the same tables are meant each time")
    if arguments.what == "list":
        return tell_parts()
    if arguments.what.isdigit():
        return 1 if soak(int(arguments.what)) else 0
    kinds, start = arguments.kinds or known, arguments.start
    with ProcessPoolExecutor(arguments.processes, initializer=remember_products) as pool:
        if arguments.what == "tables":
            start = int(time.time()) if start is None else start
            return 1 if soak_tables(kinds, start, arguments.tables, pool, arguments.into) else 0
        return 1 if soak_games(kinds, start or 0, arguments.games, pool) else 0


if __name__ == "__main__":
    sys.exit(main())
