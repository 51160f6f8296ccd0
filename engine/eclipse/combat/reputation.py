# SPDX-License-Identifier: GPL-3.0-or-later
"""Reputation tiles drawn after the battles of a sector (rule document, 5 and 7; ruling reputation-draws).

The draws of a participant are counted in its agenda item ``draw-reputation sector seat took-part destroyed`` while the
battles run. The tiles are the deck "reputation": their faces reach their owner only.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Handle, Lens
from engine.core.ids import Seat
from engine.core.rule import Rule, ask, mixed
from engine.core.sections import row_of
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Deal
from engine.eclipse import words
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import AMBASSADOR_ONLY

__all__ = [
    "DECK", "Keep", "KeepTile", "credit", "draw_reputation", "forfeit", "notice", "put_back", "return_hand",
    "take_part",
]  # fmt: skip

DECK = "reputation"

TOOK_PART, DESTROYED = 3, 4


def take_part(g: Eclipse, tile: int, seat: int) -> None:
    """The seat takes part in a battle of the sector."""
    _book(g, tile, seat, TOOK_PART, 1)


def forfeit(g: Eclipse, tile: int, seat: int) -> None:
    """All ships of the seat are retreating: no draw for taking part."""
    _book(g, tile, seat, TOOK_PART, 0)


def credit(g: Eclipse, tile: int, seat: int, draws: int) -> None:
    """The seat has destroyed a ship."""
    _book(g, tile, seat, DESTROYED, draws)


def _book(g: Eclipse, tile: int, seat: int, column: int, value: int) -> None:
    for item in g.flow.agenda:
        if item[:3] == ["draw-reputation", tile, seat]:
            before = int(item[column])
            item[column] = before + value if column == DESTROYED else value
            if column == TOOK_PART and value < before:
                g.tell("combat/forfeited", seat=seat, sector=g.const.sector_ids[tile])
            return


@words.record
class Keep:
    """Put a drawn tile on a place of the reputation track (1 = first), in exchange for a tile that lies there."""

    tile: Handle
    place: int


@words.record
class KeepTile(Choose[Keep | None]):
    """Which of the drawn tiles to keep, if any."""

    seat: Seat
    tiles: tuple[Handle, ...]

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Keep | None]:
        places = self._places(g)
        return ordered([None, *(Keep(tile, place) for tile in self.tiles for place in places)])

    def caretaker(self, g: Eclipse) -> Keep | None:
        """The first tile, if there is room for it."""
        held = row_of(g.seats.reputation, self.seat)
        return next((Keep(self.tiles[0], place) for place in self._places(g) if not held[place - 1]), None)

    def _places(self, g: Eclipse) -> list[int]:
        """The first empty place of each kind that takes reputation tiles, and all that hold one."""
        found: list[int] = []
        empty = [AMBASSADOR_ONLY]
        for place, space in enumerate(g.const.reputation_spaces[g.seats.species[self.seat]]):
            held = g.seats.reputation[self.seat, place]
            if held > 0 or (held == 0 and space not in empty):
                found.append(place + 1)
            if held == 0:
                empty.append(space)
        return found


def draw_reputation(g: Eclipse, tile: int, seat: Seat, took_part: int, destroyed: int) -> Rule[None]:
    """Draw, keep at most one, return the rest to the bag."""
    numbers = g.const.constants
    left = len(g.decks.order.get(DECK, ()))
    draws = min(took_part * numbers.participation_draws + destroyed, numbers.most_draws, left)
    if not draws:
        return
    yield from mixed(g.decks, DECK)
    drawn = yield from ask(Deal(DECK, draws, seat))
    g.tell("reputation/drawn", seat=seat, sector=g.const.sector_ids[tile], tiles=draws)
    kept = yield from ask(KeepTile(seat, drawn))
    back = [handle for handle in drawn if kept is None or handle != kept.tile]
    if kept is not None:
        lay = g.seats.reputation[seat, kept.place - 1]
        if lay:
            back.append(Handle(DECK, lay - 1))
        g.seats.reputation[seat, kept.place - 1] = kept.tile.index + 1
        g.tell("reputation/kept", seat=seat, place=kept.place, returned=len(back))
    else:
        g.tell("reputation/declined", seat=seat, returned=len(back))
    put_back(g, *back)


def put_back(g: Eclipse, *tiles: Handle) -> None:
    """Return tiles to the bag, unseen: they are mixed in when the next one is drawn."""
    g.decks.put_back(DECK, tiles)


def notice(g: Eclipse, kind: str, seat: Seat) -> None:
    """The tiles of a seat whose owner has changed go back (ruling hand-returned); nothing else waits for a seat."""
    if kind == "hand-returned" and g.flow.agenda:
        g.then(["return-hand", seat])


def return_hand(g: Eclipse, seat: Seat) -> None:
    """All reputation tiles of the seat return to the bag; ambassadors stay."""
    held = {place: tile for place, tile in enumerate(row_of(g.seats.reputation, seat)) if tile > 0}
    put_back(g, *(Handle(DECK, tile - 1) for tile in held.values()))
    for place in held:
        g.seats.reputation[seat, place] = 0
    if held:
        g.tell("reputation/hand-returned", seat=seat, tiles=len(held))
