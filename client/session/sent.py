# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has sent, and thus which events are no news to them."""

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
        seen: the height of the last action of this person, None before the first. Later events are news.
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
        """Note a sent draft: its events have been shown already."""
        self._shown = [event for told in draft.caused for event in told]
        self.first = draft.asked.height
        self.last = self.first + len(draft.values) - 1

    def news(self, events: Sequence[Event], told: Sequence[LoggedEvent]) -> list[LoggedEvent]:
        """The events that no sent draft has shown. told: the events in words."""
        news = []
        for event, words in zip(events, told, strict=True):
            if self._shown and self._shown[0] == event:
                del self._shown[0]
            else:
                self._shown = []
                news.append(words)
        return news

    def rewound(self) -> None:
        """Forget what was sent after a rewind: all events are news now."""
        self._shown = []
