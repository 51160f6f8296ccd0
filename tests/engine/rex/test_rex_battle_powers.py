"""What Lazax, Xxcha and Jol-Nar do in a battle: Mechanized units, captures, command and question."""

from __future__ import annotations

import pytest
from rex_table import Play, table

from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.values import Value
from engine.rex.city_map import available_leaders
from engine.rex.effects import testimony_false as disproved
from engine.rex.hands import hand
from engine.rex.plans import PlanBattle
from engine.rex.spoils import prisoners
from engine.rex.state import AVAILABLE, CASUALTY, Rex

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
SPACE = "grand-exchange"


# Lazax


def lazax_wins(units: int = 2, mech: int = 3, dial: str = "3") -> Play:
    made = table("lazax,letnev,hacan").army(0, SPACE, units, mech).army(1, SPACE, 1)
    made.naive()
    made.secrets = {0: [f"{dial} lord-regent none"], 1: ["0 saboteur none"]}
    return made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")


def test_mechanized_units_count_two_and_the_winner_chooses_what_pays_the_dial() -> None:
    made = lazax_wins()
    assert made.g.battle.strength[0] == 8
    assert made.options() == ["1", "2"]
    made.say("1")
    at = made.g.const.space_index[SPACE]
    assert (made.g.board.units[0, at], made.g.board.mech[0, at]) == (1, 2)


def test_a_dial_of_three_costs_two_of_three_mechanized_units() -> None:
    made = lazax_wins(0, 3)
    at = made.g.const.space_index[SPACE]
    assert made.g.board.mech[0, at] == 1


def test_no_dial_is_higher_than_twenty() -> None:
    assert lazax_wins(15, 5, "20").g.battle.strength[0] == 20


@pytest.mark.parametrize(("fate", "status", "influence"), [("keep", 3, 9), ("destroy", 2, 11)])
def test_lazax_captures_a_random_leader_of_the_loser(fate: str, status: int, influence: int) -> None:
    made = table("lazax,letnev,hacan").influence(9, 9, 9)
    made.army(0, SPACE, 5).army(1, SPACE, 1).naive()
    made.secrets = {0: ["3 lord-regent none"], 1: ["0 saboteur none"]}
    made.force("capture", (2,))
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").say("yes")
    assert made.ask.leader == "shadow-colonel"  # type: ignore[attr-defined]
    made.say(fate)
    assert made.g.leaders.status[made.g.const.leader_index["shadow-colonel"]] == status
    assert made.g.seats.influence[0] == influence


def test_lazax_captures_nobody_who_has_fought_elsewhere_in_this_round() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 5).army(1, SPACE, 1).naive()
    with made.edit() as g:
        for at in g.const.leaders_of[g.seats.faction[1]]:
            if g.const.leaders[at].id != "informer":
                g.leaders.fought[at], g.leaders.battles[at] = g.const.space_index["iaf-hq"] + 1, 1
    made.secrets = {0: ["3 lord-regent none"], 1: ["0 informer none"]}
    made.force("capture", (1,))
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    made.say("yes")
    assert made.ask.leader == "informer"  # type: ignore[attr-defined]


def test_lazax_captures_nobody_who_has_fought_another_battle_in_the_same_space() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 5).army(1, SPACE, 1).naive()
    with made.edit() as g:
        for id in ("saboteur", "informer"):  # against Hacan, in the same space
            at = g.const.leader_index[id]
            g.leaders.fought[at], g.leaders.battles[at] = g.const.space_index[SPACE] + 1, 1
    made.secrets = {0: ["3 lord-regent none"], 1: ["0 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    left = [made.g.const.leaders[at].id for at in prisoners(made.g, 1)]
    assert sorted(left) == ["baronial-heir", "interrogator", "shadow-colonel"]


def test_a_borrowed_leader_that_fought_its_own_faction_goes_home_and_is_not_captured_again() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 5).army(1, SPACE, 1).naive()
    at = made.g.const.leader_index["shadow-colonel"]
    with made.edit() as g:
        g.leaders.status[at] = 3
    made.secrets = {0: ["3 shadow-colonel none"], 1: ["0 saboteur none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle")
    assert made.events("leader/returned") == [{"leader": "shadow-colonel"}]
    assert made.g.leaders.status[at] == 1
    assert made.asked == "capture"
    assert at not in prisoners(made.g, 1)
    assert made.g.const.leader_index["saboteur"] in prisoners(made.g, 1)


def test_a_kept_prisoner_fights_once_for_lazax_and_goes_home() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 5).army(2, SPACE, 1).naive()
    at = made.g.const.leader_index["shadow-colonel"]
    with made.edit() as g:
        g.leaders.status[at] = 3
    made.secrets = {0: ["3 shadow-colonel none"], 2: ["0 tariff-clerk none"]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 2], phase="battle")
    assert made.g.leaders.status[at] == 1
    assert made.events("leader/returned") == [{"leader": "shadow-colonel"}]


