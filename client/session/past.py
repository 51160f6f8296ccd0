# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier position of the table, drawn as a spectator sees it, and the members that have verified a step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from client.session.screens import NOBODY
from client.session.session import Session
from client.show.pictures import Frame
from client.show.styled import owner_letter


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


def past_of(session: Session, height: int) -> Mapping[str, Any] | None:
    """The position when a height opened, as JSON: its `height`, the `last` one, which is open now, the `map` as SVG,
    and the events `told` of it; None if there is none, or it was taken back."""
    controls, frame = session.table.controls, past_frame(session, height)
    if controls is None or frame is None:
        return None
    told = [each.text for each in session.events.entries if each.height == height]
    drawn = session.table.pictures.documents.drawing(frame)
    return {"height": height, "last": controls.height, "map": drawn, "told": told}


def verifiers(session: Session, height: int) -> Sequence[str] | None:
    """Who has verified a step, once all linked members have, by post all members; None until then, and () for a step
    that was taken back."""
    controls, names, post = session.table.controls, session.table.names, session.mail is not None
    held = {} if controls is None else controls.held()
    verified = verified_by(held, (), len(names), height)
    if controls is None or not session.lasting or not verified:
        return None
    if not all(held.get(seat, 0) > height for seat, linked in controls.linked().items() if linked or post):
        return None
    if not controls.stands(height):
        return ()
    return tuple(dict.fromkeys(names[seat] for seat in verified))


def members_of(session: Session, keys: Iterable[bytes]) -> str:
    """The letters of the seats of some members."""
    known = (session.table.running.genesis.member(key) for key in keys)
    seats = {seat for member in known if member is not None for seat in member.seats}
    return "".join(owner_letter(seat) for seat in sorted(seats))


def verified_by(held: Mapping[int, int], mine: Collection[int], seats: int, height: int) -> Sequence[int]:
    """The seats whose members are known to hold a step and all earlier ones, ascending; every program verifies what it
    holds. held: as `TableControls.held` returns it; mine: the seats held here; seats: how many there are."""
    return tuple(seat for seat in range(seats) if seat in mine or held.get(seat, 0) > height)
