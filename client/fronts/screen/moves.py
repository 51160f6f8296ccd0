# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of the cursor, the focus and the map, and scrolling: the actions of arrows, number pad and wheel in each
pane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.fronts.kit.canvas import fit
from client.fronts.kit.ui import Drawn, Hit, Page, Pane
from client.fronts.screen import galaxy
from client.fronts.screen.gathering import seat_step
from client.fronts.screen.keys import PAGED, TROUBLED
from client.fronts.screen.layout import sizes, zoom_of
from client.fronts.screen.paged import turned
from client.fronts.screen.shelves import sideways, wares
from client.fronts.screen.shown_front import ShownFront
from client.show.styled import plain

__all__ = [
    "STEPS",
    "arrow",
    "cursor",
    "news",
    "pan",
    "pointed",
    "pressed",
    "scroll",
    "show_tab",
    "step",
    "turn_item",
    "wheel",
]

STEPS: Final[Mapping[str, str]] = {
    "up": "up", "down": "down", "left": "left", "right": "right",
    "home": "up-left", "page_up": "up-right", "last": "down-left", "page_down": "down-right",
}  # fmt: skip
"""The actions of the number pad with NumLock off, and their directions on the map."""
ARROWS: Final[Mapping[str, str]] = {"◂": "left", "▸": "right", "<": "left", ">": "right"}
"""The signs beside a value that is set, with and without Unicode."""
FAR: Final = 100_000
ROWS: Final[Mapping[str, int]] = {"up": -1, "down": 1, "page_up": -8, "page_down": 8, "home": -FAR, "last": FAR}
"""Actions → rows that they move in a list; `left` and `right` move none."""


def step(front: ShownFront, act: str) -> None:
    """Move one step in the pane in focus, or on the page."""
    ui, rows = front.ui, ROWS.get(act, 0)
    if ui.page is not None and act in ("left", "right"):
        across(ui.page, ui.word, front.size[0], 1 if act == "right" else -1)
    elif ui.page is not None:
        scroll(ui.page, ui.word, front.size, rows * (front.size[1] - 4) // 8 if abs(rows) == 8 else rows)
    elif front.session.controls is None:
        news(front, rows) if abs(rows) > 1 else seat_step(front, rows)
    elif ui.pane is Pane.MAP:
        chart = front.scene.chart(zoom_of(front.scene, ui, sizes(*front.size)))
        ui.place, ui.pan = galaxy.toward(chart, ui.place, STEPS[act]), None
    elif ui.pane is Pane.NEWS:
        news(front, rows)
    elif act == "left":
        front.act("less")
    elif act == "right":
        front.act("into")
    else:
        cursor(front, rows)


def pressed(page: Page, key: str) -> bool:
    """Handle a key of the page alone: a digit for one of its parts, a key of its own, or any key of a page that fills
    the screen. Returns False for others."""
    if page.leave is not None:
        page.leave()
        return True
    act = next((page.own[each.act] for each in (*PAGED, *TROUBLED) if key in each.keys and each.act in page.own), None)
    if act is not None:
        act()
    elif page.tabs and key in "0123456789"[: len(page.tabs)]:
        show_tab(page, int(key))
    else:
        return False
    return True


def arrow(front: ShownFront, drawn: Drawn, hit: Hit, x: int, y: int) -> bool:
    """Handle a click on ◂ or ▸ beside an amount or a part of the answer. Returns False for any other click."""
    entry = front.scene.entries(front.ui)[int(hit.value)]
    sign = plain(fit(drawn.lines[y], 1, x)) if x > hit.area.x + 1 else ""
    if sign not in ARROWS or (entry.amount is None and entry.part < 0):
        return False
    front.ui.pane, front.ui.cursor = Pane.ASK, int(hit.value)
    step(front, ARROWS[sign])
    return True


def pointed(page: Page, word: str, at: int) -> bool:
    """Mark an entry of a page that was clicked. Returns True if that chooses it: it was clicked before, or was marked
    and has a value."""
    turned = page.cursor == at and page.items is not None and page.items(word)[at].turn is not None
    chosen, page.cursor, page.pointed = turned or page.pointed == at, at, at
    return chosen


def show_tab(page: Page, tab: int) -> None:
    """Show another part of a page, from its start, or its end if that is shown first."""
    page.tab, page.skip, page.cursor = tab, page.begins(tab), 0


def across(page: Page, word: str, columns: int, by: int) -> None:
    """Go to the part of a page beside the shown one, to the shelf beside, or turn the value of the entry."""
    if page.tabs and page.items is None:
        show_tab(page, (page.tab + by) % len(page.tabs))
    elif page.shelves is not None:
        sideways(page, word, columns, by)
    else:
        turned(page, word, page.cursor, by)


def turn_item(front: ShownFront, at: int, by: int) -> None:
    """Increase or decrease the value of an entry of the list. The cursor stays, so that the list does not scroll away
    from under the mouse."""
    if front.ui.page is not None:
        turned(front.ui.page, front.ui.word, at, by)


def scroll(page: Page, word: str, size: tuple[int, int], rows: int) -> None:
    """Scroll a page on a screen of this size, or move the cursor of its list."""
    if page.shelves is not None:
        page.cursor = max(0, min(page.cursor + rows, len(wares(page, word)) - 1))
    elif page.items is not None:
        page.cursor = max(0, min(page.cursor + rows, len(page.items(word)) - 1))
    else:
        most = max(len(page.lines(size[0] - 2, word)) - (size[1] - 3 - bool(page.tabs)), 0)
        page.skip = max(0, min(page.skip + (-rows if page.tail else rows), most))


def cursor(front: ShownFront, rows: int) -> None:
    """Move the cursor of the options; the map follows the spaces of the option."""
    ui, listed = front.ui, front.scene.entries(front.ui)
    ui.cursor = max(0, min(ui.cursor + rows, len(listed) - 1))
    if listed and listed[ui.cursor].places:
        ui.place, ui.pan = listed[ui.cursor].places[-1], None


def news(front: ShownFront, rows: int) -> None:
    """Scroll the news; up goes back."""
    front.ui.news = max(0, min(front.ui.news - rows, len(front.feed)))


def wheel(front: ShownFront, hit: Hit | None, rows: int, sideways: bool) -> None:
    """Scroll what is under the mouse: the page, the map, the news or the options."""
    if front.ui.page is not None:
        scroll(front.ui.page, front.ui.word, front.size, rows)
    elif hit is not None and hit.what in ("place", "pane") and hit.value not in (Pane.ASK.value, Pane.NEWS.value):
        pan(front, 4 * rows if sideways else 0, 0 if sideways else rows)
    elif hit is not None and hit.value == Pane.NEWS.value:
        news(front, rows)
    else:
        cursor(front, rows)


def pan(front: ShownFront, dx: int, dy: int) -> None:
    """Move the map under its pane."""
    at = sizes(*front.size)
    chart = front.scene.chart(zoom_of(front.scene, front.ui, at))
    x, y = galaxy.corner(chart, front.ui.place, front.ui.pan, at.map, at.body)
    front.ui.pan = max(max(x, 0) + dx, 0), max(max(y, 0) + dy, 0)
