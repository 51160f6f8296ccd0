# SPDX-License-Identifier: GPL-3.0-or-later
"""Change the code at random places: at least 92 % of the changes that matter must make a test fail.

    .venv/bin/python scripts/mutants.py [--count N] [--seed SEED] [--into FILE] [PART OF A PATH ...]

A change swaps a comparison, an operator or a truth value, adds one to a number, turns a condition round, or leaves out
a `not` or a statement. The tests that import the changed module run first, then those of its folder, then those that
import a module of its package which imports it; each time those first whose names have most words of its path. The
slow ones of the first come last. Equivalent changes are listed in ``tests/mutants.toml``, each with its reason.
`--into` keeps what was found of each change in a file of lines, from which the same command goes on where it was ended.

Prints the changes that no test notices, apart from them those with which a test took too long and none failed, and a
summary line. Neither count as noticed; exit code 1 when there are too many.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

from copies import ROOT, ByteChange, Finding, all_noticed

PACKAGES = ("engine", "seeds", "p2p", "client")
LEAST = 92
"""Percent of the changes that matter."""
EQUIVALENT = ROOT / "tests" / "mutants.toml"

COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
COMBINED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Mod: "*", ast.BitAnd: "|", ast.BitOr: "&"}


class Places:
    """The possible changes of a module."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.data = (ROOT / path).read_bytes()
        lines = self.data.splitlines(keepends=True)
        self.begins = [0]
        for line in lines:
            self.begins.append(self.begins[-1] + len(line))

    def changes(self) -> Iterator[ByteChange]:
        yield from self._within(ast.parse(self.data))

    def _within(self, node: ast.AST) -> Iterator[ByteChange]:
        yield from self._of(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Raise | ast.Assert):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._within(child)

    def _of(self, node: ast.AST) -> Iterator[ByteChange]:
        match node:
            case ast.Compare(left=left, ops=ops, comparators=rights):
                for one, op, other in zip((left, *rights), ops, rights, strict=False):
                    yield self._between(one, other, COMPARED[type(op)])
            case ast.BoolOp(op=op, values=[one, other, *_]):
                yield self._between(one, other, "or" if isinstance(op, ast.And) else "and")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self._instead(node, f"({self._text(operand)})")
            case ast.comprehension(ifs=conditions):
                yield from (self._instead(each, f"(not ({self._text(each)}))") for each in conditions)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in COMBINED:
                yield self._between(left, right, COMBINED[type(op)])
            case ast.Constant(value=bool() as value):
                yield self._instead(node, str(not value))
            case ast.Constant(value=int() as value):
                yield self._instead(node, str(value + 1))
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield self._instead(test, f"(not ({self._text(test)}))")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield self._instead(node, "pass")

    def _at(self, line: int, column: int) -> int:
        return self.begins[line - 1] + column

    def _span(self, node: Any) -> tuple[int, int]:
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.data[start:end].decode()

    def _instead(self, node: ast.AST, text: str) -> ByteChange:
        return ByteChange(self.path, *self._span(node), text.encode())

    def _between(self, left: ast.AST, right: ast.AST, text: str) -> ByteChange:
        """Replace the operator between two operands, which may be in brackets."""
        start, end = self._span(left)[1], self._span(right)[0]
        brackets = re.fullmatch(rb"([\s)]*)(.*?)([\s(]*)", self.data[start:end], re.DOTALL)
        assert brackets is not None
        return ByteChange(self.path, start + len(brackets[1]), end - len(brackets[3]), text.encode())


@cache
def sources() -> dict[str, str]:
    """Every test module with its text, by its path from the root."""
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in found}


