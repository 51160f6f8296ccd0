# SPDX-License-Identifier: GPL-3.0-or-later
"""Proposals that wait for a person's vote, and what a take-back would lose, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from client.session.news import LoggedEvent
from client.session.view_records import VoteView
from client.system.names import member_name
from client.table.player import TableControls
from client.words.pacts import pact_text

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.pacts import Pact

TOLD_LOST: Final = 3
"""Most sentences about what a take-back would lose."""


def proposals_of(controls: TableControls, log: Sequence[LoggedEvent]) -> list[VoteView]:
    """The proposals at a table that wait for this person's vote."""
    roster = {member.key: member_name(member.rows) for member in controls.genesis.members}
    proposals = []
    for vote in controls.votes():
        pact = vote.pact
        fields = {"out": ", ".join(roster.get(each, "?") for each in pact.about), "at": str(pact.at)}
        known = {**_passed(controls, pact), **lost_by(pact.kind, pact.terms, log)}
        text = pact_text(pact.kind, {**fields, **known})
        proposals.append(VoteView(pact.id.hex(), pact.kind, text, controls.proposer(pact.id)))
    return proposals


def _passed(controls: TableControls, pact: Pact) -> Mapping[str, str]:
    """Who gives away a seat, and to whom; nothing for other pacts and for terms that nobody can carry out."""
    from p2p.lockstep.genesis import Member  # the network loads slowly
    from p2p.wire.codec import WireError

    match pact.kind, pact.terms:
        case "seat", [int() as seat, record] if seat < controls.genesis.seats:
            try:
                return {"seat": controls.name(seat), "name": member_name(Member.read(record).rows)}
            except WireError:
                return {}
    return {}


def lost_by(kind: str, terms: object, log: Sequence[LoggedEvent]) -> Mapping[str, str]:
    """What a take-back would lose: the height it goes back to, the number of logged steps since, the first of them, and
    whether reveals are among them; of who moves to another key, whether its hand stays."""
    match kind, terms:
        case "takeback", [int() as to, across]:
            lost = [told for told in log if told.height >= to and not told.undone]
            first = "; ".join(told.text.removesuffix(".") for told in lost[:TOLD_LOST]) + " …" * (len(lost) > TOLD_LOST)
            known = {"to": str(to), "steps": str(len({told.height for told in lost})), "lost": first}
            return known | ({"across": "yes"} if across is True else {})
        case "moved", [_, bool() as kept]:
            return {"kept": "yes" if kept else "no"}
    return {}
