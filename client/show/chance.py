# SPDX-License-Identifier: GPL-3.0-or-later
"""The battle dice that events tell of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from client.system.registry import GAMES, game_client
from engine.core.dataclass import dataclass
from engine.core.events import Event

SIDES: Final = 6
"""The sides of a battle die."""


@dataclass(frozen=True, slots=True)
class Die:
    """A battle die.

    Attributes:
        seat: the seat that rolled it, -1 for neutral ships.
        colour: an id, "" if all dice are alike.
        needs: the least face that hits, 0 if it is not known.
    """

    seat: int
    colour: str
    face: int
    needs: int

    @property
    def hit(self) -> bool | None:
        """True if it hit, None if the event does not tell."""
        return self.face >= self.needs if self.needs else None


def dice_of(event: object) -> list[Die]:
    """The battle dice in an event."""
    told = _telling().get(event.id) if isinstance(event, Event) else None
    if told is None or not isinstance(event, Event):
        return []
    seats, faces = (_numbers(event.args[name]) for name in told[:2])
    needs, colours = (_numbers(event.args.get("needs", 0)), _numbers(event.args.get(told[2], "")))
    many = len(faces)
    return [
        Die(seat, colour, face, least)
        for seat, colour, face, least in zip(
            _each(seats, many), _each(colours, many), faces, _each(needs, many), strict=True
        )
    ]


@cache
def _telling() -> Mapping[str, tuple[str, str, str]]:
    """The events of all games that tell battle dice."""
    return {event: names for game in GAMES for event, names in game_client(game).dice.items()}


def _numbers(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | int) else list(value)


def _each(values: list[Any], many: int) -> list[Any]:
    """One value for each die; a single value counts for all."""
    return values if len(values) == many else values * many
