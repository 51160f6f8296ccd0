# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of a front for keys, lists and pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from client.fronts.kit.ui import Page, Ui
from client.fronts.screen.host import Host
from client.fronts.screen.scene import Scene
from client.session.deeds.typed import Typing as LineReader
from client.session.session import Session

__all__ = ["ShownFront"]


class ShownFront(Protocol):
    """A session on the full screen.

    Attributes:
        session: what the person sees and does.
        ui: the state of the view.
        host: the terminal.
        size: columns and rows of the screen drawn last.
        lines: reads typed lines.
    """

    session: Session
    ui: Ui
    host: Host
    size: tuple[int, int]
    lines: LineReader

    @property
    def keys(self) -> Mapping[str, str]:
        """What each key does, at the table or before it begins."""

    @property
    def feed(self) -> list[tuple[str, str]]:
        """The news, each text with its style, the latest last."""

    @property
    def scene(self) -> Scene:
        """The present state of the session for drawing."""

    def say(self, text: str, style: str = "") -> None:
        """Add a text to the news."""

    def way(self, id: str) -> str:
        """How a deed is done here: its key, or its name as a typed line."""

    def open(self, page: Page) -> None:
        """Show a page on top."""

    def act(self, act: str) -> None:
        """Run the action of a key."""
