# SPDX-License-Identifier: GPL-3.0-or-later
"""Effects for the caller, in order: reported heights and proven faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p.lockstep.effects import Convicted, Effect, Rewound
from p2p.lockstep.step import ProvenFault
from p2p.wire.entry import Entry


class Outbox:
    """Effects in the order in which they are to be carried out."""

    def __init__(self) -> None:
        self._effects: list[Effect] = []
        self._asked: set[bytes] = set()

    def tell(self, *effects: Effect) -> None:
        """Append these effects."""
        self._effects.extend(effects)

    def tell_once(self, about: bytes, effect: Effect) -> None:
        """Append an effect unless one with the same `about` was appended before."""
        if about not in self._asked:
            self._asked.add(about)
            self._effects.append(effect)

    def drain(self) -> list[Effect]:
        """Return all effects since the last call."""
        done, self._effects = self._effects, []
        return done


class Reports:
    """The resolved heights that the caller was told of."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._heads: dict[int, bytes] = {}
        self._top = 0

    def report(self, height: int, head: bytes, effects: Sequence[Effect]) -> None:
        """Tell what happened at a height, unless that was told. head: the running hash after it."""
        if self._heads.get(height) != head:
            self.withdraw(height)
            self._heads[height], self._top = head, height + 1
            self._outbox.tell(*effects)

    def withdraw(self, height: int) -> None:
        """Withdraw the reports of this height and those above it."""
        if self._top > height:
            self._heads = {told: head for told, head in self._heads.items() if told < height}
            self._outbox.tell(Rewound(height))
            self._top = height


class Faults:
    """Proven faults, by author. on_fault: called with the author of each new one."""

    def __init__(self, outbox: Outbox) -> None:
        self.proven: dict[bytes, list[ProvenFault]] = {}
        self.on_fault: Callable[[bytes], None] | None = None
        self._outbox = outbox
        self._since: dict[ProvenFault, int] = {}
        self._excused: dict[bytes, int] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return the state without the callback, which is set again after loading."""
        return {**self.__dict__, "on_fault": None}

    def accuse(self, code: str, *entries: Entry, detail: str = "") -> None:
        """Note a fault of the author of these entries, which prove it, unless they are excused."""
        since = max(entry.seq for entry in entries)
        if since > self._excused.get(entries[0].author, since):
            return
        fault = ProvenFault(code, entries[0].author, tuple(sorted(entry.id for entry in entries)), detail)
        known = self.proven.setdefault(fault.author, [])
        if fault not in known:
            known.append(fault)
            self._since[fault] = since
            self._outbox.tell(Convicted(fault, entries))
        if self.on_fault is not None:
            self.on_fault(fault.author)

    def excuse(self, author: bytes, seq: int) -> None:
        """Forget the faults of an author that no entries up to this seq prove, now and later: what lies beyond is
        void."""
        self._excused[author] = seq
        left = [fault for fault in self.proven.pop(author, ()) if self._since[fault] <= seq]
        if left:
            self.proven[author] = left
