"""A member that has lost its laptop, or a decision, goes on with a new key by the vote of the others."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from peers import PATIENCE, Starlock, guest, host, resume, ticket

from client import __version__
from client.commands import cli
from client.system.settings import Folders
from client.table.tables import records
from p2p.lockstep.step import STAGE
from p2p.log.store import DATABASE, Store, peek_table


class Person:
    """A person at a table that a process serves to a program."""

    def __init__(self, process: Starlock) -> None:
        assert process.process.stdout is not None
        place = json.loads(process.process.stdout.readline())
        self._host, self._key = urlsplit(place["url"]).netloc, place["key"]

    @contextmanager
    def _post(self, path: str, body: Any) -> Iterator[Any]:
        connection = HTTPConnection(self._host)
        with closing(connection):
            connection.request("POST", path, json.dumps(body), {"X-Starlock": self._key})
            with closing(connection.getresponse()) as response:
                yield response

    def act(self, name: str, **fields: Any) -> bool:
        """Do something; False if it was refused."""
        with self._post("/do", {"act": name, **fields}) as response:
            return bool(json.loads(response.read())["ok"])

    def agree_to_move(self) -> dict[str, Any]:
        """Vouch for this copy, since nobody who knows the old key can confirm it, and say yes to the proposal. While
        links change and entries arrive, both may be refused for the moment."""
        self._until(lambda vote: self.act("newest", sure=True))
        return self._until(lambda vote: self.act("vote", id=vote["id"], yes=True))

    def _until(self, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while not done(vote := self.vote()):
            assert time.monotonic() < end, vote
        return vote

    def vote(self) -> dict[str, Any]:
        """The first proposal that waits for the person's word."""
        with self._post("/state", {}) as response:
            for line in response:
                if line.strip() and (votes := (json.loads(line).get("view") or {}).get("votes")):
                    found: dict[str, Any] = votes[0]
                    return found
        raise AssertionError("the program has ended")


def identity_of(home: Path) -> Path:
    return Folders.of_home(home).identity


def slips(folder: Path) -> int:
    """How many slips of friends a home holds, as another process sees it."""
    with closing(
        sqlite3.connect(f"file:{Folders.of_home(folder / 'home').data / DATABASE}?mode=ro", uri=True)
    ) as store:
        (count,) = store.execute("SELECT count(*) FROM slips").fetchone()
    return int(count)


def entries(folder: Path) -> Any:
    (stored,) = [stored for stored in _tables(folder) if stored]
    return peek_table(Folders.of_home(folder / "home").data, stored).entries


def _tables(folder: Path) -> list[bytes]:
    with Store(Folders.of_home(folder / "home").data, __version__) as store:
        return [stored.table for stored, _record in records(store)]


@pytest.mark.parametrize(("word", "code"), [("starlock:q4avb2e", "ticket/"), ("nothing", "table/unknown")])
def test_what_is_wrong_with_a_ticket_is_told_and_a_name_is_of_a_table(
    word: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    assert cli.main(["keys", "--json"]) == 0
    capsys.readouterr()
    assert cli.main(["recover", word, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"].startswith(code)


@pytest.mark.slow
def test_from_the_identity_and_one_friend_a_new_machine_gets_the_table_and_its_hand_back(tmp_path: Path) -> None:
    ann_home, bob_home, new_home = (tmp_path / name for name in ("ann", "bob", "new"))
    with host(ann_home) as ann:
        with guest(bob_home, ticket(ann), "Bob") as bob:
            ann.until(lambda: slips(ann_home))
            bob.reaches(10)  # long before chance can ruin a seat, which then answers nothing more
            bob.kill()
        ann.kill()
    invitation = (ann_home / "ticket").read_text("ascii").strip()
    old = {entry.author for entry, _ in entries(bob_home)}
    path = identity_of(new_home / "home")
    path.parent.mkdir(parents=True)
    shutil.copy(identity_of(bob_home / "home"), path)
    shutil.rmtree(bob_home)  # the laptop is lost
    with Starlock(ann_home, "resume", "--api") as ann:
        person = Person(ann)
        ann.until(lambda: ann.events("table/stopped") or ann.events("table/link/alone"))
        with Starlock(new_home, "recover", invitation, "--as", "random", "--local", "--json") as new:
            vote = person.agree_to_move()
            assert (vote["kind"], vote["name"]) == ("moved", "Bob (bot)")
            assert "its hand stays" in vote["text"]
            new.until(lambda: new.events("table/vote/open"))
            ann.kill()
            with resume(ann_home) as again:
                assert (again.end(), new.end()) == (0, 0), again.errors + new.errors
                assert again.answer["digest"] == new.answer["digest"]
    log = entries(new_home)
    fresh = {entry.author for entry, _ in log} - old
    assert len(fresh) == 1
    assert any(entry.kind in STAGE and entry.author in fresh for entry, _ in log)
    assert not [entry for entry, _ in log if entry.kind == "fault"]
    with Starlock(ann_home, "verify", "--json", _name(ann_home)) as verify:
        assert verify.end() == 0, verify.errors


def _name(folder: Path) -> str:
    with Store(Folders.of_home(folder / "home").data, __version__) as store:
        ((_, record),) = records(store)
    return record.name


def untouched(folder: Path) -> None:
    """Leave a home as it is."""


def damaged(folder: Path) -> None:
    """Flip bits of the key of the home's table. What its own program says then leads to `recover`."""
    with closing(sqlite3.connect(Folders.of_home(folder / "home").data / DATABASE)) as store, store:
        store.execute("UPDATE tables SET key = CAST(x'00' || substr(key, 2) AS BLOB)")
    with Starlock(folder, "resume", "--as", "random", "--json") as refused:
        assert refused.end() == 2
    error = refused.answer["error"]
    assert error["code"] == "store/keys"
    assert f"starlock recover {_tables(folder)[0].hex()[:8]}" in error["hint"]


@pytest.mark.soak  # test_moved.py holds the rule, and the test above the command
@pytest.mark.parametrize("harm", [untouched, damaged])
def test_a_home_that_has_lost_a_decision_or_its_key_goes_on_with_a_new_key_and_its_old_key_is_gone(
    harm: Callable[[Path], None], tmp_path: Path
) -> None:
    ann_home, bob_home = tmp_path / "ann", tmp_path / "bob"
    with host(ann_home) as ann:
        with guest(bob_home, ticket(ann), "Bob") as bob:
            ann.until(lambda: slips(ann_home))
            bob.reaches(20)
            bob.kill()
        ann.kill()
    old = {entry.author for entry, _ in entries(bob_home)}
    harm(bob_home)
    with Starlock(ann_home, "resume", "--api") as ann:
        person = Person(ann)
        ann.until(lambda: ann.events("table/stopped") or ann.events("table/link/alone"))
        with Starlock(bob_home, "recover", _name(bob_home), "--yes", "--as", "random", "--json") as new:
            assert "its hand stays" in person.agree_to_move()["text"], "its own secret or its slip is still there"
            new.until(lambda: new.events("table/vote/open"))
            new.kill()
        ann.kill()
    with resume(ann_home) as ann, resume(bob_home) as again:  # its new key goes on as any other
        assert (ann.end(), again.end()) == (0, 0), ann.errors + again.errors
        assert ann.answer["digest"] == again.answer["digest"]
    assert len({entry.author for entry, _ in entries(bob_home)} - old) == 1