def test_prisoners_go_home_when_lazax_has_no_leader_of_its_own_left() -> None:
    made = table("lazax,letnev,hacan").army(0, SPACE, 1).army(2, SPACE, 5).naive()
    at = made.g.const.leader_index["shadow-colonel"]
    with made.edit() as g:
        g.leaders.status[at] = 3
        for leader in g.const.leaders_of[1][1:]:
            g.leaders.status[leader] = 2
    rifle = made.deal(2, "energy-rifle")[0]
    made.secrets = {0: ["0 lord-regent none"], 2: ["3 tariff-clerk attack", rifle]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 2], phase="battle").quiet().say("keep")
    assert made.g.leaders.status[at] == 1


# Command and question


def fighting(factions: str, *cards: str, led: bool = True) -> Play:
    """Seat 0 fights seat 1, which holds these cards, and no leader unless it is ``led``."""
    made = table(factions).army(0, SPACE, 5).army(1, SPACE, 5).naive()
    made.deal(1, *cards)
    with made.edit() as g:
        for leader in g.const.leaders_of[g.seats.faction[1]]:
            g.leaders.status[leader] = AVAILABLE if led else CASUALTY
    return made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet()


def commanded(order: str, *cards: str, led: bool = True) -> Play:
    made = fighting("xxcha,letnev,jol-nar", *cards, led=led)
    assert made.ask.word == "command"
    return made.say(order)


def planning(made: Play, *so_far: Value) -> list[Value]:
    """What seat 1 may still pick for its plan when it knows its cards."""
    g: Rex = made.g
    leaders = tuple(sorted(g.const.leaders[at].id for at in available_leaders(g, 1, g.battle.space)))
    ask = PlanBattle(Seat(1), 5, leaders, hand(g, 1), g.battle.pledge[1], g.battle.order[1], 1)
    return list(ask.options(None, made.dealer.lens(1), so_far))


def test_a_commanded_player_plays_the_card_if_it_can() -> None:
    made = commanded("play energy-rifle", "energy-rifle", "bio-filter")
    assert made.seen() == ["yes"]
    made.say("yes")
    assert made.events("battle/obeys") == [{"seat": 1, "card": "energy-rifle", "answer": "yes"}]
    ask = PlanBattle(1, 5, ("saboteur",), (Handle("strategy", 1), Handle("strategy", 2)), "", "play energy-rifle", 1)  # type: ignore[arg-type]
    assert list(ask.options(None, None, (0, "saboteur"))) == ["attack", "both"]


def test_cannot_is_a_claim() -> None:
    made = commanded("play energy-rifle", "bio-filter")
    assert made.seen() == ["cannot"]
    made.say("cannot")
    (claim,) = made.g.decks.claims
    assert claim[1:3] == [1, "lacks/energy-rifle"]


def test_who_has_neither_leader_nor_stand_in_cannot_play_a_commanded_card() -> None:
    made = commanded("play energy-rifle", "energy-rifle", "bio-filter", led=False)
    assert (made.options(), made.seen()) == (["cannot", "yes"], ["cannot"])
    made.secrets = {1: ["3 nobody none"]}
    made.say("cannot")
    assert [claim[1:3] for claim in made.g.decks.claims] == [
        [1, "cannot-play/energy-rifle"],
        [1, "lacks/stand-in-officer"],
    ]
    assert not made.events("core/foul")
    assert len(made.g.seats.hand[1]) == 2


