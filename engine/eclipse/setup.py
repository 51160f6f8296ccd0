# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up: the first position, and the segments that draw, choose and lay out what chance or players decide.

Source: rule document, 3; rulings of set-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice

from engine.core.agenda import Flow, Item, Table
from engine.core.cards import Decks, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import Column, Section, column, grid
from engine.core.values import Value
from engine.core.waits import Choose, Deal, Roll, Shuffle
from engine.eclipse import population
from engine.eclipse.catalog import Edition
from engine.eclipse.cleanup import fill_tray, technology_dice
from engine.eclipse.events import black_hole
from engine.eclipse.options import edition, fixed_species
from engine.eclipse.population import GRAVES
from engine.eclipse.scoring import PARTS
from engine.eclipse.sectors import STACKED, UNUSED, deploy, idle_ship, launch, lay
from engine.eclipse.species import has_ability
from engine.eclipse.state import (
    FLEET,
    NOBODY,
    PLACES,
    SECTOR_SQUARES,
    SLOTS,
    Eclipse,
    Events,
    Pulsed,
    PulsedWandering,
    Round,
    Seats,
    Sectors,
    Ships,
    Wanderers,
    Wandering,
    wanderers_of,
)
from engine.eclipse.terms import (
    AMBASSADOR_ONLY,
    ANCIENT,
    GCDS,
    GUARDIAN,
    GUARDIANS,
    PIECES,
    PLAYER_SHIPS,
    RESOURCES,
    SQUARES,
    VARIANTS,
)
from engine.eclipse.words import record

__all__ = ["SEGMENTS", "PickSpecies", "dice", "new_game"]


ORDER: tuple[Item, ...] = (["common"], ["species"], ["homes"], ["reputation"], ["round"])
"""What happens before the first round, in order (ruling set-up-order)."""


def new_game(table: Table) -> Eclipse:
    """Return the position before any draw or choice: all tiles in their stacks and bags, an empty map."""
    e = edition(table)
    sections: dict[str, Section] = {
        "table": table,
        "flow": Flow.starting(*ORDER),
        "decks": Decks.empty(),
        "round": _round(e, table.seats),
        "seats": _seats(e, table.seats),
        "sectors": _sectors(e),
        "ships": _ships(e, table.seats),
    }
    if e.pulsars:
        sections["events"] = Events(space=_zeros(len(e.sectors)), used=_zeros(len(e.sectors)))
    if e.shrine_rows:
        sections["wanderers"] = _wanderers(e, table.seats)
    roots = (Eclipse, Wandering), (Pulsed, PulsedWandering)
    return roots[bool(e.pulsars)][bool(e.shrine_rows)](e, **sections)


def _zeros(count: int) -> Column:
    return column([0] * count)


def _nowhere(count: int) -> Column:
    return column([NOBODY] * count)


def _round(e: Edition, n: int) -> Round:
    return Round(
        number=0,
        phase=0,
        start=0,
        next_start=NOBODY,
        turn=NOBODY,
        traitor=NOBODY,
        entries=0,
        left=column([0, len(e.stacks[1]), len(e.stacks[2]), e.setups[n].outer_sectors]),
        bag=column(row.tiles for row in e.technologies),
        tray=_zeros(len(e.technologies)),
        discoveries=column(row.tiles for row in e.discoveries),
        npc=_zeros(GCDS + 1 - ANCIENT),
    )


def _seats(e: Edition, n: int) -> Seats:
    return Seats(
        species=_nowhere(n),
        passed=_zeros(n),
        out=_zeros(n),
        discs=_zeros(n),
        spent=_zeros(n),
        reserve=_zeros(n),
        colony=_zeros(n),
        colony_all=_zeros(n),
        ambassadors=_zeros(n),
        kept=_zeros(n),
        final=_zeros(n),
        standing=grid(n, len(PARTS)),
        offered=_zeros(n),
        store=grid(n, len(RESOURCES)),
        track=grid(n, len(RESOURCES)),
        graveyard=grid(n, len(GRAVES)),
        techs=grid(n, len(e.technologies)),
        parts=grid(n, len(e.parts)),
        blueprint=grid(n, len(PLAYER_SHIPS), SLOTS),
        reputation=grid(n, PLACES),
        envoys=grid(n, n),
    )


def _wanderers(e: Edition, n: int) -> Wanderers:
    return Wanderers(
        sealed=_zeros(n),
        codex=_zeros(n),
        might=_zeros(n),
        placed=grid(n, len(RESOURCES)),
        shrines=grid(len(e.sectors), len(SQUARES)),
    )


