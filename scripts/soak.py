# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what takes too long for the gate: more games, tables and altered bytes, coverage, changed figures and mutants.

    .venv/bin/python scripts/soak.py 10 | 60 | 480
    .venv/bin/python scripts/soak.py list
    .venv/bin/python scripts/soak.py tables [--tables N] [--from SEED]
    .venv/bin/python scripts/soak.py games [KIND ...] [--games N] [--from SEED] [--processes N]

A number selects a tier: all parts, for about this many minutes on two cores, and a summary line. `list`
names the parts of each tier and the tests that run nowhere else.

Tables are simulated: honest ones with faults, ones whose engines differ, a fifth as many with two hostile members of
five, and a tenth as many with each hostile strategy. Games must pass the checks of the generic suite. N games of each
kind are played at each of its seat counts; every second round of seat counts draws table options as well, and every
second pair of rounds is played by the curious bot.

Prints the number that replays each failure, and summary lines. Exit code 1 when anything failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from engine.core.agenda import Table  # noqa: E402
from engine.core.dealer import at_random  # noqa: E402
from engine.core.registry import GAMES, game, settle_options  # noqa: E402
from engine.testing.gamekit import curious, play_judged, some_table  # noqa: E402
from p2p.testing.drifters import Repairer, drifting_table  # noqa: E402
from p2p.testing.hostile import STRATEGIES  # noqa: E402
from p2p.testing.hostile_floods import FLOODS  # noqa: E402
from p2p.testing.hostile_votes import VOTERS  # noqa: E402
from p2p.testing.kinds import KINDS as PAIRED  # noqa: E402
from p2p.testing.persons import PERSONS  # noqa: E402
from p2p.testing.plans import FaultPlan, Violation, paired_plan, random_plan, sleepy_plan  # noqa: E402
from p2p.testing.simulator import simulate  # noqa: E402

HOSTILE = {**STRATEGIES, **FLOODS, **VOTERS, "Repairer": Repairer}
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
        games: of each kind at each seat count. Every figure is changed in each.
    """

    volume: int
    tables: int
    games: int
    mutants: int


TIERS = {10: Tier(0, 50, 1, 5), 60: Tier(5, 500, 10, 60), 480: Tier(50, 5000, 100, 400)}
"""Minutes on two cores → tier."""


def parts(minutes: int) -> dict[str, tuple[list[str], dict[str, str]]]:
    """The parts of a tier: name → command and environment variables."""
    tier, here = TIERS[minutes], str(Path(__file__).parent)
    workers = ["-n", str(os.cpu_count() or 1), "--dist", "load", "--maxschedchunk", "2"]
    chosen = ["-o", "faulthandler_timeout=7200", *([] if tier.volume else ["-m", "soak"])]
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
    print("Tests that only the soak runs, besides the others in greater volume:", flush=True)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "soak"],
        cwd=ROOT,
        env={**os.environ, "STARLOCK_VOLUME": "2"},
        check=False,
    ).returncode


def honest(seed: int) -> None:
    """Simulate a table of honest members with the faults of this seed, and disks that lose their last writes."""
    simulate(seed, replace(random_plan(seed), torn=seed % 4))


def with_hostile(name: str) -> Callable[[int], None]:
    """Returns a function that simulates a table of 3 to 5 members, one of which follows a hostile strategy."""

    def run(seed: int) -> None:
        members = 3 + seed % 3
        plan = FaultPlan(tuple((number,) for number in range(members)), delay=0.3, hostile={seed % members: name})
        simulate(seed, plan, HOSTILE)

    return run


def sleepy(seed: int) -> None:
    """Simulate the table of this seed, where members sleep, persons act at random, and some lie."""
    simulate(seed, sleepy_plan(seed), {**STRATEGIES, **PERSONS})


def drifting(seed: int) -> None:
    """Simulate the table of this seed, where the engine of one member differs; every third has a hostile member too."""
    drifting_table(seed, sorted(STRATEGIES)[seed // 3 % len(STRATEGIES)] if seed % 3 == 0 else "")


def paired(seed: int) -> None:
    """Simulate the table of this seed, where two of five members are hostile."""
    simulate(seed, paired_plan(seed, sorted(PAIRED)), PAIRED)


def soak_tables(tables: int, start: int) -> int:
    """Simulate `tables` honest tables, as many sleepy and drifting ones, a fifth as many with two hostile members, and
    a tenth with each strategy. Returns how many failed."""
    started, failed, run = time.monotonic(), 0, 0
    kinds: list[tuple[str, Callable[[int], None], int]] = [("honest", honest, tables), ("sleepy", sleepy, tables)]
    kinds += [("drifting", drifting, tables), ("paired", paired, tables // 5)]
    kinds += [(name, with_hostile(name), tables // 10) for name in HOSTILE]
    for name, table, count in kinds:
        for seed in range(start, start + count):
            run += 1
            try:
                table(seed)
            except Violation as violation:
                failed += 1
                print(f"{name}: {violation}", flush=True)
    print(f"{run} tables, {failed} failed, {time.monotonic() - started:.0f} s")
    return failed


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
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"games: only these of {', '.join(KINDS)}")
    parser.add_argument("--tables", type=int, default=1000, help="honest tables; each strategy gets a tenth of it")
    parser.add_argument("--games", type=int, default=200, help="games of each kind at each seat count")
    parser.add_argument("--from", dest="start", type=int, default=0, help="first number")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="games played at the same time")
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        if arguments.what != "games" or kind not in KINDS:
            parser.error(f"{kind} is no kind of game; there are {', '.join(KINDS)}, after the word games")
    if arguments.what == "list":
        return tell_parts()
    if arguments.what.isdigit():
        return 1 if soak(int(arguments.what)) else 0
    if arguments.what == "tables":
        return 1 if soak_tables(arguments.tables, arguments.start) else 0
    with ProcessPoolExecutor(arguments.processes) as pool:
        return 1 if soak_games(arguments.kinds or tuple(KINDS), arguments.start, arguments.games, pool) else 0


if __name__ == "__main__":
    sys.exit(main())
