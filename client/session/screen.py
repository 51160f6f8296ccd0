# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of a screen to its session. Every method returns at once; a screen reads everything else from the
session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from client.session.news import Announced, ChatMessage, LoggedEvent

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike


class Screen(Protocol):
    """One of the screens of a person: line mode, full screen or page."""

    def begun(self) -> None:
        """The table begins or goes on: `session.table.controls` is set."""

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins. told: returns them in the language in use. plain: True for lines that a
        drawn lobby shows anyway, such as the ticket."""

    def questioned(self) -> None:
        """`session.questions.text` waits for yes or no."""

    def asked(self, refusal: RefusalLike | None) -> None:
        """A draft begins, or the person of `awaited` should take the screen. refusal: why the last answer to the same
        question was refused."""

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """The draft has changed. caused: the events that the last pick would cause; none after an undo."""

    def happened(self, told: Sequence[LoggedEvent], news: Sequence[LoggedEvent]) -> None:
        """Events of the game. news: those of them that no sent draft has shown."""

    def noticed(self, news: ChatMessage | Announced) -> None:
        """A chat message or a notice of the table."""

    def changed(self) -> None:
        """Anything may have changed. Called after each of the other methods, and after an answer was sent."""
