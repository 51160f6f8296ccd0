"""A game of Galactic Emperor driven by answers in notation and dice as written; positions are edited in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import GameSpec, settle_options
from engine.core.values import Value
from engine.emperor import galaxy
from engine.emperor.spec import EMPEROR
from engine.emperor.state import BOARD, EMPIRE_TOKEN, FACE_UP, NOBODY, STACK, STARBASE_TOKEN, Emperor, ship_kind
from engine.emperor.terms import UNITS
from engine.testing.driven import Driven


class Play(Driven[Emperor]):
    """A match of Galactic Emperor."""

    def stage(self, text: str) -> list[str]:
        """What may follow the picks of a staged answer."""
        picks: tuple[Value, ...] = ()
        for token in text.split():
            listed = self.ask.options(self.g, None, picks)
            picks = (*picks, next(option for option in listed if format_value(option, ":") == token))
        return self.options(*picks)

    # What lies where

    def at(self, space: str) -> int:
        return self.g.const.space_index[space]

    def tile(self, space: str) -> str:
        """The id of the tile there, empty without one."""
        tile = self.g.sectors.tile[self.at(space)]
        return self.g.const.tiles[tile].id if tile != NOBODY else ""

    def sector(self, space: str) -> tuple[int, int]:
        """Owner and token: 0 none, 1 Empire, 2 Starbase, 3 Home Starbase."""
        return self.g.sectors.owner[self.at(space)], self.g.sectors.token[self.at(space)]

    def ships(self, seat: int, space: str) -> list[str]:
        """The seat's ships in a space."""
        return [UNITS[ship_kind(ship)] for ship in galaxy.fleet(self.g, seat, self.at(space))]

    def shown(self) -> list[str]:
        """Face-up tiles."""
        return [self.g.const.tiles[tile].id for tile, where in enumerate(self.g.tiles.where) if where == FACE_UP]


HOMES = ("d7", "g1", "a1")
"""Corners of three players."""


def table(
    seats: int = 3,
    seed: int = 0,
    forced: Mapping[str, Sequence[int]] | None = None,
    spec: GameSpec = EMPEROR,
    **options: Any,
) -> Play:
    """A game past set-up, the Throne with seat 0, who is asked for the Direction."""
    agreed = settle_options(spec, seats, {name.replace("_", "-"): value for name, value in options.items()})
    assert isinstance(agreed, Table), agreed
    return Play(Match.new(spec, agreed), seed, {"throne": (1,), **(forced or {})})


# Changes of a position, for use inside ``edit``


def put(g: Emperor, tile: str, space: str, owner: int = NOBODY, starbase: bool = False, food: int = 0) -> int:
    """Lay a tile, with a token of a seat."""
    number, at = g.const.tile_index[tile], g.const.space_index[space]
    g.sectors.tile[at], g.tiles.where[number], g.sectors.food[at] = number, BOARD, food
    if owner != NOBODY:
        g.sectors.owner[at], g.sectors.token[at] = owner, STARBASE_TOKEN if starbase else EMPIRE_TOKEN
        g.seats.reserve[owner] -= 1
    return at


def station(g: Emperor, seat: int, space: str, *kinds: str) -> None:
    """Put ships from the reserve into a space."""
    for kind in map(UNITS.index, kinds):
        g.ships.place[galaxy.idle_ship(g, seat, kind)] = g.const.space_index[space]


def own(g: Emperor, seat: int, *technologies: str) -> None:
    """Give a seat technologies, ready to use."""
    for name in technologies:
        tech = g.const.technology_index[name]
        g.seats.techs[seat, tech] = 1
        g.round.display[tech] = 2


def swap_black_hole(g: Emperor) -> None:
    """Let the Black Hole lie in the middle, and the Scientist be gone."""
    g.sectors.tile[g.const.centre] = g.const.black_hole
    g.tiles.where[g.const.black_hole], g.tiles.where[g.const.sun] = BOARD, 3
    g.round.cards[6] = 2


def face_up(g: Emperor, *tiles: str) -> None:
    """Let exactly these tiles lie face up."""
    for tile, where in enumerate(g.tiles.where):
        if where == FACE_UP:
            g.tiles.where[tile] = STACK
    for name in tiles:
        g.tiles.where[g.const.tile_index[name]] = FACE_UP


def score(g: Emperor, seat: int, points: int) -> None:
    """Give a seat points from the pool."""
    g.seats.vp[seat] += points
    g.round.pool -= points
