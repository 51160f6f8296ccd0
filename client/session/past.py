# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier position of the table, drawn as a spectator sees it."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.session import NOBODY, Session
from client.show.pictures import Frame
from engine.core.dataclass import dataclass

__all__ = ["Past", "heights_of", "past_of"]


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier position.

    Attributes:
        height: number of waits resolved before it.
        last: the height that is open now.
        map: the drawing, "" without one.
        told: the events at this height.
    """

    height: int
    last: int
    map: str
    told: Sequence[str]


def heights_of(session: Session) -> Sequence[int]:
    """The heights at which something is in the log, ascending: the positions to look back to."""
    return list(dict.fromkeys(told.height for told in session.log))


def past_of(session: Session, height: int) -> Past | None:
    """The position when a height opened; None if there is none, or it was taken back."""
    controls = session.controls
    match = None if controls is None else controls.past(height)
    if controls is None or match is None:
        return None
    frame = Frame(match.view(NOBODY), session.names, session.glyphs, display_names=session.display_names)
    told = tuple(each.text for each in session.log if each.height == height)
    return Past(height, controls.match.height, session.pictures.drawing(frame), told)