def _sectors(e: Edition) -> Sectors:
    tiles = len(e.sectors)
    stacked = tuple(chain.from_iterable(e.stacks))
    return Sectors(
        where=column(STACKED if tile in stacked else UNUSED for tile in range(tiles)),
        q=_zeros(tiles),
        r=_zeros(tiles),
        turned=_zeros(tiles),
        owner=_nowhere(tiles),
        discovery=_zeros(tiles),
        orbital=_zeros(tiles),
        monolith=_zeros(tiles),
        warp=_zeros(tiles),
        cubes=grid(tiles, SECTOR_SQUARES),
    )


def _ships(e: Edition, n: int) -> Ships:
    count = n * FLEET + sum(e.ancient_spaces) + GUARDIANS + 1
    return Ships(place=_nowhere(count), entered=_zeros(count), damage=_zeros(count), leaving=_nowhere(count))


def dice(g: Eclipse) -> dict[str, tuple[int, ...]]:
    """The dice of the roll of set-up, their sizes by what they decide: none for what the table has settled."""
    e, setup = g.const, g.const.setups[g.table.seats]
    holes, guardians, boards = len(e.black_holes), len(e.guardian_sectors), len(e.species)
    return {
        "start-player": (g.table.seats,),
        "black-hole": (holes,) if holes > 1 else (),
        "blueprints": (2,) * list(_blueprint_options(g).values()).count("random"),
        "guardians": tuple(range(guardians, guardians - len(setup.guardian_zones), -1)),
        "technologies": technology_dice(g, setup.technologies),
        "species": tuple(range(boards, boards - _faces_needed(g), -1)),
    }


def common(g: Eclipse) -> Rule[None]:
    """Set up what players have in common. One roll decides all of it: each roll waits for most of the table."""
    sizes = dice(g)
    faces = iter((yield from ask(Roll(tuple(chain.from_iterable(sizes.values())), "set-up"))))
    drawn = {name: tuple(islice(faces, len(own))) for name, own in sizes.items()}
    start_player(g, *drawn["start-player"])
    black_hole.choose_sector(g, drawn["black-hole"])
    blueprints(g, drawn["blueprints"])
    middle(g, drawn["guardians"])
    fill_tray(g, g.const.setups[g.table.seats].technologies, drawn["technologies"])
    random_species(g, drawn["species"])


def start_player(g: Eclipse, drawn: int) -> None:
    """The first player of the first round."""
    g.round.start = drawn - 1
    g.tell("setup/start-player", seat=g.round.start)
    advised = g.const.setups[g.table.seats].advised_against
    if advised:
        g.tell("setup/advised-against", species=advised)


def _blueprint_options(g: Eclipse) -> dict[str, str]:
    """The table option of each neutral ship; none in an edition with one blueprint of each."""
    ships = [PIECES[ship] for ship in range(ANCIENT, GCDS + 1)]
    return {ship: g.table.options[f"{ship}-blueprint"] for ship in ships if f"{ship}-blueprint" in g.table.options}


def blueprints(g: Eclipse, drawn: Sequence[int]) -> None:
    """The blueprints of the neutral ships by table option; drawn ones are basic or advanced."""
    chosen, left = _blueprint_options(g), iter(drawn)
    for at, option in enumerate(chosen.values()):
        g.round.npc[at] = next(left) - 1 if option == "random" else VARIANTS.index(option)
    if chosen:
        g.tell("setup/blueprints", **{ship: VARIANTS[g.round.npc[at]] for at, ship in enumerate(chosen)})


def middle(g: Eclipse, drawn: Sequence[int]) -> None:
    """The Galactic Center with its defence, and a Guardian sector in every starting zone that no player has."""
    zones, pool = g.const.setups[g.table.seats].guardian_zones, list(g.const.guardian_sectors)
    lay(g, g.const.center, (0, 0, 0))
    deploy(g, GCDS, g.const.center)
    for zone, draw in zip(zones, drawn, strict=True):
        tile = pool.pop(draw - 1)
        lay(g, tile, zone)
        deploy(g, GUARDIAN, tile)


def _faces_needed(g: Eclipse) -> int:
    """How many faces are drawn so that each seat gets a board of its own, if species are random."""
    if g.table.options["species"] != "random":
        return 0
    faces = Counter(row.board for row in g.const.species)
    return min(len(g.const.species), 1 + sum(count for _, count in faces.most_common(g.table.seats - 1)))


