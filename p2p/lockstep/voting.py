# SPDX-License-Identifier: GPL-3.0-or-later
"""Votes of a member: the open pacts, those that it may sign or must refuse, and the signatures that bind it. `pacts`
has the rules, `votes` the conditions for a signature. `signing` makes the entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from engine.core.dataclass import dataclass, replace
from p2p.lockstep.cuts import end_here, end_of_all, on_another_branch
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.overtaken import led_elsewhere
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
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE
from p2p.lockstep.unreachable import unreachable
from p2p.lockstep.votes import (
    FAR,
    OBSTRUCTING,
    WAITING,
    asking,
    declined,
    holding_on,
    judge_pact,
    obstructing,
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


class Voting:
    """The votes of member `me`. claims_more: returns the members that report entries which this peer lacks; the
    exchange sets it."""

    def __init__(self, me: bytes, reading: Reading) -> None:
        self.claims_more: Callable[[], Collection[bytes]] = tuple
        self._me, self._reading = me, reading
        self._feeds, self._ballots = reading.hearing.feeds, reading.hearing.ballots

    # Signatures that bind --------------------------------------------------------------------------------------------

    @property
    def bound(self) -> bool:
        """True if a signature of this member blocks this height. Who has left signs nothing more, so it reads on."""
        return bool(self._ballots.pacts) and self._me not in self._ballots.left and bool(self.locks())

    def locks(self) -> list[Pact]:
        """Return the pacts that bind this member now: at this position, or at an earlier one where play may resume."""
        position = self._reading.position
        locks = list(self._ballots.locks(self._me, position.height, position.head, position.members))
        known = (pact for pact in self._ballots.until(position.height - 1) if pact.kind in EARLIER)
        for at, head in {(pact.at, pact.head): None for pact in known if self._ballots.signed(pact, self._me)}:
            past = position.held(at, head)
            if past is not None:
                there = self._ballots.locks(self._me, at, head, past.members)
                locks += [pact for pact in there if pact.kind in EARLIER]
        return locks

    def awaited(self) -> set[bytes]:
        """Return the members whose signature or refusal this member must wait for."""
        members = self._reading.position.members
        words = {member for lock in self.locks() for member in self._ballots.missing(lock, members)}
        return words.intersection(members)

    def wordless(self) -> list[tuple[bytes, bytes]]:
        """Return the members that have neither signed nor refused an open pact of this position, or one after which
        play resumes at an earlier one, each with its id. A pact that names what this peer does not hold asks nobody for
        a word, since perhaps nobody holds it; nor does one that binds nobody."""
        ballots = self._ballots
        found = [(pact, members) for pact, members in self._open_pacts() if ballots.binds(pact, members)]
        here = [(p, members) for p, members in found if ballots.signed(p, self._me) or self._judged(p, members)]
        return [(member, pact.id) for pact, members in here for member in ballots.missing(pact, members)]

    def _judged(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if this peer holds all that decides whether a pact may be signed."""
        refusal = judge_pact(self._reading, pact, members)
        return refusal is None or refusal.code not in WAITING

    def bound_alike(self) -> set[bytes]:
        """Return the members bound by the same pact, which owe nothing else until it is decided, unless they have
        refused more than once to go on over it as this member would."""
        position, ballots = self._reading.position, self._ballots
        found, here = set[bytes](), ballots.at(position.height, position.head)
        for lock in self.locks():
            ways = [p for p in here if ballots.signed(p, self._me) and covers(p, lock, position.members)]
            for member in position.members:
                refused = sum(ballots.refused(way, member) is not None for way in ways)
                if ballots.signed(lock, member) and refused <= 1:
                    found.add(member)
        return found

    def spoken_here(self) -> set[bytes]:
        """Return the members that have said something for this height which is not read while a vote binds this
        member, so that they owe nothing until it is decided."""
        position = self._reading.position
        if not self.bound:
            return set()
        held = {author: self._reading.held(author) for author in position.members}
        here = position.height, position.head
        return {a for a, e in held.items() if e is not None and e.kind in STAGE and (e.height, e.head) == here}

    def obstructing(self, *, always: bool = False) -> set[bytes]:
        """Return the members that have refused again and again here to go on without others, because of other votes
        that bind them, while this member had signed that. always: only those that have signed none of these."""
        return obstructing(self._reading, "absent", "pact/rival", always=always)

    def holding_on(self) -> set[bytes]:
        """Return the members that have refused again and again here, alone, what this member had signed: to give up
        somebody, to leave out who has left, or to go on without somebody."""
        return holding_on(self._reading)

    def free(self, member: bytes) -> bool:
        """True if no open vote binds a member."""
        return not any(self._ballots.signed(pact, member) for pact, _ in self._open_pacts())

    @property
    def left_out(self) -> bool:
        """True if the table goes on without this member."""
        position = self._reading.position
        return self._me in position.cut or self._me not in position.members

    @property
    def behind(self) -> TableRefusal | None:
        """Why this member does not vote now, None if it may. While a history is read again, a signature at an
        earlier position would bind it there."""
        position, unread = self._reading.position, self._reading.waiting(self._me)
        ahead = any(entry.height > position.height for entry in unread)
        left = ahead and not led_elsewhere(position, self._feeds, self._me, unread)
        return TableRefusal("lockstep/catching-up") if left else None

    @property
    def beyond(self) -> TableRefusal | None:
        """Why a vote of this member would not count here, None if it would: it has spoken at a later height, in a
        history that has been overtaken, and is not left out by what has overtaken it."""
        position = self._reading.position
        spoken = self._ballots.spoken.beyond(self._me, position.height) >= 0
        return TableRefusal("lockstep/catching-up") if spoken and self._me not in position.named_here else None

    @property
    def estranged(self) -> bool:
        """True if this member cannot read its own feed further, since it signed the next entry of it over another
        state: with another engine. After a repair that entry counts as far as it fits."""
        return any(entry.author == self._me for entry in self._reading.differing())

    def ahead(self, out: Collection[bytes] = ()) -> list[bytes]:
        """Return the members not in `out` that seem to have passed this position: an entry of theirs from a greater
        height is held here, or they report entries that are missing here. Members with a proven fault are left out."""
        position, claims = self._reading.position, self.claims_more()
        left_out = {*position.cut, *out, *self._reading.faults.proven, self._me}
        there = [author for author in position.members if author not in left_out]
        return [author for author in there if author in claims or self.beyond_here(author)]

    def beyond_here(self, author: bytes) -> bool:
        """True if this feed contains an unread entry that fills a slot of a greater height."""
        height = self._reading.position.height
        return any(entry.height > height and entry.kind in STAGE for entry in self._reading.waiting(author))

    def on_another_branch(self, member: bytes) -> bool:
        """True if a member has shown that it holds the other branch of a feed whose author signed two histories."""
        return on_another_branch(self._reading, member)

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

    def _open_pacts(self) -> list[tuple[Pact, tuple[bytes, ...]]]:
        """Return the undecided pacts whose position is in this history, with the members there."""
        position, found = self._reading.position, []
        for pact in self._ballots.until(position.height):
            past = position.held(pact.at, pact.head)
            if past is None or not (pact.at == position.height or pact.kind in EARLIER):
                continue
            if not self._ballots.complete(pact, past.members) and not self._ballots.dead(pact, past.members):
                found.append((pact, past.members))
        return found

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
        earlier position, which leads no further than the lock allows, or as a `without` of one, since play never comes
        to the position of the lock then. It stays LOCKED by both. A `free` leads nowhere."""
        if "free" in (lock.kind, pact.kind):
            return True
        here = (lock.at, lock.head) == (pact.at, pact.head)
        parting = pact.kind == "without" and lock.kind not in (*EARLIER, "moved")
        before = pact.at < lock.at and (pact.kind == "repair" or parting)
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
        possible: where this member is bound by such a pact that waits for one of the named, from the same place. out:
        other members to leave out with it."""
        pair, position = self._feeds.forks[culprit], self._reading.position
        named = {culprit, *out}
        held_first = sorted((pair.first.id, pair.second.id), key=lambda entry: self._feeds.get(entry) is None)
        locks = [lock for lock in self.locks() if lock.kind == "without" and culprit in lock.named]
        bound = [p for p in locks if p.named < named or named.intersection(self._ballots.missing(p, position.members))]
        if bound:
            at = bound[0].at
        elif self.too_far_back(culprit):
            at = position.height
        else:
            at = resumable(self._reading, culprit, {*named, *position.cut})
        shown = shown_since(self._reading, at)
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

    def parted(self, culprit: bytes, out: Collection[bytes] = ()) -> bool:
        """True if `parting` is needed to go on without this member, because it signed two histories and those of the
        others differ, also of those not in `out`."""
        bound = any(lock.kind == "without" and culprit in lock.named for lock in self.locks())
        return bound or parted(self._reading, culprit, {*self._reading.position.cut, *out})

    def too_far_back(self, culprit: bytes) -> bool:
        """True if the latest proposal of this member to go on without this forger was refused since all agree up to a
        later height: they have heard how far this member has read, and it has not heard that of them."""
        known = (pact for pact in self._ballots.naming([culprit]) if pact.kind == "without")
        mine = [pact for pact in known if self._ballots.proposers[pact.id] == self._me and _culprit(pact) == culprit]
        members = self._reading.position.members
        return any(self._ballots.refused(mine[-1], member) == "pact/too-far-back" for member in members if mine)

    def denied(self, culprit: bytes) -> bool:
        """True if somebody has refused to go on without this forger, since it is another one that has parted them."""
        known = (pact for pact in self._ballots.naming([culprit]) if pact.kind == "without")
        of_it = [pact for pact in known if _culprit(pact) == culprit]
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
        apart = any(map(self.parted, self._feeds.forks))
        elsewhere = next(unreachable(self._reading, self._me, apart=apart), None)
        if elsewhere is not None:
            return elsewhere, "pact/other-end"
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


def _culprit(pact: Pact) -> Value:
    """Return the member whose two histories a `without` names."""
    return pact.terms[0] if isinstance(pact.terms, list) else None
