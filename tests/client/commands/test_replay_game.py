"""`starlock replay`, `export` and `import`: a game kept, taken over, told again, and looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import recorded

from client import __version__
from client.commands import cli
from client.show.pictures import pictures
from client.system.settings import Folders
from client.table.machine import GameMachine
from client.table.record import Record
from p2p.lockstep.told_file import told_file
from p2p.log.starfile import pack_star
from p2p.log.store import Store
from p2p.wire.entry import make_entry


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


@pytest.fixture
def star(tmp_path: Path) -> Path:
    path = tmp_path / "game.star"
    path.write_bytes(recorded.finished().star())
    return path


@pytest.fixture
def starlock(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str | Path) -> tuple[int, dict[str, Any]]:
        code = cli.main([*map(str, words), "--json"])
        (line,) = capsys.readouterr().out.splitlines()
        return code, json.loads(line)

    return run


def test_the_whole_game_is_told_in_words(star: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(star)]) == 0
    out = capsys.readouterr().out
    assert "Round 1 begins" in out
    assert "place 1." in out
    assert all(len(line) < 80 for line in out.splitlines())


def test_a_height_is_shown_as_it_was(star: Path, starlock: Any) -> None:
    table = recorded.finished()
    last = table.peers[0].position.height
    code, told = starlock("replay", star)
    assert (code, told["height"], told["complete"], len(told["scores"])) == (0, last, True, 2)
    for at in (0, 20, last):
        code, told = starlock("replay", star, "--at", str(at))
        machine = table.peers[0].position.history.machine_at(at)
        assert (code, told["height"], told["last"]) == (0, at, last)
        assert told["digest"] == machine.digest().hex()
        assert told["head"] == table.peers[0].position.past[at].head.hex()
        assert isinstance(machine, GameMachine)
        assert told["to_move"] == list(machine.match.owing())
        assert all(event["height"] < at for event in told["events"])


def test_a_position_has_the_pictures_that_fronts_show_side_by_side(
    star: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(star), "--at", "40"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert any("step 40 of" in each for each in told)
    titles = [each.title for each in pictures("eclipse2").documents.commands.values() if each.title]
    assert [each for each in told if each in titles] == [each for each in titles if each != "Legend"]
    assert any("001" in each for each in told[: told.index("Boards")])


def test_a_position_shows_only_the_picture_that_is_asked_for_as_the_line_mode_does(
    star: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for words in (["map", "001"], ["MAPA", "001"], ["score"]):
        assert cli.main(["replay", str(star), "--at", "40", "--lang", "es", "--show", *words]) == 0
        shown.append(capsys.readouterr().out)
    assert "Defensa del Centro Galáctico" in shown[0]
    assert shown[0] == shown[1]
    assert "001" not in shown[2]
    assert cli.main(["replay", str(star), "--lang", "en", "--show", "mop"]) == 2
    assert "map, near, legend, boards" in capsys.readouterr().err


@pytest.mark.parametrize("at", ["-1", "100000"])
def test_a_height_that_the_game_lacks_is_refused(star: Path, starlock: Any, at: str) -> None:
    code, told = starlock("replay", star, f"--at={at}")
    assert (code, told["error"]["code"]) == (2, "replay/height")
    assert "0 to" in told["error"]["hint"]


def test_a_damaged_game_is_not_replayed_nor_taken_in(star: Path, starlock: Any, home: Path) -> None:
    data = bytearray(star.read_bytes())
    data[2000] ^= 1
    star.write_bytes(bytes(data))
    for command in ("replay", "import"):
        code, told = starlock(command, star)
        assert (code, told["error"]["code"]) == (1, "file/entry")
        assert "entry" in told["error"]["message"]
    assert not (home / "data").exists()


def test_what_is_imported_is_a_table_that_can_be_verified_replayed_and_exported(
    star: Path, starlock: Any, tmp_path: Path
) -> None:
    code, told = starlock("import", star)
    assert code == 0
    assert told["new"] == told["entries"] == len(recorded.finished().log)
    name = told["name"]
    assert starlock("import", star)[1]["new"] == 0, "a second time brings nothing new"
    assert [(row["name"], row["state"]) for row in starlock("tables")[1]["tables"]] == [(name, "finished")]
    assert starlock("verify", name)[1]["complete"] is True
    assert starlock("replay", name)[1]["complete"] is True
    again = tmp_path / "again.star"
    assert starlock("export", name, again)[1]["path"] == str(again)
    code, told = starlock("verify", again)
    assert (code, told["entries"]) == (0, len(recorded.finished().log))


def test_an_import_brings_what_the_store_lacks(starlock: Any, tmp_path: Path) -> None:
    early, late = tmp_path / "early.star", tmp_path / "late.star"
    table = recorded.begun(3)
    early.write_bytes(table.star())
    table.step()
    late.write_bytes(table.star())
    assert starlock("import", early)[0] == 0
    code, told = starlock("import", late)
    assert code == 0, told
    assert 0 < told["new"] < told["entries"]


def test_two_histories_of_one_key_are_told_apart_and_the_proof_is_kept(starlock: Any, tmp_path: Path) -> None:
    ours, theirs = recorded.begun(5), recorded.begun(4)
    theirs.random.seed("other answers")
    theirs.step()
    theirs.step()
    for number, table in enumerate((ours, theirs)):
        (tmp_path / f"{number}.star").write_bytes(table.star())
    name = starlock("import", tmp_path / "0.star")[1]["name"]
    code, told = starlock("import", tmp_path / "1.star")
    assert (code, told["error"]["code"]) == (1, "import/forked")
    code, told = starlock("verify", name)
    assert (code, [problem["code"] for problem in told["problems"]][-1]) == (1, "entry/forked")


def test_chat_may_be_left_out_of_an_export(starlock: Any, star: Path, tmp_path: Path) -> None:
    from p2p.log.starfile import read_star

    name = starlock("import", star)[1]["name"]
    for flag, texts in (("--force", 1), ("--no-chat", 0)):
        path = tmp_path / f"out{flag}.star"
        assert starlock("export", name, path, flag)[0] == 0
        assert len(read_star(path.read_bytes()).texts) == texts
        assert starlock("verify", path)[0] == 0


def test_an_export_does_not_write_over_a_file_unasked(starlock: Any, star: Path, tmp_path: Path) -> None:
    name = starlock("import", star)[1]["name"]
    kept = tmp_path / "kept"
    kept.write_text("precious")
    code, told = starlock("export", name, kept)
    assert (code, told["error"]["code"]) == (2, "file/exists")
    assert kept.read_text() == "precious"
    assert starlock("export", name, kept, "--force")[0] == 0


def test_what_was_asked_is_exported_for_programs_without_the_rules(star: Path, starlock: Any, tmp_path: Path) -> None:
    """The same bytes from the saved game and from the table."""
    told, again = tmp_path / "game.told", tmp_path / "again.told"
    code, said = starlock("export", "--told", told, star)
    assert (code, said["path"]) == (0, str(told))
    assert starlock("export", "--told", again, starlock("import", star)[1]["name"])[0] == 0
    table = recorded.finished().peers[0]
    assert told.read_bytes() == again.read_bytes() == told_file(table.genesis.table, table.position)
    code, said = starlock("export", "--told", told, star)
    assert (code, said["error"]["code"]) == (2, "file/exists")
    code, said = starlock("export", "--told", tmp_path / "third", star, star)
    assert (code, said["error"]["code"]) == (2, "cli/usage")


def test_what_was_asked_is_told_of_a_game_that_is_not_intact_too(starlock: Any, tmp_path: Path) -> None:
    """Who judges it by other means needs that most."""
    table, told = recorded.begun(3), tmp_path / "game.told"
    keys, log = {each.key.public: each.key.private for each in table.keys}, [entry for entry, _ in table.log]
    number = max(number for number, entry in enumerate(log) if entry.kind == "answer")
    last = log[number]
    place = {name: getattr(last, name) for name in ("table", "seq", "prev", "epoch", "height", "head", "state", "kind")}
    false = make_entry(keys[last.author], **place, body=[last.body[0], ["nonsense"]])  # type: ignore[index]
    entries = [(entry, None) for entry in (*log[:number], false)]
    key = table.keys[0].key.private
    star = tmp_path / "false.star"
    star.write_bytes(pack_star(entries, key=key, height=last.height, head=last.head, program="test"))
    code, said = starlock("export", "--told", told, star)
    assert (code, said["ok"], said["height"]) == (1, False, last.height)
    assert b"starlock told" in told.read_bytes()[:24]


def test_an_export_makes_no_folders(starlock: Any, star: Path, tmp_path: Path) -> None:
    name = starlock("import", star)[1]["name"]
    code, told = starlock("export", name, tmp_path / "no" / "such" / "game.star")
    assert (code, told["error"]["code"]) == (2, "file/no-folder")
    assert str(tmp_path / "no" / "such") in told["error"]["message"]
    assert not (tmp_path / "no").exists()


def test_an_export_that_cannot_be_written_leaves_nothing_behind(starlock: Any, star: Path, tmp_path: Path) -> None:
    name = starlock("import", star)[1]["name"]
    folder = tmp_path / "folder"
    folder.mkdir()
    code, told = starlock("export", name, folder, "--force")
    assert (code, told["error"]["code"]) == (2, "file/unwritable")
    assert list(folder.iterdir()) == []
    assert not list(tmp_path.glob("*.part"))


def test_a_table_at_play_can_be_verified_and_exported_meanwhile(starlock: Any, tmp_path: Path) -> None:
    table = recorded.begun(5)
    data = Folders.of_system().data
    with Store(data, __version__) as store:
        store.add_table(table.genesis.table, Record("mine", table.genesis).info(), table.keys[0])
        store.receive(table.log)
        code, told = starlock("verify", "mine")
        assert (code, told["ok"], told["complete"]) == (0, True, False)
        assert starlock("export", "mine", tmp_path / "mine.star")[0] == 0
    assert starlock("verify", tmp_path / "mine.star")[0] == 0


def test_an_entry_changed_in_the_store_is_the_disks_fault(starlock: Any, star: Path, home: Path) -> None:
    import sqlite3
    from contextlib import closing

    name = starlock("import", star)[1]["name"]
    with closing(sqlite3.connect(home / "data" / "starlock.db")) as database, database:
        (raw,) = database.execute("SELECT raw FROM entries WHERE number = 20").fetchone()
        database.execute("UPDATE entries SET raw = ? WHERE number = 20", (raw[:-3] + b"\0\0\0",))
    code, told = starlock("verify", name)
    assert code == 1
    assert told["problems"][0]["code"] == "entry/signature"
    assert told["problems"][0]["entry"] == 19
