# SPDX-License-Identifier: GPL-3.0-or-later
"""The space in focus and how the map is drawn: targets in turn, jump letters, search, zoom, earlier positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from client.fronts.kit.ui import Pane
from client.fronts.screen import galaxy
from client.fronts.screen.layout import sizes, zoom_of
from client.fronts.screen.shown_front import ShownFront
from client.show.chart import Spot

__all__ = ["jump", "jumped", "next_legal", "past", "settle", "to_place", "zoom"]

FAR: Final = 1_000_000
"""Further than any space of a map."""


def settle(front: ShownFront) -> None:
    """Keep the space in focus while it can be chosen, else go to the nearest that can; at first to the own home."""
    ui, scene = front.ui, front.scene
    legal, spots = scene.legal(ui), scene.chart(zoom_of(scene, ui, sizes(*front.size))).spots
    home = front.session.pictures.home(front.session.frame())
    if home != ui.home and home in spots:
        ui.home = ui.place = home
        ui.pan = None
    elif ui.place not in spots:
        ui.place = next(iter(spots), "")
    if legal and ui.place not in legal:
        at = spots.get(ui.place)
        ui.place, ui.pan = legal[0] if at is None else min(legal, key=lambda each: _far(spots, each, at)), None


def _far(spots: Mapping[str, Spot], place: str, at: Spot) -> int:
    """How far a space lies from another one; a row is about as high as two columns are wide."""
    spot = spots.get(place)
    return FAR if spot is None else (spot.x - at.x) ** 2 + 4 * (spot.y - at.y) ** 2


def next_legal(front: ShownFront, by: int = 1) -> None:
    """Go to the next space that can be chosen."""
    ui, legal = front.ui, front.scene.legal(front.ui)
    if legal:
        at = legal.index(ui.place) + by if ui.place in legal else 0
        ui.place, ui.pan, ui.pane = legal[at % len(legal)], None, Pane.MAP


def jump(front: ShownFront) -> None:
    """Show jump letters on the map."""
    front.ui.hints = bool(front.scene.chart(0).spots)


def jumped(front: ShownFront, letter: str) -> None:
    """Go to the space with this letter."""
    ui = front.ui
    ui.hints = False
    named = galaxy.hint_letters(front.scene.legal(ui) or list(front.scene.chart(0).spots))
    place = next((place for place, each in named.items() if each == letter), "")
    if place:
        ui.place, ui.pan, ui.pane = place, None, Pane.MAP


def zoom(front: ShownFront, by: int) -> None:
    """Draw the map larger or smaller."""
    now = zoom_of(front.scene, front.ui, sizes(*front.size))
    front.ui.zoom, front.ui.pan = max(0, min(now + by, 2)), None


def to_place(front: ShownFront, text: str) -> bool:
    """Go to the space whose number or name begins so, the exact number first. Returns False if there is none."""
    wanted = text.strip().lower()
    spots = list(front.scene.chart(0).spots)
    called = {place: front.scene.called(place).lower() for place in spots}
    tests: Sequence[Callable[[str], bool]] = (
        lambda place: place == wanted,
        lambda place: place.startswith(wanted),
        lambda place: called[place].startswith(wanted),
        lambda place: f" {wanted}" in called[place],
    )
    found = next((place for test in tests for place in spots if test(place)), "") if wanted else ""
    if found:
        front.ui.place, front.ui.pan = found, None
    return bool(found)


def past(front: ShownFront, by: int) -> None:
    """Show the map at the previous or next step with events."""
    ui, heights = front.ui, sorted({each.height for each in front.session.log if not each.undone})
    now = ui.past if ui.past is not None else front.scene.height + 1
    steps = [height for height in heights if (height < now if by < 0 else height > now)]
    if by < 0:
        ui.past = steps[-1] if steps else ui.past
    else:
        ui.past = steps[0] if steps and ui.past is not None else None
