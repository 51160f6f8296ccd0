# SPDX-License-Identifier: GPL-3.0-or-later
"""A light policy for Eclipse: rules of thumb that look at no position but the present one.

It is for playouts and as a member of a field: a game by it takes little more than a game at random, a game by greedy
many times that. It colonises, spends no disc that it cannot pay, explores early and builds and fights late.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from client.games.eclipse.bot import worth
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.build import Build, Construct
from engine.eclipse.actions.explore import Explore, PlaceSector, Zone
from engine.eclipse.actions.influence import TRACK, Influence, Shift
from engine.eclipse.actions.move import Fly, Move
from engine.eclipse.actions.research import Buy, Research
from engine.eclipse.combat.aftermath import Control, TakeControl
from engine.eclipse.combat.bombard import AttackPopulation, Bombard
from engine.eclipse.combat.reputation import Keep, KeepTile
from engine.eclipse.combat.strike import Attack, Engage
from engine.eclipse.discovery import POINTS, TakeDiscovery
from engine.eclipse.flow import Finish, Menu
from engine.eclipse.free import Colonise, Trade
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import GRAY
from engine.eclipse.upkeep import MakeMoney, Settle

EARLY: Final[Mapping[str, int]] = {"explore": 9, "influence": 3, "research": 6, "build": 2, "upgrade": 1, "move": 0}
LATE: Final[Mapping[str, int]] = {"explore": 3, "influence": 5, "research": 5, "build": 6, "upgrade": 2, "move": 1}
"""How often each action is chosen, in the first half of the game and in the second."""
PIECES: Final = ("monolith", "dreadnought", "orbital", "cruiser", "starbase", "interceptor")
"""What is built, the best first."""


def _some(options: Sequence[Value], rng: Random) -> Value:
    return options[rng.randrange(len(options))]


def _colony(g: Eclipse, seat: int, options: Sequence[Value]) -> Value | None:
    """A cube of the resource with the least income."""
    ships = [option for option in options if isinstance(option, Colonise)]
    if not ships:
        return None
    tracks = {name: g.seats.track[seat, at] for at, name in enumerate(("money", "science", "materials")[:GRAY])}
    return max(ships, key=lambda ship: tracks[ship.cube])


def menu(view: View, wait: Menu, rng: Random) -> Value:
    """Colonise, then an action of the time of the game, or pass without money for its disc."""
    g, seat = view.g, wait.seat
    options = wait.options(g)
    colony = _colony(g, seat, options)
    if colony is not None:
        return colony
    if g.seats.passed[seat] or worth.left_after(g, seat, 1) < 0:
        return "pass"
    weights = EARLY if 2 * g.round.number <= g.const.constants.rounds else LATE
    kinds = [option for option in options if weights.get(option if isinstance(option, str) else "")]
    return rng.choices(kinds, [weights[kind] for kind in kinds])[0] if kinds else "pass"


def _go_on(options: Sequence[Value], kind: type, rng: Random) -> Value:
    """A random option of a kind; without one stop, or whatever must be done."""
    wanted = [option for option in options if isinstance(option, kind)]
    return _some(wanted, rng) if wanted else Stop() if Stop() in options else _some(options, rng)


def explore(view: View, wait: Explore, rng: Random) -> Value:
    """Any zone."""
    return _go_on(wait.options(view.g), Zone, rng)


def place_sector(view: View, wait: PlaceSector, rng: Random) -> Value:
    """Any rotation."""
    options = wait.options(view.g)
    laid = [option for option in options if option != "discard"]
    return _some(laid or options, rng)


def influence(view: View, wait: Influence, rng: Random) -> Value:
    """A disc from the track into a sector, while it can be paid."""
    g, options = view.g, wait.options(view.g)
    takes = [option for option in options if isinstance(option, Shift) and option.of == TRACK and option.to != TRACK]
    if takes and worth.left_after(g, wait.seat, 1) >= 0:
        return max(takes, key=lambda shift: g.const.sector_vp[g.const.sector_index[shift.to]])
    return Stop() if Stop() in options else _some(options, rng)


def research(view: View, wait: Research, rng: Random) -> Value:
    """Any technology that can be paid."""
    return _go_on(wait.options(view.g), Buy, rng)


def build(view: View, wait: Build, rng: Random) -> Value:
    """The largest piece that can be paid."""
    options = wait.options(view.g)
    pieces = [option for option in options if isinstance(option, Construct)]
    if not pieces:
        return Stop() if Stop() in options else _some(options, rng)
    return min(pieces, key=lambda piece: PIECES.index(piece.piece) if piece.piece in PIECES else len(PIECES))


def move(view: View, wait: Move, rng: Random) -> Value:
    """One flight."""
    options = wait.options(view.g)
    return Stop() if Stop() in options else _go_on(options, Fly, rng)


def _first(kind: type) -> Callable[[View, Any, Random], Value]:
    """Do what can be done, the first of it."""

    def think(view: View, wait: Choose[Any], rng: Random) -> Value:
        options = wait.options(view.g)
        return next((option for option in options if isinstance(option, kind)), options[0])

    return think


def take_control(view: View, wait: TakeControl, rng: Random) -> Value:
    """Take what can be paid."""
    return Control(wait.sector) if worth.left_after(view.g, wait.seat, 1) >= 0 else None


def keep_tile(view: View, wait: KeepTile, rng: Random) -> Value:
    """The best tile, on an empty place."""
    held = view.g.seats.reputation
    keeps = [keep for keep in wait.options(view.g) if isinstance(keep, Keep) and not held[wait.seat, keep.place - 1]]
    return max(keeps, key=lambda keep: view.lens.get(keep.tile, 0), default=None)


def settle(view: View, wait: Settle, rng: Random) -> Value:
    """Use colony ships."""
    options = wait.options(view.g)
    return _colony(view.g, wait.seat, options) or Stop()


def finish(view: View, wait: Finish, rng: Random) -> Value:
    """Use colony ships."""
    return _colony(view.g, wait.seat, wait.options(view.g)) or "done"


def points(view: View, wait: TakeDiscovery, rng: Random) -> Value:
    """Always the points."""
    return POINTS


ANSWERS: Final[Mapping[type, Callable[[View, Any, Random], Value]]] = MappingProxyType(
    {
        Menu: menu,
        Explore: explore,
        PlaceSector: place_sector,
        Influence: influence,
        Research: research,
        Build: build,
        Move: move,
        Finish: finish,
        Settle: settle,
        MakeMoney: _first(Trade),
        TakeControl: take_control,
        TakeDiscovery: points,
        KeepTile: keep_tile,
        Engage: _first(Attack),
        AttackPopulation: _first(Bombard),
    }
)


def answer(view: View, wait: Choose[Any], rng: Random) -> Value:
    """The answer to one wait; the caretaker's if there is no rule for it."""
    think = ANSWERS.get(type(wait))
    value: Value = wait.caretaker(view.g) if think is None else think(view, wait, rng)
    return value
