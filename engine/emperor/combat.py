# SPDX-License-Identifier: GPL-3.0-or-later
"""A battle: its beginning, the free fire of ships that warped, phases of fire, retreat and the aftermath.

Source: rule document, 5 Warlord, Combat; rulings of combat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Roll, Together
from engine.emperor import dice, galaxy, technologies
from engine.emperor.control import give_points, release, ship_names
from engine.emperor.state import (
    EMPIRE_TOKEN,
    NOBODY,
    SHIELDS,
    STARBASE_TOKEN,
    TARGETING,
    Emperor,
    ship_kind,
)
from engine.emperor.terms import CRUISER, DAMAGED, DREADNOUGHT, EMPIRE, STARBASE, UNITS
from engine.emperor.words import record

__all__ = ["SEGMENTS", "ExtraDie", "Losses", "Retreat", "choose_losses", "count"]

PHASES = 3


@record
class ExtraDie(Choose[str]):
    """The Warlord's chooser names a ship that rolls one more die whenever it fires in this battle."""

    seat: Seat
    space: str

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        ships = galaxy.fleet(g, self.seat, g.const.space_index[self.space])
        return sorted({UNITS[ship_kind(ship)] for ship in ships})

    def caretaker(self, g: Emperor) -> str:
        return self.options(g)[0]


def battle(g: Emperor, space: int, attacker: int, defender: int) -> Rule[None]:
    """A battle begins: the extra die, then technologies of either side, the attacker's first."""
    if not galaxy.fleet(g, attacker, space) or defender not in galaxy.foes(g, attacker, space):
        return
    extra = NOBODY
    if attacker == g.round.chooser:
        asked = ExtraDie(Seat(attacker), g.const.spaces[space])
        kinds = asked.options(g)
        extra = UNITS.index((yield from ask(asked)) if len(kinds) > 1 else kinds[0])
    helped = [NOBODY, NOBODY]
    for seat in (attacker, defender):
        if count(g, seat, space)[CRUISER] and (yield from technologies.offer(g, seat, "targeting-computers")):
            helped[TARGETING] = seat
        if (yield from technologies.offer(g, seat, "deflector-shields")):
            helped[SHIELDS] = seat
    ships = galaxy.fleet(g, attacker, space)
    now = g.battle
    now.site, now.attacker, now.defender, now.extra = space, attacker, defender, extra
    now.token = int(g.sectors.owner[space] == defender)
    now.warp = int(any(g.ships.warped[ship] for ship in ships))
    now.helped[TARGETING], now.helped[SHIELDS] = helped
    g.tell(
        "warlord/battle",
        attacker=attacker,
        defender=defender,
        space=g.const.spaces[space],
        ships=ship_names(ships),
        against=_names(count(g, defender, space)),
    )
    g.then(["free-fire"] if now.warp else ["fire", 1])


def _names(counts: dice.Counts) -> tuple[str, ...]:
    return tuple(UNITS[kind] for kind in dice.targets(counts) for _ in range(counts[kind]))


def count(g: Emperor, seat: int, space: int, warped: bool = False) -> dice.Counts:
    """The units of a seat in a space; ``warped``: only the ships that warped in."""
    found = [0] * len(UNITS)
    for ship in galaxy.fleet(g, seat, space):
        if not warped or g.ships.warped[ship]:
            found[DAMAGED if g.ships.damage[ship] else ship_kind(ship)] += 1
    if g.sectors.owner[space] == seat and not warped:
        token = g.sectors.token[space]
        found[EMPIRE], found[STARBASE] = int(token == EMPIRE_TOKEN), int(token == STARBASE_TOKEN)
    return tuple(found)


def armed(g: Emperor, seat: int, phase: int) -> tuple[int, ...]:
    """What each die of a side must show in a phase; phase 0 is the free fire of the ships that warped."""
    now, better = g.battle, {}
    if now.helped[TARGETING] == seat:
        better[CRUISER] = g.const.technologies[g.const.with_effect["targeting-computers"][0]].amount
    extra = now.extra if seat == now.attacker else NOBODY
    return dice.volley(count(g, seat, now.site, warped=phase == 0), g.const.units, phase, extra, better)


