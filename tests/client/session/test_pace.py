"""`-o pace=post`: what it proposes, and what a table with such dice and draws tells before anybody sits down."""

from __future__ import annotations

import pytest

from client.system.errors import UserError
from client.table.options import settled
from client.table.reception import cautions
from engine.core.registry import DICE, GAMES, game
from engine.testing.toy import TOY


@pytest.mark.parametrize("name", GAMES)
def test_from_three_players_on_dice_wait_for_few_and_draws_for_nobody(name: str) -> None:
    options = settled(game(name), 3, ["pace=post"]).options
    assert (options.get("dice", "lock"), options["patience"]) == ("lock", "7d")
    assert ("dice" in options) == (DICE in game(name).options)
    assert options.get("draws", "open") == "open"
    assert "pace" not in options


def test_what_a_game_lacks_is_not_proposed() -> None:
    assert settled(TOY, 3, ["pace=post"]) == settled(TOY, 3, [])


def test_two_players_keep_sealed_draws_and_their_own_seeds() -> None:
    options = settled(game("eclipse2"), 2, ["pace=post"]).options
    assert options["draws"] == "sealed"
    assert "dice" not in options


def test_what_is_said_outright_stands_before_the_proposal() -> None:
    options = settled(game("eclipse2"), 3, ["draws=sealed", "pace=post", "dice=reveal"]).options
    assert options["draws"] == "sealed"
    assert "dice" not in options
    assert settled(game("eclipse2"), 3, ["pace=live"]) == settled(game("eclipse2"), 3, [])


def test_an_unknown_pace_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="pace cannot be “slow”"):
        settled(game("eclipse2"), 3, ["pace=slow"])


def test_each_option_that_proves_less_has_its_sentence_in_the_lobby() -> None:
    told = cautions({"draws": "open", "dice": "lock"}, 5)
    assert ["Draws are open" in told[0], "more than half of the machines" in told[1]] == [True, True]
    assert cautions({"draws": "sealed"}, 5) == cautions({"dice": "lock"}, 2) == []


def test_who_can_foresee_dice_is_counted_by_machines_and_not_by_seats() -> None:
    options = {"draws": "open", "dice": "lock"}
    for members, told in ((5, "3 of the 5 machines"), (4, "3 of the 4 machines"), (3, "2 of the 3 machines")):
        assert told in cautions(options, 6, members)[1]
    assert len(cautions(options, 6, 2)) == 1, "two machines have no lock"
    assert cautions(options, 6, 1) == [], "the log of one machine proves nothing of dice and cards anyway"
