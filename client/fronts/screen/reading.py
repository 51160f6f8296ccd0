# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages to read: lines that a search narrows, and pictures of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.fronts.kit.canvas import searched
from client.fronts.kit.ui import Page
from client.fronts.screen.shown_front import ShownFront
from client.session.spoken import called
from client.show.pictures import Pictures
from client.show.styled import Line
from client.system.texts import _

__all__ = ["heading", "picture", "reading"]


def reading(front: ShownFront, title: str, lines: Callable[[int], Sequence[Line]], *, tail: bool = False) -> None:
    """Open a page to read; a search keeps the lines with the search word."""
    front.open(Page(title, lambda width, word: searched(word, lines(width)), tail=tail))


def picture(front: ShownFront, name: str, words: Sequence[str] = ()) -> None:
    """Open a picture of the game, at the width of the screen."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
    else:
        title = heading(front.session.pictures, name)
        reading(front, " ".join((title, *words)), lambda width: front.scene.board(name, words, width))


def heading(pictures: Pictures, name: str) -> str:
    """The title over a picture of the game."""
    title = pictures.commands[name].title
    return _(title) if title else called(name).capitalize()
