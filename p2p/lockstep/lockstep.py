"""A member at its table: a follower that signs entries. `automatic` makes those that need no decision; answers,
signatures under pacts, chat and claims of lateness are made on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from p2p.lockstep.automatic import AutomaticEntries
from p2p.lockstep.follower import BREATH, Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Machine, Refusal, RefusalLike
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.pacts import Pact
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import Maker, Signing
from p2p.lockstep.voting import Vote, Voting
from p2p.wire.codec import Plain, Value


class Lockstep(Follower):
    """A member at its table. Requests return why they were not carried out, None when they were.

    Attributes:
        me: my table key.
        choices: the secrets that the store kept with my own entries. Requests return why they were not carried out,
            None when they were.
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
        read: Callable[[MemberSecrets], Reading | None] = lambda member_secrets: None,
    ) -> None:
        """read: how far this home had read the table before, if it knows."""
        self.member_secrets = MemberSecrets(secret, genesis.table, me, choices, test=genesis.test)
        super().__init__(genesis, machine, self.member_secrets, read(self.member_secrets))
        self.voting = Voting(me, self.reading)
        self.signing = Signing(make, self.member_secrets, self.reading, self.outbox)
        self.automatic: AutomaticEntries = AutomaticEntries(
            self.member_secrets, self.reading, self.voting, self.signing, self.outbox
        )
        self.charges.on_fault = self.signing.accused
        self.signing.noticed(self.feeds.feed(me), own=False)

    # Beginning to sign -----------------------------------------------------------------------------------------------

    def start(self, *, new: bool) -> None:
        """After `restore`. new: the table key was made in this run, so nothing was ever signed with it. Otherwise
        `confirm` or `vouch` is waited for; a table of one member has nobody to contradict."""
        self.signing.start(confirmed=new or len(self.genesis.members) == 1)
        self.advance()

    def confirm(self, seq: int, last: bytes) -> None:
        """Another member holds my feed up to this entry, as its `have` says, and nobody linked holds more; seq -1 and
        NO_PREV when they hold none of it."""
        if (seq, last) == self.own_end() and self.signing.confirm():
            self.advance()

    def vouch(self) -> Refusal | None:
        """The person says that no newer entries of mine exist. If that is wrong, what is signed next proves a fork."""
        if not self.unconfirmed:
            return self.mute or Refusal("own-feed/confirmed")
        self.signing.confirm()
        self.advance()
        return None

    def own_end(self) -> tuple[int, bytes]:
        """Seq and id of my last entry here, -1 and NO_PREV before the first."""
        return self.signing.end

    def older(self) -> None:
        """Somebody holds more of my feed than this disk: it is an older copy."""
        self.signing.older()

    def elsewhere(self, yes: bool) -> None:
        """Whether this table key seems to be live in another place, before my first signature of this run."""
        self.signing.elsewhere = yes

    def stop(self) -> None:
        """Sign nothing more, for good: this table key is live in a second place."""
        self.signing.stop("lockstep/twin")

    @property
    def unconfirmed(self) -> bool:
        """See `Signing.unconfirmed`."""
        return self.signing.unconfirmed

    @property
    def mute(self) -> Refusal | None:
        """Why no entry of this member can be signed now, None if one can."""
        return self.signing.mute

    @property
    def recovered(self) -> int:
        """See `Signing`."""
        return self.signing.recovered

    # What I decide ---------------------------------------------------------------------------------------------------

    def answer(self, seat: int, values: Sequence[Value]) -> RefusalLike | None:
        """Answer for a seat of mine: consecutive choices as one batch, or one value inside a together or seal. The
        entry can leave before it leads on here (`More`)."""
        refusal = self.automatic.hindrance or self.signing.answer(seat, values)
        if refusal is None:
            self.advance(0)
        return refusal

    def chat(self, text: str) -> RefusalLike | None:
        """Say something to all; at most MAX_TEXT bytes."""
        return self._done(self.mute or self.signing.chat(text))

    def clock(self, owing: bytes) -> RefusalLike | None:
        """Claim that a member has kept the table waiting for longer than agreed."""
        return self._say("clock", [owing])

    def claim(self, owing: bytes) -> RefusalLike | None:
        """See `Signing.claim`."""
        return self._done(self.mute or self.signing.claim(owing))

    def tick(self, now: float) -> None:
        """To be called every second or so. now: monotonic seconds."""
        if self.automatic.hurry(now):
            self.advance(BREATH)

    # Pacts -----------------------------------------------------------------------------------------------------------

    def votes(self) -> list[Vote]:
        """See `Voting.votes`."""
        return self.voting.votes()

    def propose(
        self, kind: str, out: Sequence[bytes] = (), terms: Value = None, at: int | None = None
    ) -> RefusalLike | None:
        """Propose a pact, which signs it; the arguments are those of `Voting.proposal`."""
        return self._silent or self._propose(self.voting.proposal(kind, out, terms, at))

    def part(self, culprit: bytes, out: Collection[bytes] = ()) -> RefusalLike | None:
        """Propose to go on without a member that signed two histories; the arguments are those of `Voting.parting`."""
        if culprit not in self.feeds.forks:
            return Refusal("pact/evidence-missing", "", (culprit,))
        return self._silent or self._propose(self.voting.parting(culprit, out))

    def sign(self, pact: bytes) -> RefusalLike | None:
        """Consent to a pact. Final."""
        if self._silent is not None:
            return self._silent
        vote = self.voting.vote(pact)
        if vote is None:
            return Refusal("pact/not-open")
        return vote.advice or self._say("sign", [pact])

    def refuse(self, pact: bytes, reason: str) -> RefusalLike | None:
        """Refuse a pact that I am asked about, which kills it. Final."""
        if self._silent is not None:
            return self._silent
        vote = self.voting.vote(pact)
        if vote is None or self.me not in vote.missing:
            return Refusal("pact/not-open")
        return self._say("refuse", self.voting.refusal(vote.pact, reason))

    def _propose(self, pact: Pact | Refusal) -> RefusalLike | None:
        return pact if isinstance(pact, Refusal) else self._say("pact", pact.body())

    @property
    def _silent(self) -> Refusal | None:
        """Why no vote of this member can be signed now, None if one can."""
        return self.mute or self.voting.behind

    def _say(self, kind: str, body: Plain) -> Refusal | None:
        if self.mute is None:
            self.signing.say(kind, body)
            self.advance()
            return None
        return self.mute

    def _done(self, refusal: RefusalLike | None) -> RefusalLike | None:
        if refusal is None:
            self.advance()
        return refusal
