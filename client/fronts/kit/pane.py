# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen is made of: panes, each with its own keys, help and foot, and what they draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from client.fronts.kit.canvas import Hit
from client.fronts.kit.keys import Key
from client.show.styled import Glyphs, Line

MARKED: Final = "marked"
"""What a click has done that a second one at the same cell follows: `enter`."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list.

    Attributes:
        key: the key that does the same.
        reason: why it is not possible now, "" if it is.
        turn: increases or decreases the entry's value, None without a value.
        stays: True if its page stays open when it is chosen, as for one with a value.
        words: what it is called elsewhere; a palette finds it by them too.
        about: what is said of it below the list while it is marked.
    """

    text: str
    key: str
    act: Callable[[], object]
    reason: str = ""
    turn: Callable[[int], None] | None = None
    stays: bool = False
    words: Sequence[str] = ()
    about: str = ""


class Pane:
    """A part of a screen, or what stands behind all of them, such as the keys that work everywhere.

    Attributes:
        keys: its keys, in the order of the help.
        does: what each of their acts does.
        told: the sentences of its help, marked for translation.
        whole: True if it fills the screen, without bar and foot.
    """

    keys: Sequence[Key] = ()
    does: Mapping[str, Callable[[], object]] = {}
    told: Sequence[str] = ()
    whole = False

    @property
    def foot(self) -> Sequence[str]:
        """The acts whose keys stand at the foot while it is on top, in this order."""
        return ()

    def press(self, key: str) -> bool:
        """Handle a key. Returns False if it has no meaning here."""
        act = next((each.act for each in self.keys if key in each.keys), "")
        if act not in self.does:
            return False
        self.does[act]()
        return True

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> tuple[Sequence[Line], Sequence[Hit]]:
        """The rows below the bar of the screen, and their areas in cells of these rows."""
        return (), ()

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        """Handle a click on an area that it has drawn. details: True for the right button. Returns the act that it is,
        MARKED if a second click there chooses, "" for nothing more."""
        return ""

    def drag(self, hit: Hit | None, dx: int, dy: int) -> None:
        """Handle a drag that began on an area, by this many cells."""

    def wheel(self, hit: Hit | None, rows: int, sideways: bool) -> None:
        """Handle the wheel over an area."""

    def why_not(self, act: str) -> str:
        """Why an act cannot be done now, "" if it can."""
        return ""

    def offers(self) -> Iterable[Item]:
        """What can be done here besides its keys, for the palette."""
        return ()
