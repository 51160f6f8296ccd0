"""The pane that asks, in little room: nothing that a row does is cut away, and reasons are counted truly."""

from __future__ import annotations

import random

from screen_game import Solo

from client.fronts.screen.asking import asking, entries_of
from client.show.styled import plain


def rows(table: Solo, width: int, height: int) -> list[str]:
    return [plain(each) for each in asking(table.front.scene, table.front.ui, width, height)]


def test_a_row_that_changes_a_picked_part_keeps_its_arrows_where_its_text_is_cut() -> None:
    table = Solo("emperor", 3)
    for key in ("1", "s", "1", "s", "1", "1", "s", "1"):  # up to the space of a tile
        table.press(key)
    *others, entry = table.front.scene.entries(table.front.ui)
    assert entry.part >= 0
    table.front.ui.cursor = len(others) - 1  # the row at the cursor is shown whole
    assert entry.stage is not None
    assert any(
        f"… ◂ {entry.stage.chosen + 1}/{len(entry.stage.titles)} ▸" in " ".join(row.split())
        for row in rows(table, 18, 12)
    )


def test_reasons_are_called_more_only_under_others() -> None:
    table = Solo("emperor", 3)
    found = set[str]()
    for height in range(6, 60):
        shown = rows(table, 34, height)
        reasons = [row for row in shown if row.startswith("x ")]
        assert not (reasons and reasons[0].split()[2:3] == ["more"])
        found |= {row.split(",")[0] for row in reasons}
    assert "x not possible" in found


def test_the_first_row_of_the_marked_option_is_shown_in_any_room() -> None:
    table = Solo("eclipse2", 3)
    table.play(6, random.Random(1))
    entries = table.front.scene.entries(table.front.ui)
    assert len(entries) > 4
    for width in (20, 34):
        for height in range(1, 24):
            for cursor, entry in enumerate(entries):
                table.front.ui.cursor = cursor
                pane = asking(table.front.scene, table.front.ui, width, height)
                first = next((row for row in pane if cursor in entries_of([row])), None)
                assert first is not None, (width, height, cursor)
                assert entry.title.split()[0][: width - 8] in plain(first)
