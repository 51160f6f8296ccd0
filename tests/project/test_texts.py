"""Everything a person reads is in the catalogues, in every language."""

from __future__ import annotations

import ast
import gettext
import io
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted((ROOT / "client" / "locale").rglob("*.po"))


@pytest.mark.parametrize("folder", [(), ("tests/nim/starlock_nim",)], ids=["starlock", "a package"])
def test_catalogues_are_complete_current_and_have_the_same_placeholders(folder: tuple[str, ...]) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "texts.py"), "--check", *folder]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compiled_catalogue_holds_every_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    compiled = runpy.run_path(str(ROOT / "scripts" / "catalogues.py"))["compiled"]
    for path in CATALOGUES:
        spoken = gettext.GNUTranslations(io.BytesIO(compiled(path.read_text("utf-8"))))
        with path.open("rb") as file:
            for message in read_po(file):
                if not message.id or not message.string:  # what lacks a translation, the test above names
                    continue
                if isinstance(message.id, str):
                    said = (
                        spoken.pgettext(message.context, message.id) if message.context else spoken.gettext(message.id)
                    )
                    assert said == message.string
                else:
                    one, many = message.id
                    assert (spoken.ngettext(one, many, 1), spoken.ngettext(one, many, 2)) == tuple(message.string or ())


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


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_placeholder_of_the_help_has_one_name_in_each_language(path: Path) -> None:
    with path.open("rb") as file:
        said = {message.id: str(message.string) for message in read_po(file) if isinstance(message.id, str)}
    names = {text: name for text, name in said.items() if re.fullmatch(r"[A-Z]{2,}", text)}
    assert {"FILE", "TABLE", "TICKET", "GAME"} <= names.keys()
    wrong = [
        (text, translated)
        for text, translated in said.items()
        for word in re.findall(r"\b[A-Z]{2,}\b", text)
        if word in names and not re.search(rf"\b{names[word]}\b", translated)
    ]
    assert wrong == []


def test_every_placeholder_of_the_help_can_be_translated() -> None:
    literal = [
        f"{path.relative_to(ROOT)}:{node.lineno} {value.value}"
        for path in (ROOT / "client").rglob("*.py")
        if "metavar" in path.read_text("utf-8")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "metavar"
        and isinstance(value := keyword.value, ast.Constant)
        and isinstance(value.value, str)
        and len(value.value) > 1
    ]
    assert literal == []
