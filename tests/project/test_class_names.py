"""One name for one thing: a class of the project has its name alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

from sources import PACKAGES, ROOT, modules, parsed

OF_GAMES: Final = ("engine/eclipse", "engine/eclipse1", "engine/emperor", "engine/nim", "engine/rex", "client/games")
"""Folders of games, whose records may be called as in their rule books."""


def twins() -> set[str]:
    """The names of public classes that two modules outside the games have."""
    found = defaultdict[str, list[Path]](list)
    for path in modules(*PACKAGES):
        if not path.relative_to(ROOT).as_posix().startswith(OF_GAMES):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path)
    return {name for name, paths in found.items() if len(paths) > 1}


def test_a_public_class_has_its_name_alone() -> None:
    assert not twins()
