from __future__ import annotations

from rex_table import Play, table

from engine.core.cards import Handle
from engine.rex.effects import testimony_false as disproved
from engine.rex.terms import ABILITIES

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def holding(card: str, window: str = "collection", seat: int = 2, factions: str = SIX) -> tuple[Play, str]:
    made = table(factions).influence(*[9] * len(factions.split(",")))
    text = made.deal(seat, card)[0]
    return made.run(["window", window], phase="maneuvering"), text


def test_everybody_who_holds_cards_is_asked_until_nobody_plays() -> None:
    made = table(SIX)
    card, other = made.deal(2, "fresh-recruits", "bio-filter")
    made.deal(4, "energy-rifle")
    with made.edit() as g:
        g.seats.reserve[2] -= 7
        g.seats.casualties[2] += 7
    made.run(["window", "bidding"], phase="bidding")
    assert made.match.owing() == (2, 4)
    made.say(f"{card} fresh-recruits units", "no")
    assert made.g.seats.casualties[2] == 2  # five normal units came back
    assert made.match.owing() == (2, 4)
    made.say("no", "no")
    assert made.g.flow.now == ["deploy", 0]
    assert other


def test_cards_of_one_window_take_effect_in_turn_order() -> None:
    made = table(SIX)
    cards = {seat: made.deal(seat, "fresh-recruits")[0] for seat in (1, 4)}
    with made.edit() as g:
        g.round.first = 3
        for seat in (1, 4):
            g.seats.reserve[seat] -= 2
            g.seats.casualties[seat] += 2
    made.run(["window", "bidding"], phase="bidding")
    made.say(*(f"{card} fresh-recruits units" for card in cards.values()))
    assert [told["seat"] for told in made.events("card/played")] == [4, 1]


def test_a_card_that_is_something_else_is_discarded_without_effect() -> None:
    made, card = holding("bio-filter")
    assert made.seen() == ["no"]
    made.say(f"{card} diplomatic-interference lazax-income")
    assert made.events("card/spoiled") == [{"seat": 2, "card": "diplomatic-interference"}]
    assert made.g.round.blocked == []
    assert made.g.seats.hand[2] == []
    assert len(made.g.round.discards) == 1


def test_the_owner_is_offered_what_its_cards_are() -> None:
    made, card = holding("sworn-testimony")
    assert made.seen() == ["no", card]
    index = int(card.split("#")[1])
    assert made.seen(Handle("strategy", index)) == ["sworn-testimony"]


def test_fresh_recruits_bring_back_a_leader_without_restriction() -> None:
    made = table(SIX)
    card = made.deal(0, "fresh-recruits")[0]
    with made.edit() as g:
        g.leaders.status[g.const.leader_index["fleet-marshal"]] = 2
    made.influence(0, 0, 0, 0, 0, 0).run(["window", "battle"], phase="battle")
    made.say(f"{card} fresh-recruits fleet-marshal")
    assert made.g.leaders.status[made.g.const.leader_index["fleet-marshal"]] == 1
    assert made.g.seats.influence[0] == 0


def test_a_tracking_beacon_is_a_sol_offensive() -> None:
    made, card = holding("tracking-beacon", "influence")
    made.say(f"{card} tracking-beacon")
    assert made.events("offensive/misses")
    other, _ = holding("tracking-beacon", "bidding")
    assert other.seen() == ["no"]


def test_a_hidden_cache_doubles_a_space_of_the_location_card() -> None:
    made = table(SIX)
    card = made.deal(2, "hidden-cache")[0]
    with made.edit() as g:
        g.round.number = g.round.located = 1
        g.round.location = 0
        g.decks.order["influence"].pop()
    made.run(["window", "location"], phase="influence")
    assert made.options(made.ask.options(made.g)[1], "hidden-cache") == ["hall-of-records"]  # the other is bombarded
    made.say(f"{card} hidden-cache hall-of-records")
    assert made.g.board.influence[made.g.const.space_index["hall-of-records"]] == 8


def test_after_the_location_card_caches_may_be_dug_up() -> None:
    made = table(SIX).top("influence", "location-2")
    card = made.deal(2, "hidden-cache")[0]
    made.run(["phase", "influence"], phase="bombardment")
    assert made.seen() == ["no"]  # the phase begins, and no card has been drawn
    made.say("no")
    assert made.g.flow.now == ["window", "location"]
    assert made.seen() == ["no", card]


