# SPDX-License-Identifier: GPL-3.0-or-later
"""The page that came with this starlock, and the sources of this project in it.

A page names the digest of its sources, so that one that was made from others is never taken for this starlock's. Only
the standard library is imported, since a wheel is built where nothing else is installed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

NAME: Final = "verifier.html"
PACKED: Final[Mapping[str, frozenset[str]]] = {
    "engine": frozenset({"testing"}),
    "seeds": frozenset(),
    "p2p": frozenset({"testing", "link", "lobby", "reach", "sync"}),
    "client": frozenset({"bots", "bot", "session", "fronts", "commands", "static", "rows"}),
}
"""Package → the folders in it that judging does not need."""
ENDINGS: Final = (".py", ".toml", ".txt", ".svg", ".mo")
STANDS: Final = 2000
"""Bytes at the start of a page among which it names its sources."""


def held() -> bytes | None:
    """Return the page of this starlock; None if there is none, or it was made from other sources."""
    try:
        page = (files("client.report.verifier") / NAME).read_bytes()
    except OSError:
        return None
    return page if f'data-sources="{digest()}"'.encode() in page[:STANDS] else None


@cache
def page_hash() -> str | None:
    """Return the SHA-256 of that page as hexadecimal digits, None without one."""
    page = held()
    return None if page is None else sha256(page).hexdigest()


def packed_sources() -> dict[str, bytes]:
    """Return the files of Python that the page holds, by their names, in order."""
    return dict(sorted(pair for package in PACKED for pair in _files(files(package), package, PACKED[package])))


def digest() -> str:
    """Return a hash over all of this project that is in the page."""
    told = sha256()
    scripts = ((f"{of}/{each.name}", each.read_bytes()) for of in _STATIC for each in (files(of) / "static").iterdir())
    for name, data in [*packed_sources().items(), *sorted(scripts)]:
        told.update(f"{name}\n{len(data)}\n".encode() + data)
    return told.hexdigest()


_STATIC: Final = ("client.show", "client.report", "client.report.verifier")


def _files(folder: Traversable, path: str, without: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            if each.name not in without:
                yield from _files(each, f"{path}/{each.name}", without)
        elif each.name.endswith(ENDINGS):
            yield f"{path}/{each.name}", each.read_bytes()
