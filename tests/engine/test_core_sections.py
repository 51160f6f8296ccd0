from __future__ import annotations

import json
import linecache
from array import array
from typing import Any, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.sections import Column, Section, SectionError, column, compact, section

Kind = NewType("Kind", int)


@section
class Board(Section):
    money: Column
    turn: int
    kind: Kind
    name: str
    open: bool
    items: list[list[int | str]]
    names: list[str]
    piles: dict[str, list[int]]
    counts: dict[str, int]
    rows: list[Column]


shorts = st.lists(st.integers(-32768, 32767), max_size=6)
texts = st.text(st.characters(codec="utf-8"), max_size=4)
numbers = st.integers(-(10**20), 10**20)
boards = st.builds(
    Board,
    shorts.map(column),
    numbers,
    numbers.map(Kind),
    texts,
    st.booleans(),
    st.lists(st.lists(numbers | texts, max_size=3), max_size=3),
    st.lists(texts, max_size=3),
    st.dictionaries(texts, st.lists(numbers, max_size=3), max_size=3),
    st.dictionaries(texts, numbers, max_size=3),
    st.lists(shorts.map(column), max_size=2),
)
wild = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)


@given(boards)
def test_a_section_comes_back_from_its_dump(board: Board) -> None:
    back = Board.load(json.loads(json.dumps(board.dump())))
    assert back == board
    assert back.feed() == board.feed()


@given(boards)
def test_a_copy_is_equal_and_shares_nothing(board: Board) -> None:
    before, copy = compact(board.dump()), board.copy()
    assert (copy, copy.feed()) == (board, board.feed())
    copy.money.append(1)
    copy.items.append([1])
    for item in copy.items:
        item.append("x")
    for row in copy.rows:
        row.append(1)
    copy.names.append("x")
    for pile in copy.piles.values():
        pile.append(1)
    copy.piles["x"] = [1]
    copy.counts["x"] = 1
    assert compact(board.dump()) == before


@given(boards, boards)
def test_different_content_feeds_the_digest_differently(one: Board, other: Board) -> None:
    assert (one.feed() == other.feed()) == (compact(one.dump()) == compact(other.dump()))


@given(boards, st.sampled_from(sorted(Board.shapes)), wild)
def test_what_does_not_fit_is_refused_by_field(board: Board, field: str, odd: Any) -> None:
    data = {**board.dump(), field: odd}
    try:
        there = Board.load(data).dump()
    except SectionError as problem:
        there = {**data, problem.path.split(".")[0]: odd}
    assert there == data


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        ({"money": [1, 40000]}, "money.1", "from -32768 to 32767"),
        ({"money": "12"}, "money", "expected a list of numbers"),
        ({"turn": "1"}, "turn", "expected int"),
        ({"turn": True}, "turn", "expected int"),
        ({"items": [["a", None]]}, "items.0.1", "expected int|str, got nothing"),
        ({"piles": {"a": [1, "b"]}}, "piles.a.1", "expected int"),
        ({"extra": 1}, "extra", "is not a field"),
    ],
)
def test_a_refusal_names_the_place(change: dict[str, Any], path: str, problem: str) -> None:
    data = Board(column([1]), 1, Kind(1), "n", False, [], [], {}, {}, []).dump()
    with pytest.raises(SectionError) as caught:
        Board.load({**data, **change})
    assert caught.value.path == path
    assert problem in caught.value.problem
    del data["name"]
    with pytest.raises(SectionError, match="name: is missing"):
        Board.load(data)


@pytest.mark.parametrize(
    "hint", [float, set, list, dict, "list[float]", "dict[int, int]", "int | None", object, Any, bytes]
)
def test_a_hint_that_may_not_stand_in_a_position_is_refused_at_import(hint: Any) -> None:
    made = type("Odd", (Section,), {"__annotations__": {"field": hint}, "__module__": __name__})
    with pytest.raises(TypeError, match=r"Odd\.field: .* may not stand in a section"):
        section(made)


def test_writes_are_range_checked() -> None:
    board = Board(column([1]), 1, Kind(1), "n", False, [], [], {}, {}, [])
    with pytest.raises(OverflowError):
        board.money[0] = 32768
    with pytest.raises(AttributeError):
        board.extra = 1  # type: ignore[attr-defined]
    assert isinstance(board.money, array)


def test_generated_source_is_there_for_tracebacks() -> None:
    name = f"<section {__name__}.Board>"
    assert "def copy(s):" in "".join(linecache.getlines(name))
