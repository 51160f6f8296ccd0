"""A game of Eclipse past set-up, driven by answers in notation and dice as written; positions are edited in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice

import pytest

from engine.core.agenda import Table
from engine.core.inputs import Outcome
from engine.core.match import Match
from engine.core.registry import GameSpec, settle_options
from engine.core.sections import row_of
from engine.core.waits import Roll
from engine.eclipse import population, sectors
from engine.eclipse.catalog import second
from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.sectors import idle_ship, launch
from engine.eclipse.setup import dice
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY, Eclipse, fleet_of, ship_kind, ship_owner
from engine.eclipse.terms import PIECES, RESOURCES
from engine.testing.driven import Driven

both_editions = pytest.mark.parametrize("edition", [ECLIPSE2, ECLIPSE1], ids=["second", "first"])
"""For tests of what both editions share: they play `table(game=edition)`."""


class Play(Driven[Eclipse]):
    """A match of Eclipse. ``drawn``: what parts of the roll of set-up show, by name."""

    def __init__(self, match: Match, seed: int, drawn: Mapping[str, Sequence[int]]) -> None:
        self.drawn = drawn
        super().__init__(match, seed)

    def outcome(self) -> Outcome | None:
        given, pending = super().outcome(), self.match.pending
        if given is None or not isinstance(pending, Roll) or pending.tag != "set-up":
            return given
        faces = iter(given.value or ())
        shown = {name: tuple(islice(faces, len(sizes))) for name, sizes in dice(self.g).items()}
        assert {name: len(shown[name]) for name in self.drawn} == {name: len(own) for name, own in self.drawn.items()}
        return Outcome(tuple(chain.from_iterable({**shown, **self.drawn}.values())))

    # What lies where

    def tile(self, sector: str) -> int:
        return self.g.const.sector_index[sector]

    def home(self, seat: int) -> str:
        """The number of a seat's starting sector."""
        return self.g.const.sector_ids[self.g.const.home[self.g.seats.species[seat]]]

    def store(self, seat: int) -> tuple[int, ...]:
        """Money, science and materials."""
        return tuple(row_of(self.g.seats.store, seat))

    def track(self, seat: int) -> tuple[int, ...]:
        """Cubes on the money, science and materials track."""
        return tuple(row_of(self.g.seats.track, seat))

    def ships(self, sector: str, seat: int = NOBODY) -> list[str]:
        """The seat's ships in a sector, by default those of nobody."""
        tile = self.tile(sector)
        here = (ship for ship, place in enumerate(self.g.ships.place) if place == tile)
        return [PIECES[ship_kind(self.g, ship)] for ship in here if ship_owner(self.g, ship) == seat]


def terrans(taken: Sequence[str]) -> list[str]:
    """Terran boards whose other face is not taken."""
    rows = second().species
    boards = [row.board for row in rows if row.id in taken]
    return [row.id for row in rows if row.kind == "terran" and row.board not in boards]


def table(
    seats: int = 2,
    species: Sequence[str] | str = (),
    seed: int = 0,
    drawn: Mapping[str, Sequence[int]] | None = None,
    game: GameSpec = ECLIPSE2,
    **options: str,
) -> Play:
    """A game past set-up, seat 0 to begin: Terrans fill up the species given; ``pick`` and ``random`` as they say.

    ``drawn``: what parts of the roll of set-up show, by name.
    """
    said = species if isinstance(species, str) else ",".join([*species, *terrans(species)][:seats])
    given = {"species": said, **{name.replace("_", "-"): value for name, value in options.items()}}
    agreed = settle_options(game, seats, given)
    assert isinstance(agreed, Table), agreed
    return Play(Match.new(game, agreed), seed, {"start-player": (1,), **(drawn or {})})


def wander(*species: str, seats: int = 2, document_scoring: str = "off") -> Play:
    """A table with the wanderers."""
    return table(seats, species, wanderers="on", document_scoring=document_scoring)


def first_table(seats: int = 2, *species: str) -> Play:
    """A table of the first edition."""
    return table(seats, species, game=ECLIPSE1)


# Changes of a position, for use inside ``edit``


def put(g: Eclipse, sector: str, q: int, r: int, turned: int = 0, owner: int = NOBODY) -> int:
    """Lay a sector on the map, without ships and discovery; a controlled one takes a disc from the track."""
    tile = g.const.sector_index[sector]
    for stack, tiles in enumerate(g.const.stacks):
        if tile in tiles and g.sectors.where[tile] == sectors.STACKED:
            g.round.left[stack] -= 1
    sectors.lay(g, tile, (q, r, turned))
    g.sectors.discovery[tile] = 0
    if owner != NOBODY:
        population.take_control(g, owner, tile)
    return tile


def station(g: Eclipse, sector: str, seat: int, *kinds: str) -> None:
    """Put ships of a seat, or of nobody, into a sector."""
    tile = g.const.sector_index[sector]
    for kind in map(PIECES.index, kinds):
        if seat == NOBODY:
            assert sectors.deploy(g, kind, tile)
        else:
            launch(g, idle_ship(g, seat, kind), tile)


def clear(g: Eclipse, seat: int) -> None:
    """Take everything of a seat off the map."""
    for ship in fleet_of(seat):
        g.ships.place[ship] = NOBODY
    for tile, owner in enumerate(g.sectors.owner):
        if owner == seat:
            for square in population.cubes(g, tile):
                g.seats.track[seat, g.sectors.cubes[tile, square] - 1] += 1
                g.sectors.cubes[tile, square] = 0
            g.sectors.owner[tile] = NOBODY
            g.seats.discs[seat] += 1


def own_technology(g: Eclipse, seat: int, name: str, track: int = 0) -> None:
    """Give a seat a technology from the bag or the tray."""
    tech = g.const.technology_index[name]
    g.seats.techs[seat, tech] = 1 + (g.const.category[tech] if g.const.category[tech] < 3 else track)
    if g.round.bag[tech]:
        g.round.bag[tech] -= 1
    else:
        g.round.tray[tech] -= 1


def cube(g: Eclipse, seat: int, sector: str, square: int, resource: str) -> None:
    """Place a cube from its track."""
    population.place(g, seat, g.const.sector_index[sector], square, RESOURCES.index(resource))


def grids(play: Play, *names: str) -> Play:
    """Seat 0 owns these technologies, and has science for more."""
    with play.edit() as g:
        for name in names:
            own_technology(g, 0, name)
        tech = g.const.technology_index["improved-hull"]
        if not g.round.tray[tech]:
            g.round.bag[tech] -= 1
            g.round.tray[tech] += 1
        g.seats.store[0, 1] = 40
    return play
