# SPDX-License-Identifier: GPL-3.0-or-later
"""The disk of a simulated peer: what it holds when the power fails, and what it loses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from p2p.lockstep.effects import Keep
from p2p.log.evidence import Contradiction
from p2p.wire.entry import NO_PREV, Attachment, Entry


class Crash(Exception):  # noqa: N818 - no error of the program
    """The power fails during a write."""


class SimDisk:
    """The disk of a simulated peer, which survives crashes."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.commits: list[tuple[tuple[tuple[Entry, Attachment | None], ...], Mapping[str, bytes]]] = []
        self._batch: list[tuple[Entry, Attachment | None]] = []
        self.proven: set[bytes] = set()
        self._forks: list[tuple[int, Contradiction]] = []
        """Pairs that prove forks, each with the number of commits before it."""

    @property
    def entries(self) -> list[tuple[Entry, Attachment | None]]:
        """All durable entries, in the order in which they were stored. As in `Store`, an entry in the place of another
        one begins another branch, and those of its author from there on are gone."""
        kept: dict[tuple[bytes, int], tuple[Entry, Attachment | None]] = {}
        for entry, attachment in (stored for entries, _ in self.commits for stored in entries):
            seq, known = entry.seq, kept.get((entry.author, entry.seq))
            while known is not None and known[0].id != entry.id and (entry.author, seq) in kept:
                del kept[entry.author, seq]
                seq += 1
            kept.setdefault((entry.author, entry.seq), (entry, attachment))
        return [*kept.values()]

    @property
    def choices(self) -> dict[str, bytes]:
        """The secrets that were stored with own entries."""
        return {name: value for _, choices in self.commits for name, value in choices.items()}

    def takes(self, keep: Keep) -> bool:
        """True if `Store.append` would take this own entry: it follows the last one, and its secrets are new."""
        batches = (entries for entries, _ in (*self.commits, (self._batch, {})))
        own = [entry for entries in batches for entry, _ in entries if entry.author == keep.entry.author]
        last = (own[-1].seq + 1, own[-1].id) if own else (0, NO_PREV)
        follows = (keep.entry.seq, keep.entry.prev) == last
        return follows and self.choices.keys().isdisjoint(name for name, _ in keep.secrets)

    def commit(self, keep: Keep, crash: Callable[[], None]) -> None:
        """Make an own entry durable, with its secrets and all entries received before. crash: called before and after
        the write; may raise Crash."""
        crash()
        batch, self._batch = self._batch, []
        self.commits.append(((*batch, (keep.entry, keep.attachment)), dict(keep.secrets)))
        crash()

    def receive(self, keep: Keep) -> None:
        self._batch.append((keep.entry, keep.attachment))

    def flush(self) -> None:
        if self._batch:
            self.commits.append((tuple(self._batch), {}))
            self._batch = []

    @property
    def forks(self) -> list[Contradiction]:
        """The stored pairs that prove forks."""
        return [pair for _, pair in self._forks]

    def add_fork(self, pair: Contradiction) -> None:
        self._forks.append((len(self.commits), pair))

    def lose_power(self) -> None:
        """Lose the received entries that are not durable, perhaps only some of them."""
        self._batch = self._batch[: self._random.randint(0, len(self._batch))]
        self.flush()

    def lose_tail(self) -> None:
        """Lose the last commits, as a damaged log or an older copy does: often one, sometimes all."""
        lost = self._random.choice((1, 1, 2, 5, self._random.randint(1, 1000)))
        self.put_back(max(0, len(self.commits) - lost))

    def put_back(self, kept: int) -> None:
        """Lose all but the first commits."""
        del self.commits[kept:]
        self._forks = [(before, pair) for before, pair in self._forks if before <= len(self.commits)]
