# SPDX-License-Identifier: GPL-3.0-or-later
"""Find moves that nobody would make, in games that bots play.

    .venv/bin/python scripts/absurd.py GAME [--level LEVEL] [--seats N] [--games N] [--first N]

Prints each of them with its game and height, then how many there were of each kind in how many decisions. Exit code 1
if there were any. A kind is forbidden, whatever it may gain once in a thousand games:

    there and back       a ship flies back, in the same action, to a sector that it has left; in Emperor, to its start
    to and fro           a ship flies back, in a later action of the same round, to a sector that it has left in it,
                         though no ship of anybody else has moved or come since
    leaves a battle      a ship flies out of a sector where others of its owner stay and will fight
    trade and back       a resource is traded, and traded back in the same turn
    upkeep ruin          an action whose disc the seat cannot pay at the end of the round, or in the last round a
                         technology or piece for what the upkeep needs
    idle ships           a colony ship that could settle is left idle when the seat passes, or before income
    points left          the last pass while a monolith could be built at once
    idle influence       an Influence action that moves no disc and readies no colony ship
    disarms a ship       a part that is no weapon takes the place of a ship's only cannon, or of all that it fires with
    dominated dial       a battle plan of Rex with a higher dial than one that wins against all that may come
    stronghold left      the last units leave a stronghold for a space that is none, in sight of a foe

In the last round of Rex allies of Sol may do both in the spaces that Sol must have to itself: they win by that.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from client.bots import FIELD, bot, chooser  # noqa: E402
from client.games.eclipse.bot import worth  # noqa: E402
from client.games.eclipse.bot.boards import disarms  # noqa: E402
from client.games.rex.bot.ground import Ground  # noqa: E402
from client.games.rex.bot.outlook import Outlook  # noqa: E402
from client.games.rex.bot.worth import bomb_risk, last_round, shares_special  # noqa: E402
from engine.core.agenda import Table  # noqa: E402
from engine.core.cards import Lens  # noqa: E402
from engine.core.dealer import Dealer, HashDice, play  # noqa: E402
from engine.core.match import Match  # noqa: E402
from engine.core.registry import GAMES, game, settle_options  # noqa: E402
from engine.core.values import Value  # noqa: E402
from engine.core.waits import Choose  # noqa: E402
from engine.eclipse import sectors  # noqa: E402
from engine.eclipse.actions.activation import Stop  # noqa: E402
from engine.eclipse.actions.build import Build, Construct  # noqa: E402
from engine.eclipse.actions.influence import Influence  # noqa: E402
from engine.eclipse.actions.move import Fly, Move  # noqa: E402
from engine.eclipse.actions.research import Buy, Research  # noqa: E402
from engine.eclipse.actions.upgrade import Place, Remove, Upgrade, blueprints  # noqa: E402
from engine.eclipse.discovery import TakeDiscovery  # noqa: E402
from engine.eclipse.flow import Menu  # noqa: E402
from engine.eclipse.free import Colonise, Trade  # noqa: E402
from engine.eclipse.state import ship_kind  # noqa: E402
from engine.eclipse.terms import MONOLITH, PIECES  # noqa: E402
from engine.eclipse.upkeep import Settle  # noqa: E402
from engine.emperor.roles.warlord import MoveShip, Ship  # noqa: E402
from engine.rex.city_map import allied, available_leaders, seat_of, strength, turn_order, units  # noqa: E402
from engine.rex.maneuver import MoveGroup  # noqa: E402
from engine.rex.plans import PlanBattle  # noqa: E402
from engine.rex.victory import SOL_SPACES  # noqa: E402

__all__ = ["Watch", "absurdities"]

ACTIONS = ("explore", "influence", "research", "upgrade", "build", "move")


@dataclass
class Watch:
    """Finds absurd answers of one game. left: by seat, what its ships have left in this action. flown: what they have
    left in this round, with the ships of others then. traded: its trades since it was last asked for an action. ready:
    the seats whose colony ships were all ready then."""

    left: dict[int, set[tuple[int, str]]] = field(default_factory=dict)
    flown: dict[tuple[int, int, str], Any] = field(default_factory=dict)
    traded: dict[int, set[tuple[str, str]]] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)

    def faults(self, match: Match, seat: int, ask: Choose[Any], value: Value) -> Iterator[str]:
        """What is absurd about an answer, before it is given."""
        match ask:
            case Menu():
                yield from self._menu(match.g, seat, ask, value)
            case Move():
                yield from self._move(match.g, seat, ask, value)
            case Research() | Build() if isinstance(value, Buy | Construct) and _ruins(match.g, seat, ask, value):
                yield "upkeep ruin"
            case Influence() if isinstance(value, Stop) and ask.n == 1 and seat in self.ready and _ready(match.g, seat):
                yield "idle influence"
            case Upgrade() | TakeDiscovery() if _disarms(match.g, seat, value):
                yield "disarms a ship"
            case Settle() if isinstance(value, Stop) and _settles(match.g, seat, ask):
                yield "idle ships"
            case PlanBattle():
                yield from _dial(match.g, seat, value)
            case MoveGroup():
                yield from _march(match.g, seat, value)
            case MoveShip() if len(value) > 1 and isinstance(value[0], Ship):
                if [space for space in value if isinstance(space, str)][-1:] == [value[0].space]:
                    yield "there and back"
        if isinstance(value, Trade):
            if (value.to, value.of) in self.traded.setdefault(seat, set()):
                yield "trade and back"
            self.traded[seat].add((value.of, value.to))

    def _menu(self, g: Any, seat: int, ask: Menu, value: Value) -> Iterator[str]:
        self.ready.discard(seat)
        if _ready(g, seat):
            self.ready.add(seat)
        if value == "pass":
            if _settles(g, seat, ask):
                yield "idle ships"
            if worth.last_round(g) and not g.seats.passed[seat] and _monolith(g, seat, ask):
                yield "points left"
        if value in ACTIONS:
            self.left[seat] = set()
            self.traded[seat] = set()
            if worth.left_after(g, seat, 1) < 0:
                yield "upkeep ruin"

    def _move(self, g: Any, seat: int, ask: Move, value: Value) -> Iterator[str]:
        left = self.left.setdefault(seat, set())
        if ask.n == 1:
            left.clear()
        if isinstance(value, Fly):
            tile = g.const.sector_index[value.sector]
            own = sectors.fleet(g)[tile][seat]
            kind = [ship for ship in own if PIECES[ship_kind(g, ship)] == value.ship]
            ship = max(kind, key=lambda one: g.ships.entered[one])
            others = _others(g, seat)
            if (ship, value.to) in left:
                yield "there and back"
            elif self.flown.get((g.round.number, ship, value.to)) == others:
                yield "to and fro"
            left.add((ship, value.sector))
            self.flown[g.round.number, ship, value.sector] = others
            if sectors.enemies(g, seat, tile) and len(own) > 1:
                yield "leaves a battle"


def _others(g: Any, seat: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """The ships of all others, by sector and owner."""
    fleet = sectors.fleet(g).items()
    return [(tile, who, tuple(ships)) for tile, here in fleet for who, ships in here.items() if who != seat]


def _ruins(g: Any, seat: int, ask: Choose[Any], value: Value) -> bool:
    spent = {resource: -change for resource, change in ask.price(g, value)}
    return worth.last_round(g) and worth.left_after(g, seat, 0, **spent) < 0


def _ready(g: Any, seat: int) -> bool:
    return bool(g.seats.colony[seat] == g.seats.colony_all[seat])


def _disarms(g: Any, seat: int, value: Value) -> bool:
    """True if the parts that an answer places, after those that it returns, disarm a ship."""
    board, placed = blueprints(g, seat), value if isinstance(value, tuple) else (value,)
    for part in placed:
        if isinstance(part, Remove):
            board[PIECES.index(part.ship)][part.slot - 1] = 0
    return any(isinstance(part, Place) and disarms(g, seat, board, part) for part in placed)


def _settles(g: Any, seat: int, ask: Choose[Any]) -> bool:
    return any(worth.colony(g, seat, pick) > 0 for pick in ask.options(g) if isinstance(pick, Colonise))


def _monolith(g: Any, seat: int, ask: Menu) -> bool:
    cost = g.const.build_cost[g.seats.species[seat]][MONOLITH]
    if "build" not in ask.options(g) or worth.left_after(g, seat, 1, materials=cost) < 0:
        return False
    pieces = Build(ask.seat, 1, 1).options(g)
    return any(isinstance(pick, Construct) and pick.piece == "monolith" for pick in pieces)


def _dial(g: Any, seat: int, value: Value) -> Iterator[str]:
    """Compare with the lowest dial that beats the most that the foe can show, even if the own leader is killed."""
    if _clears(g, seat, g.battle.space):
        return
    side = list(g.battle.seat).index(seat)
    foe = g.battle.seat[1 - side]
    word, _, what = g.battle.pledge[1 - side].partition(" ")
    most = int(what) if word == "dial" else g.battle.strength[1 - side]
    leaders = available_leaders(g, foe, g.battle.space)
    most += max((g.const.leaders[at].strength for at in leaders), default=0)
    order = turn_order(g)
    sure = most + (order.index(foe) < order.index(seat))
    if not g.seats.hand[foe] and value[1] in g.const.leader_index:
        sure = max(0, sure - g.const.leaders[g.const.leader_index[value[1]]].strength)  # nothing can kill it
    if value[0] > sure and not g.battle.pledge[side].startswith("dial"):
        yield "dominated dial"


def _march(g: Any, seat: int, value: Value) -> Iterator[str]:
    if len(value) < 3:
        return
    start, to = (g.const.space_index[id] for id in value[:2])
    goals = g.const.strongholds
    if start not in goals or to in goals or units(g, seat, start) > sum(value[2:]) or _clears(g, seat, start):
        return
    ground = Ground.of(g)
    safe = not ground.foes(seat, start) and not bomb_risk(g, Lens(), start)
    threat = Outlook.of(ground, seat).threat(start)
    if safe and 0 < threat < strength(g, seat, start):
        yield "stronghold left"


def _clears(g: Any, seat: int, space: int) -> bool:
    """True if a seat wins with Sol, its ally, when nobody but Sol is in this space."""
    sol = seat_of(g, "sol")
    ally = last_round(g) and shares_special(g) and sol >= 0 and allied(g, seat, sol)
    return ally and g.const.spaces[space].id in SOL_SPACES


def absurdities(id: str, level: str, seats: int, seed: str) -> Iterator[tuple[int, str, str]]:
    """Play a game. Yield the height, the kind, "" for a sensible answer, and the answer, for each decision."""
    spec = game(id)
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table), table
    match, dealer, watch = Match.new(spec, table, checkpoint=None), Dealer(HashDice(seed)), Watch()
    inner = chooser([bot(level, seed)] * seats, dealer, Random(seed))
    found: list[tuple[int, str, str]] = []

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        value = inner(match, seat, ask)
        kinds = [*watch.faults(match, seat, ask, value)] or [""]
        found.extend((match.height, kind, f"{ask} {value}") for kind in kinds)
        return value

    for _ in play(match, dealer, choose, heard=False):
        yield from found
        found.clear()


def main() -> int:
    """Play the games and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=[*GAMES])
    parser.add_argument("--level", choices=[*FIELD], default="greedy")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    given = parser.parse_args()
    if given.seats not in game(given.game).seats:
        parser.error(f"{given.game} has no table of {given.seats} seats")
    kinds, decisions = Counter[str](), 0
    for number in range(given.first, given.first + given.games):
        for height, kind, what in absurdities(given.game, given.level, given.seats, f"absurd {number}"):
            decisions += 1
            if kind:
                kinds[kind] += 1
                print(f"game {number} height {height}: {kind}: {what}")
    print(f"{given.games} games of {given.game}, {decisions} decisions, {kinds.total()} absurd: {dict(kinds)}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
