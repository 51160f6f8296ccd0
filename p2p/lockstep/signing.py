# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs the entries of a member, if it may sign any.

Nothing is signed before `start`, after the store was read, nor before another member confirms the end of the own feed.
That is a lease, which ends with `lapse` and with each sleep of the computer. A disk cannot tell an older copy from the
newest, and an older copy would sign a second history. Each signed entry is a `Keep` effect and must be durable before
it is sent. So a crash loses no entry that anybody has seen.

A disk that loses more may have lost entries that others hold in part: a later own entry that is known and cannot be
read yet proves that one was signed before it. Then nothing is signed but that very entry, which the later one names by
its id. What follows from the secrets alone is signed again in the same bytes; a person may give the same answer again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Unpack

from p2p.identity.keys import SigningKey
from p2p.lockstep.effects import Stopped
from p2p.lockstep.hearing import MAX_TEXT
from p2p.lockstep.machine import GivenAnswer, RefusalLike, TableRefusal
from p2p.lockstep.member_secrets import MemberSecrets, choice_name, fits_seal
from p2p.lockstep.outbox import Outbox
from p2p.lockstep.pacts import threshold
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import SEATED, claim_body
from p2p.log.feeds import MAX_CHATS
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Attachment, Entry, EntryFields, chat_hash, make_entry
from seeds.errors import ContractError


class Maker(Protocol):
    """Signs an entry: `make_entry` with the table key filled in."""

    def __call__(self, **said: Unpack[EntryFields]) -> Entry: ...


def maker(key: SigningKey) -> Maker:
    """Return a Maker with this table key."""

    def make(**said: Unpack[EntryFields]) -> Entry:
        return make_entry(key.private, **said)

    return make


