"""A lobby outlives its process: its ticket, key, guests and answers are kept until its table begins or it is left."""

from __future__ import annotations

import stat
import time
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import recorded
from peers import Starlock, ticket

from client.commands import awaiting, cli, resume
from client.commands.awaiting import kept_lobby
from client.session.start import open_tables
from client.system.context import Context
from client.system.errors import UserError
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.joining import TICKET_LASTS
from client.table.open_lobby import FOLDER, MOST_ANSWERS, OpenLobby, kept_in, lobby_called, new_lobby, open_lobbies
from client.table.record import Record
from client.table.tables import opens
from p2p.identity.keys import SigningKey
from p2p.log.store import Store
from p2p.reach.answer import LASTS, GuestAnswer, write_answer
from p2p.reach.lines import ANSWER, INVITATION, kind_of
from p2p.reach.ticket import new_ticket

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))


def lobby(home: Path, lasts: int = 600) -> OpenLobby:
    made = new_lobby("eclipse2", {"draws": "open"}, 3, (("Ann", None), ("(bot) C", "greedy")), (0, 2), lasts)
    made.relays, made.shown, made.port = ("relay://8.8.4.9:40918",), "", 4711
    made.ticket = str(new_ticket(made.lobby, ANN.public, ["tcp://8.8.4.7:1"], made.expiry))
    made.admitted = {BOB.public: (("Bob", None),)}
    kept_in(made, home, ())
    return made


def line(made: OpenLobby) -> str:
    answer = GuestAnswer(made.lobby, BOB.public, b"instance", ("tcp://8.8.4.2:4000",), int(time.time()) + LASTS)
    return write_answer(answer, BOB, ANN.public)


def test_all_that_is_kept_comes_back_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    made = lobby(tmp_path)
    made.answered(b"sealed", int(time.time()) + 60)
    (read,) = open_lobbies(tmp_path)
    assert read.keys.key.public == made.keys.key.public
    for name in ("name", "lobby", "secret", "expiry", "game", "options", "seats", "players", "wants", "ticket",
                 "admitted", "answers", "relays", "shown", "port", "bots", "public", "quiet", "local"):  # fmt: skip
        assert getattr(read, name) == getattr(made, name), name
    assert stat.S_IMODE((tmp_path / FOLDER / made.name).stat().st_mode) == 0o600


def test_a_lobby_is_forgotten_when_its_table_has_begun(tmp_path: Path) -> None:
    begun, other = lobby(tmp_path), lobby(tmp_path)
    assert [each.name for each in open_lobbies(tmp_path, [begun.lobby])] == [other.name]
    assert {path.name for path in (tmp_path / FOLDER).iterdir()} == {other.name}


def test_a_clock_that_jumps_ahead_and_back_costs_no_lobby_and_changes_no_ticket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, now = lobby(tmp_path), time.time()
    for ahead in (10 * 365 * 24 * 3600, 0):
        monkeypatch.setattr(time, "time", lambda ahead=ahead: now + ahead)
        (read,) = open_lobbies(tmp_path)
        assert (read.name, read.ticket, read.expired) == (made.name, made.ticket, bool(ahead))


def test_a_lobby_with_an_expired_ticket_is_shown_so_and_opened_again_only_by_its_name_with_a_new_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    data = Folders.of_home(tmp_path).data
    made, opened = lobby(data, lasts=-60), list[OpenLobby]()

    def awaited(*given: Any) -> int:
        opened.append(given[3])
        return 0

    assert cli.main(["tables"]) == 0
    assert f"{made.name:<16} lobby; its ticket expired on " in capsys.readouterr().out
    assert "its ticket has expired" in open_tables(data)[0].text
    monkeypatch.setattr(awaiting, "await_others", awaited)
    assert cli.main(["resume"]) == 2
    assert "There is no table" in capsys.readouterr().err
    assert cli.main(["resume", made.name]) == 0
    assert opened[0].secret == made.secret
    assert opened[0].expiry > time.time() + TICKET_LASTS - 60


def test_a_lobby_that_is_left_is_forgotten_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    data = Folders.of_home(tmp_path).data
    left, other = lobby(data), lobby(data)
    assert cli.main(["leave", left.name]) == 0
    assert [each.name for each in open_lobbies(data)] == [other.name]
    assert not (data / FOLDER / left.name).exists()


def test_a_name_that_is_taken_gets_more_letters(tmp_path: Path) -> None:
    made = new_lobby("rex", {}, 3, (("Ann", None),), (0,), 60)
    kept_in(made, tmp_path, [f"rex-{made.lobby.hex()[:4]}"])
    assert made.name == f"rex-{made.lobby.hex()[:5]}"