def test_a_forced_march_is_one_more_move() -> None:
    made = table(SIX).army(2, "grand-exchange", 3)
    card = made.deal(2, "forced-march")[0]
    made.run(["move", 2], ["window", "march", 2], ["deploy", 2]).say("grand-exchange iaf-hq 1")
    assert made.match.owing() == (2,)
    made.say(f"{card} forced-march")
    assert made.g.flow.now == ["move", 2]


def test_a_turncoat_medic_kills_a_random_leader_before_the_plans() -> None:
    made = table("sol,letnev,hacan").army(0, "iaf-hq", 2).army(1, "iaf-hq", 2).naive()
    card = made.deal(0, "turncoat-medic")[0]
    made.force("turncoat-medic", (1,))
    made.run(["fight", made.g.const.space_index["iaf-hq"], 0, 1], phase="battle")
    made.say(f"{card} turncoat-medic")
    assert made.g.leaders.status[made.g.const.leader_index["baronial-heir"]] == 2


def test_a_turncoat_medic_finds_no_leader_that_could_not_be_committed() -> None:
    made = table("sol,letnev,hacan").army(0, "iaf-hq", 2).army(1, "iaf-hq", 2).naive()
    card = made.deal(0, "turncoat-medic")[0]
    first, second, third, *rest = made.g.const.leaders_of[made.g.seats.faction[1]]
    with made.edit() as g:
        g.leaders.status[first] = g.leaders.status[rest[0]] = g.leaders.status[rest[1]] = 2
        g.leaders.fought[second], g.leaders.battles[second] = g.const.space_index["hydro-works"] + 1, 1
    made.force("turncoat-medic", (1,))
    made.run(["fight", made.g.const.space_index["iaf-hq"], 0, 1], phase="battle")
    made.say(f"{card} turncoat-medic")
    assert made.events("leader/killed")[0] == {"seat": 1, "leader": made.g.const.leaders[third].id}
    assert (made.g.leaders.status[second], made.g.leaders.status[third]) == (1, 2)


def test_before_a_battle_its_fighters_are_asked_for_cards_and_before_a_deployment_who_deploys() -> None:
    made = table("sol,letnev,hacan").army(0, "iaf-hq", 2).army(1, "iaf-hq", 2)
    for seat in range(3):
        made.deal(seat, "energy-rifle")
    made.run(["maneuvering"]).until("window")
    assert (made.g.flow.now, made.match.owing()) == (["window", "march", 0], (0,))
    made.run(["fight", made.g.const.space_index["iaf-hq"], 0, 1], phase="battle")
    assert made.match.owing() == (0, 1)


def test_testimony_is_answered_in_truth_and_kept_as_a_claim() -> None:
    made = table(SIX)
    card = made.deal(2, "sworn-testimony")[0]
    made.deal(4, "energy-rifle")
    made.run(["window", "collection"], phase="collection")
    made.say(f"{card} sworn-testimony 4 energy-rifle", "no")
    assert (made.seat, made.options(), made.seen()) == (4, ["no", "yes"], ["yes"])
    made.say("no")  # a lie that no peer can see yet
    (claim,) = made.g.decks.claims
    assert claim[1:3] == [4, "lacks/energy-rifle"]


def test_false_claims_come_out_when_hands_are_opened() -> None:
    assert disproved("lacks/energy-rifle", ["bio-filter", "energy-rifle"])
    assert not disproved("lacks/energy-rifle", ["bio-filter", None])
    assert disproved("holds/energy-rifle", ["bio-filter"])
    assert not disproved("holds/energy-rifle", ["bio-filter", None])
    made = table("sol,letnev,hacan")
    card = made.deal(2, "sworn-testimony")[0]
    made.deal(1, "energy-rifle")
    made.run(["window", "collection"], phase="collection")
    made.say("no", f"{card} sworn-testimony 1 energy-rifle").say("no").quiet()
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["finish", "hacan", 2]]
    assert made.events("claim/false") == [{"seat": 1, "claim": "lacks", "about": "energy-rifle"}]


# Diplomatic Interference


def test_interference_cancels_the_next_use_of_an_ability_in_this_phase() -> None:
    made, card = holding("diplomatic-interference")
    made.say(f"{card} diplomatic-interference lazax-income")
    assert made.g.round.blocked == ["lazax-income"]
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["sold", 1, 1, 0, 0, 3], ["sold", 1, 1, 0, 0, 3], ["deploy", 0]]
        g.seats.influence[1] = 0
    assert made.g.seats.influence[1] == 3  # of the second card only
    assert made.g.round.blocked == []