class Signing:
    """Signs entries of the member `secrets.me`.

    Attributes:
        make: signs an entry.
        recovered: number of own entries that the store had lost and others have sent back in this run.
        reported: the members whose faults this member has reported.
        naps: returns how often this computer has slept; a change ends the right to sign.
        elsewhere: True if another copy seems to be in use.
    """

    def __init__(self, make: Maker, member_secrets: MemberSecrets, reading: Reading, outbox: Outbox) -> None:
        self.make = make
        self.recovered = 0
        self.reported: set[bytes] = set()
        self.naps: Callable[[], int] = lambda: 0
        self._me, self._secrets = member_secrets.me, member_secrets
        self._reading, self._feeds, self._outbox = reading, reading.hearing.feeds, outbox
        self._live = False
        self._confirmed = self._for_run = False
        self._napped = 0
        self._spoken = False
        self._older = self.elsewhere = False
        self._stopped: str | None = None

    # May this member sign now? ---------------------------------------------------------------------------------------

    @property
    def mute(self) -> TableRefusal | None:
        """Why no entry of this member can be signed now, None if one can."""
        if self._stopped is not None:
            return TableRefusal(self._stopped)
        if self._me not in self._reading.position.roster:
            return TableRefusal("lockstep/moving")
        if self._feeds.left(self._me):
            return TableRefusal("lockstep/left")
        if self._feeds.ended(self._me):
            return TableRefusal("lockstep/feed-full")
        if self._live and self._holds():
            return TableRefusal("lockstep/older-copy") if self._gap > 1 else None
        if self.elsewhere:
            return TableRefusal("lockstep/elsewhere")
        return TableRefusal("lockstep/older-copy" if self._older else "lockstep/unconfirmed")

    @property
    def _gap(self) -> int:
        """The number of own entries that were signed and are missing here, as a later one shows; 0 if none shows it."""
        early = self._feeds.early(self._me)
        return early[0] - len(self._feeds.feed(self._me)) if early else 0

    @property
    def unconfirmed(self) -> bool:
        """True while nothing is signed because nobody has confirmed the end of the own feed in this run."""
        return self._live and not self._holds() and self._stopped is None

    def _holds(self) -> bool:
        """True while the confirmation lasts."""
        if self._confirmed and self.naps() != self._napped:
            self.lapse()
        return self._confirmed

    @property
    def end(self) -> tuple[int, bytes]:
        """Seq and id of the last own entry here, -1 and NO_PREV before the first."""
        return self._feeds.end(self._me)

    def start(self, *, confirmed: bool, for_run: bool) -> None:
        """Begin to sign, after the store was read. Arguments as in `confirm`, if it is confirmed."""
        self._live = True
        if confirmed:
            self.confirm(for_run=for_run)

    def lapse(self) -> None:
        """Note that others may hold newer own entries from now on."""
        if not self._for_run:
            self._confirmed = self._spoken = False
        self._napped = self.naps()

    def confirm(self, *, for_run: bool = False) -> bool:
        """Note that nobody holds a newer own entry. Return False if that was known. for_run: True if nobody can hold
        one before the program ends."""
        news = not self._confirmed
        self._for_run, self._napped = self._for_run or for_run, self.naps()
        if news:
            self._confirmed, self._older = True, False
        return news

    def older(self) -> None:
        """Note that this store is an older copy, since another member holds more of the own feed."""
        self._older = self._older or self.unconfirmed

    def stop(self, code: str) -> None:
        """Stop signing for good."""
        if self._stopped is None:
            self._stopped = code
            self._outbox.tell(Stopped(code))

    def accused(self, author: bytes) -> None:
        """Process a proven fault. If the author is this member, there is a bug or a second device: stop signing."""
        if author == self._me and self._live:
            self.stop("lockstep/own-fault")

    def noticed(self, entries: Sequence[Entry], *, is_own: bool) -> None:
        """Process entries that became readable. is_own: True if this member has just signed them, False if others or
        the store brought them."""
        if not entries or entries[0].author != self._me:
            return
        self.reported |= {_culprit(entry) for entry in entries if entry.kind == "fault"}
        if is_own:
            self._spoken = True
        elif self._live and self._holds() and self._spoken:
            self.stop("lockstep/twin")
        elif self._live:
            self._confirmed, self._older = False, True
            self.recovered += 1

    # Entries ---------------------------------------------------------------------------------------------------------

    def say(
        self,
        kind: str,
        body: Plain,
        secrets: tuple[tuple[str, bytes], ...] = (),
        attachment: Attachment | None = None,
        proven: object = None,
    ) -> TableRefusal | None:
        """Sign an entry at this position. Return a refusal if another entry was signed in its place before, as a later
        one shows.

        secrets: secrets by name, to be stored with it.
        proven: the result of judging it, if known from making it.

        Raises LocalError while `mute`.
        """
        if self.mute is not None:
            raise ContractError(f"{kind} must not be signed now: {self.mute.code}")
        position, (seq, prev) = self._reading.position, self.end
        entry = self.make(
            table=self._reading.genesis.table,
            seq=seq + 1,
            prev=prev,
            epoch=position.epoch,
            height=position.height,
            head=position.head,
            state=position.state,
            kind=kind,
            body=body,
        )
        if not self._fits(entry):
            return TableRefusal("lockstep/said-otherwise")
        if proven is not None:
            self._reading.proofs.note_own(entry, proven)
        self.record(entry, attachment, secrets)
        return None

    def _fits(self, entry: Entry) -> bool:
        """True unless a later own entry is known that follows another one than this."""
        early = self._feeds.early_by_author.get(self._me)
        following = early.get(entry.seq + 1) if early else None
        return not early or (following is not None and following.prev == entry.id)

    def record(
        self, entry: Entry, attachment: Attachment | None = None, secrets: tuple[tuple[str, bytes], ...] = ()
    ) -> None:
        """Put a signed entry into the own feed."""
        self.noticed(self._reading.take(entry, attachment, is_own=True, secrets=secrets), is_own=True)

    def answer(self, seat: int, values: Sequence[Value]) -> RefusalLike | None:
        """Answer for an own seat: consecutive choices as one batch, or one value inside a together or seal."""
        position, step = self._reading.position, self._reading.position.step
        if step.kind not in SEATED or step.owed.get((1, seat)) != self._me:
            return TableRefusal("answer/not-asked")
        if (1, seat) in step.filled:
            return TableRefusal("answer/given-already")
        if not values:
            return TableRefusal("batch/empty")
        if len(values) > 1 and step.kind != "choose":
            return TableRefusal("batch/too-long", "1")
        given = tuple(GivenAnswer(seat, value) for value in values)
        refusal = position.illegal(given)
        if refusal is not None:
            return refusal
        if step.kind == "seal":
            return self._seal(seat, values[0])
        return self.say("answer", [seat, list(values)], proven=given)

    def _seal(self, seat: int, value: Value) -> TableRefusal | None:
        position, step = self._reading.position, self._reading.position.step
        assert step.pending is not None
        key, handle, epoch = position.chance.seal_key(step.pending), step.handle_of(seat), position.epoch
        head, name = position.head, choice_name(epoch, handle)
        if not fits_seal(value):
            return TableRefusal("seal/too-long")
        sealed, secret = self._secrets.at("seal", epoch, position.height, head).seal(epoch, handle, head, value, key)
        refusal = self.say("seal", [seat, *sealed], ((name, secret),))
        if refusal is None:
            self._secrets.choices[name] = secret
        return refusal

    def chat(self, text: str) -> TableRefusal | None:
        """Send a chat message of at most MAX_TEXT bytes to all. The text is sent next to the entry."""
        if not text or len(text.encode()) > MAX_TEXT:
            return TableRefusal("chat/length", "", (MAX_TEXT,))
        if self._feeds.chats(self._me) >= MAX_CHATS:
            return TableRefusal("chat/too-many", "", (MAX_CHATS,))
        salt = self._secrets.salt(self.end[0] + 1, text)
        return self.say("chat", [chat_hash(salt, text)], attachment=(salt, text))

    def claim(self, owing: bytes) -> TableRefusal | None:
        """Sign the claim that this member does not send what it owes, at a table that is too small to go on without
        it."""
        owed = self._reading.debts()
        kind = owed.get(owing)
        if owing == self._me or kind is None:
            return TableRefusal("pact/owes-nothing")
        if self._me in owed:
            return TableRefusal("claim/owe-first")
        members = self._reading.position.members
        if owing not in members or len(members) > threshold(len(members)):
            return TableRefusal("claim/leave-out")
        return self.say("result", claim_body(owing, kind))


def _culprit(entry: Entry) -> bytes:
    """Return the member that an own `fault` entry names."""
    match entry.body:
        case [bytes() as culprit, *_]:
            return culprit
    return b""
