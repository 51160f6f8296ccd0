"""The house is in order: folders, tracked files, what tools leave behind."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {"engine", "seeds", "p2p", "client", "docs", "scripts", "tests"}
DOT_FOLDERS = {".git", ".ci", ".venv"}
LOCKS = tuple(f"requirements{extra}.lock" for extra in ("", "-test", "-libp2p", "-cluster", "-pettingzoo", "-parquet"))
FILES = {".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", *LOCKS}
GUIDES = {"CONTRIBUTING.md", "SECURITY.md"}
"""Where a reader looks for them; every other document stands in docs/."""


def tracked() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip("this is no git work tree")
    return done.stdout.splitlines()


def ignored(names: set[str]) -> set[str]:
    """Those of the names in the root that git ignores, as folders or as files."""
    asked = "\n".join(sorted(names | {f"{name}/" for name in names}))
    done = subprocess.run(["git", "check-ignore", "--stdin"], cwd=ROOT, input=asked, capture_output=True, text=True)
    return {line.rstrip("/") for line in done.stdout.splitlines()}


def test_the_top_level_holds_the_folders_of_the_design_and_no_others() -> None:
    found = {path.name for path in ROOT.iterdir() if path.is_dir()}
    assert found >= FOLDERS
    others = found - FOLDERS - DOT_FOLDERS
    assert others - ignored(others) == set()


def test_the_top_level_holds_the_usual_project_files() -> None:
    found = {path.name for path in ROOT.iterdir() if path.is_file()}
    assert found >= FILES
    others = found - FILES - GUIDES - {".git"}
    assert others - ignored(others) == set()


def test_a_folder_that_git_ignores_is_nobodys_business() -> None:
    tracked()
    assert ignored({".venv", "__pycache__", "engine", "README.md"}) == {".venv", "__pycache__"}
    assert ignored(set()) == set()


def test_every_source_file_names_its_licence_in_its_first_line() -> None:
    """As SPDX writes it; the scripts of the live page, whose bytes count, stand under the licence of the whole."""
    wanted = "SPDX-License-Identifier: GPL-3.0-or-later"
    sources = [ROOT / name for name in tracked() if re.match(r"(engine|seeds|p2p|client|scripts)/.*\.py$", name)]
    sources += (path for path in (ROOT / "client/report/static").glob("*.js") if path.name != "noble.js")
    assert len(sources) > 500
    bare = [str(path.relative_to(ROOT)) for path in sources if wanted not in path.read_text("utf-8")[:80]]
    assert bare == [], f"begin these files with: # {wanted}"


def test_test_modules_have_names_of_their_own() -> None:
    named = (path.name for path in (ROOT / "tests").rglob("*.py"))
    names = Counter(name for name in named if name not in ("conftest.py", "__init__.py"))
    assert [name for name, times in names.items() if times > 1] == []


def test_lock_files_name_hashes_and_no_place() -> None:
    for lock in LOCKS:
        text = (ROOT / lock).read_text("utf-8")
        assert "://" not in text
        wanted = re.findall(r"^[a-z0-9_.-]+==", text, re.MULTILINE)
        hashed = re.findall(r"^[a-z0-9_.-]+==[^\n]*\\\n    --hash=sha256:", text, re.MULTILINE)
        assert wanted
        assert len(wanted) == len(hashed)


def test_the_other_locks_agree_with_the_lock() -> None:
    pins = [
        dict(re.findall(r"^([a-z0-9_.-]+)==(\S+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE)) for lock in LOCKS
    ]
    for other in pins[1:]:
        assert pins[0].items() <= other.items()


def test_every_dependency_is_locked() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for lock, wanted in (
        ("requirements.lock", project["dependencies"]),
        ("requirements-test.lock", project["optional-dependencies"]["test"]),
        ("requirements-libp2p.lock", project["optional-dependencies"]["libp2p"]),
        ("requirements-cluster.lock", project["optional-dependencies"]["cluster"]),
        ("requirements-pettingzoo.lock", project["optional-dependencies"]["pettingzoo"]),
        ("requirements-parquet.lock", project["optional-dependencies"]["parquet"]),
    ):
        locked = set(re.findall(r"^([a-z0-9_.-]+)==", (ROOT / lock).read_text("utf-8"), re.MULTILINE))
        names = {re.split(r"[<>=~! \[]", dependency)[0].replace("_", "-") for dependency in wanted}
        assert names <= locked


def test_libsodium_is_not_asked_for_where_no_wheel_carries_it() -> None:
    """Windows on ARM; a library of the system's serves there (`seeds.sodium`)."""
    from packaging.markers import Marker

    for name in ("pyproject.toml", *LOCKS):
        (marker,) = re.findall(r'rbcl[>=]=[0-9.]+ ; ([^"\\\n]+)', (ROOT / name).read_text("utf-8"))
        for system, machine, wanted in (
            ("win32", "ARM64", False),
            ("win32", "AMD64", True),
            ("linux", "x86_64", True),
            ("darwin", "arm64", True),
        ):
            assert Marker(marker).evaluate({"sys_platform": system, "platform_machine": machine}) is wanted


def test_no_tracked_file_tells_of_a_machine() -> None:
    here = {f"{folder}/" for folder in (ROOT, Path.home()) if len(folder.parts) > 1}
    known = "|".join(map(re.escape, sorted(here)))
    places = re.compile(rf"/(?:home|Users)/[a-z]+/|[A-Z]:\\\\Users|{known}".encode())
    wrong = [name for name in tracked() if (ROOT / name).is_file() and places.search((ROOT / name).read_bytes())]
    assert [name for name in wrong if name != "tests/project/test_folders.py"] == []


def test_no_tracked_file_names_a_package_index() -> None:
    """Where packages come from is the business of each machine."""
    hosts = re.compile(rb"pypi[.]org|pythonhosted[.]org|registry[.]npmjs")
    wrong = [name for name in tracked() if (ROOT / name).is_file() and hosts.search((ROOT / name).read_bytes())]
    assert [name for name in wrong if name != "tests/project/test_folders.py"] == []


def test_the_gate_is_executable() -> None:
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
