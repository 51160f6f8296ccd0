from __future__ import annotations

from typing import Any

import pytest
from rex_table import Play, table

from engine.core.cards import Handle, Lens
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Choose
from engine.rex.battle import fights
from engine.rex.plans import CommitCards, PlanBattle

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
SPACE = "grand-exchange"


def field(a: int = 0, d: int = 5, units: tuple[int, int] = (5, 5), factions: str = SIX) -> Play:
    """Two seats stand in one space."""
    return table(factions).army(a, SPACE, units[0]).army(d, SPACE, units[1])


NO_ORDERS = "sol,letnev,hacan,lazax"


def duel(mine: str, other: str, cards: tuple[list[str], list[str]] = ([], []), units: tuple[int, int] = (5, 5)) -> Play:
    """Sol against Letnev, with nobody to interfere; commits follow from the plans."""
    made = field(0, 1, units, NO_ORDERS)
    hands = [made.deal(seat, *cards[seat]) for seat in (0, 1)]
    made.naive()
    made.secrets = {
        seat: [_named(text, hands[seat]), " ".join(_commit(text, hands[seat]))]
        for seat, text in enumerate((mine, other))
    }
    for texts in made.secrets.values():
        texts[:] = [text for text in texts if text]
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    return made.quiet()


def _named(text: str, hand: list[str]) -> str:
    """A plan in which ``officer`` is the first card in hand."""
    return text.replace("officer", hand[0]) if "officer" in text else text


def _commit(text: str, hand: list[str]) -> list[str]:
    rest = hand[1:] if "officer" in text else hand
    kinds = {"none": 0, "attack": 1, "defence": 1, "both": 2}[text.rsplit(maxsplit=1)[-1]]
    return rest[:kinds]


def test_battles_are_where_foes_are_face_up_but_not_in_the_council() -> None:
    made = table(SIX).army(0, SPACE, 1).army(5, SPACE, 1).army(3, SPACE, 1).army(1, SPACE, 1)
    made.army(0, "galactic-council", 1).army(5, "galactic-council", 1)
    with made.edit() as g:
        g.board.hidden[g.const.space_index[SPACE]] = 1
    at = made.g.const.space_index[SPACE]
    assert fights(made.g, 0) == [(at, 1), (at, 5)]
    assert fights(made.g, 3) == []


def test_allies_do_not_fight() -> None:
    made = table(SIX).ally(0, 5)
    with made.edit(possible=False) as g:
        at = g.const.space_index[SPACE]
        for seat in (0, 5):
            g.board.units[seat, at] = 2
    assert fights(made.g, 0) == fights(made.g, 5) == []
    with made.edit(possible=False) as g:
        g.seats.alliance[0] = g.seats.alliance[5] = 0
    assert fights(made.g, 0) == [(at, 5)]


def test_each_player_in_turn_order_resolves_all_own_battles_in_the_order_it_likes() -> None:
    made = table(NO_ORDERS).army(0, SPACE, 2).army(1, SPACE, 3).army(0, "iaf-hq", 2).army(2, "iaf-hq", 1)
    made.run(["battles"], phase="battle")
    assert made.seat == 0
    assert made.options() == ["fight grand-exchange 1", "fight iaf-hq 2"]
    made.say("fight iaf-hq 2").until("deploy")
    assert [told["space"] for told in made.events("battle/result")] == ["iaf-hq", SPACE]
    assert fights(made.g, 0) == []


def test_the_first_player_fights_first() -> None:
    made = table(NO_ORDERS).army(0, SPACE, 2).army(3, SPACE, 3).army(1, "iaf-hq", 2).army(2, "iaf-hq", 1)
    with made.edit() as g:
        g.round.first = 2
    made.run(["battles"], phase="battle").until("deploy")
    assert [told["seat"] for told in made.events("battle/report")] == [2, 1, 3, 0]


def test_the_situation_report_tells_units_cards_and_leader_strengths() -> None:
    made = field(0, 1, (4, 5), NO_ORDERS)
    made.deal(1, "energy-rifle", "bio-filter")
    made.naive()
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    told = [event for event in made.new_events if event.id == "battle/report"]
    assert dict(told[1].args) == {
        "seat": 1, "space": SPACE, "units": 5, "cards": 2, "leaders": (6, 4, 3, 2, 1)
    }  # fmt: skip


