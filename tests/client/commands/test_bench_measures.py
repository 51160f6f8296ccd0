"""`scripts/bench`: every measure stands beside its floor; the quick chapters are run, the clock judges nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bench
import pytest
from bench import (
    engine,
    fairness,
    idle,
    lab,
    logs,
    longgame,
    reach,
    report,
    resume,
    screen,
    starts,
    tables,
    web,
    wire,
)
from bench.chapters import NAMES, main
from bench.chromium import BROWSER, MISSING
from volume import gated

from p2p.testing.homes import missing


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(engine, "GAMES", 1)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(starts, "TIMES", 1)
    monkeypatch.setattr(logs, "LATE", 200)
    monkeypatch.setattr(fairness, "CARDS", 8)
    monkeypatch.setattr(fairness, "MANY", 1)


@pytest.mark.parametrize("group", gated(["fairness", "engine", "logs", "starts"], 1))
def test_every_measure_has_value_unit_floor_and_ratio(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([group, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert told["ok"] is True
    assert told["machine"]
    names = [measure["name"] for measure in told["measures"]]
    assert names == [name for name in NAMES if name in names] != []
    for measure in told["measures"]:
        assert {"name", "value", "unit", "floor", "ratio"} <= set(measure)
        assert measure["value"] > 0
        assert measure["floor"] > 0
        assert measure["ratio"] > 0
        assert ("met" in measure) == ("aim" in measure or "most" in measure)


CATANATRON = """
class Color:
    RED = BLUE = ORANGE = WHITE = 0
class RandomPlayer:
    def __init__(self, color): pass
class Game:
    def __init__(self, players, seed):
        self.state, self.left = type("State", (), {"num_turns": 0}), 5000
    def winning_color(self): return None if self.left else Color
    def play_tick(self): self.left -= 1
    def copy(self): return list(range(1000))
