# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids that every game shares."""

from __future__ import annotations

from typing import NewType

__all__ = ["Seat"]

Seat = NewType("Seat", int)
"""A place in the game, 0 to n-1 in table order."""
