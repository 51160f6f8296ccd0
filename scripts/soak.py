"""Run simulated tables by the thousands: honest ones with faults, and every hostile strategy.

    .venv/bin/python scripts/soak.py [--tables N] [--from SEED]

Prints the number that replays each failure, and one summary line. Exit code 1 when anything failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from p2p.testing.hostile import STRATEGIES
from p2p.testing.plans import Plan, Violation
from p2p.testing.simulator import simulate


def honest(seed: int) -> None:
    """A table of honest members with the faults of its number."""
    simulate(seed)


def with_hostile(name: str) -> Callable[[int], None]:
    """Tables of 3 to 5 members, one of which follows a strategy."""

    def run(seed: int) -> None:
        members = 3 + seed % 3
        plan = Plan(tuple((number,) for number in range(members)), delay=0.3, hostile={seed % members: name})
        simulate(seed, plan, STRATEGIES)

    return run


def main() -> int:
    """Run them all; the exit code."""
    parser = argparse.ArgumentParser(description="Run simulated tables by the thousands.")
    parser.add_argument("--tables", type=int, default=1000, help="honest tables; each strategy gets a tenth of it")
    parser.add_argument("--from", dest="start", type=int, default=0, help="first number")
    arguments = parser.parse_args()
    started, failed, run = time.monotonic(), 0, 0
    kinds: list[tuple[str, Callable[[int], None], int]] = [("honest", honest, arguments.tables)]
    kinds += [(name, with_hostile(name), arguments.tables // 10) for name in STRATEGIES]
    for name, table, count in kinds:
        for seed in range(arguments.start, arguments.start + count):
            run += 1
            try:
                table(seed)
            except Violation as violation:
                failed += 1
                print(f"{name}: {violation}", flush=True)
    print(f"{run} tables, {failed} failed, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
