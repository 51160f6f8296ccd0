# SPDX-License-Identifier: GPL-3.0-or-later
"""The chances of battles on the map: those that a move would begin, coming ones, and the present one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from client.games.eclipse.show.words import ships_text
from client.games.eclipse.wording import term
from client.show.battles import possible, share_text
from client.show.document import Document, Note
from client.show.draws import together
from client.show.pictures import Frame
from client.system.texts import N_, _
from engine.eclipse import population, sectors
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.combat.bombard import AttackPopulation, guns
from engine.eclipse.combat.dice import FACES, hits
from engine.eclipse.combat.odds import ONE, Group, TooLongError, odds
from engine.eclipse.combat.order import pair, sides
from engine.eclipse.combat.strike import Assign
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind, ship_owner
from engine.eclipse.terms import COLOURS

MOST = 36
"""Most ships in a battle whose chances are computed: all those of two players."""
WORK = 150_000
"""Most work on the chances of a battle, about 0.3 s; see :func:`~engine.eclipse.combat.odds.odds`."""
TOO_MANY = N_("There are too many ships to work out the chances at once.")
"""What is said instead of the chances of a battle that are not computed."""
MOST_A_MOVE = 7
"""The same limit when the chances of every possible move are computed."""

Groups = tuple[Group, ...]


class Fate(NamedTuple):
    """What is to be expected of a battle.

    Attributes:
        wins: the probability that the attacker wins.
        left: the mean number of ships left of the attacker, and of the defender.
    """

    wins: float
    left: tuple[float, float]


class Stage:
    """The stage of a battle: its sector, sides, round and the types that have acted."""

    def __init__(self, g: Eclipse, tile: int, attacker: int, defender: int, round: int = 0, acted: int = 0) -> None:
        self.g, self.tile, self.sides, self.round, self.acted = g, tile, (attacker, defender), round, acted
        here = sectors.fleet(g).get(tile, {})
        self.ships = {
            owner: [(ship_kind(g, ship), g.ships.damage[ship]) for ship in here.get(owner, ())] for owner in self.sides
        }

    @property
    def sector(self) -> str:
        return self.g.const.sector_ids[self.tile]

    def fate(
        self, left: dict[int, list[tuple[int, int]]] | None = None, acted: int | None = None, most: int = WORK
    ) -> Fate | None:
        """What is to be expected from here, or with the ships in `left`; None if it takes more work than `most`."""
        ships = self.ships | (left or {})
        attacker, defender = self.sides
        if not ships[attacker] or not ships[defender]:
            return Fate(float(bool(ships[attacker])), (len(ships[attacker]), len(ships[defender])))
        if len(ships[attacker]) + len(ships[defender]) > MOST:
            return None
        mine, theirs = (groups_of(self.g, owner, ships[owner]) for owner in self.sides)
        return fate(mine, theirs, damage_of(self.g), self.round, self.acted if acted is None else acted, most)

    def shares(self, wins: float) -> tuple[tuple[int, float], ...]:
        """The chance of each side if the attacker has this one."""
        return (self.sides[0], wins), (self.sides[1], 1 - wins)

    @property
    def later(self) -> int:
        """The number of battles that follow in this phase."""
        tiles = [int(item[1]) for item in self.g.flow.agenda if item[0] == "battle"]
        return sum(len(sides(self.g, tile)) - 1 - (tile == self.tile) for tile in tiles if len(sides(self.g, tile)) > 1)


def stage_of(g: Eclipse, tile: int = NOBODY) -> Stage | None:
    """The present battle, or, in a sector where none is under way, the next one there; None without one."""
    match g.flow.now:
        case ["strike", int(place), int(attacker), int(defender), int(round), int(acted)] if tile in (place, NOBODY):
            return Stage(g, place, attacker, defender, round, acted)
    sides_there = pair(g, tile) if tile != NOBODY else None
    return None if sides_there is None else Stage(g, tile, *sides_there)


def battle_odds(g: Eclipse, seat: int, kind: int, tile: int) -> str:
    """The chance that a ship of this kind and the own ships in a sector win there, "" without a battle of two sides."""
    foes = sectors.enemies(g, seat, tile)
    owners = dict.fromkeys(ship_owner(g, ship) for ship in foes)
    own = sectors.fleet(g).get(tile, {}).get(seat, ())
    if len(owners) != 1 or len(foes) + len(own) + 1 > MOST_A_MOVE:
        return ""
    (owner,) = owners
    defends = g.sectors.owner[tile] == seat and owner != NOBODY  # the controller of a sector defends it
    stage = Stage(g, tile, *((owner, seat) if defends else (seat, owner)))
    stage.ships[seat].append((kind, 0))
    found = stage.fate()
    return "" if found is None else _("wins {chance}").format(chance=share_text(dict(stage.shares(found.wins))[seat]))


def standing(frame: Frame, tile: int) -> Sequence[tuple[int, float]]:
    """The chances in the present or next battle of a sector, the attacker first; () without a battle, with too many
    ships, or while hits are being assigned."""
    g, pending = frame.g, frame.view.pending
    if isinstance(pending, Assign) and pending.sector == g.const.sector_ids[tile]:
        return ()
    stage = stage_of(g, tile)
    found = None if stage is None or not all(stage.ships.values()) else stage.fate()
    return () if stage is None or found is None else stage.shares(found.wins)


def outlook(frame: Frame, seat: int) -> Document:
    """The coming battles of a seat: the ships, and its chance to win."""
    g, told = frame.g, list[Note]()
    for tile, here in sorted(sectors.fleet(g).items()):
        shares = dict(standing(frame, tile)) if seat in here else {}
        for foe in shares.keys() - {seat} if seat in shares else ():
            ships, foes = ships_text(g, here[seat]), ships_text(g, here[foe])
            sector, chance = g.const.sector_ids[tile], share_text(shares[seat])
            text = _("Sector {sector}: {ships} against {foes}: wins {chance}")
            told.append(Note(text.format(sector=sector, ships=ships, foes=foes, chance=chance)))
    return told


def bombing(frame: Frame, ask: AttackPopulation) -> list[str]:
    """What an attack on a population does: whether Neutron Bombs work, else the dice and the chance of all cubes,
    without dice rolled again."""
    g, tile = frame.g, frame.g.const.sector_index[ask.sector]
    owner, cubes = g.sectors.owner[tile], len(population.cubes(g, tile))
    told, names = list[str](), {"bombs": term("neutron-bombs"), "absorber": term("neutron-absorber")}
    if has_effect(g, ask.seat, "neutron-bombs"):
        if not has_effect(g, owner, "neutron-absorber"):
            return [_("{bombs} destroy all cubes there without a roll: {n}.").format(n=cubes, **names)]
        told = [_("{bombs} do nothing here: {name} has {absorber}.").format(name=frame.names[owner], **names)]
    battery, chances = guns(g, tile, ask.seat), {0: 1.0}
    for colour, computer in battery:
        share = one_hits(computer)
        chances = together(chances, {0: 1 - share, damage_of(g)[colour]: share})
    needs = sorted({next(face for face in range(1, FACES + 1) if hits(face, computer, 0)) for _c, computer in battery})
    text = _("Dice: {n}, a hit on {needs}. Cubes: {cubes}, all destroyed {chance}.")
    hit, enough = "/".join(f"{face}+" for face in needs), sum(chances[points] for points in chances if points >= cubes)
    return [*told, text.format(n=len(battery), needs=hit, cubes=cubes, chance=share_text(enough))]


def one_hits(computer: int, shield: int = 0) -> float:
    """The chance that one die hits."""
    return sum(hits(face, computer, shield) for face in range(1, FACES + 1)) / FACES


def damage_of(g: Eclipse) -> tuple[int, ...]:
    """The damage of the dice, by colour."""
    return tuple(g.const.constants.dice_damage[colour] for colour in COLOURS)


def groups_of(g: Eclipse, owner: int, ships: Sequence[tuple[int, int]]) -> Groups:
    """Ships of an owner, each with its kind and damage, as groups of one type with the stats of their blueprints."""
    splitter = owner != NOBODY and has_effect(g, owner, "antimatter-splitter")
    damage: dict[int, list[int]] = {}
    for kind, taken in sorted(ships):
        damage.setdefault(kind, []).append(taken)
    return tuple(
        Group(kind, ship_stats(g, owner, kind), tuple(each), by_rule=owner == NOBODY, splitter=splitter)
        for kind, each in damage.items()
    )


@lru_cache(1024)
def fate(
    attacker: Groups, defender: Groups, damage: tuple[int, ...], round: int = 0, acted: int = 0, most: int = WORK
) -> Fate | None:
    """What is to be expected from the beginning of a battle, or from its present stage; None if it takes more work than
    `most`. damage: of the dice, by colour."""
    try:
        found = odds(attacker, defender, damage, round, acted, most=most)
    except TooLongError:
        return None
    mine, theirs = (sum(side) / ONE for side in found.survivors)
    wins = found.attacker_wins / ONE
    return Fate(wins if found.certain else possible(wins), (mine, theirs))


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The ships of each side in a sector."""
    here = sectors.fleet(frame.g).get(frame.g.const.sector_index[space], {})
    return [(owner, ships_text(frame.g, ships)) for owner, ships in here.items()]
