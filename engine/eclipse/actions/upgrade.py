# SPDX-License-Identifier: GPL-3.0-or-later
"""Upgrade: return ship part tiles and place one on a blueprint (rule document, 5; rules notes, Upgrade).

An activation is one staged answer: any number of ``Remove``, then one ``Place`` or ``Stop``. Slots with the same
content are one option, named by the first of them. Removing every tile leads back to the printed blueprints, which are
legal, so an answer can always be finished. Where the edition asks for legal blueprints after the action only, the
activations before its last one may leave them as they like (ruling upgrade-legality).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import free
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.catalog import Edition
from engine.eclipse.state import SLOTS, Eclipse
from engine.eclipse.stats import CONSUMPTION, DRIVE, PRODUCTION
from engine.eclipse.terms import PIECES, PLAYER_SHIPS, STARBASE
from engine.eclipse.words import record

__all__ = ["Place", "Remove", "Upgrade", "available", "can_upgrade", "install", "legal", "places", "refits", "upgrade"]

BY_NAME = sorted(PLAYER_SHIPS, key=PIECES.__getitem__)

Board = list[list[int]]
"""Blueprints by ship and slot: 0 for the printed part, else 1 + part. The last slot is outside the grid."""

Row = tuple[str, int, int, int]
"""A part: id, number, energy and drive that it gives."""


@record
class Remove:
    """Return the tile on a slot (1 = first) to the supply; an ancient part leaves the game."""

    ship: str
    slot: int


@record
class Place:
    """Put a part on a slot (1 = first) and replace the part there."""

    ship: str
    slot: int
    part: str


def blueprints(g: Eclipse, seat: int) -> Board:
    """A copy of the seat's blueprints."""
    tiles = row_of(g.seats.blueprint, seat).tolist()
    return [tiles[first : first + SLOTS] for first in range(0, len(tiles), SLOTS)]


def balance(g: Eclipse, seat: int, ship: int, slots: Sequence[int]) -> tuple[int, int]:
    """Energy left over and drive value of a blueprint."""
    return _balance(g.const, g.seats.species[seat], ship, slots)


def _balance(const: Edition, species: int, ship: int, slots: Sequence[int]) -> tuple[int, int]:
    base, printed, parts = const.base_stats[species][ship], const.printed[species][ship], const.part_stats
    energy, drive, last = base[PRODUCTION] - base[CONSUMPTION], base[DRIVE], len(printed)
    for slot, tile in enumerate(slots):
        part = tile - 1 if tile else printed[slot] if slot < last else -1
        if part >= 0:
            stats = parts[part]
            energy += stats[PRODUCTION] - stats[CONSUMPTION]
            drive += stats[DRIVE]
    return energy, drive


def shown(g: Eclipse, seat: int, ship: int, slots: Sequence[int], slot: int) -> int:
    """Return the part that counts in a slot: the tile on it, else the printed part, -1 for none."""
    return _shown(g.const.printed[g.seats.species[seat]][ship], slots, slot)


def _shown(printed: Sequence[int], slots: Sequence[int], slot: int) -> int:
    return slots[slot] - 1 if slots[slot] else printed[slot] if slot < len(printed) else -1


def fits(ship: int, energy: int, drive: int) -> bool:
    """True if there is enough energy, and a drive on every ship but the starbase, which may have none."""
    return energy >= 0 and (drive > 0) is not (ship == STARBASE)


def judge(ship: int, energy: int, drive: int) -> Refusal | None:
    """Return why a ship is not legal, None if it is."""
    if fits(ship, energy, drive):
        return None
    if energy < 0:
        return Refusal("upgrade/energy", "", (PIECES[ship], -energy))
    return Refusal("upgrade/starbase-drive") if drive else Refusal("upgrade/no-drive", "", (PIECES[ship],))


def legal(g: Eclipse, seat: int, ship: int, slots: Sequence[int]) -> Refusal | None:
    """Return why a blueprint is not legal, None if it is."""
    return judge(ship, *balance(g, seat, ship, slots))


def available(g: Eclipse, seat: int) -> tuple[int, ...]:
    """Parts the seat may place: standard ones, those of its technologies, and ancient ones it has stored."""
    return _available(g.const, row_of(g.seats.parts, seat).tobytes(), row_of(g.seats.techs, seat).tobytes())


@lru_cache(1024)
def _available(const: Edition, stored: bytes, techs: bytes) -> tuple[int, ...]:
    owned = array("h", techs)
    needs = enumerate(zip(const.ancient, const.part_technology, array("h", stored), strict=True))
    return tuple([part for part, (ancient, tech, held) in needs if (held if ancient else tech < 0 or owned[tech])])


