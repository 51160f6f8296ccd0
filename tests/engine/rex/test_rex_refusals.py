"""What is no option says why: by a code that the client words."""

from __future__ import annotations

import pytest
from rex_table import Play, opening, table

from engine.core.agenda import Table
from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.notation import parse
from engine.core.registry import settle_options
from engine.core.values import Value
from engine.rex.bidding import Lend
from engine.rex.plans import CommitCards, PlanBattle
from engine.rex.setup import FleetDial, Predict
from engine.rex.spec import REX

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
SPACE = "iaf-hq"


def knowing(made: Play, text: str) -> Refusal:
    """Why who knows the own cards cannot answer so."""
    value = parse(text, made.ask, made.g, made.dealer.lens(made.seat))
    assert isinstance(value, Refusal), f"{text} is accepted"
    return value


def why(made: Play, *so_far: Value) -> dict[Value, Refusal]:
    return dict(made.ask.refused(made.g, None, so_far))


# Ceasefire and bidding


def talking(factions: str = SIX) -> Play:
    made = table(factions)
    return made.influence(*[5] * made.g.table.seats).run(["ceasefire"], phase="influence")


@pytest.mark.parametrize(
    ("factions", "allies", "code", "detail"),
    [
        ("sol,hacan,letnev", (), "alliance/none-here", (3,)),
        ("sol,hacan,letnev,xxcha", (0, 1), "alliance/full", (2,)),
        (SIX, (0, 1, 2), "alliance/full", (3,)),
    ],
)
def test_who_cannot_ask_for_an_alliance_is_told_why(
    factions: str, allies: tuple[int, ...], code: str, detail: tuple[int, ...]
) -> None:
    made = table(factions)
    if allies:
        made.ally(*allies)
    made.run(["ceasefire"], phase="influence")
    assert why(made)["ally"] == Refusal(code, "", detail)


def test_talk_tells_why_it_is_in_vain() -> None:
    made = talking()
    assert made.refusal("leave") == "alliance/none"
    assert made.refusal("ally 0") == "alliance/yourself"
    assert made.refusal("give 0 1") == "alliance/yourself"
    assert why(made, "give", 1)[6] == Refusal("alliance/not-so-much", "", (5,))
    made.say("give 1 4", "done", "done", "done", "done", "done").say("no")
    assert made.refusal("give 1 1") == "alliance/offered-before"
    assert talking().influence(0, 5, 5, 5, 5, 5).refusal("give") == "alliance/no-influence"


@pytest.mark.parametrize("bid", [10, 15, 99, 999])
def test_any_bid_above_what_is_held_is_refused_with_what_is_held(bid: int) -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).run(["bid", 1, 6, 0, 0, 0, -1, 0], phase="bidding")
    assert made.refusal(str(bid)) == "bid/too-high"
    assert made.ask.validate(made.g, bid) == Refusal("bid/too-high", "", (9,))
    assert made.ask.validate(made.g, 10**9) == Refusal("bid/too-high", "", (9,))


def test_what_is_bid_is_not_lent() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9)
    ask = Lend(Seat(1), 2, 4)
    assert ask.validate(made.g, 6) == Refusal("bid/too-generous", "", (9, 4))


# Recruitment


def test_recruiting_tells_what_is_missing() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9)
    with made.edit() as g:
        for seat, count in ((1, 12), (4, 3)):
            g.seats.reserve[seat] -= count
            g.seats.casualties[seat] += count
        g.seats.mech_reserve[1] -= 2
        g.seats.mech_casualties[1] += 2
        g.leaders.status[g.const.leader_index["junior-fellow"]] = 2
    made.run(["recruit", 1], ["recruit", 4])
    assert why(made)[13] == Refusal("recruit/few-casualties", "", (12,))
    assert why(made)[6] == Refusal("recruit/too-many", "", (5,))
    assert why(made, 0)[2] == Refusal("recruit/too-many-mechanized", "", (1,))
    assert made.influence(3, 3, 3, 3, 3, 3).refusal("3") == "recruit/too-little"
    made.say("0 0 nobody")
    assert why(made, 0)["chief-theorist"] == Refusal("recruit/no-casualty", "", ("chief-theorist",))


# Maneuvering


