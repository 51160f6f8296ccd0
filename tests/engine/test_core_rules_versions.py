"""Tables go on by the rules that they began with: a correction is gated by the version in which it came."""

from __future__ import annotations

import dataclasses
from typing import Any

from engine.core.agenda import Table
from engine.core.dealer import HashDice, at_random
from engine.core.errors import Refusal
from engine.core.gamelog import GameLog, record, replay, transcript
from engine.core.match import Match
from engine.core.registry import Correction, GameSpec, by_rules, settle_options
from engine.testing.gamekit import some_table
from engine.testing.judges import load_position
from engine.testing.toy import TOY


def corrected(g: Any, *args: Any) -> Any:
    """The toy's round, in which the bank pays every seat a coin: a correction of version 2."""
    if g.rules >= 2:
        for seat in range(g.table.seats):
            g.farm.coins[seat] += 1
        g.farm.bank -= g.table.seats
    return TOY.segments["round"](g, *args)


TOY2 = dataclasses.replace(
    TOY,
    rules_version=2,
    segments={**TOY.segments, "round": corrected},
    corrections=(Correction(2, "The bank pays every seat a coin each round.", "a test"),),
)


def log_of(spec: GameSpec) -> GameLog:
    return record(spec, some_table(spec, 3, 0), HashDice(1), at_random(HashDice(2)))


def test_a_game_of_older_rules_plays_to_the_same_digests_and_a_new_one_by_the_latest() -> None:
    old, new = log_of(TOY), log_of(TOY2)
    assert (old.rules, new.rules) == ("toy/1", "toy/2")
    assert replay(TOY2, old) is None
    assert replay(TOY2, new) is None
    assert transcript(TOY2, old) == transcript(TOY, old) != transcript(TOY2, new)


def test_rules_of_a_version_that_is_not_known_are_refused_by_name() -> None:
    assert replay(TOY, log_of(TOY2)) == Refusal("log/rules", "rules", ("toy/2", "toy/1"))
    assert [by_rules(TOY2, id) for id in ("toy/0", "toy/3", "toy/01", "toy", "rex/1", "")] == [None] * 6
    assert by_rules(TOY2, "toy/2") is TOY2


def test_the_version_is_agreed_at_the_table_and_counts_in_its_digest() -> None:
    older = by_rules(TOY2, "toy/1")
    assert older is not None
    tables = [settle_options(spec, 3, {}) for spec in (older, TOY2)]
    assert [table.rules for table in tables if isinstance(table, Table)] == [1, 2]
    one, other = (
        Match.new(spec, table) for spec, table in zip((older, TOY2), tables, strict=True) if isinstance(table, Table)
    )
    assert one.digest() != other.digest()
    assert one.g.rules == 1


def test_a_dump_and_a_position_of_older_rules_go_on_by_them() -> None:
    older = by_rules(TOY2, "toy/1")
    assert older is not None
    match = Match.new(older, some_table(older, 3, 0))
    loaded = Match.load(older, match.dump())
    assert isinstance(loaded, Match)
    assert loaded.digest() == match.digest() == Match.new(TOY, some_table(TOY, 3, 0)).digest()
    state = load_position(older, match.position())
    assert not isinstance(state, Refusal)
    assert state.rules == 1
