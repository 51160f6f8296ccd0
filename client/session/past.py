"""Looking back: a position of the table as it was, drawn as somebody without a seat sees it."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.session import NOBODY, Session
from client.show.pictures import Frame
from engine.core.dataclass import dataclass

__all__ = ["Past", "past_of"]


@dataclass(frozen=True, slots=True)
class Past:
    """A position that was.

    Attributes:
        height: number of waits resolved before it.
        last: the height that stands open now.
        map: the drawing, "" where there is none.
        told: what happened at this height.
    """

    height: int
    last: int
    map: str
    told: Sequence[str]


def past_of(session: Session, height: int) -> Past | None:
    """The position when a height opened; None where there is none, or where it was taken back."""
    controls = session.controls
    match = None if controls is None else controls.past(height)
    if controls is None or match is None:
        return None
    frame = Frame(match.view(NOBODY), session.names, session.glyphs, display_names=session.display_names)
    told = tuple(each.text for each in session.log if each.height == height)
    return Past(height, controls.match.height, session.pictures.drawing(frame), told)
