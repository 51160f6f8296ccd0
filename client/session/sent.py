"""What a person has sent: up to where they know the game, and which events are no news to them."""

from __future__ import annotations

from collections.abc import Sequence

from client.player import TableControls
from client.session.draft import Draft
from client.session.news import LoggedEvent
from engine.core.events import Event

__all__ = ["Sent"]


class Sent:
    """The answers that were sent last.

    Attributes:
        first: the height of the first of them; None before any.
        last: the height of the last of them.
        seen: the height of the last thing that this person did, None before that.  What is told later is news.
    """

    def __init__(self) -> None:
        self.first: int | None = None
        self.last: int | None = None
        self.seen: int | None = None
        self._shown: list[Event] = []

    def begin(self, controls: TableControls) -> None:
        """The table begins or goes on."""
        own = (at for at, told in controls.history if any(event.args.get("seat") in controls.seats for event in told))
        self.seen = max(own, default=None)

    def sent(self, draft: Draft) -> None:
        """A draft is sent: what it caused has been shown already."""
        self._shown = [event for told in draft.caused for event in told]
        self.first = draft.asked.height
        self.last = self.first + len(draft.values) - 1

    def news(self, events: Sequence[Event], told: Sequence[LoggedEvent]) -> list[LoggedEvent]:
        """Of what the game tells, that which no sent draft has shown.  told: the events in words."""
        news = []
        for event, words in zip(events, told, strict=True):
            if self._shown and self._shown[0] == event:
                del self._shown[0]
            else:
                self._shown = []
                news.append(words)
        return news

    def rewound(self) -> None:
        """What was sent may not count: all that the game tells now is news."""
        self._shown = []