def test_units_under_the_fleet_do_not_leave_it() -> None:
    made = table(SIX).army(2, "adminus-mecatol", 2).army(2, "iaf-hq", 1).run(["move", 2])
    assert why(made)["adminus-mecatol"] == Refusal("maneuver/bombarded", "", ("adminus-mecatol", 1))
    assert why(made)["imperial-palace"] == Refusal("maneuver/no-units", "", ("imperial-palace",))


def test_a_road_that_the_fleet_blocks_is_another_thing_than_a_long_one() -> None:
    made = table(SIX).army(2, "hall-of-records", 2)
    with made.edit() as g:
        g.round.fleet = 11
    made.run(["move", 2])
    found = why(made, "hall-of-records")
    assert found["terraguth-slums"] == Refusal("maneuver/road-blocked", "", ("terraguth-slums", 11))
    assert found["civilian-spaceport"] == Refusal("maneuver/bombarded", "", ("civilian-spaceport", 11))
    assert found["imperial-palace"] == Refusal("maneuver/too-far", "", ("imperial-palace", 2))
    assert found["hall-of-records"].code == "maneuver/there-already"
    assert why(made, "hall-of-records", "imperial-courts")[3] == Refusal(
        "maneuver/few-units", "", ("hall-of-records", 2)
    )
    assert made.refusal("hall-of-records imperial-courts 0") == "maneuver/nobody-goes"


def test_a_group_that_fleet_and_allies_shut_in_has_nowhere_to_go() -> None:
    made = table(SIX).ally(2, 4).army(2, "terraguth-slums", 1)
    for space in ("civilian-spaceport", "customs-arcade", "hall-of-records"):
        made.army(4, space, 1)
    with made.edit() as g:
        g.round.fleet = 13
    assert why(made.run(["move", 2]))["terraguth-slums"] == Refusal("maneuver/nowhere-to-go", "", ("terraguth-slums",))


@pytest.mark.parametrize(
    ("space", "code"),
    [
        ("adminus-mecatol", "maneuver/bombarded"),
        ("iaf-hq", "maneuver/ally-there"),
        ("imperial-navy-base", "deploy/too-expensive"),
        ("relocate", "deploy/not-hacan"),
        ("hall-of-records 2", "deploy/too-little"),
        ("hall-of-records 21", "deploy/few-reserves"),
        ("hall-of-records 0", "maneuver/nobody-goes"),
    ],
)
def test_a_deployment_that_is_not_possible_says_why(space: str, code: str) -> None:
    made = table(SIX).influence(1, 1, 1, 1, 1, 1).ally(4, 5).army(5, "iaf-hq", 1).army(0, "imperial-navy-base", 1)
    assert made.run(["deploy", 4]).refusal(space) == code


def test_sol_and_who_has_no_reserve_are_told_where_units_may_come_from() -> None:
    made = table(SIX).run(["deploy", 0])
    assert why(made)["iaf-hq"] == Refusal("deploy/home-sectors", "", ("iaf-hq", 13, 17))
    assert made.army(0, "imperial-palace", 20).run(["deploy", 0]).refusal("imperial-palace") == "deploy/reserve-empty"


def test_a_relocation_that_is_not_possible_says_why() -> None:
    made = table(SIX).influence(2, 2, 2, 2, 2, 2).ally(2, 4).army(2, "imperial-palace", 3).army(4, "iaf-hq", 1)
    made.run(["deploy", 2])
    assert made.refusal("relocate iaf-hq") == "maneuver/no-units"
    assert made.refusal("relocate imperial-palace iaf-hq") == "maneuver/ally-there"
    assert made.refusal("relocate imperial-palace imperial-palace") == "maneuver/there-already"
    assert made.refusal("relocate imperial-palace hydro-works 3") == "deploy/too-little"
    assert made.refusal("relocate imperial-palace hydro-works 4") == "maneuver/few-units"
    assert made.influence(0, 0, 0, 0, 0, 0).refusal("relocate") == "deploy/too-expensive"
    assert table(SIX).influence(2, 2, 2, 2, 2, 2).run(["deploy", 2]).refusal("relocate") == "deploy/nothing-to-relocate"


def test_units_lifted_out_of_an_offensive_do_not_land_everywhere() -> None:
    made = table(SIX).ally(0, 1).army(0, "customs-arcade", 3).army(1, "iaf-hq", 1)
    made.run(["strike", made.g.const.space_index["customs-arcade"]])
    assert made.refusal("4") == "maneuver/few-units"
    assert made.refusal("1 iaf-hq") == "maneuver/ally-there"
    assert made.refusal("1 adminus-mecatol") == "maneuver/bombarded"
    assert made.refusal("1 customs-arcade") == "maneuver/there-already"


