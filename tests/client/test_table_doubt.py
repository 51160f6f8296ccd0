"""After an older copy of the store was put in place, each table is doubted until another member confirms it."""

from __future__ import annotations

import shutil
from pathlib import Path

from p2p.identity.tablekey import TableKeys
from p2p.log.store import Store, peek

A, B = b"a" * 32, b"b" * 32


def opened(home: Path) -> Store:
    return Store(home, "test")


def test_a_doubt_lasts_over_starts_until_that_table_is_confirmed(tmp_path: Path) -> None:
    home, aside = tmp_path / "home", tmp_path / "older.db"
    with opened(home) as store:
        for table in (A, B):
            store.add_table(table, {}, TableKeys.generate())
        assert store.whole
        assert store.sure(A)
    shutil.copy(home / "starlock.db", aside)
    with opened(home) as store:
        assert store.whole
    shutil.copy(aside, home / "starlock.db")
    with opened(home) as store:
        assert not store.whole
        assert not store.sure(A)
    with opened(home) as store:
        assert store.whole
        assert not store.sure(A)
        assert not store.sure(B)
        store.confirm(A)
        assert store.sure(A)
    with opened(home) as store:
        assert store.sure(A)
        assert not store.sure(B)
        store.add_table(b"c" * 32, {}, TableKeys.generate())
        assert store.sure(b"c" * 32)


def test_tables_can_be_looked_at_while_another_process_works(tmp_path: Path) -> None:
    assert peek(tmp_path) == []
    with opened(tmp_path) as store:
        store.add_table(A, {"name": "one"}, None)
        (row,) = peek(tmp_path)
        assert (row.table, row.info["name"], row.member) == (A, "one", False)
    assert [row.table for row in peek(tmp_path)] == [A]
