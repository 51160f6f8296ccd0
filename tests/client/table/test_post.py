"""Tables by post: homes that never meet play whole games by files and pasted text, whatever comes of these."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from line_room import Room
from volume import gated

import seeds.turns
from client.bots import NODES, bot
from client.commands import cli
from client.system.settings import Folders
from client.table import runtime, snapshot
from client.table.machine import GameMachine
from client.table.mail import Mail
from client.table.options import settled
from client.table.record import Record
from client.table.runtime import RunningTable
from client.table.tables import looked_at
from client.table.thinker import Thinker, Thought
from client.table.writer import StoreWriter
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import GAMES, Option, game, settle_options
from engine.core.values import plain
from engine.core.views import View
from engine.testing.toy import TOY
from p2p.lockstep.lockstep import Lockstep
from p2p.log.store import Store
from p2p.sync.pasted import pasted_parts
from p2p.testing.tables import fixed_genesis
from seeds.hashing import H
from seeds.shuffle import Statement, check_shuffles

MOST = 2_000
APPEND = StoreWriter.append
CHOOSE = Thinker.choose
SMALL = replace(TOY, options=(*TOY.options, Option("draws", "open", "option/draws", ("open", "sealed"))))


@dataclass
class Home:
    """Where somebody plays, and the bundle that it wrote last."""

    path: Path
    out: Path
    run: Callable[..., tuple[int, dict[str, Any], str]]

    def post(self, *words: str | Path) -> tuple[int, dict[str, Any], str]:
        return self.run(self.path, "post", "table", "--json", *words)

    def play(self, *words: str | Path) -> dict[str, Any]:
        code, answer, told = self.post("--newest", "--as", "random", "-o", self.out, *words)
        assert (code, answer["ok"]) == (0, True), (answer, told)
        return answer


async def thought(_thinker: Thinker, level: str, seed: str, view: View) -> Thought:
    """Think in this process: a process of its own for each letter takes ten times as long as all the rest of it."""
    assert view.ask is not None
    return Thought(plain(bot(level).choose(view, view.ask, Random(seed), NODES)))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setitem(GAMES, "toy", f"{__name__}:SMALL")
    monkeypatch.setattr(Thinker, "choose", thought)

    def command(home: Path, *words: str | Path) -> tuple[int, dict[str, Any], str]:
        monkeypatch.setenv("STARLOCK_HOME", str(home))
        code = cli.main(list(map(str, words)))
        out, err = capsys.readouterr()
        return code, json.loads(out), err

    return command


@pytest.fixture
def homes(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Home]]:
    def begin(players: int, seed: int = 7, name: str = "toy", **options: str) -> list[Home]:
        spec = game(name)
        table = settle_options(spec, players, options)
        assert isinstance(table, Table), table
        fresh = GameMachine(Match.new(spec, table))
        genesis, keys = fixed_genesis([[seat] for seat in range(players)], seed, fresh, dict(table.options), name)
        found = []
        for seat in range(players):
            path = tmp_path / f"home {seed} {seat}"
            monkeypatch.setenv("STARLOCK_HOME", str(path))
            with Store(Folders.of_system().data, "test") as store:
                store.add_table(genesis.table, Record("table", genesis).info(), keys[seat])
            found.append(Home(path, tmp_path / f"bundle {seed} {seat}", run))
        return found

    return begin


def reading(*paths: Path) -> list[str | Path]:
    """The words that let a home read those of these files that have been written."""
    there = [path for path in paths if path.exists()]
    return ["--in", *there] if there else []


def finish(homes: list[Home]) -> list[dict[str, Any]]:
    """Let them write to one another in turn until all have everything."""
    answers: list[dict[str, Any]] = []
    for turn in range(MOST):
        home = homes[turn % len(homes)]
        others = [other.out for other in homes if other is not home]
        answers.append(home.play(*reading(*others)))
        last = answers[-len(homes) :]
        if all(answer["complete"] and not answer["entries"] for answer in last):
            return last
    raise AssertionError("they do not come to an end")


@pytest.mark.parametrize(
    ("players", "draws"),
    gated([(2, "sealed"), (3, "open"), (3, "sealed")], 1),
)
def test_homes_that_never_meet_finish_a_whole_game(players: int, draws: str, homes: Any) -> None:
    there, friend, kept = homes(players, draws=draws), b"f" * 32, bytes(60)
    with Store(Folders.of_home(there[0].path).data, "test") as store:
        (table,) = (stored.table for stored in store.tables())
        store.keep_slip(table, friend, kept)
    there[0].play()
    with Store(Folders.of_home(there[0].path).data, "test") as store:
        assert store.slip(table, friend) == kept
    ended = finish(there)
    with Store(Folders.of_home(there[0].path).data, "test") as store:
        assert store.slip(table, friend) is None, "recovery slips are kept until the game is over"
    assert all(answer["complete"] for answer in ended)
    assert len({answer["height"] for answer in ended}) == 1


async def slow_append(writer: StoreWriter, *words: Any) -> None:
    """Write an entry to a disk that takes its time, so that everything else goes on before and after."""
    for _ in range(20):
        await trio.lowlevel.checkpoint()
    await APPEND(writer, *words)
    for _ in range(20):
        await trio.lowlevel.checkpoint()


async def no_clock(_table: RunningTable) -> None:
    """A letter is written before the first tick of the clock."""


def test_a_letter_holds_all_that_follows_from_those_before_it_however_slow_the_disk_is(
    homes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And however quick the machine is: nobody else is asked first, who may be days away."""
    monkeypatch.setattr(RunningTable, "_clock", no_clock)
    monkeypatch.setattr(StoreWriter, "append", slow_append)
    monkeypatch.setattr(runtime, "AT_ONCE", 1e9)
    them = homes(3, draws="sealed")
    heights = []
    for turn in range(9):
        home = them[turn % 3]
        heights.append(home.play(*reading(*(other.out for other in them if other is not home)))["height"])
    said = "commitments with the join, then keys, their check, the first roll, and the mask of whoever is dealt a card"
    assert heights == [0, 0, 1, 1, 1, 2, 2, 2, 3], said


