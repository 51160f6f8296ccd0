# SPDX-License-Identifier: GPL-3.0-or-later
"""One height: what the table waits for, which member owes which slot, and the form of the entries that fill them.

    step                entries, stage by stage
    prepare             commit   1  [roll, commitment to its seed, announcement or None, deck key or None]
    keys                keys     1  dealing        ok       5  hash of all dealings     complaint  5  instead of ok
    choose, together    answer   1  [seat, [value, ...]]
    seal                seal     1  [seat, commitment to its choice, and where others can open it: R, text, proof]
    roll, open shuffle  open     6  [roll, seed, commitment to the next seed]           partial    9  [roll, partial]
    sealed shuffle      shuffle  2  cards and proof, one member after the other
    deal, show          remask   3  new pairs      share    7  shares of the cards
    reveal              share    7  as before      reveal   8  [[deck, index, value, nonce], ...]
                        partial  9  [[deck, index, partial], ...] of choices whose author is silent
    anew                shuffle  2  remask  3  hands under the new key    tag  4  all cards blinded    share  7
    over                no entry is owed

A slot is (stage, seat or number of the member); the head takes the entries in the order of their slots. Entries that
others could give as well (`partial`) affect the head only by their result. The table does not wait for a seat whose
owner is left out: the caretaker or the fallback answers, or the seed is absent. Cards wait for all.

The head covers everything before the height opened. An entry that depends on entries of the same height (a shuffle on
the one before it, a share on the new masks, a complaint on the dealings) names these too: its body is [basis, body as
above]. Otherwise a member that signs two variants of an entry could get an honest member convicted whose proof matches
the other variant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.dataclass import dataclass, field
from p2p.lockstep.machine import GivenAnswer, HandleRef, Kind, Pending
from p2p.lockstep.task import Task
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Entry
from seeds.hashing import H

Slot: TypeAlias = tuple[int, int]
StepKind: TypeAlias = Kind | Literal["prepare", "keys", "anew", "over"]

STAGE: Final[Mapping[str, int]] = {
    "commit": 1,
    "keys": 1,
    "answer": 1,
    "seal": 1,
    "shuffle": 2,
    "remask": 3,
    "tag": 4,
    "ok": 5,
    "complaint": 5,
    "open": 6,
    "share": 7,
    "reveal": 8,
    "partial": 9,
}
SHARED: Final = STAGE["partial"]
"""The stage of entries that any t members can give."""
RESTING: Final = frozenset({"complaint", "shuffle", "tag", "share"})
"""Kinds that depend on other entries of their height."""
IN_TURN: Final = frozenset({"shuffle", "tag"})
"""Those that also depend on entries of their own stage."""
SEATED: Final[Mapping[str, str]] = {"choose": "answer", "together": "answer", "seal": "seal"}
"""The kind of entry that seats fill the slots of a step with; all other steps have a task."""
MAX_BATCH: Final = 256
UNANSWERED: Final = "unanswered"
"""The code of a `result` that is a claim (`claims`)."""


@dataclass(frozen=True, slots=True)
class ProvenFault:
    """A proven fault of a peer.

    Attributes:
        code: stable name.
        author: its key.
        entries: ids of the two contradicting entries, or of one that is judged with the genesis and the log up to its
            head.
        detail: plain text for a log.
    """

    code: str
    author: bytes
    entries: tuple[bytes, ...]
    detail: str = ""


@dataclass(slots=True)
class Step:
    """The open height.

    Attributes:
        task: the task of dice, cards and openings, None without one.
        owed: the slots of seats, each with its member.
        said: the values of answers, by slot.
        answers: the answers that the machine has judged.
        fallback: the caretaker's value of each sealed seat.
        state: digest when the height opened, computed when needed.
    """

    kind: StepKind
    pending: Pending | None = None
    task: Task | None = None
    owed: dict[Slot, bytes] = field(default_factory=dict)
    filled: dict[Slot, Entry] = field(default_factory=dict)
    said: dict[Slot, Value] = field(default_factory=dict)
    answers: dict[int, GivenAnswer] = field(default_factory=dict)
    fallback: dict[int, Value] = field(default_factory=dict)
    state: bytes | None = None

    def seat_slot(self, entry: Entry) -> Slot | None:
        """Return the slot of an answer or seal, None for another form."""
        match entry.body:
            case [int() as seat, *_] if type(seat) is int:
                return STAGE[entry.kind], seat
        return None

    def handle_of(self, seat: int) -> HandleRef:
        """Return the new handle for the sealed choice of a seat."""
        assert self.pending is not None
        return self.pending.handles[self.pending.seats_all.index(seat)]

    def basis(self, kind: str) -> bytes:
        """Return the basis of an entry of this kind at this height, once its stage has come."""
        below = STAGE[kind] + (kind in IN_TURN)
        return H("basis", [self.filled[slot].id for slot in sorted(self.filled) if slot[0] < below])

    def fill(self, slot: Slot, entry: Entry, said: Value) -> None:
        self.filled[slot] = entry
        self.said[slot] = said


class Past(NamedTuple):
    """A height as it was when it opened."""

    head: bytes
    epoch: int
    members: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The events of the machine at a resolved height, which are opaque here."""

    height: int
    kind: str
    events: tuple[object, ...]


def read_resting(entry: Entry) -> tuple[bytes, Value] | None:
    """Return basis and body of an entry of a RESTING kind, None for another form."""
    match entry.body:
        case [bytes() as basis, said] if len(basis) == 32:
            return basis, said
    return None


def read_answers(body: Value) -> list[Value] | None:
    """Return the values in an answer's body, None for another form."""
    match body:
        case [int(), list() as values] if 1 <= len(values) <= MAX_BATCH:
            return values
    return None


# Claims --------------------------------------------------------------------------------------------------------------


def claim_body(member: bytes, kind: str) -> Plain:
    """Return the body of the claim that this member owes an entry of this kind."""
    return [UNANSWERED, member, kind]


def read_claim(entry: Entry) -> tuple[bytes, str] | None:
    """Return member and kind of a claim, None for any other result."""
    match entry.kind, entry.body:
        case "result", [str() as code, bytes() as member, str() as kind] if code == UNANSWERED:
            return member, kind
    return None


def goes_on(entry: Entry) -> bool:
    """True if an entry shows that its author has come to the height that it names: it may fill a slot, or says how the
    game has ended. What is voted shows that of nobody, since it may be about an earlier height."""
    return entry.kind in STAGE or (entry.kind == "result" and read_claim(entry) is None)
