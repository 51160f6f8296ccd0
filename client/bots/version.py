# SPDX-License-Identifier: GPL-3.0-or-later
"""The version that rows of games name: two commits may have the same number and other bots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Final

from client import __version__
from client.system.registry import game_client

SOURCES: Final = (".py", ".toml")
DIGITS: Final = 12
"""Hexadecimal digits of the digest."""


@cache
def playing_version(id: str) -> str:
    """The program's version, a plus and a digest in hex of the code and numbers by which bots play a game. Programs of
    others are not in it."""
    found = sha256()
    for package in ("client.bots", *_own_package(id)):
        for name, content in _sources(files(package)):
            found.update(f"{package} {name} {len(content)}\n".encode() + content)
    return f"{__version__}+{found.hexdigest()[:DIGITS]}"


def _own_package(id: str) -> tuple[str, ...]:
    """The package of the bots of a game, () for a game that has none of its own."""
    module = game_client(id).bot.partition(":")[0]
    spec = find_spec(module) if module else None
    if spec is None:
        return ()
    return (module if spec.submodule_search_locations is not None else module.rpartition(".")[0],)


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of a package and those below it, by name."""
    for each in sorted(folder.iterdir(), key=lambda one: one.name):
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith(SOURCES):
            yield f"{path}{each.name}", each.read_bytes()
