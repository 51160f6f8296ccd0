from __future__ import annotations

from typing import Any

from emperor_table import Play, put, score, station, table

from engine.emperor.duel import duellists
from engine.emperor.scoring import scores
from engine.emperor.spec import EMPEROR
from engine.emperor.state import Emperor


def ending(role: str, **options: Any) -> Play:
    """The pool is empty after a role of seat 0; seat 1 is rich, seat 2 has a full storage and two planets more."""
    play = table(3, **options)
    if role == "warlord-2":
        with play.edit() as g:
            g.round.cards[0], g.round.cards[7] = 2, 0
    play.say("left", role)
    with play.edit() as g:
        score(g, 0, 100)
        score(g, 1, 8)
        score(g, 2, 7)
        put(g, "forge-and-flare", "c5", 2)
        g.seats.marks[1] = 9
        g.seats.metal[2], g.seats.energy[2] = 6, 3
    return play


def parts(play: Play) -> list[dict[str, int]]:
    return [dict(score.parts) for score in sorted(scores(play.g), key=lambda score: score.seat)]


def test_after_a_warlord_planets_storage_and_marks_are_counted() -> None:
    play = ending("warlord").until()
    assert play.match.over
    assert parts(play) == [
        {"play": 100, "planets": 1, "storage": 0, "marks": 0},
        {"play": 8, "planets": 1, "storage": 0, "marks": 2},
        {"play": 7, "planets": 3, "storage": 1, "marks": 0},
    ]


def test_a_storage_is_full_only_with_both_resources() -> None:
    play = ending("warlord")
    with play.edit() as g:
        g.seats.metal[1], g.seats.energy[1] = 6, 2
        g.seats.metal[2], g.seats.energy[2] = 5, 3
    assert [row["storage"] for row in parts(play.until())] == [0, 0, 0]


def test_after_an_explorer_planets_are_counted_too() -> None:
    play = ending("explorer").until()
    assert [row["planets"] for row in parts(play)] == [1, 1, 3]


def test_after_the_second_warlord_planets_are_counted_too() -> None:
    play = ending("warlord-2").until()
    assert [row["planets"] for row in parts(play)] == [1, 1, 3]


def test_after_a_regent_nothing_more_is_counted() -> None:
    play = ending("regent").until()
    assert parts(play)[2] == {"play": 10, "planets": 0, "storage": 0, "marks": 0}


def test_by_option_storage_and_marks_count_after_a_regent_too() -> None:
    play = ending("regent", bonuses="always").until()
    assert parts(play)[1:] == [
        {"play": 9, "planets": 0, "storage": 0, "marks": 2},
        {"play": 10, "planets": 0, "storage": 1, "marks": 0},
    ]


def test_those_who_share_most_marks_get_one_point_each() -> None:
    play = table(3).say("left", "warlord")
    with play.edit() as g:
        score(g, 0, 100)
        score(g, 1, 15)
        g.seats.marks[0] = 1
    play.until()
    assert [row["marks"] for row in parts(play)] == [0, 1, 1]


def last_token(g: Emperor) -> None:
    """Seat 0 has one token left and a ship on a free planet."""
    tiles = [n for n in (*g.const.plain, *g.const.atomic) if g.const.planets[n]]
    for tile, space in zip(tiles, ("b1", "b2", "b3", "b4", "b5", "c1", "c2", "c3", "c4", "c5"), strict=False):
        put(g, g.const.tiles[tile].id, space, 0)
    put(g, g.const.tiles[tiles[10]].id, "e5")
    station(g, 0, "e5", "fighter")


def test_the_last_empire_token_ends_the_game_after_the_role() -> None:
    play = table(3)
    with play.edit() as g:
        last_token(g)
    play.say("left", "warlord", "-")
    assert play.say("e5").g.seats.reserve[0] == 0
    assert not play.match.over
    assert play.until().match.over
    assert play.events("game/ending") == [{"why": "tokens", "role": "warlord"}]


def test_the_game_ends_after_a_last_token_even_if_it_is_destroyed_in_the_same_role() -> None:
    play = table(3)
    with play.edit() as g:
        last_token(g)
        station(g, 1, "c6", "cruiser")
    play.force("fire", (4, 4, 1, 1)).say("left", "warlord", "-", "e5", "ship:cruiser:c6 c5", "-", "-")
    assert play.sector("c5") == (-1, 0)
    assert play.g.seats.reserve[0] == 1
    play.until()
    assert play.match.over
    assert play.events("game/ending") == [{"why": "tokens", "role": "warlord"}]
    assert play.g.round.number == 1


def test_points_are_given_beyond_the_pool() -> None:
    play = table(3).say("left", "regent")
    with play.edit() as g:
        score(g, 0, 114)
    play.until()
    assert sum(play.g.seats.vp) == 117


