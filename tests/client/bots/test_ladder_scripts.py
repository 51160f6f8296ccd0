"""The page LADDER.md says what was played, and the scripts of bots answer `--help` and refuse what they do not know."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from test_ladder import ROOT, WORDS, climbed


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


def test_the_page_has_a_line_for_each_series_and_keeps_those_of_before(tmp_path: Path) -> None:
    for name in ("one", "two"):
        climbed(*WORDS, "--seed", name, "--rows", str(tmp_path / name))
    command = [sys.executable, str(ROOT / "scripts/ladder.py"), "--page", str(tmp_path / "LADDER.md")]
    subprocess.run([*command, str(tmp_path / "one"), str(tmp_path / "two")], check=True)
    page = (tmp_path / "LADDER.md").read_text("utf-8")
    assert page.count("| emperor | 3 | greedy | random | 6 |") == 1
    other = "| rex | 4 | greedy | light | 30 | 53% (36%-70%) | 20% (10%-37%) | 2.9 |"
    (tmp_path / "LADDER.md").write_text(page.replace("\n\n## ", f"\n{other}\n\n## "), "utf-8")
    subprocess.run([*command, str(tmp_path / "two")], check=True)
    again = (tmp_path / "LADDER.md").read_text("utf-8")
    assert other in again, "what the page holds of other series stays"
    assert again.replace(other + "\n", "") == page
    assert "| emperor | 3 | greedy | random | " in page[page.index("## Where the points come from") :]
    by_hand = "\n## What was tried\n\nThis and that.\n"
    (tmp_path / "LADDER.md").write_text(page + by_hand, "utf-8")
    subprocess.run(command, check=True)
    assert (tmp_path / "LADDER.md").read_text("utf-8") == page + by_hand, "what is written by hand stays"
    assert "core hours" in page
    assert "| rex | expert among greedy | not played |" in page
    assert "| rex | master" not in page, "a level that is the same as another one has no line"
    assert "| emperor | casual among beginner | not played |" in page
    assert "| emperor | master among greedy: 60 % | not played |" in page


def test_the_page_says_what_is_shown_and_what_is_not() -> None:
    module = runpy.run_path(str(ROOT / "scripts/ladder.py"))
    line = "| {} | 4 | {} | {} | {} | {}% ({}%-99%) | {}% (1%-50%) | 2.0 | +1 ± 1 | 1 ms | 1 ms | 0.1 | day | commit |"
    lines = [
        line.format("emperor", "casual", "beginner", 200, 37, 30, 23),
        line.format("emperor", "greedy", "casual", 199, 37, 30, 23),
        line.format("emperor", "master", "greedy", 400, 37, 20, 23),
        line.format("rex", "expert", "first", 200, 54, 47, 42),
        line.format("eclipse2", "expert", "greedy", 300, 52, 42, 25),
    ]
    told = [*module["judged"](lines)]
    for said in (
        "| emperor | casual among beginner | shown: 37% (from 30%) against 23% |",
        "| emperor | greedy among casual | only 199 pairs of 200: 37% (from 30%) against 23% |",
        "| emperor | master among greedy | not shown: 37% (from 20%) against 23% |",
        "| emperor | master among greedy: 60 % | not shown: 37% (from 20%) against 23% |",
        "| eclipse1 | expert among greedy: 50 %, lower end above 42 | not played |",
        "| rex | expert among first: 12 points above an equal | shown: 54% (from 47%) against 42% |",
        "| eclipse2 | expert among greedy: 50 %, lower end above 42 | not shown: 52% (from 42%) against 25% |",
    ):
        assert said in told


MODULES = ("build_hook.py", "catalogues.py", "copies.py", "environment.py")
"""Files in scripts that others import."""


def test_every_script_answers_help_and_does_nothing_else() -> None:
    scripts = {path for path in (ROOT / "scripts").glob("*.py") if path.name not in MODULES}
    asked = [(path, [sys.executable, str(path), "--help"]) for path in sorted(scripts)]
    for path, command in asked:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), path.name
        assert "usage" in done.stdout.lower() or path.name == "play.py"
    assert not (ROOT / "--help").exists()


@pytest.mark.parametrize(
    "words",
    [
        "ladder.py deep-blue random",
        "ladder.py --page PAGE none",
        "ladder.py greedy random --game emperor --games 2 --cluster nowhere",
        "absurd.py chess",
        "absurd.py rex --level deep-blue",
        "absurd.py rex --seats 9",
        "tune.py play chess --rows ROWS",
        "tune.py play rex --seats 9 --rows ROWS",
        "tune.py fit none",
        "value.py play rex --rows ROWS",
        "value.py species eclipse2 --seats 9 --rows ROWS",
        "value.py train none",
        "value.py test none",
    ],
)
def test_scripts_of_bots_refuse_what_they_do_not_know(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another exit code than where they have found something, such as an absurd move."""
    script = ROOT / "scripts" / words.split(maxsplit=1)[0]
    monkeypatch.syspath_prepend(script.parent)
    monkeypatch.setattr(sys, "argv", words.split())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    assert ended.value.code == 2
    assert not [*tmp_path.iterdir()]
