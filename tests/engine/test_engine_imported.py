"""`import engine` is all that a first program needs, and costs nothing until it is used."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

import engine


def test_every_name_that_is_exported_is_there_and_has_a_place() -> None:
    assert {*engine.__all__} == {*engine.MODULE, "new_game"}
    for name in engine.__all__:
        assert getattr(engine, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        engine.chess  # noqa: B018


def test_the_example_of_the_docstring_plays_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert engine.__doc__ is not None
    example = "\n".join(re.findall(r"^    (.*)$", engine.__doc__, re.MULTILINE))
    exec(compile(example, "example", "exec"), {})
    told = capsys.readouterr().out
    assert told.count("\n") > 50
    assert "rank=1" in told.splitlines()[-1]


@pytest.mark.parametrize(("seats", "options"), [(9, {}), (4, {"no-such": "option"})])
def test_a_table_that_cannot_be_is_refused_with_its_reason(seats: int, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="rex"):
        engine.new_game("rex", seats, 1, options)
    with pytest.raises(KeyError):
        engine.new_game("chess", 2, 1)


def modules() -> Iterator[str]:
    code = "import engine, sys; print(*[name for name in sys.modules if name.startswith('engine')])"
    yield from subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_importing_it_imports_no_game_and_no_other_module() -> None:
    assert [*modules()] == ["engine"]
