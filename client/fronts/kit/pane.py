# SPDX-License-Identifier: GPL-3.0-or-later
"""What a screen is made of: panes, each with its own keys, help and foot, and what they draw; and its keys: what each
does, how it is spelt for people, and its place at the foot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from client.fronts.kit.canvas import Hit, aimed, fit, put, wide
from client.show.styled import Glyphs, Line, Run, line, plain
from client.system.texts import N_, _


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the full screen.

    Attributes:
        keys: the keys by prompt_toolkit's names.
        act: what they do: the id of a deed, or a move of their pane.
        text: the text for the help, marked for translation.
        short: the word for the foot of the screen, "" for keys that are not shown there.
    """

    keys: tuple[str, ...]
    act: str
    text: str
    short: str = ""

    def does(self) -> str:
        return _(self.text)


PAGE: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("choose what is marked"), N_("choose")),
    Key(("up",), "up", N_("the entry above; scroll"), N_("browse")),
    Key(("down",), "down", N_("the entry below; scroll")),
    Key(("left",), "left", N_("the part of the page before; in a list the value before"), N_("less")),
    Key(("right",), "right", N_("the next part of the page; in a list the next value"), N_("more")),
    Key(("home",), "home", N_("the first entry; the beginning")),
    Key(("end",), "last", N_("the last entry; the end")),
    Key(("pageup",), "page_up", N_("a page back"), N_("back")),
    Key(("pagedown",), "page_down", N_("a page on"), N_("on")),
    Key(("/",), "search", N_("search the list or the page"), N_("search")),
    Key(("escape", "backspace"), "escape", N_("close the page"), N_("close")),
)
"""The keys of each page, besides its own and digits, which choose a part or an entry."""

NAMES: Final[Mapping[str, str]] = {
    "enter": N_("Enter"), "tab": N_("Tab"),
    "s-tab": N_("Shift-Tab"), "s-left": N_("Shift-←"), "s-right": N_("Shift-→"),
    "up": "↑", "down": "↓", "left": "←", "right": "→",
    "home": N_("Home"), "end": N_("End"), "pageup": N_("PgUp"), "pagedown": N_("PgDn"),
    " ": N_("Space"), "backspace": N_("Backspace"), "escape": N_("Esc"),
    "c-p": "^P", "c-l": "^L", "c-z": "^Z",
}  # fmt: skip


def spelt(key: str) -> str:
    """A key in the form for people, as the keyboards of their language name it."""
    if key in NAMES:
        return _(NAMES[key])
    return key.upper() if key.startswith("f") and key[1:].isdecimal() else key


def rebound(keys: Iterable[Key], mine: Mapping[str, Sequence[str]]) -> list[Key]:
    """The keys with the person's own in the place of those that do the same. mine: by act; what they did before they
    do no more."""
    taken = {key for each in mine.values() for key in each}
    found = ((each, tuple(mine.get(each.act, [key for key in each.keys if key not in taken]))) for each in keys)
    return [replace(each, keys=keys) for each, keys in found if keys]


def hint(key: str, word: str) -> Line:
    """A key with its word, to be clicked."""
    return aimed(line(("key", f" {key}"), f" {word} "), "key", key)


def hints(shown: Iterable[Key]) -> list[Run]:
    """Keys with their short words, for the foot."""
    return [run for each in shown for run in hint(spelt(each.keys[0]), _(each.short))]


def turning(row: Line, at: int) -> Line:
    """The row of an entry whose value is changed by a click on ◂ or ▸."""
    text = plain(row)
    if "◂" in text and "▸" in text[2:]:  # before the text stands the mark of the entry
        for index, by in ((text.index("◂"), -1), (text.rindex("▸"), 1)):
            x = wide(text[:index])
            row = put(row, x, aimed(fit(row, 1, x), "turn", f"{at} {by}"))
    return row


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

    told: Sequence[str] = ()
    whole = False

    def __init__(self, keys: Sequence[Key] = (), does: Mapping[str, Callable[[], object]] = {}) -> None:
        self.keys, self.does = keys, does

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

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        """The rows below the bar of the screen."""
        return ()

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        """Handle a click on what it has drawn. details: True for the right button. Returns the act that it is,
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
