# SPDX-License-Identifier: GPL-3.0-or-later
"""Outcomes of waits: checks their shape, makes handles, and computes the value that the rule receives."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.core.cards import SEALS, Decks
from engine.core.errors import LocalError, Refusal
from engine.core.inputs import Input, Outcome
from engine.core.sections import compact
from engine.core.values import Handle, Plain, Value, plain
from engine.core.waits import Choose, Deal, Reveal, Roll, Seal, Show, Shuffle, Together, Wait

if TYPE_CHECKING:
    from engine.core.registry import GameSpec

__all__ = ["delivered", "judge", "settle"]


def judge(wait: Wait[Any], given: Outcome) -> Refusal | None:
    """Return None if an outcome has the shape that the wait needs, else a refusal with the place of the wrong die or
    card."""
    value = given.value
    match wait:
        case Roll(sides):
            if type(value) is not tuple or len(value) != len(sides):
                return Refusal("outcome/dice-count", "", (len(sides),))
            for index, (face, size) in enumerate(zip(value, sides, strict=True)):
                if type(face) is not int or not 1 <= face <= size:
                    return Refusal("outcome/die", str(index), (size,))
            return None
        case Reveal(handles):
            if type(value) is not tuple or len(value) != len(handles):
                return Refusal("outcome/card-count", "", (len(handles),))
            for index, (card, handle) in enumerate(zip(value, handles, strict=True)):
                if card is not None and type(card) is not str and (handle.deck == SEALS or type(card) is not int):
                    return Refusal("outcome/card", str(index), (handle.deck, handle.index))
            return None
        case Seal() | Shuffle() | Deal() | Show():
            return None if value is None else Refusal("outcome/not-empty")
    return Refusal("outcome/not-asked")


def settle(decks: Decks, wait: Wait[Any]) -> None:
    """Make the handles of a shuffle or seal, before the rule continues."""
    match wait:
        case Shuffle(deck, members):
            decks.order[deck] = [handle.index for handle in decks.next_handles(deck, len(members))]
            decks.made[deck] = decks.made.get(deck, 0) + len(members)
        case Seal(asks):
            for handle, (seat, choose) in zip(decks.next_handles(SEALS, len(asks)), sorted(asks.items()), strict=True):
                fallback = choose.caretaker(None)
                problem = choose.validate(None, fallback)
                if problem is not None:
                    raise LocalError(f"the caretaker of {choose} answers {fallback}: {problem}")
                decks.seals.append([handle.index, seat, compact(plain(choose)), compact(plain(fallback))])
            decks.made[SEALS] = decks.made.get(SEALS, 0) + len(asks)


def delivered(g: Any, spec: GameSpec, wait: Wait[Any], given: Input) -> object:
    """Return the immutable value that the rule receives for an outcome."""
    match wait, given:
        case Roll(), Outcome(value):
            return value
        case Together(asks), Outcome(tuple(values)):
            return MappingProxyType(dict(zip(sorted(asks), values, strict=True)))
        case Seal(asks), _:
            first = g.decks.made[SEALS] - len(asks)
            return MappingProxyType({seat: Handle(SEALS, first + place) for place, seat in enumerate(sorted(asks))})
        case Shuffle(deck), _:
            return tuple(Handle(deck, index) for index in g.decks.order[deck])
        case Deal(deck, n), _:
            dealt = g.decks.top(deck, n)
            if dealt:
                del g.decks.order[deck][: len(dealt)]
            return dealt
        case Show(), _:
            return None
        case Reveal(handles, play), Outcome(tuple(cards)):
            opened = {handle: _open(g, spec, handle, card, play) for handle, card in zip(handles, cards, strict=True)}
            return MappingProxyType(opened)
    raise LocalError(f"{wait} cannot take {given}")


def _open(g: Any, spec: GameSpec, handle: Handle, card: Plain, play: str) -> Value:
    if handle.deck == SEALS:
        return _open_seal(g, spec, handle, card)
    check = spec.faces.get(play)
    if card is not None and check is not None and not check(g, handle, card):
        g.tell("core/foul", deck=handle.deck, index=handle.index, play=play, seat=None)
        return None
    return card


def _open_seal(g: Any, spec: GameSpec, handle: Handle, card: str | None) -> Value:
    """Return the value of an opened choice, its fallback if it is not legal, or :meth:`Choose.unopened` without an
    opening."""
    rows = g.decks.seals
    place = next((at for at, row in enumerate(rows) if row[0] == handle.index), None)
    if place is None:
        raise LocalError(f"{handle} is not sealed, or has been opened before")
    _, seat, choose_text, fallback_text = rows.pop(place)
    choose: Choose[Any] = spec.words.value(json.loads(choose_text))
    fallback = spec.words.value(json.loads(fallback_text))
    if card is None:
        return choose.unopened(fallback)
    value: Value = None
    try:
        value = spec.words.value(json.loads(card))
    except (TypeError, ValueError, RecursionError):
        problem: Refusal | None = Refusal("seal/unreadable")
    else:
        problem = choose.validate(None, value)
    if problem is None:
        return value
    g.tell("core/foul", deck=SEALS, index=handle.index, play=problem.code, seat=seat)
    return fallback
