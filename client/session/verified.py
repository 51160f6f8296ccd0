# SPDX-License-Identifier: GPL-3.0-or-later
"""The members that are known to have verified a step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from client.session.session import Session


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


def verified_by(held: Mapping[int, int], mine: Collection[int], seats: int, height: int) -> Sequence[int]:
    """The seats whose members are known to hold a step and all earlier ones, ascending; every program verifies what it
    holds. held: as `TableControls.held` returns it; mine: the seats held here; seats: how many there are."""
    return tuple(seat for seat in range(seats) if seat in mine or held.get(seat, 0) > height)
