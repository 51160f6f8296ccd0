"""Voting at a table: which pacts are open, what I may say to them, and what I must refuse. The rules stand in `pacts`,
what a signer must have seen in `votes`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine, Refusal, RefusalLike
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import End, Pact
from p2p.lockstep.step import STAGE
from p2p.lockstep.votes import WAITING, asking, common, declined, judge_pact, other_branch, parted
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV
from seeds.dataclass import dataclass

BEYOND: Final = 8
"""Heights between the last one known and that at which play resumes when histories have parted."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A pact that waits for words. missing: signers that have not signed; advice: None: I may sign; a refusal that
    says why not, or not yet."""

    pact: Pact
    missing: tuple[bytes, ...]
    advice: Refusal | None


class Voter(Follower):
    """A follower that has a vote. claims_more: tells which members say that they hold entries which I lack; whoever
    exchanges entries with them puts it here."""

    def __init__(self, genesis: Genesis, machine: Machine, member_secrets: MemberSecrets) -> None:
        super().__init__(genesis, machine, member_secrets)
        self._me, self.member_secrets = member_secrets.me, member_secrets
        self.claims_more: Callable[[], Collection[bytes]] = tuple

    @property
    @abstractmethod
    def mute(self) -> Refusal | None:
        """Why nothing of mine is signed now."""

    @abstractmethod
    def _say(self, kind: str, body: Plain) -> None:
        """Sign an entry."""

    # Pacts -----------------------------------------------------------------------------------------------------------

    @property
    def _silent(self) -> Refusal | None:
        """Why I say no word about pacts now: a word at a position that I have left already would bind me there, while
        a history is read again."""
        unread = self.feeds.feed(self._me)[self._next.get(self._me, 0) :]
        behind = any(entry.height > self.position.height for entry in unread)
        return self.mute or (Refusal("lockstep/catching-up") if behind else None)

    def ahead(self, out: Collection[bytes] = ()) -> list[bytes]:
        """The members, but those of `out`, who seem to have left this position: an entry of theirs from a greater
        height is held here, or they say that they hold entries which I lack. Proven cheats are none of them."""
        position, claims = self.position, self.claims_more()
        left_out = {*position.cut, *out, *self.faults, self._me}
        there = [author for author in position.members if author not in left_out]
        return [author for author in there if author in claims or self._further(author)]

    def _further(self, author: bytes) -> bool:
        """True if an entry that fills a slot of a greater height waits in this feed to be read."""
        unread = self.feeds.feed(author)[self._next.get(author, 0) :]
        return any(entry.height > self.position.height and entry.kind in STAGE for entry in unread)

    def votes(self) -> list[Vote]:
        """The pacts of this position that are neither complete nor dead, and those to go on without a culprit."""
        return [
            Vote(pact, self.ballots.missing(pact, members), self._advice(pact, members))
            for pact, members in self._open_pacts()
            if not self.ballots.signed(pact, self._me)
        ]

    def propose(
        self, kind: str, out: Sequence[bytes] = (), terms: Value = None, at: int | None = None
    ) -> RefusalLike | None:
        """Propose a pact, which signs it. out: members to leave out; terms: of a `back` None to come back myself; at:
        `without` only, the height to resume at."""
        if self._silent is not None:
            return self._silent
        past = self.position.past.get(self.position.height if at is None else at)
        if past is None:
            return Refusal("pact/other-position")
        height = self.position.height if at is None else at
        named = set(out)
        if kind in ("absent", "without"):
            named |= {author for author in self.position.cut if author in past.members}
        ends = tuple(self._end(author, height if kind == "without" else None) for author in sorted(named))
        if kind == "back" and terms is None:
            if any(pact.kind == "back" and self.ballots.signed(pact, self._me) for pact, _ in self._open_pacts()):
                return Refusal("pact/proposed-already")
            terms = [self._me, len(self.feeds.feed(self._me))]
        pact = Pact(kind, height, past.head, ends, terms)
        while self.ballots.dead(pact, past.members):
            pact = replace(pact, attempt=pact.attempt + 1)
        if self.ballots.signed(pact, self._me):
            return Refusal("pact/proposed-already")
        own = kind == "back" and self._me not in past.members
        refusal = None if own else self._advice(pact, past.members)
        if refusal is None:
            self._say("pact", pact.body())
            self._advance()
        return refusal

    def part(self, culprit: bytes, out: Collection[bytes] = ()) -> RefusalLike | None:
        """Propose to go on without a member that signed two histories, from where they part. out: others that are to
        be left out with it."""
        pair = self.feeds.forks.get(culprit)
        if pair is None:
            return Refusal("pact/evidence-missing", "", (culprit,))
        named = {culprit, *out}
        known = [entry for author in self.feeds.authors for entry in self.feeds.feed(author)[-1:]]
        following = max(self.position.height, *(entry.height for entry in known)) + BEYOND
        epoch = max(self.position.epoch, *(entry.epoch for entry in known)) + 2
        held_first = sorted((pair.first.id, pair.second.id), key=lambda entry: self.feeds.get(entry) is None)
        terms: Value = [culprit, list[Value](held_first), following, epoch]
        bound = [lock for lock in self.locks() if lock.kind == "without" and lock.named < named]
        at = bound[0].at if bound else common(self, named | self.position.cut.keys())
        return self.propose("without", sorted(named), terms, at)

    def parted(self, culprit: bytes) -> bool:
        """True if it takes `part` to go on without this member: after it signed two histories, ours differ."""
        bound = any(lock.kind == "without" and culprit in lock.named for lock in self.locks())
        return bound or parted(self, culprit, self.position.cut)

    def _end(self, author: bytes, below: int | None) -> End:
        """Where my copy of a feed ends: as a pact has cut it already, else at its last entry (below a height)."""
        cut = self.position.cut.get(author)
        if cut is not None:
            return cut
        feed = self.feeds.feed(author)
        if below is not None:
            fork = self.feeds.forks.get(author)
            before = takewhile(lambda e: e.height < below or e.kind in ("genesis", "join"), feed)
            feed = [entry for entry in before if fork is None or entry.seq < fork.seq]
        return End(author, feed[-1].seq, feed[-1].id) if feed else End(author, 0, NO_PREV)

    def sign(self, pact: bytes) -> RefusalLike | None:
        """Consent to a pact. Final."""
        for vote in self.votes():
            if vote.pact.id == pact and self._silent is None:
                if vote.advice is None:
                    self._say("sign", [pact])
                    self._advance()
                return vote.advice
        return self._silent or Refusal("pact/not-open")

    def refuse(self, pact: bytes, reason: str) -> RefusalLike | None:
        """Refuse a pact that I am asked about, which kills it. Final."""
        if self._silent is not None:
            return self._silent
        for vote in self.votes():
            if vote.pact.id == pact and self._me in vote.missing:
                self._refuse(vote.pact, reason)
                self._advance()
                return None
        return Refusal("pact/not-open")

    def _open_pacts(self) -> list[tuple[Pact, tuple[bytes, ...]]]:
        """Undecided pacts whose position lies in my history, with the members of that position."""
        found = []
        for pact in self.ballots.pacts.values():
            past = self.position.held(pact.at, pact.head)
            if past is None or not (pact.at == self.position.height or pact.kind == "without"):
                continue
            if not self.ballots.complete(pact, past.members) and not self.ballots.dead(pact, past.members):
                found.append((pact, past.members))
        return found

    def _advice(self, pact: Pact, members: tuple[bytes, ...]) -> Refusal | None:
        """Why I may not sign a pact now; None when I may."""
        if self._me not in pact.signers(members):
            return Refusal("pact/not-asked")
        refusal = judge_pact(self, pact, members)
        if refusal is not None:
            return refusal
        for lock in self.locks():
            here = (lock.at, lock.head) == (pact.at, pact.head)
            if lock.id != pact.id and not (here and self.ballots.may_replace(pact, lock, members)):
                return Refusal("pact/locked", "", (lock.id,))
        ahead = self.ahead(pact.named) if pact.kind != "without" else ()
        return Refusal("pact/behind", "", tuple(ahead)) if ahead else None

    def locks(self) -> list[Pact]:
        """The pacts that bind me now: at this position, or `without` at one I have passed."""
        position = self.position
        locks = list(self.ballots.locks(self._me, position.height, position.head, position.members))
        for pact in self.ballots.pacts.values():
            past = position.held(pact.at, pact.head)
            if past is not None and pact.kind == "without" and pact.at < position.height:
                locks += [p for p in self.ballots.locks(self._me, pact.at, pact.head, past.members) if p is pact]
        return locks

    def awaited(self) -> set[bytes]:
        """The members for whose word on a pact I am bound to wait."""
        members = self.position.members
        words = {member for lock in self.locks() for member in self.ballots.missing(lock, members)}
        return words.intersection(members)

    def _held_up(self) -> bool:
        return bool(self.ballots.pacts) and bool(self.locks())

    def _voted_out(self) -> bool:
        return self._me in self.position.cut or self._me not in self.position.members

    def _refuse_late(self) -> bool:
        """Refuse, by itself, what I can never sign: my position has passed it, I hold more of a feed, or a rival
        came first."""
        for pact in self.ballots.pacts.values():
            past = self.position.past.get(pact.at)
            if past is None and self._unreachable(pact):
                self._refuse(pact, "pact/other-end")
                return True
            if past is None or self._me not in pact.signers(past.members) or self.ballots.signed(pact, self._me):
                continue
            if self.ballots.refused(pact, self._me) is None and not self.ballots.dead(pact, past.members):
                reason = self._too_late(pact, past.head, past.members)
                if reason is not None:
                    self._refuse(pact, reason)
                    return True
        return False

    def _unreachable(self, pact: Pact) -> bool:
        """True if a pact asks me at a later position that builds on the other branch of a feed: I never get there."""
        members = self.position.members
        answered = self.ballots.signed(pact, self._me) or self.ballots.refused(pact, self._me) is not None
        asked = self._me in pact.signers(members) and pact.at > self.position.height
        return asked and not answered and any(other_branch(self, end) for end in pact.out)

    def asking(self) -> list[Value]:
        """The terms on which those who are left out ask to come back: for `propose`."""
        return asking(self)

    def declined(self) -> bool:
        """True if somebody has said no to letting me in since I was left out."""
        cut = self.position.cut.get(self._me)
        asked = [] if cut is None else self.feeds.feed(self._me)[cut.seq + 1 :]
        return any(declined(self, self._me, entry.seq) for entry in asked if entry.kind == "pact")

    def _too_late(self, pact: Pact, head: bytes, members: tuple[bytes, ...]) -> str | None:
        if pact.head != head:
            return "pact/other-head"
        if pact.kind != "without" and pact.at < self.position.height:
            return "pact/passed"
        refusal = judge_pact(self, pact, members)
        if refusal is not None:
            return refusal.code if refusal.code not in WAITING else None
        for lock in self.locks():
            here = (lock.at, lock.head) == (pact.at, pact.head)
            if lock.id < pact.id and not (here and self.ballots.may_replace(pact, lock, members)):
                return "pact/rival"
        return None

    def _refuse(self, pact: Pact, reason: str) -> None:
        missing: list[Plain] = [[end.author, len(self.feeds.feed(end.author)) - 1] for end in pact.out]
        self._say("refuse", [pact.id, reason, missing])
