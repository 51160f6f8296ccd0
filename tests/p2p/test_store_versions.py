"""The store across versions and damage: an older one is brought forward with a copy kept, others are refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from logkit import TABLE, entry, feed, member
from storehomes import INFO, opened, refused

from p2p.log import disk, schema
from p2p.log.store import StoreError

ANN, BOB = member("ann"), member("bob")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with opened(tmp_path / "home") as store:
        store.add_table(TABLE, INFO, ANN)
    return tmp_path / "home"


def test_a_store_of_a_newer_program_is_refused_naming_its_version(home: Path) -> None:
    with opened(home, "9.0.1") as store:
        store.disk.rows("PRAGMA user_version = 99")
    before = (home / "starlock.db").read_bytes()
    error = refused(home)
    assert (error.code, error.detail) == ("store/newer", "9.0.1")
    assert (home / "starlock.db").read_bytes() == before


def test_an_older_store_is_brought_forward_and_a_copy_of_it_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(home, "0.9") as store:
        store.append(entry(ANN), {"seal/0": b"x"})
    older = schema.STEPS
    monkeypatch.setattr(disk, "STEPS", (*older, "ALTER TABLE tables ADD COLUMN pace TEXT; CREATE TABLE more (x)"))
    with opened(home, "1.1") as store:
        assert [one for one, _ in store.entries(TABLE)] == [entry(ANN)]
        assert store.secrets(TABLE) == {"seal/0": b"x"}
        assert store.disk.rows("SELECT pace FROM tables") == [(None,)]
    monkeypatch.setattr(disk, "STEPS", older)
    assert (refused(home).code, refused(home).detail) == ("store/newer", "1.1")
    copy = sqlite3.connect(home / f"starlock-v{schema.BEFORE + len(schema.STEPS)}.db")
    assert copy.execute("SELECT value FROM meta WHERE name = 'program'").fetchone() == ("0.9",)
    assert copy.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    copy.close()


def test_a_table_that_is_only_watched_stays_so_when_its_store_is_brought_forward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older store has no word for it, which here is what a member's row has when its keys are lost."""
    monkeypatch.setattr(disk, "STEPS", schema.STEPS[:2])
    with opened(tmp_path) as store:
        store.add_table(TABLE, INFO, None)
        store.add_table(bytes(32), INFO, ANN)
        store.disk.rows("UPDATE tables SET seal = NULL WHERE key IS NULL")
    monkeypatch.setattr(disk, "STEPS", schema.STEPS)
    with opened(tmp_path) as store:
        assert [each.member for each in store.tables()] == [False, True]
        assert store.keys(TABLE) is None
        assert store.keys(bytes(32)) is not None


def test_a_copy_is_made_of_an_older_store_alone_and_replaces_one_that_was_cut_short(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        with opened(home, "0.9"):
            pass
    assert list(home.glob("starlock-v*")) == []
    copy = home / f"starlock-v{schema.BEFORE + len(schema.STEPS)}.db"
    copy.write_bytes(b"half a copy")
    monkeypatch.setattr(disk, "STEPS", (*schema.STEPS, "CREATE TABLE more (x)"))
    with opened(home, "1.1"):
        pass
    assert list(home.glob("starlock-v*")) == [copy]
    assert copy.stat().st_mode & 0o777 == 0o600
    before = copy.read_bytes()
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("SELECT value FROM meta WHERE name = 'program'").fetchone() == ("0.9",)
        assert kept.execute("PRAGMA user_version").fetchone() == (schema.BEFORE + len(schema.STEPS),)
        assert kept.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with opened(home, "1.2"):
        pass
    assert copy.read_bytes() == before, "the new store is not copied over it"


def test_a_step_forward_that_fails_leaves_the_older_store(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = schema.STEPS
    monkeypatch.setattr(disk, "STEPS", (*older, "CREATE TABLE half (x); CREATE TABLE meta (twice)"))
    for _ in range(2):
        assert refused(home).code == "store/damaged"
    monkeypatch.setattr(disk, "STEPS", older)
    with opened(home) as store:
        assert store.disk.rows("SELECT 1 FROM sqlite_schema WHERE name = 'half'") == []
        assert store.keys(TABLE) is not None


def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    foreign = sqlite3.connect(tmp_path / "starlock.db")
    foreign.execute("CREATE TABLE recipes (cake)")
    foreign.close()
    before = (tmp_path / "starlock.db").read_bytes()
    assert refused(tmp_path).code == "store/foreign"
    assert (tmp_path / "starlock.db").read_bytes() == before


def test_a_damaged_file_is_refused(home: Path) -> None:
    (home / "starlock.db").write_bytes(b"not a database, but long enough to be read as one" * 40)
    assert refused(home).code == "store/damaged"


@pytest.mark.parametrize("change", ["substr(raw, 1, 60) || x'00' || substr(raw, 62)", "x'00' || raw", "x''"])
def test_an_entry_altered_on_the_disk_is_never_taken_for_its_authors_word(home: Path, change: str) -> None:
    with opened(home) as store:
        store.receive([(one, None) for one in feed(BOB, 2)])
        store.disk.rows(f"UPDATE entries SET raw = CAST({change} AS BLOB) WHERE seq = 1")
        with pytest.raises(StoreError) as refusal:
            store.entries(TABLE)
    assert refusal.value.code == "store/damaged"


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert refused(tmp_path / "file" / "home").code == "store/disk"


def test_a_refused_store_holds_no_lock(home: Path) -> None:
    saved = (home / "starlock.db").read_bytes()
    (home / "starlock.db").write_bytes(b"x" * 2000)
    assert refused(home).code == "store/damaged"
    (home / "starlock.db").write_bytes(saved)
    opened(home).close()
