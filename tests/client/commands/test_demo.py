"""The demo: real peers on this machine, a whole game, everything verified."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from peers import Starlock
from recorded import finished
from volume import GATE, VOLUME, gated

from client.commands.demo import report, shown, verified
from p2p.lockstep.pacts import threshold

pytestmark = pytest.mark.slow

KEYS = {
    "ok", "game", "players", "seed", "draws", "entries", "rolls", "decisions", "seconds", "bytes_sent", "digest",
    "digests", "logs", "scores", "killed", "longest_step",
}  # fmt: skip


def demo(folder: Path, *words: str, game: str = "eclipse2") -> Starlock:
    return Starlock(folder, "demo", game, "--bots", "random", "--json", *words)


def test_people_read_who_won_who_was_killed_how_long_a_step_took_and_where_the_logs_are() -> None:
    told: dict[str, Any] = {
        "players": 2, "ranks": [2, 1], "names": ["Ann", "Bob"], "scores": [7, 19], "entries": 40, "rolls": 1,
        "killed": [{"seat": 0, "height": 12}], "decisions": 9, "seconds": 2.5, "bytes_sent": 3_210,
        "longest_step": {"peer": 1, "work": 4.56, "took": 7.89, "where": "draws"}, "ok": True, "digest": "d1",
        "digests": ["d1"], "logs": ["/tmp/peer-1/game.star"], "problems": [],
    }  # fmt: skip
    first, second, counts, busy, end, log = shown(told).split("\n")
    assert ("Bob" in first, "19" in first, "killed" in first) == (True, True, False)
    assert ("Ann" in second, "killed at step 12" in second) == (True, True)
    assert "40 entries" in counts
    assert "3 kB" in counts
    assert ("4.6 ms" in busy, "7.9 ms" in busy) == (True, True)
    assert "d1" in end
    assert log == told["logs"][0]
    wrong = shown({**told, "ok": False, "longest_step": None, "problems": ["a fault"]})
    assert wrong.split("\n")[-3:] == ["Something is wrong:", "a fault", log]


@pytest.mark.parametrize(
    ("changed", "code", "problems"),
    [
        ({}, 0, []),
        ({"digest": "d2"}, 0, ["The peers ended in different states."]),
        ({"table": "t2"}, 0, ["The peers ended at different tables."]),
        ({}, 3, ["Peer 1 ended with 3."]),
    ],
)
def test_peers_that_end_apart_or_with_a_fault_are_a_problem(
    changed: dict[str, str], code: int, problems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer: dict[str, Any] = {
        "ranks": [2, 1], "names": ["Ann", "Bob"], "scores": [7, 19], "entries": 40, "rolls": 1, "decisions": 9,
        "bytes_sent": 3_210, "digest": "d1", "table": "t1", "draws": "open", "ending": "",
    }  # fmt: skip
    peers: list[Any] = [
        SimpleNamespace(seat=seat, star=Path("game.star"), process=SimpleNamespace(returncode=ended), held=None)
        for seat, ended in enumerate((0, code))
    ]
    plan: Any = SimpleNamespace(game="eclipse2", table=SimpleNamespace(seats=2), seed="7", killed=[])
    told = dict[str, Any]()
    context: Any = SimpleNamespace(answer=lambda _text, **kept: told.update(kept))
    monkeypatch.setattr("client.commands.demo.verified", lambda *_given: [])
    assert (report(plan, context, peers, [answer, answer | changed], 2.5) == 0) is not bool(problems)
    assert (told["problems"], told["ok"]) == (problems, not problems)


def test_a_log_that_is_not_there_or_leads_to_another_state_is_a_problem(tmp_path: Path) -> None:
    path, state = tmp_path / "game.star", finished().peers[0].position.state
    path.write_bytes(finished().star())
    context: Any = SimpleNamespace(progress=lambda *_given: None)
    assert verified([path], [state.hex()], context) == []
    assert verified([path, path], [state.hex(), "00"], context) == [f"{path} does not lead to the final state."]
    assert len(verified([tmp_path / "none.star"], [state.hex()], context)) == 1


@pytest.mark.soak
def test_the_same_seed_plays_the_same_game_and_says_all_that_programs_read(tmp_path: Path) -> None:
    with demo(tmp_path / "a", "--players", "2", "--seed", "7") as one:
        assert one.end() == 0, one.errors
    with demo(tmp_path / "b", "--players", "2", "--seed", "7", "--draws", "sealed") as two:
        assert two.end() == 0, two.errors
    told = one.answer
    assert set(told) >= KEYS
    assert (told["ok"], told["game"], told["players"], told["seed"], told["draws"]) == (
        True,
        "eclipse2",
        2,
        "7",
        "sealed",
    )
    assert told["digests"] == [told["digest"]] * 2
    assert len(told["scores"]) == 2
    assert 0 < told["longest_step"]["work"] < 1000
    assert told["longest_step"]["peer"] in (0, 1)
    for name in ("digest", "entries", "rolls", "decisions", "scores"):
        assert told[name] == two.answer[name]
    for path in map(Path, told["logs"]):
        assert path.is_absolute()
        assert path.stat().st_size > 0
        assert not (path.parent / "home").exists()
    with Starlock(tmp_path / "v", "verify", told["logs"][1], "--json") as verified:
        assert verified.end() == 0
        codes = [each["code"] if isinstance(each, dict) else each for each in verified.answer["does_not_prove"]]
        assert "test-seed" in codes


@pytest.mark.parametrize(("game", "players"), gated([("emperor", 4), ("eclipse2", 4), ("eclipse2", 6)], 1))
def test_all_but_one_go_on_without_one_that_was_killed_with_locked_dice_and_logs_that_verify(
    game: str, players: int, tmp_path: Path
) -> None:
    words = ("--players", str(players), "--draws", "sealed", "--kill", "1")
    with demo(tmp_path / "d", *words, game=game) as killed:
        assert killed.end() == 0, killed.errors
    told = killed.answer
    (gone,) = told["killed"]
    assert gone["height"] >= 10
    assert told["digests"] == [told["digest"]] * (players - 1)
    assert len(told["logs"]) == players - 1
    assert f"peer-{gone['seat']}/" not in " ".join(told["logs"])
    for number, log in enumerate(told["logs"][:1] if VOLUME == GATE else told["logs"]):
        with Starlock(tmp_path / f"v{number}", "verify", log, "--json") as verified:
            assert verified.end() == 0, verified.errors
        found = verified.answer
        assert (found["ok"], found["complete"], found["problems"]) == (True, True, [])
        assert {"dice-locked", *(["cards-secret"] if game == "eclipse2" else [])} <= set(found["proves"])
        assert {roll["lock"] for roll in found["rolls"]} == {threshold(players), threshold(players - 1)}
        assert all(len(roll["lifted"]) >= roll["lock"] for roll in found["rolls"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send to one process")
@pytest.mark.parametrize("number", gated([signal.SIGTERM, signal.SIGINT], 1))
def test_a_request_to_end_ends_all_peers(tmp_path: Path, number: signal.Signals) -> None:
    with demo(tmp_path, "--players", "4") as asked:
        asked.until(lambda: "files are in " in asked.errors)
        folder = Path(asked.errors.split("files are in ")[1].splitlines()[0].rstrip("."))
        asked.until(lambda: len(list(folder.glob("peer-*/log"))) == 4)
        asked.process.send_signal(number)
        assert asked.end() == 3
        assert asked.answer["error"]["code"] == "cli/interrupted"
        assert not [line for line in running() if str(folder) in line]


def running() -> list[str]:
    """The command lines of all processes, where the system shows them as files."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found
