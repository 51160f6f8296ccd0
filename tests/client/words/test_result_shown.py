# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a game as people read it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from client.system import texts
from client.system.names import columns
from client.table.result import Result, counts_text


def test_the_points_stand_in_one_column_below_wide_names() -> None:
    known: dict[str, Any] = {"players": 2, "names": ("Ana", "星の友達"), "scores": (31, 7), "ranks": (1, 2)}
    kinds = {"int": 1, "float": 1.0, "bool": False, "str": ""}
    rest = {each.name: kinds.get(str(each.type), ()) for each in fields(Result)}
    first, second, *_rest = Result(**{**rest, **known}).shown().splitlines()
    assert columns(first) == columns(second)


def test_one_of_a_kind_is_counted_as_one_in_each_language() -> None:
    assert counts_text(1, 0, 1) == "1 entry, 0 rolls, 1 decision"
    texts.use("es")
    try:
        assert counts_text(2, 1, 1) == "2 entradas, 1 tirada, 1 decisión"
    finally:
        texts.use("en")
