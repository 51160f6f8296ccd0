"""The product's modules, each parsed once for all tests that read them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
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
    return tuple(within(parsed(path)))


def within(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below one, without a look at its expressions, which hold none."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, part, ()):
            if isinstance(each, ast.stmt):
                yield each
            yield from within(each)


@cache
def import_graph(*packages: str) -> dict[str, set[str]]:
    """The modules of these packages by their dotted names, each with what it imports: at its top, inside functions and
    for types alone."""
    known = {}
    for path in modules(*packages):
        parts = path.relative_to(ROOT).with_suffix("").parts
        known[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {
        name: {found for statement in walked(path) for found in names_of(statement, known)}
        for name, path in known.items()
    }


def names_of(statement: ast.AST, known: Collection[str]) -> Iterator[str]:
    """The modules that an import statement names."""
    match statement:
        case ast.Import(names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(str() as module, names):
            inner = (f"{module}.{alias.name}" for alias in names)
            yield from (name if name in known else module for name in inner)
