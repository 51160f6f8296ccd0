"""Each file that starlock writes and reads again is refused by name, with what to do, if another version wrote it in
another format. A snapshot is only a cache, so it is passed over and the log read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import recorded

from client import __version__
from client.commands import cli
from client.session.player import SessionPlayer
from client.table.letters import Letters
from client.table.machine import GameMachine
from client.table.player import LobbyControls
from client.table.snapshot import Snapshot
from p2p.identity.keyfile import KeyFileError, load_identity, save_identity
from p2p.identity.keys import SigningKey
from p2p.lobby import posted
from p2p.log import evidence, starfile
from p2p.log.records import Writer
from p2p.log.store import DATABASE, Store
from p2p.sync import bundle, pasted
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry, make_entry
from seeds.hashing import H


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, str]]:
    capsys.readouterr()
    code = cli.main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("magic", [starfile.MAGIC, evidence.MAGIC], ids=["star", "evidence"])
def test_a_saved_game_and_a_file_of_evidence_of_another_format(
    magic: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(Writer(magic, 99, "9.0.1").bytes())
    code, error = told(capsys, "verify", str(path))
    assert (code, error["code"]) == (2, "file/version")
    assert "9.0.1" in error["message"]
    assert "version of starlock" in error["hint"]


@pytest.mark.parametrize("magic", [starfile.MAGIC, evidence.MAGIC], ids=["star", "evidence"])
def test_the_version_that_a_file_names_reaches_the_terminal_without_control_characters(
    magic: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(Writer(magic, 99, "\x1b[2J\x1b]0;title\x07").bytes())
    for command in ("verify", "replay", "import"):
        capsys.readouterr()
        cli.main([command, str(path)])
        said = capsys.readouterr().err
        assert "99" in said
        assert "\x1b" not in said
        assert "\x07" not in said


def test_the_game_that_evidence_names_reaches_the_terminal_without_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = recorded.begun(0)
    genesis = replace(table.genesis, game="\x1b[2J\u202e", rules="\x1b[2J")
    key = table.keys[0].key.private

    def entry(seq: int, prev: bytes, kind: str, body: Plain) -> Entry:
        return make_entry(
            key, table=genesis.table, seq=seq, prev=prev, epoch=0, height=0, head=bytes(32), state=bytes(16),
            kind=kind, body=body,
        )  # fmt: skip

    first = entry(0, bytes(32), "genesis", genesis.body())
    accused = entry(1, first.id, "join", None)
    path = tmp_path / "file"
    path.write_bytes(evidence.pack_evidence(evidence.Evidence("answer/illegal", (accused,), (first,)), "1"))
    cli.main(["verify", str(path)])
    told = capsys.readouterr()
    assert genesis.table.hex()[:16] in told.out
    assert not {"\x1b", "\u202e"} & {*told.out, *told.err}


def other_bundle() -> bytes:
    whole = bundle.MAGIC + b"9" + bytes(200)
    return whole + H("bundle check", whole)[:8]


def other_letter() -> bytes:
    whole = posted.MAGIC + b"9" + (3).to_bytes(4, "big") + b"\x80\x80\x80"
    return whole + posted.letter_check(whole)


@pytest.mark.parametrize("made", [other_bundle, other_letter], ids=["bundle", "letter"])
def test_a_bundle_and_a_letter_as_a_file_of_another_format(made: Callable[[], bytes]) -> None:
    letters = Letters()
    letters.given(made(), "mail.txt")
    assert letters.statements() == []
    assert [*letters.whole()] == []
    (error,) = letters.wrong
    assert error.code == "bundle/version"
    assert "mail.txt" in error.message
    assert "Update starlock" in error.hint


def test_a_bundle_as_text_of_another_format(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as other:
        other.setattr(pasted, "_VERSION", 9)
        text = " ".join(pasted.pasted_parts(bytes(200)))
    letters = Letters()
    letters.given(text.encode(), "mail.txt")
    (error,) = letters.wrong
    assert error.code == "bundle/version"
    assert "Update starlock" in error.hint


def test_a_snapshot_of_another_format_is_passed_over_and_named_in_the_log(tmp_path: Path) -> None:
    table, said = recorded.begun(0), list[str]()

    def log(what: str, /, **_fields: object) -> None:
        said.append(what)

    (tmp_path / f"{table.genesis.table.hex()}.snapshot").write_bytes(b"another format" * 20)
    me, machine = table.peers[0], table.peers[0].machine
    assert isinstance(machine, GameMachine)
    with Store(tmp_path, __version__) as store:
        snapshot = Snapshot(tmp_path, table.genesis, table.keys[0])
        assert snapshot.read(machine, me.member_secrets, store, log) is None
    assert said == ["snapshot/other"]


@pytest.mark.parametrize(("version", "code"), [(99, "store/newer"), (1, "store/older")])
def test_a_store_of_another_format(
    version: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    with Store(tmp_path / "data", __version__):
        pass
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    for words in (("tables",), ("resume", "--as", "random")):
        exit_code, error = told(capsys, *words)
        assert (exit_code, error["code"]) == (2, code)
        assert error["hint"]


def test_a_key_file_of_an_algorithm_that_nobody_knows_is_named(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    save_identity(path, SigningKey.from_seed(bytes(32)))
    text = path.read_bytes()
    for at in range(28, 48):
        for bit in range(8):
            path.write_bytes(text[:at] + bytes([text[at] ^ 1 << bit]) + text[at + 1 :])
            try:
                load_identity(path)
            except KeyFileError as error:
                assert error.code in ("identity/damaged", "identity/other-kind")  # noqa: PT017  some bits change nothing


def test_a_message_over_the_limit_is_refused_in_the_lobby_and_not_cut() -> None:
    session, said = SessionPlayer().session, list[str]()
    session.gathering.door = cast("LobbyControls", SimpleNamespace(say=said.append))
    refusal = session.say("é" * 251)
    assert refusal is not None
    assert (refusal.code, refusal.detail) == ("chat/length", (500,))
    assert session.say("é" * 250) is None
    assert said == ["é" * 250]
