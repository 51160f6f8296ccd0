"""What is published: the wheel, installed in a fresh environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from client.report.verifier.held import held

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the tree without a network; nothing is left beside the sources."""
    before = {path.name for path in ROOT.iterdir()}
    target = tmp_path_factory.mktemp("wheel")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(target)]
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in ROOT.iterdir()} == before
    return next(target.glob("starlock-*.whl"))


@pytest.fixture(scope="module")
def starlock(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in a fresh environment that has the locked packages and, of starlock, the wheel alone."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home, with_pip=False, symlinks=os.name == "posix")
    scheme = {"base": str(home), "platbase": str(home)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    scripts = Path(sysconfig.get_path("scripts", "venv", vars=scheme))
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    options = ["--quiet", "--no-deps", "--no-index", "--no-compile"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(wheel)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # The other packages are those of this environment, without what leads to the sources.
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return scripts / ("starlock.exe" if os.name == "nt" else "starlock")


def run(starlock: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "STARLOCK_HOME": str(home), "LANGUAGE": "en"}
    env.pop("PYTHONPATH", None)
    return subprocess.run([str(starlock), *words], capture_output=True, text=True, env=env, cwd=home)


def test_the_wheel_holds_the_packages_their_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"engine", "seeds", "p2p", "client"}
    for package in tops:
        assert f"{package}/py.typed" in names
    assert "client/locale/es/LC_MESSAGES/starlock.mo" in names
    assert any(name.endswith(".toml") and name.startswith("engine/eclipse/content/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".po")]
    assert not [name for name in names if "/testing/" in name or "bench" in Path(name).parts], "kits for developers"


def test_the_installed_command_comes_from_the_wheel(starlock: Path, tmp_path: Path) -> None:
    done = run(starlock, tmp_path, "--version", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ok"] is True
    python = starlock.with_name("python")
    where = subprocess.run(
        [str(python), "-c", "import client, engine; print(client.__file__, engine.__file__)"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert str(ROOT / "client") not in where.stdout
    assert str(ROOT / "engine") not in where.stdout


def test_the_installed_command_knows_content_and_languages(starlock: Path, tmp_path: Path) -> None:
    done = run(starlock, tmp_path, "rules", "eclipse2", "plasma-cannon", "--json")
    assert done.returncode == 0, done.stderr
    assert {entry["word"] for entry in json.loads(done.stdout)["entries"]} == {"plasma-cannon"}
    spanish = run(starlock, tmp_path, "--lang", "es", "--help")
    assert "partida" in spanish.stdout.lower() or "uso" in spanish.stdout.lower()


@pytest.mark.skipif(held() is None, reason="the verifier page of these sources is not made (scripts/verifier.py)")
def test_the_installed_command_writes_the_verifier_page(starlock: Path, tmp_path: Path) -> None:
    done = run(starlock, tmp_path, "verifier", "-o", "page.html", "--json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.html").read_bytes() == held()


def test_the_installed_command_verifies_a_saved_game(starlock: Path, tmp_path: Path) -> None:
    played = run(starlock, tmp_path, "demo", "eclipse2", "--players", "2", "--bots", "random", "--json")
    assert played.returncode == 0, played.stderr
    for log in json.loads(played.stdout)["logs"]:
        done = run(starlock, tmp_path, "verify", log, "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert (told["ok"], told["complete"], told["problems"]) == (True, True, [])
