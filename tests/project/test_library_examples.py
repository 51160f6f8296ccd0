"""LIBRARY.md is true: every example in it gives what it says."""

from __future__ import annotations

import doctest
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from client.system.texts import use

ROOT = Path(__file__).parents[2]


def test_every_example_of_the_library_gives_what_the_page_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    stars = importlib.import_module("stars")
    saved = stars.path_of("emperor", tmp_path / "tests" / "stars")
    saved.parent.mkdir(parents=True)
    saved.write_bytes(stars.star(stars.KINDS["emperor"]))  # of today's form, whatever is recorded
    monkeypatch.chdir(tmp_path)
    use("en")
    failed, tried = doctest.testfile(str(ROOT / "docs" / "LIBRARY.md"), module_relative=False)
    assert tried > 30
    assert failed == 0


def test_every_library_that_is_installed_beside_starlock_is_named_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = (ROOT / "docs" / "THIRD_PARTY.md").read_text("utf-8")
    names = [re.split(r"[^\w-]", line)[0] for line in project["dependencies"]]
    assert [name for name in names if f"| {name}" not in named] == []
