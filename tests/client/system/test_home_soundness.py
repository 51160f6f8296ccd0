"""The home is checked before it speaks: a damaged or missing part is named with what to do, and never signs."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
import recorded
from volume import GATE, VOLUME, gated

from client import __version__
from client.commands import cli
from client.system.context import Context
from client.system.errors import UserError
from client.system.journal import no_log
from client.system.progress import Meter
from client.system.settings import Folders
from client.table import snapshot
from client.table.identity import own_identity
from client.table.naps import Naps
from client.table.peer import as_left
from client.table.record import Record
from client.table.snapshot import Snapshot
from client.table.soundness import check_keys, troubles
from client.table.tables import chosen
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.identity.slip import make_slip
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.log.store import DATABASE, Store, StoreError, peek
from p2p.wire.codec import Plain
from seeds.errors import ContractError
from seeds.hashing import H

IDENTITY = SigningKey.from_seed(H("test identity", 1, 0))
"""That of the first member of a recorded table."""
STEPS = 4
"""Answers after a home has been resumed."""
RESUMED = 5
"""One of so many flipped homes is resumed."""
FLIPS = 25 if VOLUME > GATE else 5
"""Flipped bits of each file in one run of the fuzzer."""


def stored(home: Path, table: recorded.GameTable) -> None:
    """Store what the first member of a table has, as its own program does."""
    keys = table.keys[0]
    with Store(Folders.of_home(home).data, __version__) as store:
        store.add_table(table.genesis.table, Record("mine", table.genesis, local=True).info(), keys)
        for effect in table.seen[0]:
            if isinstance(effect, Keep) and effect.is_own:
                store.append(effect.entry, dict(effect.secrets), effect.attachment)
            elif isinstance(effect, Keep):
                store.receive([(effect.entry, effect.attachment)])


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, recorded.GameTable]:
    """A home with a table at play. Not to be changed."""
    folder, table = tmp_path_factory.mktemp("original"), recorded.begun(6)
    home = folder / "home"
    save_identity(folder / "open" / "config" / "identity.pem", IDENTITY)
    stored(folder / "open", table)
    with Store(
        folder / "open" / "data", __version__
    ) as store:  # as of a killed process: the last commits are in the log
        (kept,) = store.tables()
        assert kept.info is not None
        store.note(kept.table, cast("dict[str, Plain]", kept.info))
        store.keep_slip(kept.table, IDENTITY.public, make_slip(IDENTITY, kept.table, 0, table.keys[0].secret))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(snapshot, "LEAST", 0)
            Snapshot(folder / "open" / "data", table.genesis, table.keys[0]).write(table.peers[0], [], no_log)
        shutil.copytree(folder / "open", home)
    (home / "data" / f"{DATABASE}-shm").unlink()
    return home, table


@pytest.fixture
def home(original: tuple[Path, recorded.GameTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(original[0], copy)
    monkeypatch.setenv("STARLOCK_HOME", str(copy))
    monkeypatch.setenv("LANGUAGE", "en")
    return copy


@pytest.fixture
def table(original: tuple[Path, recorded.GameTable]) -> recorded.GameTable:
    return original[1]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = cli.main([*words, "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, answer


def changed(home: Path, sql: str) -> None:
    with closing(sqlite3.connect(home / "data" / DATABASE, isolation_level=None)) as connection:
        connection.execute(sql)


def flipped(column: str) -> str:
    """Sql that flips one bit in the middle of a column of a blob."""
    middle = f"substr({column}, 9, 1)"
    other = f"CASE {middle} WHEN x'00' THEN x'01' ELSE x'00' END"
    return f"UPDATE tables SET {column} = CAST(substr({column}, 1, 8) || {other} || substr({column}, 10) AS BLOB)"


@pytest.mark.parametrize("passphrase", gated(["open sesame", None], 1))
def test_a_sound_home_is_said_to_be_one_without_a_question_for_a_passphrase_where_nobody_can_answer(
    home: Path, capsys: pytest.CaptureFixture[str], passphrase: str | None
) -> None:
    save_identity(home / "config" / "identity.pem", IDENTITY, passphrase)
    _code, answer = told(capsys, "doctor")
    steps = {each["step"]: each for each in answer["steps"]}
    assert steps["home"]["ok"]
    assert {"verdict", "listen"} <= steps.keys()


def test_a_passphrase_is_asked_for_once_in_a_command(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_identity(home / "config" / "identity.pem", IDENTITY, "open sesame")
    typed = iter(["open sesame"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(typed))
    nowhere = StringIO()
    context = Context(
        "doctor", as_json=False, home=Folders.of_home(home), out=nowhere, err=nowhere, progress=Meter(nowhere)
    )
    assert list(troubles(context)) == []
    assert own_identity(context).key.public == IDENTITY.public


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (flipped("secret"), "store/keys"),
        (flipped("key"), "store/keys"),
        (flipped("seal"), "store/keys"),
        ("UPDATE tables SET key = NULL, secret = NULL", "store/keys"),
        ("UPDATE tables SET seal = NULL", "store/keys"),
        ("UPDATE tables SET key = NULL, secret = NULL, seal = NULL", "store/keys"),
        (flipped("info"), "home/notes"),
        ("UPDATE tables SET info = x''", "home/notes"),
        ("UPDATE tables SET info = 7", "home/notes"),
        ("UPDATE entries SET seq = seq + 100", "store/damaged"),
        ("UPDATE entries SET raw = 'text'", "store/damaged"),
        ("UPDATE entries SET id = x'00' WHERE number = 3", "store/damaged"),
        ("DROP TABLE entries", "store/damaged"),
        ("ALTER TABLE entries RENAME COLUMN raw TO row", "store/damaged"),
        ("PRAGMA user_version = 1", "store/older"),
        ("PRAGMA user_version = 99", "store/newer"),
    ],
)
def test_damage_is_named_by_the_doctor_and_by_resume_with_what_to_do(
    home: Path, capsys: pytest.CaptureFixture[str], damage: str, code: str
) -> None:
    with closing(sqlite3.connect(home / "data" / DATABASE)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(damage)
        connection.commit()
    for path in (home / "data").glob("*.snapshot"):
        path.unlink()  # from a snapshot a table goes on without the entries that it holds, damaged or not
    exit_code, answer = told(capsys, "resume", "mine", "--as", "random")
    assert (exit_code, answer["error"]["code"]) == (2, code)
    assert answer["error"]["hint"]
    exit_code, answer = told(capsys, "doctor")
    (found,) = answer["steps"]
    assert (exit_code, found["step"], found["ok"]) == (1, "home", False)
    assert found["hint"]
    assert ("starlock recover " in found["hint"]) is (code not in ("store/older", "store/newer")), "without a backup"
    assert ("starlock recover TICKET" in found["hint"]) is (code in ("store/damaged", "home/notes"))


@pytest.mark.parametrize(
    ("damage", "code"),
    [(flipped("info"), "home/notes"), ("PRAGMA user_version = 99", "store/newer"), (None, "store/missing")],
)
def test_the_page_of_a_damaged_home_ends_with_the_same_words(
    home: Path, capsys: pytest.CaptureFixture[str], damage: str | None, code: str
) -> None:
    database = home / "data" / DATABASE
    if damage is None:
        database.unlink()
    else:
        changed(home, damage)
    error = told(capsys, "tables")[1]["error"]
    assert error["code"] == code
    for words in (("home", "--web"), ("play", "--web")):
        assert cli.main([*words]) == 2
        assert capsys.readouterr().err == f"starlock: {error['message']}\n{error['hint']}\n"


def test_one_damaged_table_holds_up_no_other(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    another = recorded.GameTable([[0], [1]], 2)
    another.start()
    (home / "game.star").write_bytes(another.star())
    assert told(capsys, "import", str(home / "game.star"))[0] == 0
    changed(home, flipped("info") + " WHERE number = 1")
    _code, answer = told(capsys, "tables")
    (other,) = answer["tables"]
    assert told(capsys, "verify", other["name"])[0] == 0
    assert told(capsys, "resume", "mine")[1]["error"]["code"] == "home/notes"


def test_a_key_of_another_seat_or_none_is_named(table: recorded.GameTable) -> None:
    record = Record("mine", table.genesis)
    for keys in (None, TableKeys.generate()):
        with pytest.raises(Exception, match="key") as refusal:
            check_keys(record, keys, member=True)
        assert refusal.value.code == "home/key"  # type: ignore[attr-defined]
        assert "starlock recover mine" in refusal.value.hint  # type: ignore[attr-defined]
    check_keys(record, None, member=False)
    check_keys(record, table.keys[1], member=True)


def test_a_copy_of_the_main_file_alone_holds_every_table_with_its_keys(
    tmp_path: Path, table: recorded.GameTable
) -> None:
    """Also while the program works, and before the first entry of the table."""
    with Store(tmp_path / "here", __version__) as store:
        store.add_table(table.genesis.table, Record("mine", table.genesis).info(), table.keys[0])
        (tmp_path / "there").mkdir()
        for name in (DATABASE, "begun"):
            shutil.copy(tmp_path / "here" / name, tmp_path / "there" / name)
    with Store(tmp_path / "there", __version__) as copy:
        seat = chosen(copy, "mine")
    assert seat.keys is not None
    assert (seat.keys.key.seed(), seat.keys.secret) == (table.keys[0].key.seed(), table.keys[0].secret)


def test_a_blank_database_beside_the_mark_of_a_store_is_no_new_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    (tmp_path / "begun").write_bytes(b"")
    before = (tmp_path / DATABASE).read_bytes()
    for opening in (lambda: Store(tmp_path, __version__), lambda: peek(tmp_path)):
        with pytest.raises(StoreError) as refusal:
            opening()
        assert refusal.value.code == "store/missing"
    assert (tmp_path / DATABASE).read_bytes() == before


def test_a_blank_database_alone_is_a_new_one_whose_first_commit_has_failed(tmp_path: Path) -> None:
    """As a first start on a full disk leaves it."""
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert peek(tmp_path) == []
    with Store(tmp_path, __version__) as store:
        assert store.tables() == peek(tmp_path) == []


def files(home: Path) -> Iterator[Path]:
    return (path for path in sorted(home.rglob("*")) if path.is_file() and path.stat().st_size)


@pytest.mark.slow
@pytest.mark.parametrize("seed", gated(range(8), 1))
def test_flipped_bits_in_any_file_of_a_home_are_never_an_internal_error_and_never_change_a_key(
    original: tuple[Path, recorded.GameTable],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    seed: int,
) -> None:
    """Whatever bit is flipped: each command ends with an answer or with a clear error, and the table's key, secret and
    stored values are those of before or are refused, so that nothing is signed that could convict their owner."""
    source, table = original
    keys, random, id = table.keys[0], Random(seed), table.genesis.table
    home = tmp_path / "home"
    shutil.copytree(source, home)
    with Store(home / "data", __version__) as store:
        values = store.secrets(id)
    monkeypatch.setenv("STARLOCK_HOME", str(home))
    for name in [path.relative_to(source) for path in files(source)]:
        data = (source / name).read_bytes()
        for number in range(FLIPS):
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(source, home)
            at = random.randrange(len(data))
            broken = bytearray(data)
            broken[at] ^= 1 << random.randrange(8)
            (home / name).write_bytes(broken)
            for words in (("tables",), ("verify", "mine"), ("export", "mine", str(tmp_path / "out.star"), "--force")):
                code, answer = told(capsys, *words)
                assert code in (0, 1, 2), (name, at, words)
                assert answer.get("error", {}).get("code") != "internal", (name, at, words, answer)
            _speaks_soundly(home, table, keys, values, (name, at))
            if number % RESUMED == seed % RESUMED:
                _plays_on(home, table, (name, at))


def _plays_on(home: Path, table: recorded.GameTable, where: object) -> None:
    """Resume the table as `starlock resume` does, beside the other member, which has all entries: it plays on, signs
    nothing, or is refused in words. The other one convicts nobody."""
    again = recorded.GameTable([[0], [1]])
    assert again.genesis == table.genesis
    other = again.peers[1]
    other.restore([(entry, table.peers[1].texts.get(entry.id)) for entry in table.peers[1].feeds.entries])
    try:
        with Store(home / "data", __version__) as store:
            seat = chosen(store, "mine")
            id = seat.record.genesis.table
            me, _history = as_left(store, seat, store.content(id), store.secrets(id), no_log)
            known = {entry.id for entry in me.feeds.entries}
            me.restore(store.entries(id, known), proven=store.proven(id))
    except (StoreError, UserError):
        return
    assert isinstance(me, Lockstep)
    assert isinstance(me.signing.naps, Naps), "a sleep ends the right to sign"
    again.peers[0] = me
    me.start(new=False)
    other.start(new=True)
    for here, there in ((me, other), (other, me)):
        for entry in tuple(there.feeds.entries):
            here.feed(entry)
    again.settle()
    if me.unconfirmed and me.own_end() == other.feeds.end(me.me or b""):
        me.confirm(*me.own_end())
    again.settle()
    for _ in range(STEPS):
        if me.mute is not None or not again.step():
            break
    assert not other.faults, where
    assert not me.faults, where


def _speaks_soundly(
    home: Path, table: recorded.GameTable, keys: TableKeys, values: dict[str, bytes], where: object
) -> None:
    try:
        with Store(home / "data", __version__) as store:
            known = {each.table for each in store.tables()}
            found = store.keys(table.genesis.table) if table.genesis.table in known else None
            if found is not None:
                assert (found.key.seed(), found.secret) == (keys.key.seed(), keys.secret), where
            assert store.secrets(table.genesis.table).items() <= values.items(), where
            store.entries(table.genesis.table)
            store.forks(table.genesis.table)
    except StoreError:
        pass
    except ContractError as error:
        raise AssertionError(where) from error


def test_a_wrong_secret_opens_nothing() -> None:
    """An own opening is compared with its own commitment before it is signed, wherever the secret comes from."""
    peers = recorded.begun(0)
    me = peers.peers[0]
    assert me.me is not None
    me.member_secrets._secret = bytes(32)
    before = len(me.feeds.feed(me.me))
    for _ in range(40):
        if not peers.step() or me.mute is not None:
            break
    assert me.mute is not None
    assert me.mute.code == "lockstep/secret-lost"
    assert me.me not in peers.peers[1].faults
    assert all(entry.kind != "open" for entry in me.feeds.feed(me.me)[before:])


def test_a_saved_game_of_a_table_whose_notes_are_damaged_is_refused_in_their_words(
    home: Path, table: recorded.GameTable, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "game.star").write_bytes(table.star())
    changed(home, flipped("info"))
    code, answer = told(capsys, "import", str(home / "game.star"))
    assert (code, answer["error"]["code"]) == (2, "home/notes")
