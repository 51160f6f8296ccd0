"""Our audit, the checks in JavaScript that a page of a game brings along, and the second verifier, which was written
from PROTOCOL.md alone: all judge a log alike, or one of them is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from agreement import NODE, Game, judged_by_all
from faultcases import CASES, played
from judges import damaged, disagreements, game_of, honest, hostile, resigned
from volume import GATE, VOLUME, pieces, seeds

from client.report.facts import BY_RULES
from p2p.testing.drifters import drifting_table
from p2p.testing.machine import TestMachine

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
VECTORS = Path(__file__).with_name("protocol_vectors.json")
ALIKE = "logs judged alike by verify, the page's JavaScript and the second verifier"


def test_all_find_every_provable_fault_at_the_same_entry(tmp_path: Path) -> None:
    tables = [played(name)[0] for name in (list(CASES)[4::7] if VOLUME == GATE else CASES)]
    games = [game_of(table.peers[0], table.keys[0].key.private, 1) for table in tables]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert sum(each.ours is not None for each in found) >= len(tables) - 2  # a fork and a vote show beside the log
    refused = [each.theirs["problem"] for each in found if not each.theirs["ok"]]
    assert {problem["told"] for problem in refused} == {True, False}
    assert all(problem["code"] in BY_RULES for problem in refused if problem["told"])


def test_all_undo_a_forced_opening_when_its_author_comes_back_before_the_reveal_ends(tmp_path: Path) -> None:
    """What the others had opened of it counts for nothing, and who is back opens it itself."""
    found = judged_by_all([honest(503)], tmp_path)
    assert disagreements(found) == []
    assert {pact.kind for pact in found[0].found.pacts} == {"absent", "back"}  # type: ignore[union-attr]


@pytest.mark.soak
def test_all_judge_drifting_tables_alike(tmp_path: Path) -> None:
    games = []
    for seed in seeds(4, 300):
        table = drifting_table(seed)
        games.append(game_of(table.peers[0].lockstep, table.peers[0].keys.key.private, table.plan.rounds))
    assert disagreements(judged_by_all(games, tmp_path)) == []


@pytest.mark.soak
def test_all_judge_games_of_honest_and_hostile_tables_alike(tmp_path: Path) -> None:
    games = [honest(seed) for seed in seeds(4, 100)] + [hostile(seed) for seed in seeds(4, 40)]
    assert disagreements(judged_by_all(games, tmp_path)) == []


def test_all_judge_what_members_say_afterwards_alike(tmp_path: Path) -> None:
    """Votes, results, claims and words for heights of every form, true and false, said twice, too late or too early."""
    games = [game for seed in seeds(1, 1021) for game in resigned(seed, 6)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert len({each.ours for each in found}) > 3


def test_all_refuse_each_file_of_the_vectors_by_the_same_code(tmp_path: Path) -> None:
    refused = json.loads(VECTORS.read_text("utf-8"))["star"]["refused"]
    cases = [case for case in refused if case["code"] != "file/content"]  # of which the page is told where it reads on
    nothing = {"told": "", "refused": {}}
    games = [Game(bytes.fromhex(case["star"]), TestMachine(2, 1), hints=nothing) for case in cases]
    found = judged_by_all(games, tmp_path)
    assert [each.ours for each in found] == [case["code"] for case in cases]
    assert [each.theirs["problem"]["code"] for each in found] == [case["code"] for case in cases]


def test_all_refuse_damaged_files_at_the_same_place(tmp_path: Path) -> None:
    random = Random(7)
    game = honest(3)
    games = [one for _ in seeds(8) for one in damaged(game, random)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert all(each.ours is not None for each in found)


@pytest.mark.soak
def test_all_let_what_is_said_of_a_later_stage_of_a_new_deck_wait(tmp_path: Path) -> None:
    """A tag was missing at a height that never ended; the page named what stood behind a share."""
    assert disagreements(judged_by_all([resigned(3206, 25)[13]], tmp_path)) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(20, 2000))
def test_all_judge_a_thousand_logs_alike_that_their_members_changed(
    seed: int, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    games = resigned(seed, 25)
    assert disagreements(judged_by_all(games, tmp_path)) == []
    tally(f"{ALIKE}, changed by their members", len(games))


@pytest.mark.soak
@pytest.mark.parametrize("numbers", pieces(60, 6), ids=lambda numbers: str(numbers.start))
def test_all_agree_on_two_hundred_logs_whole_and_altered(
    numbers: range, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    games = [honest(300 + number) for number in numbers] + [hostile(number) for number in numbers]
    games += [one for game in games[::6] for one in damaged(game, Random(numbers.start))]
    assert disagreements(judged_by_all(games, tmp_path)) == []
    tally(f"{ALIKE}, whole and damaged", len(games))
