"""Every sentence of a rule document is held by tests that exist, or settled by a ruling that does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.core.registry import game

TESTS = Path(__file__).parent.parent
DOCUMENTS = sorted((TESTS / "rules").glob("*.toml"))
NAMES = {
    f"{path.stem}::{name}"
    for path in TESTS.rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
}


def lines() -> list[Any]:
    documents = [tomllib.loads(path.read_text("utf-8")) for path in DOCUMENTS]
    return [
        pytest.param(document["game"], line, id=f"{document['document']}-{at}")
        for document in documents
        for at, line in enumerate(document["line"], 1)
    ]


@pytest.mark.parametrize(("id", "line"), lines())
def test_a_sentence_is_held_by_tests_or_settled_by_a_ruling(id: str, line: dict[str, Any]) -> None:
    rulings = {ruling.id for ruling in game(id).rulings}
    assert set(line) <= {"section", "text", "tests", "ruling"}
    assert line.get("tests") or "ruling" in line, line["text"]
    assert line.get("ruling", "") in {"", *rulings}
    assert [name for name in line.get("tests", ()) if name not in NAMES] == [], line["text"]


def test_the_rule_document_of_the_second_edition_is_covered() -> None:
    assert "000" in [path.stem for path in DOCUMENTS]
