# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of many parts on the full screen: each picked part is a row that ← and → or a click on its signs change."""

from __future__ import annotations

import random

import pytest
from screen_game import Solo

from client.fronts.screen.front import Front
from client.session.view import view_of
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system import texts


def asked(name: str, word: str, glyphs: Glyphs = UNICODE) -> Solo:
    """A table with this question, nothing picked."""
    for seed in range(1, 9):
        table, rng = Solo(name, seed, glyphs), random.Random(seed)
        for _ in range(300):
            draft = table.session.asking.draft
            if draft is None or table.match.over:
                break
            if draft.ask is not None and draft.ask.word == word and not draft.so_far:
                table.front.draw(80, 24)
                return table
            table.play(1, rng)
    raise AssertionError(word)


def sign(front: Front, text: str, shown: str) -> tuple[int, int]:
    """Where a sign stands in the row with a text."""
    rows = [plain(each) for each in front.draw(80, 24).lines]
    y = next(at for at, row in enumerate(rows) if text in row and shown in row[row.index(text) :])
    return rows[y].index(shown, rows[y].index(text)), y


def test_a_part_that_is_picked_can_be_changed_while_the_rest_stays() -> None:
    table = asked("rex", "deploy")
    front, session = table.front, table.session
    front.press("3")
    front.press("1")
    before = view_of(session).picked[0].split()
    entries = front.scene.entries(front.ui)
    assert [entry.part for entry in entries] == [0, 1]
    front.press("down")
    front.press("right")
    assert view_of(session).picked[0].split() != before
    assert front.ui.cursor == 0  # still on the changed part
    front.press("left")
    assert view_of(session).picked[0].split() == before


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_a_click_on_the_signs_beside_a_number_or_a_part_sets_it(glyphs: Glyphs) -> None:
    table = asked("rex", "bid", glyphs)
    front = table.front
    up, down = ("▸", "◂") if glyphs is UNICODE else (">", "<")
    x, y = sign(front, "Bid 1", down)
    front.click(x + 4, y)  # ◂ 1 ▸
    assert "Bid 2" in "".join(plain(each) for each in front.draw(80, 24).lines)
    assert sign(front, "Bid 2", up)[0] == x + 4
    front.click(*sign(front, "Bid 2", down))
    assert "Bid 1" in "".join(plain(each) for each in front.draw(80, 24).lines)
    assert view_of(table.session).picked == []


def test_what_is_picked_of_an_answer_is_shown_whole_where_its_advice_has_no_room() -> None:
    texts.use("es")
    try:
        table = asked("emperor", "trade")
        front = table.front
        front.press("1")
        front.press("1")
        shown = " ".join(plain(each)[46:].strip() for each in front.draw(80, 24).lines)
        parts = front.scene.view.parts
        assert parts
        assert "Hasta ahora: " + ", ".join(part.titles[part.chosen] for part in parts) in " ".join(shown.split())
    finally:
        texts.use("en")
