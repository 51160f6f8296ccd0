# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of rules, which are generators that read like the rulebook and yield waits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

from engine.core.cards import Decks
from engine.core.errors import LocalError
from engine.core.ids import Seat
from engine.core.waits import Choose, Reveal, Roll, Seal, Shuffle, Together, Wait

__all__ = ["Rule", "ask", "mixed", "sealed", "segments"]

R = TypeVar("R")
T = TypeVar("T")
Rule = Generator[Wait[Any], object, R]
GENERATOR: Final = 0x20
"""The code flag of generators. Importing it from ``inspect`` would take a tenth of a short command's time."""


def ask(wait: Wait[T]) -> Rule[T]:
    """``answer = yield from ask(wait)``.

    A wait with no seats, dice or handles returns its empty result at once, without yielding.
    """
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
            found[name] = segment if _is_generator(segment) else _at_once(segment)
    return MappingProxyType(found)


def _is_generator(segment: Callable[..., Any]) -> bool:
    code = getattr(segment, "__code__", None)
    return code is not None and bool(code.co_flags & GENERATOR)


def _at_once(segment: Callable[..., Any]) -> Callable[..., Rule[Any]]:
    @wraps(segment)
    def rule(*args: Any) -> Rule[Any]:
        yield from ()
        return segment(*args)

    return rule
