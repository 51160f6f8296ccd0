# SPDX-License-Identifier: GPL-3.0-or-later
"""The battle dice that events tell of."""

from __future__ import annotations

from typing import Any, Final

from engine.core.dataclass import dataclass
from engine.core.events import Event

__all__ = ["SIDES", "Die", "dice_of"]

SIDES: Final = 6
"""The sides of a battle die."""
ROLLS: Final = {
    "combat/rolled": ("seat", "faces"),
    "combat/bombarded": ("seat", "faces"),
    "warlord/rolled": ("seats", "dice"),
}
"""Event → its arguments with the seat, or the seat of each die, and with the faces."""
COLOURS: Final = frozenset({"combat/rolled", "combat/bombarded"})
"""Events whose argument `dice` names the colour of each."""


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
    if not isinstance(event, Event) or event.id not in ROLLS:
        return []
    seats, faces = (_numbers(event.args[name]) for name in ROLLS[event.id])
    needs, colours = (
        _numbers(event.args.get("needs", 0)),
        _numbers(event.args.get("dice", "") if event.id in COLOURS else ""),
    )
    many = len(faces)
    return [
        Die(seat, colour, face, least)
        for seat, colour, face, least in zip(
            _each(seats, many), _each(colours, many), faces, _each(needs, many), strict=True
        )
    ]


def _numbers(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | int) else list(value)


def _each(values: list[Any], many: int) -> list[Any]:
    """One value for each die; a single value counts for all."""
    return values if len(values) == many else values * many
