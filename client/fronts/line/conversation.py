# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of a line screen for typed commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from client.session.news import LoggedEvent
from client.session.session import Session
from client.show.pictures import Frame
from client.show.styled import Line
from client.table.player import TableControls

__all__ = ["Conversation"]


class Conversation(Protocol):
    """A session as lines.

    Attributes:
        session: what the person sees and does.
        offered: the pacts that were shown last for a vote, by their numbers from 1.
        guided: True while questions have advice for a first game.
        page: returns a new link to the page that shows the same session; None without a page.
    """

    session: Session
    offered: tuple[bytes, ...]
    guided: bool
    page: Callable[[], str] | None

    @property
    def width(self) -> int:
        """The available columns."""

    @property
    def controls(self) -> TableControls | None:
        """The table; None before it begins."""

    @property
    def names(self) -> list[str]:
        """The names of all seats."""

    def say(self, *lines: Line | str) -> None:
        """Show lines; texts are wrapped."""

    def show(self, told: Callable[[], str]) -> None:
        """Show lines as they are. told: returns them in the language in use."""

    def changed(self) -> None:
        """Tell the terminal that there may be lines to write."""

    def ask(self) -> None:
        """Show the present question."""

    def recall(self, told: Sequence[LoggedEvent]) -> None:
        """Show earlier events again."""

    def frame(self, words: Sequence[str] = ()) -> Frame:
        """The frame to draw pictures of."""

    def complete_options(self, text: str) -> list[str]:
        """The options that complete the text."""

    def send(self) -> None:
        """Send the draft."""

    def go(self) -> None:
        """Leave the table."""
