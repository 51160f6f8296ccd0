"""Lint and types hold for everything."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from sources import PACKAGES, ROOT, modules, parsed, walked

MAX_FUNCTION = 60
EXAMPLES = ("docs/LIBRARY.md", "docs/API.md", "README.md", "CONTRIBUTING.md", "engine/__init__.py")
"""Where documents and docstrings have examples in Python."""


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_ruff_has_no_complaint() -> None:
    assert run("ruff", "check", "--quiet", "--output-format", "concise", ".") == ""


def examples(page: str) -> Iterator[str]:
    """The programs of a page or a docstring: its sessions with Python as one, and each other example in Python."""
    text = (ROOT / page).read_text("utf-8")
    if page.endswith(".py"):
        yield from map(dedent, (ast.get_docstring(ast.parse(text)) or "").split("::\n\n")[1:])
    else:
        yield doctest.script_from_examples(text)
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        yield from (block for block in blocks if ">>> " not in block)


@pytest.mark.slow  # a minute or two where nothing is kept of an earlier run
def test_mypy_has_no_complaint_about_the_project_and_the_examples_of_its_documents(tmp_path: Path) -> None:
    """The examples are checked as those of somebody who has installed starlock."""
    for page in EXAMPLES:
        for number, program in enumerate(filter(str.strip, examples(page))):
            name = f"{Path(page).stem.lower()}_{number}.py"
            (tmp_path / name).write_text(program, "utf-8")
    assert {path.name for path in tmp_path.iterdir()} >= {"library_0.py", "api_0.py", "__init___0.py"}
    files = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["files"]
    assert run("mypy", "--no-error-summary", *files, str(tmp_path)) == ""


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
