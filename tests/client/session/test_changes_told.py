"""What a draft changes, as the figures of the seat before and after."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.session import notation
from client.session.notation import changes_of


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("coins 3 │ grain 4, ships 2", "coins 3 │ grain 5, ships 2", ["grain 4 → 5"]),
        ("coins 3 │ grain 4, ships 2", "coins 1 │ grain 5, ships 2", ["coins 3 → 1", "grain 4 → 5"]),
        ("coins 3 | grain 4", "coins 3 | grain 4", []),
        ("coins 3 │ grain 4", "coins 3 │ grain 4 │ ships 1", ["coins 3 │ grain 4 │ ships 1"]),
        ("coins 3 │ grain 4", "coins 3", ["coins 3"]),
        ("", "coins 3 │ grain 4", []),
    ],
)
def test_each_figure_that_changes_is_told_and_all_of_them_where_there_are_others(
    monkeypatch: pytest.MonkeyPatch, before: str, after: str, told: list[str]
) -> None:
    now: Any = SimpleNamespace(view="drafted")
    pictures: Any = SimpleNamespace(
        documents=SimpleNamespace(status=lambda frame: after if frame.view == "drafted" else before)
    )
    monkeypatch.setattr(notation, "replace", lambda _frame, view: SimpleNamespace(view=view))
    draft: Any = SimpleNamespace(values=["a pick"], view=lambda at: f"before answer {at}")
    assert list(changes_of(pictures, now, draft)) == told
    draft.values = []
    assert list(changes_of(pictures, now, draft)) == []
