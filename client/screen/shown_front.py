"""What keys, lists and pages use of a front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from client.line.screen import LineScreen
from client.screen.host import Host
from client.screen.scene import Scene
from client.screen.ui import Page, Ui
from client.session.session import Session

__all__ = ["ShownFront"]


class ShownFront(Protocol):
    """A session on the full screen.

    Attributes:
        session: what the person sees and does.
        ui: where the person looks.
        host: the terminal.
        size: columns and rows of the screen that was drawn last.
        linear: answers what is typed in words.
        feed: what was told, each text with its style, the latest last.
    """

    session: Session
    ui: Ui
    host: Host
    size: tuple[int, int]
    linear: LineScreen
    feed: list[tuple[str, str]]

    @property
    def keys(self) -> Mapping[str, str]:
        """What each key does, at the table or before it begins."""

    @property
    def scene(self) -> Scene:
        """The session as it stands."""

    def say(self, text: str, style: str = "") -> None:
        """Tell something in the news."""

    def open(self, page: Page) -> None:
        """Show a page on top."""

    def act(self, act: str) -> None:
        """Do what a key means."""
