# SPDX-License-Identifier: GPL-3.0-or-later
"""The agenda of segments, and the root of a position."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, get_type_hints

from engine.core.cards import Decks, Handle
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.history import History
from engine.core.sections import Generated, Section, compiled, section

__all__ = ["AGAIN", "Again", "Flow", "Item", "State", "Table"]

Item = list[int | str]
"""A segment to run: its name, then its arguments."""
ITEM: Final = frozenset((int, str))


class Again:
    """Returned by a segment that must run once more, because an aside has been settled."""

    __slots__ = ()


AGAIN = Again()


@section
class Flow(Section):
    """``now``: the running segment. ``agenda``: the segments after it, next first.

    ``cursor``: index at which :meth:`State.then` inserts. ``notices``: notices ``[kind, seat]`` that wait for the end
    of the segment.
    """

    now: list[int | str]
    agenda: list[list[int | str]]
    cursor: int
    notices: list[list[int | str]]

    @classmethod
    def starting(cls, *items: Item) -> Flow:
        return cls([], [list(item) for item in items], 0, [])


@section
class Table(Section):
    """The agreement before the game, which never changes: game id, number of seats, table options by name, version of
    the rules.
    """

    game: str
    seats: int
    options: dict[str, str]
    rules: int


class State:
    """Root of a position. Subclasses annotate their sections. ``const`` is precomputed content, shared by all copies.

    Not part of the position and of the digest: ``height`` counts the resolved waits, ``new_events`` collects events for
    the current input, ``history`` is the public record of cards and payments, which no rule reads. ``heard``: False
    while nobody reads the events, which are then not made. A column never changes its length; use a list for data that
    grows.
    """

    __slots__ = ("_agreed", "const", "decks", "flow", "heard", "height", "history", "new_events", "table")
    sections: ClassVar[tuple[str, ...]] = ()
    kinds: ClassVar[dict[str, type[Section]]] = {}
    labels: ClassVar[tuple[tuple[str, bytes], ...]] = ()

    table: Table
    flow: Flow
    decks: Decks

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.kinds = {name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, Section)}
        cls.sections = tuple(cls.kinds)
        cls.labels = tuple((name, name.encode() + b"\0") for name in cls.sections if name != "table")
        for method in ("copy", "unread_copy", "digest"):
            setattr(cls, method, Generated(method, _generate))

    def __init__(self, const: Any, **sections: Section) -> None:
        if set(sections) != set(self.sections):
            raise LocalError(f"sections {sorted(sections)} given, {sorted(self.sections)} wanted")
        self.const = const
        self.height = 0
        self.history = History()
        self.new_events: list[Event] = []
        self.heard = True
        self._agreed = b""
        for name, value in sections.items():
            setattr(self, name, value)

    @property
    def rules(self) -> int:
        """The version of the rules at which this table began."""
        return self.table.rules

    if TYPE_CHECKING:

        def copy(self) -> Self:
            """Return an independent copy that shares ``const`` and ``table``."""

        def unread_copy(self) -> Self:
            """Return a copy that can be copied, digested and dumped, but not read; see :meth:`Section.unread_copy`."""

        def digest(self, rest: bytes = b"") -> bytes:
            """Return 16 bytes over the name and digest of every section, then ``rest`` (pending wait and inputs)."""

    def dump(self) -> dict[str, dict[str, Any]]:
        """Return every section by name, as JSON-able data."""
        return {name: getattr(self, name).dump() for name in self.sections}

    def then(self, *items: Sequence[object]) -> None:
        """Run these segments next, in this order, after those already added by the running segment.

        An item is a name and its arguments, numbers and texts. Raises LocalError for anything else.
        """
        planned = [_item(item) for item in items]
        at = self.flow.cursor
        self.flow.agenda[at:at] = planned
        self.flow.cursor = at + len(items)

    def again(self) -> Again:
        """Return the result of a segment that must run again after an aside and after all that it added by ``then``."""
        return AGAIN

    def tell(self, event: str, **args: int | str | tuple[int | str, ...] | None) -> None:
        """Add an event to those of the current input."""
        if self.heard:
            self.new_events.append(Event(event, args))

    def claim(self, seat: int, code: str, handles: tuple[Handle, ...]) -> None:
        """Store a claim about hidden cards with the present height. It is checked when hands are opened."""
        cards = [part for handle in handles for part in (handle.deck, handle.index)]
        self.decks.claims.append([self.height, seat, code, *cards])


def _generate(made: Any) -> None:
    """Generate both copy methods and the digest of this class, without a loop over its sections."""
    kept = [f"    c.{name} = s.{name}" for name in ("const", "table", "height", "history", "_agreed")]
    for method in ("copy", "unread_copy"):
        sections = [f"    c.{name} = s.{name}.{method}()" for name, _ in made.labels]
        fresh = ["    c.new_events = []", "    c.heard = True"]
        lines = [f"def {method}(s):", "    c = new(cls)", *kept, *fresh, *sections, "    return c"]
        setattr(made, method, compiled("\n".join(lines), made, {"new": made.__new__})[method])
    parts = [f"{label!r}, hash(s.{name}.feed(), digest_size=16).digest()" for name, label in made.labels]
    lines = [
        'def digest(s, rest=b""):',
        "    if not s._agreed:  # what was agreed before the game never changes",
        '        s._agreed = b"table\\0" + s.table.digest()',
        f"    whole = b''.join((s._agreed, {', '.join(parts)}, rest))",
        "    return hash(whole, digest_size=16).digest()",
    ]
    made.digest = compiled("\n".join(lines), made, {"hash": blake2b})["digest"]


def _item(parts: Sequence[object]) -> Item:
    item: list[Any] = [*parts]
    if not ITEM.issuperset(map(type, item)):
        raise LocalError(f"{item} may not stand in the agenda")
    return item
