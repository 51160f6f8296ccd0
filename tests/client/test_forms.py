"""Forms arrange the options of a draft, and never add or lose any."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from test_session import GAMES, Seat0

from client.games.eclipse.show.words import figures
from client.session.view import Ask, view_of
from engine.core.dealer import Dealer, HashDice
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Place, Remove
from engine.eclipse.blueprints import stats
from engine.eclipse.free import Trade
from engine.eclipse.terms import PIECES

FORMED = Place | Remove | Buy | Trade
AMOUNTS = {("bid", 0), ("move-group", 2), ("trade", 0)}


def asked(name: str, players: int, seed: int) -> Iterator[tuple[Seat0, Ask]]:
    """Every question of a game of random picks, before it is answered."""
    table, rng = Seat0(name, players), Random(seed)
    table.dealer = Dealer(HashDice(f"forms {seed}"))
    session = table.session
    while table.go():
        while session.choices is not None and not session.sendable:
            ask = view_of(session).ask
            assert ask is not None
            yield table, ask
            session.pick(rng.choice(session.choices.options[: session.choices.main] or session.choices.options))
        if session.draft is not None and session.sendable:
            session.send()


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_pick_of_a_form_is_an_option_and_numbers_rise_by_one(name: str, players: int) -> None:
    found: set[tuple[str, int]] = set()
    for table, ask in asked(name, players, 0):
        draft = table.session.draft
        assert draft is not None
        assert draft.ask is not None
        for amount in ask.amounts:
            found.add((draft.ask.word, len(draft.so_far)))
            assert list(amount.numbers) == list(range(amount.numbers[0], amount.numbers[-1] + 1))
            titles = [ask.options[at].title for at in amount.options]
            assert all(str(number) in title for number, title in zip(amount.numbers, titles, strict=True))
        picks = [pick.option for group in ask.groups for cell in group.cells for pick in cell.picks]
        picked = [table.session.choices.options[at] for at in picks]  # type: ignore[union-attr]  # something is asked
        for option in table.session.choices.options:  # type: ignore[union-attr]
            assert not isinstance(option, FORMED) or option in picked
    assert found >= {(word, stage) for word, stage in AMOUNTS if word in WORDS[name]}


WORDS = {"eclipse1": "", "eclipse2": "", "emperor": ("trade",), "rex": ("bid", "move-group")}


def test_a_pick_on_a_blueprint_tells_what_the_ship_can_do_then() -> None:
    seen = 0
    for table, ask in asked("eclipse2", 2, 1):
        draft = table.session.draft
        assert draft is not None
        assert draft.ask is not None
        if draft.ask.word != "upgrade" or draft.so_far:
            continue
        options: Any = table.session.choices.options  # type: ignore[union-attr]  # something is asked
        for group in ask.groups:
            for pick in (
                pick for cell in group.cells for pick in cell.picks if isinstance(options[pick.option], Place)
            ):
                after = draft.match.clone()
                place = options[pick.option]
                after.apply(Answer(Seat(0), (place,)))
                assert pick.note == figures(stats(after.g, 0, PIECES.index(place.ship)))
                seen += 1
        if seen:
            return
    assert seen
