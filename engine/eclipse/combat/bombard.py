# SPDX-License-Identifier: GPL-3.0-or-later
"""Attack population (rule document, 5; rulings attack-population, neutron-bombs, planta-population)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Roll
from engine.eclipse import population, words
from engine.eclipse.blueprints import dice, ship_stats
from engine.eclipse.combat.dice import FACES, hits
from engine.eclipse.combat.order import present, sole
from engine.eclipse.combat.reroll import rerolled
from engine.eclipse.species import has_ability, has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import COMPUTER
from engine.eclipse.terms import COLOURS, RESOURCES

__all__ = ["AttackPopulation", "Bombard", "Cube", "KillCubes", "bombard", "guns"]

Gun = tuple[int, int]
"""A cannon die: its colour and the computer of its ship."""


@words.record
class Bombard:
    """Attack the population of a sector."""

    sector: str


@words.record
class AttackPopulation(Choose[Bombard | None]):
    """Whether to attack the population of a sector; None leaves it alone."""

    seat: Seat
    sector: str

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Bombard | None]:
        return (None, Bombard(self.sector))

    def caretaker(self, g: Eclipse) -> None:
        return None


@words.record
class Cube:
    """A population cube by its resource and the square it stands on: ``science*``, ``gray``, ``orbital``."""

    resource: str
    square: str


@words.record
class KillCubes(Choose[tuple[Cube, ...]]):
    """Which cubes the damage destroys, one pick for each as long as different ones are left."""

    seat: Seat
    sector: str
    damage: int
    staged = True

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Cube]:
        if len(so_far) == self.damage:
            return ()
        cubes = ordered(left_over(g, g.const.sector_index[self.sector], so_far).values())
        return cubes if len(cubes) > 1 else ()

    def caretaker(self, g: Eclipse) -> tuple[Cube, ...]:
        picks: tuple[Cube, ...] = ()
        while options := self.options(g, None, picks):
            picks = (*picks, options[0])
        return picks


def cube_at(g: Eclipse, tile: int, square: int) -> Cube:
    """What stands on a square that holds a cube."""
    resource = g.sectors.cubes[tile, square] - 1
    return Cube(RESOURCES[resource], population.square_name(g, tile, square))


def left_over(g: Eclipse, tile: int, gone: Sequence[Cube]) -> dict[int, Cube]:
    """The cubes of a sector by square, without the first of each that is gone."""
    left = {square: cube_at(g, tile, square) for square in population.cubes(g, tile)}
    for cube in gone:
        del left[next(square for square, other in left.items() if other == cube)]
    return left


def guns(g: Eclipse, tile: int, seat: int) -> list[Gun]:
    """The cannon dice of a seat's ships in a sector."""
    found: list[Gun] = []
    for ship in present(g, tile).get(seat, ()):
        can = ship_stats(g, seat, ship_kind(g, ship))
        found += [(colour, can[COMPUTER]) for colour in dice(can)]
    return found


def bombard(g: Eclipse, tile: int) -> Rule[None]:
    """Ships that nothing opposes attack an opponent's population once; without shields every point destroys a cube."""
    seat, owner = sole(g, tile), g.sectors.owner[tile]
    if seat is None or owner in (NOBODY, seat) or not population.cubes(g, tile):
        return
    name = g.const.sector_ids[tile]
    if has_ability(g, owner, "population-dies"):
        kill(g, tile, seat, population.cubes(g, tile))
        return
    bombs = has_effect(g, seat, "neutron-bombs") and not has_effect(g, owner, "neutron-absorber")
    if not bombs and not guns(g, tile, seat):
        return
    if (yield from ask(AttackPopulation(Seat(seat), name))) is None:
        return
    if bombs:
        kill(g, tile, seat, population.cubes(g, tile))
        return
    battery = tuple(guns(g, tile, seat))
    faces = yield from ask(Roll((FACES,) * len(battery), "bombard"))
    colours = tuple(COLOURS[colour] for colour, _ in battery)
    g.tell("combat/bombarded", seat=seat, sector=name, dice=colours, faces=faces)
    faces = yield from rerolled(g, seat, tile, colours, faces)
    points = [g.const.constants.dice_damage[colour] for colour in colours]
    damage = sum(
        point for point, face, (_, computer) in zip(points, faces, battery, strict=True) if hits(face, computer, 0)
    )
    damage = min(damage, len(population.cubes(g, tile)))
    choose = KillCubes(Seat(seat), name, damage)
    picks = (yield from ask(choose)) if choose.options(g) and damage < len(population.cubes(g, tile)) else ()
    left = left_over(g, tile, picks)
    gone = [square for square in population.cubes(g, tile) if square not in left]
    kill(g, tile, seat, [*gone, *left][:damage])


def kill(g: Eclipse, tile: int, seat: int, squares: Sequence[int]) -> None:
    """Send cubes to their owner's graveyard."""
    for square in squares:
        cube = cube_at(g, tile, square)
        population.kill(g, tile, square)
        g.tell(
            "combat/cube-destroyed",
            seat=g.sectors.owner[tile],
            sector=g.const.sector_ids[tile],
            resource=cube.resource,
            square=cube.square,
            by=seat,
        )