def test_the_player_with_most_points_wins() -> None:
    play = ending("warlord").until()
    assert [(score.seat, score.rank) for score in EMPEROR.scores(play.g)] == [(0, 1), (1, 2), (2, 2)]
    assert [event["rank"] for event in play.events("score/final")] == [1, 2, 2]


# The tie


def tied(*fleets: tuple[str, ...], third: int = 15) -> Play:
    """Seats 0 and 1 have 50 points each before a Regent empties the pool; their ships stand at home."""
    play = table(3).say("left", "regent")
    with play.edit() as g:
        score(g, 0, 50)
        score(g, 1, 50)
        score(g, 2, third)
        for seat, ships in enumerate(fleets):
            g.ships.place[14 * seat] = -1
            station(g, seat, ("d7", "g1", "a1")[seat], *ships)
    return play


def finish(play: Play) -> Play:
    return play.until()


def ranks(play: Play) -> list[int]:
    return [score.rank for score in sorted(EMPEROR.scores(play.g), key=lambda score: score.seat)]


def test_a_tie_is_broken_by_a_battle_of_whole_fleets() -> None:
    play = finish(tied(("cruiser",), ("fighter",)).force("fire", (4, 1)))
    assert ranks(play) == [1, 2, 3]
    play = finish(tied(("cruiser",), ("fighter",)).force("fire", (1, 1), (5,)))
    assert ranks(play) == [2, 1, 3]


def test_tokens_and_ships_in_reserve_take_no_part() -> None:
    play = finish(tied((), ("fighter",)))
    assert ranks(play) == [2, 1, 3]
    assert [score.seat for score in EMPEROR.scores(play.g)] == [1, 0, 2]
    assert ranks(finish(tied(("fighter",), ()))) == [1, 2, 3]


def test_losses_are_chosen_in_this_battle_too() -> None:
    play = tied(("cruiser", "fighter"), ("dreadnought",)).force("fire", (3, 1, 1)).until("duel")
    assert (play.seat, play.options()) == (0, ["cruiser", "fighter"])


def test_when_both_fleets_are_gone_they_fight_again() -> None:
    play = finish(tied(("fighter",), ("fighter",)).force("fire", (6, 6), (6, 1)))
    assert ranks(play) == [1, 2, 3]


def test_after_the_third_phase_the_first_follows_in_this_battle_too() -> None:
    play = tied(("cruiser",), ("fighter",)).force("fire", (1, 1), (1,), (4, 1))
    assert ranks(finish(play)) == [1, 2, 3]
    assert [event["phase"] for event in play.events("warlord/rolled")] == [2, 3, 2]


def test_after_ten_bouts_sectors_then_marks_decide_or_the_victory_is_shared() -> None:
    play = finish(tied(("fighter",), ("fighter",)).force("fire", *[(6, 6)] * 10, (6, 1)))
    assert ranks(play) == [1, 1, 3]
    assert play.forced["fire"] == [(6, 1)]
    play = tied(("fighter",), ("fighter",)).force("fire", *[(6, 6)] * 9, (6, 1))
    assert ranks(finish(play)) == [1, 2, 3]
    play = tied(("fighter",), ("fighter",)).force("fire", *[(6, 6)] * 10)
    with play.edit() as g:
        g.seats.marks[1] = 6
    assert ranks(finish(play)) == [2, 1, 3]


def test_without_any_ships_sectors_and_marks_decide() -> None:
    play = tied((), ())
    with play.edit() as g:
        g.seats.marks[1] = 6
    assert ranks(finish(play)) == [2, 1, 3]


def test_more_sectors_decide_before_more_marks() -> None:
    play = tied((), ())
    with play.edit() as g:
        put(g, "oatha", "c5", 0)
        score(g, 0, -1)
        g.seats.marks[1] = 9
    assert ranks(finish(play)) == [1, 2, 3]


def test_of_more_than_two_the_two_with_most_sectors_fight() -> None:
    play = table(4)
    with play.edit() as g:
        for seat in range(4):
            score(g, seat, 20)
        put(g, "oatha", "c5", 1)
        put(g, "forge-and-flare", "b5", 3)
        put(g, "verdance", "c4", 2)
        g.round.direction = 1
    assert duellists(play.g) == [3, 1]
    with play.edit() as g:
        g.seats.marks[2] = 9
    assert duellists(play.g) == [3, 2]


def test_who_is_a_point_short_has_no_part_in_the_tie() -> None:
    play = table(3)
    with play.edit() as g:
        for seat, points in enumerate((20, 19, 20)):
            score(g, seat, points)
        put(g, "oatha", "c5", 1)
        g.round.direction = 1
    assert duellists(play.g) == [0, 2]


def test_of_those_alike_in_all_the_first_in_order_from_the_throne_fight() -> None:
    play = table(4)
    with play.edit() as g:
        g.round.throne, g.round.direction = 2, 1
    assert duellists(play.g) == [2, 3]
    with play.edit() as g:
        g.round.direction = -1
    assert duellists(play.g) == [2, 1]
