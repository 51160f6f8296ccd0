"""Collection and bombardment."""

from __future__ import annotations

import pytest
from rex_table import Play, table

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def lying(made: Play, **influence: int) -> Play:
    with made.edit() as g:
        for space, amount in influence.items():
            g.board.influence[g.const.space_index[space.replace("_", "-")]] = amount
    return made


def left(made: Play, space: str) -> int:
    return made.g.board.influence[made.g.const.space_index[space]]


def test_who_holds_at_most_two_gains_two_and_xxcha_always() -> None:
    made = table(SIX).influence(0, 2, 3, 9, 1, 9).run(["collection"], phase="collection")
    assert list(made.g.seats.influence) == [2, 4, 3, 11, 3, 9]


def test_charity_gives_xxcha_two_even_when_it_is_poor() -> None:
    made = table(SIX).influence(9, 9, 9, 1, 9, 9).run(["collection"], phase="collection")
    assert made.g.seats.influence[3] == 3


def test_each_unit_collects_two_and_the_rest_stays() -> None:
    made = lying(table(SIX).influence(9, 9, 9, 9, 9, 9).army(2, "grand-exchange", 3), grand_exchange=8)
    made.run(["collection"], phase="collection")
    assert (made.g.seats.influence[2], left(made, "grand-exchange")) == (15, 2)


@pytest.mark.parametrize("transit", ["imperial-navy-base", "civilian-spaceport"])
def test_navy_base_and_spaceport_let_each_unit_collect_three(transit: str) -> None:
    made = lying(table(SIX).influence(9, 9, 9, 9, 9, 9).army(2, "grand-exchange", 2), grand_exchange=8)
    made.army(2, transit, 1).run(["collection"], phase="collection")
    assert (made.g.seats.influence[2], left(made, "grand-exchange")) == (15, 2)


def test_face_down_units_neither_collect_nor_keep_others_from_it() -> None:
    made = lying(table(SIX).influence(9, 9, 9, 9, 9, 9).army(3, "iaf-hq", 3).army(2, "iaf-hq", 1), iaf_hq=8)
    with made.edit() as g:
        g.board.hidden[g.const.space_index["iaf-hq"]] = 1
    made.run(["collection"], phase="collection")
    assert (made.g.seats.influence[2], made.g.seats.influence[3]) == (11, 11)


def flying(made: Play, number: int) -> Play:
    made.top("bombardment", number)
    return made.run(["bombardment"], phase="bombardment")


def test_the_fleet_moves_clockwise_as_far_as_the_card_says() -> None:
    made = table(SIX)
    assert flying(made, 5).g.round.fleet == 6
    with made.edit() as g:
        g.round.fleet = 17
    assert flying(made, 3).g.round.fleet == 2


def test_the_first_player_draws_the_bombardment_card() -> None:
    made = table(SIX)
    with made.edit() as g:
        g.round.first = 2
    made.top("bombardment", 4)
    drawn = made.g.decks.top("bombardment", 1)[0]
    made.run(["bombardment"], phase="bombardment")
    assert drawn in made.dealer.lens(2)
    assert drawn not in made.dealer.lens(1)


def test_units_and_influence_of_unshielded_spaces_it_enters_are_destroyed() -> None:
    made = table(SIX).army(2, "grand-exchange", 3).army(4, "imperial-intelligence-hq", 2).army(1, "hydro-works", 1, 2)
    made.army(5, "imperial-navy-base", 4).army(5, "adminus-mecatol", 2).army(4, "galactic-council", 1)
    lying(made, grand_exchange=5, adminus_mecatol=4)
    flying(made, 5)
    assert made.count(2, "grand-exchange") == made.count(4, "imperial-intelligence-hq") == 0
    assert made.count(1, "hydro-works") == 0
    assert made.g.seats.mech_casualties[1] == 2
    assert made.count(5, "imperial-navy-base") == 4  # shielded
    assert made.count(5, "adminus-mecatol") == 2  # the sector it leaves
    assert made.count(4, "galactic-council") == 1
    assert (left(made, "grand-exchange"), left(made, "adminus-mecatol")) == (0, 4)


@pytest.mark.parametrize(("units", "survive"), [(1, 1), (2, 1), (5, 3)])
def test_sol_loses_half_of_its_units_rounded_down(units: int, survive: int) -> None:
    made = table(SIX).army(0, "grand-exchange", units)
    assert flying(made, 3).count(0, "grand-exchange") == survive