def spots(printed: Sequence[int], slots: Sequence[int]) -> Iterator[int]:
    """Yield the first slot of each group with the same content, on a ship with these printed parts."""
    seen: list[tuple[int, int]] = []
    for slot, part in enumerate(printed):
        if (part, slots[slot]) not in seen:
            seen.append((part, slots[slot]))
            yield slot


def places(g: Eclipse, seat: int, board: Board, parts: Sequence[int]) -> Iterator[tuple[Place, Refusal | None]]:
    """Every place for one of the parts, in order, with the reason where that blueprint would not be legal."""
    for ship in BY_NAME:
        for slot, old, energy, drive, rows in openings(g.const, g.seats.species[seat], ship, board[ship], tuple(parts)):
            for id, part, gives, moves in rows:
                if part != old:
                    yield _place(PIECES[ship], slot + 1, id), judge(ship, energy + gives, drive + moves)


@dataclass(frozen=True, slots=True)
class Refit:
    """What can be done with one ship.

    Attributes:
        legal: False if removals have left a blueprint that is not.
        places: those of :func:`places` on it that leave it legal, in order.
        removals: of its tiles, in order.
    """

    legal: bool
    places: Sequence[Place]
    removals: Sequence[Remove]


def refits(g: Eclipse, seat: int, board: Board, parts: tuple[int, ...]) -> list[Refit]:
    """Return what can be done with each ship, by name."""
    const, species = g.const, g.seats.species[seat]
    return [_refit(const, species, ship, tuple(board[ship]), parts) for ship in BY_NAME]


@lru_cache(4096)
def _refit(const: Edition, species: int, ship: int, slots: tuple[int, ...], parts: tuple[int, ...]) -> Refit:
    """Cached, since a blueprint stays the same for many turns."""
    name, anchored = PIECES[ship], ship == STARBASE
    grid = spots(const.printed[species][ship], slots)  # parts outside the grid are permanent
    return Refit(
        legal=fits(ship, *_balance(const, species, ship, slots)),
        places=[
            _place(name, slot + 1, id)
            for slot, old, energy, drive, rows in openings(const, species, ship, slots, parts)
            for id, part, gives, moves in rows
            if energy + gives >= 0 and (drive + moves > 0) is not anchored and part != old
        ],
        removals=[Remove(name, slot + 1) for slot in grid if slots[slot]],
    )


def openings(
    const: Edition, species: int, ship: int, slots: Sequence[int], parts: tuple[int, ...]
) -> Iterator[tuple[int, int, int, int, Sequence[Row]]]:
    """Yield the slots of a ship that can hold parts, in order: slot, the part there (-1: none), energy and drive of the
    ship without it, and the rows (id, part, energy, drive) of the parts that go there, sorted."""
    inside, outside = _rows(const, parts)
    printed = const.printed[species][ship]
    energy, drive = _balance(const, species, ship, slots)
    for slot in (*spots(printed, slots), SLOTS - 1):
        old = _shown(printed, slots, slot)
        if slot == SLOTS - 1 and old >= 0:
            continue
        had, moved = _energy_and_drive(const, old) if old >= 0 else (0, 0)
        yield slot, old, energy - had, drive - moved, outside if slot == SLOTS - 1 else inside


@lru_cache(4096)
def _place(ship: str, slot: int, part: str) -> Place:
    """Return one object for each place, since option lists repeat the same places."""
    return Place(ship, slot, part)


@lru_cache(1024)
def _rows(const: Edition, parts: tuple[int, ...]) -> tuple[Sequence[Row], Sequence[Row]]:
    """The rows of parts that go into the grid, and of those that go outside it."""
    rows = sorted((const.part_ids[part], part, *_energy_and_drive(const, part)) for part in parts)
    outside = [row for row in rows if const.outside_grid[row[1]]]
    return [row for row in rows if row not in outside], outside


def _energy_and_drive(const: Edition, part: int) -> tuple[int, int]:
    stats = const.part_stats[part]
    return stats[PRODUCTION] - stats[CONSUMPTION], stats[DRIVE]


