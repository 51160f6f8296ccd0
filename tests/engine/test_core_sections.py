from __future__ import annotations

import json
import pickle
import traceback
from array import array
from typing import Annotated, Any, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import sections
from engine.core.sections import (
    LARGEST,
    Column,
    Grid,
    Section,
    SectionError,
    column,
    compact,
    flat,
    grid,
    row_of,
    section,
)

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
numbers = st.integers(-LARGEST, LARGEST)
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
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | texts,
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
        ({"turn": -LARGEST - 1}, "turn", "expected a number up to 1000000"),
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


def test_tracebacks_show_the_generated_source() -> None:
    copy: Any = Board.copy
    with pytest.raises(AttributeError) as seen:
        copy(object())
    assert "c.money = s.money.__copy__()" in "".join(traceback.format_exception(seen.value))


# Grids


@section
class Fleet(Section):
    yards: Column
    ships: Annotated[Grid, "yards", 2]
    cargo: Annotated[Grid, "yards", 2, -1]


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    yards, holds = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    made = Fleet(column(range(yards)), grid(yards, 2), grid(yards, 2, holds, fill=-1))
    for numbers in (flat(made.ships), flat(made.cargo)):
        for at in range(len(numbers)):
            numbers[at] = draw(st.integers(-32768, 32767))
    return made


@given(fleets())
def test_a_grid_is_its_column_row_after_row(fleet: Fleet) -> None:
    assert flat(fleet.cargo) == column(fleet.dump()["cargo"])
    yards, sides, holds = fleet.cargo.shape
    dumped = fleet.dump()
    for yard in range(yards):
        assert row_of(fleet.ships, yard).tolist() == [fleet.ships[yard, side] for side in range(sides)]
        assert row_of(fleet.cargo, yard).tolist() == dumped["cargo"][yard * sides * holds :][: sides * holds]
        for side in range(sides):
            assert (
                fleet.ships[yard, side]
                == dumped["ships"][yard * sides + side]
                == flat(fleet.ships)[yard * sides + side]
            )
            assert row_of(fleet.cargo, yard, side).tolist() == [fleet.cargo[yard, side, at] for at in range(holds)]


@given(fleets(), st.data())
def test_a_write_to_a_grid_is_dumped_digested_and_in_no_copy(fleet: Fleet, data: st.DataObject) -> None:
    before, copy, unread = fleet.dump(), fleet.copy(), fleet.unread_copy()
    yard, side, hold = (data.draw(st.integers(0, size - 1)) for size in fleet.cargo.shape)
    fleet.cargo[yard, side, hold] = 7 - (fleet.cargo[yard, side, hold] == 7)
    assert fleet.dump() != before
    assert fleet.feed() != copy.feed() == unread.feed()
    assert copy.dump() == unread.dump() == unread.copy().dump() == Fleet.load(before).dump() == before
    assert (copy, fleet.copy()) == (Fleet.load(before), fleet)
    assert unread.copy().cargo[yard, side, hold] == copy.cargo[yard, side, hold] != fleet.cargo[yard, side, hold]


@given(fleets())
def test_a_section_with_grids_comes_back_from_pickle(fleet: Fleet) -> None:
    again = pickle.loads(pickle.dumps(fleet))
    assert again == fleet
    assert again.cargo[0, 1, 0] == fleet.cargo[0, 1, 0]
    assert pickle.loads(pickle.dumps(fleet.unread_copy())) == fleet


@pytest.mark.parametrize(
    ("yards", "change", "path"),
    [
        ([1, 2], {"ships": [0] * 3}, "ships"),
        ([1, 2], {"cargo": [0] * 6}, "cargo"),
        ([1, 2], {"cargo": []}, "cargo"),
        ([], {"ships": [], "cargo": []}, "ships"),
    ],
)
def test_a_grid_of_another_size_is_refused(yards: list[int], change: dict[str, Any], path: str) -> None:
    data = Fleet(column([1, 2]), grid(2, 2), grid(2, 2, 3)).dump()
    with pytest.raises(SectionError, match=r"expected .* numbers") as caught:
        Fleet.load({**data, "yards": yards, **change})
    assert caught.value.path == path


def test_a_grid_takes_no_place_or_number_that_it_does_not_have() -> None:
    fleet = Fleet(column([1, 2]), grid(2, 2), grid(2, 2, 3))
    with pytest.raises(IndexError):
        fleet.ships[2, 0] = 1
    with pytest.raises(IndexError):
        fleet.ships[0, 2]  # the flat column has this number, one row further
    with pytest.raises(ValueError, match="for format 'h'"):
        fleet.ships[0, 0] = 32768


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(PLAIN)
def test_compact_text_is_the_json_of_the_standard_library(value: Any) -> None:
    assert compact(value) == json.dumps(value, separators=(",", ":"))


def test_compact_text_is_the_same_where_python_has_no_encoder_in_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "c_make_encoder", None)
    value = [["", 1, "é"], {"k": [None, True]}, []]
    assert sections.compact_encoder()(value) == compact(value)


def test_compact_text_refuses_what_json_does_not_know() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        compact([object()])