def test_the_higher_total_wins_and_the_winner_pays_its_dial() -> None:
    made = duel("3 fleet-marshal none", "4 saboteur none")
    assert (made.count(0, SPACE), made.count(1, SPACE)) == (2, 0)
    assert made.g.seats.casualties[1] == 5
    assert made.events("battle/result")[0]["totals"] == (9, 6)


def test_a_tie_goes_to_who_is_earlier_in_turn_order() -> None:
    assert duel("3 recon-captain none", "3 interrogator none").events("battle/result")[0]["seat"] == 0


def test_the_dial_goes_from_nothing_to_the_units_there() -> None:
    made = field(0, 1, (4, 7), NO_ORDERS)
    made.deal(0, "energy-rifle")
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    assert list(made.g.battle.strength) == [4, 7]
    asks: list[PlanBattle] = []

    def watching(match: Match, seat: int, ask: Choose[Any]) -> Value:
        asks.extend([ask] if isinstance(ask, PlanBattle) else [])
        return match.caretaker(seat)

    made.secret = watching  # type: ignore[method-assign]
    made.quiet()
    assert [list(ask.options(None)) for ask in asks] == [list(range(5)), list(range(8))]


def test_a_leader_has_to_be_committed_when_there_is_one() -> None:
    ask = PlanBattle(0, 4, ("a", "b"), (), "", "", 1)  # type: ignore[arg-type]
    assert list(ask.options(None, None, (0,))) == ["a", "b"]
    alone = PlanBattle(0, 4, (), (), "", "", 1)  # type: ignore[arg-type]
    assert list(alone.options(None, None, (0,))) == ["nobody"]
    assert list(alone.options(None, None, (0, "nobody"))) == ["none"]


def test_only_kinds_that_the_hand_can_serve_are_announced() -> None:
    cards = tuple(Handle("strategy", at) for at in range(2))
    ask = PlanBattle(0, 4, ("a",), cards, "", "", 1)  # type: ignore[arg-type]
    assert list(ask.options(None, None, (0, "a"))) == ["attack", "both", "defence", "none"]
    lens = Lens({cards[0]: "energy-rifle", cards[1]: "fresh-recruits"})
    assert list(ask.options(None, lens, (0, "a"))) == ["attack", "none"]
    bluff = Lens({cards[0]: "empty-crate", cards[1]: "fresh-recruits"})
    assert list(ask.options(None, bluff, (0, "a"))) == ["attack", "defence", "none"]


def test_two_kinds_need_two_cards() -> None:
    card = Handle("strategy", 1)
    ask = PlanBattle(0, 4, ("a",), (card,), "", "", 1)  # type: ignore[arg-type]
    assert list(ask.options(None, None, (0, "a"))) == ["attack", "defence", "none"]


def test_committed_cards_serve_what_was_announced() -> None:
    cards = tuple(Handle("strategy", at) for at in range(3))
    lens = Lens({cards[0]: "empty-crate", cards[1]: "bio-filter", cards[2]: "energy-rifle"})
    ask = CommitCards(0, "both", cards, "", "", 1)  # type: ignore[arg-type]
    assert ask.options(None, lens) == [cards[0], cards[2]]
    assert ask.options(None, lens, (cards[0],)) == [cards[1]]


def test_an_energy_rifle_kills_the_leader_unless_it_is_shielded() -> None:
    made = duel("3 recon-captain attack", "4 baronial-heir none", (["energy-rifle"], []))
    assert made.events("battle/result")[0]["totals"] == (6, 4)
    assert made.g.leaders.status[made.g.const.leader_index["baronial-heir"]] == 2
    shielded = duel("3 recon-captain attack", "4 baronial-heir defence", (["energy-rifle"], ["energy-shield"]))
    assert shielded.events("battle/result")[0]["totals"] == (6, 10)
    assert shielded.g.leaders.status[shielded.g.const.leader_index["baronial-heir"]] == 1


def test_the_loser_discards_played_cards_and_the_winner_keeps_or_discards() -> None:
    made = duel("3 recon-captain attack", "4 baronial-heir both", (["energy-rifle"], ["empty-crate", "bio-filter"]))
    assert made.seat == 0
    assert made.ask.word == "keep-cards"
    assert made.g.seats.hand[1] == []
    assert made.count(1, SPACE) == 0
    made.say("keep")
    assert len(made.g.seats.hand[0]) == 1
    other = duel("3 recon-captain attack", "4 baronial-heir none", (["energy-rifle"], [])).say("discard")
    assert other.g.seats.hand[0] == []
    assert len(other.g.round.discards) == 1


