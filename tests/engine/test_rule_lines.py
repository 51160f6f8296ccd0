"""Every sentence of a rule document is held by tests; where nothing of it is left to test, a ruling says so."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.core.registry import game

TESTS = Path(__file__).parent.parent
DOCUMENTS = sorted((TESTS / "rules").glob("*.toml"))


def written_tests() -> set[str]:
    """``module::test`` of every test function in the repository."""
    return {
        f"{path.stem}::{node.name}"
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def problems(document: dict[str, Any], rulings: set[str], tests: set[str]) -> list[str]:
    """What is wrong with the lines of a document, each by its text."""
    found = []
    for line in document["line"]:
        ruling, held = line.get("ruling"), line.get("tests", [])
        if set(line) - {"section", "text", "ruling", "tests"} or not line["section"]:
            found.append(f"{line['text']}: keys {', '.join(line)}")
        if not held and (ruling is None or "tests" in line):
            found.append(f"{line['text']}: no test")
        if ruling is not None and ruling not in rulings:
            found.append(f"{line['text']}: no ruling {ruling}")
        found += [f"{line['text']}: no test {name}" for name in held if name not in tests]
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_rule_line_names_a_test_or_a_ruling_that_exists(path: Path) -> None:
    document = tomllib.loads(path.read_text("utf-8"))
    assert document["document"] == path.stem
    rulings = {ruling.id for ruling in game(document["game"]).rulings}
    assert problems(document, rulings, written_tests()) == []


def test_no_rule_line_is_written_twice() -> None:
    for path in DOCUMENTS:
        texts = [line["text"] for line in tomllib.loads(path.read_text("utf-8"))["line"]]
        assert [text for text in texts if texts.count(text) > 1] == []


def test_a_line_that_nothing_holds_is_reported() -> None:
    line = {"section": "1", "text": "Pigs fly."}
    assert problems({"line": [line]}, set(), set()) == ["Pigs fly.: no test"]
    assert problems({"line": [line | {"tests": []}]}, set(), set()) == ["Pigs fly.: no test"]
    assert problems({"line": [line | {"tests": [], "ruling": "legs"}]}, {"legs"}, set()) == ["Pigs fly.: no test"]
    assert problems({"line": [line | {"ruling": "legs"}]}, {"legs"}, set()) == []
    assert problems({"line": [line | {"tests": ["a::b"]}]}, set(), {"a::c"}) == ["Pigs fly.: no test a::b"]
    assert problems({"line": [line | {"ruling": "wings"}]}, {"legs"}, set()) == ["Pigs fly.: no ruling wings"]
    assert problems({"line": [line | {"ruling": "legs", "tests": ["a::c"]}]}, {"legs"}, {"a::c"}) == []
