"""Forms arrange the options of a draft, and never add or lose any."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from seat0 import GAMES, Seat0

from client.games.eclipse.show.words import figures
from client.session.draft import Draft
from client.session.session import Session
from client.session.view import view_of
from client.session.view_records import Ask
from client.table.player import Asked
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Choose
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
        while session.asking.choices is not None and not session.asking.sendable:
            ask = view_of(session).ask
            assert ask is not None
            yield table, ask
            session.asking.pick(
                rng.choice(
                    session.asking.choices.options[: session.asking.choices.main] or session.asking.choices.options
                )
            )
        if session.asking.draft is not None and session.asking.sendable:
            session.asking.send()


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_pick_of_a_form_is_an_option_and_numbers_rise_by_one(name: str, players: int) -> None:
    found: set[tuple[str, int]] = set()
    for table, ask in asked(name, players, 0):
        draft = table.session.asking.draft
        assert draft is not None
        assert draft.ask is not None
        for amount in ask.amounts:
            found.add((draft.ask.word, len(draft.so_far)))
            assert list(amount.numbers) == list(range(amount.numbers[0], amount.numbers[-1] + 1))
            titles = [ask.options[at].title for at in amount.options]
            assert all(str(number) in title for number, title in zip(amount.numbers, titles, strict=True))
        picks = [pick.option for group in ask.groups for cell in group.cells for pick in cell.picks]
        picked = [table.session.asking.choices.options[at] for at in picks]  # type: ignore[union-attr]  # something is asked
        for option in table.session.asking.choices.options:  # type: ignore[union-attr]
            assert not isinstance(option, FORMED) or option in picked
    assert found >= {(word, stage) for word, stage in AMOUNTS if word in WORDS[name]}


WORDS = {"eclipse1": "", "eclipse2": "", "emperor": ("trade",), "rex": ("bid", "move-group")}


def test_what_is_picked_is_told_as_its_options_were() -> None:
    told = 0
    for table, ask in asked("eclipse2", 2, 3):
        session = table.session
        assert session.asking.choices is not None
        if (
            session.asking.draft is not None
            and session.asking.draft.ask is not None
            and not session.asking.draft.ask.staged
        ):
            session.asking.pick(session.asking.choices.options[0])
            assert view_of(session).titles[-1] == ask.options[0].title
            session.asking.undo()
            told += 1
        if told == 10:
            return
    assert told


def test_a_pick_on_a_blueprint_tells_what_the_ship_can_do_then() -> None:
    seen = 0
    for table, ask in asked("eclipse2", 2, 1):
        draft = table.session.asking.draft
        assert draft is not None
        assert draft.ask is not None
        if draft.ask.word != "upgrade" or draft.so_far:
            continue
        options: Any = table.session.asking.choices.options  # type: ignore[union-attr]  # something is asked
        for group in ask.groups:
            for pick in (
                pick for cell in group.cells for pick in cell.picks if isinstance(options[pick.option], Place)
            ):
                after = draft.match.clone()
                place = options[pick.option]
                after.apply(Answer(Seat(0), (place,)))
                assert pick.note.startswith(", ".join(figures(stats(after.g, 0, PIECES.index(place.ship)))))
                seen += 1
        if seen:
            return
    assert seen


def drafted(session: Session) -> Draft:
    assert session.asking.draft is not None
    return session.asking.draft


def changed_and_changed_back(session: Session) -> None:
    """Pick the first part of an answer anew, and then as it was: the rest stays as far as it may."""
    draft = drafted(session)
    stages, before = draft.stages, (draft.so_far, draft.values)
    assert stages is not None
    ask, state, picks = stages
    for at, part in enumerate(view_of(session).parts):
        options = list(ask.options(state, draft.lens, picks[:at]))
        assert len(part.titles) == len(options)
        assert options[part.chosen] == picks[at]
    for first in (list(ask.options(state, draft.lens, ()))[-1], picks[0]):
        session.asking.repick(0, first)
        now = drafted(session).stages
        assert now is not None
        assert now[2][0] == first
    now = drafted(session).stages
    assert now is not None
    assert now[2] == picks[: len(now[2])]
    for pick in picks[len(now[2]) :]:
        session.asking.pick(pick)
    draft = drafted(session)
    assert (draft.so_far, draft.values) == before


@pytest.mark.parametrize(
    ("name", "words", "counted"),
    [("rex", {"deploy", "talk"}, {"recruit"}), ("emperor", {"trade", "exert"}, set())],
)
def test_the_parts_of_an_answer_are_one_form_and_each_can_be_picked_anew(
    name: str, words: set[str], counted: set[str]
) -> None:
    """counted: of these a part is a number, all of whose options are numbers and say so."""
    found, numbered = set[str](), set[str]()
    for table, _ask in asked(name, 3, 0):
        draft, parts = table.session.asking.draft, view_of(table.session).parts
        if parts and draft is not None and draft.ask is not None:
            found.add(draft.ask.word)
            for part in (part for part in parts if part.numbers):
                numbered.add(draft.ask.word)
                assert all(str(n) in title for n, title in zip(part.numbers, part.titles, strict=True))
            changed_and_changed_back(table.session)
    assert found >= words
    assert numbered == counted


def planned() -> Session:
    """A session that is asked for a battle plan of Rex, which is secret."""
    table, plans, chance = Seat0("rex", 3), list[Asked](), at_random(HashDice("answers"))
    table.dealer = Dealer(HashDice("plans"))

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if ask.word == "plan-battle":
            plans.append(Asked(seat, match.clone(), table.dealer.lens(seat), ask, match.height))
        return chance(match, seat, ask)

    for _given in play(table.match, table.dealer, choose):
        if plans:
            break
    table.session.asking.asked(plans[0])
    return table.session


def test_a_battle_plan_is_one_form() -> None:
    session = planned()
    while not session.asking.sendable:
        assert session.asking.choices is not None
        session.asking.pick(session.asking.choices.options[0])
    parts = view_of(session).parts
    assert len(parts) == 3
    assert parts[1].text == "Which leader fights?"
    assert view_of(session).titles == (", ".join(part.titles[part.chosen] for part in parts),)
    changed_and_changed_back(session)
