from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.show.hexmap import LARGE, SMALL, Brick, Zoom, at_least, draw, size
from client.show.styled import ASCII, UNICODE, Line, line, plain
from engine.core.hexes import neighbour

HEXES = st.sets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=10)
ZOOMS = st.sampled_from([SMALL, LARGE])


def drawn(hexes: set[tuple[int, int]], zoom: Zoom, marks: tuple[str, ...] = ("",) * 6) -> list[str]:
    bricks = {at: Brick([line(f"{at[0]},{at[1]}.")], marks) for at in hexes}
    return [plain(each) for each in draw(bricks, zoom, UNICODE)]


@given(HEXES, ZOOMS)
def test_every_hex_is_on_the_map_once_and_the_map_is_as_large_as_said(hexes: set[tuple[int, int]], zoom: Zoom) -> None:
    lines = drawn(hexes, zoom)
    width, height = size(sorted(hexes), zoom)
    assert len(lines) == height
    assert max(map(len, lines)) == width
    text = "\n".join(lines)
    for q, r in hexes:
        assert sum(each.count(f"│{q},{r}.") for each in lines) == 1, text


@given(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), st.integers(0, 5), ZOOMS)
def test_a_hex_meets_each_of_its_six_neighbours_at_the_mark_of_that_edge(
    at: tuple[int, int], edge: int, zoom: Zoom
) -> None:
    other = neighbour(*at, edge)
    mine: list[str] = [""] * 6
    theirs: list[str] = [""] * 6
    mine[edge], theirs[(edge + 3) % 6] = "x", "y"
    both = {at: Brick([line("a")], mine), other: Brick([line("b")], theirs)}
    first = [plain(each) for each in draw({at: both[at], other: Brick([])}, zoom, UNICODE)]
    second = [plain(each) for each in draw({at: Brick([]), other: both[other]}, zoom, UNICODE)]
    [x] = [(row, each.index("x")) for row, each in enumerate(first) if "x" in each]
    [y] = [(row, each.index("y")) for row, each in enumerate(second) if "y" in each]
    assert x == y


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
    lines = draw({(0, 0): Brick([line("x")]), (1, 0): Brick([])}, LARGE, ASCII)
    assert all(plain(each).isascii() for each in lines)


def test_what_does_not_fit_is_cut_at_the_wall() -> None:
    [_, first, *_rest] = draw({(0, 0): Brick([line("12345678901")])}, SMALL, UNICODE)
    assert plain(first) == "│1234567│"


def test_a_wide_character_takes_two_columns() -> None:
    [_, first, *_rest] = draw({(0, 0): Brick([line("日本語語")])}, SMALL, UNICODE)
    assert plain(first) == "│日本語 │"


def test_styles_stay_with_their_letters() -> None:
    row: Line = line("1 ", ("seat-0", "A"), "x")
    [_, first, *_rest] = draw({(0, 0): Brick([row])}, SMALL, UNICODE)
    assert ("seat-0", "A") in first


def test_the_large_zoom_is_chosen_where_it_fits() -> None:
    row = [(at, -at) for at in range(6)]
    assert at_least(row[:6], 79) is LARGE
    assert at_least(row, 72) is SMALL
