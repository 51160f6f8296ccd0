# SPDX-License-Identifier: GPL-3.0-or-later
"""Effects of the lockstep, as plain data. The caller drains `Lockstep.effects()` after every call and carries them out
in order.

Own entries (`Keep.is_own`) must be durable, together with their secrets, before they are sent and before any later
effect is carried out. Received entries may be stored in batches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

from engine.core.dataclass import dataclass
from p2p.lockstep.pacts import Pact
from p2p.lockstep.step import ProvenFault
from p2p.lockstep.task import Job
from p2p.wire.entry import Attachment, Entry


@dataclass(frozen=True, slots=True)
class Keep:
    """Store this entry, then send it to all.

    Attributes:
        is_own: True if this member has signed it.
        secrets: (name, bytes) that the entry commits to, for the store only.
    """

    entry: Entry
    is_own: bool
    secrets: tuple[tuple[str, bytes], ...] = ()
    attachment: Attachment | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """Run this job, for instance in another thread, and pass its result to `Follower.worked`. One job at a time
    suffices."""

    job: Job


@dataclass(frozen=True, slots=True)
class Proven:
    """The proofs in the entry with this id are valid. Pass the id to `Follower.restore` in a later run."""

    entry: bytes


@dataclass(frozen=True, slots=True)
class More:
    """More heights can be resolved. Call `Follower.go_on` when nothing else is pending."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A height was resolved.

    Attributes:
        kind: its wait, or "prepare" or "pact".
        events: the events of the machine.
    """

    height: int
    kind: str
    events: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Rewound:
    """A pact has changed the past: `Happened` effects of this height and those above are void, and new ones follow.
    `Lockstep.machine` is another object now, as after every take-back."""

    height: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pact was proposed. `Lockstep.votes()` tells how this member may vote."""

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
    """A pact took effect.

    Attributes:
        about: the members that it leaves out or lets back.
        left: True if it leaves these out for good, since they have left.
    """

    pact: Pact
    about: tuple[bytes, ...]
    left: bool = False


def agreed(pact: Pact, left: Collection[bytes] = ()) -> Iterator[Agreed]:
    """Yield what tells that a pact took effect. left: whom it leaves out for good."""
    parts = [(tuple(who for who in pact.about if (who in left) is part), part) for part in (False, True)]
    return (Agreed(pact, about, part) for about, part in parts if about or not (part or pact.about))


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message. text: None if it was not sent with the entry."""

    author: bytes
    text: str | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A clock entry: `author` claims that `owing` has kept the table waiting. It only permits a proposal of
    `absent`."""

    author: bytes
    owing: bytes


@dataclass(frozen=True, slots=True)
class Convicted:
    """A proven fault of a peer, with the entries that prove it. Store them even if no feed holds them."""

    fault: ProvenFault
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Another history differs from this one, or entries are missing. Exchange `have` with all, then call
    `Lockstep.compared`."""

    author: bytes


@dataclass(frozen=True, slots=True)
class Diverged:
    """Another engine reached another state from the same inputs, which is not a fault. mine: the digest here. The entry
    contains the author's."""

    entry: Entry
    mine: bytes


@dataclass(frozen=True, slots=True)
class Split:
    """No entry is missing and the histories still differ. Holds the head of each author at this height, this member
    included."""

    height: int
    heads: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """This member stops signing. code: "lockstep/twin" (its table key is in use elsewhere too), "lockstep/secret-lost",
    "lockstep/left-out" (the table goes on without it until a `back`)."""

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
