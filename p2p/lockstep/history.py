# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs of the game by height, so that it can be played again up to any height."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from p2p.lockstep.machine import Given, GivenNotice, Machine


class HistoryStep(NamedTuple):
    """One input of a replayed game.

    Attributes:
        height: height at which it was given.
        opens: height of the next input, or the open height.
        events: the machine's events.
        machine: the machine after it. It changes when the next step is requested.
        given: the input, None for the first step.
    """

    height: int
    opens: int
    events: Sequence[object]
    machine: Machine
    given: Given | None = None


class Heights:
    """The heights of the present game, in order, without those that were taken back."""

    def __init__(self, machine: Machine) -> None:
        self._origin = machine.clone()
        self._given: list[tuple[int, Given]] = []
        self._line, self._secrets = list[int](), list[int]()

    def opened(self, height: int, *, secret: bool) -> None:
        """Note that a height opens. secret: True for a private draw, a peek or an opening."""
        self._line.append(height)
        if secret:
            self._secrets.append(height)

    def gave(self, height: int, given: Given) -> None:
        """Note an input of the machine at a height."""
        self._given.append((height, given))

    def go_back(self, to: int) -> tuple[Machine, list[GivenNotice]]:
        """Forget height `to` and later ones. Return the machine of that height and the notices since, which are not
        taken back."""
        machine = self.machine_at(to)
        notices = [given for height, given in self._given if height >= to and isinstance(given, GivenNotice)]
        self._given = [item for item in self._given if item[0] < to]
        self._line = self._line[: bisect_left(self._line, to) + 1]
        self._secrets = [height for height in self._secrets if height < to]
        return machine, notices

    def since(self, height: int) -> Iterator[tuple[int, Given]]:
        """Yield the inputs of the present game at or above a height, each with its height."""
        return ((at, given) for at, given in self._given if at >= height)

    def machine_at(self, height: int) -> Machine:
        """Return the machine as it was when `height` opened."""
        machine = self._origin.clone()
        for at, given in self._given:
            if at >= height:
                break
            machine.replay(given)
        return machine

    def steps(self) -> Iterator[HistoryStep]:
        """Replay the present game input by input. The first step is the game before any input."""
        machine, inputs = self._origin.clone(), [*self._given]
        heights = [height for height, _ in inputs] + self._line[-1:]
        yield HistoryStep(0, heights[0], (), machine)
        for (height, opens), (_, given) in zip(pairwise(heights), inputs, strict=True):
            yield HistoryStep(height, opens, machine.replay(given), machine, given)

    def play_on(self, machine: Machine, start: int, end: int) -> None:
        """Apply the inputs from `start` to `end` to a machine that has taken `start` inputs."""
        for _height, given in self._given[start:end]:
            machine.replay(given)

    def on_line(self, height: int) -> bool:
        """True if this height is part of the present game and not taken back."""
        place = bisect_left(self._line, height)
        return place < len(self._line) and self._line[place] == height

    def stands(self, height: int) -> bool:
        """True if the input of this height has not been taken back."""
        place = bisect_left(self._given, height, key=lambda item: item[0])
        return place < len(self._given) and self._given[place][0] == height

    def secrets_since(self, height: int) -> bool:
        """True if there is a secret height at or above this one, open or ended by a pact. What it has revealed stays
        known."""
        return bool(self._secrets) and self._secrets[-1] >= height
