"""What commands with a seat share: who plays, which error is shown first, and what is said when a table ends."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands import seating
from client.commands.seating import (
    afterwards,
    answer,
    answer_finished,
    at_table,
    check_levels,
    check_programs,
    course_text,
    front_options,
    going_on,
    has_input,
    is_served,
    leading,
    play_out,
    resumed_level,
    told_end,
    wish_of,
    with_bots,
)
from client.fronts import FrontOptions
from client.system.errors import CHECK_FAILED, DONE, INTERRUPTED, UserError
from client.system.names import bot_name
from client.system.platform import program
from client.table.joining import SeatRequest
from client.table.result import Result
from p2p.log.store import StoreError

RESULT = Result(
    game="rex", table="ab" * 16, players=3, names=("Ann", "Bob (bot)", "Cid"), draws="open", test=False,
    ending="played", entries=1200, rolls=1, decisions=2, height=88, seconds=3.25, bytes_sent=12_999, digest="d1",
    digests=("d1", "d1"), scores=(7, 12, 7), ranks=(2, 1, 2),
)  # fmt: skip


def result(**other: Any) -> Result:
    fields: dict[str, Any] = {**RESULT.fields(), **other}
    return Result(**fields)


class Told:
    def __init__(self) -> None:
        self.answers: list[tuple[str, dict[str, Any]]] = []
        self.logged: list[tuple[str, dict[str, Any]]] = []
        self.interrupted_hint = "?"

    def answer(self, text: str, **fields: Any) -> None:
        self.answers.append((text, fields))

    def log(self, event: str, **fields: Any) -> None:
        self.logged.append((event, fields))


# The result ----------------------------------------------------------------------------------------------------------


def test_a_result_survives_being_stored() -> None:
    for each in (RESULT, result(unsigned=("Cid",), digests=())):
        assert Result.read(each.text()) == each
        assert "\n" not in each.text()


def test_places_points_and_numbers_stand_below_each_other_in_the_order_of_the_places() -> None:
    assert RESULT.shown().splitlines() == [
        "   1.  Bob (bot)    12",
        "   2.  Ann           7",
        "   2.  Cid           7",
        "1200 entries, 1 roll, 2 decisions; 3.2 s, 12 kB sent",
        "Final state d1",
    ]
    by_post = result(bytes_sent=0, unsigned=("Cid", "Dee")).shown().splitlines()
    assert by_post[3:] == [
        "The end is not confirmed by Cid, Dee.",
        "1200 entries, 1 roll, 2 decisions",
        "Final state d1",
    ]


@pytest.mark.parametrize(("digests", "alike"), [(("d1",), True), ((), True), (("d1", "d2"), False), (("d2",), False)])
def test_a_result_is_alike_if_nobody_signed_another_final_state(digests: tuple[str, ...], alike: bool) -> None:
    assert result(digests=digests).alike == alike


# The end of a command ------------------------------------------------------------------------------------------------


def played(result: Result | None, *, complete: bool = True) -> Any:
    return SimpleNamespace(result=result, record=SimpleNamespace(name="rex-1"), complete=complete)


def test_who_leaves_a_running_table_reads_how_it_goes_on() -> None:
    told: Any = Told()
    assert answer(told, played(None), [], None) == INTERRUPTED
    ((text, fields),) = told.answers
    assert text == f"You left the table rex-1. {going_on('rex-1')}"
    assert fields == {"ok": False, "table": "rex-1", "complete": False}
    assert going_on("rex-1").endswith("resume rex-1")


@pytest.mark.parametrize("save", [None, Path("/somewhere/game.star")])
@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("digests", [("d1",), ("d2",)])
def test_the_outcome_of_a_table_is_told_with_what_may_be_done_now(
    save: Path | None, complete: bool, digests: tuple[str, ...]
) -> None:
    told: Any = Told()
    ended = result(digests=digests)
    code = answer(told, played(ended, complete=complete), ["a line of luck"], save)
    assert code == (DONE if digests == ("d1",) else CHECK_FAILED)
    ((text, fields),) = told.answers
    lines = [*told_end(ended, "rex-1", ["a line of luck"])]
    assert text.startswith("\n".join(lines))
    assert ("Somebody may still lack the last entries" in text) != complete
    assert text.endswith("resume rex-1") != complete
    assert fields["ok"] == (digests == ("d1",))
    assert fields["logs"] == ([] if save is None else ["/somewhere/game.star"])
    assert (fields["name"], fields["killed"], fields["scores"]) == ("rex-1", [], (7, 12, 7))


def test_an_end_that_was_agreed_on_is_told_as_such() -> None:
    assert told_end(RESULT, "rex-1", ["x"])[0] == "The game is over."
    assert told_end(result(ending="end"), "rex-1", [])[0] == "The game is over: the members agreed to end it."
    assert told_end(RESULT, "rex-1", ["x"])[1:3] == [RESULT.shown(), "x"]
    commands = afterwards("rex-1").splitlines()[2::2]
    assert [line.removeprefix(f"    {program()} ") for line in commands] == [
        "verify rex-1", "replay rex-1", "export rex-1 rex-1.star", "report rex-1 -o rex-1.html"
    ]  # fmt: skip
    assert course_text(None, None) == []  # type: ignore[arg-type]


def test_a_table_that_is_over_for_all_is_answered_from_what_was_stored() -> None:
    told: Any = Told()
    seat: Any = SimpleNamespace(record=SimpleNamespace(name="rex-1", result=result(digests=("d2",)).text()))
    assert answer_finished(told, seat, lambda: ["game.star"]) == DONE
    ((text, fields),) = told.answers
    assert text.startswith("This game is over.\n   1.  Bob (bot)")
    assert (fields["ok"], fields["logs"], fields["name"]) == (False, ["game.star"], "rex-1")


@pytest.mark.parametrize("level", [None, "greedy"])
@pytest.mark.parametrize("resumed", [True, False])
@pytest.mark.parametrize("over", [True, False])
@pytest.mark.parametrize("save", [None, Path("game.star")])
async def test_a_table_is_played_out_by_person_or_bot_and_saved_if_it_ends(
    monkeypatch: pytest.MonkeyPatch, level: str | None, resumed: bool, over: bool, save: Path | None
) -> None:
    told: Any = Told()
    shown, asked, saved = list[str](), list[Any](), list[Any]()
    genesis = SimpleNamespace(
        game="rex", origin=None, table=b"t" * 16, options={"draws": "open"}, seats=3, members=(1, 2)
    )
    seat: Any = SimpleNamespace(
        record=SimpleNamespace(name="rex-1", genesis=genesis, level=level), keys=SimpleNamespace(key="table key")
    )
    ended: Any = SimpleNamespace(
        result=RESULT if over else None, record=SimpleNamespace(name="rex-1"), complete=True, table="table"
    )

    async def play(*given: Any, person: bool) -> Any:
        asked.append((given, person))
        assert told.interrupted_hint == going_on("rex-1")
        return ended

    monkeypatch.setattr("client.table.peer.play", play)
    monkeypatch.setattr("client.table.result.save_star", lambda *given: saved.append(given))
    monkeypatch.setattr(seating, "course_text", lambda table, result: [f"course of {table}"] if result else [])
    player: Any = SimpleNamespace(show=lambda text: shown.append(text()))
    peer: Any = SimpleNamespace(identity="identity")
    code = await play_out(told, peer, seat, player, "hosting", save, resumed=resumed)  # type: ignore[arg-type]
    assert code == (DONE if over else INTERRUPTED)
    assert told.logged == [("table/begun", {"table": genesis.table.hex(), "name": "rex-1"})]
    assert shown[0] == ("Table rex-1 goes on." if resumed else "Table rex-1 begins.")
    assert shown[1].startswith("Draws are open")
    assert asked == [((peer, seat, player, "hosting"), level is None)]
    assert told.interrupted_hint == ""
    assert saved == ([(save, "table", "table key")] if save and over else [])
    if over:
        assert "\ncourse of table\n" in told.answers[0][0]
    seat.keys = None
    saved.clear()
    await play_out(told, peer, seat, player, None, save)
    assert saved == ([(save, "table", "identity")] if save and over else [])


async def test_a_level_that_the_game_does_not_tell_apart_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    async def play(*_given: Any, person: bool) -> Any:
        return SimpleNamespace(result=None, record=SimpleNamespace(name="rex-1"), complete=True, table=None)

    monkeypatch.setattr("client.table.peer.play", play)
    monkeypatch.setattr(
        seating, "missing_text", lambda game, level: f"no {level} in {game}" if level == "greedy" else ""
    )
    for level, told in (("greedy", ["no greedy in rex"]), ("random", []), (None, [])):
        genesis = SimpleNamespace(game="rex", origin=None, table=b"t", options={}, seats=3, members=(1, 2))
        seat: Any = SimpleNamespace(record=SimpleNamespace(name="rex-1", genesis=genesis, level=level), keys=None)
        player: Any = SimpleNamespace(show=lambda text: shown.append(text()))
        await play_out(Told(), SimpleNamespace(identity=None), seat, player)  # type: ignore[arg-type]
        assert shown[1:] == told
        shown.clear()


# Who plays -----------------------------------------------------------------------------------------------------------


def wished(**other: Any) -> SeatRequest:
    usual = {"port": 0, "level": None, "name": None, "seat": None, "seed": None, "local": False}
    return wish_of(Namespace(**usual | other))


def test_what_a_player_asks_for_is_taken_from_the_arguments() -> None:
    assert wished(name="Ann") == SeatRequest((("Ann", None),), (), None, 0, False, True)
    made = wished(level="greedy", seat=0, seed="x", port=7, local=True)
    assert (made.level, made.wants, made.seed, made.port, made.local, made.named) == (
        "greedy",
        (0,),
        "x",
        7,
        True,
        False,
    )
    assert wish_of(Namespace(port=0, level=None, name="A", seat=2, seed=None, local=False), 1).wants == (1,)
    for wrong, code in (({"seat": -1}, "cli/seat"), ({"seed": "x"}, "cli/seed-seat"), ({"port": 70_000}, "cli/port")):
        with pytest.raises(UserError) as caught:
            wished(name="Ann", **wrong)
        assert caught.value.code == code


def test_bots_of_this_machine_take_the_seats_behind_the_user_in_turn() -> None:
    made = with_bots(SeatRequest((("Ann", None),), (2,)), "greedy,random", (0, 3, 4))
    assert made.players == (("Ann", None), (bot_name(0), "greedy"), (bot_name(3), "random"), (bot_name(4), "greedy"))
    assert made.wants == (2, 0, 3, 4)


@pytest.mark.parametrize(
    ("web", "api", "port", "options"),
    [
        (False, False, 0, (None, False)), (True, False, 0, (0, False)), (False, True, 0, (0, True)),
        (False, False, 80, (80, False)), (True, True, 80, (80, True)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("linear", [True, False])
def test_a_table_is_served_where_a_page_a_program_or_a_port_is_asked_for(
    web: bool, api: bool, port: int, options: tuple[int | None, bool], linear: bool
) -> None:
    args = Namespace(web=web, api=api, web_port=port, linear=linear)
    assert is_served(args) == (options[0] is not None)
    assert front_options(args, "greedy") == FrontOptions("greedy", *options, linear)


@pytest.mark.parametrize(
    ("given", "served", "inside", "outside", "found"),
    [
        ("random", False, False, False, "random"), ("random", True, True, True, "random"),
        (None, False, False, False, "greedy"), (None, False, True, False, "greedy"),
        (None, False, False, True, "greedy"), (None, False, True, True, None), (None, True, False, False, None),
    ],
)  # fmt: skip
def test_a_table_goes_on_with_the_given_bot_with_a_person_or_else_with_the_one_of_before(
    monkeypatch: pytest.MonkeyPatch, given: str | None, served: bool, inside: bool, outside: bool, found: str | None
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: inside))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: outside))
    args = Namespace(level=given, web=served, api=False, web_port=0)
    seat: Any = SimpleNamespace(record=SimpleNamespace(level="greedy"))
    assert resumed_level(args, seat) == found


def test_no_program_that_only_a_record_names_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "adopted", {"shark": "cmd:shark"}.get)
    check_levels(["greedy", "shark", "random"])

    def seat(*levels: str | None, own: str | None = None, follows: bool = False) -> Any:
        member = SimpleNamespace(rows=[SimpleNamespace(level=level) for level in levels])
        keys = None if follows else SimpleNamespace(key=SimpleNamespace(public=b"k"))
        return SimpleNamespace(record=SimpleNamespace(level=own, member=lambda _key: member), keys=keys)

    check_programs(seat("shark", None, "greedy"))
    check_programs(seat("virus", follows=True))
    for wrong in (seat("greedy", "virus"), seat(own="virus"), seat(own="virus", follows=True)):
        with pytest.raises(UserError) as caught:
            check_programs(wrong)
        assert caught.value.code == "bot/not-given"
        assert "(virus)" in caught.value.whole


# Input, and errors ---------------------------------------------------------------------------------------------------


def test_a_terminal_a_pipe_and_a_file_are_input_and_nothing_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "lines"
    file.write_text("a\n")
    reading, writing = os.pipe()
    try:
        with file.open() as lines, Path(os.devnull).open() as nothing, os.fdopen(reading) as pipe:
            for stream, found in ((lines, True), (pipe, True), (nothing, False)):
                monkeypatch.setattr(sys, "stdin", stream)
                assert has_input() == found
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
            assert has_input()
        monkeypatch.setattr(sys, "stdin", nothing)
        assert not has_input(), "it is closed"
    finally:
        os.close(writing)


def test_the_error_that_a_person_can_correct_is_shown_first() -> None:
    wrong, broken = UserError("a/b", "wrong"), StoreError("store/locked", Path("starlock.db"), "7")
    odd, odder = ValueError("odd"), KeyError("odder")
    assert leading(BaseExceptionGroup("", [odd, BaseExceptionGroup("", [odder, wrong])])) is wrong
    assert leading(BaseExceptionGroup("", [wrong, broken])) is wrong
    told = leading(BaseExceptionGroup("", [odd, broken]))
    assert isinstance(told, UserError)
    assert told.code == "store/locked"
    assert leading(BaseExceptionGroup("", [BaseExceptionGroup("", [odd])])) is odd
    group = BaseExceptionGroup("", [odd, odder])
    assert leading(group) is group


@pytest.mark.parametrize(("files", "code"), [(63, "few-files"), (64, "")])
def test_a_table_needs_some_open_files_and_input_where_a_person_plays(
    monkeypatch: pytest.MonkeyPatch, files: int, code: str
) -> None:
    monkeypatch.setattr("client.system.platform.allow_files", lambda most: files if most == 1_024 else 0)
    monkeypatch.delenv("STARLOCK_PARENT", raising=False)
    monkeypatch.setattr(seating, "has_input", lambda: False)
    ran: list[Any] = []
    monkeypatch.setattr(seating, "chosen_front", lambda options: options)

    def front(options: FrontOptions) -> Any:
        def run(*given: Any) -> int:
            ran.append((options, given))
            return 7

        return run

    monkeypatch.setattr(seating, "front", front)
    main: Any = None
    for options in (FrontOptions("greedy"), FrontOptions(None, 0), FrontOptions("greedy", 70_000)):
        if code:
            with pytest.raises(UserError):
                at_table("context", options, main)  # type: ignore[arg-type]
            assert ran == []
        else:
            assert at_table("context", options, main) == 7  # type: ignore[arg-type]
            assert ran.pop() == (options, ("context", None, options))
    for options, wrong in ((FrontOptions(None, 70_000), "cli/port"), (FrontOptions(), "cli/no-terminal")):
        with pytest.raises(UserError) as caught:
            at_table("context", options, main)  # type: ignore[arg-type]
        assert code or caught.value.code == wrong


def test_a_process_that_demo_has_started_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[int] = []
    monkeypatch.setattr("client.system.platform.allow_files", lambda most: most)
    monkeypatch.setattr("client.system.platform.end_with_parent", lambda: ends.append(1))
    monkeypatch.setattr(seating, "front", lambda _options: lambda *_given: 0)
    for parent in (False, True):
        monkeypatch.delenv("STARLOCK_PARENT", raising=False)
        if parent:
            monkeypatch.setenv("STARLOCK_PARENT", "7")
        assert at_table("context", FrontOptions("greedy"), None) == 0  # type: ignore[arg-type]
        assert len(ends) == parent