@pytest.mark.parametrize("damage", [b"", b"\x00", b"\xa0", b"junk" * 99])
def test_a_file_that_cannot_be_read_is_named_and_kept(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / FOLDER / lobby(tmp_path).name
    path.write_bytes(damage)
    with pytest.raises(UserError, match=path.name):
        open_lobbies(tmp_path)
    assert path.read_bytes() == damage


def test_a_lobby_is_called_by_its_name_its_ticket_and_an_answer_to_it(tmp_path: Path) -> None:
    one, other = lobby(tmp_path), lobby(tmp_path)
    known = [one, other]
    answer = f"Bob, 20:15\n> {line(other)}"

    def called(word: str) -> tuple[OpenLobby, str] | None:
        return lobby_called(known, word, lambda sealed, id: opens(sealed, ANN, id))

    assert called(one.name) == (one, "")
    assert called(other.ticket) == (other, "")
    assert called(answer) == (other, answer)
    quoted = f"> {one.ticket}\nBob: {line(other)}"
    assert called(quoted) == (other, quoted)
    strange = f"> {one.ticket}\nBob: {line(new_lobby('rex', {}, 3, (), (), 60))}"
    assert called(strange) == (one, strange)  # the lobby names what is wrong with the answer
    assert called("eclipse2-beef") is None
    assert called(line(new_lobby("rex", {}, 3, (), (), 60))) is None
    assert (kind_of(answer), kind_of(one.ticket), kind_of("starlock:abc")) == (ANSWER, INVITATION, None)


def test_resume_without_a_word_goes_on_with_the_lobby_that_was_noted_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folders = Folders.of_home(tmp_path)
    made, gathered = lobby(folders.data), list[tuple[str, str]]()
    monkeypatch.setattr(resume, "gather_again", lambda _a, _c, _s, found, said: gathered.append((found.name, said)))
    for words in ([], [made.name], [made.ticket]):
        out = StringIO()
        context = Context("resume", False, folders, out, out, Meter(out))
        resume.run(cli.parsers()["resume"][1].parse_args(words), context)
    assert gathered == [(made.name, "")] * 3


@pytest.mark.parametrize(
    ("state", "later", "lobby_goes_on"),
    [("playing", 60, False), ("playing", -60, True), ("finished", 60, True), ("left", 60, True)],
)
def test_resume_without_a_word_goes_on_with_a_table_that_was_played_on_after_the_lobby(
    state: Any, later: int, lobby_goes_on: bool, tmp_path: Path
) -> None:
    made, table = lobby(tmp_path), recorded.begun(6)
    record = Record("mine", table.genesis, state, since=(5, int(time.time()) + later))
    context: Any = SimpleNamespace(folders=SimpleNamespace(data=tmp_path))
    with Store(tmp_path, "test") as store:
        store.add_table(table.genesis.table, record.info(), table.keys[0])
        found = kept_lobby(context, store, None, "")
        assert ((found is not None), found is None or found[0].name == made.name) == (lobby_goes_on, True)
        assert kept_lobby(context, store, made.name, "") is not None


def test_of_many_answers_the_last_that_have_not_expired_are_kept(tmp_path: Path) -> None:
    made = lobby(tmp_path)
    now = int(time.time())
    made.answered(b"old", now - 1)
    for number in range(2 * MOST_ANSWERS):
        made.answered(bytes([number]), now + 600)
    made.answered(bytes([15]), now + 601)
    assert made.open_answers(now) == [bytes([number]) for number in range(MOST_ANSWERS, 2 * MOST_ANSWERS)]
    assert made.open_answers(now + 600) == [bytes([15])]


def test_what_a_crash_left_half_written_goes_with_the_lobby(tmp_path: Path) -> None:
    made = lobby(tmp_path)
    (tmp_path / FOLDER / f".{made.name}.b3aec658").write_bytes(b"secret")
    assert [each.name for each in open_lobbies(tmp_path)] == [made.name]
    made.forget()
    assert not list((tmp_path / FOLDER).iterdir())


def test_a_full_disk_is_told_and_ends_no_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = lobby(tmp_path)
    told: list[UserError] = []

    def full(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("client.table.open_lobby.write_private", full)
    with pytest.raises(UserError):
        made.keep()
    made.trouble = told.append
    made.sits({"draws": "sealed"}, 3, made.players, made.wants)
    assert len(told) == 1
    made.sits({"draws": "sealed"}, 3, made.players, made.wants)
    assert len(told) == 1  # nothing new has to be kept


@pytest.mark.soak
def test_a_lobby_whose_process_was_killed_goes_on_with_its_ticket_and_begins(tmp_path: Path) -> None:
    words = ("host", "eclipse2", "--players", "2", "--as", "random", "--name", "Ann", "--local", "--private", "--json")
    with Starlock(tmp_path / "ann", *words, "--ticket-file", str(tmp_path / "ann" / "ticket")) as ann:
        line = ticket(ann)
        ann.kill()
        shown = ann.errors.count("join TICKET")
    with Starlock(tmp_path / "ann", "resume", "--json") as ann:
        ann.until(lambda: ann.errors.count("join TICKET") > shown)
        with Starlock(tmp_path / "bob", "join", line, "--as", "random", "--name", "Bob", "--local", "--json") as bob:
            for peer in (ann, bob):
                peer.until(lambda peer=peer: bool(peer.events("table/begun")))  # type: ignore[misc]
        assert not list((tmp_path / "ann" / "home" / "data" / FOLDER).iterdir())
