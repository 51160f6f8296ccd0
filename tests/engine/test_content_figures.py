"""Every figure of every content file against a second transcription: whichever is changed, its file no longer fits."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(__file__).parents[2] / "engine"
FILES = {path.relative_to(ENGINE).as_posix(): path for path in sorted(ENGINE.glob("*/content/**/*.toml"))}
NAMES = ("id", "number", "seats", "players", "ship", "piece", "resource")
"""What a row is called by, the first that it has."""


def figures(value: Any, name: str) -> Iterator[str]:
    """The figures of a value in its order, each after its name; a list of figures has one name."""
    if type(value) is int:
        yield f"{name} {value}"
    elif isinstance(value, list) and value and all(type(each) is int for each in value):
        yield f"{name} {','.join(map(str, value))}"
    elif isinstance(value, list | dict):
        parts = value.items() if isinstance(value, dict) else enumerate(value, 1)
        for key, part in parts:
            yield from figures(part, f"{name}.{key}" if name else f"{key}")


def rows(table: str, content: Any) -> Iterator[str]:
    """A line for each row of a table that has figures: what it is called, then its figures."""
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        yield from figures(content, table)
        return
    for row in content:
        called = next((row[name] for name in NAMES if name in row), table)
        told = [figure for key, value in row.items() for figure in figures(value, key)]
        if told:
            yield f"{called}: {' '.join(told)}"


def lines_of(text: str) -> list[str]:
    """The lines that the text of a content file becomes."""
    return [line for table, content in tomllib.loads(text).items() for line in rows(table, content)]


def transcribed() -> dict[str, list[str]]:
    """The lines of the second transcription by content file."""
    told: dict[str, list[str]] = {}
    name = ""
    for line in (Path(__file__).parent / "content_figures.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            name = line[2:]
            told[name] = []
        elif line:
            told[name].append(line)
    return told


TRANSCRIBED = transcribed()
HERE = "a new row has its line in tests/engine/content_figures.txt, written from its source a second time"


def test_every_content_file_is_transcribed() -> None:
    assert list(TRANSCRIBED) == list(FILES), HERE


@pytest.mark.parametrize("name", FILES)
def test_the_figures_of_a_content_file_equal_a_second_transcription(name: str) -> None:
    assert lines_of(FILES[name].read_text("utf-8")) == TRANSCRIBED[name], HERE
