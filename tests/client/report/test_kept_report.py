"""The data of a report, its rows and one position of it, as kept in tests/client/report/data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from kept import compared
from replaying import STARS
from test_kept_proof import silent

from client.proof.audit import judged, read_game
from client.proof.walk import walk_of
from client.report.course import map_at
from client.report.facts import facts, hints, title
from client.report.position import game_heading, position_fields, position_lines
from client.report.rows.files import Form, write
from client.show.styled import UNICODE

KEPT: Final = Path(__file__).with_name("data")


def rows(value: Any, deep: int = 2) -> list[str]:
    """Data as JSON, lists and maps in rows."""
    if deep and isinstance(value, dict):
        return [f"{name}: {row}" for name, each in value.items() for row in rows(each, deep - 1)]
    if deep and isinstance(value, list | tuple):
        return [f"{at} {row}" for at, each in enumerate(value) for row in rows(each, deep - 1)]
    return [json.dumps(value, ensure_ascii=False)[:300]]


@pytest.mark.parametrize("name", ["nim.1", "emperor-left.1"])
def test_the_data_of_a_game_is_as_it_is_kept(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.report.facts.page_hash", lambda: "hash")
    monkeypatch.setattr("client.report.facts.__version__", "version")
    log = read_game(STARS / f"{name}.star", silent)
    walk = walk_of(log, name, silent)
    out = [*game_heading(walk)]
    match = walk.match_at(walk.last // 2)
    assert match is not None
    out += position_lines(walk, match, walk.last // 2, UNICODE)
    out += rows(position_fields(walk, match, walk.last // 2))[:40]
    out += [map_at(match, walk)[:400]]
    judged(log, silent, lambda found: out.extend([title(found), *rows(facts(found)), *rows(hints(found))]))
    forms: tuple[Form, ...] = ("csv", "jsonl")
    for form in forms:
        (tmp_path / form).mkdir()
        out.append(str(write([walk], tmp_path / form, form)))
        for file in sorted((tmp_path / form).iterdir()):
            out += [f"-- {file.name}", *file.read_text("utf-8").splitlines()[:12]]
    compared(KEPT / f"{name}.txt", "\n".join(out).replace(log.program, "VERSION") + "\n")
