from __future__ import annotations

import pytest
from emperor_table import table

from engine.emperor.state import BOARD, HOME, STACK


def test_every_player_begins_alike() -> None:
    play = table(3)
    assert list(play.g.seats.marks) == [5, 5, 5]
    assert list(play.g.seats.metal) == list(play.g.seats.energy) == [1, 1, 1]
    assert list(play.g.seats.reserve) == [11, 11, 11]
    assert [play.ships(seat, corner) for seat, corner in enumerate(("d7", "g1", "a1"))] == [["fighter"]] * 3


def test_homes_and_the_omega_sun_lie_on_the_board() -> None:
    play = table(4)
    assert [play.tile(corner) for corner in ("d7", "g4", "d1", "a1")] == ["calidra", "thalos", "ysmere", "auric-hold"]
    assert [play.sector(corner) for corner in ("d7", "g4", "d1", "a1")] == [(seat, HOME) for seat in range(4)]
    assert play.tile("d4") == "omega-sun"
    assert list(play.g.tiles.where).count(BOARD) == 5


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_one_tile_a_player_and_one_more_is_turned_up(seats: int) -> None:
    play = table(seats)
    assert len(play.shown()) == seats + 1
    assert play.g.round.pool == {3: 115, 4: 130, 5: 145, 6: 160}[seats]


def test_plain_tiles_lie_above_the_black_hole_above_atomic_ones_with_unused_homes() -> None:
    play = table(3)
    const, order = play.g.const, []
    play.now(["end-round"])
    while any(where == STACK for where in play.g.tiles.where):
        play.now(["end-round"])
        order += [tile for event in play.events("explorer/turned-up") for tile in event["tiles"]]
    backs = [const.tiles[const.tile_index[name]].back for name in order]
    middle = order.index("black-hole")
    assert set(backs[:middle]) == {"plain"}
    assert set(backs[middle + 1 :]) == {"atomic"}
    assert {"auric-hold", "vioress", "tamber"} <= set(order[middle + 1 :])
    assert len(order[middle + 1 :]) == 15 + 3


def test_two_technologies_of_each_type_are_shown() -> None:
    play = table(3)
    shown = [[play.g.round.display[tech] for tech in cards].count(1) for cards in play.g.const.by_type]
    assert shown == [2, 2, 2]


def test_the_throne_goes_to_a_player_drawn_at_random() -> None:
    assert table(5, forced={"throne": (4,)}).g.round.throne == 3
    assert table(5, forced={"throne": (4,)}).seat == 3


def test_the_explorer_side_is_up_and_the_scientist_is_in_the_game() -> None:
    play = table(3).say("left")
    assert play.options() == ["engineer", "explorer", "merchant", "regent", "scientist", "steward", "warlord"]
