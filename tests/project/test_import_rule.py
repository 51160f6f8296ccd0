"""Imports point one way only."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest
from sources import ROOT, import_graph, modules, walked

KITS = (ROOT / "engine" / "testing", ROOT / "p2p" / "testing")
"""What only tests and scripts use; no wheel holds them."""

ALLOWED = {
    "engine": {"engine"},
    "seeds": {"seeds", "rbcl", "engine.core.dataclass"},
    "p2p": {
        "p2p",
        "seeds",
        "engine.core.dataclass",
        "cbor2",
        "cryptography",
        "trio",
        "ifaddr",
        "libp2p",
        "multiaddr",
    },
    "client": {
        "client",
        "engine",
        "seeds",
        "p2p",
        "trio",
        "h11",
        "segno",
        "prompt_toolkit",
        "platformdirs",
        "wcwidth",
        "cryptography",
        "pyarrow",  # where it is installed, for Parquet files
        *("numpy", "gymnasium", "pettingzoo"),  # where they are installed, for who trains bots
    },
}
"""What each package may import besides the standard library."""

TRIO = ("p2p/link/", "p2p/reach/", "p2p/testing", "client/")
"""Where trio may be imported."""

IMPURE = {
    "asyncio",
    "datetime",
    "http",
    "locale",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "select",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}
"""Modules of the standard library that would let the world into the rules."""


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file imports, at its top or inside functions, with the line."""
    for node in walked(path):
        match node:
            case ast.Import(names):
                yield from ((alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module, _, level):
                assert level == 0, f"{path}:{node.lineno}: relative import"
                assert module is not None
                yield module, node.lineno


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_what_the_design_allows(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in modules(package)
        for module, line in imported(path)
        if (top := module.split(".")[0]) not in sys.stdlib_module_names and not {top, module} & ALLOWED[package]
    ]
    assert wrong == []


def test_trio_is_at_the_rim_only() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in modules(*ALLOWED)
        for module, line in imported(path)
        if module.split(".")[0] == "trio" and not path.relative_to(ROOT).as_posix().startswith(TRIO)
    ]
    assert wrong == []


def test_the_rules_have_no_clock_no_chance_and_no_system() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in modules("engine")
        if KITS[0] not in path.parents
        for module, line in imported(path)
        if module.split(".")[0] in IMPURE
    ]
    assert wrong == []


def test_nothing_that_plays_imports_a_test_kit() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in modules(*ALLOWED)
        if not {*KITS} & {*path.parents}
        for module, line in imported(path)
        if module.startswith(("engine.testing", "p2p.testing"))
    ]
    assert wrong == []


def test_every_source_of_the_packages_is_read() -> None:
    assert all(list(modules(package)) for package in ALLOWED)


def circles(graph: Mapping[str, Collection[str]]) -> list[list[str]]:
    """What is left when modules that import none of the others are taken away again and again."""
    left = {name: set(imports) & graph.keys() - {name} for name, imports in graph.items()}
    while free := {name for name, imports in left.items() if not imports}:
        left = {name: imports - free for name, imports in left.items() if name not in free}
    while free := left.keys() - set().union(*left.values(), ()):
        left = {name: imports for name, imports in left.items() if name not in free}
    return [sorted(left)] if left else []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types, nor inside functions."""
    assert circles(import_graph(*ALLOWED)) == []
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}) == [["b", "c"]]
