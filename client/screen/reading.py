# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages to read: lines that a search narrows, and pictures of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.line.spoken import called
from client.screen.canvas import searched
from client.screen.shown_front import ShownFront
from client.screen.ui import Page
from client.show.styled import Line
from client.texts import _

__all__ = ["picture", "reading"]


def reading(front: ShownFront, title: str, lines: Callable[[int], Sequence[Line]], *, tail: bool = False) -> None:
    """Open a page to read; a search keeps the lines with the search word."""
    front.open(Page(title, lambda width, word: searched(word, lines(width)), tail=tail))


def picture(front: ShownFront, name: str, words: Sequence[str] = ()) -> None:
    """Open a picture of the game, at the width of the screen."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
    else:
        title = front.session.pictures.commands[name].title
        heading = _(title) if title else called(name).capitalize()
        reading(front, " ".join((heading, *words)), lambda width: front.scene.board(name, words, width))
