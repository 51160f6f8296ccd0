# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks: the entries that a height of dice, cards or openings waits for, and how each is judged.

A task knows the kinds of entries that belong to it. The place of an entry is `open` (due now), `later` (its stage has
not come, so its feed waits) or `never` (not needed). Work of more than some milliseconds, such as the check of a
shuffle, is handed out as a `Job`, which may run in another thread; its result is passed back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from engine.core.dataclass import dataclass
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry
from seeds.errors import Fault
from seeds.shuffle import Statement

Place: TypeAlias = Literal["open", "later", "never"]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A computation that depends on no other state.

    Attributes:
        entry: the entry that is judged, None if an own entry is made.
        hoped: the result if the entry is correct.
        statement: of a shuffle, the statement to be checked, which is quicker for many together.
    """

    entry: bytes | None
    run: Callable[[], object]
    statement: Statement | None = None
    hoped: object = None


@dataclass(frozen=True, slots=True)
class Made:
    """An own entry to be signed. proven: the result of judging it, if known from making it."""

    kind: str
    body: Plain
    proven: object = None


class Task(ABC):
    """The task of one height.

    Attributes:
        kinds: the kinds of entries that fill its slots.
        changing: True if a change of the members ends the height, which then opens again for the new members.
        cut: the members that are left out.
        accused: by author, the id of a false entry that another member's entry has exposed.
    """

    kinds: tuple[str, ...]
    changing: bool = False
    cut: Collection[bytes] = ()
    accused: Mapping[bytes, bytes] = MappingProxyType({})

    def leave_out(self, cut: Collection[bytes]) -> None:
        """Leave these members out. Entries that they sent in time still count, even if they are read later."""
        self.cut = cut

    def short(self, left: Collection[bytes] = ()) -> bool:
        """True if partials are missing, and fewer than t members have given one or still may. left: members that say
        nothing more, besides those that are left out."""
        return False

    @abstractmethod
    def owed(self) -> list[tuple[str, bytes]]:
        """Return the entries that are owed now, as (kind, author)."""

    @abstractmethod
    def place(self, kind: str, author: bytes) -> Place:
        """Return the place of an entry of this kind by this author. It fills its slot only once."""

    @abstractmethod
    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        """Take an entry whose place is open. Return None, its fault, or the job that checks it. proven: the result of
        that job."""

    @abstractmethod
    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        """Return the member's own entry of this kind, or the job that makes it; None if the store has lost a secret."""

    def late(self, entry: Entry) -> Fault | None:
        """Return the fault of an entry of a SHARED stage that was not needed any more, None if it is correct."""
        return None

    def abandon(self) -> None:  # noqa: B027 - most tasks change nothing before they finish
        """Undo the changes of the entries, because the height ends without an outcome."""


class Several(Task):
    """Several tasks at one height, without common kinds of entries."""

    def __init__(self, *parts: Task) -> None:
        self.parts = parts
        self.kinds = tuple(kind for part in parts for kind in part.kinds)
        self.changing = any(part.changing for part in parts)

    def leave_out(self, cut: Collection[bytes]) -> None:
        for part in self.parts:
            part.leave_out(cut)

    def owed(self) -> list[tuple[str, bytes]]:
        return [owed for part in self.parts for owed in part.owed()]

    def short(self, left: Collection[bytes] = ()) -> bool:
        return any(part.short(left) for part in self.parts)

    def place(self, kind: str, author: bytes) -> Place:
        return self._part(kind).place(kind, author)

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        part = self._part(entry.kind)
        found, self.accused = part.take(entry, proven), dict(part.accused)
        return found

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        return self._part(kind).make(kind, member_secrets)

    def late(self, entry: Entry) -> Fault | None:
        return self._part(entry.kind).late(entry)

    def abandon(self) -> None:
        for part in self.parts:
            part.abandon()

    def _part(self, kind: str) -> Task:
        return next(part for part in self.parts if kind in part.kinds)
