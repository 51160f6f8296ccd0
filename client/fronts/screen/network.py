# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of the network, at the table and in the lobby, which runs while its page is open."""

from __future__ import annotations

from collections.abc import Sequence

from client.fronts.kit.canvas import folded, searched
from client.fronts.kit.ui import Page
from client.fronts.screen.shown_front import ShownFront
from client.show.styled import Line, line
from client.system.texts import _

__all__ = ["doctor"]


def doctor(front: ShownFront) -> None:
    """Check the network and show each step with its cause and advice."""
    at = front.session.controls or front.session.door
    examine = None if at is None else at.examine
    if examine is None:
        front.say(_("This table uses no network."))
        return
    found: list[str] = []

    def show(lines: Sequence[str]) -> None:
        found.extend(lines)
        front.host.invalidate()

    def lines(width: int, word: str) -> Sequence[Line]:
        if not found:
            return [line(_("Looking at the network …"))]
        rows = [row for each in found for row in folded(each, width, "", "    ")]
        return searched(word, rows)

    front.open(Page(_("Network"), lines))
    examine(show)
