# SPDX-License-Identifier: GPL-3.0-or-later
"""Votes of a member: the open pacts, those that it may sign or must refuse, and the signatures that bind it. `pacts`
has the rules, `votes` the conditions for a signature, `proposing` what a member may propose. `signing` makes the
entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from engine.core.dataclass import dataclass
from p2p.lockstep.cuts import end_here, on_another_branch
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.obstructing import holding_back, holding_on, obstructing
from p2p.lockstep.overtaken import led_elsewhere
from p2p.lockstep.pacts import EARLIER, LEAVING, FeedEnd, Pact, beside, covers, enough, threshold
from p2p.lockstep.parting import parted
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE
from p2p.lockstep.undecided import undecided
from p2p.lockstep.unreachable import unreachable
from p2p.lockstep.votes import WAITING, asking, declined, judge_pact
from p2p.wire.codec import Value

MOST_SHARED: Final = 64
"""Pacts that one member proposes in a game because their author shows others another history."""


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
        """Return the pacts that bind this member now: at this position, or at an earlier one where play may resume.
        None does where an end stands, since what others sign after that does not count."""
        position = self._reading.position
        if self._ballots.closing is not None:
            return []
        here = self._ballots.locks(self._me, position.height, position.head, position.members)
        locks = [pact for pact in here if not self._passed_by_all(pact)]
        known = (pact for pact in self._ballots.until(position.height - 1) if pact.kind in EARLIER)
        mine = (pact for pact in known if self._ballots.voted(pact, self._me))
        for at, head in {(pact.at, pact.head): None for pact in mine if self._ballots.signed(pact, self._me)}:
            past = position.held(at, head)
            if past is not None:
                there = self._ballots.locks(self._me, at, head, past.members)
                locks += [pact for pact in there if pact.kind in EARLIER]
        return locks

    def _passed_by_all(self, pact: Pact) -> bool:
        """True if a pact of this position waits for a member that has gone on without it, and so have all others but
        forgers, of whom there are fewer than t. It is never complete then: that member signs it too late, and nobody is
        left to leave that member out in time."""
        position, ballots = self._reading.position, self._ballots
        forgers, members = self._reading.hearing.forgers, position.members
        if pact.kind in EARLIER or not forgers.intersection(members):
            return False
        others = {*members} - forgers - {self._me}
        missing, place = others.intersection(ballots.missing(pact, members)), (position.height, position.head)
        if not missing or len(forgers.intersection(members)) >= threshold(len(members)):
            return False
        leaving = (each for each in ballots.at(*place) if each.kind in LEAVING and not missing.isdisjoint(each.named))
        if any(ballots.voted(each, member) for each in leaving for member in others):
            return False
        return all(ballots.passed(member, *place) for member in others)

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
        found = [(pact, members) for pact, members in self.open_pacts() if ballots.binds(pact, members)]
        here = [(p, members) for p, members in found if ballots.signed(p, self._me) or self._judged(p, members)]
        return [(member, pact.id) for pact, members in here for member in ballots.missing(pact, members)]

    def _judged(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if this peer holds all that decides whether a pact may be signed."""
        refusal = judge_pact(self._reading, pact, members)
        return refusal is None or refusal.code not in WAITING

    def silent(self) -> set[bytes]:
        """Return the members that have said no word on any pact of this position, and for whose word one waited until t
        members freed from it."""
        position, ballots = self._reading.position, self._ballots
        frees = ballots.frees(position.height, position.head, position.members)
        here = ballots.at(position.height, position.head) if frees else ()
        named = {member for free in frees for member in free.named}
        return {each for each in named if not any(self._spoke(each, pact) for pact in here)}

    def _spoke(self, member: bytes, pact: Pact) -> bool:
        return self._ballots.voted(pact, member) or self._ballots.refused(pact, member) is not None

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

    def holding_back(self) -> set[bytes]:
        """Return the members that have refused again and again, alone, to go on without a forger, while this member had
        signed that."""
        return holding_back(self._reading)

    def free(self, member: bytes) -> bool:
        """True if no open vote binds a member, nor one that it may take for open."""
        bound = any(self._ballots.signed(pact, member) for pact, _ in self.open_pacts())
        return not (bound or self.misled(member))

    def misled(self, member: bytes) -> set[bytes]:
        """Return those of whose words on a vote here a member may hold another branch than this one: they complete a
        vote that binds it, or alone are missing of one that leaves it out."""
        position, forks, ballots = self._reading.position, self._feeds.forks, self._ballots
        here = ballots.at(position.height, position.head) if forks else ()
        binding = (pact for pact in here if pact in position.agreed and ballots.signed(pact, member))
        said = [each for pact in binding for each in ballots.votes(pact, position.members).items()]
        leaving = (
            pact for pact in here if pact.kind in LEAVING and member in pact.named and pact not in position.agreed
        )
        missing = [ballots.missing(pact, position.members) for pact in leaving]
        found = {author for author, seq in said if author in forks and seq >= forks[author].seq}
        return found.union(*(words for words in missing if forks.keys() >= {*words}))

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
        place, ended = (position.height, position.head), self._ballots.ended
        ahead = any(entry.height > position.height and not ended(entry, *place) for entry in unread)
        left = ahead and not led_elsewhere(position, self._feeds, self._ballots, self._me, unread)
        return TableRefusal("lockstep/catching-up") if left else None

    @property
    def beyond(self) -> TableRefusal | None:
        """Why a vote of this member would not count here, None if it would: it has spoken at a later height, in a
        history that has been overtaken, and is not left out by what has overtaken it."""
        position = self._reading.position
        passed = self._ballots.passed(self._me, position.height, position.head)
        return TableRefusal("lockstep/catching-up") if passed and self._me not in position.named_here else None

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
        """True if this feed contains an unread entry that fills a slot of a greater height, in a history that no `free`
        has ended."""
        position, unread = self._reading.position, self._reading.waiting(author)
        beyond = [entry for entry in unread if entry.height > position.height and entry.kind in STAGE]
        return any(not self._ballots.ended(entry, position.height, position.head) for entry in beyond)

    def on_another_branch(self, member: bytes) -> bool:
        """True if a member has shown that it holds the other branch of a feed whose author signed two histories."""
        return on_another_branch(self._reading, member)

    # Open pacts ------------------------------------------------------------------------------------------------------

    def votes(self) -> list[Vote]:
        """Return the undecided pacts of this position, and those after which play resumes at an earlier one."""
        return [
            Vote(pact, self._ballots.missing(pact, members), self.advice(pact, members))
            for pact, members in self.open_pacts()
            if not self._ballots.voted(pact, self._me) and self._ballots.refused(pact, self._me) is None
        ]

    def vote(self, pact: bytes) -> Vote | None:
        """Return the one with this id, None if there is none."""
        return next((vote for vote in self.votes() if vote.pact.id == pact), None)

    def open_pacts(self) -> list[tuple[Pact, tuple[bytes, ...]]]:
        """Return the undecided pacts whose position is in this history, with the members there. One that only keys have
        proposed which never had a seat is none, since perhaps others do not take what they say."""
        position, found = self._reading.position, []
        for pact in self._ballots.until(position.height):
            if pact.at != position.height and pact.kind not in EARLIER:
                continue
            past = position.held(pact.at, pact.head)
            if past is None:
                continue
            if position.roster.keys().isdisjoint(self._ballots.proposers[pact.id]):
                continue
            if not self._ballots.complete(pact, past.members) and not self._ballots.dead(pact, past.members):
                found.append((pact, past.members))
        return found

    def advice(self, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
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

    def unshared(self) -> Pact | None:
        """Return the latest pact that this member has signed and that only those have proposed who show others another
        history, None if there is none or if this member has proposed MOST_SHARED such pacts."""
        ballots, hearing = self._ballots, self._reading.hearing
        signed = [pact for pact in ballots.pacts.values() if ballots.voted(pact, self._me)] if self._feeds.forks else []
        by = [(pact, ballots.proposers[pact.id]) for pact in reversed(signed)]
        shared = sum(self._me in made and next(iter(made)) in self._feeds.forks for _, made in by)
        lacking = (pact for pact, made in by if self._me not in made and not hearing.shared(pact))
        found = next((pact for pact in lacking if ballots.may_propose(self._me, pact)), None)
        return found if shared < MOST_SHARED else None

    # What parts the members ------------------------------------------------------------------------------------------

    def leavers(self) -> set[bytes]:
        """Return the members that have left, if the table waits for one of them that counts still, or for somebody who
        is no member."""
        position = self._reading.position
        forgers = set(filter(self.parted, self._feeds.forks))
        left = self._ballots.left.intersection(position.members) - forgers
        counted = left - position.cut.keys()
        return left if counted and not position.over and position.waits_for(counted) else set()

    def enough(self, here: Collection[bytes]) -> bool:
        """True if these members of this position may leave out all others."""
        members = self._reading.position.members
        return len({*here}.intersection(members)) >= self.fewest({*members} - {*here}, members)

    def undecided(self, out: Collection[bytes] = ()) -> set[bytes]:
        """Return the members that may still go another way together from an earlier height than those who stay without
        `out`."""
        return undecided(self._reading.position, self._reading.hearing, out)

    def fewest(self, out: Collection[bytes], members: Sequence[bytes]) -> int:
        """Return how many of these members must agree to leave some of them out."""
        left = self._ballots.left.intersection(out, members) - self._feeds.forks.keys()
        return enough("absent", len(members), len(left))

    def parted(self, culprit: bytes, out: Collection[bytes] = ()) -> bool:
        """True if `parting` is needed to go on without this member, because it signed two histories and those of the
        others differ, also of those not in `out`."""
        bound = any(lock.kind == "without" and culprit in lock.named for lock in self.locks())
        return bound or parted(self._reading, culprit, {*self._reading.position.cut, *out})

    def objections(self, culprit: bytes) -> tuple[str, ...]:
        """Return what others have said against the proposals of this member to go on without this forger that it could
        not know, since they hold another history: "pact/too-far-back" if the latest one was refused since all agree up
        to a later height, "pact/cards-shown" if any was since sealed cards were shown."""
        known = (pact for pact in self._ballots.naming([culprit]) if pact.kind == "without")
        mine = [
            pact
            for pact in known
            if next(iter(self._ballots.proposers[pact.id])) == self._me and _culprit(pact) == culprit
        ]
        members = self._reading.position.members
        weighed = {"pact/too-far-back": mine[-1:], "pact/cards-shown": mine}
        refused = {(pact.id, self._ballots.refused(pact, member)) for pact in mine for member in members}
        return tuple(code for code, pacts in weighed.items() if any((pact.id, code) in refused for pact in pacts))

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
        apart = any(map(self.parted, self._reading.hearing.forgers))
        elsewhere = next(unreachable(self._reading, self._me, apart=apart), None)
        if elsewhere is not None:
            return elsewhere, "pact/other-end"
        for pact in self._ballots.until(self._reading.position.height):
            past = self._reading.position.past.get(pact.at)
            if past is None or self._ballots.settled(pact, self._me, past.members):
                continue
            if self._me not in pact.signers(past.members):
                continue
            waiting = self._ballots.binds(pact, past.members) and not self._ballots.dead(pact, past.members)
            if waiting and self._ballots.refused(pact, self._me) is None:
                reason = self._never(pact, past.head, past.members)
                if reason is not None:
                    return pact, reason
        return None

    def rival(self) -> tuple[Pact, str] | None:
        """Return a pact that this member can never sign because of one that binds it, and the reason, else None. Its
        own later entries change nothing in that, and while it is bound it does not read on to them."""
        for pact, members in self.open_pacts() if self.bound else ():
            asked = self._me in pact.signers(members) and self._ballots.binds(pact, members)
            said = self._ballots.voted(pact, self._me) or self._ballots.refused(pact, self._me) is not None
            if asked and not said and self._excluded(pact, members):
                return pact, "pact/rival"
        return None

    def _excluded(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if a pact with a smaller id binds this member, which that pact may not replace."""
        return any(lock.id < pact.id and not self._may_replace(pact, lock, members) for lock in self.locks())

    def _never(self, pact: Pact, head: bytes, members: tuple[bytes, ...]) -> str | None:
        """Return why this member can never sign a pact at a position of its history, None if it may still be able
        to."""
        if pact.head != head:
            return "pact/other-head"
        if pact.kind not in EARLIER and pact.at < self._reading.position.height:
            return "pact/passed"
        refusal = judge_pact(self._reading, pact, members)
        if refusal is not None:
            waits = refusal.code in WAITING and not (refusal.code == "pact/others-missing" and self._unknowable())
            return None if waits else refusal.code
        return "pact/rival" if self._excluded(pact, members) else None

    def _unknowable(self) -> bool:
        """True if what is missing here may be shown to others alone: somebody has signed two histories, and nobody else
        holds more than this peer."""
        return bool(self._reading.hearing.forgers) and not self.claims_more()


def _culprit(pact: Pact) -> Value:
    """Return the member whose two histories a `without` names."""
    return pact.terms[0] if isinstance(pact.terms, list) else None
