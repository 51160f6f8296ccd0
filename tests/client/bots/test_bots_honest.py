# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot sees a view and nothing else: what is hidden from its seat changes no answer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from volume import VOLUME, gated

from client.bots import NODES, bot, chooser
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.imagine import imagine
from engine.core.match import Match
from engine.core.registry import GAMES, game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose

EVERY = 12 if VOLUME == 1 else 1
"""One in so many decisions is tried with other cards."""
WANTED = 25 if VOLUME == 1 else 1000


@pytest.mark.parametrize(
    ("id", "level"),
    gated(
        [
            *((id, level) for level in ("greedy", "light") for id in ("rex", *sorted({*GAMES} - {"rex"}))),
            *((id, level) for level in ("random", "beginner", "casual") for id in GAMES),
            *((id, level) for level in ("expert", "master") for id in ("eclipse2", "eclipse1", "emperor")),
            *((id, level) for level in ("expert", "raider", "builder") for id in ("rex",)),
            ("emperor", "planner"),
            ("eclipse2", "wavering"),
        ],
        2,
    ),
)
def test_what_is_hidden_changes_no_answer_of_a_bot(id: str, level: str) -> None:
    """Each answer is asked for a second time in a game that looks the same from the seat, with other hidden cards."""
    spec, thinker, tried, changed = game(id), bot(level), 0, 0
    for number in range(WANTED):
        table = settle_options(spec, 3, {})
        assert isinstance(table, Table)
        match, dealer = Match.new(spec, table), Dealer(HashDice(f"honest {number}"))
        inner, dice = chooser([thinker] * 3, dealer, Random(number)), HashDice(f"other {number}")

        def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
            nonlocal tried, changed
            if match.height % EVERY == 0:
                view = match.view(seat, dealer.lens(seat))  # noqa: B023
                other, knows = imagine(spec, view, dice)  # noqa: B023
                again = other.view(seat, knows.lens(seat))
                answers = [thinker.choose(seen, ask, Random(match.height), NODES) for seen in (view, again)]
                assert answers[0] == answers[1]
                tried += 1
                changed += any(knows.faces[card] != face for card, face in dealer.faces.items() if card in knows.faces)  # noqa: B023
            return inner(match, seat, ask)  # noqa: B023

        for _ in play(match, dealer, choose):
            if tried >= WANTED:
                break
        if tried >= WANTED:
            break
    assert tried >= WANTED
    assert changed or id != "rex"
