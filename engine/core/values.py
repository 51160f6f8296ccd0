# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers as plain data: records, their wire form and their order.

A value is ``None``, an int, a text, a :class:`Handle`, a *record* (a frozen slots dataclass registered in its game's
:class:`Vocabulary`) or a tuple of values. Content (ships, sectors, technologies) is named by kebab-case ids, so that a
logged answer is readable; seats, amounts and coordinates are ints.

Plain form (wire, files, digests): ``None``, int and str are the same; a record is ``[name, field, ...]``; a tuple is
``["", item, ...]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar, cast

from engine.core.dataclass import dataclass

__all__ = ["Handle", "Plain", "Value", "Vocabulary", "order", "ordered", "plain"]

# Records of different games share no base class: `plain` and `Vocabulary.value` check a value's type, not mypy.
Value = Any
Plain = Any

MAX_DEPTH = 8
"""Greatest nesting of an answer, which is the limit of the wire."""

C = TypeVar("C", bound=type)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Handle:
    """A face-down card: the deck and its number there. Equal on all peers and never used twice."""

    word: ClassVar[str] = "card"
    deck: str
    index: int

    def __lt__(self, other: Handle) -> bool:
        return (self.deck, self.index) < (other.deck, other.index)


def plain(value: Value) -> Plain:
    """Return the plain form of a value. Raises TypeError for anything else (a float, a list, a live object)."""
    if value is None or type(value) is int or type(value) is str:
        return value
    if type(value) is tuple:
        return ["", *map(plain, value)]
    name = getattr(type(value), "word", None)
    if name is None:
        raise TypeError(f"not a value: {value!r}")
    return [name, *[plain(getattr(value, field)) for field in value.__match_args__]]


def order(value: Value) -> tuple[Any, ...]:
    """Return the sort key of a value: None, numbers, texts, records by name and fields, tuples."""
    kind = type(value)
    if kind is int:
        return (1, value)
    if kind is str:
        return (2, value)
    if value is None:
        return (0,)
    if kind is tuple:
        return (4, *map(order, value))
    return (3, value.word, *[order(getattr(value, field)) for field in value.__match_args__])


def ordered(values: Iterable[V]) -> tuple[V, ...]:
    """Return the values sorted and without duplicates."""
    keyed = {order(value): value for value in values}
    return tuple(keyed[key] for key in sorted(keyed))


class Vocabulary:
    """The records of one game, by name.

    ``@words.record`` makes a class a frozen slots dataclass. Its name in plain form and notation is its class name in
    kebab-case, or the ``word`` given.
    """

    def __init__(self, *inherited: Vocabulary) -> None:
        self._records: dict[str, Any] = {Handle.word: Handle}
        for vocabulary in inherited:
            self._records.update(vocabulary._records)

    def record(self, cls: C) -> C:
        """Register a class as a record. Raises TypeError if its word is taken.

        Type checkers understand decorators that are functions, so a game wraps this in its own, marked
        ``@dataclass_transform(frozen_default=True)``.
        """
        made: Any = dataclass(frozen=True, slots=True)(cls)
        word = cls.__dict__.get("word") or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()
        made.word = word
        if self._records.setdefault(word, made) is not made:
            raise TypeError(f"two records are called {word}")
        return cast("C", made)

    def value(self, data: Plain, depth: int = MAX_DEPTH) -> Value:
        """Return the value of a plain form. Inverse of :func:`plain`. Raises ValueError."""
        if data is None or type(data) is int or type(data) is str:
            return data
        if type(data) is not list or not data or type(data[0]) is not str:
            raise ValueError(f"not a value: {data!r}"[:200])
        if depth == 0:
            raise ValueError("nested too deeply")
        if data[0] == "":
            return tuple([self.value(item, depth - 1) for item in data[1:]])
        cls = self._records.get(data[0])
        if cls is None:
            raise ValueError(f"unknown word: {data[0]}"[:200])
        if len(cls.__match_args__) != len(data) - 1:
            raise ValueError(f"{data[0]} takes {len(cls.__match_args__)} fields, not {len(data) - 1}")
        return cls(*[self.value(item, depth - 1) for item in data[1:]])


class Worded:
    """Base of waits, which have a plain form without being in a vocabulary."""

    __slots__ = ()
    word: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "word" not in cls.__dict__:
            cls.word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__.split("[")[0]).lower()