def test_a_losers_leader_survives_unless_it_is_killed() -> None:
    made = duel("3 fleet-marshal none", "4 saboteur none")
    assert made.g.leaders.status[made.g.const.leader_index["saboteur"]] == 1


def test_a_card_that_does_not_fit_is_discarded_without_effect() -> None:
    made = duel("3 recon-captain attack", "4 baronial-heir none", (["fresh-recruits"], []))
    assert made.events("core/foul")
    assert made.events("battle/result")[0]["totals"] == (6, 10)
    assert made.g.seats.hand[0] == []


def test_a_stand_in_officer_counts_nothing_and_is_discarded_after_a_fight() -> None:
    made = duel("5 officer none", "1 informer none", (["stand-in-officer"], []))
    assert made.events("battle/result")[0]["totals"] == (5, 2)
    assert made.g.seats.hand[0] == []
    lost = duel("1 officer none", "5 informer none", (["stand-in-officer"], []))
    assert lost.events("battle/result")[0]["seat"] == 1
    assert lost.g.seats.hand[0] == []


def test_another_card_does_not_stand_in_for_a_leader() -> None:
    made = duel("5 officer attack", "1 informer none", (["energy-rifle", "bio-filter"], []))
    assert made.g.leaders.status[made.g.const.leader_index["informer"]] == 1
    assert made.events("battle/plan")[0]["leader"] == "nobody"
    assert len(made.g.seats.hand[0]) == 1


