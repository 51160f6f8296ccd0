# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditions under which a member may sign a pact. The rules are in `pacts`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from p2p.lockstep.genesis import Member
from p2p.lockstep.machine import Refusal
from p2p.lockstep.pacts import NAMING, End, Pact, threshold
from p2p.lockstep.reading import Reading
from p2p.wire.codec import Value, WireError
from p2p.wire.entry import Entry

FAR: Final = 1 << 20
"""The most heights and epochs by which play may resume beyond this position."""
WAITING: Final = frozenset({"pact/feed-behind", "pact/evidence-missing", "pact/states-differ"})
"""Refusals that may end when more entries arrive. All others are final."""


def judge_pact(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    """Return why a member that has read this far may not sign a pact, None if it may. The pact's position must be in
    its history."""
    enough = threshold(len(members)) if pact.kind in NAMING else len(members)
    if len(pact.signers(members)) < enough:
        return Refusal("pact/too-few", "", (len(pact.signers(members)), enough))
    if pact.kind == "without":
        return _without(seen, pact, members)
    if pact.kind == "rewind":
        return _rewind(seen, pact, members)
    position = seen.position
    if pact.at != position.height:
        return Refusal("pact/passed" if pact.at < position.height else "pact/ahead")
    if any(other.kind == "absent" and other.named > pact.named for other in position.effective):
        return Refusal("pact/overtaken")
    if pact.kind not in ("absent", "end") and seen.differing():
        return Refusal("pact/states-differ")
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
    return None


def _absent(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    position = seen.position
    if not pact.named <= set(members):
        return Refusal("pact/not-a-member")
    for end in pact.out:
        refusal = _ends(seen, end)
        if refusal is not None:
            return refusal
    if not pact.named & (seen.owing().keys() | _wordless(seen, members)):
        return Refusal("pact/owes-nothing")
    left_out = {author for author in position.cut if author in members}
    return None if pact.named >= left_out else Refusal("pact/overtaken")


def _wordless(seen: Reading, members: tuple[bytes, ...]) -> set[bytes]:
    """Return the members that have neither signed nor refused an open pact here. Its signers wait for them."""
    position = seen.position
    return _silent(seen, position.height, position.head, members)


def _silent(seen: Reading, height: int, head: bytes, members: tuple[bytes, ...]) -> set[bytes]:
    ballots = seen.hearing.ballots
    pacts = [pact for pact in ballots.at(height, head) if not ballots.dead(pact, members)]
    return {member for pact in pacts for member in ballots.missing(pact, members)}


def _ends(seen: Reading, end: End) -> Refusal | None:
    """Return why a feed does not end here as the pact says, None if it does."""
    cut = seen.position.cut.get(end.author)
    if cut is not None:
        return None if cut == end else Refusal("pact/other-end", "", (end.author,))
    seq, last = seen.hearing.feeds.end(end.author)
    if other_branch(seen, end):
        return Refusal("pact/other-end", "", (end.author,))
    if seq < end.seq:
        return Refusal("pact/feed-behind", "", (end.author,))
    if (seq, last) != (end.seq, end.id):
        return Refusal("pact/more", "", (end.author, seq))
    return None


def other_branch(seen: Reading, end: End) -> bool:
    """True if a forked feed ends on a branch that this peer does not hold and so can never read."""
    fork = seen.hearing.feeds.forks.get(end.author)
    return fork is not None and end.seq >= fork.seq and seen.hearing.feeds.get(end.id) is None


def _gone(seen: Reading, pact: Pact) -> Refusal | None:
    position = seen.position
    for end in pact.out:
        absent = position.cut.get(end.author) == end and end.author not in position.members
        if not absent or end.author in position.membership.gone:
            return Refusal("pact/not-absent", "", (end.author,))
    return None


def _back(seen: Reading, pact: Pact) -> Refusal | None:
    position = seen.position
    match pact.terms:
        case [bytes() as author, int() as seq] if author in position.cut and author not in position.membership.gone:
            feed = seen.hearing.feeds.feed(author)
            if author in position.members:
                return Refusal("pact/next-height")
            if len(feed) <= seq:
                return Refusal("pact/feed-behind", "", (author,))
            asked = seq > position.cut[author].seq and _asks(seen, feed[seq])
            return None if asked else Refusal("pact/not-its-own")
    return Refusal("pact/not-absent")


def _asks(seen: Reading, entry: Entry) -> bool:
    """True if an entry is its author's own proposal to come back, at any position."""
    own = seen.hearing.ballots.pacts.get(seen.hearing.ballots.proposal(entry) or b"")
    return own is not None and own.kind == "back" and own.terms == [entry.author, entry.seq]


def asking(seen: Reading) -> list[Value]:
    """Return the latest terms on which each left-out member asks to come back."""
    position, found = seen.position, list[Value]()
    for author, cut in position.cut.items():
        if author not in position.members and author not in position.membership.gone:
            beyond = reversed(seen.hearing.feeds.feed(author)[cut.seq + 1 :])
            entry = next((entry for entry in beyond if _asks(seen, entry)), None)
            if entry is not None and not declined(seen, author, entry.seq):
                found.append([author, entry.seq])
    return found


def declined(seen: Reading, author: bytes, seq: int) -> bool:
    """True if a member has refused to let the author back since it asked with its entry `seq`."""
    asked = [p for p in seen.hearing.ballots.pacts.values() if p.kind == "back" and p.terms == [author, seq]]
    members = seen.position.members
    return any(seen.hearing.ballots.refused(pact, member) == "pact/declined" for pact in asked for member in members)


def _seat(seen: Reading, pact: Pact) -> Refusal | None:
    position = seen.position
    match pact.terms:
        case [int() as seat, record] if seat in position.owner:
            try:
                member = Member.read(record)
            except WireError as error:
                return Refusal(error.code)
            lobbies = (seen.genesis.table, seen.genesis.members[0].certificate.lobby)
            if member.certificate.lobby not in lobbies:
                return Refusal("genesis/lobby")
            return Refusal("pact/left-out") if member.key in position.cut else None
    return Refusal("pact/no-such-seat")


def _takeback(seen: Reading, pact: Pact) -> Refusal | None:
    position = seen.position
    match pact.terms:
        case [int() as to, bool() as across]:
            if to >= pact.at or not position.history.on_line(to):
                return Refusal("pact/no-such-height", "", (to,))
            if position.secrets_since(to) and not across:
                return Refusal("pact/across-secrets", "", (to,))
    return None


def _without(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    position = seen.position
    match pact.terms:
        case [bytes() as culprit, _, int() as following, int() as epoch]:
            if culprit not in pact.named or not pact.named <= set(members):
                return Refusal("pact/not-a-member")
            if following <= position.height or epoch <= position.epoch:
                return Refusal("pact/would-go-back", "", (position.height, position.epoch))
            if not all(seen.hearing.reaches(end) for end in pact.out):
                return Refusal("pact/feed-behind")
            if culprit not in seen.faults.proven:
                return Refusal("pact/evidence-missing", "", (culprit,))
            rivals = [other for other in seen.hearing.ballots.at(pact.at, pact.head) if other.kind == "without"]
            signed = [other for other in rivals if seen.me is not None and seen.hearing.ballots.signed(other, seen.me)]
            if any(seen.hearing.ballots.may_replace(pact, other, members) for other in signed):
                return _overtaken(seen, pact)
            latest = common(seen, pact.named)
            if pact.at < latest:
                return Refusal("pact/too-far-back", "", (pact.at, latest))
            if not parted(seen, culprit, pact.named) and not _shows_another(seen, pact):
                return Refusal("pact/not-parted", "", (culprit,))
    return _overtaken(seen, pact)


def _rewind(seen: Reading, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
    """Return why this member may not sign a rewind, None if it may: it leaves out only members that are left out by
    now, or that are silent on another rewind there, and undoes no other pact and nothing of theirs. The height that is
    open here is played again only if who signed another state there has come to this one."""
    if not pact.named <= set(members):
        return Refusal("pact/not-a-member")
    refusal = _resumes(seen, pact) or next(filter(None, (_cut_at(seen, end) for end in pact.out)), None)
    if refusal is not None:
        return refusal
    left_out = seen.position.cut.keys() & set(members)
    if fixed_since(seen, pact.at) or not left_out <= pact.named:
        return Refusal("pact/overtaken")
    if pact.at == seen.position.height and not agrees_by_now(seen):
        return Refusal("pact/states-differ")
    silent = _silent(seen, pact.at, pact.head, members)
    return None if pact.named <= left_out | silent else Refusal("pact/owes-nothing")


def agrees_by_now(seen: Reading) -> bool:
    """True if every member that has signed another state of this position has signed this one since, as after an
    update of its program."""
    head, state = seen.position.head, seen.position.state
    lasts = [seen.hearing.feeds.last(entry.author) for entry in seen.differing() if entry.author != seen.me]
    return all(last is not None and (last.head, last.state) == (head, state) for last in lasts)


def fixed_since(seen: Reading, height: int) -> bool:
    """True if no rewind may go back to this height, since a pact has changed the members or the game from there on, or
    one went back to this very height. Those of the open height have changed nothing yet."""
    since = [pact for at in seen.position.past if height <= at < seen.position.height for pact in seen.applied(at)]
    return any(pact.kind not in ("absent", "rewind") or (pact.kind, pact.at) == ("rewind", height) for pact in since)


def _resumes(seen: Reading, pact: Pact) -> Refusal | None:
    """Return why play may not resume where a pact says, None if it may: this member has been as far already, or it is
    so far that no room would be left."""
    assert pact.resumes is not None
    own = seen.waiting(seen.me) if seen.me is not None else ()
    height = max([seen.position.height, *(entry.height for entry in own)])
    epoch = max([seen.position.epoch, *(entry.epoch for entry in own)])
    if pact.resumes[0] <= height or pact.resumes[1] <= epoch:
        return Refusal("pact/would-go-back", "", (height, epoch))
    far = pact.resumes[0] > height + 2 * FAR or pact.resumes[1] > epoch + 2 * FAR
    return Refusal("pact/no-such-height", "", (pact.resumes[0],)) if far else None


def _cut_at(seen: Reading, end: End) -> Refusal | None:
    """Return why a rewind may not end a feed there: it was cut elsewhere, or this peer does not hold that entry."""
    cut = seen.position.cut.get(end.author)
    if cut is not None:
        return None if cut == end else Refusal("pact/other-end", "", (end.author,))
    if not seen.hearing.reaches(end):
        return Refusal("pact/feed-behind", "", (end.author,))
    return None


def _overtaken(seen: Reading, pact: Pact) -> Refusal | None:
    left_out = {end.author for other in seen.applied(pact.at) if other.kind == "absent" for end in other.out}
    return None if pact.named >= left_out else Refusal("pact/overtaken")


def common(seen: Reading, out: Collection[bytes]) -> int:
    """Return the height of the latest position that the entries of all members not in `out` show. Going back further
    would undo rolls and openings that all had agreed on."""
    position, ballots = seen.position, seen.hearing.ballots
    rewinds = _rewinds(seen)
    heights = [position.height, *(pact.at for pact in rewinds if _rewound_by_some(seen, pact, out))]
    for member in position.members:
        if member not in out and member != seen.me:
            feed = reversed(seen.hearing.feeds.feed(member))
            shown = next((e.height for e in feed if position.held(e.height, e.head) is not None), 0)
            heights.append(max([shown, *(pact.at for pact in rewinds if ballots.signed(pact, member))]))
    return min(heights)


def _rewinds(seen: Reading) -> list[Pact]:
    """Return the rewinds whose position is in this history."""
    pacts = seen.hearing.ballots.pacts.values()
    return [pact for pact in pacts if pact.kind == "rewind" and seen.position.held(pact.at, pact.head) is not None]


def _rewound_by_some(seen: Reading, pact: Pact, out: Collection[bytes]) -> bool:
    """True if all signers of a rewind but those in `out` have signed it. Where one of these votes both ways in two
    histories, it is complete for some of the others."""
    missing = seen.hearing.ballots.missing(pact, seen.position.past[pact.at].members)
    forked = [member for member in out if member in seen.hearing.feeds.forks and member not in pact.named]
    return bool(forked) and set(missing) <= set(out)


def parted(seen: Reading, culprit: bytes, out: Collection[bytes]) -> bool:
    """True if the histories of the members not in `out` differ because a member signed two. One of them has another
    head at a height that this peer has passed, holds the other branch, or is ahead while this peer waits for entries
    that only that branch may contain or that it cannot read."""
    position = seen.position
    if culprit not in seen.hearing.feeds.forks:
        return False
    others = [seen.hearing.feeds.last(m) for m in position.members if m not in out and m not in (culprit, seen.me)]
    lasts = [entry for entry in others if entry is not None]
    if any(entry.height <= position.height and position.held(entry.height, entry.head) is None for entry in lasts):
        return True
    for pact in seen.hearing.ballots.at(position.height, position.head):
        end = pact.end_of(culprit) if pact.kind == "absent" else None
        refused = [seen.hearing.ballots.refused(pact, member) for member in pact.signers(position.members)]
        if end is not None and (other_branch(seen, end) or "pact/other-end" in refused):
            return True
    if any(_rewound_by_some(seen, pact, {*out, culprit}) for pact in _rewinds(seen)):
        return True
    ahead = [entry.author for entry in lasts if entry.height > position.height]
    return any(seen.apart(entry.author) for entry in lasts) or (bool(ahead) and culprit in seen.owing())


def _shows_another(seen: Reading, pact: Pact) -> bool:
    """True if a signer of a `without` other than the culprit reports the first-named entry, or the one before it.
    Another pair may prove the fork there than here."""
    match pact.terms:
        case [bytes() as culprit, [bytes() as first, bytes()], _, _] if culprit in seen.hearing.feeds.forks:
            members = seen.position.past[pact.at].members
            if not any(seen.hearing.ballots.signed(pact, member) for member in pact.signers(members)):
                return False
            pair = seen.hearing.feeds.forks[culprit]
            known = {entry for one in (pair.first, pair.second) for entry in (one.id, one.prev)}
            return first in known and seen.hearing.feeds.get(first) is None
    return False
