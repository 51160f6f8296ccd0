"""A package's docstring is its design note. Those of the client name all their modules, as do others that list some."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from client.commands.cli import COMMANDS, module_name
from engine.core.registry import GAMES as PLACES

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(
    path.parent for top in ("engine", "seeds", "p2p", "client") for path in (ROOT / top).rglob("__init__.py")
)


def modules(package: Path) -> set[str]:
    """The modules and packages in a package."""
    names = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/__init__.py")}
    return {name for name in names if not name.startswith("__")}


def note(package: Path) -> str:
    found = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8")))
    assert found, package
    return found


def lists_modules(package: Path) -> bool:
    begun = re.findall(r"^\s*`*(\w+)`*[ ]", note(package), re.MULTILINE)
    return len(modules(package).intersection(begun)) >= 3


LISTING = [package for package in PACKAGES if ROOT / "client" in (package, *package.parents) or lists_modules(package)]
GAMES = {place.split(".")[1] for place in PLACES.values() if place.startswith("engine.")}
"""The folders of the games."""
ELSEWHERE = {
    "client/commands": {module_name(command.name) for command in COMMANDS},
    "client/games": {*GAMES},
    **{f"client/games/{name}": {"bot", "reference", "show", "wording"} for name in GAMES},
}
"""What a note leaves to a list in the code: the commands, the games, and the four parts that each game has."""


def test_every_folder_of_modules_has_a_note() -> None:
    folders = {path.parent for top in ("engine", "seeds", "p2p", "client") for path in (ROOT / top).rglob("*.py")}
    assert folders == {*PACKAGES}


@pytest.mark.parametrize("package", LISTING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_note_that_lists_modules_names_all_of_them(package: Path) -> None:
    words = re.findall(r"\w+", note(package))
    families = tuple(word for word in words if word.endswith("_"))  # eclipse_* stands for eclipse too
    missing = {name for name in modules(package) if name not in words and not f"{name}_".startswith(families)}
    assert missing - ELSEWHERE.get(package.relative_to(ROOT).as_posix(), set()) == set()


def test_the_notes_of_wide_packages_list_their_modules() -> None:
    for name in ("client", "client/fronts/line", "client/system", "client/table", "p2p", "p2p/lockstep", "seeds"):
        assert lists_modules(ROOT / name), name
