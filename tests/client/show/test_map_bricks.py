from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.show.document import Chart
from client.show.lines import lines
from client.show.map import LARGE, SMALL, Map, MapPlace, Way, Zoom, bricks, chart, map_document
from client.show.styled import ASCII, UNICODE, Glyphs, Line, line, plain
from engine.core.dataclass import replace
from engine.core.hexes import neighbour

HEXES = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=10)
ZOOMS = st.sampled_from([SMALL, LARGE])


def mapped(hexes: Mapping[tuple[int, int], Line], ways: Sequence[Way] = ()) -> Map:
    def place(at: tuple[int, int], row: Line) -> MapPlace:
        return MapPlace("{},{}".format(*at), (0, 0), str, tuple, at, lambda *_room: [row])

    return Map("a map", [place(at, row) for at, row in hexes.items()], ways)


def text_of(shown: Map, zoom: Zoom, glyphs: Glyphs = UNICODE) -> list[str]:
    return [plain(each) for each in chart(shown, zoom, glyphs).lines]


def drawn(hexes: set[tuple[int, int]], zoom: Zoom) -> list[str]:
    return text_of(mapped({at: line(f"{at[0]},{at[1]}.") for at in hexes}), zoom)


@given(HEXES, ZOOMS)
def test_every_hex_is_on_the_map_once_and_the_map_has_room_for_no_other(
    hexes: set[tuple[int, int]], zoom: Zoom
) -> None:
    lines = drawn(hexes, zoom)
    corners = [bricks(at, zoom)[:2] for at in hexes]
    width, height = (max(each) - min(each) for each in zip(*corners, strict=True))
    assert len(lines) == height + zoom.height + 1
    assert max(map(len, lines)) == width + zoom.width + 1
    text = "\n".join(lines)
    for q, r in hexes:
        assert sum(each.count(f"│{q},{r}.") for each in lines) == 1, text


@given(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), st.integers(0, 5), ZOOMS)
def test_a_way_is_marked_once_on_the_wall_between_two_hexes_from_either_side(
    at: tuple[int, int], edge: int, zoom: Zoom
) -> None:
    other = neighbour(*at, edge)
    one, two = ("{},{}".format(*each) for each in (at, other))
    hexes = {at: line("a"), other: line("b")}
    there, back = (text_of(mapped(hexes, [Way(*ends)]), zoom) for ends in ((one, two), (two, one)))
    assert there == back
    x, y = next((row.index("○"), down) for down, row in enumerate(there) if "○" in row)
    spots = chart(mapped(hexes), zoom, UNICODE).spots
    assert sum(row.count("○") for row in there) == 1
    assert all(spot.x - 1 <= x <= spot.x + spot.width and spot.y - 1 <= y <= spot.y + spot.height
               for spot in spots.values())  # fmt: skip
    half = text_of(mapped(hexes, [Way(one, two, whole=False)]), zoom)
    assert [row.replace("·", "○") for row in half] == there != half


def test_a_way_between_hexes_that_do_not_touch_is_not_marked() -> None:
    hexes = {(0, 0): line("a"), (2, 0): line("b")}
    assert "○" not in "".join(text_of(mapped(hexes, [Way("0,0", "2,0")]), LARGE))


@pytest.mark.parametrize("edge", range(6))
@pytest.mark.parametrize("zoom", [SMALL, LARGE])
def test_a_way_out_of_the_part_that_is_drawn_is_marked_on_its_outer_wall(edge: int, zoom: Zoom) -> None:
    other = neighbour(0, 0, edge)
    here, there = ("{},{}".format(*each) for each in ((0, 0), other))
    shown = mapped({(0, 0): line("a"), other: line("b")}, [Way(here, there)])
    alone, marked = (
        [plain(each) for each in chart(each, zoom, UNICODE, [here]).lines] for each in (replace(shown, ways=()), shown)
    )
    ((y, x),) = ((y, x) for y, row in enumerate(marked) for x, mark in enumerate(row) if mark != alone[y][x])
    assert marked[y][x] == "○"
    assert alone[y][x] in "│─", "it lies on a wall of the one hex that is drawn"


def test_one_hex_is_a_rectangle() -> None:
    assert drawn({(0, 0)}, SMALL) == ["┌───────┐", "│0,0.   │", "│       │", "└───────┘"]


def test_walls_join_where_bricks_meet() -> None:
    assert drawn({(0, 0), (1, -1), (1, 0)}, SMALL) == [
        "┌───────┬───────┐",
        "│0,0.   │1,-1.  │",
        "│       │       │",
        "└───┬───┴───┬───┘",
        "    │1,0.   │",
        "    │       │",
        "    └───────┘",
    ]


def test_ascii_has_no_box_characters() -> None:
    assert all(each.isascii() for each in text_of(mapped({(0, 0): line("x"), (1, 0): ()}), LARGE, ASCII))


def test_what_does_not_fit_is_cut_at_the_wall() -> None:
    [_, first, *_rest] = text_of(mapped({(0, 0): line("12345678901")}), SMALL)
    assert first == "│1234567│"


def test_a_wide_character_takes_two_columns() -> None:
    [_, first, *_rest] = text_of(mapped({(0, 0): line("日本語語")}), SMALL)
    assert first == "│日本語 │"


def test_styles_stay_with_their_letters() -> None:
    row: Line = line("1 ", ("seat-0", "A"), "x")
    [_, first, *_rest] = chart(mapped({(0, 0): row}), SMALL, UNICODE).lines
    assert ("seat-0", "A") in first


def test_the_first_map_that_fits_is_shown_and_if_none_does_the_middle_of_the_last() -> None:
    wide, narrow = Chart([line("0123456789", ("here", "abcdefghij"))]), Chart([line("0123456789")])
    assert map_document(["Ann"], 10, [wide, narrow, wide])[0] is narrow
    cut, told, seats = lines(map_document(["Ann"], 10, [wide]), 80)
    assert cut == (("", "56789"), ("here", "abcde"))
    assert "wider than the terminal" in plain(told)
    assert plain(seats).strip() == "A Ann"
