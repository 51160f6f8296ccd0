# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs that check entries with long proofs. Each is handed out once, and its result is kept until the height
resolves."""

from __future__ import annotations

from collections.abc import Collection

from p2p.lockstep.effects import Proven, Work
from p2p.lockstep.outbox import Outbox
from p2p.lockstep.step import RESTING
from p2p.lockstep.task import Job
from p2p.log.feeds import Feeds
from p2p.wire.entry import Entry
from seeds.errors import Fault


class Proofs:
    """The jobs and results for entries of the open height. believed: ids of entries that this home checked in an
    earlier run."""

    def __init__(self, feeds: Feeds, outbox: Outbox) -> None:
        self.believed: Collection[bytes] = ()
        self._feeds, self._outbox = feeds, outbox
        self._found: dict[bytes, object] = {}
        self._working: set[bytes] = set()

    def __getstate__(self) -> dict[str, object]:
        """Return the state without running jobs, which start again after loading."""
        return {**self.__dict__, "believed": (), "_found": {}, "_working": set()}

    def found(self, entry: Entry) -> object:
        """Return the result for this entry, None if it is not known yet."""
        return self._found.get(entry.id)

    @property
    def open(self) -> bool:
        """True if a job has no result yet."""
        return not self._working <= self._found.keys()

    def hand_out(self, entry: Entry, job: Job) -> None:
        """Hand out the job that checks an entry, once."""
        if entry.id not in self._working:
            self._working.add(entry.id)
            self._outbox.tell(Work(job))

    def done(self, job: Job, result: object) -> None:
        """Note the result of a job."""
        if job.entry is None or job.entry not in self._working:
            return
        self._found[job.entry] = result
        entry = self._feeds.get(job.entry)
        rests = entry is not None and entry.kind in RESTING
        if rests and job.entry not in self.believed and not isinstance(result, Fault) and result:
            self._outbox.tell(Proven(job.entry))

    def note_own(self, entry: Entry, found: object) -> None:
        """Note the result for an own entry, which is known from making it."""
        self._found[entry.id] = found
        if entry.kind in RESTING:
            self._outbox.tell(Proven(entry.id))

    def believes(self, job: Job) -> bool:
        """True if an earlier run has found that the proof of this job is valid."""
        return job.entry in self.believed and job.hoped is not None

    def clear(self) -> None:
        """Forget everything, since the height is resolved."""
        self._found.clear()
        self._working.clear()
