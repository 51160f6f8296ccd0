"""Everything a person reads is in the catalogues, in every language."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_catalogues_are_complete_current_and_have_the_same_placeholders() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "texts.py"), "--check"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_texts_are_found_wherever_they_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    found = runpy.run_path(str(ROOT / "scripts" / "texts.py"))["texts"]
    marked = """f"{_('inside')} {n}", N_('marked'), ngettext('one', 'many', n), pgettext('where', 'here')"""
    source = f"{marked}, other('none'), _(x)"
    assert list(found(ast.parse(source))) == [
        ("inside", None),
        ("marked", None),
        (("one", "many"), None),
        ("here", "where"),
    ]
