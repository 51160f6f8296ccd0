# SPDX-License-Identifier: GPL-3.0-or-later
"""Votes of a member: the open pacts, and those that it may sign, propose or must refuse. `pacts` has the rules, `votes`
the conditions for a signature, `binding` the signatures that bind it. `signing` makes the entries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.core.dataclass import dataclass, replace
from p2p.lockstep.binding import Binding
from p2p.lockstep.cuts import end_here, other_branch
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import (
    ASKED,
    COVERING,
    EARLIER,
    MAX_ASKED,
    MAX_OVER,
    MAX_PROPOSALS,
    MAX_REPAIRS,
    FeedEnd,
    Pact,
    beside,
    covers,
    enough,
    threshold,
)
from p2p.lockstep.votes import (
    FAR,
    OBSTRUCTING,
    WAITING,
    asking,
    declined,
    judge_pact,
    parted,
    resumable,
    shown_since,
)
from p2p.wire.codec import Value
from p2p.wire.entry import NO_PREV

BEYOND: Final = 8
"""Heights between the last known one and that at which play resumes after histories have parted."""


@dataclass(frozen=True, slots=True)
class Vote:
    """An undecided pact.

    Attributes:
        missing: the signers that have not signed.
        advice: None if this member may sign, else a refusal that says why not, or not yet.
    """

    pact: Pact
    missing: tuple[bytes, ...]
    advice: TableRefusal | None


class Voting(Binding):
    """The votes of a member: a binding with the pacts that it may sign, propose or must refuse."""

    # Open pacts ------------------------------------------------------------------------------------------------------

    def votes(self) -> list[Vote]:
        """Return the undecided pacts of this position, and those after which play resumes at an earlier one."""
        return [
            Vote(pact, self._ballots.missing(pact, members), self._advice(pact, members))
            for pact, members in self._open_pacts()
            if not self._ballots.voted(pact, self._me) and self._ballots.refused(pact, self._me) is None
        ]

    def vote(self, pact: bytes) -> Vote | None:
        """Return the one with this id, None if there is none."""
        return next((vote for vote in self.votes() if vote.pact.id == pact), None)

    def _advice(self, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
        """Return why this member may not sign a pact now, None if it may."""
        if self._me not in pact.signers(members):
            return TableRefusal("pact/not-asked")
        refusal = judge_pact(self._reading, pact, members)
        if refusal is not None:
            return refusal
        for lock in self.locks():
            if lock.id != pact.id and not self._may_replace(pact, lock, members):
                return TableRefusal("pact/locked", "", (lock.id,))
        ahead = self.ahead(pact.named) if pact.kind not in EARLIER else ()
        return TableRefusal("pact/behind", "", tuple(ahead)) if ahead else None

    def _may_replace(self, pact: Pact, lock: Pact, members: tuple[bytes, ...]) -> bool:
        """True if a member LOCKED(lock) may sign a pact: by rule 3, beside a repair or as one, or as a repair of an
        earlier position, which leads no further than the lock allows. A `free` leads nowhere."""
        if "free" in (lock.kind, pact.kind):
            return True
        here = (lock.at, lock.head) == (pact.at, pact.head)
        before = pact.kind == "repair" and pact.at < lock.at
        return before or (here and (beside(pact, lock) or self._ballots.may_replace(pact, lock, members)))

    # Proposals -------------------------------------------------------------------------------------------------------

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
        named, moving = set(out), [who for lock in self.locks() if lock.kind == "moved" for who in lock.named]
        silent = (*position.cut, *self._ballots.left, *moving)
        grown = named | {author for author in silent if author in past.members}
        remaining = len(past.members) - len(grown)
        if kind in ("without", "repair") or (kind == "absent" and remaining >= self._fewest(grown, past.members)):
            named = grown
        below = height if kind == "without" else None
        ends = tuple(end_here(self._reading, author, below) for author in sorted(named))
        if kind == "moved":
            ends = tuple(FeedEnd(author, *self._feeds.end(author)) for author in sorted(named))
        if kind == "back" and terms is None:
            if any(pact.kind == "back" and self._ballots.signed(pact, self._me) for pact, _ in self._open_pacts()):
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
        own = kind == "back" and self._me not in past.members
        return (None if own else self._advice(pact, past.members)) or pact

    def _over(self, pact: Pact, members: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Return the ids of the open or complete pacts that a new one has to be over, since it does not cover them by
        its signers alone."""
        if pact.kind not in COVERING:
            return ()
        rivals = [other for other in self._ballots.at(pact.at, pact.head) if not beside(pact, other)]
        others = [other for other in rivals if not self._dead_for_all(other, members)]
        known = {other.id for other in self._ballots.at(pact.at, pact.head)}
        wide = [o for o in others if (o.named, o.kind) != (pact.named, pact.kind) and known.issuperset(o.over)]
        found = {each for other in wide if not covers(pact, other, members) for each in (other.id, *other.over)}
        return tuple(sorted(found)[:MAX_OVER])

    def parting_vote(self) -> Pact | None:
        """Return the pact that leaves out those who have left, if the table waits for that, no other vote is open here,
        and this member may sign it. What was refused again and again nobody proposes without being asked."""
        position, ballots, left = self._reading.position, self._ballots, self.leavers()
        if not left or self._me not in position.members or self.behind or self.beyond:
            return None
        here = [p for p, _ in self._open_pacts() if p.at == position.height and ballots.binds(p, position.members)]
        for pact in here:
            alone = left <= ballots.parting(pact) and pact.named <= left | position.cut.keys()
            if not alone or ballots.voted(pact, self._me):
                return None
            if self._advice(pact, position.members) is None:
                return pact
        if self.left_out:
            return None
        found = self.proposal("absent", sorted(left))
        return found if isinstance(found, Pact) and found.attempt < OBSTRUCTING else None

    def leavers(self) -> set[bytes]:
        """Return the members that have left, if the table waits for one of them that counts still, or for somebody who
        is no member."""
        position = self._reading.position
        left = self._ballots.left.intersection(position.members) - self._feeds.forks.keys()
        counted = left - position.cut.keys()
        return left if counted and not position.over and position.waits_for(counted) else set()

    def enough(self, here: Collection[bytes]) -> bool:
        """True if these members of this position may leave out all others."""
        members = self._reading.position.members
        return len({*here}.intersection(members)) >= self._fewest({*members} - {*here}, members)

    def _fewest(self, out: Collection[bytes], members: Sequence[bytes]) -> int:
        """Return how many of these members must agree to leave some of them out."""
        left = self._ballots.left.intersection(out, members) - self._feeds.forks.keys()
        return enough("absent", len(members), len(left))

    def freeing(self, out: Collection[bytes]) -> Pact | TableRefusal:
        """Return the pact by which nobody is bound any more by those of a position that wait for the word of these
        members, while others have passed it, or why it is not possible: of this position, or of an earlier one where a
        `free` binds this member still."""
        position = self._reading.position
        height = min((lock.at for lock in self._left_behind()), default=position.height)
        past, earlier = position.past[height], height < position.height
        open_here = [each for each in self._open_pacts() if (each[0].at, each[0].head) == (height, past.head)]
        waiting = [pact for pact, members in open_here if self._awaits(pact, members, out)]
        listed = sorted(pact.id for pact in waiting if pact.kind == "free" or not earlier)
        ends = tuple(FeedEnd(author, -1, NO_PREV) for author in sorted(set(out).intersection(past.members)))
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
        return self._advice(pact, past.members) or pact

    def _left_behind(self) -> list[Pact]:
        """Return the `free`s of earlier positions that bind this member. No vote of this position ends them."""
        return [lock for lock in self.locks() if lock.kind == "free" and lock.at < self._reading.position.height]

    def _awaits(self, pact: Pact, members: tuple[bytes, ...], out: Collection[bytes]) -> bool:
        """True if a pact binds somebody and waits for one of these members."""
        return self._ballots.binds(pact, members) and not set(out).isdisjoint(self._ballots.missing(pact, members))

    def passed(self, out: Collection[bytes] = ()) -> bool:
        """True if a vote binds this member here, and others, not in `out`, speak of later heights, or if a `free` binds
        it at an earlier height."""
        here, members = self._reading.position.height, self._reading.position.members
        if self._left_behind():
            return True
        if not any(lock.at == here and lock.kind != "repair" for lock in self.locks()):
            return False
        lasts = (self._feeds.last(member) for member in members if member != self._me and member not in out)
        return any(last is not None and last.height > here for last in lasts) or bool(self.ahead(out))

    def _dead_for_all(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if a signer has refused a pact that has not signed two histories: else it may be open for others."""
        refused = (member for member in pact.signers(members) if self._ballots.refused(pact, member) is not None)
        return any(member not in self._feeds.forks for member in refused)

    def parting(self, culprit: bytes, out: Collection[bytes] = ()) -> Pact | TableRefusal:
        """Return the pact to go on without a member that signed two histories, from where they part, or why it is not
        possible. out: other members to leave out with it."""
        pair, position = self._feeds.forks[culprit], self._reading.position
        named = {culprit, *out}
        held_first = sorted((pair.first.id, pair.second.id), key=lambda entry: self._feeds.get(entry) is None)
        bound = [lock for lock in self.locks() if lock.kind == "without" and lock.named < named]
        at = bound[0].at if bound else resumable(self._reading, culprit, {*named, *position.cut})
        shown = shown_since(self._reading, at)
        terms: Value = [culprit, list[Value](held_first), shown, *self._beyond()]
        return self.proposal("without", sorted(named), terms, at)

    def repairing(self, at: int, out: Collection[bytes] = ()) -> Pact | TableRefusal:
        """Return the pact to read on from height `at` whatever states were signed, or why it is not possible. out:
        members that are silent on that."""
        state = self._reading.position.state_at(at)
        if state is None:
            return TableRefusal("pact/no-such-height", "", (at,))
        cut = self._reading.position.cut
        known = (cut.get(each) or FeedEnd(each, *self._feeds.end(each)) for each in self._reading.position.roster)
        ends = sorted(end for end in known if not end.empty)
        return self.proposal("repair", sorted(out), [state, [[*end] for end in ends], self._beyond()[1]], at)

    def _beyond(self) -> tuple[int, int]:
        """Return a height and an epoch beyond all known entries, as far as entries of others may lead."""
        position = self._reading.position
        known = [entry for author in self._feeds.authors for entry in self._feeds.feed(author)[-1:]]
        following = max(position.height, *(entry.height for entry in known)) + BEYOND
        epoch = max(position.epoch, *(entry.epoch for entry in known)) + 2
        return min(following, position.height + FAR), min(epoch, position.epoch + FAR)

    def parted(self, culprit: bytes, out: Collection[bytes] = ()) -> bool:
        """True if `parting` is needed to go on without this member, because it signed two histories and those of the
        others differ, also of those not in `out`."""
        bound = any(lock.kind == "without" and culprit in lock.named for lock in self.locks())
        return bound or parted(self._reading, culprit, {*self._reading.position.cut, *out})

    def denied(self, culprit: bytes) -> bool:
        """True if somebody has refused to go on without this forger, since it is another one that has parted them."""
        known = (pact for pact in self._ballots.naming([culprit]) if pact.kind == "without")
        of_it = [pact for pact in known if isinstance(pact.terms, list) and pact.terms[0] == culprit]
        members = self._reading.position.members
        return any(self._ballots.refused(pact, member) == "pact/not-parted" for pact in of_it for member in members)

    def end(self, author: bytes) -> FeedEnd:
        """Return the end of a feed for a pact at this position."""
        return end_here(self._reading, author)

    def asking(self) -> list[Value]:
        """Return the terms on which left-out members ask to come back, for `proposal`."""
        return asking(self._reading)

    def declined(self) -> bool:
        """True if a member has refused to let this member back since it was left out."""
        cut = self._reading.position.cut.get(self._me)
        asked = [] if cut is None else self._feeds.feed(self._me)[cut.seq + 1 :]
        return any(declined(self._reading, self._me, entry.seq) for entry in asked if entry.kind == "pact")

    # Late pacts ------------------------------------------------------------------------------------------------------

    def too_late(self) -> tuple[Pact, str] | None:
        """Return a pact that this member can never sign, and the reason, else None: the position has passed it, more of
        a feed is held here, or there is a rival. The member refuses it automatically, if others wait for its word."""
        for pact in self._ballots.naming(self._feeds.forks):
            if self._unreachable(pact):
                return pact, "pact/other-end"
        for pact in self._ballots.until(self._reading.position.height):
            past = self._reading.position.past.get(pact.at)
            if past is None or self._me not in pact.signers(past.members) or self._ballots.voted(pact, self._me):
                continue
            waiting = self._ballots.binds(pact, past.members) and not self._ballots.dead(pact, past.members)
            if waiting and self._ballots.refused(pact, self._me) is None:
                reason = self._never(pact, past.head, past.members)
                if reason is not None:
                    return pact, reason
        return None

    def _unreachable(self, pact: Pact) -> bool:
        """True if a pact is at a later position that depends on the other branch of a feed, which this member never
        reaches."""
        position = self._reading.position
        if not self._feeds.forks:
            return False
        answered = self._ballots.voted(pact, self._me) or self._ballots.refused(pact, self._me) is not None
        asked = self._me in pact.signers(position.members) and pact.at > position.height
        parted = (end.author in self._feeds.forks and self.parted(end.author) for end in pact.out)
        return asked and not answered and (any(other_branch(self._reading, end) for end in pact.out) or any(parted))

    def _never(self, pact: Pact, head: bytes, members: tuple[bytes, ...]) -> str | None:
        """Return why this member can never sign a pact at a position of its history, None if it may still be able
        to."""
        if pact.head != head:
            return "pact/other-head"
        if pact.kind not in EARLIER and pact.at < self._reading.position.height:
            return "pact/passed"
        refusal = judge_pact(self._reading, pact, members)
        if refusal is not None:
            return refusal.code if refusal.code not in WAITING else None
        for lock in self.locks():
            if lock.id < pact.id and not self._may_replace(pact, lock, members):
                return "pact/rival"
        return None
