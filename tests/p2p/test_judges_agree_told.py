"""No judge without the rules believes what is told of the questions beside a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from agreement import NODE, hints_of, judged_by_all, told_items, told_of
from faultcases import CASES
from judges import game_of, simulated
from volume import GATE, VOLUME

from p2p.testing.plans import FaultPlan

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
VECTORS = Path(__file__).with_name("protocol_vectors.json")
REFUSED = json.loads(VECTORS.read_text("utf-8"))["refused told"]


def with_row(hints: dict[str, Any], height: int, row: list[Any] | None) -> dict[str, Any]:
    """The hints with something else told of a height, or nothing."""
    items = [(row if each[0] == height else each) for each in told_items(hints["told"])]
    return hints | {"told": told_of([each for each in items if each is not None])}


def false_hints(hints: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is told beside the log, with one thing left out or exchanged for another, for each kind of height."""
    rows = {row[1][0]: row for row in told_items(hints["told"])[1:]}
    for height, asked, *rest in rows.values():
        yield with_row(hints, height, None)
        others: list[Any] = [
            ["choose", [0]],
            ["roll", "dice", [6]],
            ["over"],
            [asked[0]],
            [*asked, 0],
            [*asked[:-1], []],
        ]
        yield from (with_row(hints, height, [height, other, *rest]) for other in [*others, *REFUSED] if other != asked)
        if len(rest) == 2:
            ended, outcome = rest
            yield with_row(hints, height, [height, asked, not ended, outcome])
            for other in ([["result", 0]], [["roll", "dice", [6]], *outcome], outcome[:-1]):
                if other != outcome:
                    yield with_row(hints, height, [height, asked, ended, other])


def test_what_is_told_beside_the_log_hides_nothing(tmp_path: Path) -> None:
    """Each height is what its members signed, whatever is told: no proof goes unchecked because of a false word."""
    seats = tuple((number,) for number in range(3))
    game = simulated(4, FaultPlan(seats, rounds=2, draws="sealed"), {})
    told = hints_of(game.star, game.machine)
    false = [game._replace(hints=hints) for hints in false_hints(told)]
    assert len(false) > 100
    false = false if VOLUME > GATE else Random(1).sample(false, 6)
    whole, *found = judged_by_all([game, *false], tmp_path)
    assert whole.theirs["ok"]
    assert [number for number, each in enumerate(found) if each.theirs.get("ok", False) or each.second.intact] == []
    assert [each.theirs["crashed"] for each in found if "crashed" in each.theirs] == []


@pytest.mark.parametrize("name", ["refused told", "refused outcome"])
def test_what_is_told_in_another_form_is_refused_by_name(name: str, tmp_path: Path) -> None:
    game = simulated(4, FaultPlan(((0,), (1,)), rounds=1), {})
    told = hints_of(game.star, game.machine)
    rows, recorded = told_items(told["told"])[1:-1], json.loads(VECTORS.read_text("utf-8"))
    wrong = [[rows[1][0], said, *rows[1][2:]] for said in recorded["refused told"]]
    if name == "refused outcome":
        wrong = [[*rows[1][:3], said] for said in recorded["refused outcome"]]
    found = judged_by_all([game._replace(hints=with_row(told, row[0], row)) for row in wrong], tmp_path)
    assert len(found) >= 5
    assert {each.theirs["problem"]["code"] for each in found} == {"told/form"}
    assert not [each.second.problems for each in found if each.second.intact]


def lies(hints: dict[str, Any], height: int) -> Iterator[dict[str, Any]]:
    """What else could be told of what was asked at a height."""
    row = next(row for row in told_items(hints["told"]) if row[0] == height)
    handles = next((part for part in row[1][1:] if isinstance(part, list)), [])
    for seat, some in enumerate(([], handles[:1], handles)):
        said: list[Any] = [["roll", "x", [6]], ["deal", seat, "bag", some], ["show", seat, some], ["reveal", "x", some]]
        said += [["shuffle", "x", "bag", some, some], ["seal", [seat][: len(some)], some[:1], bool(seat % 2)]]
        said += [["prepare"], ["keys"], ["anew", "bag"], ["choose", [seat]], ["over"]]
        yield from (with_row(hints, height, [height, asked, *row[2:]]) for asked in said if asked != row[1])


LIED_ABOUT = ("shuffle", "share", "remask", "opening", "partial", "seal", "reveal", "anew")


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in CASES if any(word in name for word in LIED_ABOUT)])
def test_no_word_about_what_was_asked_hides_a_fault(name: str, tmp_path: Path) -> None:
    """Also at a height that came to nothing, of which no running hash tells what it was about."""
    table, _culprit = CASES[name][0]()
    game = game_of(table.peers[0], table.keys[0].key.private, 1)
    told = hints_of(game.star, game.machine)
    (whole,) = judged_by_all([game], tmp_path)
    height = whole.theirs["problem"]["height"]
    found = judged_by_all([game._replace(hints=hints) for hints in lies(told, height)], tmp_path)
    assert [number for number, each in enumerate(found) if each.theirs.get("ok", False) or each.second.intact] == []
