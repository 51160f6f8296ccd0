# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of rules, which are generators that read like the rulebook and yield waits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar, cast

from engine.core.cards import Decks
from engine.core.errors import LocalError
from engine.core.ids import Seat
from engine.core.waits import Choose, Reveal, Roll, Seal, Shuffle, Together, Wait

__all__ = ["Rule", "ask", "mixed", "sealed", "segments"]

R = TypeVar("R")
T = TypeVar("T")
Rule = Generator[Wait[Any], object, R]


def ask(wait: Wait[T]) -> Rule[T]:
    """``answer = yield from ask(wait)``.

    A wait with no seats, dice or handles returns its empty result at once, without yielding.
    """
    if not isinstance(wait, Choose):
        if isinstance(wait, Roll) and not wait.sides:
            return cast("T", ())
        if (isinstance(wait, Together | Seal) and not wait.asks) or (isinstance(wait, Reveal) and not wait.handles):
            return cast("T", MappingProxyType({}))
    return cast("T", (yield wait))


def sealed(asks: Mapping[Seat, Choose[T]]) -> Rule[Mapping[Seat, T]]:
    """Return ``{seat: option}`` of secret choices, which are all fixed before any is opened."""
    handles = yield from ask(Seal(asks))
    faces = yield from ask(Reveal(tuple(handles.values()), "sealed"))
    opened: dict[Seat, T] = {seat: faces[handle] for seat, handle in handles.items()}
    return MappingProxyType(opened)


def mixed(decks: Decks, deck: str) -> Rule[None]:
    """Shuffle a deck if cards have been put back since its last shuffle, before a card of it is drawn or shown."""
    if decks.unmixed(deck):
        yield from ask(Shuffle(deck, decks.top(deck, len(decks.order[deck])), deck))


def segments(*chapters: Mapping[str, Any]) -> Mapping[str, Callable[..., Any]]:
    """Return the segments of all chapters of a game, by name. A segment without waits may be a plain function.

    Raises LocalError if two chapters have a segment of the same name.
    """
    found: dict[str, Callable[..., Any]] = {}
    for chapter in chapters:
        for name, segment in chapter.items():
            if name in found:
                raise LocalError(f"two segments are called {name}")
            found[name] = segment
    return MappingProxyType(found)
