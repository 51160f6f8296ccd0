"""Lint and types hold for everything."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

from sources import PACKAGES, ROOT, modules, parsed, walked

MAX_FUNCTION = 60


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_has_no_complaint() -> None:
    assert run("ruff", "check", "--quiet", "--output-format", "concise", ".") == ""


def test_mypy_has_no_complaint() -> None:
    assert run("mypy", "--no-error-summary") == ""


def test_a_function_fits_on_a_screen() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in modules(*PACKAGES)
        for node in walked(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION
    ]
    assert long == []


def test_nothing_is_left_to_be_done() -> None:
    words = ("NotImplemented" + "Error", "TO" + "DO", "FIX" + "ME", "XX" + "X")
    left = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in modules(*PACKAGES)
        for word in words
        if word in path.read_text("utf-8")
    ]
    assert left == []


def test_a_package_says_in_its_docstring_what_it_is() -> None:
    bare = [
        str(path.relative_to(ROOT))
        for path in modules(*PACKAGES)
        if path.name == "__init__.py" and not ast.get_docstring(parsed(path))
    ]
    assert bare == []


def test_one_space_follows_a_full_stop() -> None:
    double = re.compile(r"[a-z`)][.?!] {2}[A-Z]")
    wide = [
        f"{path.relative_to(ROOT)}: {found[0]!r}"
        for path in modules(*PACKAGES, "tests")
        if (found := double.search(path.read_text("utf-8")))
    ]
    assert wide == []