def test_face_down_units_are_bombarded() -> None:
    made = table(SIX).army(3, "grand-exchange", 2)
    with made.edit() as g:
        g.board.hidden[g.const.space_index["grand-exchange"]] = 1
    assert flying(made, 3).count(3, "grand-exchange") == 0


def test_the_bombardment_card_is_shuffled_back_and_sol_looks_at_the_top() -> None:
    made = flying(table(SIX), 2)
    assert len(made.g.decks.order["bombardment"]) == 18
    top = made.g.decks.top("bombardment", 1)[0]
    assert top in made.dealer.lens(0)
    assert top not in made.dealer.lens(1)


def test_a_saboteur_settles_how_far_the_fleet_goes() -> None:
    made = table(SIX)
    card = made.deal(2, "fleet-sabotage")[0]
    made.run(["window", "bombardment"], ["bombardment"], phase="bombardment")
    assert made.options(made.ask.options(made.g)[1], "fleet-sabotage") == [*map(str, range(11))]
    made.say(f"{card} fleet-sabotage 10")
    assert made.g.round.fleet == 11
    assert made.g.round.sabotage == -1


def test_a_shield_bomb_removes_a_shield_for_good_with_all_units_there() -> None:
    made = table(SIX).army(2, "grand-exchange", 1).army(5, "imperial-navy-base", 6)
    card = made.deal(2, "shield-bomb")[0]
    made.run(["window", "bombardment"], phase="bombardment")
    first = made.ask.options(made.g)[1]
    assert made.options(first, "shield-bomb") == ["iaf-hq", "imperial-navy-base"]
    made.say(f"{card} shield-bomb imperial-navy-base")
    assert made.count(5, "imperial-navy-base") == 0
    assert len(made.g.round.removed) == 1
    made.army(5, "imperial-navy-base", 3)
    assert flying(made, 2).count(5, "imperial-navy-base") == 0


def bombing(seat: int, space: str) -> Play:
    """A seat stands somewhere and holds a Shield Bomb."""
    made = table(SIX).army(seat, space, 1)
    made.deal(seat, "shield-bomb")
    return made.run(["window", "bombardment"], phase="bombardment")


def test_a_shield_bomb_goes_off_before_a_saboteur_acts() -> None:
    made = table(SIX).army(2, "grand-exchange", 1)
    sabotage, bomb = made.deal(0, "fleet-sabotage")[0], made.deal(2, "shield-bomb")[0]
    made.run(["window", "bombardment"], phase="bombardment")
    made.say(f"{sabotage} fleet-sabotage 2", f"{bomb} shield-bomb imperial-navy-base")
    assert [told["card"] for told in made.events("card/played")] == ["shield-bomb", "fleet-sabotage"]


def test_a_shield_bomb_is_not_thrown_on_the_council() -> None:
    made = bombing(2, "galactic-council")
    assert made.g.const.spaces[made.g.const.hub].shielded
    near = made.options(made.ask.options(made.g)[1], "shield-bomb")
    assert near
    assert "galactic-council" not in near


def test_face_down_units_take_no_shield_bomb_to_a_space_but_are_hit_by_one() -> None:
    made = bombing(3, "grand-exchange")
    assert len(made.seen()) == 2
    with made.edit() as g:
        g.board.hidden[g.const.space_index["grand-exchange"]] = 1
    assert made.seen() == ["no"]  # as if nobody stood near
    other = bombing(2, "grand-exchange").army(3, "imperial-navy-base", 2)
    with other.edit() as g:
        g.board.hidden[g.const.space_index["imperial-navy-base"]] = 1
    other.say(f"{other.options()[1]} shield-bomb imperial-navy-base")
    assert other.count(3, "imperial-navy-base") == 0
    assert not other.g.board.hidden[other.g.const.space_index["imperial-navy-base"]]


def test_the_token_goes_clockwise_after_the_bombardment() -> None:
    made = table(SIX)
    with made.edit() as g:
        g.round.number = g.round.located = 1
        g.round.location = 0
        g.decks.order["influence"].pop()
    made.run(["end-round"], phase="bombardment")
    assert made.g.round.first == 1
