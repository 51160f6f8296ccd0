"""A member at its table: everything a Follower does, and a voice.

What follows from secrets alone (genesis, join, commit, open, reveal, result, refusals of pacts that came too late) is
said by itself, as soon as it is due; answers, signatures under pacts, chat and clock only on request. Whatever is
said comes out as a `Keep` effect and must be durable before it is sent; so a crash loses nothing that anybody has
seen, and what nobody has seen may be made anew, differently. For the same reason nothing is signed before `start`,
which comes after `restore`, nor, in any run, before another member confirms the end of the own feed: nothing on a disk
tells an older copy of it from the newest, and an older copy would sign a second history.
"""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from p2p.identity.keys import SigningKey
from p2p.lockstep.claims import claim_body, may_claim
from p2p.lockstep.effects import Proven, Stopped, Work
from p2p.lockstep.follower import BREATH
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.listener import MAX_TEXT
from p2p.lockstep.machine import Answer, Machine, Refusal, RefusalLike
from p2p.lockstep.member_secrets import MemberSecrets, choice_name, fits_seal
from p2p.lockstep.rolling import Rolling
from p2p.lockstep.step import RESTING, SEATED
from p2p.lockstep.task import Job, Made, Task
from p2p.lockstep.voter import Voter
from p2p.log.feeds import MAX_CHATS
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, Beside, Entry, chat_hash, make_entry
from seeds.errors import LocalError

LATE: Final = 1.0
"""Seconds that the members asked for partials of a roll have, until all others give theirs too."""


class Maker(Protocol):
    """Writes and signs an entry; `make_entry` with the table key in its place."""

    def __call__(
        self,
        *,
        table: bytes,
        seq: int,
        prev: bytes,
        epoch: int,
        height: int,
        head: bytes,
        state: bytes,
        kind: str,
        body: Plain,
    ) -> Entry: ...


def maker(key: SigningKey) -> Maker:
    """Write entries with this table key."""

    def make(**fields: object) -> Entry:
        return make_entry(key.private, **fields)  # type: ignore[arg-type]  # the fields of Maker, name by name

    return make


