# SPDX-License-Identifier: GPL-3.0-or-later
"""The code of generated functions is kept beside the compiled modules, and is never more than a cache."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from client.system import kept_code
from client.system.kept_code import KeptCode
from engine.core.generated import code_of

SOURCE = "answer = 42", "section shop.Till", "exec"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "__pycache__" / "kept.code"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were compiled."""
    said: list[str] = []

    def noted(source: str, name: str, mode: str) -> object:
        said.append(source)
        return code_of(source, name, mode)

    monkeypatch.setattr(kept_code, "code_of", noted)
    return said


def start(place: Path | None, *sources: tuple[str, str, str]) -> list[object]:
    """What a process gets from these sources, which then ends."""
    kept, found = KeptCode(place), list[object]()
    for source in sources or (SOURCE,):
        scope: dict[str, object] = {}
        exec(kept.code(*source), scope)
        found.append(scope["answer"])
    kept.write()
    return found


def test_a_source_is_compiled_once_and_another_one_beside_it(place: Path, compiled: list[str]) -> None:
    other = ("answer = 43", *SOURCE[1:])
    assert start(place) == start(place) == [42]
    assert start(place, SOURCE, other) == start(place, SOURCE, other) == [42, 43]
    assert compiled == [SOURCE[0], other[0]]


@pytest.mark.parametrize(
    "harm", [lambda data: data[:40], lambda data: data.replace(b"answer", b"answeR"), lambda _: b""]
)
def test_a_damaged_file_is_ignored_and_replaced(
    place: Path, compiled: list[str], harm: Callable[[bytes], bytes]
) -> None:
    start(place)
    whole = place.read_bytes()
    place.write_bytes(harm(whole))
    assert start(place) == start(place) == [42]
    assert len(compiled) == 2
    assert place.read_bytes() == whole


def test_a_file_of_another_version_or_with_too_many_sources_is_begun_anew(
    place: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start(place)
    monkeypatch.setattr(kept_code, "__version__", "0.0.0")
    start(place)
    monkeypatch.setattr(kept_code, "MOST", 0)
    start(place)
    assert len(compiled) == 3


def test_where_nothing_can_be_written_every_start_compiles(place: Path, compiled: list[str]) -> None:
    place.parent.write_text("in the way")
    assert start(place) == start(place) == start(None) == [42]
    assert len(compiled) == 3


def test_python_that_writes_no_bytecode_keeps_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert start(place) == [42]
    assert not place.parent.exists()
