"""A home that reads its own log again believes the proofs that it has checked, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

import seeds.turns
from p2p.lockstep.effects import Effect, Proven
from p2p.lockstep.follower import Follower
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry
from seeds.shuffle import ProvenShuffle, Statement, check_shuffles
from seeds.turns import ShuffleTask


def sealed_table() -> DirectTable:
    return DirectTable([[0], [1], [2]], seed=9, options={"draws": "sealed"})


def played(table: DirectTable) -> DirectTable:
    table.start()
    table.play()
    return table


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each shuffle whose proof is checked."""
    found: list[int] = []

    def check(statements: Sequence[Statement]) -> bool:
        found.append(len(statements))
        return check_shuffles(statements)

    monkeypatch.setattr(seeds.turns, "check_shuffles", check)
    return found


def restored(
    table: DirectTable, entries: Sequence[Entry], proven: Collection[bytes] = ()
) -> tuple[Follower, set[bytes]]:
    """The table read from a store, and the entries whose proofs were found to hold."""
    again = Follower(table.genesis, TestMachine(3, 1))
    again.restore([(entry, None) for entry in entries], proven=proven)
    return again, {effect.entry for effect in again.effects() if isinstance(effect, Proven)}


def test_proofs_that_were_checked_are_not_checked_again_and_a_damaged_note_costs_time_only(checked: list[int]) -> None:
    table = played(sealed_table())
    entries, shuffles = table.peers[0].feeds.entries, {entry.id for entry in table.log_of("shuffle")}
    checked.clear()
    first, proven = restored(table, entries)
    assert (len(checked), shuffles - proven) == (3, set())
    checked.clear()
    second, new = restored(table, entries, proven)
    assert (checked, new) == ([], set())
    assert (second.position.height, second.position.head) == (first.position.height, first.position.head)
    damaged = {bytes([entry[0] ^ 1]) + entry[1:] for entry in proven}
    third, new = restored(table, entries, damaged)
    assert (len(checked), new) == (3, proven)
    assert third.position.head == first.position.head


def test_what_a_member_proves_itself_is_noted_too() -> None:
    table, told = sealed_table(), list[Effect]()
    drained = table.peers[0].effects

    def effects() -> list[Effect]:
        found = drained()
        told.extend(found)
        return found

    table.peers[0].effects = effects  # type: ignore[method-assign]
    played(table)
    noted = {effect.entry for effect in told if isinstance(effect, Proven)}
    assert {entry.id for entry in table.log_of("shuffle")} <= noted


def test_a_false_proof_is_found_whatever_is_noted_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = played(sealed_table())
    _, proven = restored(honest, honest.peers[0].feeds.entries)
    with monkeypatch.context() as together:
        make = ShuffleTask.make

        def spoilt(task: ShuffleTask, fresh: bytes) -> ProvenShuffle:
            made = make(task, fresh)
            return replace(made, s_hat=(1, *made.s_hat[1:])) if task.turn == 2 else made

        together.setattr(seeds.turns, "check_shuffles", lambda statements: True)
        together.setattr(ShuffleTask, "make", spoilt)
        table = played(sealed_table())
    false = table.log_of("shuffle")[-1]
    again, new = restored(table, table.peers[0].feeds.entries, proven)
    assert [fault.code for fault in again.faults[false.author]] == ["deck/shuffle-proof"]
    assert false.id not in new | proven