def random_species(g: Eclipse, drawn: Sequence[int]) -> None:
    """Each seat takes the first face drawn whose board nobody has."""
    left = list(range(len(g.const.species)))
    order = [left.pop(draw - 1) for draw in drawn]
    for seat in range(g.table.seats if order else 0):
        take_board(g, seat, next(board for board in order if board in boards_left(g)))


def species(g: Eclipse) -> None:
    """Species as the table option says: fixed, or picked counter-clockwise from the start player's right."""
    n, option = g.table.seats, g.table.options["species"]
    if option == "pick":
        g.then(*(["pick-species", (g.round.start - step) % n] for step in range(1, n + 1)))
    for seat, board in enumerate(fixed_species(option, g.const)):
        take_board(g, seat, board)


def boards_left(g: Eclipse) -> list[int]:
    """Return the species that are still available: neither face of their board is taken."""
    gone = _holders(g)
    return [number for number, row in enumerate(g.const.species) if row.board not in gone]


def _holders(g: Eclipse) -> dict[str, int]:
    """Boards that are taken, each with the seat that has it."""
    return {g.const.species[taken].board: seat for seat, taken in enumerate(g.seats.species) if taken != NOBODY}


@record
class PickSpecies(Choose[str]):
    """Pick a species board."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return sorted(g.const.species_ids[board] for board in boards_left(g))

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        holders = _holders(g)
        return [
            (row.id, Refusal("setup/board-taken", "", (row.id, holders[row.board])))
            for row in g.const.species
            if row.board in holders
        ]

    def caretaker(self, g: Eclipse) -> str:
        """A Terran board when there is one: nothing special to look after."""
        left = boards_left(g)
        terran = [board for board in left if g.const.species[board].kind == "terran"]
        return g.const.species_ids[(terran or left)[0]]


def pick_species(g: Eclipse, seat: Seat) -> Rule[None]:
    """One player picks a board."""
    name = yield from ask(PickSpecies(seat))
    take_board(g, seat, g.const.species_index[name])


def take_board(g: Eclipse, seat: int, board: int) -> None:
    """Give a seat its species board and everything that lies on it at the start."""
    e, seats = g.const, g.seats
    seats.species[seat] = board
    seats.discs[seat], seats.reserve[seat] = e.start_discs[board], e.reserve_discs[board]
    seats.colony[seat] = seats.colony_all[seat] = e.colony_ships[board]
    seats.ambassadors[seat] = e.constants.ambassadors
    for resource, amount in enumerate(e.start_resources[board]):
        seats.store[seat, resource] = amount
        seats.track[seat, resource] = e.constants.population_cubes
    for tech, track in zip(e.start_technologies[board], e.start_tracks[board], strict=True):
        seats.techs[seat, tech] = 1 + track
    if has_ability(g, seat, "sealed-discovery"):
        wanderers_of(g).sealed[seat] = 1
    g.tell("setup/species", seat=seat, species=e.species_ids[board])


def homes(g: Eclipse) -> None:
    """Every player's starting sector with its disc, cubes and first ship."""
    e = g.const
    for seat, zone in enumerate(e.setups[g.table.seats].starting_zones):
        board = g.seats.species[seat]
        tile = e.home[board]
        lay(g, tile, zone)
        population.take_control(g, seat, tile)
        for square in e.start_squares[board]:
            population.place(g, seat, tile, square, e.squares[tile][square][0])
        launch(g, idle_ship(g, seat, e.start_ship[board]), tile)
        g.sectors.orbital[tile] = int(e.species[board].orbital)


def reputation(g: Eclipse) -> Rule[None]:
    """Fill the bag of reputation tiles; some species draw tiles to begin with."""
    yield from ask(Shuffle("reputation", g.const.reputation_bag, "reputation"))
    for seat in range(g.table.seats):
        count = g.const.species[g.seats.species[seat]].reputation_draws
        if not count:
            continue
        tiles = yield from ask(Deal("reputation", count, Seat(seat)))
        spaces = g.const.reputation_spaces[g.seats.species[seat]]
        free = [place for place, kind in enumerate(spaces) if kind != AMBASSADOR_ONLY]
        for place, tile in zip(free, tiles, strict=False):
            g.seats.reputation[seat, place] = 1 + tile.index
        g.tell("setup/reputation", seat=seat, tiles=len(tiles))


SEGMENTS = {
    "common": common,
    "species": species,
    "pick-species": pick_species,
    "homes": homes,
    "reputation": reputation,
}
