# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of a simulated table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.core.dataclass import dataclass, field


class Violation(AssertionError):  # noqa: N818 - what is violated is the promise
    """A broken invariant. The message names it and the number that replays the run."""


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """The faults of a run. None happen after `calm` seconds; `limit` seconds end the run.

    Attributes:
        holdings: the seats of each member.
        loss, twice: probability that a message is lost or duplicated.
        delay: greatest delay of a message in seconds.
        cuts, one_way, crashes: number of each; they last up to 15 s.
        torn: number of further crashes that lose the last commits of the disk (a damaged log, or an older copy).
        sleeps: number of sleeps of up to five minutes.
        evenings: number of times at which all honest members quit and come back one by one; their disks then tell all
            that they knew.
        takebacks: number of proposed take-backs.
        draws, patience: options of the table.
        hostile: the strategy (a key of `hostile.STRATEGIES`) of some members.
    """

    holdings: tuple[tuple[int, ...], ...]
    rounds: int = 1
    loss: float = 0.0
    twice: float = 0.0
    delay: float = 0.2
    cuts: int = 0
    one_way: int = 0
    crashes: int = 0
    torn: int = 0
    sleeps: int = 0
    evenings: int = 0
    takebacks: int = 0
    draws: str = "open"
    patience: str = "1m"
    calm: float = 60.0
    limit: float = 2400.0
    hostile: Mapping[int, str] = field(default_factory=dict)


def seats(members: int) -> tuple[tuple[int, ...], ...]:
    """Return the holdings of so many members with one seat each."""
    return tuple((number,) for number in range(members))


def random_plan(seed: int) -> FaultPlan:
    """Return the plan of a number: 2 to 6 seats on 2 to 5 members and a mixture of faults."""
    random = Random(seed)
    members = random.choice((2, 3, 3, 4, 4, 5))
    holdings = [[number] for number in range(members)]
    if members < 5 and random.random() < 0.3:
        holdings[random.randrange(members)].append(members)
    return FaultPlan(
        tuple(map(tuple, holdings)),
        rounds=random.choice((1, 2, 4)),
        loss=random.choice((0.0, 0.0, 0.02, 0.1)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 2, 6)),
        one_way=random.choice((0, 0, 2)),
        crashes=random.choice((0, 1, 3)),
        takebacks=random.choice((0, 0, 1)),
        draws=random.choice(("open", "open", "sealed")),
    )


HINDERING: Final = ("Mute", "Boaster", "Herald", "Silent", "Mortal")
"""Kinds of members that keep votes waiting."""


def sleepy_plan(seed: int) -> FaultPlan:
    """Return the plan of a number: 3 to 5 members, of which some sleep, some are persons, and sometimes one is
    hostile."""
    random = Random(seed)
    members = random.choice((3, 4, 5))
    others = random.sample(range(members), members - members // 2 - 1)
    kinds = ["Person", "Hasty", "Startled", "Startled", "Contrary"]
    if members == 5:
        kinds += HINDERING
    return FaultPlan(
        seats(members),
        rounds=random.choice((8, 24)),
        loss=random.choice((0.0, 0.0, 0.02)),
        delay=random.choice((0.05, 0.3)),
        sleeps=random.choice((1, 2, 3)),
        draws=random.choice(("open", "open", "sealed")),
        hostile={number: random.choice(kinds) for number in others if random.random() < 0.7},
    )


def unsteady_plan(random: Random, members: int) -> FaultPlan:
    """Return a plan of so many members whose network loses, doubles, delays and cuts by lot."""
    return FaultPlan(
        seats(members),
        rounds=random.choice((2, 4, 8)),
        loss=random.choice((0.0, 0.0, 0.05)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 0, 2)),
    )


def paired_plan(seed: int, names: Sequence[str]) -> FaultPlan:
    """Return the plan of a number: five members, two of them hostile with strategies of these names, beside all other
    faults but disks that lose what they stored."""
    random = Random(f"paired {seed}")
    return FaultPlan(
        seats(5),
        rounds=random.choice((1, 2)),
        loss=random.choice((0.0, 0.0, 0.05)),
        twice=random.choice((0.0, 0.05)),
        delay=random.choice((0.05, 0.3, 2.0)),
        cuts=random.choice((0, 0, 2)),
        crashes=random.choice((0, 0, 1)),
        sleeps=random.choice((0, 1, 2)),
        draws=random.choice(("open", "open", "sealed")),
        hostile={number: random.choice(names) for number in random.sample(range(5), 2)},
    )


def tricking_plan(seed: int, name: str) -> FaultPlan:
    """Return the plan of a number: 3 to 6 members at a sealed table, of whom one plays the trick of this name; every
    second table on a bad network."""
    members, culprit, rough = 3 + seed // 4 % 4, 1 + seed % 2, seed // 2 % 2
    return FaultPlan(
        seats(members),
        rounds=2,
        loss=0.02 * rough,
        twice=0.05 * rough,
        delay=0.3 + rough,
        one_way=2 * rough,
        draws="sealed",
        hostile={culprit: name},
    )
