"""The scripts that people start first: quick when all is set up, clear when something is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-test.lock")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of what setting up needs."""
    home = tmp_path / "clone"
    home.mkdir()
    shutil.copytree(ROOT / "scripts", home / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "client" / "locale", home / "client" / "locale")
    for lock in LOCKS:
        shutil.copy(ROOT / lock, home)
    return home


@pytest.fixture
def ready(clone: Path) -> Path:
    """The copy as it is after a set-up: its Python only repeats its arguments."""
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@"\n')
    python.chmod(0o755)
    for lock in LOCKS:
        (clone / ".venv" / f"{lock}.installed").write_text(f"{clone}\n{(clone / lock).read_text()}")
    return clone


def script(clone: Path, *words: str, options: tuple[str, ...] = (), **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, str(clone / "scripts" / words[0]), *words[1:]],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
    )


posix = pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")


@posix
def test_play_without_arguments_and_terminal_shows_a_demo(ready: Path) -> None:
    assert script(ready, "play.py").stdout == "-P -m client demo eclipse2\n"


@posix
def test_arguments_go_through(ready: Path) -> None:
    done = script(ready, "play.py", "demo", "eclipse2", "--players", "6", "--json")
    assert done.stdout == "-P -m client demo eclipse2 --players 6 --json\n"
    assert script(ready, "test.py", "-k", "one thing").stdout == "-m pytest -k one thing\n"


@posix
def test_a_current_set_up_is_started_without_imports_of_weight(ready: Path) -> None:
    """What a start adds is one small module and two small files read, whatever the speed of the machine."""
    bare = subprocess.run([sys.executable, "-X", "importtime", "-c", ""], capture_output=True, text=True).stderr
    mine = script(ready, "play.py", "x", options=("-X", "importtime")).stderr
    modules = {line.rpartition("|")[2].strip() for line in mine.splitlines() if line.startswith("import time:")}
    usual = {line.rpartition("|")[2].strip() for line in bare.splitlines() if line.startswith("import time:")}
    assert modules - usual <= {"__future__", "catalogues", "environment"}
    assert "environment" in modules


@posix
def test_another_lock_or_another_place_makes_a_set_up_stale(ready: Path) -> None:
    (ready / ".venv" / "requirements.lock.installed").write_text("/elsewhere\n" + (ready / LOCKS[0]).read_text())
    code = "import sys; sys.path[0] = 'scripts'; import environment; print(environment._current('requirements.lock'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ready, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.soak
def test_a_missing_network_is_named_with_what_to_do(clone: Path) -> None:
    nowhere = "http://127.0.0.1:9/"
    done = script(
        clone, "play.py", "keys", PIP_INDEX_URL=nowhere, PIP_CONFIG_FILE=os.devnull, PIP_NO_CACHE_DIR="1",
        PIP_FIND_LINKS="", PIP_EXTRA_INDEX_URL="", PIP_RETRIES="0",
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert "no connection to the Python package index" in done.stderr
    assert "Connect to the network" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (clone / ".venv" / "requirements.lock.installed").exists()


def test_a_python_without_venv_is_named_with_what_to_do(clone: Path) -> None:
    """As on systems that split Python into packages: the module ensurepip is not there."""
    code = (
        "import sys, runpy; sys.path[0] = 'scripts'; import importlib.util as u; real = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'ensurepip' else real(name, *rest);"
        "sys.argv = ['play.py', 'keys']; runpy.run_path('scripts/play.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 2
    assert "comes without ensurepip" in done.stderr
    assert "python3-venv" in done.stderr


def test_an_old_python_is_named_with_what_to_do(clone: Path) -> None:
    code = (
        "import sys, runpy; sys.path[0] = 'scripts'; sys.version_info = (3, 9, 2);"
        "sys.argv = ['play.py']; runpy.run_path('scripts/play.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs Python 3.11 or newer; this is 3.9.2" in done.stderr