def test_a_stack_turns_over_once_and_in_order() -> None:
    made = table(SIX).army(3, "iaf-hq", 2).army(3, "imperial-palace", 2).run(["facing"])
    assert made.refusal("hydro-works") == "maneuver/no-units"
    assert made.refusal("imperial-palace iaf-hq") == "maneuver/named-before"


# Cards


def playing(card: str, window: str) -> tuple[Play, str]:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).army(2, "imperial-palace", 1)
    (text,) = made.deal(2, card)
    return made.run(["window", window], phase="maneuvering"), text


@pytest.mark.parametrize(
    ("card", "window", "refusal"),
    [
        ("energy-rifle", "bidding", Refusal("card/for-battles", "", ("energy-rifle",))),
        ("stand-in-officer", "bidding", Refusal("card/for-battles", "", ("stand-in-officer",))),
        ("hidden-cache", "bidding", Refusal("card/other-time", "", ("hidden-cache", "location"))),
        ("hidden-cache", "location", Refusal("card/nothing-to-do", "", ("hidden-cache",))),
        ("fresh-recruits", "bidding", Refusal("card/nothing-to-do", "", ("fresh-recruits",))),
    ],
)
def test_a_card_that_cannot_be_played_now_says_why(card: str, window: str, refusal: Refusal) -> None:
    made, text = playing(card, window)
    assert knowing(made, text) == refusal
    asked = made.ask.options(made.g)[1]
    assert why(made, asked)[card] == refusal  # the same for who does not know what card it is


def test_a_card_is_played_as_what_it_is() -> None:
    made, text = playing("sworn-testimony", "bidding")
    assert knowing(made, f"{text} diplomatic-interference") == Refusal("card/is-another", "", ("sworn-testimony",))


@pytest.mark.parametrize(
    ("card", "window", "on", "code"),
    [
        ("sworn-testimony", "bidding", "2", "card/yourself"),
        ("diplomatic-interference", "bidding", "hacan-income", "ability/own"),
        ("diplomatic-interference", "bidding", "lazax-income", "ability/cancelled-already"),
        ("fleet-sabotage", "bombardment", "11", "card/too-many-sectors"),
        ("shield-bomb", "bombardment", "grand-exchange", "card/no-shield"),
        ("shield-bomb", "bombardment", "galactic-council", "card/no-shield"),
        ("shield-bomb", "bombardment", "adminus-imperialis", "card/nobody-near"),
    ],
)
def test_a_card_tells_what_it_cannot_be_played_on(card: str, window: str, on: str, code: str) -> None:
    made, text = playing(card, window)
    with made.edit() as g:
        g.round.blocked = ["lazax-income"]
    assert made.refusal(f"{text} {card} {on}") == code


def test_recruits_and_caches_tell_where_there_is_nothing_to_get() -> None:
    made = table(SIX)
    recruits, cache = made.deal(2, "fresh-recruits", "hidden-cache")
    with made.edit() as g:
        g.leaders.status[g.const.leader_index["guild-envoy"]] = 2
        g.round.number = g.round.located = 1
        g.round.location = 0
        g.decks.order["influence"].pop()
    made.run(["window", "location"], phase="influence")
    assert made.refusal(f"{recruits} fresh-recruits units") == "recruit/few-casualties"
    assert made.refusal(f"{recruits} fresh-recruits tariff-clerk") == "recruit/no-casualty"
    assert made.refusal(f"{cache} hidden-cache adminus-mecatol") == "maneuver/bombarded"
    assert made.refusal(f"{cache} hidden-cache iaf-hq") == "card/elsewhere"


def test_who_knows_the_truth_is_told_that_something_else_is_a_lie() -> None:
    made, text = playing("sworn-testimony", "bidding")
    made.deal(4, "energy-rifle")
    made.say(f"{text} sworn-testimony 4 energy-rifle", "no")
    assert knowing(made, "no") == Refusal("card/held", "", ("energy-rifle",))


# Battles


