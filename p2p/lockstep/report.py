# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares two engines that reached different states from the same inputs. No member is at fault.

The two peers exchange three plain values, which any message may carry:

    digests   [height, head, {section: digest}]            sent by the asking peer and answered with the other's
    explain   [height, head, [section, ...]]               requests the readable form of the sections that differ
    fields    [height, head, {section: readable form}]     the answer, limited to the size of a message

`differing` and `differences` then find the fields that differ, and `Report` adds the last entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.core.dataclass import dataclass
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import Machine
from p2p.lockstep.told import digest
from p2p.wire.codec import Value, encode
from p2p.wire.entry import Entry

LAST: Final = 20
MAX_SECTIONS: Final = 64
MAX_NAME: Final = 64
"""Greatest length of the name of a section that only the other engine has."""
MAX_REPLY: Final = 48_000
ASKED: Final = "asked"
"""The section with what was asked, beside those of the game."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that differs between two engines.

    Attributes:
        path: place of the value, such as "seats.money.2".
        mine, theirs: both values, None if one side has no value there.
    """

    path: str
    mine: Value
    theirs: Value


@dataclass(frozen=True, slots=True)
class Differing:
    """A position at which the engine of another member has another state.

    Attributes:
        author: that member.
        state: the digest of its state, 16 bytes, b"" if it is not known.
    """

    author: bytes
    height: int
    head: bytes
    state: bytes = b""


@dataclass(frozen=True, slots=True)
class Report:
    """A divergence at one height.

    Attributes:
        author: the member whose engine differs.
        mine, theirs: the digests of the state, 16 bytes each; theirs is b"" if it is not known.
        sections: names of the sections that differ.
        fields: the differing values in them.
        entries: the last entries that both engines took, newest last.
    """

    height: int
    head: bytes
    author: bytes
    mine: bytes
    theirs: bytes
    sections: tuple[str, ...]
    fields: tuple[Difference, ...]
    entries: tuple[Entry, ...]


def digests(table: Follower, height: int, head: bytes) -> Value:
    """Return the digest of each section at a position, None if it is not in this history."""
    machine = _machine(table, height, head)
    if machine is None:
        return None
    return [height, head, {**machine.sections(), ASKED: digest(table.position.told[height])}]


def answer(table: Follower, question: Value) -> Value:
    """Return the answer to a peer's `explain`, None if it is malformed or the position is unknown. Sections too large
    for an answer are left out."""
    match question:
        case [int() as height, bytes() as head, list() as names] if len(names) <= MAX_SECTIONS:
            machine = _machine(table, height, head)
            if machine is None:
                return None
            return [height, head, _fitting(_explained(table, height, machine, names))]
    return None


def differing(mine: Value, theirs: Value) -> tuple[str, ...]:
    """Return the sections whose digests differ or that one side lacks, in the order of `mine`. mine, theirs: two
    `digests` of one position."""
    match mine, theirs:
        case [int() as h1, bytes() as head1, dict() as one], [int() as h2, bytes() as head2, dict() as other]:
            if (h1, head1) == (h2, head2):
                names = [*one, *(name for name in sorted(other) if name not in one and len(name) <= MAX_NAME)]
                return tuple(name for name in names if one.get(name) != other.get(name))[:MAX_SECTIONS]
    return ()


def differences(mine: Value, theirs: Value, path: str = "") -> Iterator[Difference]:
    """Yield the differences between two readable forms, field by field."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name in [*mine, *(name for name in theirs if name not in mine)]:
            yield from differences(mine.get(name), theirs.get(name), f"{path}.{name}" if path else name)
    elif isinstance(mine, list) and isinstance(theirs, list):
        for index in range(max(len(mine), len(theirs))):
            one = mine[index] if index < len(mine) else None
            other = theirs[index] if index < len(theirs) else None
            yield from differences(one, other, f"{path}.{index}" if path else str(index))
    elif type(mine) is not type(theirs) or mine != theirs:
        yield Difference(path, mine, theirs)


def repeats(table: Follower, height: int, head: bytes) -> bool:
    """Return True unless this engine gets another state at a position when it plays the log again than it had, or than
    this member has signed there."""
    machine = _machine(table, height, head)
    if machine is None:
        return True
    position, own = table.position, table.feeds.feed(table.me) if table.me is not None else ()
    had = {entry.state for entry in own if (entry.height, entry.head) == (height, head)}
    had |= {position.state} if (height, head) == (position.height, position.head) else set()
    return had <= {position.state_of(machine, height)}


def report(table: Follower, found: Differing, theirs: Value, fields: Value) -> Report | None:
    """Return the report of a divergence, None if the values do not belong to its position.

    theirs: the other member's `digests`.
    fields: the other member's answer to `explain`.
    """
    machine = _machine(table, found.height, found.head)
    mine = digests(table, found.height, found.head)
    names = differing(mine, theirs)
    match fields:
        case [int() as height, bytes() as head, dict() as shown] if (height, head) == (found.height, found.head):
            if machine is not None:
                ours = _explained(table, height, machine, names)
                pairs = [(name, ours.get(name), shown.get(name)) for name in names if name in shown]
                rows = tuple(diff for name, one, other in pairs for diff in differences(one, other, name))
                last = tuple(e for e in table.feeds.entries if e.height < height)[-LAST:]
                own = table.position.state_of(machine, height)
                return Report(height, head, found.author, own, found.state, names, rows, last)
    return None


def _explained(table: Follower, height: int, machine: Machine, names: Iterable[Value]) -> dict[str, Value]:
    """Return the readable form of those of these sections that the game has, and of what was asked."""
    wanted = [name for name in names if isinstance(name, str)]
    shown = dict(machine.explain([name for name in wanted if name in machine.sections()]))
    return {**shown, ASKED: table.position.told[height]} if ASKED in wanted else shown


def _machine(table: Follower, height: int, head: bytes) -> Machine | None:
    position = table.position
    if position.held(height, head) is None or not position.history.on_line(height):
        return None
    return position.history.machine_at(height)


def _fitting(sections: Mapping[str, Value]) -> dict[str, Value]:
    room = MAX_REPLY
    fitting: dict[str, Value] = {}
    for name, shown in sections.items():
        size = len(encode(shown))
        if size <= room:
            fitting[name], room = shown, room - size
    return fitting
