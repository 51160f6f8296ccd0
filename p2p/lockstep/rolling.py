# SPDX-License-Identifier: GPL-3.0-or-later
"""A roll: every contributor opens its seed; then, from three members on, t of them lift the lock.

Any t partials lift it with the same result. So t members are asked, a different set for each roll. If one of them is
late, all are asked, and from then on the late member is asked last until its partial arrives.

At a table with `dice=lock`, or where two of three or more are left, there are no seeds: t members lift the lock, and
that is the roll. All are asked at once, since messages may take days.
"""

from __future__ import annotations

from collections.abc import Collection

from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.task import Job, Made, Place, Task
from p2p.wire.entry import Entry
from seeds.beacon import Beacon, BeaconRoll
from seeds.dealing import KeyGeneration
from seeds.errors import Fault
from seeds.threshold import CheckPartial, Lock, Partial, check_partial, read_partial


class Rolling(Task):
    """The task of the roll that has begun in the beacon.

    Attributes:
        run: the run whose key for dice locks it, None without a lock.
        late: members that kept this peer waiting for their partial, shared by all rolls.
        check: how partials are checked.
        helpers: the members that can be asked for partials; None for all that hold a share.
    """

    kinds = ("open", "partial")

    def __init__(
        self,
        beacon: Beacon,
        run: KeyGeneration | None,
        late: set[bytes],
        check: CheckPartial = check_partial,
        helpers: Collection[bytes] | None = None,
    ) -> None:
        self._beacon, self._run, self._late = beacon, run, late
        self._hurried = not beacon.promised
        self._helpers = helpers
        self.promised = beacon.promised
        self.k = beacon.k
        self._lock = Lock(run.key("dice"), beacon.k, check) if run is not None else None

    def leave_out(self, cut: Collection[bytes]) -> None:
        super().leave_out(cut)
        self._beacon.write_off(cut)

    def owed(self) -> list[tuple[str, bytes]]:
        lock = self._lock
        if self._beacon.owing or lock is None:
            return [("open", member) for member in self._beacon.owing]
        silent = self._silent(lock) if lock.gamma is None else ()
        asked = [member for member in self._turns(lock) if member in silent]
        missing = lock.key.t - (len(lock.key.members) - len(lock.silent))
        return [("partial", member) for member in (asked if self._hurried else asked[:missing])]

    def _silent(self, lock: Lock) -> set[bytes]:
        """Return the members that have given no partial and may still do so."""
        silent = set(lock.silent).difference(self.cut)
        return silent if self._helpers is None else silent.intersection(self._helpers)

    def short(self, left: Collection[bytes] = ()) -> bool:
        lock = self._lock
        if not self.lifting or lock is None:
            return False
        given = len(lock.key.members) - len(lock.silent)
        return given + len(self._silent(lock).difference(left)) < lock.key.t

    def _turns(self, lock: Lock) -> list[bytes]:
        """Return the order in which members are asked. Each roll starts at another member, and late members come
        last."""
        members, first = lock.key.members, self.k % len(lock.key.members)
        return sorted((*members[first:], *members[:first]), key=self._late.__contains__)

    @property
    def lifting(self) -> bool:
        """True while only partials are missing."""
        return self._lock is not None and self._lock.gamma is None and not self._beacon.owing

    def hurry(self) -> None:
        """Ask all members for partials, because those asked first are late."""
        if not self._hurried:
            self._late.update(member for _, member in self.owed())
            self._hurried = True

    def place(self, kind: str, author: bytes) -> Place:
        wanted = self.promised if kind == "open" else self._lock.key.members if self._lock is not None else ()
        if author not in wanted:
            return "never"
        return "later" if kind == "partial" and self._beacon.owing else "open"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        if entry.kind == "partial":
            partial, lock = self._partial(entry), self._lock
            if partial is None or lock is None:
                return Fault("lock/form", entry.author)
            self._late.discard(entry.author)
            return lock.release(entry.author, partial)
        match entry.body:
            case [int() as number, bytes() as seed, bytes() as following] if type(number) is int:
                return self._beacon.open(entry.author, entry.head, number, seed, following)
        return Fault("beacon/form", entry.author)

    def late(self, entry: Entry) -> Fault | None:
        if self._lock is None or entry.author not in self._lock.key.members:
            return None
        partial = self._partial(entry)
        return Fault("lock/form", entry.author) if partial is None else self._lock.judge(entry.author, partial)

    def _partial(self, entry: Entry) -> Partial | None:
        """Return the partial for this roll in an entry, None for another form."""
        match entry.body:
            case [int() as number, bytes() as packed] if type(number) is int and number == self.k:
                return read_partial(packed)
        return None

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        beacon = self._beacon
        if kind == "open":
            following = member_secrets.commitment(beacon.epoch, beacon.k + 1)
            seed = member_secrets.seed(beacon.epoch, beacon.k)
            if not beacon.fits(member_secrets.me, seed):  # the secret is damaged: this would convict its owner
                return None
            return Made(kind, [beacon.k, seed, following])
        assert self._run is not None
        assert self._lock is not None
        return Made(kind, [beacon.k, member_secrets.partial(self._run, self._lock.key, self._lock.point)])

    @property
    def threshold(self) -> int:
        """The number of partials that lift the lock, 0 without a lock."""
        return 0 if self._lock is None else self._lock.key.t

    @property
    def holders(self) -> int:
        """The number of members that hold a share of the lock, 0 without a lock."""
        return 0 if self._lock is None else len(self._lock.key.members)

    def finish(self) -> tuple[BeaconRoll, tuple[bytes, ...]]:
        """Return the finished roll and the members that lifted its lock, in roster order."""
        lock = self._lock
        if lock is None:
            return self._beacon.finish(), ()
        released = tuple(member for member in lock.key.members if member not in lock.silent)
        return self._beacon.finish(lock.gamma), released
