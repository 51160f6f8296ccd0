"""The product's modules, each parsed once for all tests that read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "seeds", "p2p", "client", "scripts")


def modules(*packages: str) -> Iterator[Path]:
    """The modules of these packages, in order."""
    for package in packages:
        yield from sorted((ROOT / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def walked(path: Path) -> tuple[ast.stmt, ...]:
    """Every statement of a module, also those inside functions."""
    return tuple(node for node in ast.walk(parsed(path)) if isinstance(node, ast.stmt))
