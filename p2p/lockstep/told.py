# SPDX-License-Identifier: GPL-3.0-or-later
"""What was asked at a height and what came of it, as plain data that is signed and that a reader without the rules can
be told. A record is a list of these items:

    prepare, keys, over   [kind]
    anew                  ["anew", deck]
    choose, together      [kind, [seats that answer]]
    seal                  ["seal", [seats], [their new handles], kept beyond the next reveal]
    roll                  ["roll", tag, [sides of each die]]
    shuffle               ["shuffle", tag, deck, [cards, and handles put back], [new handles, top first]]
    deal                  ["deal", seat that reads, deck, [handles]]
    show                  ["show", seat that reads, [handles]]
    reveal                ["reveal", play, [handles]]
    result                ["result", what the slots of the height do not contain]

A handle is [deck, index]. The last item of a height's record is what the height waits for. Before it stands what came
of the height before: the rolls that the rules added to its roll, with nothing decided in between, and its result.

All of it is known when the height opens, and the state that entries name covers it: a program that asks otherwise shows
as one whose state differs. The next head covers it if an entry of the height counts, which has named that state. Else,
as where a vote ends the height, the record of the next one begins with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from p2p.lockstep.cards import Redealing
from p2p.lockstep.machine import HandleRef, Pending
from p2p.lockstep.step import Step
from p2p.wire.codec import Plain, encode
from seeds.hashing import H

STATE_BYTES: Final = 16
Record: TypeAlias = list[Any]
"""Plain data, as above."""


def asked(step: Step) -> Record:
    """Return what a height that has just opened waits for."""
    pending, task = step.pending, step.task
    if isinstance(task, Redealing):
        return ["anew", task.anew.deck]
    return [step.kind] if pending is None or step.kind in ("prepare", "keys") else wanted(pending)


def wanted(pending: Pending) -> Record:
    """Return a wait of the game as a record."""
    kind, handles = pending.kind, _plain(pending.handles)
    match kind:
        case "choose" | "together":
            return [kind, [*pending.seats]]
        case "seal":
            return [kind, [*pending.seats_all], handles, pending.keep]
        case "roll":
            return [kind, pending.tag, [*pending.sides]]
        case "shuffle":
            return [kind, pending.tag, pending.deck, [*pending.members], handles]
        case "deal":
            return [kind, pending.seats[0], pending.deck, handles]
        case "show":
            return [kind, pending.seats[0], handles]
    return [kind, pending.tag, handles]


def outcome(result: Plain, added: Sequence[Pending] = ()) -> Record:
    """Return what the next record tells of a height. added: the rolls that the rules added to its roll."""
    return [*map(wanted, added), *([] if result is None else [["result", result]])]


def digest(record: Record) -> bytes:
    """Return the digest of the record of a height."""
    return H("told", encode(record))


def state(machine: bytes, told: bytes) -> bytes:
    """Return the state that entries of a height name: the digests of the game and of the record."""
    return H("state", machine, told)[:STATE_BYTES]


def _plain(handles: Sequence[HandleRef]) -> Record:
    return [[deck, index] for deck, index in handles]