def test_who_holds_a_stand_in_plays_a_commanded_card_beside_it() -> None:
    made = commanded("play energy-rifle", "energy-rifle", "stand-in-officer", led=False)
    assert made.seen() == ["yes"]
    rifle, officer = hand(made.g, 1)
    if made.dealer.faces[rifle] != "energy-rifle":
        rifle, officer = officer, rifle
    made.secrets = {0: ["0 ambassador none"], 1: [f"0 strategy#{officer.index} attack", f"strategy#{rifle.index}"]}
    made.say("yes")
    assert not made.events("core/foul")
    assert made.events("leader/killed") == [{"seat": 0, "leader": "ambassador"}]
    assert [told["intent"] for told in made.events("battle/plan")] == ["none", "attack"]


@pytest.mark.parametrize(
    ("code", "faces", "false"),
    [
        ("cannot-play/energy-rifle", ["energy-rifle", "bio-filter"], False),
        ("cannot-play/energy-rifle", ["stand-in-officer", "bio-filter"], False),
        ("cannot-play/energy-rifle", ["energy-rifle", "stand-in-officer"], True),
        ("cannot-play/energy-rifle", ["energy-rifle", None], False),
        ("lacks/energy-rifle", ["energy-rifle", "bio-filter"], True),
    ],
)
def test_who_cannot_play_a_card_lacks_it_or_without_a_leader_a_stand_in(
    code: str, faces: list[str | None], false: bool
) -> None:
    assert disproved(code, faces) == false


def test_a_command_is_not_offered_against_who_can_play_no_card() -> None:
    for led, cards in ((True, ()), (False, ("energy-rifle",))):
        made = fighting("xxcha,letnev,jol-nar", *cards, led=led)
        assert not made.events("battle/commanded")
        assert made.events("battle/plan")


def test_a_withheld_card_does_not_count() -> None:
    made = table("xxcha,letnev,jol-nar").army(0, SPACE, 5).army(1, SPACE, 5).naive()
    rifle = made.deal(1, "energy-rifle")[0]
    made.secrets = {0: ["2 ambassador none"], 1: ["2 saboteur attack", rifle]}
    made.run(["fight", made.g.const.space_index[SPACE], 0, 1], phase="battle").quiet().say("withhold energy-rifle")
    assert made.events("core/foul")
    assert made.g.leaders.status[made.g.const.leader_index["ambassador"]] == 1


def test_the_command_comes_before_the_question_and_helps_allies() -> None:
    made = table(SIX).ally(0, 3, 4).army(0, SPACE, 5).army(5, SPACE, 5)
    made.deal(5, "energy-rifle", "bio-filter")
    made.run(["fight", made.g.const.space_index[SPACE], 0, 5], phase="battle").quiet()
    assert (made.seat, made.ask.word) == (3, "command")
    made.say("no")
    assert (made.seat, made.ask.word) == (4, "question")


def asked(element: str, *cards: str, led: bool = True) -> Play:
    return fighting("jol-nar,letnev,hacan", *cards, led=led).say(element)


def test_jol_nars_question_fixes_the_dial() -> None:
    made = asked("dial")
    assert made.options() == ["0", "1", "2", "3", "4", "5"]
    made.secrets = {1: ["4 saboteur none"]}
    made.say("4")
    assert made.events("battle/told")[0]["answer"] == 4
    ask = PlanBattle(1, 5, ("saboteur",), (), "dial 4", "", 1)  # type: ignore[arg-type]
    assert list(ask.options(None)) == [4]


def test_jol_nars_question_fixes_the_leader() -> None:
    assert asked("leader").options() == ["baronial-heir", "informer", "interrogator", "saboteur", "shadow-colonel"]
    ask = PlanBattle(1, 5, ("informer", "saboteur"), (), "leader saboteur", "", 1)  # type: ignore[arg-type]
    assert list(ask.options(None, None, (0,))) == ["saboteur"]


def test_jol_nars_question_fixes_a_card() -> None:
    made = asked("attack", "energy-rifle", "bio-filter")
    assert made.seen() == ["energy-rifle", "none"]
    cards = (Handle("strategy", 1), Handle("strategy", 2))
    bound = PlanBattle(1, 5, ("saboteur",), cards, "attack energy-rifle", "", 1)  # type: ignore[arg-type]
    assert list(bound.options(None, None, (0, "saboteur"))) == ["attack", "both"]
    none = PlanBattle(1, 5, ("saboteur",), cards, "attack none", "", 1)  # type: ignore[arg-type]
    assert list(none.options(None, None, (0, "saboteur"))) == ["defence", "none"]


