"""What the person wished for in the lobby is marked and said when the game asks; else what is advised is marked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.fronts.screen.question import Question

OPTIONS = ["hacan", "terran", "hydran"]


@pytest.mark.parametrize(
    ("wish", "advised", "listed", "cursor", "said"),
    [
        ("terran", None, (0, 1, 2), 1, "You wished for TERRAN: it is marked."),
        ("terran", "hacan", (2, 1), 1, "You wished for TERRAN: it is marked."),
        ("none", "hydran", (0, 1, 2), 2, ""), ("", "hydran", (2,), 0, ""), ("terran", "hacan", (0, 2), None, ""),
        ("none", None, (0, 1, 2), None, ""), ("none", "none", (0, 1, 2), None, ""),
    ],
)  # fmt: skip
def test_it_is_marked_where_it_is_listed(
    wish: str, advised: str | None, listed: tuple[int, ...], cursor: int | None, said: str
) -> None:
    told: list[tuple[str, str]] = []
    view = SimpleNamespace(
        draft=SimpleNamespace(ask="ask", so_far=()), choices=SimpleNamespace(options=OPTIONS), wish=wish,
        pictures=SimpleNamespace(fights=SimpleNamespace(advised=lambda *_given: advised)), frame=lambda: None,
        display_names=str.upper,
    )  # fmt: skip
    pane: Any = SimpleNamespace(
        _view=view, _ui=SimpleNamespace(cursor=None),
        _doing=SimpleNamespace(say=lambda text, look: told.append((text, look))),
        listed=lambda: [SimpleNamespace(option=each) for each in listed], _best=lambda: Question._best(pane),
    )  # fmt: skip
    Question.preferred(pane)
    assert pane._ui.cursor == cursor
    assert told == ([(said, "picked")] if said else [])
    view.choices = None
    pane._ui.cursor = "before"
    Question.preferred(pane)
    assert pane._ui.cursor == "before"
