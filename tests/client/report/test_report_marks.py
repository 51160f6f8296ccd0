"""What the page of a game does not check itself it marks as told, whatever its writer put there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agreement import told_items, told_of
from report_pages import (
    checked,
    data_of,
    drawn_altered,
    left_star,
    needs_node,
    page_of,
    taken_back_star,
    unsigned_star,
    watched_star,
    whole_star,
)
from volume import VOLUME, gated

from seeds.streams import dice


@needs_node
@pytest.mark.slow
def test_every_fact_on_the_page_is_checked_or_marked_as_told(tmp_path: Path) -> None:
    """One fact after the other is altered, and the page drawn again: it turns red, or no word differs but those that it
    marks as told."""
    for star, most in [(left_star, min(VOLUME, 2)), (whole_star, 2), (taken_back_star, 4)][:VOLUME]:
        path = tmp_path / "page.html"
        path.write_bytes(page_of(star()))
        usual, *rows, last = drawn_altered(path, most)
        assert (usual["verdict"], usual["differ"]) == ("yes", [])
        assert last["title"].endswith(": Player 0, Player 1, Player 2") or star is whole_star
        wrong = [row for row in rows if row["verdict"] != "no" and not {*row["differ"]} <= {"told"}]
        assert wrong == []
        assert len(rows) >= 40 * min(most, 2)
        told = [row for row in rows if row["verdict"] == "yes" and row["differ"]]
        assert len(told) >= 30 * min(most, 2)
        found = {row["code"] for row in rows if row["verdict"] == "no"}
        assert found & {"told/form", "entry/other-head"}
        assert ("told/other-points" in found) is (star is whole_star), "points are checked where their end is signed"
        assert {*last["drawn"]} == {"none", "told", "signed", "computed"}
        assert not [text for text in last["drawn"]["none"] if not text.startswith("{")]


@needs_node
def test_a_roll_that_no_head_holds_is_marked_as_told(tmp_path: Path) -> None:
    """Nobody has signed how many sides its dice have: they are altered, and the faces that follow from that."""
    html, path = page_of(unsigned_star()), tmp_path / "page.html"
    data = data_of(html)
    items = told_items(data["facts"]["hints"]["told"])
    height, (_roll, _tag, sides), _ended, [[_result, [value, _faces]]] = items[-2]
    sides[:] = [20 for _ in sides]
    items[-2][3] = [["result", [value, dice(value, sides)]]]
    path.write_bytes(html)
    usual, false, last = drawn_altered(path, [("hints.told", told_of(items))])
    assert (usual["verdict"], false["verdict"], false["differ"]) == ("yes", "yes", ["told"])
    assert any(text.startswith(f"step {height}, ") for text in last["drawn"]["told"])
    (report,) = checked(path)
    assert "last" in report["unchecked"]
    assert report["signed"] <= height == report["shown"]["rolls"][-1]["height"]


FOUGHT = {"height": 1, "round": 1, "space": "Center", "sides": [], "odds": None, "told": []}
"""A battle as a page tells it."""
IMITATED = "outside from signed"
FORGED: Sequence[tuple[str, Any]] = [
    ("story.0", [1, "Player 1: I give up.", "signed"]),
    ("story.0", [1, "Player 1: I give up.", "chat", "signed"]),
    ("story.0", [1, "signed", "Player 1: I give up.", "signed"]),
    ("story.0", [1, "Player 1: I give up.", IMITATED, ""]),
    ("story", []),
    ("rounds", [{"round": 1, "height": 1e9}]),
    ("undone", [[1, "Player 0 rolled 6 6 6; a vote undid that"]]),
    ("seats.0.name", "\u0420layer 1"),
    ("seats.0.name", "Player 1\u200b"),
    ("battles", [{**FOUGHT, "sides": [[IMITATED, "2 cruisers", ""], [-1, "1 ancient", "1 ancient"]]}]),
    ("battles", [{**FOUGHT, "odds": [IMITATED, "0 from computed", 0.5, 0.5]}]),
    ("battles", [{**FOUGHT, "told": [[0, "", [["0 from signed", "", "signed by members", None]]]]}]),
    ("course.pictures", [["What this proves", ["<ul><li>that Player 1 has won</li></ul>"], [0] * 99]]),
    ("course.pictures", [["", [f'<b class="{IMITATED}">1</b><small class="from signed">2</small>'], [0] * 99]]),
    ("course.pictures", []),
    ("luck", ["Player 0 was lucky.", "signed by members"]),
    ("seen", [[1, "Player 1 held the cards"]]),
    ("verifier", ["0.1.0", "0" * 64]),
    ("verifier", None),
    ("why", "Player 1 has won."),
    ("complete", True),
    ("moments.0", {"round": IMITATED, "height": 0}),
    ("hints.refused", []),
]


@needs_node
@pytest.mark.slow
def test_no_told_word_takes_the_mark_of_another_source(tmp_path: Path) -> None:
    """Facts of forms that a page never has: a line of the story that says itself where it comes from, classes of marks
    in place of seats."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(taken_back_star()))
    usual, *rows, last = drawn_altered(path, FORGED)
    assert (usual["verdict"], usual["imitated"]) == ("yes", 0)
    assert len(rows) == len(FORGED)
    assert [row for row in rows if row["verdict"] == "no"] == []
    assert [row for row in rows if not {*row["differ"]} <= {"told"} or row["imitated"]] == []
    assert any("rolled" in text for text in last["drawn"]["computed"])


@needs_node
@pytest.mark.parametrize("name", gated(["story", "undone", "rounds"], 1))
def test_no_page_is_intact_that_does_not_show_what_votes_have_undone(name: str, tmp_path: Path) -> None:
    """What was told has a form that cannot be drawn, and so what members signed is not drawn either."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(taken_back_star()))
    usual, altered, _last = drawn_altered(path, [(name, None)])
    assert (usual["verdict"], altered["verdict"]) == ("yes", "no")


@needs_node
def test_a_word_of_chat_by_somebody_outside_the_table_is_marked_so(tmp_path: Path) -> None:
    """Whoever writes a page can make a key for it."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(watched_star()))
    usual, last = drawn_altered(path, [])
    assert usual["verdict"] == "yes"
    assert [text for text in last["drawn"]["outside"] if text.endswith("cheats.")]
    assert not [text for text in last["drawn"]["signed"] if text.endswith("cheats.")]
