"""The pane that asks, in little room: nothing that a row does is cut away, and reasons are counted truly."""

from __future__ import annotations

from screen_game import Solo

from client.screen.asking import asking
from client.show.styled import plain


def rows(table: Solo, width: int, height: int) -> list[str]:
    return [plain(each) for each in asking(table.front.scene, table.front.ui, width, height).lines]


def test_a_row_that_changes_a_picked_part_keeps_its_arrows_where_its_text_is_cut() -> None:
    table = Solo("emperor", 3)
    for key in ("1", "s", "1", "s", "1", "1", "s", "1"):  # up to the space of a tile
        table.press(key)
    *others, entry = table.front.scene.entries(table.front.ui)
    assert entry.part >= 0
    table.front.ui.cursor = len(others) - 1  # the row at the cursor is shown whole
    assert any(f"… ◂ {entry.chosen[0]}/{entry.chosen[1]} ▸" in " ".join(row.split()) for row in rows(table, 18, 12))


def test_reasons_are_called_more_only_under_others() -> None:
    table = Solo("emperor", 3)
    found = set[str]()
    for height in range(6, 60):
        shown = rows(table, 34, height)
        reasons = [row for row in shown if row.startswith("x ")]
        assert not (reasons and reasons[0].split()[2:3] == ["more"])
        found |= {row.split(",")[0] for row in reasons}
    assert "x not possible" in found
