# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may still go another way from an earlier height (PROTOCOL 9.8).

Two parts of a table must not go on beside each other, and nobody may see a roll before it decides whether to undo it. A
member that has signed a vote at an earlier height before it went on, or that has not gone on from there, can still
complete one there. While those are so many that it would count, nobody is left out and nothing is given for dice and
cards.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from p2p.lockstep.pacts import enough
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE


def undecided(seen: Reading, out: Collection[bytes] = ()) -> set[bytes]:
    """Return the members of an earlier height that may still vote there for something else, if they are so many that it
    would count. Then whatever is said without them is undone if they do. These are those who are not here, `out`
    included, and have not gone on from there, and whoever may have signed such a vote before it went on. Who was left
    out has gone on once it asks at a later height to come back."""
    position, ballots = seen.position, seen.hearing.ballots
    staying, unshown = {*position.members} - position.cut.keys() - {*out}, ballots.unshown
    for height in _voted(seen, unshown):
        past = position.past[height]
        left = ballots.left.intersection(past.members)
        bound = {who for who in past.members if _pledged(seen, who, height, unshown)}
        if bound or out:
            away = {who for who in past.members if who not in staying and _gone_on(seen, who, height) is None}
            if len((bound | away) - left) >= enough("absent", len(past.members), len(left)):
                return (bound | away) - left
    return set()


def _voted(seen: Reading, unshown: Collection[tuple[bytes, int]]) -> set[int]:
    """Return the earlier heights at which somebody has voted, or may have for what is not known here: at the latest
    before its next word."""
    position, hearing = seen.position, seen.hearing
    below = hearing.ballots.until(position.height - 1)
    found = {pact.at for pact in below if position.held(pact.at, pact.head) is not None}
    for author, seq in unshown:
        word = next((entry for entry in hearing.feeds.feed(author)[seq + 1 :] if entry.kind in STAGE), None)
        found.add(max((at for at in position.past if word is not None and at < word.height), default=position.height))
    return found - {position.height}


def _gone_on(seen: Reading, member: bytes, height: int) -> int | None:
    """Return the seq of the first entry by which a member of an earlier height has gone on from there in this history,
    None without one."""
    position = seen.position
    said = (entry for entry in seen.hearing.feeds.feed(member) if entry.kind in STAGE and entry.height > height)
    words = (entry.seq for entry in said if position.held(entry.height, entry.head) is not None)
    asked = seen.hearing.ballots.asked(member, height)
    back = (seq for at, head, seq in asked if position.held(at, head) is not None)
    return min((*islice(words, 1), *back), default=None)


def _pledged(seen: Reading, member: bytes, height: int, unshown: Collection[tuple[bytes, int]]) -> bool:
    """True if a member may have signed a vote at an earlier height that is still open, before it went on."""
    past = seen.position.past[height]
    pledges = seen.hearing.ballots.pledges(member, height, past.head, past.members)
    pledges += [seq for author, seq in unshown if author == member]
    first = _gone_on(seen, member, height) if pledges else None
    return any(first is None or seq < first for seq in pledges)
