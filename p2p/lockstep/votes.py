# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditions under which a member may sign a pact. The rules are in `pacts`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from p2p.lockstep.cuts import judge_end, other_branch
from p2p.lockstep.genesis import Member
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.obstructing import holding_on
from p2p.lockstep.pacts import CHANGING, LEAVING, NEWCOMERS, FeedEnd, Pact, covers
from p2p.lockstep.parting import VOTES, doubtful, parted, resumable
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE
from p2p.lockstep.undecided import undecided
from p2p.wire.codec import Value, WireError
from p2p.wire.entry import Entry

FAR: Final = 1 << 20
"""The most heights and epochs by which play may resume beyond this position."""
SHOWING: Final = frozenset({"remask", "share"})
"""Kinds of entries after which a sealed card may be shown to somebody."""
NEVER_OVER: Final = frozenset({"gone", "back", "seat", "takeback", "end"})
"""Kinds that nobody signs where the game is over: no height follows in which they could take effect."""
TAKING: Final = frozenset({"absent", "seat"})
"""Kinds after which somebody may be no member any more whose word keeps others from going another way. A `moved` is
none: the key is lost, and would say nothing more."""
WAITING: Final = frozenset(
    {
        "pact/undecided",
        "pact/feed-behind",
        "pact/evidence-missing",
        "pact/states-differ",
        "pact/no-difference",
        "pact/others-missing",
        "pact/bound-first",
    }
)
"""Refusals that may end when more entries arrive. All others are final."""


