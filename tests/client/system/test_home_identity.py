"""No command makes a new identity in the place of one that a table or a lobby needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_home_soundness import IDENTITY, home, original, told

from client.table.open_lobby import kept_in, new_lobby
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.identity.words import fingerprint
from p2p.reach.ticket import new_ticket

__all__ = ["home", "original"]


def test_a_missing_identity_is_not_made_anew_where_a_table_needs_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "config" / "identity.pem"
    path.unlink()
    for words in (("resume", "mine", "--as", "random"), ("resume",)):
        code, answer = told(capsys, *words)
        assert (code, answer["error"]["code"]) == (2, "home/identity")
        assert fingerprint(IDENTITY.public) in answer["error"]["hint"]
        assert not path.exists()
    assert told(capsys, "doctor")[1]["steps"][0]["ok"] is False
    assert told(capsys, "leave", "mine")[0] == 0
    assert not path.exists()


TICKET = str(new_ticket(b"l" * 16, SigningKey.from_seed(bytes(32)).public, ["tcp://127.0.0.1:9"], 2_000_000_000))
MAKING = [
    ("keys",),
    ("host", "eclipse2", "--players", "2", "--local", "--as", "random"),
    ("play", "eclipse2", "--players", "2", "--as", "random"),
    ("join", TICKET, "--local", "--as", "random"),
    ("watch", TICKET, "--local"),
]
"""Commands that make an identity in a new home."""


@pytest.mark.parametrize("words", MAKING, ids=lambda words: words[0])
def test_no_command_makes_an_identity_anew_where_a_table_needs_the_missing_one(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    path = home / "config" / "identity.pem"
    path.unlink()
    code, answer = told(capsys, *words)
    assert (code, answer["error"]["code"]) == (2, "home/identity")
    assert fingerprint(IDENTITY.public) in answer["error"]["hint"]
    assert "starlock leave mine" in answer["error"]["hint"]
    assert not path.exists()


def test_no_command_makes_an_identity_anew_where_a_lobby_waits_for_whoever_has_a_ticket_of_the_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    lobby = new_lobby("rex", {}, 3, (("Ann", None),), (), 600)
    lobby.ticket = str(new_ticket(lobby.lobby, IDENTITY.public, (), lobby.expiry))
    (tmp_path / "data" / "open").mkdir(parents=True)
    kept_in(lobby, tmp_path / "data", ())
    code, answer = told(capsys, "keys")
    assert (code, answer["error"]["code"]) == (2, "home/identity")
    assert told(capsys, "leave", lobby.name)[0] == 0
    assert told(capsys, "keys")[1]["created"]


def test_once_the_table_is_put_away_a_home_that_has_lost_its_identity_gets_a_new_one(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "config" / "identity.pem").unlink()
    assert told(capsys, "leave", "mine")[0] == 0
    assert told(capsys, "keys")[1]["created"]


def test_by_post_the_key_of_the_table_speaks_alone_and_no_identity_is_needed_or_made(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "config" / "identity.pem"
    path.unlink()
    assert told(capsys, "post", "mine", "--newest")[0] == 0
    assert not path.exists()


def test_another_identity_is_named_before_the_table_opens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_identity(home / "config" / "identity.pem", SigningKey.from_seed(bytes(32)))
    code, answer = told(capsys, "resume", "mine", "--as", "random")
    assert (code, answer["error"]["code"]) == (2, "home/identity")
    assert fingerprint(IDENTITY.public) in answer["error"]["hint"]
