# SPDX-License-Identifier: GPL-3.0-or-later
"""Raids: for every sector that could be attacked, the smallest force that is worth sending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from client.games.eclipse.bot import worth
from client.games.eclipse.bot.battle import Side, chance, side, side_of
from engine.core.sections import row_of
from engine.eclipse import population, sectors
from engine.eclipse.actions.move import reach
from engine.eclipse.diplomacy import partners, related
from engine.eclipse.sectors import Fleet
from engine.eclipse.species import has_ability, has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import DRIVE
from engine.eclipse.terms import GCDS, STARBASE

FARTHEST = 3
"""Most activations for moving one ship."""
DRAWN = (0.0, 2.1, 2.7, 3.0, 3.2, 3.35)
"""Expected points of the best of n reputation tiles, by n."""


@dataclass(frozen=True, slots=True, order=True)
class Sortie:
    """A ship for a raid: its activations, kind and number (NOBODY: it has to be built first)."""

    activations: int
    kind: int
    tile: int


@dataclass(frozen=True, slots=True)
class Raid:
    """A target with the ships to send, the nearest first, and its value."""

    tile: int
    ships: tuple[Sortie, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Target:
    """A sector that could be attacked: its defenders, the own ships there, the prize, and its value without a raid."""

    tile: int
    foes: Side
    own: Side
    gain: float
    base: float


Way = tuple[Sortie, dict[int, int]]
"""A ship that can leave its sector, with the activations to each sector that it reaches."""


class Raids:
    """The raids of a seat in one position, which must not change meanwhile.

    discs: what the seat pays before it flies, such as the disc of the action; what it conquers needs one more.
    """

    def __init__(self, g: Eclipse, seat: int, discs: int) -> None:
        self._g, self._seat, self._ships, self._discs = g, seat, sectors.fleet(g), discs
        self._away: dict[tuple[int, int], dict[int, int]] = {}
        self._ways = list(self._sorties())
        self._tiles = list(_targets(g, seat, self._ships))
        self._seen: dict[int, Target] = {}
        self._own: dict[tuple[int, int, int], Raid | None] = {}

    def best(self, activations: int, again: int = 0, recruits: Sequence[tuple[int, int]] = ()) -> Raid | None:
        """The most valuable raid with this many activations, and those of a second action. recruits: (kind, tile) of
        ships that could be built.

        Every ship arrives in the action in which it starts. Until the next one anything may change, and a ship that
        waits on its way would fly back."""
        more = [(Sortie(0, kind, NOBODY), self._distances(tile, kind)) for kind, tile in recruits]
        raids = [self._on(tile, activations, again, [way for way in more if tile in way[1]]) for tile in self._tiles]
        return max((raid for raid in raids if raid), key=lambda raid: (raid.value, -raid.tile), default=None)

    def _sorties(self) -> Iterator[Way]:
        g, seat, ships = self._g, self._seat, self._ships
        for tile, here in ships.items():
            free = sectors.movable(g, seat, tile, ships) if seat in here else 0
            if not free or worth.rival(g, seat, g.sectors.owner[tile]) or sectors.enemies(g, seat, tile, ships):
                continue  # who is in a battle stays in it
            ranked = sorted(
                (ship_kind(g, ship) for ship in here[seat]), key=lambda kind: -worth.power(side_of(g, seat, kind))
            )
            mobile = [kind for kind in ranked if side_of(g, seat, kind)[DRIVE]]
            for kind in mobile[:free]:
                yield Sortie(0, kind, tile), self._distances(tile, kind)

    def _distances(self, tile: int, kind: int) -> dict[int, int]:
        drive = side_of(self._g, self._seat, kind)[DRIVE]
        if (tile, drive) not in self._away:
            self._away[tile, drive] = distances(self._g, self._seat, tile, kind, self._ships)
        return self._away[tile, drive]

    def _on(self, tile: int, activations: int, again: int, more: Sequence[Way]) -> Raid | None:
        """The raid on a sector; without recruits it is found once."""
        if more:
            return self._raid(tile, [*self._ways, *more], activations, again)
        if (tile, activations, again) not in self._own:
            self._own[tile, activations, again] = self._raid(tile, self._ways, activations, again)
        return self._own[tile, activations, again]

    def _raid(self, tile: int, ways: Sequence[Way], activations: int, again: int) -> Raid | None:
        """The raid on a sector with the best number of the nearest ships, None if none is worth it."""
        g, seat = self._g, self._seat
        near = [
            Sortie(away[tile], sortie.kind, sortie.tile)
            for sortie, away in ways
            if tile in away and sortie.tile != tile
        ]
        if not near:
            return None
        near.sort(key=lambda sortie: (sortie.activations, -worth.power(side_of(g, seat, sortie.kind)), sortie))
        target = self._target(tile)
        best: Raid | None = None
        used, left, force = 0, activations, target.own
        sent: tuple[Sortie, ...] = ()
        for sortie in near:
            if sent and left < sortie.activations:
                left, again = again, 0
            if left < sortie.activations:
                break
            left, used = left - sortie.activations, used + sortie.activations
            force = tuple(sorted((*force, (sortie.kind, side_of(g, seat, sortie.kind), 0))))
            sent = (*sent, sortie)
            wins = chance(force, target.foes) if target.foes else 1.0
            if wins < worth.NUMBERS["bold"]:
                continue
            value = _value(target.gain, wins, force, g) - target.base - 0.05 * used
            if value > (best.value if best else 0.0):
                best = Raid(tile, sent, value)
        return best

    def _target(self, tile: int) -> Target:
        if tile not in self._seen:
            g, seat, ships = self._g, self._seat, self._ships
            foes = _defence(g, seat, tile, ships)
            own = side(g, seat, ships.get(tile, {}).get(seat, ()))
            gain = prize(g, seat, tile, ships, self._discs)
            base = _value(gain, chance(own, foes), own, g) if own and foes else gain if own else 0.0
            self._seen[tile] = Target(tile, foes, own, gain, base)
        return self._seen[tile]


def distances(g: Eclipse, seat: int, tile: int, kind: int, ships: Fleet) -> dict[int, int]:
    """The activations of a ship of this kind that may leave its sector to each sector, at most FARTHEST. Between them
    it stops neither in a battle nor in a sector of somebody else."""
    drive = side_of(g, seat, kind)[DRIVE]
    if not drive:
        return {}
    found, border = {tile: 0}, [tile]
    for flight in range(1, FARTHEST + 1):
        ends = [to for here in border for to in reach(g, seat, here, drive, ships)]
        border = [to for to in dict.fromkeys(ends) if to not in found and onward(g, seat, to, ships)]
        found = {**dict.fromkeys(ends, flight), **found}
    del found[tile]
    return found


def onward(g: Eclipse, seat: int, tile: int, ships: Fleet) -> bool:
    """True if a ship that ends its flight in a sector can fly on from there, and has no reason to stay."""
    free = tile not in ships or sectors.leavers(g, seat, tile, len(ships[tile].get(seat, ())) + 1, ships)
    return bool(free) and not shunned(g, seat, tile) and not worth.rival(g, seat, g.sectors.owner[tile])


def shunned(g: Eclipse, seat: int, tile: int) -> bool:
    """True if a sector is a black hole, or a partner is there."""
    there = {g.sectors.owner[tile], *sectors.fleet(g).get(tile, ())}
    return tile in g.const.black_holes or any(partner in there for partner in partners(g, seat))


def _targets(g: Eclipse, seat: int, ships: Fleet) -> Iterator[int]:
    """Sectors that opponents control or have ships in; sectors of partners are left out."""
    for tile in sectors.graph(g).tiles:
        owner, here = g.sectors.owner[tile], ships.get(tile, {})
        owners = {owner, *here} - {seat, NOBODY}
        if any(related(g, seat, other) for other in owners):
            continue
        if worth.rival(g, seat, owner) or sectors.enemies(g, seat, tile, ships):
            yield tile


def _value(gain: float, wins: float, force: Side, g: Eclipse) -> float:
    """The expected prize, less the expected loss of ships."""
    return wins * gain - (1 - wins) * len(force) * 4 * worth.material(g)


def _defence(g: Eclipse, seat: int, tile: int, ships: Fleet) -> Side:
    """The ships of all opponents in a sector, as one side."""
    return tuple(
        one
        for owner, theirs in sorted(ships.get(tile, {}).items())
        if owner != seat and not (owner == NOBODY and has_ability(g, seat, "ancient-friend") and _ancients(g, theirs))
        for one in side(g, owner, theirs)
    )


def _ancients(g: Eclipse, ships: Sequence[int]) -> bool:
    return all(ship_kind(g, ship) < GCDS and ship_kind(g, ship) > STARBASE for ship in ships)


def prize(g: Eclipse, seat: int, tile: int, ships: Fleet, discs: int) -> float:
    """The value of winning a sector, after so many discs: reputation, a discovery, control."""
    foes = sectors.enemies(g, seat, tile, ships)
    draws = min(5, sum(g.const.draws[ship_kind(g, ship)] for ship in foes) + bool(foes))
    value = _reputation(g, seat, draws)
    if g.sectors.discovery[tile]:
        value += worth.discovery()
    owner = g.sectors.owner[tile]
    if owner == seat:
        return value + max(2.0, worth.sector(g, seat, tile) + worth.lifetime(g, seat))
    if g.seats.discs[seat] <= discs or worth.left_after(g, seat, discs + 2) < 0:
        return value
    settles = max(0.0, worth.sector(g, seat, tile)) if g.const.influence_spaces[tile] else 0.0
    if owner == NOBODY:
        return value + 0.9 * settles
    return value + (0.5 * g.const.sector_vp[tile] + 0.9 * settles) * _conquest(g, seat, tile)


def _conquest(g: Eclipse, seat: int, tile: int) -> float:
    """The chance to destroy the population: 1 with Neutron Bombs or without population."""
    cubes = len(population.cubes(g, tile))
    bombs = has_effect(g, seat, "neutron-bombs") and not has_effect(g, g.sectors.owner[tile], "neutron-absorber")
    if bombs or has_ability(g, g.sectors.owner[tile], "population-dies"):
        return 1.0
    return min(1.0, worth.NUMBERS["conquest"] * (1.0, 0.6, 0.35, 0.2, 0.1)[min(4, cubes)])


def _reputation(g: Eclipse, seat: int, draws: int) -> float:
    """The value of this many reputation draws: high with an empty space, low if tiles are there already."""
    spaces = g.const.reputation_spaces[g.seats.species[seat]]
    held = row_of(g.seats.reputation, seat)
    room = any(not tile and space == 0 for tile, space in zip(held, spaces, strict=False))
    return worth.NUMBERS["reputation"] * DRAWN[draws] * (1.0 if room else 0.35)


def hold(g: Eclipse, seat: int) -> float:
    """The value of a ship that only defends: some while other players are near."""
    borders = any(
        worth.rival(g, seat, g.sectors.owner[to])
        for tile in sectors.graph(g).tiles
        if g.sectors.owner[tile] == seat
        for to in sectors.neighbours(g, tile)
    )
    ships = sum(ship_kind(g, ship) != GCDS for tile in sectors.fleet(g).values() for ship in tile.get(seat, ()))
    alone = 0.0 if worth.last_round(g) else 0.1
    return (worth.NUMBERS["guard"] if borders else alone) / (1 + 0.5 * ships)
