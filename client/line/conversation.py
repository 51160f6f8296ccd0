"""What typed commands use of a line screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from client.player import TableControls
from client.session.news import LoggedEvent
from client.session.session import Session
from client.show.pictures import Frame
from client.show.styled import Line

__all__ = ["Conversation"]


class Conversation(Protocol):
    """A session as lines.

    Attributes:
        session: what the person sees and does.
        offered: the pacts that were shown last to be answered, by their numbers from 1.
        page: gives a new link to the page that shows the same session; None without a page.
    """

    session: Session
    offered: tuple[bytes, ...]
    page: Callable[[], str] | None

    @property
    def width(self) -> int:
        """Columns to write in."""

    @property
    def controls(self) -> TableControls | None:
        """The table; None before it begins."""

    @property
    def names(self) -> list[str]:
        """The names of all seats."""

    def say(self, *lines: Line | str) -> None:
        """Show lines; texts are wrapped."""

    def show(self, text: str) -> None:
        """Show lines as they are."""

    def changed(self) -> None:
        """There may be lines to write."""

    def ask(self) -> None:
        """Show what is asked."""

    def idle(self) -> str:
        """Who is waited for, while this person owes no answer."""

    def offer(self) -> None:
        """Show what is proposed."""

    def recall(self, told: Sequence[LoggedEvent]) -> None:
        """Tell again what happened."""

    def frame(self, words: Sequence[str] = ()) -> Frame:
        """What pictures are drawn of."""

    def complete_options(self, text: str) -> list[str]:
        """The options that the text may become."""

    def send(self) -> None:
        """Send the draft."""

    def go(self) -> None:
        """Leave the table."""