def test_a_dial_a_leader_and_an_intent_that_are_not_possible_say_why() -> None:
    cards = (Handle("strategy", 1), Handle("strategy", 2))
    lens = Lens({cards[0]: "energy-rifle", cards[1]: "bio-filter"})
    ask = PlanBattle(Seat(0), 5, ("informer",), cards, "", "", 1)
    assert parse("6", ask, None) == Refusal("dial/too-high", "", (5,))
    assert parse("1 saboteur", ask, None) == Refusal("battle/leader-not-ready", "", ("saboteur",))
    assert parse("1 nobody", ask, None) == Refusal("battle/leader-needed")
    assert parse("1 strategy#1", ask, None, lens) == Refusal("battle/no-officer", "", ("energy-rifle",))
    alone = PlanBattle(Seat(0), 5, ("informer",), (), "", "", 1)
    assert parse("1 informer attack", alone, None) == Refusal("battle/lacks-cards")
    bound = PlanBattle(Seat(0), 5, ("informer", "saboteur"), cards, "leader saboteur", "play bio-filter", 1)
    assert parse("1 informer", bound, None) == Refusal("battle/bound-by-answer", "", ("leader", "saboteur"))
    assert parse("1 saboteur none", bound, None) == Refusal("battle/ordered", "", ("play", "bio-filter"))
    dialled = PlanBattle(Seat(0), 5, ("informer",), cards, "dial 4", "", 1)
    assert parse("3", dialled, None) == Refusal("battle/bound-by-answer", "", ("dial", "4"))


def test_a_card_that_does_not_serve_says_why() -> None:
    cards = (Handle("strategy", 1), Handle("strategy", 2))
    lens = Lens({cards[0]: "energy-rifle", cards[1]: "bio-filter"})
    ask = CommitCards(Seat(0), "both", cards, "", "", 1)
    assert parse("strategy#2", ask, None, lens) == Refusal("battle/does-not-serve", "", ("bio-filter", "attack"))
    assert parse("strategy#1 strategy#1", ask, None, lens) == Refusal("battle/committed", "", ("attack",))


def test_a_traitor_of_another_name_is_no_traitor_here() -> None:
    made = table("sol,letnev,hacan").army(0, SPACE, 5).army(1, SPACE, 5).naive()
    (shown,) = made.traitor(0, "informer")
    made.secrets = {0: ["2 fleet-marshal none"], 1: ["5 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    assert knowing(made, shown) == Refusal("battle/another-leader", "", ("informer", "saboteur"))


def test_the_answer_to_a_question_has_to_be_possible() -> None:
    made = table("jol-nar,letnev,hacan").army(0, SPACE, 5).army(1, SPACE, 5).naive()
    made.deal(1, "bio-filter")
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet().say("attack")
    assert knowing(made, "energy-rifle") == Refusal("card/not-held", "", ("energy-rifle",))


def test_a_dial_is_paid_in_full_and_not_in_vain() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 1, 3).army(1, SPACE, 1).naive()
    made.secrets = {0: ["3 lord-regent none"], 1: ["0 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    assert made.refusal("0") == "losses/too-few"
    assert made.refusal("3") == "losses/in-vain"
    assert made.refusal("4") == "maneuver/few-units"


# Set-up


def test_set_up_tells_what_is_taken_or_out_of_bounds() -> None:
    settled = settle_options(REX, 3, {})
    assert isinstance(settled, Table)
    picking = Play(settled, 1)
    taken = picking.options()[0]
    assert picking.say(taken).refusal(taken) == "setup/faction-taken"
    assert parse("21", FleetDial(Seat(0), 20), None) == Refusal("setup/dial-too-high", "", (20,))
    ask = Predict(Seat(0), (1, 2), 8)
    assert parse("0", ask, None) == Refusal("setup/own-victory")
    assert parse("1 9", ask, None) == Refusal("setup/no-such-round", "", (8,))
    redrawing = opening("letnev,hacan,sol")
    own = [redrawing.g.const.leaders[at].id for at in redrawing.g.const.leaders_of[redrawing.g.seats.faction[0]]]
    held = [Handle("traitor", at) for at in redrawing.g.seats.traitors[0]]
    card = next(f"traitor#{handle.index}" for handle in held if redrawing.dealer.faces[handle] not in own)
    assert redrawing.asked == "redraw"
    assert knowing(redrawing, card) == Refusal("setup/own-leaders-needed", "", (2,))
    placing = opening("sol,hacan,letnev").until("place-units")
    assert placing.refusal("iaf-hq") == "deploy/home-sectors"
    assert placing.refusal(f"{placing.options()[0]} 11") == "setup/few-left"