@pytest.mark.soak
@pytest.mark.parametrize("name", ["eclipse2", "eclipse1", "emperor", "rex"])
def test_three_homes_play_a_whole_game_by_letters_to_its_verified_end(name: str, homes: Any) -> None:
    them = homes(3, name=name, **settled(game(name), 3, ["pace=post"]).options)
    assert {answer["state"] for answer in finish(them)} == {"finished"}
    verified = [home.run(home.path, "verify", "table", "--json") for home in them]
    assert [code for code, _, _ in verified] == [0, 0, 0]
    assert all(found["complete"] and not found["unsigned"] for _, found, _ in verified)
    assert len({found["digest"] for _, found, _ in verified}) == 1


def test_bundles_that_come_late_doubled_or_never_lose_nothing(homes: Any, tmp_path: Path) -> None:
    anna, bob = homes(2)
    kept: list[Path] = []
    for number in range(5):
        for one, other in ((anna, bob), (bob, anna)):
            one.play(*reading(*kept[-3:], other.out, *kept[:2]))
            kept.append(Path(shutil.copy(one.out, tmp_path / f"old {number} {one.out.name}")))
        anna.play()  # what it wrote for nobody is in the next one
    assert all(answer["complete"] for answer in finish([anna, bob]))


def test_a_later_command_checks_no_proof_that_an_earlier_one_has_checked(
    homes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[int] = []

    def check(statements: Sequence[Statement]) -> bool:
        checked.append(len(statements))
        return check_shuffles(statements)

    anna, bob = homes(2, draws="sealed")
    monkeypatch.setattr(seeds.turns, "check_shuffles", check)
    while not checked:
        anna.play(*reading(bob.out))
        bob.play("--in", anna.out)
    anna.play("--in", bob.out)
    checked.clear()
    anna.play("--in", bob.out)
    assert checked == []
    monkeypatch.setattr(Store, "proven", lambda *_: frozenset())
    anna.play("--in", bob.out)
    assert checked


def test_a_command_goes_on_from_where_the_last_one_left_the_log(homes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "LEAST", 0)
    anna, bob = homes(2)
    anna.play()
    bob.play("--in", anna.out)
    anna.play("--in", bob.out)
    read: list[int] = []
    restore = Lockstep.restore

    def counted(lockstep: Lockstep, entries: Sequence[Any], *more: Any) -> None:
        read.append(len(entries))
        restore(lockstep, entries, *more)

    monkeypatch.setattr(Lockstep, "restore", counted)
    monkeypatch.setattr("client.table.post.time", lambda: 1_800_000_000)  # which a bundle contains
    quick = anna.post()[1]
    (kept,) = anna.path.rglob("*.snapshot")
    kept.unlink()
    assert anna.post()[1] == quick
    assert read[0] == 0 < read[1]
    assert [record.by_post for record in looked_at(Folders.of_home(anna.path).data)] == [True]


def test_text_takes_the_place_of_files(homes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And bots think in a process of their own, as they do in the program."""
    monkeypatch.setattr(Thinker, "choose", CHOOSE)
    anna, bob = homes(2)
    _, answer, _ = anna.post("--newest", "--as", "random")
    letter = tmp_path / "letter"
    letter.write_text("Hello Bob!\n" + answer["bundle"].upper().replace("\n", "\n> "))
    assert anna.post("--as", "random")[1]["height"] == 0
    assert bob.play("--in", letter)["height"] == 1
    _, _, told = bob.post("--in", letter)
    assert "Player 0: 0 " in told


def test_nothing_is_signed_before_the_person_says_that_this_copy_is_the_newest(homes: Any) -> None:
    anna, _ = homes(2)
    answer = anna.post("--as", "random", "-o", anna.out)[1]
    assert (answer["unsigned"], answer["entries"]) == (True, 0)
    answer = anna.play()
    assert (answer["unsigned"], answer["entries"]) == (False, 3), "genesis, join and commitment"
    assert anna.post("--as", "random", "-o", anna.out)[1]["unsigned"], "it was said for that run alone"


def test_an_older_copy_signs_nothing_and_gets_its_newer_entries_back(homes: Any, tmp_path: Path) -> None:
    anna, bob = homes(2)
    for _ in range(3):
        anna.play(*reading(bob.out))
        bob.play("--in", anna.out)
    backup = shutil.copytree(anna.path, tmp_path / "backup")
    for _ in range(3):
        anna.play("--in", bob.out)
        bob.play("--in", anna.out)
    lost = bob.out.read_bytes()
    shutil.rmtree(anna.path)
    shutil.move(backup, anna.path)
    first = anna.play("--in", bob.out)
    assert first["unsigned"]
    assert bob.play("--in", anna.out)["entries"] > 0
    assert bob.out.read_bytes() != lost
    assert not anna.play("--in", bob.out)["unsigned"]
    assert all(answer["complete"] for answer in finish([anna, bob]))


def test_who_has_read_that_others_hold_newer_entries_says_by_no_later_option_that_this_copy_is_the_newest(
    homes: Any, tmp_path: Path
) -> None:
    anna, bob, cid = them = homes(3)

    def play_on() -> None:
        for _ in range(3):
            for home in them:
                home.play(*reading(*(other.out for other in them if other is not home)))

    play_on()
    backup = shutil.copytree(anna.path, tmp_path / "backup")
    early = shutil.copy(cid.out, tmp_path / "of Cid, from before")
    play_on()
    shutil.rmtree(anna.path)
    shutil.move(backup, anna.path)
    assert anna.play("--in", bob.out)["unsigned"]
    assert anna.play()["unsigned"]
    assert anna.play("--in", early)["unsigned"]
    bob.play("--in", anna.out)
    assert not anna.play("--in", bob.out)["unsigned"]
    finish(them)
    assert [home.run(home.path, "verify", "table", "--json")[0] for home in them] == [0, 0, 0]


def test_each_wrong_thing_gets_a_sentence_and_the_rest_is_taken(homes: Any, tmp_path: Path) -> None:
    anna, bob = homes(2)
    (stranger, _) = homes(2, seed=8)
    stranger.play()
    anna.play()
    data = anna.out.read_bytes()
    newer = data[:-8].replace(b"post 1", b"post 9", 1)
    given = {
        "bundle/other-table": stranger.out.read_bytes(),
        "bundle/version": newer + H("bundle check", newer)[:8],
        "bundle/damaged": data[:-3],
        "bundle/none": b"S" + data[1:],
        "bundle/part-damaged": pasted_parts(data)[0].replace("\n", "\n2", 1).encode(),
    }
    paths = [tmp_path / code.replace("/", "-") for code in given]
    for path, content in zip(paths, given.values(), strict=True):
        path.write_bytes(content)
    code, answer, told = bob.post("--newest", "--in", *paths, anna.out, "-o", bob.out)
    assert code == 1
    assert [each["code"] for each in answer["wrong"]] == [
        *("bundle/none", "bundle/part-damaged"),
        *("bundle/other-table", "bundle/version", "bundle/damaged"),
    ]
    assert "bundle-none holds no bundle" in told
    assert "its beginning is damaged" in told
    assert "From Player 0: 3 new entries." in told
    assert anna.play("--in", bob.out)["height"] >= 0


def test_a_file_that_is_not_there_is_one_message_and_nothing_is_read_or_written(homes: Any, tmp_path: Path) -> None:
    anna, bob = homes(2)
    anna.play()
    code, answer, told = bob.post("--newest", "--in", anna.out, tmp_path / "nowhere", "-o", bob.out)
    assert (code, answer["error"]["code"], told) == (2, "file/unreadable", "")
    assert "nowhere" in answer["error"]["message"]
    assert "bundle" not in answer
    assert not bob.out.exists()
    assert bob.post("--newest", "--in", anna.out, "-o", bob.out)[1]["height"] > 0, "nothing was lost"


def test_a_bundle_goes_over_no_other_file(homes: Any, tmp_path: Path) -> None:
    anna, _ = homes(2)
    letter = tmp_path / "letter.txt"
    letter.write_text("keep me")
    code, answer, _ = anna.post("--newest", "-o", letter)
    assert (code, answer["error"]["code"]) == (2, "file/exists")
    assert letter.read_text() == "keep me"


def test_who_has_nothing_to_say_is_not_told_to_write_and_the_game_goes_on_without(homes: Any) -> None:
    there = homes(3, name="eclipse2", dice="lock", draws="open")
    inbox: list[list[str]] = [[] for _ in there]
    wrote, heights = list[bool](), list[int]()
    for turn in range(18):
        here = turn % len(there)
        letters = ["--in", *inbox[here]] if inbox[here] else []
        _code, answer, _err = there[here].post("--newest", "--as", "random", *letters)
        inbox[here].clear()
        wrote.append("Nobody waits for a letter" not in answer["bundle"])
        heights.append(answer["height"])
        for box in (box for other, box in enumerate(inbox) if wrote[-1] and other != here):
            box.append(answer["bundle"])
        assert any(wrote[-3:]), f"they wait for one another at {answer['height']}"
    assert False in wrote
    assert heights[-1] > heights[wrote.index(False)] + 1


def test_who_is_waited_for_is_said_with_the_time_since_when(homes: Any) -> None:
    anna, bob = homes(2)
    anna.play()
    first = bob.play("--in", anna.out)
    assert first["waiting"] == ["Player 0"]
    assert bob.play()["since"] == first["since"] > 0


def pasting() -> tuple[Mail, list[str]]:
    took: list[str] = []
    return Mail(took.append, took.append, took.append), took


def test_pasted_lines_are_collected_until_the_part_is_whole_and_answer_nothing() -> None:
    mail, took = pasting()
    part = pasted_parts(bytes(range(200)))[0]
    assert not mail.pasted("explore 101")
    assert not mail.pasted("")
    assert all(mail.pasted("> " + line) for line in part.split("\n"))
    assert len(took) == 1
    assert mail.pasted("")  # the empty line behind it sends no draft
    assert not mail.pasted("")


def test_a_part_that_breaks_off_is_given_up_at_an_empty_line() -> None:
    mail, took = pasting()
    lines = pasted_parts(bytes(range(200)))[0].split("\n")
    assert all(map(mail.pasted, [*lines[:-1], ""]))
    assert len(took) == 1
    assert not mail.pasted("log")


def test_what_is_pasted_at_the_table_goes_to_the_mail_and_commands_write_and_read() -> None:
    room = Room()
    assert "live" in room.type("post")
    mail, took = pasting()
    room.screen.session.mail = mail
    room.type(pasted_parts(b"bundle")[0])
    room.type("post")
    room.type("post next")
    room.type("read bob.bundle")
    assert [text.strip() for text in took[1:]] == ["", "next", "bob.bundle"]
    assert "starlock-post" in took[0]
    assert not room.sent
