# SPDX-License-Identifier: GPL-3.0-or-later
"""What a member may propose: the pacts of each kind with the ends of feeds, the terms and the votes that they are over.
`voting` has the open pacts and what may be signed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.core.dataclass import replace
from p2p.lockstep.cuts import end_here, end_of_all
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.obstructing import OBSTRUCTING
from p2p.lockstep.pacts import (
    ASKED,
    COVERING,
    MAX_ASKED,
    MAX_OVER,
    MAX_PROPOSALS,
    MAX_REPAIRS,
    FeedEnd,
    Pact,
    beside,
    covers,
    threshold,
)
from p2p.lockstep.parting import resumable
from p2p.lockstep.reading import Reading
from p2p.lockstep.votes import FAR, shown_since
from p2p.lockstep.voting import Voting
from p2p.wire.codec import Value
from p2p.wire.entry import NO_PREV

BEYOND: Final = 8
"""Heights between the last known one and that at which play resumes after histories have parted."""


class Proposals:
    """The pacts that member `me` may propose."""

    def __init__(self, me: bytes, reading: Reading, voting: Voting) -> None:
        self._me, self._reading, self._voting = me, reading, voting
        self._feeds, self._ballots = reading.hearing.feeds, reading.hearing.ballots

    def proposal(
        self, kind: str, out: Sequence[bytes] = (), terms: Value = None, at: int | None = None
    ) -> Pact | TableRefusal:
        """Return the pact that this member may propose with these arguments, or why it may not.

        out: members to leave out, besides those who say nothing more: whom a pact has left out, who has left, and a key
            that moves by a vote of this member; without these, if t members would not remain.
        terms: as in `Pact`; for `back`, None to come back oneself.
        at: for `without` and `repair`, the height of its position.
        """
        position = self._reading.position
        height = position.height if at is None else at
        past = position.past.get(height)
        if past is None:
            return TableRefusal("pact/other-position")
        named, moving = set(out), [who for lock in self._voting.locks() if lock.kind == "moved" for who in lock.named]
        silent = (*position.cut, *self._ballots.left, *moving)
        grown = named | {author for author in silent if author in past.members}
        remaining = len(past.members) - len(grown)
        if kind in ("without", "repair") or (
            kind == "absent" and remaining >= self._voting.fewest(grown, past.members)
        ):
            named = grown
        below = height if kind == "without" else None
        ends = tuple(end_here(self._reading, author, below) for author in sorted(named))
        if kind == "moved":
            ends = tuple(end_of_all(self._reading, author) for author in sorted(named))
        if kind == "back" and terms is None:
            if self._me in position.returning:
                return TableRefusal("pact/next-height")
            if any(
                pact.kind == "back" and self._ballots.signed(pact, self._me) for pact, _ in self._voting.open_pacts()
            ):
                return TableRefusal("pact/proposed-already")
            terms = [self._me, len(self._feeds.feed(self._me))]
        pact = Pact(kind, height, past.head, ends, terms)
        pact = replace(pact, over=self._over(pact, past.members))
        most = MAX_REPAIRS if kind == "repair" else MAX_ASKED if kind in ASKED else MAX_PROPOSALS
        if self._ballots.proposed(self._me, pact) >= most:
            return TableRefusal("pact/too-many", "", (most,))
        left = self._ballots.left.intersection(pact.signers(past.members))
        if left:
            return TableRefusal("pact/left", "", tuple(sorted(left)))
        while self._ballots.dead(pact, past.members):
            pact = replace(pact, attempt=pact.attempt + 1)
        if self._ballots.voted(pact, self._me):
            return TableRefusal("pact/proposed-already")
        own = (
            kind == "back" and self._me in position.cut and not any(lock.at == height for lock in self._voting.locks())
        )
        return (None if own else self._voting.advice(pact, past.members)) or pact

    def _over(self, pact: Pact, members: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Return the ids of the open or complete pacts that a new one has to be over, since it does not cover them by
        its signers alone."""
        if pact.kind not in COVERING:
            return ()
        here = [*filter(self._reading.hearing.shared, self._ballots.at(pact.at, pact.head))]
        rivals = [other for other in here if not beside(pact, other)]
        others = [other for other in rivals if not self._dead_for_all(other, members)]
        known = {other.id for other in here}
        wide = [o for o in others if (o.named, o.kind) != (pact.named, pact.kind) and known.issuperset(o.over)]
        found = {each for other in wide if not covers(pact, other, members) for each in (other.id, *other.over)}
        return tuple(sorted(found)[:MAX_OVER])

    def _dead_for_all(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if a signer has refused a pact that has not signed two histories: else it may be open for others."""
        refused = (member for member in pact.signers(members) if self._ballots.refused(pact, member) is not None)
        return any(member not in self._feeds.forks for member in refused)

    def parting_vote(self) -> Pact | None:
        """Return the pact that leaves out those who have left, if the table waits for that, no other vote is open here,
        and this member may sign it. What was refused again and again nobody proposes without being asked."""
        position, ballots, left = self._reading.position, self._ballots, self._voting.leavers()
        if not left or self._me not in position.members or self._voting.behind or self._voting.beyond:
            return None
        here = [
            p for p, _ in self._voting.open_pacts() if p.at == position.height and ballots.binds(p, position.members)
        ]
        for pact in here:
            alone = left <= ballots.parting(pact) and pact.named <= left | position.cut.keys()
            if not alone or ballots.voted(pact, self._me):
                return None
            if self._voting.advice(pact, position.members) is None:
                return pact
        if self._voting.left_out:
            return None
        found = self.proposal("absent", sorted(left))
        return found if isinstance(found, Pact) and found.attempt < OBSTRUCTING else None

    def parting(self, culprit: bytes, out: Collection[bytes] = ()) -> Pact | TableRefusal:
        """Return the pact to go on without a member that signed two histories, from where they part, or why it is not
        possible: where this member is bound by such a pact that waits for one of the named, from the same place, or, if
        others refuse to go back so far, the pact by which nobody is bound by it. out: other members to leave out with
        it."""
        pair, position = self._feeds.forks[culprit], self._reading.position
        named = {culprit, *out}
        held_first = sorted((pair.first.id, pair.second.id), key=lambda entry: self._feeds.get(entry) is None)
        locks = [lock for lock in self._voting.locks() if lock.kind == "without" and culprit in lock.named]
        bound = [p for p in locks if p.named < named or named.intersection(self._ballots.missing(p, position.members))]
        objections = self._voting.objections(culprit)
        if bound and "pact/too-far-back" in objections:
            return self.freeing(named, bound[0].at)
        if bound:
            at = bound[0].at
        elif "pact/too-far-back" in objections:
            at = position.height
        else:
            at = resumable(self._reading, culprit, {*named, *position.cut})
        shown = "pact/cards-shown" in objections or shown_since(self._reading, at)
        terms: Value = [culprit, list[Value](held_first), shown, *self._beyond()]
        return self.proposal("without", sorted(named), terms, at)

    def repairing(self, at: int, out: Collection[bytes] = ()) -> Pact | TableRefusal:
        """Return the pact to read on from height `at` whatever states were signed, or why it is not possible. out:
        members that are silent on that."""
        state = self._reading.position.state_at(at)
        if state is None:
            return TableRefusal("pact/no-such-height", "", (at,))
        known = (end_of_all(self._reading, author) for author in self._reading.position.roster)
        ends = sorted(end for end in known if not end.empty)
        return self.proposal("repair", sorted(out), [state, [[*end] for end in ends], self._beyond()[1]], at)

    def _beyond(self) -> tuple[int, int]:
        """Return a height and an epoch beyond all known entries, as far as entries of others may lead."""
        position = self._reading.position
        known = [entry for author in self._feeds.authors for entry in self._feeds.feed(author)[-1:]]
        following = max(position.height, *(entry.height for entry in known)) + BEYOND
        epoch = max(position.epoch, *(entry.epoch for entry in known)) + 2
        return min(following, position.height + FAR), min(epoch, position.epoch + FAR)

    def freeing(self, out: Collection[bytes], at: int | None = None) -> Pact | TableRefusal:
        """Return the pact by which nobody is bound any more by those of a position that wait for the word of these
        members, while others have passed it, or why it is not possible. at: the height of that position; None for this
        one, or an earlier one where a `free` binds this member still. It does not name those who have only refused to
        go on: they are there, and may sign that nobody is bound."""
        position = self._reading.position
        height = min((lock.at for lock in self._left_behind()), default=position.height) if at is None else at
        past, earlier = position.past[height], height < position.height
        open_here = [each for each in self._voting.open_pacts() if (each[0].at, each[0].head) == (height, past.head)]
        shared = [each for each in open_here if self._reading.hearing.shared(each[0])]
        waiting = [pact for pact, members in shared if self._awaits(pact, members, out)]
        freed = [pact for pact in waiting if pact.kind in ("free", "without") or not earlier]
        listed = sorted(pact.id for pact in freed)
        awaited = {author for pact in freed for author in self._ballots.missing(pact, past.members)}
        asked = self._voting.obstructing() - awaited - self._feeds.forks.keys()
        ends = tuple(FeedEnd(author, -1, NO_PREV) for author in sorted(set(out).intersection(past.members) - asked))
        if not listed:
            return TableRefusal("pact/owes-nothing")
        pact = Pact("free", height, past.head, ends, None, over=tuple(listed[:MAX_OVER]))
        able, needed = set(pact.signers(past.members)) - self._ballots.left, threshold(len(past.members))
        if len(able) < needed:
            return TableRefusal("pact/too-few", "", (len(able), needed))
        while self._ballots.dead(pact, past.members):
            pact = replace(pact, attempt=pact.attempt + 1)
        if self._ballots.voted(pact, self._me):
            return TableRefusal("pact/proposed-already")
        if not self._ballots.may_propose(self._me, pact):
            return TableRefusal("pact/too-many", "", (MAX_PROPOSALS,))
        return self._voting.advice(pact, past.members) or pact

    def unbinding(self) -> Pact | None:
        """Return the pact that frees this member from each `free` of an earlier position, if those wait only for who is
        no member any more."""
        position, left_behind = self._reading.position, self._left_behind()
        past = position.past[min((lock.at for lock in left_behind), default=position.height)]
        missing = {word for lock in left_behind for word in self._ballots.missing(lock, past.members)}
        found = self.freeing(missing) if left_behind and missing.isdisjoint(position.members) else None
        return found if isinstance(found, Pact) else None

    def _left_behind(self) -> list[Pact]:
        """Return the `free`s of earlier positions that bind this member. No vote of this position ends them."""
        return [
            lock for lock in self._voting.locks() if lock.kind == "free" and lock.at < self._reading.position.height
        ]

    def _awaits(self, pact: Pact, members: tuple[bytes, ...], out: Collection[bytes]) -> bool:
        """True if a pact binds somebody and waits for one of these members."""
        return self._ballots.binds(pact, members) and not set(out).isdisjoint(self._ballots.missing(pact, members))

    def passed(self, out: Collection[bytes] = ()) -> bool:
        """True if a vote binds this member here, and others, not in `out`, speak of later heights, or if a `free` binds
        it at an earlier height."""
        position = self._reading.position
        if self._left_behind():
            return True
        if not any(lock.at == position.height and lock.kind != "repair" for lock in self._voting.locks()):
            return False
        others = [member for member in position.members if member != self._me and member not in out]
        return any(map(self._speaks_beyond, others)) or bool(self._voting.ahead(out))

    def _speaks_beyond(self, member: bytes) -> bool:
        """True if the last word of a member is of a later height, in a history that no `free` has ended."""
        position, last = self._reading.position, self._feeds.last(member)
        if last is None or last.height <= position.height:
            return False
        return not self._ballots.ended(last, position.height, position.head)
