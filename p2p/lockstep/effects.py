"""Effects of the lockstep, as plain data. The caller drains `Lockstep.effects()` after every call and carries them out
in order.

The one rule that matters: `Keep` first. Entries of my own (`own`) must be durable, together with their secrets,
before any of them is sent and before any later effect is carried out; received entries may be stored in batches.
"""

from __future__ import annotations

from typing import TypeAlias

from p2p.lockstep.pacts import Pact
from p2p.lockstep.step import ProvenFault
from p2p.lockstep.task import Job
from p2p.wire.entry import Attachment, Entry
from seeds.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Keep:
    """Store this entry, then send it to everybody. secrets: (name, bytes) that the entry commits to, for the store
    only."""

    entry: Entry
    own: bool
    secrets: tuple[tuple[str, bytes], ...] = ()
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """Run this job, in another thread if the caller has better things to do, and give its result to
    `Follower.worked`. One at a time is enough."""

    job: Job


@dataclass(frozen=True, slots=True)
class Proven:
    """The proofs in the entry of this id hold; a later `Follower.restore` may believe it."""

    entry: bytes


@dataclass(frozen=True, slots=True)
class More:
    """More heights can be resolved: call `Follower.go_on` when nothing else waits."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A height was resolved.

    Attributes:
        kind: its wait, or prepare or pact.
        events: those of the machine.
    """

    height: int
    kind: str
    events: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Rewound:
    """A pact came to light that changes the past: what `Happened` told of this height and those above it did not
    happen. What did follows. `Lockstep.machine` is another object now, as it is after every take-back."""

    height: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pact was proposed; `Lockstep.votes()` says how this member may vote."""

    pact: Pact
    author: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """A signer refused a pact, which can no longer take effect."""

    pact: Pact
    author: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """A pact took effect."""

    pact: Pact


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message. text: None if it was not sent with the entry."""

    author: bytes
    text: str | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A clock entry: `author` claims that `owing` has kept the table waiting. It only permits to propose `absent`."""

    author: bytes
    owing: bytes


@dataclass(frozen=True, slots=True)
class Convicted:
    """A proven fault of a peer, with the entries that prove it: to be stored even where no feed holds them."""

    fault: ProvenFault
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Somebody's history differs from mine, or I lack entries: exchange `have` with everybody, then call
    `Lockstep.compared`."""

    author: bytes


@dataclass(frozen=True, slots=True)
class Diverged:
    """Another engine reached another state from the same inputs. This is not a fault. mine: the digest here; the entry
    holds the author's."""

    entry: Entry
    mine: bytes


@dataclass(frozen=True, slots=True)
class Split:
    """Nothing is missing and still histories differ: each author's head at this height, mine among them."""

    height: int
    heads: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """This member signs nothing more. code: "lockstep/twin" (this table key is live elsewhere too),
    "lockstep/secret-lost", "lockstep/left-out" (the table goes on without me until a `back`)."""

    code: str


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended. code: "played", or that of an `end` pact."""

    code: str


Effect: TypeAlias = (
    Keep
    | Work
    | Proven
    | More
    | Happened
    | Rewound
    | Proposed
    | Refused
    | Agreed
    | Said
    | Claimed
    | Convicted
    | Compare
    | Diverged
    | Split
    | Stopped
    | Over
)
