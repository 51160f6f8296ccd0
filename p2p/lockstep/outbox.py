# SPDX-License-Identifier: GPL-3.0-or-later
"""Effects for the caller, in order, and proven faults."""

from __future__ import annotations

from collections.abc import Callable

from p2p.lockstep.effects import Convicted, Effect
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


class Faults:
    """Proven faults, by author. on_fault: called with the author of each new one."""

    def __init__(self, outbox: Outbox) -> None:
        self.proven: dict[bytes, list[ProvenFault]] = {}
        self.on_fault: Callable[[bytes], None] | None = None
        self._outbox = outbox

    def __getstate__(self) -> dict[str, object]:
        """Return the state without the callback, which is set again after loading."""
        return {**self.__dict__, "on_fault": None}

    def accuse(self, code: str, *entries: Entry, detail: str = "") -> None:
        """Note a fault of the author of these entries, which prove it."""
        fault = ProvenFault(code, entries[0].author, tuple(sorted(entry.id for entry in entries)), detail)
        known = self.proven.setdefault(fault.author, [])
        if fault not in known:
            known.append(fault)
            self._outbox.tell(Convicted(fault, entries))
        if self.on_fault is not None:
            self.on_fault(fault.author)
