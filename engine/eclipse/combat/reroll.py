# SPDX-License-Identifier: GPL-3.0-or-later
"""Dice that Lyra rolls again in the combat phase, each for a colony ship (ruling lyra-reroll)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Price, Roll
from engine.eclipse import words
from engine.eclipse.combat.dice import FACES
from engine.eclipse.species import has_ability
from engine.eclipse.state import NOBODY, Eclipse

__all__ = ["Reroll", "RerollDie", "rerolled"]


@words.record
class Reroll:
    """Flip a colony ship and roll a die of that colour again that shows that number."""

    colour: str
    face: int


@words.record
class RerollDie(Choose[Reroll | None]):
    """Which of the seat's dice to roll again, if any."""

    seat: Seat
    sector: str
    dice: tuple[str, ...]
    faces: tuple[int, ...]

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Reroll | None]:
        dice = dict.fromkeys(zip(self.dice, self.faces, strict=True))
        return ordered([None, *(Reroll(colour, face) for colour, face in dice)])

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else (("colony-ships", -1),)

    def caretaker(self, g: Eclipse) -> None:
        return None


def rerolled(g: Eclipse, seat: int, tile: int, dice: tuple[str, ...], faces: tuple[int, ...]) -> Rule[tuple[int, ...]]:
    """The numbers that count in the end: a seat that may goes on rolling as long as it has colony ships face up."""
    if seat == NOBODY or not has_ability(g, seat, "reroll"):
        return faces
    sector = g.const.sector_ids[tile]
    while g.seats.colony[seat]:
        pick = yield from ask(RerollDie(Seat(seat), sector, dice, faces))
        if pick is None:
            break
        g.seats.colony[seat] -= 1
        (face,) = yield from ask(Roll((FACES,), "combat"))
        at = list(zip(dice, faces, strict=True)).index((pick.colour, pick.face))
        faces = (*faces[:at], face, *faces[at + 1 :])
        g.tell("combat/rerolled", seat=seat, sector=sector, colour=pick.colour, face=pick.face, now=face)
    return faces
