"""Whoever tells the truth can keep it: commands and questions lead nobody who knows its cards into a foul."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from rex_table import lensed, table
from volume import GATE, VOLUME

from engine.core.dealer import HashDice
from engine.rex.state import AVAILABLE, CASUALTY

SPACE = "grand-exchange"
HANDS = [
    hand
    for size in (1, 2, 3)
    for hand in combinations(("energy-rifle", "bio-filter", "stand-in-officer", "empty-crate", "fresh-recruits"), size)
]
ORDERS = ("no", "play energy-rifle", "play bio-filter", "withhold energy-rifle")
ELEMENTS = ("attack", "defence", "leader", "no")
EVERY = 9 if VOLUME == GATE else 3
"""One of so many battles is fought, for each status of the leaders."""


def fought(hand: tuple[str, ...], status: int, order: str, element: str) -> set[str]:
    """What is told of a battle against Jol-Nar, an ally of Xxcha, and of the end; all else that is answered is true."""
    made = table("xxcha,letnev,jol-nar,hacan,lazax").ally(0, 2).army(2, SPACE, 5).army(1, SPACE, 5).naive()
    made.deal(1, *hand)
    with made.edit() as g:
        for leader in g.const.leaders_of[g.seats.faction[1]]:
            g.leaders.status[leader] = status
    choose = lensed(made.dealer, HashDice(f"{hand} {order} {element}"), 99)
    made.secret = choose  # type: ignore[assignment, method-assign]
    made.run(["fight", made.g.const.space_index[SPACE], 2, 1], phase="battle")
    while made.g.battle.space >= 0:
        said = {"command": order, "question": element}.get(made.asked)
        made.answer(choose(made.match, made.seat, made.ask) if said is None else made.read(said))
    told = made.new_events
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["finish", "hacan", 3]]
    return {event.id for event in (*told, *made.new_events)}


@pytest.mark.parametrize("status", [AVAILABLE, CASUALTY], ids=["leaders", "no-leader"])
def test_who_answers_truly_is_led_into_no_foul_and_no_false_claim(status: int) -> None:
    for at, (hand, order, element) in enumerate(product(HANDS, ORDERS, ELEMENTS)):
        if at % EVERY == status:
            told = fought(hand, status, order, element)
            assert "battle/plan" in told
            assert not told & {"core/foul", "claim/false", "card/spoiled"}, (hand, order, element)
