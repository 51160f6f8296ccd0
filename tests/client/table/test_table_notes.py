"""What a home notes about a table while it is played."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.table import noted
from client.table.noted import Notes
from client.table.record import Record
from client.words.rounds import round_text
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis


def test_since_when_somebody_is_waited_for_stays_as_long_as_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    genesis, _ = fixed_genesis([[0], [1]], 1, TestMachine(2))
    position = SimpleNamespace(height=7, roster={})
    lockstep = SimpleNamespace(position=position, owing=dict, debts=dict)
    table: Any = SimpleNamespace(lockstep=lockstep, history=[], held={})
    notes = Notes(SimpleNamespace(links={}), table, Record("table", genesis))
    since = []
    for height, now in ((7, 1_000), (7, 1_010), (8, 1_020), (8, 1_030)):
        position.height = height
        monkeypatch.setattr(noted, "time", lambda now=now: now)
        notes.last = notes.noted(notes.record)
        since.append(notes.last.since)
    assert since == [(7, 1_000), (7, 1_000), (8, 1_020), (8, 1_020)]
    assert notes.noted(notes.record) == notes.last


def test_a_table_at_which_nobody_has_sat_down_yet_is_before_its_first_round() -> None:
    genesis, _ = fixed_genesis([[0], [1]], 1, TestMachine(2))
    assert round_text("eclipse2", Record("table", genesis).round) == "before round 1"
