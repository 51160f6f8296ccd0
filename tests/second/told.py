# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 6.5 and 10.2: what was asked, and the file that tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from second.codec import Refused, decode, encode, is_bytes, is_int, is_list, refuse
from second.genesis import is_face
from second.hashing import H


def told(record: list[Any]) -> bytes:
    return H("told", encode(record))


def is_handle(value: Any) -> bool:
    return is_list(value, 2) and isinstance(value[0], str) and is_int(value[1])


def are_handles(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_handle, value))


def are_seats(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_int, value)) and value == sorted(set(value))


def are_sides(value: Any) -> bool:
    return isinstance(value, list) and all(is_int(sides, 1, 2**32) for sides in value)


def is_asked(item: Any) -> bool:
    """True if the item is a question that a height may wait for."""
    if not isinstance(item, list) or not item:
        return False
    kind, *rest = item
    if kind in ("prepare", "keys", "over"):
        return not rest
    if kind == "anew":
        return len(rest) == 1 and isinstance(rest[0], str)
    if kind in ("choose", "together"):
        return len(rest) == 1 and are_seats(rest[0])
    if kind == "seal":
        return (
            len(rest) == 3
            and are_seats(rest[0])
            and are_handles(rest[1])
            and len(rest[0]) == len(rest[1])
            and isinstance(rest[2], bool)
        )
    if kind == "roll":
        return len(rest) == 2 and isinstance(rest[0], str) and are_sides(rest[1])
    if kind == "shuffle":
        return (
            len(rest) == 4
            and isinstance(rest[0], str)
            and isinstance(rest[1], str)
            and isinstance(rest[2], list)
            and all(is_face(card) or is_handle(card) for card in rest[2])
            and are_handles(rest[3])
            and len(rest[2]) == len(rest[3])
        )
    if kind == "deal":
        return len(rest) == 3 and is_int(rest[0]) and isinstance(rest[1], str) and are_handles(rest[2])
    if kind == "show":
        return len(rest) == 2 and is_int(rest[0]) and are_handles(rest[1])
    if kind == "reveal":
        return len(rest) == 2 and isinstance(rest[0], str) and are_handles(rest[1])
    return False


def is_outcome(outcome: Any) -> bool:
    """True if these items may follow from a height: rolls that the rules added, then a result if any."""
    if not isinstance(outcome, list) or not all(isinstance(item, list) and item for item in outcome):
        return False
    rolls = outcome[:-1] if outcome and outcome[-1][0] == "result" else outcome
    if rolls is not outcome and len(outcome[-1]) != 2:
        return False
    return all(item[0] == "roll" and is_asked(item) for item in rolls)


@dataclass(frozen=True, slots=True)
class Row:
    """What a resolved height asked, whether a pact or leave ended it, and what came of it."""

    asked: list[Any]
    ended: bool
    outcome: list[Any]

    def result(self) -> list[Any]:
        """[value] if there is a result, else an empty list."""
        return [self.outcome[-1][1]] if self.outcome and self.outcome[-1][0] == "result" else []

    def rolls(self) -> list[list[Any]]:
        return [item for item in self.outcome if item[0] == "roll"]


class Told:
    """A file that tells what was asked; raises `told/form` if it is none of this table."""

    def __init__(self, data: bytes, table: bytes) -> None:
        try:
            items = split(data)
        except Refused:
            refuse("told/form", "no sequence of encodings")
        if not items or items[0] != ["starlock told", 1, table] or isinstance(items[0][1], bool):
            refuse("told/form", "another beginning")
        self.rows: dict[int, Row] = {}
        last = -1
        for item in items[1:-1]:
            if not is_list(item, 4) or not is_int(item[0]) or item[0] <= last:
                refuse("told/form", "a height")
            last, asked, ended, outcome = item
            if not is_asked(asked) or not isinstance(ended, bool) or not is_outcome(outcome):
                refuse("told/form", "a row")
            self.rows[last] = Row(asked, ended, outcome)
        final = items[-1] if len(items) > 1 else None
        if not isinstance(final, list) or len(final) != 3 or not is_int(final[0]) or final[0] <= last:
            refuse("told/form", "the open height")
        self.height, self.asked, self.digest = final
        if not is_asked(self.asked) or not is_bytes(self.digest, 16):
            refuse("told/form", "the open height")


def split(data: bytes) -> list[Any]:
    items = []
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 4 : at + 4 + size]
        if len(data) < at + 4 or len(body) < size:
            refuse("told/form", "cut short")
        items.append(decode(body))
        at += 4 + size
    return items