def can_upgrade(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    if any(row_of(g.seats.blueprint, seat)):
        return None
    board, parts = blueprints(g, seat), available(g, seat)
    if any(ship.places for ship in refits(g, seat, board, parts)):
        return None
    if g.const.constants.legal_after == "action" and not g.seats.passed[seat] and any(places(g, seat, board, parts)):
        return None
    return Refusal("upgrade/nothing-to-place")


@record
class Upgrade(Choose[tuple[Value, ...]]):
    """Tiles to return and the part to place; activation ``n`` of ``of``."""

    seat: Seat
    n: int
    of: int
    staged = True

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if so_far and not isinstance(so_far[-1], Remove):
            return ()
        board, parts = self._board(g, so_far), available(g, self.seat)
        ships = refits(g, self.seat, board, parts)
        broken = [ship for ship in ships if not ship.legal]
        picks: list[Value] = []
        if self._unfinished(g):
            picks += [place for place, _ in places(g, self.seat, board, parts)]
        elif len(broken) < 2:
            for ship in broken or ships:
                picks += ship.places
        for ship in ships:
            picks += ship.removals
        if (not broken and (so_far or self.n > 1)) or not picks:
            picks.append(Stop())
        return picks if so_far else [*free.colonies(g, self.seat), *picks, *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        if self._unfinished(g) or (so_far and not isinstance(so_far[-1], Remove)):
            return ()
        return [(place, problem) for place, problem in self._places(g, self._board(g, so_far)) if problem is not None]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if isinstance(option, Place | Remove | Stop) else free.price(g, self.seat, option)

    def caretaker(self, g: Eclipse) -> tuple[Value, ...]:
        picks: tuple[Value, ...] = ()
        while options := [pick for pick in self.options(g, None, picks) if isinstance(pick, Place | Remove | Stop)]:
            sound = (pick for pick in options if isinstance(pick, Place) and self._sound(g, picks, pick))
            picks = (*picks, Stop() if Stop() in options else next(sound, options[-1]))
        return picks

    def _sound(self, g: Eclipse, so_far: tuple[Value, ...], pick: Place) -> bool:
        """True if the blueprint is legal with this part."""
        board, ship = self._board(g, so_far), PIECES.index(pick.ship)
        board[ship][pick.slot - 1] = 1 + g.const.part_index[pick.part]
        return legal(g, self.seat, ship, board[ship]) is None

    def _unfinished(self, g: Eclipse) -> bool:
        """True if blueprints need not be legal yet."""
        return self.n < self.of and g.const.constants.legal_after == "action"

    def _board(self, g: Eclipse, so_far: tuple[Value, ...]) -> Board:
        board = blueprints(g, self.seat)
        for remove in so_far:
            board[PIECES.index(remove.ship)][remove.slot - 1] = 0
        return board

    def _places(self, g: Eclipse, board: Board) -> Iterable[tuple[Place, Refusal | None]]:
        """Yield places that leave every blueprint legal. An illegal blueprint after an earlier removal is a reason
        too."""
        broken = [ship for ship in PLAYER_SHIPS if legal(g, self.seat, ship, board[ship])]
        found = places(g, self.seat, board, available(g, self.seat))
        if not broken:
            return found
        reason = legal(g, self.seat, broken[0], board[broken[0]])
        mends = [PIECES[ship] for ship in broken]
        return [(place, problem or (None if mends == [place.ship] else reason)) for place, problem in found]


def upgrade(g: Eclipse, seat: Seat, n: int, of: int) -> Rule[Again | None]:
    """One activation of Upgrade."""
    picks = yield from ask(Upgrade(seat, n, of))
    if not isinstance(picks[0], Place | Remove | Stop):
        free.settle(g, seat, picks[0])
        return g.again()
    for pick in picks:
        match pick:
            case Remove(ship, slot):
                _take_off(g, seat, PIECES.index(ship), slot - 1)
            case Place(ship, slot, part):
                install(g, seat, PIECES.index(ship), slot - 1, g.const.part_index[part])
            case Stop():
                finish(g, "upgrade", seat)
    return None


def install(g: Eclipse, seat: int, ship: int, slot: int, part: int) -> None:
    """Put a part on a slot (0 = first) of a blueprint; a stored ancient part leaves the store."""
    if g.seats.blueprint[seat, ship, slot]:
        _take_off(g, seat, ship, slot)
    g.seats.blueprint[seat, ship, slot] = part + 1
    if g.const.ancient[part]:
        g.seats.parts[seat, part] -= 1
    g.tell("upgrade/placed", seat=seat, ship=PIECES[ship], slot=slot + 1, part=g.const.part_ids[part])


def _take_off(g: Eclipse, seat: int, ship: int, slot: int) -> None:
    part = g.seats.blueprint[seat, ship, slot] - 1
    g.seats.blueprint[seat, ship, slot] = 0
    g.tell("upgrade/removed", seat=seat, ship=PIECES[ship], slot=slot + 1, part=g.const.part_ids[part])
