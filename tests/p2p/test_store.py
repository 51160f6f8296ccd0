"""The store: durable before it is said, never said differently, and every trouble with the disk by its name."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from logkit import SALT, TABLE, chat, entry, feed, member, mixed
from storehomes import INFO, opened, refused

from p2p.log.evidence import Contradiction
from p2p.log.feeds import feeds_of
from p2p.log.lock import FileLock, LockedError
from p2p.log.sound import attached
from p2p.log.store import Store, StoreError, StoreFull, peek, peek_table
from p2p.wire.entry import Entry
from seeds.errors import ContractError
from seeds.hashing import H

ANN, BOB = member("ann"), member("bob")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with opened(tmp_path / "home") as store:
        store.add_table(TABLE, INFO, ANN)
    return tmp_path / "home"


def test_a_table_its_key_and_secret_are_there_after_a_restart(home: Path) -> None:
    with opened(home) as store:
        (table,) = store.tables()
        assert (table.table, table.info, table.member) == (TABLE, INFO, True)
        keys = store.keys(TABLE)
        assert keys is not None
        assert (keys.key.public, keys.secret) == (ANN.key.public, ANN.secret)
        assert store.keys(H("test", "unknown")) is None


def test_tables_keep_their_order_and_their_notes(home: Path) -> None:
    others = [H("test", number) for number in range(3)]
    with opened(home) as store:
        for other in others:
            store.add_table(other, {}, None)
        store.note(others[1], {"round": 4})
        with pytest.raises(ContractError, match="no such table"):
            store.note(H("test", "unknown"), {})
        with pytest.raises(ContractError, match="forbids"):
            store.add_table(TABLE, {}, None)
    with opened(home) as store:
        assert [table.table for table in store.tables()] == [TABLE, *others]
        assert [table.info for table in store.tables()] == [INFO, {}, {"round": 4}, {}]
        assert [table.member for table in store.tables()] == [True, False, False, False]
        assert store.keys(others[0]) is None


def test_entries_come_back_in_the_order_in_which_they_were_stored(home: Path) -> None:
    mine, theirs = feed(ANN, 3), feed(BOB, 5)
    with opened(home) as store:
        store.receive((one, None) for one in theirs[:2])
        for one in mine:
            store.append(one)
        store.receive((one, None) for one in theirs)
    with opened(home) as store:
        assert [one for one, _ in store.entries(TABLE)] == [*theirs[:2], *mine, *theirs[2:]]


def test_a_chat_keeps_its_text_beside_it(home: Path) -> None:
    mine, theirs = chat(ANN, "hello"), chat(BOB, "¿qué?")
    with opened(home) as store:
        store.append(mine, attachment=(SALT, "hello"))
        store.receive([(theirs, (SALT, "¿qué?")), (chat(BOB, "lost", theirs), None)])
    with opened(home) as store:
        assert [attachment for _, attachment in store.entries(TABLE)] == [(SALT, "hello"), (SALT, "¿qué?"), None]


@pytest.mark.parametrize(
    ("salt", "text"),
    [(None, "hello"), (SALT, None), (SALT.hex(), "hello"), (SALT, b"hello"), (SALT, "hullo"), (b"s" * 16, "hello")],
)
def test_what_does_not_fit_a_chat_is_not_its_text(salt: object, text: object) -> None:
    said = chat(ANN, "hello")
    assert attached(said, SALT, "hello") == (SALT, "hello")
    assert attached(said, salt, text) is None
    assert attached(entry(ANN), SALT, "hello") is None


def test_secrets_are_stored_with_the_entry_that_binds_them_or_not_at_all(home: Path) -> None:
    first = entry(ANN)
    second = entry(ANN, first)
    with opened(home) as store:
        store.append(first, {"seal/0": b"\x03"})
        with pytest.raises(ContractError, match="forbids"):
            store.append(second, {"seal/1": b"\x04", "seal/0": b"\x05"})
        assert store.secrets(TABLE) == {"seal/0": b"\x03"}
        assert [one for one, _ in store.entries(TABLE)] == [first]
        store.append(second, {"seal/1": b"\x04"})
    with opened(home) as store:
        assert store.secrets(TABLE) == {"seal/0": b"\x03", "seal/1": b"\x04"}


def test_a_secret_that_was_damaged_or_changed_places_with_another_is_left_out(home: Path) -> None:
    with opened(home) as store:
        store.append(entry(ANN), {f"seal/{number}": bytes([number]) for number in range(4)})
        with store.disk.commit() as connection:
            connection.execute("UPDATE secrets SET value = x'09' WHERE name = 'seal/0'")
            for old, new in (("seal/1", "seal/5"), ("seal/2", "seal/1"), ("seal/5", "seal/2")):
                connection.execute("UPDATE secrets SET name = ? WHERE name = ?", (new, old))
        assert store.secrets(TABLE) == {"seal/3": b"\x03"}


def test_an_own_entry_that_does_not_follow_the_last_one_is_never_stored(home: Path) -> None:
    mine, other = feed(ANN, 3), feed(ANN, 3, body="another history")
    with opened(home) as store:
        for wrong in (mine[1], other[2]):
            with pytest.raises(ContractError, match="does not follow"):
                store.append(wrong)
        store.append(mine[0])
        for wrong in (mine[0], other[0], other[1], mine[2]):
            with pytest.raises(ContractError, match="does not follow"):
                store.append(wrong)
        assert [one for one, _ in store.entries(TABLE)] == mine[:1]


def test_a_chosen_branch_takes_the_place_of_the_one_that_was_stored(home: Path) -> None:
    theirs, other, mine = feed(BOB, 4), feed(BOB, 3, body="another history"), feed(ANN, 2)
    with opened(home) as store:
        store.receive([(one, None) for one in (*theirs, *mine)])
        store.receive([(one, None) for one in (*other[:2], *other)])
        assert [one for one, _ in store.entries(TABLE)] == [*mine, *other]


def test_entries_of_an_unknown_table_are_refused(home: Path) -> None:
    with opened(home) as store, pytest.raises(ContractError, match="forbids"):
        store.receive([(entry(BOB, table=H("test", "unknown")), None)])


def interrupted(store: Store) -> None:
    with store.disk.commit() as connection:
        connection.execute("DELETE FROM tables")
        raise KeyboardInterrupt


def test_a_commit_that_is_interrupted_leaves_nothing_and_the_next_one_goes_through(home: Path) -> None:
    with opened(home) as store:
        with pytest.raises(KeyboardInterrupt):
            interrupted(store)
        store.note(TABLE, {"round": 4})
    with opened(home) as store:
        assert [table.info for table in store.tables()] == [{"round": 4}]


def test_pairs_that_prove_a_fork_are_kept_once(home: Path) -> None:
    pair = Contradiction(entry(BOB), entry(BOB, body=1))
    with opened(home) as store:
        store.add_fork(pair)
        store.add_fork(pair)
    with opened(home) as store:
        assert store.forks(TABLE) == [pair]


def test_proofs_that_were_checked_are_noted_for_the_program_that_checked_them(home: Path) -> None:
    checked = {H("test", number) for number in range(5)}
    with opened(home, "1.0") as store:
        assert store.proven(TABLE) == set()
        store.mark_proven(TABLE, sorted(checked))
        store.mark_proven(TABLE, [min(checked)])
    with opened(home, "1.0") as store:
        assert store.proven(TABLE) == checked
    with opened(home, "1.1") as store:
        assert store.proven(TABLE) == set()
        store.mark_proven(TABLE, [min(checked)])
        assert store.proven(TABLE) == {min(checked)}


def test_a_tables_own_content_is_kept(home: Path) -> None:
    own, content = H("test", "own"), b'[{"prices":[1,2,3]}]' * 2000
    with Store(home, "1") as store:
        store.add_table(own, INFO, BOB, content)
    with Store(home, "1") as store:
        assert store.content(own) == content == peek_table(home, own).content
        assert store.content(TABLE) == b"" == peek_table(home, TABLE).content


def test_the_home_and_its_files_are_for_their_owner_alone(home: Path) -> None:
    if os.name != "posix":
        pytest.skip("a profile folder has its own access list on Windows")
    with opened(home) as store:
        store.append(entry(ANN))
        for path in (home, *home.iterdir()):
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def stored_until_refused(store: Store, entries: list[Entry], first: int) -> tuple[int, StoreError]:
    """Append until the store refuses; how many entries it has taken in all, and why it took no more."""
    for number in range(first, len(entries)):
        try:
            store.append(entries[number], {f"seal/{number}": b"x"})
        except StoreError as refusal:
            return number, refusal
    raise AssertionError("the disk was never full")


def test_tables_can_be_looked_at_while_another_process_works(tmp_path: Path) -> None:
    assert peek(tmp_path) == []
    with opened(tmp_path) as store:
        store.add_table(TABLE, {"name": "one"}, None)
        (row,) = peek(tmp_path)
        assert row.info is not None
        assert (row.table, row.info["name"], row.member) == (TABLE, "one", False)
    assert [row.table for row in peek(tmp_path)] == [TABLE]


# Troubles -------------------------------------------------------------------------------------------------------------


def test_a_second_process_in_one_home_is_refused_naming_the_first(home: Path) -> None:
    with opened(home):
        program = "import sys; from pathlib import Path; from p2p.log.store import Store; Store(Path(sys.argv[1]), '1')"
        root = Path(__file__).parents[2]
        second = subprocess.run([sys.executable, "-c", program, str(home)], cwd=root, capture_output=True, text=True)
        assert "store/locked" in second.stderr
        assert f"({os.getpid()})" in second.stderr
        assert refused(home).code == "store/locked"
    opened(home).close()


def files(folder: Path) -> dict[str, bytes]:
    """All that a folder holds."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("left", ["missing", "empty"])