def judge_pact(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    """Return why a member that has read this far may not sign a pact, None if it may. The pact's position must be in
    its history."""
    needed = seen.hearing.ballots.needed_for(pact, members)
    if len(pact.signers(members)) < needed:
        return TableRefusal("pact/too-few", "", (len(pact.signers(members)), needed))
    known = {other.id for other in seen.hearing.ballots.at(pact.at, pact.head)}
    if not known.issuperset(pact.over):
        return TableRefusal("pact/others-missing")
    match pact.kind:
        case "without":
            return _without(seen, pact, members)
        case "repair":
            return _repair(seen, pact, members)
        case "free":
            return _free(seen, pact, members)
    return _judge_here(seen, pact, members)


def _judge_here(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    """Return why this member may not sign a pact of a kind that is made at the open height, None if it may."""
    position = seen.position
    if pact.at != position.height:
        return TableRefusal("pact/passed" if pact.at < position.height else "pact/ahead")
    ballots = seen.hearing.ballots
    others = (other for other in ballots.at(pact.at, pact.head) if other.id != pact.id)
    done = [each for each in others if ballots.complete(each, members) and not covers(pact, each, members)]
    if any(other.kind in LEAVING for other in done):
        return TableRefusal("pact/overtaken")
    if position.over and pact.kind in NEVER_OVER:
        return TableRefusal("pact/over")
    if pact.kind in CHANGING and any(_leaves_to_the_next(other, pact) for other in done):
        return TableRefusal("pact/next-height")
    if not position.membership.seating([pact]):
        return TableRefusal("pact/too-many-keys", "", (NEWCOMERS,))
    if pact.kind in TAKING and undecided(seen.position, seen.hearing, _taken(seen, pact)):
        return TableRefusal("pact/undecided")
    if pact.kind not in ("absent", "end") and seen.differing():
        return TableRefusal("pact/states-differ")
    match pact.kind:
        case "absent":
            return _absent(seen, pact, members)
        case "gone":
            return _gone(seen, pact)
        case "back":
            return _back(seen, pact)
        case "seat":
            return _seat(seen, pact)
        case "takeback":
            return _takeback(seen, pact)
        case "moved":
            return _moved(seen, pact, members)
    return None


def _leaves_to_the_next(done: Pact, pact: Pact) -> bool:
    """True if a complete pact leaves another change of the members to the next height: it lets somebody back, who has a
    word in that then, or both are about one member or seat. Who signed the other one here could wait for nothing."""
    match done.kind, done.terms, pact.kind, pact.terms:
        case "back", *_:
            return True
        case "gone", *_:
            return not done.named.isdisjoint(pact.about)
        case "seat", [seat, _], "seat", [other, _]:
            return seat == other
    return False


def _taken(seen: Reading, pact: Pact) -> Collection[bytes]:
    """Return the members that a pact takes out of the game, or that it takes a seat from."""
    owner = seen.position.owner
    match pact.kind, pact.terms:
        case "seat", [int() as seat, _] if seat in owner:
            return {owner[seat]}
    return pact.named


def _free(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    """Return why this member may not sign that nobody is bound by the listed pacts, None if it may: none of them is
    complete here, and each waits for somebody whom it names."""
    ballots = seen.hearing.ballots
    if not pact.named <= set(members):
        return TableRefusal("pact/not-a-member")
    listed = [ballots.pacts[each] for each in pact.over]
    if any(ballots.complete(each, members) for each in listed):
        return TableRefusal("pact/overtaken")
    if any(pact.named.isdisjoint(ballots.missing(each, members)) for each in listed):
        return TableRefusal("pact/owes-nothing")
    return TableRefusal("pact/passed") if ballots.gone_on(pact, seen.me) else None


def _absent(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    if not pact.named <= set(members):
        return TableRefusal("pact/not-a-member")
    for end in pact.out:
        refusal = judge_end(seen, end)
        if refusal is not None:
            return refusal
    waited = seen.owing().keys() | _wordless(seen, members) | seen.hearing.feeds.forks.keys() | holding_on(seen)
    waited |= seen.hearing.ballots.left
    return None if pact.named & waited else TableRefusal("pact/owes-nothing")


def _wordless(seen: Reading, members: tuple[bytes, ...]) -> set[bytes]:
    """Return the members that have neither signed nor refused an open pact here for which others wait."""
    position = seen.position
    return _silent(seen, position.height, position.head, members)


def _silent(seen: Reading, height: int, head: bytes, members: tuple[bytes, ...]) -> set[bytes]:
    ballots = seen.hearing.ballots
    here = (pact for pact in ballots.at(height, head) if ballots.binds(pact, members))
    pacts = [pact for pact in here if not ballots.dead(pact, members)]
    return {member for pact in pacts for member in ballots.missing(pact, members)}


def _gone(seen: Reading, pact: Pact) -> TableRefusal | None:
    position = seen.position
    for end in pact.out:
        absent = position.cut.get(end.author) == end and end.author not in position.members
        if not absent or end.author in position.membership.gone:
            return TableRefusal("pact/not-absent", "", (end.author,))
    return None


def _back(seen: Reading, pact: Pact) -> TableRefusal | None:
    position = seen.position
    match pact.terms:
        case [bytes() as author, int() as seq] if author in position.cut and author not in position.membership.gone:
            feed = seen.hearing.feeds.feed(author)
            if author in position.members:
                return TableRefusal("pact/next-height")
            if len(feed) <= seq:
                return TableRefusal("pact/feed-behind", "", (author,))
            asked = seq >= _since(seen, author, position.cut[author]) and _asks(seen, feed[seq])
            return None if asked else TableRefusal("pact/not-its-own")
    return TableRefusal("pact/not-absent")


def _since(seen: Reading, author: bytes, cut: FeedEnd) -> int:
    """Return the seq from which a member that was left out may ask to come back: after its cut, and after it has come
    back before."""
    return max(cut.seq, seen.position.membership.floor.get(author, -1)) + 1


def _asks(seen: Reading, entry: Entry) -> bool:
    """True if an entry is its author's own proposal to come back, at any position."""
    own = seen.hearing.ballots.pacts.get(seen.hearing.ballots.proposal(entry) or b"")
    return own is not None and own.kind == "back" and own.terms == [entry.author, entry.seq]


def asking(seen: Reading) -> list[Value]:
    """Return the latest terms on which each left-out member asks to come back."""
    position, found = seen.position, list[Value]()
    for author, cut in position.cut.items():
        if author not in position.members and author not in position.membership.gone:
            beyond = reversed(seen.hearing.feeds.feed(author)[_since(seen, author, cut) :])
            entry = next((entry for entry in beyond if _asks(seen, entry)), None)
            if entry is not None and not declined(seen, author, entry.seq):
                found.append([author, entry.seq])
    return found


def declined(seen: Reading, author: bytes, seq: int) -> bool:
    """True if a member has refused to let the author back since it asked with its entry `seq`."""
    asked = [p for p in seen.hearing.ballots.pacts.values() if p.kind == "back" and p.terms == [author, seq]]
    members = seen.position.members
    return any(seen.hearing.ballots.refused(pact, member) == "pact/declined" for pact in asked for member in members)


def _seat(seen: Reading, pact: Pact) -> TableRefusal | None:
    position = seen.position
    match pact.terms:
        case [int() as seat, record] if seat in position.owner:
            try:
                member = Member.read(record)
            except WireError as error:
                return TableRefusal(error.code)
            lobbies = (seen.genesis.table, seen.genesis.members[0].certificate.lobby)
            if member.certificate.lobby not in lobbies:
                return TableRefusal("genesis/lobby")
            if position.owner[seat] not in position.membership.present:
                return TableRefusal("pact/owner-left-out")
            if _holds_another(seen, seat, member):
                return TableRefusal("pact/second-key")
            return TableRefusal("pact/left-out") if member.key in position.cut else None
    return TableRefusal("pact/no-such-seat")


def _holds_another(seen: Reading, seat: int, member: Member) -> bool:
    """True if the identity of a record holds a seat besides this one with another key: it would have two votes."""
    position = seen.position
    others = {owner for other, owner in position.owner.items() if other != seat and owner != member.key}
    return any(position.roster[owner].certificate.identity == member.certificate.identity for owner in others)


def _moved(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    """Return why this member may not sign that another one moves to a new table key, None if it may. Who has proof of a
    fault of the old key excuses nothing."""
    code = seen.position.membership.moving(pact)
    if code is not None:
        return TableRefusal(code)
    (end,) = pact.out
    if end.author in seen.faults.proven:
        return TableRefusal("pact/convicted")
    if any(author != end.author for author in seen.position.cut if author in members):
        return TableRefusal("pact/next-height")
    return judge_end(seen, end)


def _takeback(seen: Reading, pact: Pact) -> TableRefusal | None:
    position = seen.position
    match pact.terms:
        case [int() as to, bool() as across]:
            if to >= pact.at or not position.history.on_line(to):
                return TableRefusal("pact/no-such-height", "", (to,))
            if to < position.theirs:
                return TableRefusal("pact/undoes-others", "", (position.theirs,))
            if to < position.chance.rolled_alone:
                return TableRefusal("pact/chooses-dice", "", (position.chance.rolled_alone,))
            if position.secrets_since(to) and not across:
                return TableRefusal("pact/across-secrets", "", (to,))
    return None


def _without(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    position = seen.position
    match pact.terms:
        case [bytes() as culprit, _, bool() as shown, int() as following, int() as epoch]:
            if culprit not in pact.named or not pact.named <= set(members):
                return TableRefusal("pact/not-a-member")
            if not (_follows(following, position.height) and _follows(epoch, position.epoch)):
                return TableRefusal("pact/would-go-back", "", (position.height, position.epoch))
            if not all(seen.hearing.reaches(end) for end in pact.out):
                return TableRefusal("pact/feed-behind")
            if not shown and shown_since(seen, pact.at):
                return TableRefusal("pact/cards-shown", "", (pact.at,))
            if culprit not in seen.faults.proven:
                return TableRefusal("pact/evidence-missing", "", (culprit,))
            rivals = [other for other in seen.hearing.ballots.at(pact.at, pact.head) if other.kind == "without"]
            signed = [other for other in rivals if seen.me is not None and seen.hearing.ballots.signed(other, seen.me)]
            if any(seen.hearing.ballots.may_replace(pact, other, members) for other in signed):
                return _overtaken(seen, pact)
            latest = resumable(seen, culprit, pact.named)
            if pact.at < latest:
                return TableRefusal("pact/too-far-back", "", (pact.at, latest))
            if not parted(seen, culprit, pact.named) and not _shows_another(seen, pact):
                return TableRefusal("pact/not-parted", "", (culprit,))
    return _overtaken(seen, pact)


def _follows(number: int, here: int) -> bool:
    """True if a height or epoch follows that of this position, as far beyond it as a proposer who has read on may ask.
    Without a bound a vote would lead to the last number there is, at which nobody can sign anything."""
    return here < number <= here + 2 * FAR


def _repair(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
    """Return why this member may not sign a repair, None if it may: its program computes the state of the terms,
    another one was signed there, by itself if it has read on from there, and no entry of its own is beyond the end that
    the terms name. Only those are not waited for who are left out by now, or are silent on another repair there.

    Who has read on rightly needs no repair: what names another state there was needed for nothing. Read again, such a
    word could hold up its author's feed, and undo rolls that have come since."""
    assert pact.repaired is not None
    state, ends, epoch = pact.repaired
    if not pact.named <= set(members):
        return TableRefusal("pact/not-a-member")
    for end in (*pact.out, *ends):
        refusal = _cut_at(seen, end)
        if refusal is not None:
            return refusal
    if not _follows(epoch, seen.position.epoch):
        return TableRefusal("pact/would-go-back", "", (pact.at, seen.position.epoch))
    own = [end.seq for end in ends if end.author == seen.me]
    said = [entry.seq for entry in (seen.hearing.feeds.feed(seen.me) if seen.me else ()) if entry.kind in STAGE]
    if max(said, default=-1) > max(own, default=-1):
        return TableRefusal("pact/more", "", (seen.me, max(said)))
    if not states_differ(seen, pact.at, pact.head, state):
        return TableRefusal("pact/no-difference")
    if seen.position.state_at(pact.at) != state:
        return TableRefusal("pact/other-state")
    if pact.at < seen.position.height and not states_differ(seen, pact.at, pact.head, state, author=seen.me):
        return TableRefusal("pact/passed")
    left_out = seen.position.cut.keys() & set(members)
    silent = _silent(seen, pact.at, pact.head, members)
    return None if left_out <= pact.named <= left_out | silent else TableRefusal("pact/owes-nothing")


def states_differ(seen: Reading, height: int, head: bytes, state: bytes, author: bytes | None = None) -> bool:
    """True if a member has signed another state at a position: what fills a slot, a vote or a result. author: that
    member, None for any."""
    signed = (*STAGE, *VOTES, "result")
    feeds = seen.hearing.feeds
    said = (entry for each in (feeds.authors if author is None else (author,)) for entry in feeds.feed(each))
    there = (entry for entry in said if (entry.height, entry.head) == (height, head))
    return any(entry.kind in signed and entry.state != state for entry in there)


def _cut_at(seen: Reading, end: FeedEnd) -> TableRefusal | None:
    """Return why a repair may not name this end of a feed: it was cut elsewhere, or is on a branch that this peer does
    not hold, or this peer does not hold it yet."""
    cut = seen.position.cut.get(end.author)
    if (cut is not None and cut != end) or (cut is None and other_branch(seen, end)):
        return TableRefusal("pact/other-end", "", (end.author,))
    if cut is None and not seen.hearing.reaches(end):
        return TableRefusal("pact/feed-behind", "", (end.author,))
    return None


def shown_since(seen: Reading, height: int) -> bool:
    """True if this peer holds an entry at or above a height, void or not, that may show a sealed card to somebody."""
    feeds = seen.hearing.feeds
    said = (entry for author in feeds.authors for entry in feeds.feed(author) if entry.height >= height)
    return seen.genesis.sealed and any(entry.kind in SHOWING for entry in said)


def _overtaken(seen: Reading, pact: Pact) -> TableRefusal | None:
    assert isinstance(pact.terms, list)
    culprit, over = pact.terms[0], {*pact.over}
    unsure = {each.id for each in doubtful(seen, culprit)} & over if isinstance(culprit, bytes) else set()
    absent = [other for other in seen.applied(pact.at) if other.kind == "absent" and other.id not in unsure]
    left_out = {end.author for other in absent for end in other.out}
    return None if pact.named >= left_out else TableRefusal("pact/overtaken")


def _shows_another(seen: Reading, pact: Pact) -> bool:
    """True if a signer of a `without` other than the culprit reports the first-named entry, or the one before it.
    Another pair may prove the fork there than here."""
    match pact.terms:
        case [bytes() as culprit, [bytes() as first, bytes()], _, _, _] if culprit in seen.hearing.feeds.forks:
            members = seen.position.past[pact.at].members
            if not any(seen.hearing.ballots.signed(pact, member) for member in pact.signers(members)):
                return False
            pair = seen.hearing.feeds.forks[culprit]
            known = {entry for one in (pair.first, pair.second) for entry in (one.id, one.prev)}
            return first in known and seen.hearing.feeds.get(first) is None
    return False