class Lockstep(Voter):
    """See the module text. `me` is my table key; `choices` are the secrets that the store kept with my own entries.

    recovered: how many own entries that this disk had lost came back from others in this run.
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
    ) -> None:
        super().__init__(genesis, machine, MemberSecrets(secret, genesis.table, me, choices, test=genesis.test))
        self._make = make
        self._making: tuple[Task, str, Job, Made | None] | None = None
        self._lifting: tuple[Rolling, float] | None = None
        self._live = False
        self._confirmed = False
        self._spoken = False
        self._older = False
        self.recovered = 0
        self._stopped: str | None = None

    # Beginning to sign -----------------------------------------------------------------------------------------------

    def start(self, *, new: bool) -> None:
        """After `restore`. new: the table key was made in this run, so nothing was ever signed with it. Otherwise
        `confirm` or `vouch` is waited for; a table of one member has nobody to contradict."""
        self._live = True
        self._confirmed = new or len(self.genesis.members) == 1
        self._advance()

    def confirm(self, seq: int, last: bytes) -> None:
        """Another member holds my feed up to this entry, as its `have` says, and nobody linked holds more; seq -1 and
        NO_PREV when they hold none of it."""
        if (seq, last) == self.own_end():
            self._go_on_signing()

    def vouch(self) -> Refusal | None:
        """The person says that no newer entries of mine exist. If that is wrong, what is signed next proves a fork."""
        if not self.unconfirmed:
            return self.mute or Refusal("own-feed/confirmed")
        self._go_on_signing()
        return None

    def _go_on_signing(self) -> None:
        if not self._confirmed:
            self._confirmed, self._older = True, False
            self._advance()

    def own_end(self) -> tuple[int, bytes]:
        """Seq and id of my last entry here, -1 and NO_PREV before the first."""
        last = self.feeds.last(self._me)
        return (-1, NO_PREV) if last is None else (last.seq, last.id)

    def older(self) -> None:
        """Somebody holds more of my feed than this disk: it is an older copy."""
        self._older = self._older or self.unconfirmed

    @property
    def unconfirmed(self) -> bool:
        """True while nothing is signed because nobody has confirmed the end of my feed in this run."""
        return self._live and not self._confirmed and self._stopped is None

    def stop(self, code: str = "lockstep/twin") -> None:
        """Sign nothing more, for good: this table key is live in a second place."""
        if self._stopped is None:
            self._stopped = code
            self._effects.append(Stopped(code))

    def _accuse(self, code: str, *entries: Entry, detail: str = "") -> None:
        """A fault of my own is a bug here, or a twin elsewhere: silence is the only safe answer."""
        super()._accuse(code, *entries, detail=detail)
        if entries[0].author == self._me and self._live:
            self.stop("lockstep/own-fault")

    @property
    def mute(self) -> Refusal | None:
        """Why nothing of mine is signed now."""
        if self._stopped is not None:
            return Refusal(self._stopped)
        if self.feeds.ended(self._me):
            return Refusal("lockstep/feed-full")
        if self._live and self._confirmed:
            return None
        return Refusal("lockstep/older-copy" if self._older else "lockstep/unconfirmed")

    def _add(self, entry: Entry, beside: Beside | None, own: bool, secrets: tuple[tuple[str, bytes], ...] = ()) -> bool:
        news = super()._add(entry, beside, own, secrets)
        if news and entry.author == self._me and self._live:
            self._spoken = self._spoken or own
            if not own and self._spoken:
                self.stop()
            elif not own:
                self._confirmed, self._older = False, True
                self.recovered += 1
        return news

    # What I decide ---------------------------------------------------------------------------------------------------

    def answer(self, seat: int, values: Sequence[Value]) -> RefusalLike | None:
        """Answer for a seat of mine: consecutive choices as one batch, or one value inside a together or seal."""
        position, step = self.position, self.position.step
        refusal = self._may_speak()
        if refusal is not None:
            return refusal
        if step.kind not in SEATED or step.owed.get((1, seat)) != self._me:
            return Refusal("answer/not-asked")
        if (1, seat) in step.filled:
            return Refusal("answer/given-already")
        if not values:
            return Refusal("batch/empty")
        if len(values) > 1 and step.kind != "choose":
            return Refusal("batch/too-long", "1")
        machine = position.machine
        illegal = machine.batch(seat, values) if len(values) > 1 else machine.check(Answer(seat, values[0]))
        if illegal is not None:
            return illegal
        if step.kind == "seal":
            return self._seal(seat, values[0])
        self._say("answer", [seat, list(values)])
        self._advance()
        return None

    def _seal(self, seat: int, value: Value) -> Refusal | None:
        position, step = self.position, self.position.step
        assert step.pending is not None
        key, handle = position.chance.seal_key(step.pending), step.handle_of(seat)
        if not fits_seal(value):
            return Refusal("seal/too-long")
        sealed, secret = self.member_secrets.at("seal", position.epoch, *handle).seal(
            position.epoch, handle, value, key
        )
        self._say("seal", [seat, *sealed], ((choice_name(position.epoch, handle), secret),))
        self._advance()
        return None

    def _may_speak(self) -> Refusal | None:
        if self.mute is not None:
            return self.mute
        if self._held_up() or self._voted_out():
            return Refusal("lockstep/voting" if self._held_up() else "lockstep/left-out")
        return None if self._read_up() else Refusal("lockstep/catching-up")

    def chat(self, text: str) -> Refusal | None:
        """Say something to all; at most MAX_TEXT bytes. Its text travels beside the entry."""
        if self.mute is not None:
            return self.mute
        if not text or len(text.encode()) > MAX_TEXT:
            return Refusal("chat/length", "", (MAX_TEXT,))
        if self.feeds.chats(self._me) >= MAX_CHATS:
            return Refusal("chat/too-many", "", (MAX_CHATS,))
        salt = random_source.token_bytes(16)
        self._say("chat", [chat_hash(salt, text)], beside=(salt, text))
        self._advance()
        return None

    def clock(self, owing: bytes) -> Refusal | None:
        """Claim that a member has kept the table waiting for longer than agreed."""
        if self.mute is None:
            self._say("clock", [owing])
            self._advance()
        return self.mute

    def claim(self, owing: bytes) -> Refusal | None:
        """Sign that the table stands still here because this member does not say what it owes, where the others are
        too few to go on without it."""
        owed = self.debts()
        kind = owed.get(owing)
        if self.mute is not None or owing == self._me or kind is None:
            return self.mute or Refusal("pact/owes-nothing")
        if self._me in owed:
            return Refusal("claim/owe-first")
        if not may_claim(self, owing):
            return Refusal("claim/leave-out")
        self._say("result", claim_body(owing, kind))
        self._advance()
        return None

    def tick(self, now: float) -> None:
        """To be called every second or so. now: monotonic seconds. A roll that has waited LATE seconds for the partials
        of those who were asked first asks all."""
        task = self.position.step.task
        if not (isinstance(task, Rolling) and task.lifting):
            self._lifting = None
        elif self._lifting is None or self._lifting[0] is not task:
            self._lifting = task, now
        elif now - self._lifting[1] >= LATE:
            task.hurry()
            self._advance(BREATH)

    # What says itself ------------------------------------------------------------------------------------------------

    def _read_up(self) -> bool:
        """True if all that I ever said is part of this history, so that nothing is said twice."""
        return self._next.get(self._me, 0) == len(self.feeds.feed(self._me))

    def _speak(self) -> bool:
        if self.mute is not None or not self._read_up():
            return False
        if self._me not in self.joined:
            return self._join()
        if self._refuse_late() or self._report_fault():
            return True
        if self._held_up() or self._voted_out() or not self.joined.issuperset(self.position.members):
            return False
        if self.position.over:
            return self._sign_result()
        return any(who == self._me for _, who in self.position.missing) and self._give()

    def _join(self) -> bool:
        if self._me == self.genesis.members[0].key and not self.feeds.feed(self._me):
            self._say("genesis", self.genesis.body())
        elif self._me in self.position.roster:
            self._say("join", None)
        else:
            return False
        return True

    def _give(self) -> bool:
        """The entry that I owe to dice, cards or openings, if it is one."""
        task = self.position.step.task
        kinds = [kind for kind, who in task.owed() if who == self._me] if task is not None else []
        if task is None or not kinds:
            return False
        if self._making is not None and self._making[:2] == (task, kinds[0]):
            made: Made | Job | None = self._making[3]
            if made is None:
                return False
        else:
            made = task.make(kinds[0], self.member_secrets.at(kinds[0], self.position.epoch, self.position.height))
        if isinstance(made, Job):
            self._making = (task, kinds[0], made, None)
            self._effects.append(Work(made))
            return False
        if made is None:
            self.stop("lockstep/secret-lost")
            return False
        body: Plain = [self.position.step.basis(made.kind), made.body] if made.kind in RESTING else made.body
        self._say(made.kind, body, proven=made.proven)
        return True

    def worked(self, job: Job, result: object) -> None:
        """A job is done, perhaps one that makes an entry of mine."""
        if self._making is not None and self._making[2] is job and isinstance(result, Made):
            self._making = (*self._making[:3], result)
        super().worked(job, result)

    def _sign_result(self) -> bool:
        said = self.results.get(self._me)
        if said is not None and said.head == self.position.head:
            return False
        self._say("result", [self.position.ended or "played"])
        return True

    def _report_fault(self) -> bool:
        """Point to the first proven fault of each peer, once: whoever reads the log later knows where to look."""
        for culprit, faults in self.faults.items():
            if str([culprit]) not in self._reported and culprit != self._me:
                self._say("fault", [culprit, faults[0].code, list(faults[0].entries)])
                return True
        return False

    def _say(
        self,
        kind: str,
        body: Plain,
        secrets: tuple[tuple[str, bytes], ...] = (),
        beside: Beside | None = None,
        proven: object = None,
    ) -> None:
        if self.mute is not None:
            raise LocalError(f"{kind} must not be signed now: {self.mute.code}")
        position, last = self.position, self.feeds.last(self._me)
        entry = self._make(
            table=self.genesis.table,
            seq=0 if last is None else last.seq + 1,
            prev=NO_PREV if last is None else last.id,
            epoch=position.epoch,
            height=position.height,
            head=position.head,
            state=position.state,
            kind=kind,
            body=body,
        )
        if proven is not None:
            self._judged[entry.id] = proven
            if kind in RESTING:
                self._effects.append(Proven(entry.id))
        self._add(entry, beside, own=True, secrets=secrets)
