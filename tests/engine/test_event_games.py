"""Galactic Events in whole games, and as table options."""

from __future__ import annotations

import pytest
from volume import gated, seeds

from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, play
from engine.core.errors import Refusal
from engine.core.match import MAX_TAIL, Match
from engine.core.registry import settle_options
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.setup import new_game
from engine.eclipse.spec import ECLIPSE2
from engine.testing.gamekit import curious, watched
from engine.testing.judges import judge

ALL = {"pulsar": "on", "black-hole": "on", "supernova": "on", "nebula": "on"}


@pytest.mark.parametrize("seats", gated([3, 5, 2, 4, 6], 2))
@pytest.mark.parametrize("seed", seeds(1))
def test_random_games_with_all_events_play_to_the_end(seats: int, seed: int) -> None:
    table = settle_options(ECLIPSE2, seats, {**ALL, "black-hole": ("on", "396", "399")[(seats + seed) % 3]})
    assert isinstance(table, Table)
    match, dice = Match.new(watched(ECLIPSE2), table), HashDice(f"events {seats} {seed}")
    for step, (_, told) in enumerate(play(match, Dealer(dice), curious(dice))):
        assert match.tail <= MAX_TAIL
        assert all(tuple(event.args) == ECLIPSE2.events[event.id] for event in told)
        if match.tail == 0:
            assert judge(ECLIPSE2, match.g) is None, match.g.flow.now
        if step % 60 == 0:
            loaded = Match.load(ECLIPSE2, match.dump())
            assert isinstance(loaded, Match)
            assert loaded.digest() == match.digest() == match.clone().digest()
    assert len(ECLIPSE2.scores(match.g)) == seats


@pytest.mark.parametrize(
    ("options", "seats", "code", "path"),
    [
        ({"black-hole": "396,399"}, 3, "table/option-value", "black-hole"),
        ({"black-hole": "395"}, 3, "table/option-value", "black-hole"),
        ({"quasar": "on"}, 3, "table/unknown-option", "quasar"),
        ({"pulsar": "maybe"}, 3, "table/option-value", "pulsar"),
        (ALL, 7, "table/seats", "seats"),
    ],
)
def test_bad_options_are_refused_with_the_reason(options: dict[str, str], seats: int, code: str, path: str) -> None:
    refusal = settle_options(ECLIPSE2, seats, options)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.path) == (code, path)


@pytest.mark.parametrize("kind", ALL)
def test_each_kind_comes_alone_or_in_any_mix(kind: str) -> None:
    table = settle_options(ECLIPSE2, 2, {kind: "on"})
    assert isinstance(table, Table)
    kinds = {getattr(row, "kind", None) for row in ECLIPSE2.const(table).sectors}
    assert kinds == {None, kind}


def test_two_sectors_of_each_kind_are_in_the_box() -> None:
    kinds = [row.kind for row in event_sectors()]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(ALL, 2)


def test_a_table_without_events_is_settled_as_before_there_were_any() -> None:
    table = settle_options(ECLIPSE2, 2, {"pulsar": "off"})
    assert isinstance(table, Table)
    later = {option.name for option in ECLIPSE2.options if option.later}
    assert set(ALL) < later
    assert set(table.options) == {option.name for option in ECLIPSE2.options} - later


def test_events_do_not_raise_the_number_of_outer_tiles() -> None:
    for seats in range(2, 7):
        plain, mixed = (settle_options(ECLIPSE2, seats, options) for options in ({}, ALL))
        assert isinstance(plain, Table)
        assert isinstance(mixed, Table)
        assert new_game(plain).round.left[3] == new_game(mixed).round.left[3]
        extra = len(ECLIPSE2.const(mixed).stacks[3]) - len(ECLIPSE2.const(plain).stacks[3])
        assert extra == 7
