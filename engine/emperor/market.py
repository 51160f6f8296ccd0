# SPDX-License-Identifier: GPL-3.0-or-later
"""Prices of a Merchant, as pure functions (rule document, 5 Merchant; rulings of the market)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.emperor.tables import Prices

__all__ = ["kept", "prices"]


def kept(faces: Sequence[int], discarded: int) -> tuple[int, ...]:
    """The dice left when one of the given face is put aside, lowest first."""
    rest = sorted(faces)
    rest.remove(discarded)
    return tuple(rest)


def prices(dice: Sequence[int], table: Prices) -> tuple[int, int, int]:
    """Marks for food, metal and energy of three dice, lowest first."""
    low, middle, high = sorted(dice)
    return table.food[low - 1], table.metal[middle - 1], table.energy[high - 1]