@record
class Losses(Choose[tuple[str, ...]]):
    """Which own units take the hits, one pick for each; ``units`` as in :mod:`engine.emperor.dice`."""

    seat: Seat
    units: dice.Counts
    hits: int
    staged = True

    def options(self, g: Emperor | None, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        left = self.units
        for pick in so_far:
            left = dice.suffer(left, UNITS.index(pick))
        return sorted(UNITS[kind] for kind in dice.targets(left)) if len(so_far) < self.hits else ()

    def forced(self) -> bool:
        """True if everything is lost, or every hit has only one kind of unit to go to."""
        picks: tuple[str, ...] = ()
        while options := self.options(None, None, picks):
            if len(options) > 1:
                return self.hits == dice.capacity(self.units)
            picks = (*picks, options[0])
        return True

    def caretaker(self, g: Emperor | None) -> tuple[str, ...]:
        """The least valuable units first, undamaged units before damaged ones."""
        cheap = ("dreadnought", "fighter", "cruiser", "starbase", "empire", "damaged")
        picks: tuple[str, ...] = ()
        while options := self.options(g, None, picks):
            picks = (*picks, min(options, key=cheap.index))
        return picks


def choose_losses(asked: Mapping[int, tuple[dice.Counts, int]]) -> Rule[dict[int, tuple[str, ...]]]:
    """Ask every side that was hit, ``{seat: (units, hits)}``, for its losses. A side without a choice is not asked."""
    hit = {
        Seat(seat): Losses(Seat(seat), units, min(n, dice.capacity(units))) for seat, (units, n) in asked.items() if n
    }
    unsure = {seat: choose for seat, choose in hit.items() if not choose.forced()}
    losses = dict((yield from ask(Together(unsure))))
    return {seat: losses[seat] if seat in losses else choose.caretaker(None) for seat, choose in hit.items()}


def exchange(g: Emperor, phase: int, wanted: Mapping[int, tuple[int, ...]]) -> Rule[None]:
    """Both sides roll at once, then both take losses; ``wanted``: what each die of a seat must show."""
    sides = tuple(wanted)
    marks = [(least, seat) for seat in sides for least in wanted[seat]]
    rolled = yield from ask(Roll((6,) * len(marks), "fire"))
    needs, seats = tuple(least for least, _ in marks), tuple(seat for _, seat in marks)
    g.tell("warlord/rolled", phase=phase, seats=seats, dice=rolled, needs=needs)
    rolled = yield from technologies.reroll(g, g.battle.attacker, rolled, marks)
    scored = {
        seat: sum(face >= least for face, (least, owner) in zip(rolled, marks, strict=True) if owner == seat)
        for seat in sides
    }
    suffered = {}
    for seat, other in zip(sides, reversed(sides), strict=True):
        landed = shield(g, other, scored[seat])
        suffered[other] = (count(g, other, g.battle.site), landed)
    losses = yield from choose_losses(suffered)
    for seat, picks in losses.items():
        lose(g, seat, picks)


def shield(g: Emperor, seat: int, landed: int) -> int:
    """The hits that count: Deflector Shields cancel the first."""
    if not landed or g.battle.helped[SHIELDS] != seat:
        return landed
    stopped = min(landed, g.const.technologies[g.const.with_effect["deflector-shields"][0]].amount)
    g.battle.helped[SHIELDS] = NOBODY
    g.tell("warlord/shielded", seat=seat, hits=stopped)
    return landed - stopped


def lose(g: Emperor, seat: int, picks: Sequence[str]) -> None:
    """Units take the hits their owner picked; of like ships those that warped are lost first."""
    space = g.battle.site
    for pick in picks:
        kind = UNITS.index(pick)
        if kind == STARBASE:
            g.sectors.token[space] = EMPIRE_TOKEN
        elif kind == EMPIRE:
            release(g, space)
        else:
            wanted, damage = (DREADNOUGHT, 1) if kind == DAMAGED else (kind, 0)
            like = [
                ship
                for ship in galaxy.fleet(g, seat, space)
                if ship_kind(ship) == wanted and g.ships.damage[ship] == damage
            ]
            ship = max(like, key=lambda ship: (g.ships.warped[ship], -ship))
            if kind == DREADNOUGHT:
                g.ships.damage[ship] = 1
            else:
                destroy(g, ship)
    g.tell("warlord/losses", seat=seat, space=g.const.spaces[space], units=tuple(picks))


def destroy(g: Emperor, ship: int) -> None:
    """Return a ship to its owner's reserve."""
    ships = g.ships
    ships.place[ship], ships.came[ship] = NOBODY, NOBODY
    ships.damage[ship], ships.warped[ship], ships.moved[ship] = 0, 0, 0


def decided(g: Emperor) -> bool:
    """True if a side has nothing left."""
    now = g.battle
    return not sum(count(g, now.attacker, now.site)) or not sum(count(g, now.defender, now.site))


def free_fire(g: Emperor) -> Rule[None]:
    """Let ships that warped in fire once before the battle, without return fire."""
    attacker, defender = g.battle.attacker, g.battle.defender
    yield from exchange(g, 0, {attacker: armed(g, attacker, 0), defender: ()})
    g.then(["fire", 1])


@record
class Retreat(Choose[str | None]):
    """After a phase of fire: does the attacker retreat?"""

    seat: Seat
    space: str
    phase: int

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, "retreat"]

    def caretaker(self, g: Emperor) -> str | None:
        return None


