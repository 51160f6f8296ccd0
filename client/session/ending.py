# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a game: places and points by source as a document."""

from __future__ import annotations

from client.session.session import Session
from client.show.document import Document, Note
from client.show.points import end_table
from client.system.registry import game_client


def end_document(session: Session) -> Document:
    """The places and points of all seats, the first place first, and how the game ended where it tells that; () before
    the table begins."""
    controls = session.table.controls
    if controls is None:
        return ()
    match, names, sources = controls.match, session.table.names, session.table.pictures.counts.sources
    endings = game_client(controls.genesis.game).endings
    why = [told.text for told in session.events.entries if told.event in endings and not told.undone][-1:]
    return [*map(Note, why), end_table(match.spec.scores(match.g), names, sources)]
