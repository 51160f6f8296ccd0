# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges an entry of the open height: it fills its slot, has to wait, or convicts its author."""

from __future__ import annotations

from typing import Literal

from engine.core.dataclass import replace
from p2p.lockstep.machine import GivenAnswer
from p2p.lockstep.position import Position
from p2p.lockstep.step import RESTING, SEATED, STAGE, ProvenFault, Slot, read_answers, read_resting
from p2p.lockstep.task import Job, Task
from p2p.wire.entry import Entry

Judged = ProvenFault | Job | Literal["later", "elsewhere"] | None


def judge(position: Position, entry: Entry, proven: object = None) -> Judged:
    """Fill the slot of an entry of this height and head, or return what is wrong with it. Return "later" if the
    slot is not open yet, "elsewhere" if the entry depends on other entries than those here, and a job if the check
    takes long. proven: the result of that job, or the answers in an own entry that were already judged."""
    step = position.step
    if entry.epoch != position.epoch:
        return ProvenFault("entry/epoch", entry.author, (entry.id,), f"epoch {entry.epoch} in epoch {position.epoch}")
    if entry.kind != SEATED.get(step.kind) and (step.task is None or entry.kind not in step.task.kinds):
        return ProvenFault("entry/kind", entry.author, (entry.id,), f"{entry.kind} at a {step.kind}")
    if step.task is not None:
        return _work(position, step.task, entry, proven)
    slot = step.seat_slot(entry)
    if slot is None or slot not in step.owed or slot in step.filled:
        return ProvenFault("entry/not-asked", entry.author, (entry.id,))
    if step.owed[slot] != entry.author:
        return ProvenFault("entry/not-yours", entry.author, (entry.id,))
    return _answer(position, slot, entry, proven) if entry.kind == "answer" else _seal(position, slot, entry)


def _work(position: Position, task: Task, entry: Entry, proven: object) -> Judged:
    author, slot = entry.author, (STAGE[entry.kind], position.membership.numbers[entry.author])
    place = "never" if slot in position.step.filled else task.place(entry.kind, author)
    if place != "open":
        return "later" if place == "later" else ProvenFault("entry/not-asked", author, (entry.id,))
    said = entry
    if entry.kind in RESTING:
        resting = read_resting(entry)
        if resting is None:
            return ProvenFault("entry/basis", author, (entry.id,))
        if resting[0] != position.step.basis(entry.kind):
            return "elsewhere"
        said = replace(entry, body=resting[1])
    found = task.take(said, proven)
    if isinstance(found, Job):
        return found
    if found is None or found.member != author:
        position.step.fill(slot, entry, None)
    accused = entry.id if found is None or found.member == author else task.accused[found.member]
    return None if found is None else ProvenFault(found.code, found.member, (accused,))


def _seal(position: Position, slot: Slot, entry: Entry) -> ProvenFault | None:
    pending = position.step.pending
    assert pending is not None
    if position.chance.sealed_choice(entry, position.step.handle_of(slot[1]), pending) is None:
        return ProvenFault("seal/form", entry.author, (entry.id,))
    position.step.fill(slot, entry, None)
    return None


def _answer(position: Position, slot: Slot, entry: Entry, proven: object) -> ProvenFault | None:
    values, seat = read_answers(entry.body), slot[1]
    if values is None or (len(values) > 1 and position.step.kind != "choose"):
        return ProvenFault("answer/shape", entry.author, (entry.id,))
    given = tuple(GivenAnswer(seat, value) for value in values)
    if isinstance(proven, tuple) and proven == given:
        given = proven
    else:
        refusal = position.illegal(given)
        if refusal is not None:
            return ProvenFault("answer/illegal", entry.author, (entry.id,), refusal.code)
    if len(given) == 1:
        position.step.answers[seat] = given[0]
    else:
        position.rest = (entry, [answer.value for answer in given[1:]])
    position.step.fill(slot, entry, given[0].value)
    return None
