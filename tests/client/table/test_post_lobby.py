"""Tables that begin by post: from the invitation to the end of a game, homes meet by files and pasted text alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_post import Home, finish, reading, run

from client import __version__
from client.table.tables import records
from p2p.log.store import Store
from p2p.wire.address import scheme

__all__ = ["run"]

Answer = tuple[int, dict[str, Any], str]


class Table:
    """Homes of friends, who write to one another in files. run: runs a command in a home."""

    def __init__(self, folder: Path, run: Callable[..., Answer]) -> None:
        self._folder, self._run = folder, run
        self.name = ""

    def home(self, name: str) -> Friend:
        return Friend(self._folder / name, self._folder / f"{name}.letter", self._run, self)

    def opened(self, players: int, *options: str, host: str = "ann") -> Friend:
        """Ann invites."""
        ann = self.home(host)
        words = ("--players", players, *(word for option in options for word in ("-o", option)))
        code, answer, told = ann.say(
            "host", "toy", "--post", "--as", "random", "--name", "Ann", "--letter", ann.out, *words
        )
        assert code == 0, (answer, told)
        self.name = answer["name"]
        return ann


class Friend(Home):
    """A home at such a table."""

    def __init__(self, path: Path, out: Path, run: Callable[..., Answer], table: Table) -> None:
        super().__init__(path, out, run)
        self.table = table

    def say(self, *words: object) -> Answer:
        return self.run(self.path, *words, "--json")

    def join(self, letter: str | Path, name: str, *words: str) -> Answer:
        return self.say("join", letter, "--as", "random", "--name", name, "--letter", self.out, *words)

    def post(self, *words: str | Path) -> Answer:
        return self.say("post", self.table.name, *words)

    def lobby(self, *others: Friend) -> dict[str, Any]:
        """Read the letters of others and write one."""
        code, answer, told = self.post("-o", self.out, *reading(*(other.out for other in others)))
        assert code == 0, (answer, told)
        return answer


@pytest.fixture
def table(tmp_path: Path, run: Any) -> Table:
    return Table(tmp_path, run)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        pytest.param(2, (), marks=pytest.mark.slow),
        pytest.param(3, ("draws=open",), marks=pytest.mark.soak),
        pytest.param(3, ("draws=sealed",), marks=pytest.mark.soak),
    ],
)
def test_friends_who_never_meet_begin_a_table_by_letters_and_finish_it(
    players: int, options: tuple[str, ...], table: Table
) -> None:
    ann = table.opened(players, *options)
    guests = [table.home(name) for name in ("bob", "cid")[: players - 1]]
    for guest in guests:
        assert guest.join(ann.out, guest.path.name.title())[1]["state"] == "lobby"
    assert ann.lobby(*guests)["waiting"] == [guest.path.name.title() for guest in guests]
    for guest in guests:
        guest.lobby(ann)
    assert ann.lobby(*guests)["state"] == "playing"
    ended = finish([ann, *guests])
    assert len({answer["height"] for answer in ended}) == 1
    assert guests[0].say("verify", table.name)[0] == 0
    assert not [path for home in (ann, *guests) for path in (home.path / "data" / "lobbies").iterdir()]


def test_text_begins_a_table_as_files_do_and_letters_may_come_twice_or_late(table: Table, tmp_path: Path) -> None:
    _code, answer, _told = (ann := table.home("ann")).say("host", "toy", "--players", "2", "--post", "--name", "Ann")
    table.name = answer["name"]
    bob = table.home("bob")
    invitation = "Hi Bob!\n" + answer["bundle"].upper().replace("\n", "\n> ")
    first = bob.say("join", invitation, "--name", "Bob", "--as", "random")[1]["bundle"]
    kept = tmp_path / "kept"
    kept.write_text(first)
    roster = ann.post("--in", kept)[1]["bundle"]
    kept.write_text(roster + "\n\n" + invitation + first)
    begun = bob.post("--in", kept)[1]
    assert (begun["state"], begun["waiting"]) == ("playing", ["Ann"]), "Bob has signed what he can"
    assert not bob.post("--in", kept)[1]["wrong"]


def test_a_guest_is_met_later_at_the_relay_of_its_inviter_and_at_none_of_its_other_addresses(table: Table) -> None:
    ann, bob = table.home("ann"), table.home("bob")
    ways = ("--relay", "relay.example.org", "--address", "ann.example.org:4711")
    words = ("host", "toy", "--players", "2", "--post", "--as", "random", "--name", "Ann", "--letter", ann.out, *ways)
    code, answer, told = ann.say(*words)
    assert code == 0, (answer, told)
    table.name = answer["name"]
    bob.join(ann.out, "Bob")
    assert ann.lobby(bob)["waiting"] == ["Bob"]
    bob.lobby(ann)
    with Store(bob.path / "data", __version__) as store:
        ((_stored, record),) = records(store)
    here, there = record.addresses.values()
    assert [scheme(each) for each in here] == ["tcp", "relay"]
    assert there == here[1:]


def test_a_guest_whose_name_is_taken_answers_anew(table: Table) -> None:
    ann, bob = table.opened(2), table.home("bob")
    bob.join(ann.out, "ann")
    told = ann.post("-o", ann.out, "--in", bob.out)[2]
    assert "does not sit down" in told
    bob.join(table.home("ann").out, "Bob")
    assert ann.lobby(bob)["waiting"] == ["Bob"]


def test_who_sits_at_a_table_cannot_sit_down_again_and_who_does_not_is_told_to_join(table: Table) -> None:
    ann, bob, cid = table.opened(2), table.home("bob"), table.home("cid")
    assert ann.say("join", ann.out, "--name", "Ann")[1]["error"]["code"] == "table/known"
    assert cid.say("post", "--in", ann.out)[1]["error"]["code"] == "post/invitation"
    bob.join(ann.out, "Bob")
    assert cid.join(bob.out, "Cid")[1]["error"]["code"] == "post/no-invitation"
    ann.lobby(bob)
    cid.join(shutil.copy(bob.out, bob.out.with_name("late")), "Cid")
    assert ann.lobby(cid)["waiting"] == ["Bob"]


def test_a_changed_letter_is_told_and_takes_nothing(table: Table) -> None:
    ann, bob = table.opened(2), table.home("bob")
    whole = ann.out.read_bytes()
    for place in (3, 20, len(whole) // 2, len(whole) - 1):
        ann.out.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        code, answer, _ = bob.join(ann.out, "Bob")
        assert (code != 0, answer["ok"]) == (True, False)
        assert answer["error"]["hint"]
    ann.out.write_bytes(whole)
    assert bob.join(ann.out, "Bob")[0] == 0


def test_what_needs_links_does_not_go_with_an_invitation_by_post(table: Table) -> None:
    answer = table.home("ann").say("host", "toy", "--players", "2", "--post", "--bots", "random")[1]
    assert answer["error"]["code"] == "cli/usage"


def test_a_lobby_by_post_is_listed_until_it_begins_or_is_left(table: Table) -> None:
    ann = table.opened(2)
    assert [each["name"] for each in ann.say("tables")[1]["lobbies"]] == [table.name]
    assert ann.say("leave", table.name)[1]["state"] == "left"
    assert ann.say("tables")[1]["lobbies"] == []


def test_at_a_terminal_the_inviter_pastes_an_answer_and_is_asked_about_the_newcomer(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = table.home("ann"), table.home("bob")
    table.name = ann.say("host", "toy", "--players", "2", "--post", "--name", "Ann", "--letter", ann.out)[1]["name"]
    answer = bob.say("join", ann.out, "--name", "Bob")[1]["bundle"]
    for said, waiting in (("no", []), ("yes", ["Bob"])):
        typed = iter(["> " + line for line in answer.splitlines()] + ["", "perhaps", said])
        with monkeypatch.context() as patch:
            patch.setattr("client.commands.letters.at_terminal", lambda _context: True)
            patch.setattr("builtins.input", lambda _prompt="", typed=typed: next(typed))
            assert ann.post("-o", ann.out)[1]["waiting"] == waiting
        if said == "no":  # who was sent away may ask again
            answer = bob.say("join", ann.out, "--name", "Bob")[1]["bundle"]
