"""Branches of the machine, the fairness and the lockstep: few stay untried, and no test is left out unseen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from volume import GATE

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


@pytest.mark.soak
def test_lines_and_branches_of_core_seeds_and_lockstep_are_tried(tmp_path: Path) -> None:
    paths = [str(path) for pattern in TESTS for path in sorted(ROOT.glob(pattern))]
    files = {"COVERAGE_FILE": str(tmp_path / "coverage"), "COVERAGE_RCFILE": os.devnull}
    environment = {**os.environ, **files, "STARLOCK_VOLUME": str(GATE)}

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
    tried = coverage("run", "--branch", measured, "-m", "pytest", "-q", "-p", "no:xdist", *paths)
    assert tried.returncode == 0, tried.stdout[-3000:] + tried.stderr[-1000:]
    report = coverage("report", "--show-missing", "--skip-covered", f"--fail-under={LEAST}")
    assert report.returncode == 0, report.stdout


def test_every_pattern_of_the_measured_tests_finds_some() -> None:
    assert [pattern for pattern in TESTS if not list(ROOT.glob(pattern))] == []


@pytest.mark.parametrize("option", ["desel" + "ect", "ign" + "ore=", "ign" + "ore-glob"])
def test_no_test_is_left_out_by_a_name_that_nobody_checks(option: str) -> None:
    """A name that is gone leaves out nothing, or worse, what has taken its place. Marks stand at the tests."""
    there = [
        ROOT / "pyproject.toml",
        ROOT / ".ci" / "run",
        *(ROOT / "scripts").glob("*.py"),
        *ROOT.glob("tests/**/*.py"),
    ]
    assert [path for path in there if f"--{option}" in path.read_text("utf-8")] == []
