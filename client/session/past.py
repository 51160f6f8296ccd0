# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier position of the table, drawn as a spectator sees it."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.session import NOBODY, Session
from client.show.pictures import Frame
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class EarlierPosition:
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
    return list(dict.fromkeys(told.height for told in session.events.entries))


def past_frame(session: Session, height: int) -> Frame | None:
    """What all could see when a height opened; None if there was none, or it was taken back."""
    table = session.table
    match = None if table.controls is None else table.controls.past(height)
    if match is None:
        return None
    return Frame(match.view(NOBODY), table.names, table.glyphs, display_names=table.display_names)


def past_of(session: Session, height: int) -> EarlierPosition | None:
    """The position when a height opened; None if there is none, or it was taken back."""
    controls, frame = session.table.controls, past_frame(session, height)
    if controls is None or frame is None:
        return None
    told = tuple(each.text for each in session.events.entries if each.height == height)
    return EarlierPosition(height, controls.match.height, session.table.pictures.documents.drawing(frame), told)
