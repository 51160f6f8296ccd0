"""Several people at one screen: how many, what they are called, and where it is told."""

from __future__ import annotations

from argparse import ArgumentParser
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands import play
from client.commands.people import check_people, check_shared, names_of_people
from client.session.start import NewTable
from client.system.errors import UserError
from client.system.names import member_name, seat_name
from client.table.lobby import judge_name
from client.table.people import name_at, names_of_seats
from p2p.lobby.messages import Seated, Sitter
from p2p.lockstep.genesis import MAX_NAME, Member, Row


def parsed(*words: str) -> Any:
    parser = ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--people", "0"), "cli/people"),
        (("--people", "-2"), "cli/people"),
        (("--people", "5"), "cli/people"),
        (("--people", "2", "--as", "greedy"), "cli/people-bot"),
        (("--people", "2", "--web"), "cli/people-page"),
        (("--people", "2", "--api"), "cli/people-page"),
    ],
)
def test_people_who_cannot_share_the_screen_are_refused(words: tuple[str, ...], code: str) -> None:
    with pytest.raises(UserError) as refused:
        check_people(parsed(*words), 4)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("Ann", "cli/people-names"),
        ("Ann,Bob,Cid", "cli/people-names"),
        ("Ann,", "name/empty"),
        ("Ann,\x1b[2JBob", "name/misleading"),
        ("Ann,Bob (bot)", "name/bot"),
        ("Ann,Аnn", "name/misleading"),
        ("Ann,ann", "cli/people-alike"),
        ("Ann,Bob> yes <Ann", "name/framing"),
        ("Ann," + "x" * 25, "name/long"),
        ("界" * 12 + "," + "世" * 12 + "x", "name/long"),
    ],
)
def test_names_that_cannot_be_are_refused(names: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        names_of_people(parsed("--people", "2", "--name", names))
    assert refused.value.code == code


def at_terminal(monkeypatch: pytest.MonkeyPatch, *said: str) -> None:
    """A terminal at which these lines are typed, and then Ctrl-D."""
    lines = iter(said)

    def read(_prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", read)


def test_names_that_are_not_given_are_asked_one_by_one_until_each_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_terminal(monkeypatch, "Ann", "ann", "", "Bob, Cid", "Bob")
    assert names_of_people(parsed("--people", "2")) == ["Ann", "Bob"]
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(("terminal", "code"), [(True, "cli/interrupted"), (False, "cli/people-unnamed")])
def test_without_a_terminal_nobody_is_asked_for_names_and_at_the_end_of_its_input_no_longer(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, code: str
) -> None:
    at_terminal(monkeypatch, "Ann")
    if not terminal:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    with pytest.raises(UserError) as refused:
        names_of_people(parsed("--people", "2"))
    assert refused.value.code == code


def test_each_name_has_room_of_its_own_in_the_genesis() -> None:
    names = [letter * 12 for letter in "界世星海"]
    assert names_of_people(parsed("--people", "4", "--name", ",".join(names))) == names
    assert all(len(name.encode()) <= MAX_NAME for name in names)


def test_a_table_of_several_people_goes_on_on_no_page() -> None:
    shared = SimpleNamespace(rows=(Row(0, "Ann"), Row(1, "Bob")))
    alone = SimpleNamespace(rows=(Row(0, "Ann"), Row(1, "Bob", "random")))
    check_shared(parsed(), shared)  # type: ignore[arg-type]  # as much of a member as is read
    check_shared(parsed("--web"), alone)  # type: ignore[arg-type]  # as much of a member as is read
    with pytest.raises(UserError):
        check_shared(parsed("--web"), shared)  # type: ignore[arg-type]  # as much of a member as is read


def test_each_seat_of_a_shared_screen_has_the_name_of_its_person() -> None:
    names = names_of_people(parsed("--people", "2", "--name", "Ann, Bob"))
    assert names == ["Ann", "Bob"]
    rows = (Row(1, "Ann"), Row(3, "Bob"), Row(4, "Ann Smith", "random"))
    assert [seat_name(row) for row in rows] == ["Ann", "Bob", "Ann Smith (bot)"]
    assert member_name(rows) == "Ann & Bob", "a comma stands between machines"
    assert member_name(rows[2:]) == "Ann Smith (bot)"


def test_the_people_of_one_machine_are_joined_alike_in_a_lobby_and_at_a_table() -> None:
    certificate: Any = None
    rows = (Row(0, "Ann"), Row(1, "Bob"), Row(2, "Ann", "random"))
    sitter = Sitter(certificate, tuple((row.name, row.level) for row in rows), (), ())
    members = (Member(certificate, rows, bytes(32)), Seated(b"", rows, ready=True), sitter)
    assert {each.name for each in members} == {member_name(rows)} == {"Ann & Bob"}
    assert Member(certificate, rows[2:], bytes(32)).name == "Ann"


def test_a_seat_that_is_owed_for_is_told_by_the_name_of_its_person() -> None:
    rows = {0: Row(0, "Ann"), 1: Row(1, "Bob"), 2: Row(2, "Cid", "greedy")}
    machine = SimpleNamespace(rows=(rows[0], rows[1]))
    position: Any = SimpleNamespace(roster={b"k": machine}, membership=SimpleNamespace(rows=rows))
    assert [name_at(position, seat) for seat in range(3)] == ["Ann", "Bob", "Cid (bot)"]
    assert names_of_seats(position, b"k", (1,)) == {"Bob": [1]}
    assert names_of_seats(position, b"k", (0, 1)) == {"Ann": [0], "Bob": [1]}
    assert names_of_seats(position, b"k", ()) == {"Ann & Bob": []}


def test_nobody_sits_down_under_the_name_of_one_of_several_people() -> None:
    here = Seated(b"here", (Row(0, "Ann"), Row(1, "Bob"), Row(4, "Dee", "greedy")), ready=True)
    certificate: Any = None
    for names in (["Bob"], ["Eve", "Bob"], ["b0b"], ["Eve", "eve"]):
        guest = Sitter(certificate, tuple((name, None) for name in names), (), ())
        assert judge_name(guest, (here,)) is not None
    for name in (
        "Eve Bob",
        "Dee",
        "Ann & Bob",
    ):  # who are shown as Dee (bot), and with the sign between them written out
        assert judge_name(Sitter(certificate, ((name, None),), (2,), ()), (here,)) is None


def test_a_new_table_has_no_more_people_than_seats() -> None:
    table = NewTable(game="rex", seats=4, people=4)
    assert table.command("play")[-2:] == ["--people", "4"]
    table.sit(3)
    assert table.people == 3
    table.people = 1
    assert "--people" not in table.command("play")
