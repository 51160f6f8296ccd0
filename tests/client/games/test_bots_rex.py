"""Greedy plays Rex: what it must do and must never do in positions set up by hand, battles aside."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from rex_bot import (
    ADMINUS,
    BASE,
    HACAN,
    JOL_NAR,
    LAZAX,
    LETNEV,
    PALACE,
    PORT,
    SIX,
    SOL,
    SOUTH,
    SPACE,
    XXCHA,
    Play,
    asked,
    opening,
    own_leaders,
    picked,
    power,
    said,
    table,
)

from client.bots import NODES
from client.bots.graded import TunedBot
from client.bots.greedy import GreedyBot
from client.games.rex.bot.ground import Ground
from client.games.rex.bot.outlook import Outlook, odds
from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.rex.setup import Predict

# Set-up


def test_the_strongest_leader_of_somebody_else_is_kept_as_a_traitor() -> None:
    game = opening("sol,lazax,xxcha,jol-nar")
    for seat in game.match.owing():
        kept = game.dealer.faces[_handle(picked(game, seat))]
        held = [str(game.dealer.faces[Handle("traitor", at)]) for at in game.g.seats.traitors[seat]]
        others = [name for name in held if game.g.const.leader_index[name] not in own_leaders(game, seat)]
        best = max(others, key=lambda name: power(game, name))
        assert power(game, str(kept)) == power(game, best)
        assert kept in others


def test_where_letnev_holds_a_good_part_of_all_leaders_an_own_one_is_kept_safe_from_treason() -> None:
    game = opening("xxcha,lazax,letnev").until("keep-traitors")
    for seat in game.match.owing():
        held = [str(game.dealer.faces[Handle("traitor", at)]) for at in game.g.seats.traitors[seat]]
        own = [name for name in held if game.g.const.leader_index[name] in own_leaders(game, seat)]
        kept = str(game.dealer.faces[_handle(picked(game, seat))])
        assert power(game, kept) == max(power(game, name) for name in own or held)
        assert kept in (own or held)


def _handle(text: str) -> Handle:
    deck, _, index = text.partition("#")
    return Handle(deck, int(index))


def test_sol_begins_in_both_strongholds_of_its_zone() -> None:
    game = opening("sol,hacan,letnev,jol-nar,lazax").until("place-units")
    places = []
    while game.g.flow.now[:1] == ["place-units"]:
        places.append(picked(game))
        game.say(places[-1])
    assert places == [f"{SOUTH} 5", f"{PALACE} 5"]


def test_nobody_can_reckon_with_xxchas_prediction() -> None:
    game = table(SIX)
    asked = Predict(Seat(XXCHA), (0, 1, 2, 4, 5), 8)
    view, rng = game.match.view(XXCHA), Random(1)
    drawn = Counter(GreedyBot().choose(view, asked, rng, NODES) for _ in range(2000))
    assert {number for _, number in drawn} == {*range(1, 9)}
    assert {seat for seat, _ in drawn} == {*asked.others}
    assert max(drawn.values()) < 300  # of 40 predictions none is more than one in seven
    late = Counter({seat: count for (seat, number), count in drawn.items() if number == 8})
    assert [seat for seat, _ in late.most_common(2)] == [SOL, HACAN]


def test_special_victories_weigh_the_more_the_fewer_rounds_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    added = []
    for left in range(4):
        game = table(SIX)
        game.match.g.round.number = game.g.const.numbers.rounds - left
        found = []
        for special in (0.0, 10.0):
            monkeypatch.setattr(Outlook, "_special", lambda _outlook, _mine, special=special: special)
            found.append(Outlook.of(Ground.of(game.g), SOL).value({}))
        added.append(found[1] - found[0])
    assert added[0] > added[1] > added[2] > added[3] == 0


# Marching


def test_a_free_stronghold_in_reach_is_taken() -> None:
    game = table(SIX).army(LETNEV, SPACE, 6)
    assert asked(game, ["move", LETNEV]).startswith(f"{SPACE} {BASE} ")


def test_the_last_unit_does_not_leave_a_stronghold_for_nothing() -> None:
    game = table(SIX).army(LETNEV, BASE, 1)
    assert asked(game, ["move", LETNEV]) == "stay"


def test_a_weak_holder_is_driven_out() -> None:
    game = table(SIX).army(LETNEV, SPACE, 9).army(HACAN, BASE, 1)
    start, to, count = asked(game, ["move", LETNEV]).split()
    assert (start, to) == (SPACE, BASE)
    assert int(count) >= 4


def test_a_few_units_attack_no_army() -> None:
    game = table(SIX).army(LETNEV, SPACE, 2).army(HACAN, BASE, 15)
    assert BASE not in asked(game, ["move", LETNEV]).split()


def test_the_stronghold_that_wins_the_game_is_attacked() -> None:
    game = table("sol,hacan,letnev").army(1, BASE, 3).army(1, PORT, 3).army(1, "foundry-row", 8).army(2, ADMINUS, 4)
    game.army(0, PALACE, 12)
    assert asked(game, ["move", 1]).split()[:2] == ["foundry-row", ADMINUS]


def test_reserves_go_into_an_empty_stronghold() -> None:
    game = table(SIX).influence(0, 0, 0, 0, 0, 12)
    assert asked(game, ["deploy", LETNEV]).split()[0] in {BASE, PORT, ADMINUS, PALACE, SOUTH}


def test_a_stronghold_is_garrisoned_against_who_moves_last_and_could_win_in_this_round() -> None:
    game = table("hacan,sol,letnev").army(2, BASE, 10).army(0, ADMINUS, 5).army(1, PALACE, 10).influence(8, 0, 0)
    space, count = asked(game, ["deploy", 0]).split()
    assert space in {PORT, ADMINUS}
    assert int(count) >= 4


def test_whoever_would_win_in_this_round_is_attacked_against_the_odds() -> None:
    game = table("hacan,sol,letnev").army(2, BASE, 9).army(2, PORT, 5).army(2, ADMINUS, 5).army(1, PALACE, 5)
    game.influence(6, 0, 0)
    assert asked(game, ["deploy", 0]).split()[0] in {PORT, ADMINUS}


def test_units_under_the_fleet_are_expected_nowhere() -> None:
    game = table("hacan,sol,letnev").army(2, BASE, 10)
    here = game.g.const.spaces[game.g.const.space_index[BASE]].sector
    for sector, moves in ((here, False), (here % 18 + 1, True)):
        with game.edit() as g:
            g.round.fleet = sector
        assert bool(Ground.of(game.g).marches(2)) is moves


def test_the_winner_of_a_battle_may_not_hold_the_space_least_of_all_against_jol_nar() -> None:
    game = table(SIX).army(LAZAX, BASE, 5).army(HACAN, BASE, 5).army(LAZAX, PORT, 5).army(JOL_NAR, PORT, 5)
    ground = Ground.of(game.g)
    chances = []
    for space, foe in ((BASE, HACAN), (PORT, JOL_NAR)):
        held = Outlook.of(ground, SOL).chance((LAZAX,), game.g.const.space_index[space], {})
        chances.append(held / odds(5, ground.leaders[LAZAX], 5, ground.leaders[foe]))
    assert 0 < 3 * chances[1] < chances[0] < 0.9


def test_in_the_last_round_nothing_is_saved() -> None:
    units = {}
    for number in (3, 8):
        game = table("lazax,sol,letnev").army(1, PALACE, 6).army(2, PORT, 3).influence(14, 0, 0)
        game.run(["deploy", 0], phase="maneuvering")
        game.match.g.round.number = number
        units[number] = sum(map(int, picked(game).split()[1:]))
    assert units[8] > units[3]


def test_reserves_do_not_go_where_the_fleet_will_pass_for_nothing() -> None:
    game = table(SIX).army(LETNEV, BASE, 10).influence(0, 0, 0, 0, 0, 3)
    with game.edit() as g:
        g.round.fleet = 9
    assert asked(game, ["deploy", LETNEV]).split()[0] not in {"hall-of-records", "terraguth-slums", "customs-arcade"}


def test_reserves_are_not_thrown_at_an_army() -> None:
    game = table(SIX).influence(0, 0, 0, 0, 0, 4)
    for space in (BASE, PORT, ADMINUS, PALACE, SOUTH):
        game.army(HACAN if space != PALACE else SOL, space, 4 if space != PALACE else 15)
    assert asked(game, ["deploy", LETNEV]).split()[0] != PALACE


def test_who_has_nothing_to_pay_with_deploys_nothing() -> None:
    game = table(SIX).influence(0, 0, 0, 0, 0, 0)
    assert asked(game, ["deploy", LETNEV]) == "done"


def test_the_last_influence_is_spent_on_an_empty_stronghold() -> None:
    game = table(SIX).influence(0, 0, 0, 0, 0, 2)
    assert asked(game, ["deploy", LETNEV]).split()[0] in {BASE, PORT, ADMINUS, PALACE, SOUTH}


def test_hoarded_influence_is_spent_on_units() -> None:
    units = {}
    for held in (4, 40):
        game = table(SIX).army(HACAN, ADMINUS, 6).army(HACAN, PORT, 6).influence(0, held, 0, 0, 0, 0)
        _, normal, mechanized = asked(game, ["deploy", LAZAX]).split()
        units[held] = int(normal) + 2 * int(mechanized)
    assert units[4] < units[40]


def test_sol_leaps_out_of_a_struck_space_into_an_empty_stronghold() -> None:
    game = table(SIX).army(SOL, SPACE, 5)
    count, to = asked(game, ["strike", game.g.const.space_index[SPACE]], phase="influence").split()
    assert (count, to in {BASE, PORT, ADMINUS, PALACE, SOUTH}) == ("5", True)


def test_hacan_does_not_relocate_its_only_garrison() -> None:
    game = table(SIX).army(HACAN, ADMINUS, 1).influence(0, 0, 1, 0, 0, 0)
    assert not asked(game, ["deploy", HACAN]).startswith("relocate")


def test_xxcha_lies_low_where_it_would_lose_and_stands_up_where_it_would_not() -> None:
    game = table(SIX).army(XXCHA, SPACE, 1).army(LETNEV, SPACE, 9).army(XXCHA, PORT, 3)
    with game.edit() as g:
        g.board.hidden[g.const.space_index[PORT]] = 1
    assert asked(game, ["facing"]) == f"{PORT} {SPACE} done"


def test_xxchas_shadow_always_follows() -> None:
    assert asked(table(SIX), ["shadow"]) == "yes"


# Recruits


def fallen(seat: int, units: int, *leaders: int, influence: int) -> Play:
    """So many units and some leaders (by number) of a seat are casualties."""
    game = table(SIX).influence(*[influence] * 6)
    with game.edit() as g:
        g.seats.reserve[seat] -= units
        g.seats.casualties[seat] += units
        for at in leaders:
            g.leaders.status[g.const.leaders_of[g.seats.faction[seat]][at]] = 2
    return game


def test_free_units_are_always_recruited() -> None:
    assert asked(fallen(JOL_NAR, 5, influence=0), ["recruit", JOL_NAR], phase="recruitment") == "2 nobody"


def test_units_are_not_bought_with_the_last_influence() -> None:
    assert asked(fallen(JOL_NAR, 5, influence=3), ["recruit", JOL_NAR], phase="recruitment") == "2 nobody"


def test_much_influence_buys_more_units() -> None:
    units = asked(fallen(JOL_NAR, 5, influence=20), ["recruit", JOL_NAR], phase="recruitment").split()[0]
    assert int(units) == 5


def test_who_has_no_leader_left_recruits_one() -> None:
    game = fallen(JOL_NAR, 0, 0, 1, 2, 3, 4, influence=8)
    assert asked(game, ["recruit", JOL_NAR], phase="recruitment").split()[1] != "nobody"


def test_the_last_influence_buys_a_leader_only_where_none_is_left() -> None:
    for leaders, bought in (((0, 1, 2, 3), False), ((0, 1, 2, 3, 4), True)):
        answer = asked(fallen(JOL_NAR, 5, *leaders, influence=3), ["recruit", JOL_NAR], phase="recruitment")
        assert (answer.split()[1] != "nobody") is bought


# Bids


def bidding(hand: tuple[str, ...] = (), low: int = 1, held: int = 10, seat: int = LETNEV) -> str:
    """What is bid on an unknown card."""
    game = table(SIX).influence(*[held] * 6)
    game.deal(seat, *hand)
    other = (seat + 1) % 6
    leader, high = (other, low - 1) if low > 1 else (-1, 0)
    return asked(game, ["bid", 1, 3, 0, seat, high, leader, 0], phase="bidding")


def test_bids_rise_by_one() -> None:
    assert bidding() == "1"
    assert bidding(low=3) == "3"


def test_nobody_bids_more_than_a_card_is_worth_nor_its_last_influence() -> None:
    assert bidding(low=8) == "pass"
    assert bidding(held=1) == "pass"
    assert bidding(hand=("energy-rifle", "bio-filter", "bio-filter"), low=3, seat=HACAN) == "pass"


@pytest.mark.parametrize(("card", "bid"), [("empty-crate", "pass"), ("energy-rifle", "2")])
def test_jol_nar_knows_what_it_bids_on(card: str, bid: str) -> None:
    game = table(SIX).influence(*[9] * 6).top("strategy", card)
    top = game.g.decks.top("strategy", 1)[0]
    game.dealer.lens(JOL_NAR).learn(top, card)
    assert asked(game, ["bid", 1, 3, 0, JOL_NAR, 1, SOL, 0], phase="bidding") == bid


def test_lazax_lends_nothing() -> None:
    game = table(SIX).ally(LAZAX, HACAN).influence(*[9] * 6)
    assert asked(game, ["lend", LAZAX, HACAN, 0], phase="bidding") == "0"


# The ceasefire


def at_peace(*owners: int) -> Play:
    """Who holds the first strongholds when everybody talks."""
    game = table(SIX)
    for space, owner in zip((BASE, ADMINUS, PORT, PALACE, SOUTH), owners, strict=False):
        game.army(owner, space, 2)
    return game


def test_an_alliance_that_wins_is_sought_and_agreed_to() -> None:
    game = at_peace(LETNEV, LETNEV, HACAN, HACAN).run(["ceasefire"], phase="influence")
    assert picked(game, LETNEV) == f"ally {HACAN}"
    game.run(["propose", LETNEV, HACAN], phase="influence")
    assert picked(game, HACAN) == "yes"


@pytest.mark.parametrize(("number", "answer"), [(1, "no"), (7, "yes")])
def test_victory_is_shared_the_more_readily_the_later_it_is(number: int, answer: str) -> None:
    game = at_peace(LETNEV, HACAN, HACAN)
    game.run(["propose", LETNEV, HACAN], phase="influence")
    game.match.g.round.number = number
    assert picked(game, HACAN) == answer


def test_an_alliance_that_holds_one_back_is_refused() -> None:
    game = at_peace(LETNEV, LETNEV).run(["propose", HACAN, LETNEV], phase="influence")
    assert picked(game, LETNEV) == "no"


def test_who_wins_alone_leaves_its_alliance() -> None:
    game = at_peace(LETNEV, LETNEV, LETNEV).ally(LETNEV, HACAN).run(["ceasefire"], phase="influence")
    assert picked(game, LETNEV) == "leave"


@pytest.mark.parametrize("number", [1, 3])
def test_the_expert_stands_by_sol_who_wins_after_the_last_round_most_often(number: int) -> None:
    game = at_peace(LETNEV, SOL, HACAN, XXCHA).run(["propose", SOL, LETNEV], phase="influence")
    game.match.g.round.number = number
    assert (picked(game, LETNEV), said(game.match, game, LETNEV, TunedBot())) == ("no", "yes")


def test_the_expert_does_not_leave_sol_for_a_stronghold_more() -> None:
    game = at_peace(LETNEV, SOL, LETNEV).ally(LETNEV, SOL).run(["ceasefire"], phase="influence")
    game.match.g.round.number = 5
    assert (picked(game, LETNEV), said(game.match, game, LETNEV, TunedBot())) == ("leave", "done")


def test_without_a_shared_victory_sol_is_an_ally_as_any_other() -> None:
    game = table(SIX, **{"shared-special-victory": "off"})
    for space, owner in zip((BASE, ADMINUS, PORT, PALACE), (LETNEV, SOL, HACAN, XXCHA), strict=True):
        game.army(owner, space, 2)
    game.run(["propose", SOL, LETNEV], phase="influence")
    game.match.g.round.number = 1
    assert said(game.match, game, LETNEV, TunedBot()) == "no"


def test_nobody_asks_whom_it_would_not_want() -> None:
    game = at_peace(LETNEV, LETNEV).run(["ceasefire"], phase="influence")
    assert picked(game, LETNEV) == "done"


def test_gifts_are_taken_and_none_are_made() -> None:
    game = table(SIX).influence(*[9] * 6).run(["gift", HACAN, SOL, 3], phase="influence")
    assert picked(game) == "yes"


# Strategy cards


def held(seat: int, card: str, window: str, game: Play, phase: str = "bidding") -> str:
    """What a seat with that card alone does when a window opens."""
    game.deal(seat, card)
    game.run(["window", window, seat], phase=phase)
    text = picked(game, seat)
    return text.partition(" ")[2] if text != "no" else text


def test_recruits_are_called_for_five_units_and_not_for_one() -> None:
    assert held(HACAN, "fresh-recruits", "bidding", fallen(HACAN, 5, influence=1)) == "fresh-recruits units"
    assert held(HACAN, "fresh-recruits", "bidding", fallen(HACAN, 1, influence=1)) == "no"


def test_a_bomb_falls_on_others_and_never_on_oneself() -> None:
    game = table(SIX).army(HACAN, SPACE, 1).army(LETNEV, BASE, 8)
    assert held(HACAN, "shield-bomb", "bombardment", game, "bombardment") == f"shield-bomb {BASE}"
    mine = table(SIX).army(HACAN, BASE, 9).army(LETNEV, BASE, 8)
    assert held(HACAN, "shield-bomb", "bombardment", mine, "bombardment") == "no"


def test_no_beacon_is_lit_over_ones_own_units() -> None:
    for owner, wanted in ((LETNEV, "tracking-beacon"), (HACAN, "no")):
        game = table(SIX).army(owner, SPACE, 8)
        with game.edit() as g:
            spots = [SPACE in g.const.influence[id].spaces for id in g.const.locations]
            g.round.location = spots.index(True)
            g.round.located = g.round.number = 1
            index = next(
                at
                for at in g.decks.order["influence"]
                if str(game.dealer.faces[Handle("influence", at)]).startswith("location")
            )
            g.decks.order["influence"].remove(index)
        assert held(HACAN, "tracking-beacon", "influence", game, "influence") == wanted


def test_the_fleet_is_sabotaged_to_hurt_others() -> None:
    game = table(SIX).army(LETNEV, "orbital-lift-yards", 9)
    assert held(HACAN, "fleet-sabotage", "bombardment", game, "bombardment") == "fleet-sabotage 1"
    mine = table(SIX).army(HACAN, BASE, 9)
    assert held(HACAN, "fleet-sabotage", "bombardment", mine, "bombardment") == "no"


def test_a_forced_march_is_not_wasted() -> None:
    game = table(SIX).army(HACAN, SPACE, 6)
    assert held(HACAN, "forced-march", "march", game, "maneuvering") == "forced-march"
    game = table(SIX).army(HACAN, BASE, 6)
    for seat, space in ((LETNEV, PORT), (JOL_NAR, ADMINUS), (SOL, PALACE), (XXCHA, SOUTH)):
        game.army(seat, space, 10)
    assert held(HACAN, "forced-march", "march", game, "maneuvering") == "no"


def test_a_cache_is_dug_up_only_where_ones_own_units_stand() -> None:
    assert held(HACAN, "hidden-cache", "location", table(SIX), "influence") == "no"