@pytest.mark.parametrize("killed", [False, True])
def test_a_database_that_is_gone_from_beside_its_log_is_not_made_anew(tmp_path: Path, left: str, killed: bool) -> None:
    home = tmp_path / "home"
    if killed:  # as a kill -9 leaves it, with the last commits in the log
        with opened(home) as store:
            store.add_table(TABLE, {}, ANN)
            store.append(entry(ANN))
            shutil.copytree(home, tmp_path / "killed")
        home = tmp_path / "killed"
        assert (home / "starlock.db-wal").stat().st_size > 0
        (home / "begun").unlink()
    else:
        opened(home).close()
    (home / "starlock.db").write_bytes(b"") if left == "empty" else (home / "starlock.db").unlink()
    before = files(home)
    assert refused(home).code == "store/missing"
    with pytest.raises(StoreError, match="store/missing"):
        peek(home)
    assert files(home) == before, "nothing is touched"


def test_a_folder_that_no_store_was_in_yet_is_begun(tmp_path: Path) -> None:
    (tmp_path / "starlock.db").touch()  # as an end in the first moment leaves it
    (tmp_path / "lock").touch()
    assert peek(tmp_path) == []
    opened(tmp_path).close()
    assert peek(tmp_path) == []


def test_a_place_that_no_folder_can_be_at_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="store/disk"):
        peek(tmp_path / "file")


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from p2p.log.lock import FileLock\n"
        "lock = FileLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    root = Path(__file__).parents[2]
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(LockedError) as refusal:
            FileLock(path)
        assert refusal.value.holder == process.pid
        process.kill()
        process.wait()
    FileLock(path).release()


