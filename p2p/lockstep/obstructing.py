# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that refuse again and again what this member has signed, so that it may go on without them."""

from __future__ import annotations

from typing import Final

from p2p.lockstep.pacts import Pact
from p2p.lockstep.reading import Reading

OBSTRUCTING: Final = 3
"""So many refusals of one member at one position are more than a race of votes."""


def holding_on(seen: Reading) -> set[bytes]:
    """Return the members that have refused again and again here to give up somebody for whose cards the table waits, to
    leave out who has left, or to go on without somebody as all others who were asked would, while this member had
    signed that."""
    mine = _mine(seen, "absent")
    parting = [pact for pact in mine if pact.named == seen.hearing.ballots.parting(pact)]
    outvoted = {member for named in {pact.named for pact in mine} for member in _outvoted(seen, named)}
    return obstructing(seen, "gone") | _refusing(seen, parting) | outvoted


def _outvoted(seen: Reading, named: frozenset[bytes]) -> set[bytes]:
    """Return the member that refuses to go on without these while all others who were asked would, at one time or
    another, as a set of one; an empty one if there is none."""
    here = seen.hearing.ballots.at(seen.position.height, seen.position.head)
    return _alone([pact for pact in here if pact.kind == "absent" and pact.named == named], seen)


def holding_back(seen: Reading) -> set[bytes]:
    """Return the members that have refused again and again, each alone, to go on without a forger from where histories
    part, while this member had signed that and all others who were asked would."""
    ballots, found = seen.hearing.ballots, set[bytes]()
    known = [pact for forger in seen.hearing.feeds.forks for pact in ballots.naming([forger]) if pact.kind == "without"]
    for at, named in {(pact.at, pact.named) for pact in known if seen.me and ballots.signed(pact, seen.me)}:
        found |= _alone([pact for pact in known if (pact.at, pact.named) == (at, named)], seen)
    return found


def _alone(pacts: list[Pact], seen: Reading) -> set[bytes]:
    """Return the member that has refused pacts which name the same again and again, if all others who were asked have
    signed one of them, as a set of one."""
    ballots = seen.hearing.ballots
    asked = [member for member in seen.position.members if pacts and member not in pacts[0].named]
    unwilling = [member for member in asked if not any(ballots.signed(pact, member) for pact in pacts)]
    return _refusing(seen, pacts).intersection(unwilling) if len(unwilling) == 1 else set()


def obstructing(seen: Reading, kind: str, reason: str | None = None, *, always: bool = False) -> set[bytes]:
    """Return the members that have refused OBSTRUCTING pacts of a kind here that this member had signed. reason: counts
    alone, None for any. always: only members that have signed none of these."""
    return _refusing(seen, _mine(seen, kind), reason, always=always)


def _mine(seen: Reading, kind: str) -> list[Pact]:
    """Return the pacts of a kind here that this member has signed."""
    ballots, here = seen.hearing.ballots, seen.hearing.ballots.at(seen.position.height, seen.position.head)
    return [pact for pact in here if pact.kind == kind and seen.me is not None and ballots.signed(pact, seen.me)]


def _refusing(seen: Reading, mine: list[Pact], reason: str | None = None, *, always: bool = False) -> set[bytes]:
    ballots, found = seen.hearing.ballots, set[bytes]()
    for member in seen.position.members if len(mine) >= OBSTRUCTING else ():
        said = [ballots.refused(pact, member) for pact in mine]
        refused = sum(each is not None and reason in (None, each) for each in said)
        if refused >= OBSTRUCTING and not (always and any(ballots.signed(pact, member) for pact in mine)):
            found.add(member)
    return found
