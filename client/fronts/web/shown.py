# SPDX-License-Identifier: GPL-3.0-or-later
"""What a page shows at one moment: the view of the session, and what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from client.session.view import SessionView
from client.show.document import Document
from client.show.markup import Markup


class StartState(Protocol):
    """The start page; see `client.fronts.web.start.Start`."""

    def perform(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Perform an action of the page."""

    def judge(self, data: bytes) -> None:
        """Verify a recorded game that the person has chosen a file of."""

    def drawn(self, view: SessionView) -> Markup:
        """The page as HTML."""


@dataclass(frozen=True)
class PageState:
    """What a page shows.

    Attributes:
        lines: texts to read: the result of the table, why an answer was refused.
        over: True after the table has ended here.
        home: True if the action `home` leads to the start page now.
        report: True if POST /report makes the report page.
        ended: True in the last state before the process ends.
        start: the start page; None at a table.
        qr: the answer, or in a lobby the ticket, as a QR code, in SVG; "" without one.
        wishes: in a lobby what may be wished for, each as id and title.
        fight: the present battle: its sides, the odds, the last dice; () without one.
        end: once it is over: places and points.
        pictures: id, title, and what it does, of each deed that shows something; those with a title are tabs.
        heights: how many positions there are to look back to.
    """

    view: SessionView
    lines: Sequence[str] = ()
    over: bool = False
    home: bool = False
    report: bool = False
    ended: bool = False
    start: StartState | None = None
    qr: str = ""
    wishes: Sequence[tuple[str, str]] = ()
    fight: Document = ()
    end: Document = ()
    pictures: Sequence[tuple[str, str, str]] = ()
    heights: int = 0
