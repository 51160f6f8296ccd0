"""Whether a pact makes sense to a member: what it must have seen before it signs. The rules stand in `pacts`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Member
from p2p.lockstep.machine import Refusal
from p2p.lockstep.pacts import NAMING, End, Pact, threshold
from p2p.wire.codec import Value, WireError
from p2p.wire.entry import Entry

WAITING: Final = frozenset({"pact/feed-behind", "pact/evidence-missing"})
"""Refusals that may pass when more entries arrive; all others are final."""


def judge_pact(table: Follower, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    """Why a member at this table may not sign a pact whose position lies in its history; None when it may."""
    enough = threshold(len(members)) if pact.kind in NAMING else len(members)
    if len(pact.signers(members)) < enough:
        return Refusal("pact/too-few", "", (len(pact.signers(members)), enough))
    if pact.kind == "without":
        return _without(table, pact, members)
    position = table.position
    if pact.at != position.height:
        return Refusal("pact/passed" if pact.at < position.height else "pact/ahead")
    if any(other.kind == "absent" and other.named > pact.named for other in position.effective):
        return Refusal("pact/overtaken")
    match pact.kind:
        case "absent":
            return _absent(table, pact, members)
        case "gone":
            return _gone(table, pact)
        case "back":
            return _back(table, pact)
        case "seat":
            return _seat(table, pact)
        case "takeback":
            return _takeback(table, pact)
    return None


def _absent(table: Follower, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    position = table.position
    if not pact.named <= set(members):
        return Refusal("pact/not-a-member")
    for end in pact.out:
        refusal = _ends(table, end)
        if refusal is not None:
            return refusal
    if not pact.named & (table.owing().keys() | _wordless(table, members)):
        return Refusal("pact/owes-nothing")
    left_out = {author for author in position.cut if author in members}
    return None if pact.named >= left_out else Refusal("pact/overtaken")


def _wordless(table: Follower, members: tuple[bytes, ...]) -> set[bytes]:
    """Members who have neither signed nor refused a pact that is open here; its signers wait for them."""
    ballots, position = table.ballots, table.position
    pacts = [pact for pact in ballots.at(position.height, position.head) if not ballots.dead(pact, members)]
    return {member for pact in pacts for member in ballots.missing(pact, members)}


def _ends(table: Follower, end: End) -> Refusal | None:
    """Whether a feed ends in my copy where the pact says."""
    cut = table.position.cut.get(end.author)
    if cut is not None:
        return None if cut == end else Refusal("pact/other-end", "", (end.author,))
    last = table.feeds.last(end.author)
    if other_branch(table, end):
        return Refusal("pact/other-end", "", (end.author,))
    if last is None or last.seq < end.seq:
        return Refusal("pact/feed-behind", "", (end.author,))
    if (last.seq, last.id) != (end.seq, end.id):
        return Refusal("pact/more", "", (end.author, last.seq))
    return None


def other_branch(table: Follower, end: End) -> bool:
    """True if a feed that forked ends on the branch that I do not hold: what follows there I can never read."""
    fork = table.feeds.forks.get(end.author)
    return fork is not None and end.seq >= fork.seq and table.feeds.get(end.id) is None


def _gone(table: Follower, pact: Pact) -> Refusal | None:
    position = table.position
    for end in pact.out:
        if position.cut.get(end.author) != end or end.author in position.members or end.author in position.gone:
            return Refusal("pact/not-absent", "", (end.author,))
    return None


def _back(table: Follower, pact: Pact) -> Refusal | None:
    match pact.terms:
        case [bytes() as author, int() as seq] if author in table.position.cut and author not in table.position.gone:
            feed = table.feeds.feed(author)
            if author in table.position.members:
                return Refusal("pact/next-height")
            if len(feed) <= seq:
                return Refusal("pact/feed-behind", "", (author,))
            asked = seq > table.position.cut[author].seq and _asks(table, feed[seq])
            return None if asked else Refusal("pact/not-its-own")
    return Refusal("pact/not-absent")


def _asks(table: Follower, entry: Entry) -> bool:
    """True if an entry is its author's own proposal to let it come back, made at whatever position."""
    own = table.ballots.pacts.get(table.ballots.proposal(entry) or b"")
    return own is not None and own.kind == "back" and own.terms == [entry.author, entry.seq]


def asking(table: Follower) -> list[Value]:
    """The terms on which those who are left out ask to come back, for each its latest."""
    position, found = table.position, list[Value]()
    for author, cut in position.cut.items():
        if author not in position.members and author not in position.gone:
            beyond = reversed(table.feeds.feed(author)[cut.seq + 1 :])
            entry = next((entry for entry in beyond if _asks(table, entry)), None)
            if entry is not None and not declined(table, author, entry.seq):
                found.append([author, entry.seq])
    return found


