# SPDX-License-Identifier: GPL-3.0-or-later
"""The beacon: dice by commit and reveal that no member can foresee or choose.

Every member commits to a seed before the roll and opens it when the roll is due. The value of the roll is a hash of all
seeds, so one honest seed makes it unpredictable until that seed opens. The message that opens a seed also commits to
the next one, so a roll costs one message for each member.

    seed(k)    = kdf(table secret, "seed", table, epoch, k)             never stored, derived again after a crash
    commitment = H("commit", table, epoch, k, author, seed)             bound to its author: copying it is useless
    value      = H("roll", table, epoch, k, [[member, seed or None], ...], gamma)  members in roster order

`epoch` numbers the sets of members, k the rolls of the table. Neither ever goes back, so no seed is requested twice.
gamma is the value of a threshold lock, None without a lock.

The caller has ordered the messages. They are signed by their member and name head and height.

    state     input                     next      what happens
    ------------------------------------------------------------------------------------------------------------------
    any       enter(epoch, members)     BARE      all commitments lapse; an open roll ends, its number is used up
    BARE      commit(member, ...)       BARE      `uncommitted` shrinks; the last one leads to READY
    READY     begin(height, head)       OPEN      contributors = the members; each committed at a lower height
    READY     begin(…, seedless)        OPEN      no contributors: gamma alone is the roll, and commitments stay
    OPEN      open(member, ...)         OPEN      `owing` shrinks if the seed fits its commitment; else Fault
    OPEN      write_off(members)        OPEN      they owe nothing more; a seed missing at the end is None
    OPEN      finish()                  READY     nobody owes: the roll; next commitments are those in the openings
                                        or BARE   if a contributor was written off (a new epoch follows then)

A member is written off when the table has agreed which of its messages is the last that counts. An earlier message may
be read after the agreement and still counts, so the order of arrival does not matter. The caller drops later ones.

The beacon itself enforces two rules. A commitment made at the roll's own height does not count, since its author could
choose the dice. Openings count only under the head that `begin` named, since the dice of one history must not be seen
while another is still possible.

A roll without seeds is for tables that wait for t members instead of all. Nobody can choose it, but t members together
can foresee it.

Limit: the last member to open sees the dice first and can fall silent. From three members on a threshold lock prevents
this. Between two, the other side can sign a claim of what was owed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.dataclass import dataclass, field
from seeds.errors import ContractError, Fault
from seeds.hashing import HASH_BYTES, H, kdf


def seed(secret: bytes, table: bytes, epoch: int, k: int) -> bytes:
    """Return a member's seed for roll k, from its table secret."""
    return kdf(secret, "seed", table, epoch, k)


def commitment(table: bytes, epoch: int, k: int, author: bytes, seed_k: bytes) -> bytes:
    """Return the commitment that `author` publishes before the roll. It fixes the seed and hides it."""
    return H("commit", table, epoch, k, author, seed_k)


def roll_value(
    table: bytes, epoch: int, k: int, seeds: Sequence[tuple[bytes, bytes | None]], gamma: bytes | None = None
) -> bytes:
    """Return the 32-byte seed of the roll's dice, to which every contributor has contributed."""
    return H("roll", table, epoch, k, [[member, seed_k] for member, seed_k in seeds], gamma)


@dataclass(frozen=True, slots=True)
class BeaconRoll:
    """A finished roll: epoch and number, the seed of each contributor in roster order (None: written off; no seeds in a
    roll without them), and its value."""

    epoch: int
    k: int
    height: int
    seeds: tuple[tuple[bytes, bytes | None], ...]
    value: bytes


@dataclass(slots=True)
class _Open:
    """A roll that waits for openings."""

    height: int
    head: bytes
    commitments: dict[bytes, bytes]
    seeds: dict[bytes, bytes] = field(default_factory=dict)
    following: dict[bytes, bytes] = field(default_factory=dict)
    written_off: set[bytes] = field(default_factory=set)