def test_plasma_and_an_energy_shield_wipe_the_space_out() -> None:
    made = field(0, 1, (5, 5), NO_ORDERS)
    with made.edit() as g:
        g.board.influence[g.const.space_index[SPACE]] = 8
    rifle, shield = made.deal(0, "plasma-annihilator")[0], made.deal(1, "energy-shield")[0]
    made.naive()
    made.secrets = {0: ["2 fleet-marshal attack", rifle], 1: ["2 saboteur defence", shield]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet()
    assert (made.count(0, SPACE), made.count(1, SPACE)) == (0, 0)
    assert made.g.board.influence[made.g.const.space_index[SPACE]] == 0
    assert [made.g.leaders.status[made.g.const.leader_index[id]] for id in ("fleet-marshal", "saboteur")] == [2, 2]


def test_what_wipes_a_space_out_destroys_bystanders_face_down_or_not() -> None:
    made = table("sol,letnev,hacan,xxcha").army(0, SPACE, 2).army(1, SPACE, 2).army(2, SPACE, 2).army(3, SPACE, 3)
    with made.edit() as g:
        g.board.hidden[g.const.space_index[SPACE]] = 1
    rifle, shield = made.deal(0, "plasma-annihilator")[0], made.deal(1, "energy-shield")[0]
    made.naive()
    made.secrets = {0: ["2 fleet-marshal attack", rifle], 1: ["2 saboteur defence", shield]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet()
    assert [made.count(seat, SPACE) for seat in range(4)] == [0, 0, 0, 0]
    assert made.g.seats.casualties[3] == 3
    assert not made.g.board.hidden[made.g.const.space_index[SPACE]]


@pytest.mark.parametrize(("first", "fallen"), [(0, [1, 0]), (1, [0, 1])])
def test_cards_take_effect_in_turn_order_and_who_is_hit_hits_back(first: int, fallen: list[int]) -> None:
    made = field(0, 1, (5, 5), NO_ORDERS)
    cards = [made.deal(seat, "energy-rifle")[0] for seat in (0, 1)]
    made.naive()
    with made.edit() as g:
        g.round.first = first
    made.secrets = {0: ["2 fleet-marshal attack", cards[0]], 1: ["2 saboteur attack", cards[1]]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet()
    assert [told["seat"] for told in made.events("leader/killed")] == fallen
    assert made.events("battle/result")[0]["totals"] == (2, 2)
    assert made.events("battle/result")[0]["seat"] == first


def test_a_leader_fights_twice_in_a_round_only_in_the_same_space() -> None:
    made = duel("3 fleet-marshal none", "4 saboteur none")
    at = made.g.const.leader_index["fleet-marshal"]
    assert made.g.leaders.fought[at] == made.g.const.space_index[SPACE] + 1
    made.army(0, "iaf-hq", 2).army(2, "iaf-hq", 2).run(["fight", made.g.const.space_index["iaf-hq"], 0, 2])
    report = next(event for event in made.new_events if event.id == "battle/report")
    assert report.args["leaders"] == (5, 4, 3, 2)


def test_leaders_are_fresh_again_in_the_next_round() -> None:
    made = duel("3 fleet-marshal none", "4 saboteur none").army(0, "iaf-hq", 2).army(2, "iaf-hq", 2)
    made.run(["battles"], phase="battle")
    report = next(event for event in made.new_events if event.id == "battle/report" and event.args["seat"] == 0)
    assert report.args["leaders"] == (6, 5, 4, 3, 2)
    at = made.g.const.leader_index["saboteur"]
    assert (made.g.leaders.fought[at], made.g.leaders.battles[at]) == (0, 0)


# Traitors


def betrayed(*called: int) -> Play:
    """Sol holds the Saboteur and Letnev the Fleet Marshal as traitors; these seats call."""
    made = field(0, 1, (5, 5), NO_ORDERS)
    cards = [made.deal(0, "energy-rifle")[0], made.deal(1, "bio-filter")[0]]
    shown = {0: made.traitor(0, "saboteur")[0], 1: made.traitor(1, "fleet-marshal")[0]}
    made.secrets = {0: ["2 fleet-marshal attack", cards[0]], 1: ["5 saboteur defence", cards[1]]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet()
    for seat in (0, 1):
        assert made.seat == seat
        made.say(shown[seat] if seat in called else "no")
    return made


def test_a_traitor_wins_the_battle_at_no_loss() -> None:
    made = betrayed(0)
    assert (made.count(0, SPACE), made.count(1, SPACE)) == (5, 0)
    assert made.g.leaders.status[made.g.const.leader_index["saboteur"]] == 2
    assert made.g.leaders.status[made.g.const.leader_index["fleet-marshal"]] == 1
    assert len(made.g.seats.hand[0]) == 1
    assert made.g.seats.hand[1] == []
    assert made.g.seats.traitors[0] == []  # out of play


def test_when_both_leaders_are_traitors_both_lose_everything() -> None:
    made = betrayed(0, 1)
    assert (made.count(0, SPACE), made.count(1, SPACE)) == (0, 0)
    assert [made.g.leaders.status[made.g.const.leader_index[id]] for id in ("fleet-marshal", "saboteur")] == [2, 2]
    assert made.g.seats.hand[0] == made.g.seats.hand[1] == []


def test_a_stand_in_officer_stays_in_the_hand_of_who_wins_with_a_traitor() -> None:
    made = field(0, 1, (5, 5), NO_ORDERS)
    officer = made.deal(0, "stand-in-officer")[0]
    made.naive()
    shown = made.traitor(0, "saboteur")[0]
    made.secrets = {0: [f"2 {officer} none"], 1: ["5 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet().say(shown)
    assert made.events("battle/result")[0]["seat"] == 0
    assert len(made.g.seats.hand[0]) == 1
    assert made.count(0, SPACE) == 5


def test_another_leader_shown_as_a_traitor_is_no_traitor() -> None:
    made = field(0, 1, (5, 5), NO_ORDERS)
    wrong = made.naive().traitor(0, "informer")[0]
    made.secrets = {0: ["2 fleet-marshal none"], 1: ["5 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    assert made.seen() == ["no"]
    made.say(wrong)
    assert made.events("core/foul")
    assert made.events("battle/result")[0]["totals"] == (8, 7)


def test_letnev_may_call_its_traitors_for_an_ally() -> None:
    made = table(SIX).ally(0, 5).army(0, SPACE, 5).army(4, SPACE, 5)
    shown = made.naive().traitor(5, "junior-fellow")[0]
    made.secrets = {0: ["2 fleet-marshal none"], 4: ["5 junior-fellow none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 4], phase="battle").say("no")  # no question
    assert made.seat == 5
    made.say(shown)
    assert (made.count(0, SPACE), made.count(4, SPACE)) == (5, 0)
