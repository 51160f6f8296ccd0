"""Clicks, drags and the wheel on the full screen of a table."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import SIZES
from prompt_toolkit.data_structures import Point
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseModifier
from prompt_toolkit.mouse_events import MouseEventType as Mouse
from screen_game import Solo, shared

from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item
from client.fronts.kit.surface import Surface
from client.fronts.screen import galaxy
from client.fronts.screen.layout import sizes, zoom_of
from client.fronts.screen.scene import Focus
from client.show.styled import plain
from engine.core.registry import GAMES


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(SIZES), st.integers(0, 2), st.data())
def test_a_click_goes_to_the_space_that_is_drawn_there(
    name: str, size: tuple[int, int], zoom: int, data: st.DataObject
) -> None:
    table = shared(name)
    front = table.front
    front.ui.zoom, front.page, front.ui.pan, front.ui.looking = zoom, None, None, False
    drawn = front.draw(*size)
    x = data.draw(st.integers(0, sizes(*size).map - 1))
    y = data.draw(st.integers(1, sizes(*size).body))
    chart, at = front.scene.chart(zoom_of(front.scene, front.ui, sizes(*size))), sizes(*size)
    left, top = galaxy.corner(chart, front.ui.place, None, at.map, at.body)
    row, column = y - 1 + top, x + left
    seen = (
        place
        for place, spot in chart.spots.items()
        if spot.x <= column < spot.x + spot.width and spot.y <= row < spot.y + spot.height
    )
    there = next(seen, "")
    hit = drawn.at(x, y)
    assert hit is not None
    assert hit.value == (there or Focus.MAP.value)
    if there and there != front.ui.place:
        front.click(x, y)
        assert front.ui.place == there
        again = front.draw(*size).at(x, y)
        assert again is not None
        assert again.value == there  # for a second click
    front.ui.zoom, front.ui.pane, front.ui.pan = None, Focus.ASK, None


def test_a_second_click_chooses_what_the_first_one_marked_wherever_it_is_drawn_by_then() -> None:
    table = Solo("eclipse2")
    front = table.front
    spot = next(hit for hit in front.draw(80, 24).hits if hit.what == "entry" and hit.value == "1")
    wanted = front.scene.entries(front.ui)[1].title
    for _click in range(2):
        front.draw(80, 24)
        front.click(spot.x, spot.y)
    assert front.scene.view.titles == (wanted,)


def test_a_click_on_what_has_gone_since_it_was_drawn_does_nothing() -> None:
    table = Solo("eclipse2")
    front = table.front
    drawn = front.draw(80, 24)
    last = max((hit for hit in drawn.hits if hit.what == "entry"), key=lambda hit: int(hit.value))
    table.press("1")  # the next frame has other entries
    before = front.ui.cursor, front.scene.view.titles
    front.click(last.x, last.y)
    assert (front.ui.cursor, front.scene.view.titles) == before


def test_a_second_click_chooses_nothing_on_a_page_that_has_opened_since_the_first() -> None:
    table = Solo("eclipse2")
    front, done = table.front, list[str]()
    front.open(Page("What can be done", items=lambda: [Item("one", "1", lambda: done.append("one"))]))
    spot = next(hit for hit in front.draw(80, 24).hits if hit.what == "item")
    front.click(spot.x, spot.y)
    front.open(Page("Another page", items=lambda: [Item("two", "1", lambda: done.append("two"))]))
    front.draw(80, 24)
    front.click(spot.x, spot.y)
    assert done == []


def test_a_map_is_dragged_where_it_is_whatever_has_the_focus() -> None:
    table = Solo("eclipse2")
    front, surface = table.front, Surface(table.front)
    front.ui.zoom = 2
    front.draw(80, 24)
    place, pane = front.ui.place, front.ui.pane
    for kind, x, y in ((Mouse.MOUSE_DOWN, 30, 15), (Mouse.MOUSE_MOVE, 28, 12), (Mouse.MOUSE_UP, 28, 12)):
        surface.mouse(MouseEvent(Point(x, y), kind, MouseButton.LEFT, frozenset()))
    at, chart = sizes(80, 24), front.scene.chart(2)
    left, top = galaxy.corner(chart, place, None, at.map, at.body)
    assert galaxy.corner(chart, place, front.ui.pan, at.map, at.body) == (left + 2, top + 3)
    assert (front.ui.place, front.ui.pane) == (place, pane)  # the end of a drag is no click
    front.ui.pan = None
    shifted = frozenset({MouseModifier.SHIFT})
    surface.mouse(MouseEvent(Point(30, 15), Mouse.SCROLL_UP, MouseButton.NONE, shifted))
    assert galaxy.corner(chart, place, front.ui.pan, at.map, at.body) == (left - 12, top)  # the wheel with Shift


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(list(GAMES)), st.sampled_from([*SIZES, (60, 18), (90, 30)]), st.sampled_from(["", "?", "c-p", "f2"])
)
def test_all_that_can_be_clicked_lies_where_it_is_drawn(name: str, size: tuple[int, int], page: str) -> None:
    front = shared(name).front
    front.page, front.ui.pane = None, Focus.ASK
    if page:
        front.press(page)
    drawn = front.draw(*size)
    listed, rows = front.scene.entries(front.ui), dict[str, list[str]]()
    for hit in drawn.hits:
        assert 0 <= hit.x < hit.x + hit.width <= size[0]
        text = plain(drawn.lines[hit.y])[hit.x : hit.x + hit.width]
        if hit.what == "key" and hit.value != "!":
            assert hit.value in text
        elif hit.what == "entry":
            number = f"{int(hit.value) + 1} "
            found = listed[int(hit.value)]
            rows.setdefault(hit.value, []).append(text)
            assert (
                rows[hit.value][0]
                .lstrip(" ▸")
                .startswith((number, f"{front.scene.letter(found).upper()} ", found.title[:5]))
            )
    front.open(None)