def test_a_full_disk_is_said_so_and_nothing_is_lost(home: Path) -> None:
    mine = feed(ANN, 40, body="x" * 4000)
    with opened(home) as store:
        store.append(mine[0], {"seal/0": b"first"})
        pages = store.disk.rows("PRAGMA page_count")[0][0]
        store.disk.rows(f"PRAGMA max_page_count = {int(str(pages)) + 8}")
        stored, refusal = stored_until_refused(store, mine, 1)
        assert isinstance(refusal, StoreFull)
        assert 1 < stored < len(mine)
        assert len(store.entries(TABLE)) == len(store.secrets(TABLE)) == stored
        store.disk.rows("PRAGMA max_page_count = 4294967294")
        store.append(mine[stored])
    with opened(home) as store:
        assert [one for one, _ in store.entries(TABLE)] == mine[: stored + 1]


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files are POSIX's")
def test_a_write_that_the_system_refuses_is_said_so_and_nothing_is_lost(home: Path) -> None:
    import resource

    mine = feed(ANN, 60, body="x" * 4000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(home) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        try:
            stored, refusal = stored_until_refused(store, mine, 0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert refusal.code in {"store/disk", "store/full"}
        assert [one for one, _ in store.entries(TABLE)] == mine[:stored]
        store.append(mine[stored])
    with opened(home) as store:
        assert [one for one, _ in store.entries(TABLE)] == mine[: stored + 1]


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files are POSIX's")
def test_closing_on_a_full_disk_loses_nothing(home: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    store = opened(home)
    store.append(entry(ANN))
    size = (home / "starlock.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        store.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with opened(home) as store:
        assert [one for one, _ in store.entries(TABLE)] == [entry(ANN)]


def stored_until_done(store: Store, entries: list[Entry]) -> int:
    for one in entries:
        store.append(one)
    return len(entries)


def test_two_threads_take_turns(home: Path) -> None:
    other = H("test", "other table")
    with opened(home) as store:
        store.add_table(other, {}, BOB)
        mine, theirs = feed(ANN, 30), feed(BOB, 30, table=other)
        with ThreadPoolExecutor(2) as pool:
            done = pool.map(lambda entries: stored_until_done(store, entries), (mine, theirs))
            assert list(done) == [30, 30]
        assert [one for one, _ in store.entries(TABLE)] == mine
        assert [one for one, _ in store.entries(other)] == theirs


def test_mixed_feeds_read_from_the_store_make_the_same_feeds(home: Path) -> None:
    arrivals = [*mixed(feed(ANN, 4), feed(BOB, 3))]
    with opened(home) as store:
        store.receive((one, None) for one in arrivals)
        feeds = feeds_of(TABLE, (one for one, _ in store.entries(TABLE)))
    assert feeds.entries == arrivals
