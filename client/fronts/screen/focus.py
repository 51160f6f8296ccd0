# SPDX-License-Identifier: GPL-3.0-or-later
"""The pane of the map: the space in focus, targets in turn, jump letters, search, zoom, earlier positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.pane import Key, Pane
from client.fronts.screen import galaxy
from client.fronts.screen.layout import sizes, zoom_of
from client.fronts.screen.scene import Scene
from client.fronts.screen.ui import Focus, Ui
from client.show.chart import Chart, Spot

FAR: Final = 1_000_000
"""Further than any space of a map."""
STEPS: Final[Mapping[str, str]] = {
    "up": "up", "down": "down", "left": "left", "right": "right",
    "home": "up-left", "page_up": "up-right", "last": "down-left", "page_down": "down-right",
}  # fmt: skip
"""The acts of the number pad with NumLock off, and their directions on the map."""


class MapPane(Pane):
    """The map, and the space in focus."""

    def __init__(self, keys: Sequence[Key], now: Callable[[], Scene], ui: Ui, enter: Callable[[], None]) -> None:
        """enter: chooses at the space in focus."""
        self.keys, self._now, self._ui = keys, now, ui
        self.does = {act: partial(self._toward, way) for act, way in STEPS.items()} | {"enter": enter}

    def chart(self) -> Chart:
        """The map as it is drawn."""
        return self._now().chart(zoom_of(self._now(), self._ui, sizes(*self._ui.size)))

    def _toward(self, way: str) -> None:
        self._ui.place, self._ui.pan = galaxy.toward(self.chart(), self._ui.place, way), None

    def pan(self, dx: int, dy: int) -> None:
        at = sizes(*self._ui.size)
        self._ui.pan = galaxy.panned(self.chart(), self._ui.place, self._ui.pan, (at.map, at.body), (dx, dy))

    def settle(self) -> None:
        """Keep the space in focus while it can be chosen, else go to the nearest that can; at first to the own home."""
        ui, scene = self._ui, self._now()
        legal, spots = scene.legal(ui), self.chart().spots
        home = scene.view.pictures.documents.home(scene.view.frame())
        if home != ui.home and home in spots:
            ui.home = ui.place = home
            ui.pan = None
        elif ui.place not in spots:
            ui.place = next(iter(spots), "")
        if legal and ui.place not in legal:
            at = spots.get(ui.place)
            ui.place, ui.pan = legal[0] if at is None else min(legal, key=lambda each: _far(spots, each, at)), None

    def focused(self) -> None:
        """Have a space in focus."""
        self._ui.place = self._ui.place or next(iter(self._now().chart(0).spots), "")

    def next_legal(self, by: int = 1) -> bool:
        """Go to the next space that can be chosen. Returns False if there is none."""
        ui, legal = self._ui, self._now().legal(self._ui)
        if legal:
            at = legal.index(ui.place) + by if ui.place in legal else 0
            ui.place, ui.pan, ui.pane = legal[at % len(legal)], None, Focus.MAP
        return bool(legal)

    def jump(self) -> None:
        self._ui.hints = bool(self._now().chart(0).spots)

    def jumped(self, letter: str) -> None:
        """Go to the space with this letter."""
        ui, scene = self._ui, self._now()
        ui.hints = False
        named = galaxy.hint_letters(scene.legal(ui) or list(scene.chart(0).spots))
        place = next((place for place, each in named.items() if each == letter), "")
        if place:
            ui.place, ui.pan, ui.pane = place, None, Focus.MAP

    def zoom(self, by: int) -> None:
        now = zoom_of(self._now(), self._ui, sizes(*self._ui.size))
        self._ui.zoom, self._ui.pan = max(0, min(now + by, 2)), None

    def to_place(self, text: str) -> bool:
        """Go to the space whose number or name begins so, the exact number first. Returns False if there is none."""
        scene, wanted = self._now(), text.strip().lower()
        spots = list(scene.chart(0).spots)
        called = {place: scene.called(place).lower() for place in spots}
        tests: Sequence[Callable[[str], bool]] = (
            lambda place: place == wanted,
            lambda place: place.startswith(wanted),
            lambda place: called[place].startswith(wanted),
            lambda place: f" {wanted}" in called[place],
        )
        found = next((place for test in tests for place in spots if test(place)), "") if wanted else ""
        if found:
            self._ui.place, self._ui.pan = found, None
        return bool(found)

    def past(self, by: int) -> None:
        """Show the map at the previous or next step with events."""
        ui, scene = self._ui, self._now()
        heights = sorted({each.height for each in scene.view.log if not each.undone})
        now = ui.past if ui.past is not None else scene.height + 1
        steps = [height for height in heights if (height < now if by < 0 else height > now)]
        if by < 0:
            ui.past = steps[-1] if steps else ui.past
        else:
            ui.past = steps[0] if steps and ui.past is not None else None


def _far(spots: Mapping[str, Spot], place: str, at: Spot) -> int:
    """How far a space lies from another one; a row is about as high as two columns are wide."""
    spot = spots.get(place)
    return FAR if spot is None else (spot.x - at.x) ** 2 + 4 * (spot.y - at.y) ** 2
