"""`starlock keys`: one identity, kept safe, explained in words."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from client.commands import cli
from p2p.identity.keyfile import create_identity, load_identity
from p2p.identity.keys import SigningKey


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("STARLOCK_HOME", str(folder))
    monkeypatch.setenv("LANGUAGE", "en")
    return folder


def keys(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = cli.main(["keys", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def error_code(told: dict[str, object]) -> str:
    error = told["error"]
    assert isinstance(error, dict)
    return str(error["code"])


def test_the_first_look_makes_the_identity_and_the_next_shows_the_same(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, first = keys(capsys)
    assert (code, first["created"], first["passphrase"]) == (0, True, False)
    assert len(str(first["words"]).split()) >= 8
    _, second = keys(capsys)
    assert second == {**first, "created": False}
    assert first["file"] == str(home / "config" / "identity.pem")


def test_the_help_says_that_nothing_has_to_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["keys", "--help"])
    assert "[DEED ...]" in capsys.readouterr().out
    assert keys(capsys, "exprt")[1]["error"]["message"].startswith("argument DEED: ")  # type: ignore[index]


@pytest.mark.parametrize("words", [(), ("import", "copy.pem")])
def test_who_makes_an_identity_while_another_process_does_takes_that_one_or_says_so(
    words: tuple[str, ...],
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    create_identity(tmp_path / "copy.pem")
    fsync, others = os.fsync, list[SigningKey]()

    def after_another(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        others.append(create_identity(home / "config" / "identity.pem"))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", after_another)
    code, told = keys(capsys, *words)
    if words:
        assert (code, error_code(told)) == (2, "identity/exists")
    else:
        assert (code, told["created"], told["public_key"]) == (0, False, others[0].public.hex())
    assert load_identity(home / "config" / "identity.pem").public == others[0].public


@pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")
def test_a_key_file_that_others_can_use_is_refused_with_the_cure(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(capsys)
    path = home / "config" / "identity.pem"
    path.chmod(0o644)
    code, told = keys(capsys)
    assert (code, error_code(told)) == (2, "identity/permissive")
    assert f"chmod 600 {path}" in json.dumps(told)


def test_a_damaged_key_file_is_named_and_left_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys(capsys)
    path = home / "config" / "identity.pem"
    damaged = path.read_bytes()[:-40]
    path.write_bytes(damaged)
    code, told = keys(capsys)
    assert (code, error_code(told)) == (2, "identity/damaged")
    assert path.read_bytes() == damaged


def test_an_exported_identity_is_imported_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.pem"
    _, mine = keys(capsys, "export", str(copy))
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "other"))
    code, other = keys(capsys, "import", str(copy))
    assert code == 0
    assert other["words"] == mine["words"]


def test_nothing_is_ever_written_over(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys(capsys)
    copy = tmp_path / "copy.pem"
    copy.write_text("precious")
    assert error_code(keys(capsys, "export", str(copy))[1]) == "identity/exists"
    assert copy.read_text() == "precious"
    before = (home / "config" / "identity.pem").read_bytes()
    copy.write_bytes(before)
    copy.chmod(0o600)
    assert error_code(keys(capsys, "import", str(copy))[1]) == "identity/exists"
    assert (home / "config" / "identity.pem").read_bytes() == before


def test_a_missing_file_is_no_identity(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = keys(capsys, "import", str(tmp_path / "nothing.pem"))
    assert (code, error_code(told)) == (2, "identity/missing")
    assert not (home / "config" / "identity.pem").exists()


def typed(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """What the person types at the next questions, on a terminal."""
    left = iter(answers)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(left))


def test_a_passphrase_is_set_asked_for_and_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, before = keys(capsys)
    typed(monkeypatch, "open sesame", "open sesame", "open sesame")
    assert keys(capsys, "passphrase")[1] == {**before, "created": False, "passphrase": True}
    typed(monkeypatch, "wrong")
    assert error_code(keys(capsys)[1]) == "identity/passphrase-wrong"
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    assert error_code(keys(capsys)[1]) == "identity/passphrase-needed"
    typed(monkeypatch, "open sesame", "")
    assert keys(capsys, "passphrase")[1] == {**before, "created": False}


def test_two_different_passphrases_change_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(capsys)
    before = (home / "config" / "identity.pem").read_bytes()
    typed(monkeypatch, "one", "two")
    assert error_code(keys(capsys, "passphrase")[1]) == "identity/passphrase-differs"
    assert (home / "config" / "identity.pem").read_bytes() == before


def test_an_error_is_logged_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    assert keys(capsys, "import", str(tmp_path / "nothing"), "--log", str(log))[0] == 2
    assert [json.loads(line)["event"] for line in log.read_text().splitlines()] == ["command/start", "command/error"]


def test_no_secret_is_shown_or_logged(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    assert cli.main(["keys", "--log", str(log)]) == 0
    out, err = capsys.readouterr()
    secret = (home / "config" / "identity.pem").read_text().splitlines()[1]
    assert secret not in out + err + log.read_text()
    assert [json.loads(line)["event"] for line in log.read_text().splitlines()] == ["command/start", "command/end"]
