"""Greedy fights battles of Rex: plans, cards, traitors, commands and what comes after."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from rex_bot import (
    BASE,
    HACAN,
    JOL_NAR,
    LAZAX,
    LETNEV,
    PALACE,
    PARKED,
    PORT,
    SIX,
    SPACE,
    XXCHA,
    Play,
    own_leaders,
    picked,
    power,
    said,
    table,
)

from client.bots import NODES
from client.bots.greedy import GreedyBot
from engine.core.cards import Handle
from engine.core.dealer import by_caretaker
from engine.core.ids import Seat
from engine.core.inputs import Answer, Input
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.waits import Seal
from engine.rex.battle import CallTraitor
from engine.rex.plans import CommitCards
from engine.rex.spec import REX
from engine.rex.spoils import Prisoner
from engine.rex.state import PHASES


def duel(
    hands: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    units: tuple[int, int] = (5, 5),
    seats: tuple[int, int] = (HACAN, LETNEV),
    pledges: tuple[str, str] = ("", ""),
) -> tuple[Play, Match]:
    """Two seats have to plan a battle, without orders or questions."""
    game = table("lazax,sol,hacan,letnev") if seats == (HACAN, LETNEV) else table(SIX)
    a, d = (2, 3) if seats == (HACAN, LETNEV) else seats
    game.army(a, SPACE, units[0]).army(d, SPACE, units[1])
    for seat, hand in zip((a, d), hands, strict=True):
        game.deal(seat, *hand)
    game.naive()
    return game, until_planned(game, a, d, pledges)


def until_planned(game: Play, a: int, d: int, pledges: tuple[str, str] = ("", ""), space: str = SPACE) -> Match:
    """Two seats have to plan a battle in a space, where these things have been announced."""
    state: Any = game.match.segment_start()
    state.round.phase = PHASES.index("battle")
    state.flow.now, state.flow.agenda = [], [["fight", state.const.space_index[space], a, d], PARKED]
    match = Match(REX, state)
    while not isinstance(match.pending, Seal):
        given: Input | None = game.dealer.outcome(match, by_caretaker)
        if given is None:
            given = Answer(match.owing()[0], match.caretaker(match.owing()[0]))
        match.apply(given)
    for side, pledge in enumerate(pledges):
        match.g.battle.pledge[side] = pledge
    return match


def plan(game: Play, match: Match, seat: int = 2) -> list[str]:
    """Dial, leader and intent."""
    return said(match, game, seat).split()


def test_an_army_does_not_dial_itself_away_against_one_unit() -> None:
    game, match = duel(units=(10, 1))
    assert int(plan(game, match)[0]) <= 5


def test_even_battles_are_fought_with_a_leader_and_some_units() -> None:
    game, match = duel(units=(6, 6))
    dial, leader, _ = plan(game, match)
    assert 2 <= int(dial) <= 6
    assert power(game, leader) >= 3


def test_not_all_units_are_dialled_where_the_space_is_to_be_held() -> None:
    game, match = duel(units=(5, 4))
    assert int(plan(game, match)[0]) < 5


def test_units_are_kept_for_a_third_one_who_would_win_by_the_space() -> None:
    game = table("lazax,sol,hacan,letnev")
    game.army(2, BASE, 6).army(1, BASE, 3).army(3, BASE, 3).army(3, PORT, 5).army(3, PALACE, 5).naive()
    assert int(plan(game, until_planned(game, 2, 1, space=BASE))[0]) <= 3


def test_a_dial_that_is_known_is_beaten_and_no_more() -> None:
    game, match = duel(units=(9, 5), pledges=("", "dial 5"))
    dial, leader, _ = plan(game, match)
    assert int(dial) + power(game, leader) >= 5
    assert int(dial) <= 7


@pytest.mark.parametrize(
    ("cards", "intent"),
    [
        (("energy-rifle", "bio-filter"), "both"),
        (("energy-rifle",), "attack"),
        (("energy-shield",), "defence"),
        (("empty-crate",), "none"),
        (("plasma-annihilator", "energy-shield"), "defence"),
        ((), "none"),
    ],
)
def test_what_is_held_is_announced_but_no_crate_and_no_blast_on_oneself(cards: tuple[str, ...], intent: str) -> None:
    game, match = duel((cards, ()))
    assert plan(game, match)[2] == intent


def test_a_leader_known_as_the_foes_traitor_stays_at_home() -> None:
    game, match = duel(units=(6, 6))
    favourite = plan(game, match)[1]
    match.g.decks.claims.append([1, 3, f"holds/{favourite}"])
    assert plan(game, match)[1] != favourite


def test_the_defence_that_stops_the_foes_told_attack_is_committed() -> None:

    game, match = duel((("energy-shield", "bio-filter"), ()), pledges=("", "attack x35-bio-weapon"))
    cards = tuple(Handle("strategy", at) for at in sorted(match.g.seats.hand[2]))
    ask = CommitCards(Seat(2), "defence", cards, "", "", 1)
    (card,) = GreedyBot().choose(match.view(2, game.dealer.lens(2)), ask, Random(1), NODES)
    assert game.dealer.faces[card] == "bio-filter"


def display_names(dial: int, *, lost: bool) -> str:
    """Whether Hacan shows the traitor that leads Letnev's five units, when it would win or lose anyway."""
    game, match = duel(units=(9, 5))
    leader = match.g.const.leaders[match.g.const.leaders_of[match.g.seats.faction[3]][0]].id
    mine = match.g.const.leaders[match.g.const.leaders_of[match.g.seats.faction[2]][0]].id
    card = Handle("traitor", next(h.index for h, face in game.dealer.faces.items() if face == leader))
    game.dealer.lens(2).learn(card, leader)
    g = match.g
    g.seats.traitors[2] = [card.index]
    for side, (number, name) in enumerate(((dial, mine), (5 if lost else 0, leader))):
        g.battle.dial[side], g.battle.leader[side], g.battle.intent[side] = number, name, "none"

    value = GreedyBot().choose(match.view(2, game.dealer.lens(2)), CallTraitor(Seat(2), leader), Random(1), NODES)
    return format_value(value)


