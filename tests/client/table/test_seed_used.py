# SPDX-License-Identifier: GPL-3.0-or-later
"""A seed makes a table once in a home: its members would sign other entries with the same keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from test_post import SMALL

from client.system.errors import UserError
from client.table.joining import SeatRequest, begin_table
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import settle_options
from p2p.log.store import Store
from p2p.testing.tables import fixed_genesis


def test_a_seed_does_not_make_the_same_table_twice_in_a_home(tmp_path: Path) -> None:
    table = settle_options(SMALL, 2, {})
    assert isinstance(table, Table)
    machine = GameMachine(Match.new(SMALL, table))
    first, other = (fixed_genesis([[0], [1]], seed, machine, dict(table.options), "toy") for seed in (7, 8))
    request = SeatRequest((("Ann", None),), (0,), seed="seven")
    with Store(tmp_path, "test") as store:
        reach = SimpleNamespace(public=(), listener=SimpleNamespace(port=1))
        identity = SimpleNamespace(public=b"a" * 32)
        here: Any = SimpleNamespace(store=store, identity=identity, reach=reach, local=True, quiet=False)

        def begin(made: Any) -> str:
            genesis, keys = made
            return trio.run(partial(begin_table, here, genesis, {}, keys[0], request, b"")).record.name

        name = begin(first)
        assert begin(other) != name
        with pytest.raises(UserError, match="seven has made this very table") as found:
            begin(first)
        assert f"starlock resume {name}" in found.value.hint
        assert len([*store.tables()]) == 2
