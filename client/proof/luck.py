# SPDX-License-Identifier: GPL-3.0-or-later
"""Luck: compares each seat's dice with fair dice, and tells how unusual they are. For draws see `draws`.

    pips    the sum of the faces of all its battle dice, of six sides each; higher is better in every game here
    hits    how many dice hit, of those whose needed face is known

The tail is the probability that fair dice end at least as far from their mean, on either side, exact by convolution. A
small tail proves nothing: of twenty seats with fair dice one is expected below 1/20.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final

from client.show.battles import share_text
from client.show.draws import SHUFFLES, SIDES, Die, Draws, dice_of
from client.show.pictures import pictures
from client.system.texts import N_, NN_, _, counted, ngettext
from engine.core.dataclass import dataclass
from engine.core.events import Event

LUCK_NOTE: Final = N_("This accuses nobody: every face follows from seeds of all members, as starlock verify shows.")
UNUSUAL: Final = Fraction(1, 20)
USUAL: Final = NN_(
    "That is usual: chance ends as far from it or farther {percent} time in 100.",
    "That is usual: chance ends as far from it or farther {percent} times in 100.",
    "percent",
)
SELDOM: Final = NN_(
    "That is unusual, but not impossible: chance ends as far from it or farther {percent} time in 100.",
    "That is unusual, but not impossible: chance ends as far from it or farther {percent} times in 100.",
    "percent",
)


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice of one seat in a game.

    Attributes:
        dice: how many battle dice the seat rolled.
        pips: the sum of their faces.
        tail: the probability to end as far from the mean or farther, 1 without dice.
        aimed: how many dice have a known face that hits.
        hits: how many of them hit.
        hits_expected and hits_tail: as for pips.
        faces: how many dice show 1, 2, and so on.
    """

    seat: int
    dice: int
    pips: int
    tail: Fraction
    aimed: int = 0
    hits: int = 0
    hits_expected: Fraction = Fraction(0)
    hits_tail: Fraction = Fraction(1)
    faces: tuple[int, ...] = ()

    @property
    def expected(self) -> Fraction:
        """The mean of the sum."""
        return Fraction(self.dice * (SIDES + 1), 2)


def luck(events: Iterable[object], seats: int) -> list[Luck]:
    """The figures of each seat over the events of a game. Dice of neutral ships are not counted."""
    rolled: dict[int, list[Die]] = {seat: [] for seat in range(seats)}
    for die in (die for event in events for die in dice_of(event)):
        rolled.get(die.seat, []).append(die)
    return [_figures(seat, dice) for seat, dice in rolled.items()]


def _figures(seat: int, dice: Sequence[Die]) -> Luck:
    pips = sum(die.face for die in dice)
    aimed = [die for die in dice if die.needs]
    chances, hits = [SIDES + 1 - die.needs for die in aimed], sum(bool(die.hit) for die in aimed)
    figures = len(aimed), hits, Fraction(sum(chances), SIDES), hits_tail(chances, hits)
    shown = Counter(die.face for die in dice)
    faces = tuple(shown[face] for face in range(1, SIDES + 1))
    return Luck(seat, len(dice), pips, tail(len(dice), pips), *figures, faces)


def tail(dice: int, pips: int) -> Fraction:
    """The probability that the sum of this many fair dice is at least as far from their mean as `pips`."""
    off = abs(2 * pips - dice * (SIDES + 1))
    low = (dice * (SIDES + 1) - off) // 2
    # De Moivre: counts sums up to `low` by inclusion and exclusion; as many sums lie equally far above the mean.
    ways = sum((-1) ** over * comb(dice, over) * comb(low - SIDES * over, dice) for over in range(low // SIDES + 1))
    return Fraction(2 * ways, SIDES**dice) if off else Fraction(1)


def hits_tail(chances: Sequence[int], hits: int) -> Fraction:
    """The probability that the number of hits is at least as far from its mean as `hits`. chances: for each die the
    number of faces, of SIDES, that hit."""
    ways = [1]  # by number of hits
    for chance in chances:
        missed = [count * (SIDES - chance) for count in ways]
        ways = [one + other for one, other in zip([*missed, 0], [0, *(count * chance for count in ways)], strict=True)]
    off = abs(SIDES * hits - sum(chances))
    far = sum(count for number, count in enumerate(ways) if abs(SIDES * number - sum(chances)) >= off)
    return Fraction(far, SIDES ** len(chances))


# In words ------------------------------------------------------------------------------------------------------------


def luck_lines(events: Iterable[object], names: Sequence[str], game: str, g: Any) -> list[str]:
    """The luck of a game so far: a line for each seat and kind, and a note about chance in this game. g: the state,
    None if it is not available."""
    shown, known = pictures(game), list(events)
    dice = luck(known, len(names)) if shown.fights.dice else []
    rolled = [luck_text(each, names[each.seat]) for each in dice]
    drawn = [draws_text(each, names[each.seat]) for each in draws_of(known, game, g)]
    told = [*rolled, *drawn, *([_(shown.counts.chance)] if shown.counts.chance else [])]
    return told or [_("There is no chance in this game that a seat could be lucky with.")]


def draws_of(events: Iterable[object], game: str, g: Any) -> Sequence[Draws]:
    """The draws of each seat, by kind; empty for a game without draws of single seats, or without a state."""
    told = [event for event in events if isinstance(event, Event)]
    return () if g is None else pictures(game).counts.draws(g, told)


def luck_text(found: Luck, name: str) -> str:
    """The figures of a seat's dice in a few sentences."""
    if not found.dice:
        return _("{name} rolled no dice in battles.").format(name=name)
    told = ngettext(
        "{name}: {dice} die in battles, it shows {pips}, {expected} expected.",
        "{name}: {dice} dice in battles, they show {pips} together, {expected} expected.",
        found.dice,
    ).format(name=name, dice=found.dice, pips=found.pips, expected=f"{float(found.expected):.1f}")
    told = f"{told} {_usual(found.tail)}"
    if not found.aimed:
        return told
    hits = ngettext(
        "Of {aimed} die {hits} hit, {expected} expected.",
        "Of {aimed} dice {hits} hit, {expected} expected.",
        found.aimed,
    ).format(aimed=found.aimed, hits=found.hits, expected=f"{float(found.hits_expected):.1f}")
    return f"{told} {hits} {_usual(found.hits_tail)}"


def draws_text(found: Draws, name: str) -> str:
    """The figures of a seat's draws in a few sentences."""
    expected = f"{float(found.expected):.1f}"
    worth = ngettext("{n} point", "{n} points", found.worth).format(n=found.worth)
    told = counted(found.sentence, {"n": str(found.number)}).format(
        name=name, n=found.number, worth=worth, expected=expected
    )
    simulated = _("(found by {n} simulated shuffles)").format(n=SHUFFLES)
    return f"{told} {_usual(found.tail)}" + (f" {simulated}" if found.simulated else "")


def _usual(tail: Fraction) -> str:
    percent = share_text(float(tail), int(tail < Fraction(1, 10))).removesuffix("%")
    return counted(USUAL if tail >= UNUSUAL else SELDOM, {"percent": percent}).format(percent=percent)