class Beacon:
    """The state machine above, for one table.

    Attributes:
        epoch: number of the epoch, -1 before the first.
        k: number of the open or next roll.
        members: keys in roster order.
    """

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.epoch = -1
        self.k = 0
        self.members: tuple[bytes, ...] = ()
        self._commitments: dict[bytes, tuple[int, bytes]] = {}
        self._roll: _Open | None = None

    @property
    def uncommitted(self) -> tuple[bytes, ...]:
        """The members that owe a commitment for roll k, in roster order; empty while a roll is open."""
        if self._roll is not None:
            return ()
        return tuple(member for member in self.members if member not in self._commitments)

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The contributors that owe an opening of the open roll, in roster order."""
        roll = self._roll
        if roll is None:
            return ()
        return tuple(m for m in roll.commitments if m not in roll.seeds and m not in roll.written_off)

    @property
    def promised(self) -> Mapping[bytes, bytes]:
        """The commitments of the open roll, by contributor."""
        return {} if self._roll is None else dict(self._roll.commitments)

    @property
    def rolling(self) -> bool:
        """True if a roll has begun and is not finished."""
        return self._roll is not None

    def enter(self, epoch: int, members: Sequence[bytes]) -> None:
        """Begin an epoch with these members, in roster order. All commit again."""
        if epoch <= self.epoch:
            raise ContractError(f"epoch {epoch} after {self.epoch}")
        if not members or len(set(members)) != len(members):
            raise ContractError("an epoch has one member or more, each once")
        if self._roll is not None:
            self.k += 1
        self.epoch, self.members = epoch, tuple(members)
        self._commitments, self._roll = {}, None

    def commit(self, member: bytes, height: int, k: int, committed: bytes) -> Fault | None:
        """Take a member's commitment to its seed for roll k, accepted at `height`."""
        if self._roll is not None:
            raise ContractError("while a roll is open commitments ride in its openings")
        if member not in self.members:
            return Fault("beacon/not-a-member", member)
        if k != self.k:
            return Fault("beacon/other-roll", member)
        if member in self._commitments:
            return Fault("beacon/committed-twice", member)
        if len(committed) != HASH_BYTES:
            return Fault("beacon/form", member)
        self._commitments[member] = (height, committed)
        return None

    def begin(self, height: int, head: bytes, *, seedless: bool = False) -> None:
        """Fix the contributors of roll k, which opens at this position; every member must have committed below it.
        seedless: True if nobody contributes; `finish` then needs gamma."""
        if self._roll is not None:
            raise ContractError(f"roll {self.k} is open already")
        late = [m for m in self.members if m not in self._commitments or self._commitments[m][0] >= height]
        if late or not self.members:
            raise ContractError(f"roll {self.k} at height {height}: {len(late)} members lack a commitment from below")
        if seedless:
            self._roll = _Open(height, head, {})
            return
        self._roll = _Open(height, head, {member: self._commitments[member][1] for member in self.members})
        self._commitments = {}

    def alone(self, epoch: int, height: int, head: bytes) -> Beacon:
        """Return the beacon of one roll without seeds, with the number of the next roll here. Its lock is of an earlier
        epoch. `passed` notes its end; until then the number stays, so that nobody can have another roll instead."""
        beacon = Beacon(self.table)
        beacon.epoch, beacon.k, beacon.members = epoch, self.k, self.members
        beacon._roll = _Open(height, head, {})
        return beacon

    def passed(self) -> None:
        """Note that the next number has been used by a roll of `alone`."""
        self.k += 1

    def open(self, member: bytes, head: bytes, k: int, seed_k: bytes, following: bytes) -> Fault | None:
        """Take a contributor's seed for roll k and its commitment for roll k+1."""
        roll = self._current()
        if head != roll.head:
            raise ContractError("an opening counts only under the head at which its roll began")
        if member not in roll.commitments:
            return Fault("beacon/not-a-contributor", member)
        if k != self.k:
            return Fault("beacon/other-roll", member)
        if member in roll.seeds:
            return Fault("beacon/opened-twice", member)
        if len(seed_k) != HASH_BYTES or len(following) != HASH_BYTES:
            return Fault("beacon/form", member)
        if commitment(self.table, self.epoch, k, member, seed_k) != roll.commitments[member]:
            return Fault("beacon/opening-mismatch", member)
        roll.seeds[member] = seed_k
        roll.following[member] = following
        return None

    def fits(self, member: bytes, seed_k: bytes) -> bool:
        """True if this is the seed to which a contributor of the open roll is committed."""
        promised = self._current().commitments.get(member)
        return commitment(self.table, self.epoch, self.k, member, seed_k) == promised

    def write_off(self, members: Iterable[bytes]) -> None:
        """Stop waiting for these members, since the table agreed that they are absent."""
        roll = self._current()
        roll.written_off.update(member for member in members if member in roll.commitments)

    def finish(self, gamma: bytes | None = None) -> BeaconRoll:
        """End the roll, for which nothing is owed, and go on to the next."""
        roll = self._current()
        seedless = not roll.commitments and gamma is not None
        if self.owing or not (roll.seeds or seedless):
            raise ContractError(f"roll {self.k}: {len(self.owing)} contributors owe, {len(roll.seeds)} have opened")
        seeds = tuple((member, roll.seeds.get(member)) for member in roll.commitments)
        value = roll_value(self.table, self.epoch, self.k, seeds, gamma)
        finished = BeaconRoll(self.epoch, self.k, roll.height, seeds, value)
        if not seedless:
            self._commitments = {member: (roll.height, committed) for member, committed in roll.following.items()}
        self._roll = None
        self.k += 1
        return finished

    def _current(self) -> _Open:
        if self._roll is None:
            raise ContractError("no roll is open")
        return self._roll

    def dump(self) -> list[Any]:
        """Return the whole state as plain data: lists, bytes, numbers and None."""
        roll = self._roll
        return [
            *(self.table, self.epoch, self.k, list(self.members)),
            [[member, height, committed] for member, (height, committed) in self._commitments.items()],
            None
            if roll is None
            else [
                *(roll.height, roll.head, [list(pair) for pair in roll.commitments.items()]),
                [[member, seed_k, roll.following[member]] for member, seed_k in roll.seeds.items()],
                sorted(roll.written_off),
            ],
        ]

    @classmethod
    def load(cls, data: Sequence[Any]) -> Beacon:
        """Return the beacon of a `dump`."""
        table, epoch, k, members, commitments, roll = data
        beacon = cls(table)
        beacon.epoch, beacon.k, beacon.members = epoch, k, tuple(members)
        beacon._commitments = {member: (height, committed) for member, height, committed in commitments}
        if roll is not None:
            height, head, fixed, opened, written_off = roll
            beacon._roll = _Open(
                *(height, head, dict(fixed)),
                seeds={member: seed_k for member, seed_k, _ in opened},
                following={member: following for member, _, following in opened},
                written_off=set(written_off),
            )
        return beacon