"""


def test_the_engine_is_measured_beside_another_program_in_a_folder_and_processes_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    run = subprocess.run

    def pip(words: list[str], **rest: Any) -> Any:
        if "pip" not in words:
            return run(words, **rest)
        asked.append(words)
        (Path(words[words.index("--target") + 1]) / "catanatron.py").write_text(CATANATRON)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", pip)
    for _turn in range(2):
        assert main(["--against", "catanatron", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [measure["name"] for measure in told["measures"]] == ["against-decisions", "against-clone", "against-digest"]
    assert len(asked) == 1
    assert "--require-hashes" in asked[0]
    assert (tmp_path / "home" / "data" / "bench" / "catanatron" / "complete").exists()


def test_a_program_that_cannot_be_installed_is_named_with_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = SimpleNamespace(returncode=1, stderr="ERROR: no such network\n")
    monkeypatch.setattr(subprocess, "run", lambda *words, **rest: failed)
    assert main(["--against", "catanatron", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "bench/not-installed"
    assert "ERROR: no such network" in error["message"]
    assert main(["--against", "chess", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bench/unknown-program"


@pytest.mark.soak
def test_fairness_is_measured_against_counted_group_operations() -> None:
    found = {measure.name: measure for measure in fairness.measures()}
    assert list(found) == ["shuffle", "shuffle-check", "shuffle-series", "draw", "roll", "deal-anew"]
    assert all(measure.aim == 1.3 for measure in found.values())
    notes = {name: measure.notes for name, measure in found.items()}
    cards = fairness.CARDS
    assert notes["shuffle"]["operations/mul"] == 6 * cards + 1
    assert notes["shuffle-check"]["operations/mul"] == 7 * cards + 8
    assert notes["shuffle-check"]["operations/read"] == 4 * cards + 6
    assert notes["roll"]["operations/mul"] == 2 + 3 * 6 + 4  # own partial, all partials checked, four combined
    assert notes["draw"]["operations/mul"] == 2 + 3


@pytest.mark.soak
def test_the_wire_is_measured_by_kind_as_the_mean_of_games_and_the_same_for_the_same_seed() -> None:
    sent, said = wire.game_measures(engine.GAME, "random", (1, 2), players=2)
    shares = [share for name, share in sent.notes.items() if name.startswith("share/")]
    assert sum(float(share) for share in shares if not isinstance(share, list)) == pytest.approx(1, abs=0.01)
    assert 1 < sent.ratio < 1.6
    assert said.notes["entries/answer"]
    assert sent.notes["bytes/shuffle"]
    alone, _said = wire.game_measures(engine.GAME, "random", (2,), players=2)
    first, second = sent.notes["game/1"], sent.notes["game/2"]
    assert isinstance(first, float)
    assert isinstance(second, float)
    assert first != second == alone.notes["game/2"] == pytest.approx(alone.value, abs=0.001)
    assert sent.value == pytest.approx((first + second) / 2, abs=0.001)


def test_each_way_is_measured_beside_a_bare_connection_and_a_relay_by_its_own_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"ROOMS": 8, "PING_PONGS": 8, "CHUNKS": 4, "COPIES": 100, "SETTLED": 0.1}.items():
        monkeypatch.setattr(reach, name, value)
    found = {measure.name: measure for measure in reach.measures()}
    named = {name for name in NAMES if name.startswith(("reach-", "relay-")) and not name.endswith("-libp2p")}
    assert set(found) - {"reach-find"} == named - {"reach-find"}
    assert all(measure.value > 0 and measure.floor > 0 for measure in found.values())
    assert found["relay-memory"].notes["rooms"] == 8


@pytest.mark.soak
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_each_way_between_homes_behind_routers_is_measured_until_the_first_entry_and_beside_its_legs() -> None:
    found = {measure.name: measure for measure in lab.measures()}
    assert set(found) == {name for name in NAMES if name.startswith("lab-")}
    assert all(measure.value > 0 and measure.floor > 0 for measure in found.values())


def test_turns_that_differ_are_told_as_noisy() -> None:
    even = bench.spread_of([1.0, 1.02, 1.1], [2.0, 2.1, 2.2])
    assert even == bench.Spread(3, 1.02, 1.1, noisy=False)
    assert bench.spread_of([1.0, 1.3, 1.4], [2.0, 2.0, 2.0]).noisy
    assert bench.spread_of([1.0, 1.0, 1.0], [2.0, 2.9, 3.0]).noisy
    told = bench.cost("time", 2.0, "s", 1.0, spread=even).fields()
    assert (told["turns"], told["median"], told["slowest"], told["noisy"]) == (3, 1.02, 1.1, False)
    assert "turns" not in bench.cost("time", 2.0, "s", 1.0).fields()


def test_a_run_is_compared_with_an_earlier_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spread = bench.spread_of([1.0, 2.0, 2.0], [1.0, 1.0, 1.0])
    found = [bench.cost("digest", 30.0, "µs", 10.0, spread=spread), bench.cost("replay", 5.0, "µs/entry", 1.0)]
    monkeypatch.setattr(engine, "measures", lambda: found)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps({"measures": [{"name": "digest", "value": 20.0}, {"name": "gone", "value": 1}]}))
    assert main(["engine", "--compare", str(earlier), "--json"]) == 0
    digest, replay = json.loads(capsys.readouterr().out)["measures"]
    assert (digest["before"], digest["change"]) == (20.0, 1.5)
    assert "before" not in replay
    assert main(["engine", "--compare", str(earlier)]) == 0
    out = capsys.readouterr().out
    assert "before: 20, now 1.50 times as much" in out
    assert "noisy: 3 turns: median 2.00, slowest 2.00 times the least" in out


@pytest.mark.parametrize("text", ["", "[]", '{"measures": [{"name": "digest"}]}', '{"measures": 1}'])
def test_a_file_that_is_no_earlier_run_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_text(text)
    assert main(["engine", "--compare", str(earlier), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bench/no-run"


def test_an_aim_is_met_when_neither_ratio_nor_value_is_above_it() -> None:
    assert bench.cost("none", 2.0, "s", 1.0).met is None
    assert bench.cost("ratio", 2.0, "s", 1.0, 2.0).met is True
    assert bench.cost("ratio", 2.1, "s", 1.0, 2.0).met is False
    assert bench.cost("both", 2.0, "s", 1.0, 2.0, 1.9).met is False
    assert bench.cost("value", 2.0, "s", 1.0, most=2.0).fields()["met"] is True


def test_people_get_a_table_with_what_each_measure_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine"]) == 0
    out = capsys.readouterr().out
    assert "digest of a position" in out
    assert all(len(row) < 100 for row in out.splitlines())


def test_the_table_is_told_as_a_page_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--markdown"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# Benchmarks\n")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len([name for name in NAMES if name.startswith(("decisions", "game", "clone", "digest"))])
    assert {row.count("|") for row in rows} == {9}
    assert "scripts/bench --against catanatron --markdown" in out


@pytest.mark.soak
def test_what_a_height_keeps_in_memory_is_measured_without_a_clock() -> None:
    table = logs.BenchTable(1, players=2)
    table.start()
    table.play()
    star = table.star()
    found = tables.memory(star)
    assert found.notes["entries"]
    assert 1 < found.ratio < 40
    inputs, fresh = logs.inputs_of(star)
    machine = fresh()
    for given in inputs:
        machine.apply(given)
    assert machine.match.over


@pytest.mark.soak
@pytest.mark.slow
def test_a_peer_to_whom_nothing_happens_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "SEATS", 2)
    monkeypatch.setattr(idle, "SETTLED", 12.0)
    monkeypatch.setattr(idle, "LONG", 4.0)
    found = {measure.name: measure for measure in idle.measures()}
    assert found == {} or set(found) == {"idle-work", "idle-wakes"}
    assert all(measure.value > 0 for measure in found.values())


@pytest.mark.soak
@pytest.mark.slow
def test_a_table_that_was_left_is_resumed_until_it_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resume, "LENGTH", 250)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    (found,) = resume.measures()
    assert found.most == 1
    entries = found.notes["entries"]
    assert isinstance(entries, int)
    assert entries >= 250


@pytest.mark.soak
@pytest.mark.slow
def test_an_action_is_timed_at_a_table_of_real_processes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "BOTS", "random")
    monkeypatch.setattr(tables, "SEATS", 3)
    assert main(["tables", "--json"]) == 0
    measures = {one["name"]: one for one in json.loads(capsys.readouterr().out)["measures"]}
    assert measures["seen-by-all"]["actions"] > 20
    assert measures["seen-by-two"]["actions"] > 20
    assert measures["seen-by-all"]["value"] < 60_000
    assert "peer-memory" not in measures or measures["peer-memory"]["value"] < 100
    assert measures["longest-step"]["most"] == 5
    assert measures["longest-step"]["where"]
    assert measures["audit"]["most"] == 2
    assert measures["audit-work"]["operations/mul"] > 150 * tables.SEATS
    assert measures["audit"]["shuffles"] >= tables.SEATS


@pytest.mark.soak
@pytest.mark.slow
def test_the_page_of_a_game_is_measured_beside_its_file_and_its_audit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(longgame, "BOTS", "random")
    monkeypatch.setattr(longgame, "FORTH", 8)
    monkeypatch.setattr(longgame, "BACK", 3)
    monkeypatch.setattr(report, "ROUNDS", 1)
    assert main(["report", "--json"]) == 0
    measures = {one["name"]: one for one in json.loads(capsys.readouterr().out)["measures"]}
    assert measures["page-size"]["met"]
    assert measures["page-made"]["ratio"] > 1
    assert ("page-checked" in measures) is (shutil.which("node") is not None)
    assert measures["page-size"]["partial"] > 0 < measures["page-size"]["shuffle"]
    assert measures.keys() & {"page-shown", "page-verified"} == (
        {"page-shown", "page-verified"} if BROWSER is not None else set()
    )


def test_a_rate_and_a_cost_both_give_the_ratio_of_costs() -> None:
    assert bench.rate("speed", 50.0, "1/s", 100.0).ratio == 2.0
    assert bench.cost("time", 50.0, "s", 100.0).ratio == 0.5


def test_an_unknown_chapter_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engines", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "bench/unknown-chapter"
    assert "engines" in error["message"]


def test_a_page_late_in_a_game_is_measured_with_its_bytes() -> None:
    found = {measure.name: measure for measure in web.clicks()}
    assert found["web-click"].most == 100
    assert found["web-map-bytes"].value > 10_000
    assert 1_000 < found["web-state-bytes"].value < 80_000


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason=MISSING)
def test_clicks_in_a_real_chromium_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "CLICKS", 4)
    middle, worst = web.pages()
    assert (middle.most, worst.most) == (100, 300)
    assert 0 < middle.value <= worst.value


@pytest.mark.soak
def test_frames_of_the_full_screen_are_measured_beside_a_bare_redraw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "FRAMES", 2)
    monkeypatch.setattr(screen, "STARTS", 1)
    found = {measure.name: measure for measure in screen.measures()}
    frames = {"screen-line", "screen-map", "screen-draft", "screen-page"}
    assert set(found) - {"screen-memory"} == frames | {"screen-first-paint"}
    assert all(measure.value > 0 and measure.floor > 0 for measure in found.values())