def imported(text: str) -> set[str]:
    """The modules that a text imports, and the names that it imports from them, with the dots of their packages."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                found |= {each.name for each in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {module, *(f"{module}.{each.name}" for each in names)}
    return found


@cache
def imported_by_tests() -> dict[str, set[str]]:
    """What every test module imports, by its path from the root."""
    return {path: imported(text) for path, text in sources().items()}


@cache
def imported_in(package: str) -> dict[str, set[str]]:
    """What every module of a package imports, by its own name."""
    found = ((path.relative_to(ROOT).with_suffix(""), path) for path in sorted((ROOT / package).rglob("*.py")))
    return {".".join(name.parts): imported(path.read_text("utf-8")) for name, path in found}


def nearest_tests(change: ByteChange) -> list[list[str]]:
    """The tests that import the changed module, those of its folder first; then the others of its folder, or of its
    package; then those that import what imports it in its package. The more words of its path a name has, the earlier
    it comes."""
    parts = Path(change.path).with_suffix("").parts
    module = ".".join(parts)
    users = {name for name, names in imported_in(parts[0]).items() if module in names}
    first = [path for path, names in imported_by_tests().items() if module in names]
    folder = next(
        "/".join(("tests", *parts[:depth])) for depth in range(len(parts) - 1, 0, -1)
        if any(path.startswith("/".join(("tests", *parts[:depth])) + "/") for path in sources())
    )  # fmt: skip
    rest = [path for path in sources() if path.startswith(folder + "/") and path not in first]
    others = [path for path, names in imported_by_tests().items() if names & users and path not in (*first, *rest)]
    words = {word for part in parts for word in part.split("_")}

    def far(path: str) -> tuple[bool, int]:
        return not path.startswith(folder + "/"), -len(words.intersection(Path(path).stem.split("_")))

    return [sorted(some, key=far) for some in (first, rest, others)]


def equivalent() -> set[tuple[str, str, str]]:
    """Path, old line and new line of every change known to be equivalent."""
    rows = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return {(row["path"], row["before"], row["after"]) for row in rows}


def told(change: ByteChange) -> str:
    """A change in a line."""
    number, before, after = change.lines()
    return f"{change.path}:{number}: {after!r} for {before!r} at {change.start}"


def results(file: Path | None) -> dict[str, Finding]:
    """What was found of each change that a file of results tells of."""
    lines = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
    return {text: cast("Finding", word) for word, text in (line.split(" ", 1) for line in lines)}


def summary(found: Collection[Finding], left_out: int) -> tuple[str, bool]:
    """The last line, and whether enough changes were noticed. found: of each change that matters. left_out: how many
    do not."""
    seen, late = sum(each == "noticed" for each in found), sum(each == "too-long" for each in found)
    share = 100 * seen // max(1, len(found))
    slow = f", {late} took too long" if late else ""
    line = f"{len(found)} changes that matter, {seen} noticed ({share} %){slow}, {left_out} equivalent ones"
    return line, share >= LEAST


def chosen(count: int, seed: int, wanted: list[str]) -> list[ByteChange]:
    """Choose `count` changes at random places of the packages, without duplicates and known equivalents."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    places = [
        change
        for name in names
        if not wanted or any(part in name for part in wanted)
        for change in Places(name).changes()
    ]
    return Random(seed).sample(places, min(count, len(places)))


def main() -> int:
    """Run the changes that the arguments select; returns the exit code."""
    parser = argparse.ArgumentParser(description="Change the code at random places; tests must notice.")
    parser.add_argument("paths", nargs="*", help="only modules with one of these in their path")
    parser.add_argument("--count", type=int, default=100, help="how many changes")
    parser.add_argument("--seed", type=int, default=0, help="which")
    parser.add_argument("--into", type=Path, metavar="FILE", help="keep the results there, and go on from them")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="copies at work at the same time")
    arguments = parser.parse_args()
    known = equivalent()
    drawn = chosen(arguments.count, arguments.seed, arguments.paths)
    changes = [change for change in drawn if (change.path, *change.lines()[1:]) not in known]
    kept = results(arguments.into)
    for change, found in all_noticed(
        [one for one in changes if told(one) not in kept], nearest_tests, arguments.processes
    ):
        kept[told(change)] = found
        if arguments.into is not None:
            with arguments.into.open("a", encoding="utf-8") as lines:
                lines.write(f"{found} {told(change)}\n")
        if found != "noticed":
            print(f"{'nobody notices' if found == 'nobody' else 'took too long:'} {told(change)}", flush=True)
    line, enough = summary([kept[told(change)] for change in changes], len(drawn) - len(changes))
    print(line)
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