def fire(g: Emperor, phase: int) -> Rule[None]:
    """One phase; units lost in it have fired. Then the attacker may retreat, else the next phase follows."""
    attacker, defender, space = g.battle.attacker, g.battle.defender, g.battle.site
    if decided(g):
        g.then(["aftermath"])
        return
    wanted = {seat: armed(g, seat, phase) for seat in (attacker, defender)}
    following = 1 + phase % PHASES
    if not any(wanted.values()):
        g.then(["fire", following])
        return
    yield from exchange(g, phase, wanted)
    able = [ship for ship in galaxy.fleet(g, attacker, space) if g.ships.came[ship] != NOBODY]
    if able and not decided(g) and (yield from ask(Retreat(Seat(attacker), g.const.spaces[space], phase))) is not None:
        for ship in galaxy.fleet(g, attacker, space):
            if g.ships.came[ship] != NOBODY:
                g.ships.place[ship], g.ships.damage[ship] = g.ships.came[ship], 0
        g.tell("warlord/retreated", seat=attacker, space=g.const.spaces[space], ships=ship_names(able))
    g.then(["fire", following])


def aftermath(g: Emperor) -> None:
    """Dreadnoughts are repaired; a winner scores for a token that is gone and may claim the sector."""
    now = g.battle
    space, attacker, defender = now.site, now.attacker, now.defender
    left = {seat: bool(sum(count(g, seat, space))) for seat in (attacker, defender)}
    for seat in (attacker, defender):
        for ship in galaxy.fleet(g, seat, space):
            g.ships.damage[ship] = 0
    winner = attacker if left[attacker] and not left[defender] else defender if left[defender] else NOBODY
    points = g.const.numbers.battle if winner == attacker and now.token else 0
    if winner == NOBODY:
        g.tell("warlord/both-gone", space=g.const.spaces[space])
    else:
        give_points(g, winner, points)
        g.tell("warlord/won", seat=winner, space=g.const.spaces[space], points=points)
    if winner == attacker:
        g.then(["conquer", attacker, space])
    now.site = now.attacker = now.defender = now.extra = NOBODY
    now.token = now.warp = 0
    now.helped[TARGETING] = now.helped[SHIELDS] = NOBODY


SEGMENTS = {"battle": battle, "free-fire": free_fire, "fire": fire, "aftermath": aftermath}
"""Agenda items of this chapter."""
