"""What a height of dice, cards or openings waits for: which entries are owed by whom, and how each is judged.

A task knows the kinds of entries that belong to it. An entry finds its place `open` (due now), `later` (its stage has
not come yet: its feed waits) or `never` (nobody asked for it). Work of more than some milliseconds, such as the check
of a shuffle, is handed out as a `Job`, may run in another thread, and comes back with its result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from p2p.lockstep.member_secrets import MemberSecrets
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry
from seeds.dataclass import dataclass
from seeds.errors import Fault
from seeds.shuffle import Statement

Place: TypeAlias = Literal["open", "later", "never"]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A computation that depends on no other state. entry: the one that is judged; None: an entry of my own in the
    making.

    hoped: what it returns if it finds nothing wrong with the entry. Of a shuffle, statement: what the work finds to be
    true or not, which is quicker for many together.
    """

    entry: bytes | None
    run: Callable[[], object]
    statement: Statement | None = None
    hoped: object = None


@dataclass(frozen=True, slots=True)
class Made:
    """An entry of my own. proven: what judging it would lead to, where that is known from making it."""

    kind: str
    body: Plain
    proven: object = None


class Task(ABC):
    """One height's work.

    Attributes:
        kinds: of the entries that fill its slots.
        changing: whether a change of the members ends the height, which then opens again among the new ones.
        cut: the members that the table has left out.
        accused: of faults that another member's entry brings to light, the id of the entry that is false, by its
            author.
    """

    kinds: tuple[str, ...]
    changing: bool = False
    cut: Collection[bytes] = ()
    accused: Mapping[bytes, bytes] = MappingProxyType({})

    def leave_out(self, cut: Collection[bytes]) -> None:
        """Leave these members out. Entries that they sent in time still count, even if they are read later."""
        self.cut = cut

    @abstractmethod
    def owed(self) -> list[tuple[str, bytes]]:
        """The entries that are owed now, as (kind, author)."""

    @abstractmethod
    def place(self, kind: str, author: bytes) -> Place:
        """Whether an entry of this kind by this author is due; it fills its slot only once."""

    @abstractmethod
    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        """Take an entry whose place is open: nothing, or what is wrong with it, or the work of finding out. proven:
        the result of that work."""

    @abstractmethod
    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        """My own entry of this kind, or the work of making it, which returns it; None when the store lost a secret."""

    def late(self, entry: Entry) -> Fault | None:
        """What is wrong with an entry of a SHARED stage that came when enough others had: it changes nothing, and is
        judged all the same."""
        return None

    def abandon(self) -> None:  # noqa: B027 - most tasks change nothing before they finish
        """The height ends without an outcome: undo what its entries have changed."""


class Several(Task):
    """Several tasks at one height that have no kind of entry in common."""

    def __init__(self, *parts: Task) -> None:
        self.parts = parts
        self.kinds = tuple(kind for part in parts for kind in part.kinds)
        self.changing = any(part.changing for part in parts)

    def leave_out(self, cut: Collection[bytes]) -> None:
        for part in self.parts:
            part.leave_out(cut)

    def owed(self) -> list[tuple[str, bytes]]:
        return [owed for part in self.parts for owed in part.owed()]

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
