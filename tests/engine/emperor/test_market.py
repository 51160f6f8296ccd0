from __future__ import annotations

import pytest
from emperor_table import Play, own, put, table

from engine.core.errors import Refusal
from engine.emperor import market
from engine.emperor.catalog import standard
from engine.emperor.tables import Prices


def prices() -> Prices:
    return standard().numbers.prices


@pytest.mark.parametrize(
    ("faces", "discarded", "expected"),
    [
        ((1, 2, 3, 4), 1, (2, 3, 4)),
        ((6, 1, 6, 1), 6, (1, 1, 6)),
        ((3, 3, 3, 3), 3, (3, 3, 3)),
    ],
)
def test_one_die_is_put_aside(faces: tuple[int, ...], discarded: int, expected: tuple[int, ...]) -> None:
    assert market.kept(faces, discarded) == expected


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((1, 1, 1), (1, 1, 2)),
        ((1, 2, 3), (1, 2, 3)),
        ((3, 4, 5), (1, 2, 4)),
        ((4, 5, 6), (2, 3, 4)),
        ((6, 6, 6), (2, 3, 4)),
        ((5, 1, 2), (1, 2, 4)),
        ((2, 1, 2), (1, 2, 2)),
    ],
)
def test_the_lowest_die_prices_food_the_next_metal_the_highest_energy(
    dice: tuple[int, ...], expected: tuple[int, int, int]
) -> None:
    assert market.prices(dice, prices()) == expected


def test_food_is_dear_once_in_sixteen_rolls_whatever_is_discarded() -> None:
    rolls = [(a, b, c, d) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) for d in range(1, 7)]
    forced = [all(market.prices(market.kept(roll, die), prices())[0] == 2 for die in roll) for roll in rolls]
    assert sum(forced) * 16 == len(rolls)


def trading(*technologies: str, dice: tuple[int, ...] = (1, 2, 3, 6), discard: str = "6") -> Play:
    """Seat 0 has chosen the Merchant; food 1, metal 2, energy 3 unless the dice say otherwise."""
    play = table(3)
    with play.edit() as g:
        put(g, "anvil", "d6", 0)
        put(g, "oatha", "c6", 0)
        own(g, 0, *technologies)
    play.force("market", dice).say("left", "merchant")
    return play.say(discard) if discard else play


def test_the_chooser_gains_three_marks_and_makes_the_prices() -> None:
    play = trading(discard="")
    assert play.g.seats.marks[0] == 8
    assert play.options() == ["1", "2", "3", "6"]
    play.say("6")
    assert list(play.g.round.prices) == [1, 2, 3]


def test_food_is_harvested_from_all_controlled_sectors_home_included() -> None:
    play = trading().say("- - - -")
    assert play.events("merchant/traded")[0]["food"] == 3


def test_metal_and_energy_are_bought_and_sold_at_one_price_within_storage() -> None:
    play = trading()
    assert play.options() == ["-", *(f"buy:metal:{n}" for n in range(1, 6)), "sell:metal:1"]
    play.say("buy:metal:3 sell:energy:1 - -")
    assert (play.g.seats.metal[0], play.g.seats.energy[0]) == (4, 0)
    assert play.g.seats.marks[0] == 8 + 3 - 6 + 3


def test_nothing_is_bought_that_cannot_be_stored_or_paid() -> None:
    play = trading(dice=(6, 6, 6, 6), discard="6")
    assert play.refusal("buy:metal:6") == "merchant/no-room"
    assert play.refusal("- buy:energy:3") == "merchant/no-room"
    assert play.read("buy:metal:5 buy:energy:1") == Refusal("merchant/too-expensive", "", ("energy", 4, 8 + 3 * 2 - 15))


def test_so_much_is_bought_as_marks_food_and_energy_to_sell_pay_for() -> None:
    play = trading(dice=(6, 6, 6, 6), discard="6")
    with play.edit() as g:
        g.seats.marks[0] = 2
    assert [option for option in play.options() if option.startswith("buy")] == [f"buy:metal:{n}" for n in range(1, 5)]
    assert play.read("buy:metal:5") == Refusal("merchant/too-expensive", "", ("metal", 5 * 3, 2 + 3 * 2 + 4))
    play.say("buy:metal:4 sell:energy:1 - -")
    assert (play.g.seats.marks[0], play.g.seats.metal[0], play.g.seats.energy[0]) == (0, 5, 0)


def test_metal_may_be_paid_by_energy_sold_in_the_same_action() -> None:
    play = trading(dice=(6, 6, 6, 6), discard="6")
    with play.edit() as g:
        g.seats.marks[0] = 0
        g.seats.energy[0] = 3
    assert "buy:metal:5" in play.options()
    assert play.stage("buy:metal:5") == ["sell:energy:3"]
    play.say("buy:metal:5 sell:energy:3 - -")
    assert play.g.seats.marks[0] == 3 * 2 + 3 * 4 - 5 * 3


def test_food_is_laid_on_generating_sectors_two_at_most() -> None:
    play = trading()
    assert play.stage("- -") == ["-", "lay:d6:1", "lay:d6:2"]
    assert play.stage("- - lay:d6:2") == ["-", "lay:d7:1", "lay:d7:2"]
    play.say("- - lay:d6:2 lay:d7:1")
    assert (play.g.sectors.food[play.at("d6")], play.g.sectors.food[play.at("d7")]) == (2, 1)
    assert play.g.seats.marks[0] == 8


def test_a_full_sector_takes_no_more_food() -> None:
    play = trading()
    with play.edit() as g:
        g.sectors.food[play.at("d6")] = 1
        g.sectors.food[play.at("d7")] = 2
    assert play.stage("- -") == ["-", "lay:d6:1"]


def test_food_that_is_not_laid_is_sold_and_food_beyond_the_harvest_bought() -> None:
    assert trading(dice=(4, 4, 4, 4), discard="4").say("- - - -").g.seats.marks[0] == 8 + 3 * 2
    assert trading(dice=(4, 4, 4, 4), discard="4").say("- - lay:d6:2 lay:d7:2").g.seats.marks[0] == 8 - 2


def test_prices_hold_for_this_merchant_only() -> None:
    play = trading().until("choose")
    assert list(play.g.round.prices) == [0, 0, 0]


def test_food_stays_on_a_sector_that_changes_hands() -> None:
    play = table(3)
    with play.edit() as g:
        put(g, "anvil", "d6", 1, food=2)
    play.say("left", "regent").until("exert", 1).say("-", "-")
    play.say("d6 d6")
    assert play.sector("d6") == (0, 1)
    assert play.g.sectors.food[play.at("d6")] == 2


def test_hydroponics_adds_two_food() -> None:
    play = trading("hydroponics").say("hydroponics", "- - - -")
    assert play.events("merchant/traded")[0]["food"] == 5


def test_trade_guild_changes_one_price_both_ways() -> None:
    play = trading("trade-guild")
    assert play.options()[:2] == ["-", "guild energy cheaper"]
    play.say("guild metal cheaper").say("buy:metal:5 - - -")
    assert play.g.seats.marks[0] == 8 + 3 - 5
    play = trading("trade-guild").say("guild energy dearer", "- sell:energy:1 - -")
    assert play.g.seats.marks[0] == 8 + 3 + 4
    play = trading("trade-guild").say("guild food cheaper", "- - - -")
    assert play.g.seats.marks[0] == 8 + 3
