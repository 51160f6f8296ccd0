"""Parsed content is kept beside the compiled modules, and is never more than a cache."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from client.system import parsed as kept
from engine.core.content import toml_table

SOURCE = b'name = "Terran"\ncounts = [1, 2]\n'
TABLES = {"name": "Terran", "counts": [1, 2]}


class Parser:
    """Counts how often it was needed."""

    def __init__(self, source: bytes = SOURCE) -> None:
        self.source, self.runs = source, 0

    def __call__(self) -> dict[str, Any]:
        self.runs += 1
        return toml_table(self.source.decode(), "things.toml")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package."""
    module = ModuleType("shop")
    module.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setitem(sys.modules, "shop", module)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return tmp_path


def keep(parser: Parser) -> dict[str, Any]:
    return kept.kept_or_parsed("shop", "things.toml", parser.source, parser)


def stored(package: Path) -> Path:
    (file,) = (package / "__pycache__").iterdir()
    return file


def test_a_file_is_parsed_once(package: Path) -> None:
    first, second = Parser(), Parser()
    assert keep(first) == keep(second) == TABLES
    assert (first.runs, second.runs) == (1, 0)
    assert stored(package).suffix == ".json"


def test_other_bytes_and_another_version_are_parsed_anew(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(Parser())
    other = Parser(SOURCE.replace(b"Terran", b"Hydran"))
    assert keep(other) == {**TABLES, "name": "Hydran"}
    monkeypatch.setattr(kept, "__version__", "0.0.0")
    again = Parser(other.source)
    keep(again)
    assert (other.runs, again.runs) == (1, 1)


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def changed(data: bytes) -> bytes:
    return data.replace(b"Terran", b"Hydran")


def empty(data: bytes) -> bytes:
    return b""


def no_text(data: bytes) -> bytes:
    return b"\xff\n\xff\n" + data


@pytest.mark.parametrize("harm", [truncated, changed, empty, no_text])
def test_a_damaged_one_is_ignored_and_replaced(package: Path, harm: Callable[[bytes], bytes]) -> None:
    keep(Parser())
    file = stored(package)
    whole = file.read_bytes()
    file.write_bytes(harm(whole))
    parser = Parser()
    assert keep(parser) == TABLES
    assert parser.runs == 1
    assert file.read_bytes() == whole


def test_where_nothing_can_be_written_every_start_parses(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "__pycache__").write_text("in the way")
    first, second = Parser(), Parser()
    assert keep(first) == keep(second) == TABLES
    assert (first.runs, second.runs) == (1, 1)


def test_python_that_writes_no_bytecode_keeps_nothing(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert keep(Parser()) == TABLES
    assert list(package.iterdir()) == []


def test_a_program_that_is_no_folder_of_files_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shop", ModuleType("shop"))
    assert keep(Parser()) == TABLES


def test_what_json_cannot_hold_is_given_as_parsed(package: Path) -> None:
    dated = Parser(b"day = 2026-01-01\n")
    assert str(keep(dated)["day"]) == "2026-01-01"
    assert list(package.iterdir()) == []


def test_every_content_file_is_the_same_kept_as_parsed() -> None:
    files = [*Path(kept.__file__).parents[2].glob("engine/*/content/**/*.toml")]
    assert len(files) > 10
    for file in files:
        tables = toml_table(file.read_text("utf-8"), file.name)
        assert json.loads(json.dumps(tables)) == tables