@pytest.mark.parametrize("element", ["attack", "defence"])
def test_who_has_neither_leader_nor_stand_in_answers_that_no_card_will_come(element: str) -> None:
    made = asked(element, "energy-rifle", "bio-filter", led=False)
    assert made.seen() == ["none"]
    held = asked(element, "energy-rifle", "bio-filter", "stand-in-officer", led=False)
    assert held.seen() == sorted(["none", {"attack": "energy-rifle", "defence": "bio-filter"}[element]])


@pytest.mark.parametrize(
    ("cards", "answer"),
    [
        (("energy-rifle", "bio-filter"), "nobody"),
        (("energy-rifle", "stand-in-officer"), "stand-in-officer"),
        ((), "nobody"),
    ],
)
def test_who_has_no_leader_answers_that_nobody_comes_unless_a_card_stands_in(
    cards: tuple[str, ...], answer: str
) -> None:
    made = asked("leader", *cards, led=False)
    assert made.options() == (["nobody", "stand-in-officer"] if cards else ["nobody"])
    assert made.seen() == [answer]


def test_a_card_that_stands_in_for_a_leader_has_to_be_committed_when_there_is_no_leader() -> None:
    made = asked("dial", "bio-filter", "stand-in-officer", led=False)
    (officer,) = [card for card in hand(made.g, 1) if made.dealer.faces[card] == "stand-in-officer"]
    assert planning(made, 0) == [officer]
    assert planning(asked("dial", "bio-filter", led=False), 0) == ["nobody"]
    led = asked("dial", "bio-filter", "stand-in-officer")
    assert "saboteur" in planning(led, 0)
    assert "nobody" not in planning(led, 0)


@pytest.mark.parametrize(("card", "false"), [("stand-in-officer", 1), ("bio-filter", 0)])
def test_who_commits_nobody_claims_to_hold_no_stand_in(card: str, false: int) -> None:
    made = asked("no", card, led=False)  # the stand-in of an absent player cannot know the cards
    assert [claim[1:3] for claim in made.g.decks.claims] == [[1, "lacks/stand-in-officer"]]
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["finish", "hacan", 2]]
    told = {"seat": 1, "claim": "lacks", "about": "stand-in-officer"}
    assert made.events("claim/false") == [told] * false


def test_answers_to_a_command_and_a_question_that_are_not_possible_say_why() -> None:
    made = commanded("play energy-rifle", "energy-rifle", "bio-filter", led=False)
    assert _why(made) == {"yes": "battle/cards-need-a-leader"}
    assert _why(commanded("play energy-rifle", "bio-filter", "bio-filter", led=False)) == {"yes": "card/not-held"}
    assert _why(commanded("play energy-rifle", "energy-rifle", "bio-filter")) == {"cannot": "card/held"}
    told = asked("attack", "energy-rifle", "bio-filter", led=False)
    assert _why(told)["energy-rifle"] == "battle/cards-need-a-leader"
    assert _why(told)["plasma-annihilator"] == "card/not-held"
    assert _why(asked("leader", "stand-in-officer", led=False))["nobody"] == "battle/leader-needed"
    assert _why(asked("leader", "bio-filter", led=False))["stand-in-officer"] == "card/not-held"


def _why(made: Play) -> dict[Value, str]:
    """The codes of what who knows the own cards cannot answer."""
    return {pick: why.code for pick, why in made.ask.refused(made.g, made.dealer.lens(made.seat))}


@pytest.mark.parametrize(
    ("order", "element", "answers"),
    [
        ("play energy-rifle", "attack", ["energy-rifle"]),
        ("play energy-rifle", "defence", ["bio-filter", "none"]),
        ("play bio-filter", "attack", ["energy-rifle", "none"]),
        ("play bio-filter", "defence", ["bio-filter"]),
    ],
)
def test_who_has_to_play_a_card_does_not_answer_that_none_will_come(
    order: str, element: str, answers: list[str]
) -> None:
    made = table("xxcha,letnev,jol-nar,hacan,lazax").ally(0, 2).army(2, SPACE, 5).army(1, SPACE, 5).naive()
    made.deal(1, "energy-rifle", "bio-filter")
    made.run(["fight", made.g.const.space_index[SPACE], 2, 1], phase="battle").quiet()
    made.say(order).say("yes").say(element)
    assert (made.seat, made.seen()) == (1, answers)


def test_there_is_one_question_a_battle() -> None:
    made = asked("attack").say("none")
    assert made.g.flow.now[0] != "question"
