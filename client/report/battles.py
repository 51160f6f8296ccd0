# SPDX-License-Identifier: GPL-3.0-or-later
"""The battles of a game: forces, the chances before, the dice, and what was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.proof.walk import Walk
from client.show.draws import dice_of
from client.show.pictures import Fights, Frame
from client.words import event_text
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from p2p.lockstep.history import HistoryStep


@dataclass(slots=True)
class RecordedBattle:
    """One battle of a game.

    Attributes:
        space: the space.
        events: (height, event), the opening event first.
        before, after: the forces of each side.
        odds: the probability that each side wins, before it; () if it is not known.
    """

    space: str
    events: list[tuple[int, Event]]
    before: Sequence[tuple[int, str]] = ()
    after: dict[int, str] = field(default_factory=dict)
    odds: Sequence[tuple[int, float]] = ()

    @property
    def height(self) -> int:
        """The height at which it began."""
        return self.events[0][0]

    def plain(self, walk: Walk, round: int) -> dict[str, Any]:
        """Its form on the page, in this round of the game. sides: [seat, before, after]; odds: [attacker, defender,
        their shares]; told: [height, text, dice], a die is [seat, colour, face, hit], hit null if it is not known."""
        return {
            "height": self.height,
            "round": round,
            "space": walk.display_names(self.space),
            "sides": [(seat, had, self.after.get(seat, "")) for seat, had in self.before],
            "odds": [value for each in zip(*self.odds, strict=True) for value in each] or None,
            "told": [
                (at, event_text(event, walk.names, walk.display_names), _dice(event, walk)) for at, event in self.events
            ],
        }


def _dice(event: Event, walk: Walk) -> list[tuple[int, str, int, bool | None]]:
    return [(die.seat, walk.display_names(die.colour), die.face, die.hit) for die in dice_of(event)]


class Battles:
    """Finds the battles while a game is replayed, and records the forces when they begin and when they end."""

    def __init__(self, fights: Fights) -> None:
        self.found: list[RecordedBattle] = []
        self._fights = fights
        self._now: RecordedBattle | None = None

    def take(self, step: HistoryStep, frame: Frame) -> None:
        """Process the events of one input. frame: the position after it."""
        for event in step.events:
            if isinstance(event, Event):
                self._event(step.height, event, frame)

    def _event(self, height: int, event: Event, frame: Frame) -> None:
        fights, (name, argument) = self._fights, self._fights.opens
        space, now = str(event.args.get(argument)), self._now
        again = now is not None and now.space == space and {each.id for _, each in now.events} == {name}
        if event.id == name and not again:
            self._now = RecordedBattle(
                space, [(height, event)], fights.forces(frame, space), odds=fights.odds(frame, space)
            )
            self.found.append(self._now)
        elif now is not None and not fights.belonging.isdisjoint((event.id, event.id.partition("/")[0])):
            now.events.append((height, event))
            now.after = dict(fights.forces(frame, now.space))
        else:
            self._now = None
