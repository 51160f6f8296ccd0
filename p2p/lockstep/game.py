# SPDX-License-Identifier: GPL-3.0-or-later
"""The game at a table: the machine, its inputs, and the cards that seats of this peer can see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from p2p.lockstep.history import Heights
from p2p.lockstep.machine import Given, GivenAnswer, GivenNotice, GivenOutcome, Machine, Pending
from p2p.lockstep.randomness import Randomness
from p2p.lockstep.step import Step
from p2p.wire.codec import Plain


class Game:
    """The machine of a table with its inputs.

    Attributes:
        machine: changed in place; another object after going back.
        chance: its dice, cards and secret choices.
    """

    def __init__(self, machine: Machine, chance: Randomness) -> None:
        self.machine, self.chance = machine, chance
        self.history = Heights(machine)

    def apply(self, height: int, given: Given) -> list[object]:
        """Give the machine an input of this height. Return its events."""
        events = self.machine.apply(given)
        self.history.gave(height, given)
        return [*events]

    def notify(self, height: int, notices: Iterable[GivenNotice]) -> None:
        """Give the game notices about the owners of seats, unless it is over."""
        for notice in notices:
            if self.machine.pending() is not None:
                self.apply(height, notice)

    def answers(self, height: int, step: Step, pending: Pending) -> tuple[Plain, list[object]]:
        """Give the machine the answers of the seats, and the caretaker's for seats without one. Return the result where
        the slots do not hold it, and the events."""
        stood_in: list[Plain] = []
        given: list[GivenAnswer] = []
        for seat in pending.seats:
            if (1, seat) in step.said:
                given.append(step.answers.get(seat) or GivenAnswer(seat, step.said[1, seat]))
            else:
                given.append(GivenAnswer(seat, self.machine.caretaker(seat)))
                stood_in.append([seat, given[-1].value])
        return stood_in or None, [event for answer in given for event in self.apply(height, answer)]

    def outcome(
        self, height: int, step: Step, pending: Pending, epoch: int, head: bytes, owner: Mapping[int, bytes]
    ) -> tuple[Plain, list[object], list[Pending]]:
        """Give the machine the outcome of dice, cards and openings. Return the result where the slots do not hold it,
        the events, and the rolls that the rules added to this one."""
        result, value = self.chance.outcome(step, pending, height, epoch, head, owner)
        events = self.apply(height, GivenOutcome(value))
        added: list[Pending] = []
        while pending.kind == "roll" and (more := self.machine.pending()) is not None and _goes_on(pending, more):
            result, value = self.chance.roll_on(more)
            events += self.apply(height, GivenOutcome(value))
            added.append(more)
        return result, events, added

    def go_back(self, height: int, to: int) -> None:
        """Go back to the game of height `to`, at this height. Changes of members and notices are kept."""
        self.machine, notices = self.history.go_back(to)
        for notice in notices:
            self.apply(height, notice)
        self.chance.go_back(to)

    def learn(self, seats: Iterable[int], since: int = 0) -> None:
        """Tell the machine what seats of this peer have seen and sealed since a height."""
        for seat in seats:
            for handle, card in self.chance.seen(seat, since):
                self.machine.learn(seat, handle, card)


def _goes_on(rolled: Pending, pending: Pending) -> bool:
    """True if the wait after a roll belongs to it: more dice for the same purpose, before any decision."""
    return (pending.kind, pending.tag) == (rolled.kind, rolled.tag)
