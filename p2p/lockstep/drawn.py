# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished rolls, deals and peeks of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.core.dataclass import dataclass
from p2p.lockstep.machine import HandleRef
from p2p.wire.codec import Value
from seeds.beacon import BeaconRoll


@dataclass(frozen=True, slots=True)
class Rolled:
    """A finished roll of the table.

    Attributes:
        sides, faces: of all its dice, empty for a shuffle.
        promised: the commitment of each contributor.
        lifted: the `lock` members whose partials lifted the lock; empty, and `lock` 0, without a lock.
        holders: the number of members that hold a share of its key.
    """

    roll: BeaconRoll
    kind: Literal["roll", "shuffle"]
    tag: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    promised: Mapping[bytes, bytes]
    lifted: tuple[bytes, ...]
    lock: int
    holders: int


class Look(NamedTuple):
    """A finished deal or peek.

    Attributes:
        member: the key of the member that held the seat and read the cards.
        cards: the cards, None for each that this program cannot read.
    """

    height: int
    seat: int
    member: bytes
    cards: list[tuple[HandleRef, Value]]
