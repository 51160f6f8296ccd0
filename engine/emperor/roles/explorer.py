# SPDX-License-Identifier: GPL-3.0-or-later
"""Explorer: select face-up tiles and put them on the board; the Black Hole (rule document, 5 Explorer)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.emperor import galaxy, stacks, technologies
from engine.emperor.control import claim, order
from engine.emperor.displace import displaced
from engine.emperor.state import BOARD, NOBODY, OUT, Emperor
from engine.emperor.terms import EXPLORER, GONE, SCIENTIST, USED, WARLORD_2
from engine.emperor.words import record

__all__ = ["SEGMENTS", "ClaimTile", "PlaceTile", "begin"]


def begin(g: Emperor, seat: int) -> None:
    """Let all players place a tile, and the chooser the remaining ones; then turn up new tiles."""
    g.then(*(["explore", other] for other in order(g, seat)), ["leftover", seat], ["turn-up"], ["flip-explorer"])


def places_for(g: Emperor, tile: int) -> list[int]:
    """Return the spaces for a tile. A Sun is not put on ships unless there is no other space."""
    spaces = galaxy.untiled(g)
    if g.const.tiles[tile].kind == "sun":
        return [space for space in spaces if not galaxy.ship_owners(g, space)] or spaces
    return spaces


@record
class PlaceTile(Choose[tuple[str, ...]]):
    """Select a face-up tile, then an empty space for it; the Black Hole has its place."""

    seat: Seat
    leftover: int
    staged = True

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        const = g.const
        if not so_far:
            return sorted(const.tiles[tile].id for tile in stacks.face_up(g))
        if len(so_far) == 2 or so_far[0] == const.tiles[const.black_hole].id:
            return ()
        return [const.spaces[space] for space in places_for(g, const.tile_index[so_far[0]])]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        if len(so_far) != 1 or so_far[0] == g.const.tiles[g.const.black_hole].id:
            return ()
        free = places_for(g, g.const.tile_index[so_far[0]])
        taken = [space for space in range(len(g.const.spaces)) if space not in free]
        return [(g.const.spaces[space], self._reason(g, space)) for space in taken]

    def _reason(self, g: Emperor, space: int) -> Refusal:
        tile = g.sectors.tile[space]
        if tile == NOBODY:
            return Refusal("explorer/sun-on-ships", "", (g.const.spaces[space],))
        return Refusal("explorer/not-empty", "", (g.const.spaces[space], g.const.tiles[tile].id))

    def caretaker(self, g: Emperor) -> tuple[str, ...]:
        """The first tile on the first place."""
        tile = self.options(g)[0]
        return (tile, *self.options(g, None, (tile,))[:1])


def explore(g: Emperor, seat: Seat) -> Rule[None]:
    """One player places a tile, while there are any; some may claim its sector."""
    if not stacks.face_up(g):
        return
    placed = yield from ask(PlaceTile(seat, 0))
    space = put(g, seat, placed)
    if space != NOBODY:
        g.then(["claim-tile", seat, space])


def put(g: Emperor, seat: int, placed: tuple[str, ...]) -> int:
    """Lay a selected tile; gives its space, or NOBODY for the Black Hole."""
    const = g.const
    tile = const.tile_index[placed[0]]
    if tile == const.black_hole:
        swap(g, seat)
        return NOBODY
    space = const.space_index[placed[1]]
    g.sectors.tile[space], g.tiles.where[tile] = tile, BOARD
    g.tell("explorer/placed", seat=seat, tile=const.tiles[tile].id, space=const.spaces[space])
    if galaxy.sun(g, space):
        displaced(g, space)
    return space


def swap(g: Emperor, seat: int) -> None:
    """The Black Hole takes the place of Omega Sun, and the Scientist leaves the game."""
    const = g.const
    g.sectors.tile[const.centre] = const.black_hole
    g.tiles.where[const.black_hole], g.tiles.where[const.sun] = BOARD, OUT
    g.round.cards[SCIENTIST] = GONE
    g.tell("explorer/black-hole", seat=seat, space=const.spaces[const.centre])


@record
class ClaimTile(Choose[str | None]):
    """Claim the sector of the tile just placed, by the role's ability or by a technology?"""

    seat: Seat
    space: str
    how: str

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, self.how]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if option is None:
            return ()
        marks = technologies.card(g, self.seat, option).marks if option != "claim" else 0
        return (("empires", -1), *((("marks", -marks),) if marks else ()))

    def caretaker(self, g: Emperor) -> None:
        return None


def claim_tile(g: Emperor, seat: Seat, space: int) -> Rule[None]:
    """The chooser may claim the sector; others with Colony Pods may pay for it."""
    if not galaxy.free_sector(g, seat, space):
        return
    name = g.const.spaces[space]
    if seat == g.round.chooser:
        if (yield from ask(ClaimTile(seat, name, "claim"))) is not None:
            claim(g, seat, space, "explorer")
        return
    pods = technologies.usable(g, seat, "colony-pods")
    if pods == NOBODY or g.seats.marks[seat] < g.const.technologies[pods].marks:
        return
    if (yield from ask(ClaimTile(seat, name, "colony-pods"))) is None:
        return
    if (yield from technologies.use(g, seat, "colony-pods")):
        g.seats.marks[seat] -= g.const.technologies[pods].marks
        claim(g, seat, space, "colony-pods")


def leftover(g: Emperor, seat: Seat) -> Rule[None]:
    """Let the chooser place the remaining tiles, one after another, without a claim."""
    if not stacks.face_up(g):
        return
    placed = yield from ask(PlaceTile(seat, 1))
    put(g, seat, placed)
    g.then(["leftover", seat])


def turn_up(g: Emperor) -> Rule[None]:
    """Turn up new tiles: one a player and one more."""
    yield from stacks.turn_up(g, g.table.seats + g.const.numbers.extra_tiles)


def flip_explorer(g: Emperor) -> None:
    """When no tile remains, the card becomes a second Warlord from the next round on."""
    if not stacks.face_up(g) and not stacks.left(g):
        g.round.cards[EXPLORER], g.round.cards[WARLORD_2] = GONE, USED
        g.tell("explorer/flipped", seat=g.round.chooser)


SEGMENTS = {
    "explore": explore,
    "claim-tile": claim_tile,
    "leftover": leftover,
    "turn-up": turn_up,
    "flip-explorer": flip_explorer,
}
"""Agenda items of this chapter."""
