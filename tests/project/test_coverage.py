"""Branches of the machine, the fairness and the lockstep: few stay untried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MEASURED = ("engine/core", "seeds", "p2p/lockstep")
TESTS = (
    "tests/engine/test_core_*.py",
    "tests/engine/test_rule_lint.py",
    "tests/engine/test_content_loading.py",
    "tests/engine/test_every_game.py",
    "tests/seeds",
    "tests/p2p/test_lockstep*.py",
    "tests/p2p/test_pact*.py",
)
LEAST = 95
"""Percent of lines and branches that the tests of these packages take."""


def test_lines_and_branches_of_core_seeds_and_lockstep_are_tried(tmp_path: Path) -> None:
    # One batch of pact races is as good as eight here, and one small game as good as all.
    races = "tests/p2p/test_pact_exploration.py::test_no_race_of_pacts_splits_honest_members"
    chosen = [f"--deselect={races}[{start}]" for start in range(250, 2000, 250)] + ["-k", "toy or not every_game"]
    paths = [str(path) for pattern in TESTS for path in sorted(ROOT.glob(pattern))]
    environment = {**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage"), "COVERAGE_RCFILE": os.devnull}

    def coverage(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "coverage", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    measured = f"--source={','.join(MEASURED)}"
    tried = coverage("run", "--branch", measured, "-m", "pytest", "-q", "-p", "no:xdist", *paths, *chosen)
    assert tried.returncode == 0, tried.stdout[-3000:] + tried.stderr[-1000:]
    report = coverage("report", "--show-missing", "--skip-covered", f"--fail-under={LEAST}")
    assert report.returncode == 0, report.stdout
