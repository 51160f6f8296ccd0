"""Every sentence of a rule document is held by tests; where nothing of it is left to test, a ruling says so."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from engine.core.registry import game

TESTS = Path(__file__).parent.parent
DOCUMENTS = sorted((TESTS / "rules").glob("*.toml"))


@cache
def parsed(path: Path) -> ast.Module:
    """The module of a file, parsed once."""
    return ast.parse(path.read_text("utf-8"))


@cache
def modules() -> dict[str, Path]:
    """The file of every test module by its name."""
    return {path.stem: path for path in TESTS.rglob("test_*.py")}


def written_tests(document: dict[str, Any]) -> set[str]:
    """``module::test`` of every test function in the modules that a document names."""
    named = {name.split("::")[0] for line in document["line"] for name in line.get("tests", [])}
    return {
        f"{module}::{node.name}"
        for module in named & modules().keys()
        for node in parsed(modules()[module]).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


NAMED = {
    "eclipse1": {"ECLIPSE1", "eclipse1", "first", "first_id", "first_table", "both_editions"},
    "eclipse2": {"ECLIPSE2", "eclipse2", "second", "second_id", "events"},
    "emperor": {"EMPEROR", "emperor"},
    "rex": {"REX", "rex"},
}
"""Game → words by which a test chooses it, besides its folder; what comes from `specs` is every game."""


def reached(path: Path, test: str) -> set[str]:
    """The words of a test and of what it uses of its own module; for what is imported, the words of the import too."""
    tops: dict[str, tuple[ast.AST, set[str]]] = {}
    for node in parsed(path).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                tops[name] = (node, set())
            case ast.Assign(targets=targets):
                tops |= {
                    word.id: (node, set()) for target in targets for word in ast.walk(target) if type(word) is ast.Name
                }
            case ast.AnnAssign(target=ast.Name(id=name)):
                tops[name] = (node, set())
            case ast.ImportFrom(module=str(module), names=names):
                tops |= {alias.asname or alias.name: (alias, {alias.name, *module.split(".")}) for alias in names}
    words, todo = set[str](), [test]
    while todo:
        top, said = tops[todo.pop()]
        found = said | {word.id for word in ast.walk(top) if isinstance(word, ast.Name)}
        found |= {word.attr for word in ast.walk(top) if isinstance(word, ast.Attribute)}
        found |= {word.arg for word in ast.walk(top) if isinstance(word, ast.arg)}
        found |= {word.value for word in ast.walk(top) if isinstance(word, ast.Constant) and type(word.value) is str}
        todo += (found - words) & tops.keys()
        words |= found
    return words


def plays(path: Path, test: str, game: str) -> bool:
    """Whether a test plays this game, or reads its content."""
    words = reached(path, test)
    if game == "eclipse2":
        return "eclipse" in path.parts or not words.isdisjoint(NAMED[game])
    return game in path.parts or "specs" in words or not words.isdisjoint(NAMED[game])


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


def test_every_rule_line_names_a_test_or_a_ruling_that_exists() -> None:
    for path in DOCUMENTS:
        document = tomllib.loads(path.read_text("utf-8"))
        assert document["document"] == path.stem
        rulings = {ruling.id for ruling in game(document["game"]).rulings}
        assert problems(document, rulings, written_tests(document)) == [], path.name


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


def test_the_tests_of_a_rule_line_play_the_game_of_its_document() -> None:
    for path in DOCUMENTS:
        document = tomllib.loads(path.read_text("utf-8"))
        for line in document["line"]:
            names = [name.split("::") for name in line.get("tests", [])]
            played = [test for module, test in names if plays(modules()[module], test, document["game"])]
            assert played or not names, f"{path.stem}: {line['text']}: its tests play another game"
