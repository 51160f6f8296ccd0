"""What a session tells its screens.  Every method returns at once; a screen reads the session for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from client.session.news import Announced, ChatMessage, LoggedEvent

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

__all__ = ["Screen"]


class Screen(Protocol):
    """One of the screens of a person: a conversation, a full screen, a page."""

    def begun(self) -> None:
        """The table begins or goes on: `session.controls` is there."""

    def show(self, text: str, *, plain: bool = False) -> None:
        """Lines to read before the table begins.  plain: True for what a lobby that is drawn shows by itself, such as
        the ticket."""

    def questioned(self) -> None:
        """`session.question` is to be answered with yes or no."""

    def asked(self, refusal: RefusalLike | None) -> None:
        """A draft begins, or the person of `session.awaited` is to take the screen.  refusal: why the last answer to
        the same question was not taken."""

    def drafted(self, caused: Sequence[LoggedEvent]) -> None:
        """The draft has changed.  caused: what the last pick would cause; nothing after a step back."""

    def happened(self, news: Sequence[LoggedEvent]) -> None:
        """The game has something to say that no sent draft has shown."""

    def noticed(self, news: ChatMessage | Announced) -> None:
        """Somebody said something, or something happened at the table."""

    def changed(self) -> None:
        """Anything may have changed.  Called last, after each of the others, and after an answer was sent."""
