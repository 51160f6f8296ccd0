# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine beside catanatron, a Catan simulator in Python that is known for its speed.

catanatron is installed on request into a folder of its own in this home and runs in processes of its own, so nothing
of it is imported here. It must have the versions and hashes of `PINNED`. A decision of catanatron is one call of
``Game.play_tick`` with four random players, which lists the actions that are possible, as ours lists its options.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from bench import ROUNDS, Measure, cost, rate, seconds, spread_of
from bench.engine import GAME, GAMES, digests, played, positions, table_of
from client.system.errors import UserError
from client.system.settings import Folders, made
from engine.core.registry import game

__all__ = ["measures"]

PINNED: Final = {
    "catanatron==3.2.1": "92bf5c114b6e47588ba1bf5b7d0b11f9f20d142bdc47cf787206c1ee5c506a36",
    "networkx==3.6.1": "d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762",
}
"""What is installed → SHA-256 of its wheel on PyPI."""
MOST_TURNS: Final = 1000
DECISIONS: Final = 1.0
"""Times catanatron's cost that one of our decisions may have."""
COPY: Final = 0.5
"""Times the cost of catanatron's ``game.copy()`` that a copy or a digest of ours may have."""
RUNNER: Final = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from catanatron import Color, Game, RandomPlayer
games, turns, copies = map(int, sys.argv[2:])
decisions, played = 0, []
began = time.process_time()
for seed in range(games):
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)], seed=seed)
    while game.winning_color() is None and game.state.num_turns < turns:
        game.play_tick()
        decisions += 1
    played.append(game)
took = time.process_time() - began
began = time.process_time()
for number in range(copies):
    played[number % games].copy()
print(json.dumps([decisions / took, (time.process_time() - began) / copies]))
"""


def measures() -> list[Measure]:
    """Decisions at six seats, copies and digests, each beside catanatron's, taken by turns."""
    folder = _installed()
    spec = game(GAME)
    table = table_of(spec, 6)
    answers = sum(1 for number in range(GAMES) for _given in played(spec, table, str(number)))
    held = positions("against")

    def decide() -> None:
        for number in range(GAMES):
            for _given in played(spec, table, str(number)):
                pass

    def copy() -> None:
        for match in held:
            match.clone()

    works: list[Callable[[], object]] = [decide, copy, lambda: digests(held)]
    ours, theirs = [], []
    for _turn in range(ROUNDS):
        theirs.append(_run(folder))
        ours.append([seconds(work, process_time) for work in works])
    decided, copied, digested = zip(*ours, strict=True)
    speeds, copies = zip(*theirs, strict=True)
    costs = [1 / speed for speed in speeds]
    copying = min(copies) * 1e6
    other = [min(times) / len(held) * 1e6 for times in (copied, digested)]
    return [
        rate("against-decisions", answers / min(decided), "1/s", max(speeds), spread_of(decided, costs), aim=DECISIONS),
        cost("against-clone", other[0], "µs", copying, COPY, spread=spread_of(copied, copies)),
        cost("against-digest", other[1], "µs", copying, COPY, spread=spread_of(digested, copies)),
    ]


def _installed() -> Path:
    """The folder that holds catanatron, filled at the first request."""
    folder = Folders.of_system().data / "bench" / "catanatron"
    if (folder / "complete").exists():
        return folder
    made(folder)
    with TemporaryDirectory() as scratch:
        pins = Path(scratch, "requirements.txt")
        pins.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in PINNED.items()))
        words = ["install", "--quiet", "--no-input", "--require-hashes", "--no-deps", "--upgrade"]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *words, "--target", str(folder), "-r", str(pins)],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["pip"])[-1]
        raise UserError(
            "bench/not-installed",
            f"catanatron cannot be installed into {folder}: {last}",
            "It is fetched from the Python package index; it takes a network and the module pip of this Python.",
        )
    (folder / "complete").touch()
    return folder


def _run(folder: Path) -> tuple[float, float]:
    """Its decisions a second, and the seconds of a copy, by processor time."""
    games = 2 * GAMES
    words = [sys.executable, "-I", "-c", RUNNER, str(folder), str(games), str(MOST_TURNS), str(100 * games)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        raise UserError(
            "bench/failed",
            f"catanatron does not run here: {last}",
            f"Remove the folder {folder} and try again.",
        )
    speed, copied = json.loads(done.stdout)
    return float(speed), float(copied)
