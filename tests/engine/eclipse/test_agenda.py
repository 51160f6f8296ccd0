from __future__ import annotations

import pytest
from eclipse_table import Play, table

from engine.core.agenda import Item
from engine.core.errors import Refusal
from engine.eclipse.spec import ECLIPSE2
from engine.testing.judges import load_position


def loaded(play: Play, item: Item) -> object:
    data = play.match.position()
    data["flow"]["agenda"].insert(0, item)
    return load_position(ECLIPSE2, data)


@pytest.mark.parametrize(
    "item",
    [
        ["nonsense"],
        ["turn"],
        ["turn", 2],
        ["turn", 0, 0],
        ["turn", "0"],
        ["phase", "over"],
        ["phase", 1],
        ["battle", 999],
        ["battle", -1],
        ["draw-sector", 0, 0, -2],
        ["draw-sector", 0, 0, 0],
        ["explore", 0, -1, 1],
        ["strike", 0, 5, 0, 0, 0],
        ["strike", 0, 0, 1, 0, 1 << 20],
        ["influence", 0, 1, 2, 999],
    ],
)
def test_an_impossible_item_is_refused_by_its_place(item: Item) -> None:
    problem = loaded(table(), item)
    assert isinstance(problem, Refusal)
    assert problem.path.startswith("flow.agenda.0")


@pytest.mark.parametrize(
    "item",
    [
        ["turn", 1],
        ["phase", "upkeep"],
        ["draw-sector", 0, 0, -1],
        ["influence", 0, 2, 2, 1],
        ["influence", 0, 2, 2, 1, 0],
        ["strike", 0, 0, -1, 0, 0],
    ],
)
def test_a_possible_item_is_accepted(item: Item) -> None:
    assert not isinstance(loaded(table(), item), Refusal)


def test_a_sector_off_the_map_is_no_place_for_a_battle() -> None:
    play = table()
    assert isinstance(loaded(play, ["battle", play.tile("304")]), Refusal)
    assert not isinstance(loaded(play, ["battle", play.tile("221")]), Refusal)
