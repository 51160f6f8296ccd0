"""A member at its table: everything a Follower does, and a voice.

What follows from secrets alone (genesis, join, commit, open, reveal, result, refusals of pacts that came too late) is
said by itself, as soon as it is due; answers, signatures under pacts, chat and clock only on request. Whatever is
said comes out as a `Keep` effect and must be durable before it is sent; so a crash loses nothing that anybody has
seen, and what nobody has seen may be made anew, differently. For the same reason nothing is signed before `start`,
which comes after `restore`, and not before it is certain that the own feed is whole: an older copy of the disk would
sign a second history.
"""

from __future__ import annotations

import secrets as random_source
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

from p2p.identity.keys import SigningKey
from p2p.lockstep.effects import Stopped, Work
from p2p.lockstep.follower import MAX_TEXT, Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Answer, Machine, Refusal, RefusalLike
from p2p.lockstep.pacts import End, Pact
from p2p.lockstep.purse import Fresh, Purse, choice_name, fits_seal
from p2p.lockstep.step import SEATED
from p2p.lockstep.task import Job, Made, Task
from p2p.lockstep.votes import WAITING, judge_pact
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import NO_PREV, Beside, Entry, chat_hash, make_entry


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


@dataclass(frozen=True, slots=True)
class Vote:
    """A pact that waits for words. missing: signers that have not signed; advice: None: I may sign; a refusal that
    says why not, or not yet."""

    pact: Pact
    missing: tuple[bytes, ...]
    advice: Refusal | None