def test_a_cancelled_ability_works_again_in_the_next_phase() -> None:
    made, card = holding("diplomatic-interference")
    made.say(f"{card} diplomatic-interference xxcha-charity").run(["phase", "collection"], phase="battle")
    assert made.events("collection/charity") == [{"seat": 3, "influence": 2}]


def test_a_cancelled_relocation_fails_once_and_is_open_to_the_next() -> None:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).ally(2, 4).army(2, "imperial-palace", 3).army(4, "hall-of-records", 3)
    with made.edit() as g:
        g.round.blocked = ["hacan-relocation"]
    made.run(["deploy", 5], ["deploy", 2], ["deploy", 4]).say("done")
    assert made.g.round.blocked == ["hacan-relocation"]  # Letnev could not relocate anyway
    assert made.refusal("relocate") == "deploy/relocation-cancelled"
    made.say("done")
    assert made.events("ability/cancelled") == [{"seat": 2, "ability": "hacan-relocation"}]
    made.say("relocate hall-of-records imperial-courts 3")
    assert made.count(4, "imperial-courts") == 3


def test_only_abilities_of_a_moment_can_be_cancelled() -> None:
    made, card = holding("diplomatic-interference")
    text = made.ask.options(made.g)[1]
    named = made.options(text, "diplomatic-interference")
    assert named == sorted(ability for id in SIX.split(",") if id != "hacan" for ability in ABILITIES[id])
    assert not [ability for ability in named if "immunity" in ability or "traitor" in ability]
    assert card


def blocked(ability: str, *items: list[int | str]) -> Play:
    made = table(SIX).influence(9, 9, 9, 9, 9, 9).army(0, "grand-exchange", 4)
    with made.edit() as g:
        g.round.blocked = [ability]
    return made.run(*items)


def test_each_ability_can_be_cancelled() -> None:
    assert "adminus-imperialis" not in blocked("sol-range", ["move", 0]).options("grand-exchange")
    lens = blocked("jol-nar-foresight", ["foresight"]).dealer.lens(4)
    assert not any(handle.deck == "influence" for handle in lens)
    assert blocked("hacan-half-price", ["deploy", 2]).say("iaf-hq 3").g.seats.influence[2] == 6
    assert "relocate" not in blocked("hacan-relocation", ["deploy", 2]).options()
    assert blocked("hacan-income", ["deploy", 4]).say("iaf-hq 3").g.seats.influence[2] == 9
    assert blocked("xxcha-shadow", ["deploy", 4]).say("iaf-hq 1").g.flow.now == ["deploy", 0]
    assert blocked("xxcha-charity", ["collection"]).g.seats.influence[3] == 9
    assert blocked("letnev-bonus", ["bonus", 5]).g.seats.hand[5] == []
    half = blocked("sol-half-losses")
    half.top("bombardment", 3)
    assert half.run(["bombardment"]).count(0, "grand-exchange") == 0
    facing = table(SIX).army(3, "iaf-hq", 1)
    with facing.edit() as g:
        g.round.blocked = ["xxcha-facing"]
    assert facing.run(["facing"]).g.flow.now == ["deploy", 0]


def test_a_range_that_is_not_needed_is_not_cancelled() -> None:
    made = blocked("sol-range", ["move", 0], ["move", 0]).army(0, "imperial-navy-base", 2)
    made.say("imperial-navy-base grand-exchange 2")
    assert made.g.round.blocked == ["sol-range"]  # the Navy Base gave more
    assert "adminus-imperialis" not in made.options("grand-exchange")
    made.say("grand-exchange iaf-hq 1")
    assert made.events("ability/cancelled") == [{"seat": 0, "ability": "sol-range"}]


def test_a_command_to_who_can_play_no_card_is_not_cancelled() -> None:
    made = table("xxcha,letnev,hacan").army(0, "iaf-hq", 5).army(1, "iaf-hq", 5).army(2, "hydro-works", 5).naive()
    made.army(0, "hydro-works", 5).deal(2, "energy-rifle")
    with made.edit() as g:
        g.round.blocked = ["xxcha-command"]
    made.run(["fight", made.g.const.space_index["iaf-hq"], 0, 1], phase="battle").quiet()
    assert made.g.round.blocked == ["xxcha-command"]
    made.run(["fight", made.g.const.space_index["hydro-works"], 0, 2], phase="battle").quiet()
    assert made.g.round.blocked == []
    assert made.events("ability/cancelled") == [{"seat": 0, "ability": "xxcha-command"}]