def declined(table: Follower, author: bytes, seq: int) -> bool:
    """True if somebody has said no to letting a member in since it asked with its entry `seq`."""
    asked = [p for p in table.ballots.pacts.values() if p.kind == "back" and p.terms == [author, seq]]
    members = table.position.members
    return any(table.ballots.refused(pact, member) == "pact/declined" for pact in asked for member in members)


def _seat(table: Follower, pact: Pact) -> Refusal | None:
    position = table.position
    match pact.terms:
        case [int() as seat, record] if seat in position.owner:
            try:
                member = Member.read(record)
            except WireError as error:
                return Refusal(error.code)
            lobbies = (table.genesis.table, table.genesis.members[0].certificate.lobby)
            if member.certificate.lobby not in lobbies:
                return Refusal("genesis/lobby")
            return Refusal("pact/left-out") if member.key in position.cut else None
    return Refusal("pact/no-such-seat")


def _takeback(table: Follower, pact: Pact) -> Refusal | None:
    position = table.position
    match pact.terms:
        case [int() as to, bool() as across]:
            if to >= pact.at or not position.history.on_line(to):
                return Refusal("pact/no-such-height", "", (to,))
            if position.secrets_since(to) and not across:
                return Refusal("pact/across-secrets", "", (to,))
    return None


def _without(table: Follower, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    position = table.position
    match pact.terms:
        case [bytes() as culprit, _, int() as following, int() as epoch]:
            if culprit not in pact.named or not pact.named <= set(members):
                return Refusal("pact/not-a-member")
            if following <= position.height or epoch <= position.epoch:
                return Refusal("pact/would-go-back", "", (position.height, position.epoch))
            if any(table.feeds.get(end.id) is None for end in pact.out):
                return Refusal("pact/feed-behind")
            if culprit not in table.faults:
                return Refusal("pact/evidence-missing", "", (culprit,))
            rivals = [other for other in table.ballots.at(pact.at, pact.head) if other.kind == "without"]
            signed = [other for other in rivals if table.me is not None and table.ballots.signed(other, table.me)]
            if any(table.ballots.may_replace(pact, other, members) for other in signed):
                return _overtaken(table, pact)
            latest = common(table, pact.named)
            if pact.at < latest:
                return Refusal("pact/too-far-back", "", (pact.at, latest))
            if not parted(table, culprit, pact.named) and not _shows_another(table, pact):
                return Refusal("pact/not-parted", "", (culprit,))
    return _overtaken(table, pact)


def _overtaken(table: Follower, pact: Pact) -> Refusal | None:
    left_out = {end.author for other in table.applied(pact.at) if other.kind == "absent" for end in other.out}
    return None if pact.named >= left_out else Refusal("pact/overtaken")


def common(table: Follower, out: Collection[bytes]) -> int:
    """The height of the latest position that all members not in `out` have shown to hold. What was rolled or opened
    before it stays: going back further would undo what everybody had agreed on."""
    position = table.position
    heights = [position.height]
    for member in position.members:
        if member not in out and member != table.me:
            shared = (e for e in reversed(table.feeds.feed(member)) if position.held(e.height, e.head) is not None)
            heights.append(next((entry.height for entry in shared), 0))
    return min(heights)


def parted(table: Follower, culprit: bytes, out: Collection[bytes]) -> bool:
    """True if the histories of the members not in `out` differ since a member signed two: one of them has another head
    where I have been, holds the other branch, or is ahead while I wait for what only that branch may hold, or cannot
    read what led it there."""
    position = table.position
    if culprit not in table.feeds.forks:
        return False
    others = [table.feeds.last(m) for m in position.members if m not in out and m not in (culprit, table.me)]
    lasts = [entry for entry in others if entry is not None]
    if any(entry.height <= position.height and position.held(entry.height, entry.head) is None for entry in lasts):
        return True
    for pact in table.ballots.at(position.height, position.head):
        end = pact.end_of(culprit) if pact.kind == "absent" else None
        refused = [table.ballots.refused(pact, member) for member in pact.signers(position.members)]
        if end is not None and (other_branch(table, end) or "pact/other-end" in refused):
            return True
    ahead = [entry.author for entry in lasts if entry.height > position.height]
    return any(table.apart(entry.author) for entry in lasts) or (bool(ahead) and culprit in table.owing())


def _shows_another(table: Follower, pact: Pact) -> bool:
    """True if somebody who signed a `without`, not the culprit alone, says that it holds the other of the two entries:
    the first that is named."""
    match pact.terms:
        case [bytes() as culprit, [bytes() as first, bytes()], _, _] if culprit in table.feeds.forks:
            members = table.position.past[pact.at].members
            if not any(table.ballots.signed(pact, member) for member in pact.signers(members)):
                return False
            pair = table.feeds.forks[culprit]
            return first in (pair.first.id, pair.second.id) and table.feeds.get(first) is None
    return False