def test_a_traitor_is_called_in_a_lost_or_costly_battle() -> None:
    assert display_names(0, lost=True).startswith("traitor#")
    assert display_names(9, lost=False).startswith("traitor#")


def test_xxcha_forbids_the_attack_that_it_cannot_stop() -> None:
    game = table(SIX).army(XXCHA, SPACE, 4).army(LETNEV, SPACE, 4)
    game.deal(XXCHA, "energy-shield")
    game.deal(LETNEV, "bio-filter")
    game.run(["fight", game.g.const.space_index[SPACE], XXCHA, LETNEV], phase="battle").quiet()
    assert (game.ask.word, picked(game)) == ("command", "withhold x35-bio-weapon")


def test_jol_nar_asks_for_the_dial_and_who_is_asked_tells_a_high_one() -> None:
    game = table(SIX).army(JOL_NAR, SPACE, 4).army(LETNEV, SPACE, 4)
    game.run(["fight", game.g.const.space_index[SPACE], JOL_NAR, LETNEV], phase="battle").quiet()
    assert (game.ask.word, picked(game)) == ("question", "dial")
    assert picked(game.say("dial")) == "4"


def test_a_command_is_obeyed_truthfully() -> None:
    game = table(SIX).army(XXCHA, SPACE, 4).army(LETNEV, SPACE, 4)
    game.deal(LETNEV, "bio-filter")
    game.run(["fight", game.g.const.space_index[SPACE], XXCHA, LETNEV], phase="battle").quiet()
    assert picked(game.say("play bio-filter")) == "yes"


def test_lazax_pays_with_mechanized_units_but_wastes_none() -> None:
    game = table(SIX)
    with game.edit() as g:
        g.battle.space = g.const.space_index[SPACE]
        at = g.battle.space
        g.board.units[LAZAX, at], g.board.mech[LAZAX, at] = 5, 3
        g.seats.reserve[LAZAX] -= 5
        g.seats.mech_reserve[LAZAX] -= 3
        g.battle.seat[0], g.battle.seat[1] = LAZAX, LETNEV
        g.battle.leader[0] = g.battle.leader[1] = "nobody"
        g.battle.intent[0] = g.battle.intent[1] = "none"
        g.battle.dial[0] = g.battle.dial[1] = 0
        g.round.phase = PHASES.index("battle")
        g.flow.now, g.flow.agenda = [], [["losses", LAZAX, 5], ["battle-over"], PARKED]
    assert picked(game) == "2"


def test_a_weak_prisoner_is_worth_its_reward_and_a_strong_one_is_kept() -> None:

    game = table(SIX)
    leaders = [game.g.const.leaders[at] for at in own_leaders(game, LETNEV)]
    weak, strong = (pick(leaders, key=lambda row: row.strength).id for pick in (min, max))
    with game.edit() as g:
        for at in own_leaders(game, LAZAX)[:-1]:
            g.leaders.status[at] = 2
    left = game.g.const.leaders[own_leaders(game, LAZAX)[-1]].strength
    for name in (weak, strong):
        value = GreedyBot().choose(game.match.view(LAZAX), Prisoner(Seat(LAZAX), name), Random(1), NODES)
        assert value == ("keep" if power(game, name) > left else "destroy")


def test_who_has_no_leader_keeps_the_weakest_prisoner() -> None:
    game = table(SIX)
    weakest = min((game.g.const.leaders[at] for at in own_leaders(game, LETNEV)), key=lambda row: row.strength)
    assert weakest.strength == 1
    with game.edit() as g:
        for at in own_leaders(game, LAZAX):
            g.leaders.status[at] = 2
    view = game.match.view(LAZAX)
    assert GreedyBot().choose(view, Prisoner(Seat(LAZAX), weakest.id), Random(1), NODES) == "keep"
