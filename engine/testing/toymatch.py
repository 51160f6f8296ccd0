# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of the toy game: new, whole and random, at a certain wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.ids import Seat
from engine.core.inputs import Input, Notice
from engine.core.match import Match
from engine.core.waits import Wait
from engine.testing.gamekit import some_table
from engine.testing.toy import TOY, Turn


def toy(seats: int = 3, checkpoint: int | None = 1) -> Match:
    """Return a new match with default options."""
    return Match.new(TOY, some_table(TOY, seats, 0), checkpoint)


def game(seats: int, seed: int) -> list[Input]:
    """Return the inputs of one random game, with a notice now and then."""
    match, dice, inputs = toy(seats), HashDice(seed), []
    for given_, _ in play(match, Dealer(dice), at_random(dice)):
        inputs.append(given_)
        if not match.over and dice.below(40) == 0:
            inputs.append(Notice("vacated", Seat(dice.below(seats - 1))))
            match.apply(inputs[-1])
    return inputs


def at(wait: type[Wait[Any]], seats: int = 3, seed: int = 1, skip: int = 0) -> tuple[Match, Dealer]:
    """Return a match at a wait of this type, and its dealer."""
    match, dice = toy(seats), HashDice(seed)
    dealer = Dealer(dice)
    steps: Iterator[object] = play(match, dealer, at_random(dice))
    while not isinstance(match.pending, wait) or skip:
        skip -= isinstance(match.pending, wait)
        next(steps)
    return match, dealer


def same(one: Match, other: Match) -> None:
    """Check that both are at the same point and have the same digest."""
    for match in (one, other):
        match._digest = b""
    assert one.digest() == other.digest()
    assert one.g.dump() == other.g.dump()
    assert (one.height, one.tail, one.pending, one.inbox) == (other.height, other.tail, other.pending, other.inbox)


def rich(grain: int = 5) -> Match:
    """Return a match at the first seat's turn, with grain to sell."""
    match, _ = at(Turn)
    state: Any = match.segment_start()
    state.farm.bank += state.farm.grain[0] - grain
    state.farm.grain[0] = grain
    return Match(TOY, state)
