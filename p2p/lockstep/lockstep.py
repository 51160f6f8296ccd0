# SPDX-License-Identifier: GPL-3.0-or-later
"""A member at its table: a follower that signs entries. `automatic` makes those that need no decision; answers,
signatures under pacts, chat and claims of lateness are made on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from p2p.lockstep.automatic import AutomaticEntries
from p2p.lockstep.follower import BREATH, Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine, RefusalLike, TableRefusal
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import COVERING, EARLIER, Pact, declining
from p2p.lockstep.proposing import Proposals
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import Maker, Signing
from p2p.lockstep.voting import Vote, Voting
from p2p.wire.codec import Plain, Value
from seeds.hashing import H


def elsewhere_digest(table: bytes, question: bytes) -> bytes:
    """Return what a copy of a home signs for another one that asks."""
    return H("in use elsewhere", table, question)


class Lockstep(Follower):
    """A member at its table. A request returns a refusal, or None if it was carried out.

    Attributes:
        me: the member's table key.
        choices: secrets by name, as stored with own entries.
    """

    def __init__(
        self,
        genesis: Genesis,
        machine: Machine,
        *,
        me: bytes,
        make: Maker,
        secret: bytes,
        choices: Mapping[str, bytes],
        sign: Callable[[bytes], bytes],
        read: Callable[[MemberSecrets], Reading | None] = lambda member_secrets: None,
    ) -> None:
        """sign: signs a hash by the table key, for what is no entry.

        read: returns the state of an earlier run with these secrets, None to begin at the genesis."""
        self.member_secrets = MemberSecrets(secret, genesis.table, me, choices)
        super().__init__(genesis, machine, self.member_secrets, read(self.member_secrets))
        self.hearing.seat([me])  # also before this peer has heard of the vote that gives it a seat
        self.position.chance.recall(self.feeds)
        self.voting = Voting(me, self.reading)
        self.proposals = Proposals(me, self.reading, self.voting)
        self.signing = Signing(make, self.member_secrets, self.reading, self.outbox)
        self._sign = sign
        self.automatic: AutomaticEntries = AutomaticEntries(
            self.member_secrets, self.reading, self.voting, self.proposals, self.signing, self.outbox
        )
        self.charges.on_fault = self.signing.accused
        self.signing.noticed(self.feeds.feed(me), is_own=False)

    # Beginning to sign -----------------------------------------------------------------------------------------------

    def start(self, *, new: bool, by_post: bool = False) -> None:
        """Begin to sign, after `restore`.

        new: True if the table key was made in this run, so that nothing was signed with it before. Otherwise `confirm`
        or `vouch` must come first, except at a table of one member.
        by_post: True if there are no links, whose loss would mean anything, and over which others would answer soon.
        """
        self.automatic.by_post = by_post
        alone = len(self.genesis.members) == 1
        self.signing.start(confirmed=new or alone, for_run=by_post or alone)
        if self.me in self.faults:
            self.signing.stop("lockstep/own-fault")
        self.advance()

    def confirm(self, seq: int, last: bytes) -> None:
        """Note that another member holds the own feed up to this entry, as its `have` says, and no linked member holds
        more. seq -1 and NO_PREV if they hold none of it."""
        if (seq, last) == self.own_end() and self.signing.confirm():
            self.advance()

    def lapse(self) -> None:
        """Note that nobody may be relied on any more to hold the own feed, since this computer has slept or the last
        link was lost: the end of the own feed must be confirmed again, unless nobody is left who could do that."""
        if self.position.roster.keys() - self.position.membership.gone - {self.me}:
            self.signing.lapse()

    def witness(self, question: bytes) -> bytes:
        """Return the signature that tells another copy of this home, which asks, that this one runs."""
        return self._sign(elsewhere_digest(self.genesis.table, question))

    def vouch(self, *, for_run: bool = False) -> TableRefusal | None:
        """Note that the person asserts that no newer own entries exist. If that is wrong, the next signature proves a
        fork. for_run: True if this holds until the program ends, as at a table without links."""
        if not self.unconfirmed:
            return self.mute or TableRefusal("own-feed/confirmed")
        self.signing.confirm(for_run=for_run)
        self.advance()
        return None

    def own_end(self) -> tuple[int, bytes]:
        """Return seq and id of the last own entry here, -1 and NO_PREV before the first."""
        return self.signing.end

    def older(self) -> None:
        """Note that this store is an older copy, since another member holds more of the own feed."""
        self.signing.older()

    def elsewhere(self, yes: bool) -> None:
        """Note whether this table key seems to be in use elsewhere, before the first signature of this run."""
        self.signing.elsewhere = yes

    def stop(self) -> None:
        """Stop signing for good, because this table key is in use in a second place."""
        self.signing.stop("lockstep/twin")

    @property
    def unconfirmed(self) -> bool:
        """See `Signing.unconfirmed`."""
        return self.signing.unconfirmed

    @property
    def mute(self) -> TableRefusal | None:
        """Why no entry of this member can be signed now, None if one can."""
        return self.signing.mute

    @property
    def recovered(self) -> int:
        """See `Signing`."""
        return self.signing.recovered

    # Decisions -------------------------------------------------------------------------------------------------------

    def answer(self, seat: int, values: Sequence[Value]) -> RefusalLike | None:
        """Answer for an own seat: consecutive choices as one batch, or one value inside a together or seal. The entry
        can be sent before the next heights are resolved here (`More`)."""
        refusal = self.automatic.hindrance or self.signing.answer(seat, values)
        if refusal is None:
            self.advance(0)
        return refusal

    def chat(self, text: str) -> RefusalLike | None:
        """Send a chat message of at most MAX_TEXT bytes to all."""
        return self._done(self.mute or self.signing.chat(text))

    def clock(self, owing: bytes) -> RefusalLike | None:
        """Claim that a member has kept the table waiting for longer than agreed."""
        return self._say("clock", [owing])

    def claim(self, owing: bytes) -> RefusalLike | None:
        """See `Signing.claim`."""
        return self._done(self.mute or self.signing.claim(owing))

    def tick(self, now: float) -> None:
        """Call this about every second. now: monotonic seconds."""
        if self.automatic.hurry(now):
            self.advance(BREATH)

    def leave(self) -> RefusalLike | None:
        """Give up the own seats for good, with what is the last entry of the own feed. It refuses all open votes."""
        return self._unheard() or self._say("leave", None)

    # Pacts -----------------------------------------------------------------------------------------------------------

    def votes(self) -> list[Vote]:
        """See `Voting.votes`."""
        return self.voting.votes()

    def propose(
        self, kind: str, out: Sequence[bytes] = (), terms: Value = None, at: int | None = None
    ) -> RefusalLike | None:
        """Propose a pact, which also signs it. Arguments as in `Voting.proposal`. Who is bound by a repair proposes it
        again instead of `absent`, without those whom that would leave out; who is bound where others have passed a
        `free`."""
        if kind == "absent" and self.proposals.passed(out):
            return self._unheard() or self._propose(self.proposals.freeing(out))
        for lock in self.voting.locks():
            if kind == "absent" and lock.kind == "repair":
                return self.repair(lock.at, out)
        late = None if kind in EARLIER else self.voting.beyond
        return self._unheard() or late or self._propose(self.proposals.proposal(kind, out, terms, at))

    def part(self, culprit: bytes, out: Collection[bytes] = ()) -> RefusalLike | None:
        """Propose to go on without a member that signed two histories. Arguments as in `Voting.parting`."""
        if culprit not in self.feeds.forks:
            return TableRefusal("pact/evidence-missing", "", (culprit,))
        return self._unheard() or self._propose(self.proposals.parting(culprit, out))

    def repair(self, at: int, out: Collection[bytes] = ()) -> RefusalLike | None:
        """Propose to read on from height `at` whatever states were signed, once the programs agree there. Arguments as
        in `Voting.repairing`. A proposal of others to do so is signed instead, if there is one."""
        for vote in self.votes():
            if vote.pact.kind == "repair" and vote.pact.at == at and vote.pact.named >= {*out} and vote.advice is None:
                return self.sign(vote.pact.id)
        return self._unheard("repair") or self._propose(self.proposals.repairing(at, out))

    def sign(self, pact: bytes) -> RefusalLike | None:
        """Sign a pact. This is final."""
        vote = self.voting.vote(pact)
        refusal = self._unheard(vote.pact.kind if vote is not None else "")
        if refusal is not None or vote is None:
            return refusal or TableRefusal("pact/not-open")
        late = None if vote.pact.kind in EARLIER else self.voting.beyond
        return vote.advice or late or self._decline_covered(vote.pact) or self._say("sign", [pact])

    def refuse(self, pact: bytes, reason: str) -> RefusalLike | None:
        """Refuse a pact as one of its signers, so that it can never take effect. This is final."""
        vote = self.voting.vote(pact)
        refusal = self._unheard(vote.pact.kind if vote is not None else "")
        if refusal is not None or vote is None or self.me not in vote.missing:
            return refusal or TableRefusal("pact/not-open")
        return self._say("refuse", declining(vote.pact, reason))

    def _propose(self, pact: Pact | TableRefusal) -> RefusalLike | None:
        if isinstance(pact, TableRefusal):
            return pact
        return self.mute or self._decline_covered(pact) or self._say("pact", pact.body())

    def _decline_covered(self, pact: Pact) -> RefusalLike | None:
        """Refuse the pacts that this one is over and that wait for the word of this member. It could not sign them any
        more, and as long as they are open those who have signed them refuse this one."""
        for vote in self.votes() if pact.kind in COVERING else ():
            if vote.pact.id in pact.over and self.me in vote.missing:
                refusal = self.signing.say("refuse", declining(vote.pact, "pact/rival"))
                if refusal is not None:
                    return refusal
        return None

    def _unheard(self, kind: str = "") -> TableRefusal | None:
        """Return why no vote of this member on a pact of this kind can be signed now, None if one can. Who cannot read
        on its own feed, since engines differ, may agree to a repair."""
        return self.mute or (None if kind == "repair" and self.voting.estranged else self.voting.behind)

    def _say(self, kind: str, body: Plain) -> RefusalLike | None:
        return self._done(self.mute or self.signing.say(kind, body))

    def _done(self, refusal: RefusalLike | None) -> RefusalLike | None:
        if refusal is None:
            self.advance()
        return refusal
