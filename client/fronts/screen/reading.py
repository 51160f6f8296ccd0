# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the game as pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.fronts.kit.page import Page, reading
from client.fronts.screen.scene import Scene
from client.session.spoken import called
from client.show.pictures import Pictures
from client.system.texts import _

__all__ = ["heading", "picture"]


def picture(now: Callable[[], Scene], name: str, words: Sequence[str] = ()) -> Page:
    """A picture of the game, at the width of the screen."""
    title = heading(now().view.pictures, name)
    return reading(" ".join((title, *words)), lambda width: now().board(name, words, width))


def heading(pictures: Pictures, name: str) -> str:
    """The title over a picture of the game."""
    title = pictures.documents.commands[name].title
    return _(title) if title else called(name).capitalize()
