from __future__ import annotations

from rex_table import Play, table

from engine.core.cards import Handle

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def auction(factions: str = SIX, *influence: int) -> Play:
    made = table(factions)
    made.influence(*(influence or (9,) * made.g.table.seats))
    return made.run(["bidding"], phase="bidding")


def test_a_card_is_dealt_for_every_player_below_the_hand_limit() -> None:
    made = table("sol,hacan,letnev").influence(9, 9, 9)
    made.deal(0, *["energy-rifle"] * 4)
    made.deal(2, *["energy-shield"] * 5)
    made.run(["bidding"], phase="bidding")
    assert made.events("bidding/cards") == [{"cards": 2}]
    assert made.seat == 1  # the first player holds four cards


def test_letnev_may_hold_eight_cards() -> None:
    made = table("sol,hacan,letnev").influence(9, 9, 9)
    made.deal(2, *["energy-shield"] * 5, *["bio-filter"] * 3)
    made.run(["bidding"], phase="bidding")
    assert made.events("bidding/cards") == [{"cards": 2}]


def test_the_first_player_opens_with_at_least_one_influence() -> None:
    made = auction()
    assert made.seat == 0
    assert made.options() == [*map(str, range(1, 10)), "pass"]
    assert made.refusal("0") == "bid/too-low"
    assert made.refusal("10") == "bid/too-high"


def test_bidding_goes_clockwise_and_each_bid_is_higher() -> None:
    made = auction().say("3")
    assert made.seat == 1
    assert made.refusal("3") == "bid/too-low"
    made.say("5")
    assert made.seat == 2


def test_a_pass_is_final_for_the_card() -> None:
    made = auction("sol,hacan,letnev").say("1", "pass", "2", "3")
    assert made.seat == 2
    assert made.say("pass").g.seats.influence[0] == 6
    assert made.events("bidding/sold") == [{"seat": 0, "card": 1, "influence": 3}]


def test_the_winner_pays_lazax_and_takes_the_card() -> None:
    made = auction(SIX).say("4", "pass", "pass", "pass", "pass", "pass")
    assert (made.g.seats.influence[0], made.g.seats.influence[1]) == (5, 13)
    assert len(made.g.seats.hand[0]) == 1
    assert Handle("strategy", made.g.seats.hand[0][0]) in made.dealer.lens(0)
    assert made.seat == 1  # the next clockwise opens the second card


def test_lazax_pays_the_bank() -> None:
    made = auction(SIX).say("pass", "4", "pass", "pass", "pass", "pass")
    assert made.g.seats.influence[1] == 5


def test_letnev_draws_a_second_card_for_nothing() -> None:
    made = auction(SIX).say("pass", "pass", "pass", "pass", "pass", "2")
    assert len(made.g.seats.hand[5]) == 2
    assert made.g.seats.influence[5] == 7


def test_letnev_draws_no_card_beyond_its_limit() -> None:
    made = table("sol,hacan,letnev").influence(9, 9, 9)
    made.deal(2, *["energy-shield"] * 5, *["bio-filter"] * 2)
    made.run(["bidding"], phase="bidding").say("pass", "pass", "1")
    assert len(made.g.seats.hand[2]) == 8


def test_when_all_pass_the_cards_go_back_and_the_phase_ends() -> None:
    made = auction("sol,hacan,letnev")
    before = made.g.decks.order["strategy"][:]
    faces = sorted(str(made.dealer.faces[Handle("strategy", at)]) for at in before)
    made.say("pass", "pass", "pass")
    assert made.events("bidding/unsold") == [{"card": 1}]
    assert made.g.flow.now == ["deploy", 0]
    after = made.g.decks.order["strategy"]
    assert len(after) == 42
    made.run(["lot", 1, 1, 0], phase="bidding")
    after = made.g.decks.order["strategy"]
    assert not {*before} & {*after}  # nobody knows any more where the card lies that was up for bidding
    assert sorted(str(made.dealer.faces[Handle("strategy", at)]) for at in after) == faces


def test_who_reaches_the_hand_limit_drops_out() -> None:
    made = table("sol,hacan,letnev").influence(9, 9, 9)
    made.deal(0, *["energy-rifle"] * 3)
    made.run(["bidding"], phase="bidding").say("1", "pass", "pass")
    assert made.seat == 1
    made.say("1", "pass")
    assert made.events("bidding/sold")


def test_jol_nar_sees_each_card_and_nobody_else_does() -> None:
    made = auction(SIX)
    card = made.g.decks.top("strategy", 1)[0]
    assert card in made.dealer.lens(4)
    assert not any(card in made.dealer.lens(seat) for seat in (0, 1, 2, 3, 5))
    assert made.events("bidding/seen") == [{"seat": 4, "card": 1}]


def test_lazax_may_give_an_ally_influence_before_its_first_bid() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(1, 2).run(["bidding"], phase="bidding")
    made.say("1", "3")
    assert made.seat == 1
    assert made.options() == [*map(str, range(7))]  # its own bid stays
    made.say("2")
    assert (made.g.seats.influence[1], made.g.seats.influence[2]) == (7, 11)
    made.say("11", "pass", "pass", "pass", "pass", "pass")
    assert made.g.seats.influence[2] == 0
    assert made.g.seats.influence[1] == 18


def test_the_discard_pile_becomes_a_new_deck_when_it_has_run_out() -> None:
    made = table("sol,hacan,letnev").influence(9, 9, 9)
    with made.edit() as g:
        g.round.discards = g.decks.order["strategy"][:]
        g.decks.order["strategy"] = []
    made.run(["bidding"], phase="bidding")
    assert made.events("card/reshuffled") == [{"cards": 42}]
    assert made.options()[0] == "1"