class Lockstep(Follower):
    """See the module text. `me` is my table key; `choices` are the secrets that the store kept with my own entries."""

    def __init__(
        self,
        genesis: Genesis,
        machine: Machine,
        *,
        me: bytes,
        make: Maker,
        secret: bytes,
        choices: Mapping[str, bytes],
        fresh: Fresh = lambda: random_source.token_bytes(32),
    ) -> None:
        self._mine = Purse(secret, genesis.table, me, choices, fresh)
        super().__init__(genesis, machine, self._mine)
        self._me = me
        self._make = make
        self._making: tuple[Task, str, Job, Made | None] | None = None
        self._live = False
        self._whole = False
        self._stopped: str | None = None

    # Beginning to sign -----------------------------------------------------------------------------------------------

    def start(self, whole: bool) -> None:
        """After `restore`. whole: the boot counter says that the store holds my latest entry; otherwise `confirm` is
        waited for."""
        self._live = True
        self._whole = whole or len(self.genesis.members) == 1
        self._advance()

    def confirm(self, seq: int, last: bytes) -> None:
        """Another member holds my feed up to this entry, as its `have` says."""
        mine = self.feeds.last(self._me)
        if mine is not None and (mine.seq, mine.id) == (seq, last) and not self._whole:
            self._whole = True
            self._advance()

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
        return None if self._live and self._whole else Refusal("lockstep/older-copy")

    def _add(self, entry: Entry, beside: Beside | None, own: bool, secrets: tuple[tuple[str, bytes], ...] = ()) -> bool:
        news = super()._add(entry, beside, own, secrets)
        if news and entry.author == self._me and not own and self._live and self._whole:
            self.stop()
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
        if not values or (len(values) > 1 and step.kind != "choose"):
            return Refusal("batch/too-long" if values else "batch/empty")
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
        if key is not None and not fits_seal(value):
            return Refusal("seal/too-long")
        sealed, secret = self._mine.seal(position.epoch, handle, value, key)
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

    # Pacts -----------------------------------------------------------------------------------------------------------

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
        """Propose a pact, which signs it. out: members to leave out; at: `without` only, the height to resume at."""
        if self.mute is not None:
            return self.mute
        past = self.position.past.get(self.position.height if at is None else at)
        if past is None:
            return Refusal("pact/other-position")
        height = self.position.height if at is None else at
        named = set(out)
        if kind in ("absent", "without"):
            named |= {author for author in self.position.cut if author in past.members}
        ends = tuple(self._end(author, height if kind == "without" else None) for author in sorted(named))
        if kind == "back":
            if any(pact.kind == "back" and self.ballots.signed(pact, self._me) for pact, _ in self._open_pacts()):
                return Refusal("pact/proposed-already")
            terms = [self._me, len(self.feeds.feed(self._me))]
        pact = Pact(kind, height, past.head, ends, terms)
        while self.ballots.dead(pact, past.members):
            pact = replace(pact, attempt=pact.attempt + 1)
        if self.ballots.signed(pact, self._me):
            return Refusal("pact/proposed-already")
        refusal = None if kind == "back" else self._advice(pact, past.members)
        if refusal is None:
            self._say("pact", pact.body())
            self._advance()
        return refusal

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
            if vote.pact.id == pact and self.mute is None:
                if vote.advice is None:
                    self._say("sign", [pact])
                    self._advance()
                return vote.advice
        return self.mute or Refusal("pact/not-open")

    def refuse(self, pact: bytes, reason: str) -> RefusalLike | None:
        """Refuse a pact that I am asked about, which kills it. Final."""
        if self.mute is not None:
            return self.mute
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
            if lock.id != pact.id and not self.ballots.may_replace(pact, lock, members):
                return Refusal("pact/locked", "", (lock.id,))
        return None

    def locks(self) -> list[Pact]:
        """The pacts that bind me now: at this position, or `without` at one I have passed."""
        position = self.position
        locks = list(self.ballots.locks(self._me, position.height, position.head, position.members))
        for pact in self.ballots.pacts.values():
            past = position.held(pact.at, pact.head)
            if past is not None and pact.kind == "without" and pact.at < position.height:
                locks += [p for p in self.ballots.locks(self._me, pact.at, pact.head, past.members) if p is pact]
        return locks

    def _held_up(self) -> bool:
        return bool(self.ballots.pacts) and bool(self.locks())

    def _voted_out(self) -> bool:
        return self._me in self.position.cut or self._me not in self.position.members

    # What says itself ------------------------------------------------------------------------------------------------

    def _read_up(self) -> bool:
        """Whether all that I ever said is part of this history, so that nothing is said twice."""
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
            made = task.make(kinds[0], self._mine)
        if isinstance(made, Job):
            self._making = (task, kinds[0], made, None)
            self._effects.append(Work(made))
            return False
        if made is None:
            self.stop("lockstep/secret-lost")
            return False
        self._say(made.kind, made.body, proven=made.proven)
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

    def _refuse_late(self) -> bool:
        """Refuse, by itself, what I can never sign: my position has passed it, I hold more of a feed, or a rival
        came first."""
        for pact in self.ballots.pacts.values():
            past = self.position.past.get(pact.at)
            if past is None or self._me not in pact.signers(past.members) or self.ballots.signed(pact, self._me):
                continue
            if self.ballots.refused(pact, self._me) is None and not self.ballots.dead(pact, past.members):
                reason = self._too_late(pact, past.head, past.members)
                if reason is not None:
                    self._refuse(pact, reason)
                    return True
        return False

    def _report_fault(self) -> bool:
        """Point to the first proven fault of each peer, once: whoever reads the log later knows where to look."""
        for culprit, faults in self.faults.items():
            if str([culprit]) not in self._reported and culprit != self._me:
                self._say("fault", [culprit, faults[0].code, list(faults[0].entries)])
                return True
        return False

    def _too_late(self, pact: Pact, head: bytes, members: tuple[bytes, ...]) -> str | None:
        if pact.head != head:
            return "pact/other-head"
        if pact.kind != "without" and pact.at < self.position.height:
            return "pact/passed"
        refusal = judge_pact(self, pact, members)
        if refusal is not None:
            return refusal.code if refusal.code not in WAITING else None
        for lock in self.locks():
            if lock.id < pact.id and not self.ballots.may_replace(pact, lock, members):
                return "pact/rival"
        return None

    def _refuse(self, pact: Pact, reason: str) -> None:
        missing: list[Plain] = [[end.author, len(self.feeds.feed(end.author)) - 1] for end in pact.out]
        self._say("refuse", [pact.id, reason, missing])

    def _say(
        self,
        kind: str,
        body: Plain,
        secrets: tuple[tuple[str, bytes], ...] = (),
        beside: Beside | None = None,
        proven: object = None,
    ) -> None:
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
        self._add(entry, beside, own=True, secrets=secrets)
