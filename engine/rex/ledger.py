# SPDX-License-Identifier: GPL-3.0-or-later
"""Influence by seat as it follows from what is told: every payment is public, only the purses are behind screens.

Who has listened to a whole game knows every purse; see `engine.core.history`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

__all__ = ["COLUMN", "PAYMENTS"]

COLUMN: Final = "seats.influence"
Payment = Callable[[Any, Mapping[str, Any]], dict[int, int]]
"""From the position and an event's arguments, the change of each purse."""


def _first(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: g.const.factions[g.const.faction_index[told["faction"]]].influence}


def _gets(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: told["influence"]}


def _buys(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: -told["influence"]}


def _spends(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: -told["paid"]}


def _lends(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: -told["influence"], told["partner"]: told["influence"]}


def _given(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["by"]: -told["influence"], told["seat"]: told["influence"]}


def _relocates(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    return {told["seat"]: -(told["units"] + told["mechanized"]) * g.const.numbers.relocate_price}


def _killed(g: Any, told: Mapping[str, Any]) -> dict[int, int]:
    """A leader that is killed after its capture is worth a reward to its captor."""
    segment = g.flow.now
    return {segment[1]: g.const.numbers.capture_reward} if segment[:1] == ["capture"] else {}


PAYMENTS: Final[Mapping[str, Payment]] = MappingProxyType(
    {
        "alliance/given": _given,
        "bidding/income": _gets,
        "bidding/lent": _lends,
        "bidding/sold": _buys,
        "collection/charity": _gets,
        "collection/handicap": _gets,
        "collection/taken": _gets,
        "leader/killed": _killed,
        "maneuver/deployed": _spends,
        "maneuver/paid": _gets,
        "maneuver/relocated": _relocates,
        "recruit/leader": _spends,
        "recruit/units": _spends,
        "setup/faction": _first,
    }
)
"""By event, who pays and who gets."""
