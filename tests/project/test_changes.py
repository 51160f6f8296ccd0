"""What the soak changes, figures of the content and places of the code, and whether it sees that tests notice."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from volume import VOLUME

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def beside_the_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def changed(change: Any, root: Path = ROOT) -> str:
    data = (root / change.path).read_bytes()
    text: str = change.applied(data).decode()
    return text


def test_every_figure_of_every_content_file_grows_by_one_and_nothing_else_changes() -> None:
    from figures import figures

    files = sorted((ROOT / "engine").glob("*/content/**/*.toml"))
    changes = [change for path in files for change in figures(path)]
    assert len(changes) > 1500
    for change in Random(1).sample(changes, 40):
        before, after = ((ROOT / change.path).read_text("utf-8"), changed(change))
        assert tomllib.loads(before) != tomllib.loads(after), change.lines()
        assert sum(map(len, before.splitlines())) <= sum(map(len, after.splitlines()))


def test_neither_texts_comments_nor_keys_are_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import figures

    monkeypatch.setattr(figures, "ROOT", tmp_path)
    file = tmp_path / "numbers.toml"
    file.write_text('# 7 sources\nname = "Sector 101"\nid-2 = 4\npool = { 3 = 115, 4 = -2 }\n', "utf-8")
    assert [change.new for change in figures.figures(file)] == [b"5", b"116", b"-1"]


def test_every_changed_module_is_still_python_and_another_one() -> None:
    from mutants import chosen

    for change in chosen(40 * VOLUME, 1, ["engine/core", "p2p/wire"]):
        before, after = (ROOT / change.path).read_text("utf-8"), changed(change)
        assert ast.dump(ast.parse(before)) != ast.dump(ast.parse(after)), change.lines()


def test_every_change_that_changes_nothing_is_one_that_can_be_made_and_has_its_reason() -> None:
    from mutants import EQUIVALENT, Places

    for row in tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]:
        assert set(row) == {"path", "before", "after", "reason"}
        assert len(row["reason"]) > 20
        made = {change.lines()[1:] for change in Places(row["path"]).changes()}
        assert (row["before"], row["after"]) in made, row


@pytest.mark.soak
def test_a_figure_is_held_by_a_test_that_computes_with_it() -> None:
    """One greater as it is loaded, and nothing on the disk: the test that fails is named."""
    file = ROOT / "engine" / "emperor" / "content" / "numbers.toml"
    before = file.read_bytes()
    told = subprocess.run(
        [sys.executable, "scripts/figures.py", "emperor/content/numbers", "--count", "2", "--tell"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "'radius = 4': tests/engine/emperor/test_emperor_figures_played.py::" in told
    assert told.endswith("2 figures changed, 2 noticed\n")
    assert file.read_bytes() == before


@pytest.mark.soak
def test_a_change_is_noticed_by_a_failing_test_and_by_no_passing_one(tmp_path: Path) -> None:
    from copies import ByteChange, noticed

    (tmp_path / "one.py").write_text("ONE = 1\nTWO = 2\n")
    (tmp_path / "test_one.py").write_text("import one\n\ndef test_one():\n    assert one.ONE == 1\n")
    stages = [[], ["test_one.py"]]
    assert noticed(tmp_path, ByteChange("one.py", 6, 7, b"3"), stages) == "noticed"
    assert noticed(tmp_path, ByteChange("one.py", 6, 7, b"("), stages) == "noticed"
    assert noticed(tmp_path, ByteChange("one.py", 14, 15, b"3"), stages) == "nobody"
    (tmp_path / "test_far.py").write_text(
        "import one, pytest\n\n@pytest.mark.slow\ndef test_far():\n    assert one.TWO == 2\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    assert noticed(tmp_path, ByteChange("one.py", 14, 15, b"3"), [["test_one.py"], ["test_far.py"]]) == "nobody"
    assert noticed(tmp_path, ByteChange("one.py", 14, 15, b"3"), [["test_far.py"], ["test_one.py"]]) == "noticed"
    assert (tmp_path / "one.py").read_text() == "ONE = 1\nTWO = 2\n"


@pytest.mark.parametrize("method", ["thread", *(["signal"] if hasattr(signal, "SIGALRM") else [])])
def test_a_change_with_which_a_test_only_takes_too_long_is_not_noticed_by_it(tmp_path: Path, method: str) -> None:
    from copies import ByteChange, noticed

    (tmp_path / "one.py").write_text("ENDLESS = 0\n")
    (tmp_path / "test_one.py").write_text("import one\n\ndef test_one():\n    while one.ENDLESS:\n        pass\n")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers = slow\ntimeout = 1\ntimeout_method = {method}\n")
    change = ByteChange("one.py", 10, 11, b"1")
    assert noticed(tmp_path, change, [["test_one.py"]]) == "too-long"
    (tmp_path / "test_far.py").write_text("import one\n\ndef test_far():\n    assert not one.ENDLESS\n")
    assert noticed(tmp_path, change, [["test_one.py"], ["test_far.py"]]) == "noticed"


def test_changes_that_take_too_long_are_told_apart_and_lower_the_share() -> None:
    from copies import Finding
    from mutants import summary

    told = "100 changes that matter, 92 noticed (92 %), 3 equivalent ones"
    noticed, nobody, late = (cast("list[Finding]", [word]) for word in ("noticed", "nobody", "too-long"))
    assert summary([*noticed * 92, *nobody * 8], 3) == (told, True)
    told = "100 changes that matter, 91 noticed (91 %), 9 took too long, 0 equivalent ones"
    assert summary([*noticed * 91, *late * 9], 0) == (told, False)


def test_the_nearest_tests_come_first() -> None:
    from copies import ByteChange
    from mutants import nearest_tests

    first, rest, others = nearest_tests(ByteChange("seeds/shuffle.py", 0, 0, b""))
    assert "tests/seeds/test_shuffle.py" in first
    assert "tests/seeds/test_beacon.py" in rest
    assert len({*first, *rest, *others}) == len(first) + len(rest) + len(others)
    for path, nearest in (  # modules that no test imports
        ("client/fronts/screen/other_lobby.py", "tests/client/fronts/screen/test_screen_lobby.py"),
        ("p2p/lockstep/other.py", "tests/p2p/test_lockstep_admission.py"),
    ):
        first, rest, others = nearest_tests(ByteChange(path, 0, 0, b""))
        assert (first, rest[0], others) == ([], nearest, [])
    lines = nearest_tests(ByteChange("client/show/lines.py", 0, 0, b""))[2]
    assert "tests/client/fronts/kit/test_kept_kit.py" in lines, "the kit imports it"


def test_a_condition_loses_its_not_and_each_comparison_of_a_chain_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mutants

    (tmp_path / "one.py").write_text("some = [each for each in those if not each]\nfew = 1 < some <= 4\n", "utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr("copies.ROOT", tmp_path)
    made = {change.lines()[2] for change in mutants.Places("one.py").changes()}
    assert made == {
        "some = [each for each in those if (each)]", "some = [each for each in those if (not (not each))]",
        "few = 1 <= some <= 4", "few = 1 < some < 4", "few = 2 < some <= 4", "few = 1 < some <= 5",
    }  # fmt: skip


def test_a_figure_is_judged_by_tests_that_play_and_by_no_copy_of_the_content() -> None:
    from figures import unit_tests

    first, others = unit_tests("rex")
    assert first == ["tests/engine/rex/test_rex_figures_played.py"]
    assert "tests/engine/rex/test_rex_battle.py" in others
    for name in (*first, *others):
        assert (ROOT / name).exists()
        assert "games" not in name
        assert "content" not in name


def test_every_tier_runs_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    import soak

    for minutes in soak.TIERS:
        assert list(soak.parts(minutes)) == ["tests", "tables", "games", "figures", "mutants"]
