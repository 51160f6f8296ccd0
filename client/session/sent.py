# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person has sent, and thus which events are no news to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.session.draft import Draft
from client.session.news import LoggedEvent
from client.table.player import TableControls
from engine.core.events import Event


class SentAnswers:
    """The answers that each seat sent last.

    Attributes:
        heights: by seat, the heights of the first and the last of them.
        present: the seat whose person is at a shared screen; None for all seats held here.
        seen: the height of the last action of this person, None before the first. Later events are news.
        given: the heights of the answer that was sent last in this run, another range for each; None before the first.
    """

    def __init__(self) -> None:
        self.heights: dict[int, tuple[int, int]] = {}
        self.present: int | None = None
        self.seen: int | None = None
        self.given: range | None = None
        self._shown: list[Event] = []

    @property
    def first(self) -> int | None:
        """The height of the first of the answers that were sent last; None before any."""
        return max((first for first, _last in self._mine()), default=None)

    @property
    def last(self) -> int | None:
        """The height of the last of them."""
        return max((last for _first, last in self._mine()), default=None)

    def _mine(self) -> Iterator[tuple[int, int]]:
        return (sent for seat, sent in self.heights.items() if self.present in (None, seat))

    def begin(self, controls: TableControls) -> None:
        """The table begins, goes on, or has taken answers back."""
        found = {seat: controls.answered(seat) for seat in controls.seats}
        self.heights = {seat: sent for seat, sent in found.items() if sent is not None}
        self.seen = max((last for _first, last in self.heights.values()), default=None)

    def sent(self, draft: Draft) -> None:
        """Note a sent draft: its events have been shown already."""
        self._shown = [event for told in draft.caused for event in told]
        height = draft.asked.height
        self.heights[draft.asked.seat] = height, height + len(draft.values) - 1

    def gave(self, height: int, values: int) -> None:
        """Note that an answer was sent. values: the number of its steps."""
        self.given = range(height, height + values)
        self.seen = self.given[-1]

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

    def rewound(self, controls: TableControls) -> None:
        """Some answers were undone: all events are news now."""
        self._shown = []
        self.begin(controls)
