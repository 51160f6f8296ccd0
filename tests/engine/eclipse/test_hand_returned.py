"""The reputation tiles of a seat whose owner leaves for good (ruling hand-returned)."""

from __future__ import annotations

import pytest
from eclipse_table import Play, table

from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.inputs import Answer, Notice
from engine.core.sections import flat, row_of
from engine.core.waits import Shuffle
from engine.eclipse.combat.reputation import DECK, KeepTile


def holding(seat: int, tiles: int) -> Play:
    """A table at which a seat holds so many tiles."""
    play = table(4)
    with play.edit() as g:
        held = g.decks.order[DECK][:tiles]
        del g.decks.order[DECK][:tiles]
        for place, index in enumerate(held):
            g.seats.reputation[seat, place] = 1 + index
    return play


def leave(play: Play, seat: int) -> list[Handle]:
    """The owner leaves; what it held."""
    held = [Handle(DECK, tile - 1) for tile in row_of(play.g.seats.reputation, seat) if tile > 0]
    for kind in ("vacated", "hand-returned"):
        play.match.apply(Notice(kind, Seat(seat)))
    return held


@pytest.mark.parametrize("seat", [0, 1])
def test_the_tiles_go_back_at_the_next_border_and_are_mixed_in_before_the_next_draw(seat: int) -> None:
    play = holding(seat, 3)
    bag = [Handle(DECK, index) for index in play.g.decks.order[DECK]]
    held = leave(play, seat)
    assert [tile > 0 for tile in flat(play.g.seats.reputation)].count(True) == 3
    told = play.match.apply(Answer(Seat(play.seat), play.match.caretaker(play.seat)))
    assert not isinstance(play.match.pending, Shuffle)
    assert not any(tile > 0 for tile in flat(play.g.seats.reputation))
    assert len(play.g.decks.order[DECK]) == len(bag) + 3
    assert {"seat": seat, "tiles": 3} in [event.args for event in told if event.id == "reputation/hand-returned"]
    with play.edit() as g:
        g.flow.agenda[0:0] = [["draw-reputation", g.const.sector_index["001"], 3, 1, 0], g.flow.now]
        g.flow.now = []
    assert isinstance(play.ask, KeepTile)
    assert not {*held, *bag} & {*play.ask.tiles}


def test_a_seat_that_holds_nothing_returns_nothing() -> None:
    play = table(4)
    leave(play, 0)
    before = list(play.g.decks.order[DECK])
    play.stand_in()
    assert play.events("reputation/hand-returned") == []
    assert play.g.decks.order[DECK] == before


def test_who_is_just_choosing_a_tile_first_chooses_and_then_returns_it_too() -> None:
    play = holding(0, 1)
    with play.edit() as g:
        g.flow.agenda[0:0] = [["draw-reputation", g.const.sector_index["001"], 0, 1, 1], g.flow.now]
        g.flow.now = []
    assert isinstance(play.ask, KeepTile)
    leave(play, 0)
    play.stand_in()
    assert play.events("reputation/kept")
    assert play.events("reputation/hand-returned") == [{"seat": 0, "tiles": 2}]
    assert len(play.g.decks.order[DECK]) == len(play.g.const.reputation_bag)


def test_ambassadors_stay() -> None:
    play = holding(0, 1)
    with play.edit() as g:
        g.seats.reputation[0, 4] = 0
        g.seats.reputation[0, 3] = -1 - 1
        g.seats.envoys[1, 0], g.seats.ambassadors[1] = 1, g.seats.ambassadors[1] - 1
        g.seats.track[1, 0] -= 1
    leave(play, 0)
    play.stand_in()
    assert -2 in row_of(play.g.seats.reputation, 0)
    assert not any(tile > 0 for tile in row_of(play.g.seats.reputation, 0))


@pytest.mark.parametrize(("kinds", "returned"), [(("left-out", "back"), False), (("hand-returned",), True)])
def test_the_tiles_stay_with_whoever_is_left_out_for_a_while(kinds: tuple[str, ...], returned: bool) -> None:
    play = holding(1, 3)
    for kind in kinds:
        play.match.apply(Notice(kind, Seat(1)))
    play.match.apply(Answer(Seat(play.seat), play.match.caretaker(play.seat)))
    assert play.g.decks.unmixed(DECK) == returned
