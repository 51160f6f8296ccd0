"""Battles set up by hand: a few sectors, ships as wanted, dice and answers as written.

The map: the centre 001, and for two seats the home sectors 221 (north, seat 0) and 223 (south, seat 1), with 102
between 221 and the centre and 106 between 223 and the centre. With three seats the other homes lie apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any

from engine.core.agenda import Item, Table
from engine.core.dealer import Dealer
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.inputs import Outcome
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import GameSpec, settle_options
from engine.core.waits import Choose, Roll
from engine.eclipse import population, setup
from engine.eclipse.sectors import ON_MAP, STACKED, deploy, idle_ship, launch, lay
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.state import NOBODY, Eclipse, ship_kind, ship_owner
from engine.eclipse.terms import PIECES, RESOURCES
from engine.testing.driven import Driven

MAP = {"001": (0, 0, 0), "102": (0, -1, 0), "106": (0, 1, 0)}
TERRANS = ("terran-directorate", "terran-federation", "terran-union")


class Battle(Driven[Eclipse]):
    """A combat phase whose dice are a row of faces, which rolls use up; a roll waits where none is left."""

    faces: Iterator[int] = iter(())

    def roll(self, faces: Iterator[int]) -> None:
        """Play on with these faces until something is asked."""
        self.faces = faces
        self.serve()

    def outcome(self) -> Outcome | None:
        pending = self.match.pending
        if not isinstance(pending, Roll):
            return super().outcome()
        rolled = tuple(islice(self.faces, len(pending.sides)))
        return Outcome(rolled) if rolled else None


class Arena:
    """A position in the making, then a match that is driven by dice and answers as written."""

    def __init__(self, *species: str, game: GameSpec = ECLIPSE2, **options: str) -> None:
        boards = species or TERRANS[:2]
        named = {"species": ",".join(boards), **{name.replace("_", "-"): value for name, value in options.items()}}
        self.game = game
        table = settle_options(game, len(boards), named)
        assert isinstance(table, Table), table
        self.g = setup.new_game(table)
        self.asked: list[tuple[int, str]] = []
        for seat, board in enumerate(boards):
            setup.take_board(self.g, seat, self.g.const.species_index[board])
        setup.blueprints(self.g, ())
        for number, zone in MAP.items():
            lay(self.g, self.tile(number), zone)
        setup.homes(self.g)
        for ship in range(len(self.g.ships.place)):
            self.g.ships.place[ship] = NOBODY

    def tile(self, number: str) -> int:
        return self.g.const.sector_index[number]

    def ships(self, seat: int, sector: str, **counts: int) -> Arena:
        """Ships enter a sector, of ``seat`` -1 those of nobody."""
        for name, count in counts.items():
            kind = PIECES.index(name)
            for _ in range(count):
                if seat == NOBODY:
                    assert deploy(self.g, kind, self.tile(sector))
                else:
                    launch(self.g, idle_ship(self.g, seat, kind), self.tile(sector))
        return self

    def lies(self, sector: str, q: int, r: int) -> Arena:
        """A sector lies there, upright, instead of what lay there."""
        s = self.g.sectors
        for tile in range(len(s.where)):
            if s.where[tile] == ON_MAP and (s.q[tile], s.r[tile]) == (q, r):
                s.where[tile] = STACKED
        lay(self.g, self.tile(sector), (q, r, 0))
        return self

    def owns(self, seat: int, sector: str, *cubes: tuple[int, str]) -> Arena:
        """A seat controls a sector, with cubes on squares by number."""
        population.take_control(self.g, seat, self.tile(sector))
        for square, resource in cubes:
            population.place(self.g, seat, self.tile(sector), square, RESOURCES.index(resource))
        return self

    def part(self, seat: int, ship: str, slot: int, part: str) -> Arena:
        """Lay a part on a blueprint, legal or not."""
        self.g.seats.blueprint[seat, PIECES.index(ship), slot] = 1 + self.g.const.part_index[part]
        return self

    def knows(self, seat: int, technology: str) -> Arena:
        """A seat owns a technology, on its track or, rare ones, on the last one; its tile is from the bag."""
        tech = self.g.const.technology_index[technology]
        self.g.round.bag[tech] -= 1
        self.g.seats.techs[seat, tech] = 1 + min(2, self.g.const.category[tech])
        return self

    def begin(self, *items: Item) -> Arena:
        """Fill the bag of reputation tiles, then run these segments, usually the whole combat phase."""
        self.g.flow.agenda = [["reputation"], *[list(item) for item in items or (["combat"],)]]
        self.battle = Battle(Match(self.game, self.g), 1)
        return self

    def go(self, faces: Iterable[int] = (), answers: Sequence[str] = ()) -> Arena:
        """Play on with these dice and these answers, until both are used up and something is asked, or all is over."""
        battle, dice = self.battle, iter(faces)
        battle.roll(dice)
        for text in answers:
            value = battle.read(text)
            assert not isinstance(value, Refusal), value
            self.asked.append((battle.seat, format_value(value)))
            battle.answer(value)
        assert next(dice, None) is None, "more dice given than rolled"
        return self

    def to_the_end(self, face: int = 6) -> Arena:
        """Play on with this face on every die and the stand-in for every choice: with bursts who shoots first wins."""
        self.battle.roll(repeat(face))
        self.battle.until()
        return self

    @property
    def match(self) -> Match:
        return self.battle.match

    @property
    def dealer(self) -> Dealer:
        return self.battle.dealer

    @property
    def now(self) -> Eclipse:
        """The position as played."""
        return self.battle.g

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def events(self) -> list[Event]:
        return self.battle.new_events

    def asking(self) -> tuple[int, Choose[Any]]:
        """Who is asked what."""
        return self.battle.seat, self.battle.ask

    def options(self) -> list[str]:
        return self.battle.options()

    def refusal(self, text: str) -> str:
        return self.battle.refusal(text)

    def new_events(self, id: str) -> list[dict[str, Any]]:
        """What events of that id said, since the beginning."""
        return self.battle.events(id)

    def fleet(self, owner: int) -> list[str]:
        """Names of an owner's ships on the map while the position is in the making."""
        placed = (ship for ship, place in enumerate(self.g.ships.place) if place != NOBODY)
        return [PIECES[ship_kind(self.g, ship)] for ship in placed if ship_owner(self.g, ship) == owner]

    def in_sector(self, owner: int, sector: str) -> list[str]:
        """Names of an owner's ships there, by number."""
        g, tile = self.now, self.tile(sector)
        here = [ship for ship, place in enumerate(g.ships.place) if place == tile and ship_owner(g, ship) == owner]
        return [PIECES[ship_kind(g, ship)] for ship in here]
