# SPDX-License-Identifier: GPL-3.0-or-later
"""One initiative step of a battle: a ship type fires or retreats (rule document, 5; rules notes, Combat)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.agenda import Item
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Roll
from engine.eclipse import population, sectors, words
from engine.eclipse.blueprints import dice, ship_stats
from engine.eclipse.combat import reputation, retreat
from engine.eclipse.combat.dice import FACES, Foe, Shot, aim_by_rule, hits, picks_for, walk
from engine.eclipse.combat.order import acted_bit, due, kinds, present
from engine.eclipse.combat.reroll import rerolled
from engine.eclipse.species import has_ability, has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, MISSILES, SHIELD
from engine.eclipse.terms import COLOURS, CRUISER, DREADNOUGHT, INTERCEPTOR, PIECES, SHIPS, STARBASE

__all__ = ["Assign", "Attack", "Engage", "Retreat", "Target", "foes", "needs", "shots", "strike"]

LARGEST_FIRST = (DREADNOUGHT, CRUISER, STARBASE, INTERCEPTOR)
SIZE = tuple(LARGEST_FIRST.index(kind) if kind in LARGEST_FIRST else -kind for kind in SHIPS)
"""Sort key of ship types, the largest first; of neutral ships the GCDS, then Guardians, then Ancients."""
SPLIT = COLOURS.index("red")
"""Dice of antimatter cannons."""


@words.record
class Attack:
    """A ship type fires: its missiles in the volley, else its cannons."""

    ship: str


@words.record
class Retreat:
    """A ship type begins its retreat to a sector."""

    ship: str
    sector: str


@words.record
class Engage(Choose[Attack | Retreat]):
    """The choice of the next ship type, one of ``ships`` with equal initiative. Round 0 is the missile volley."""

    seat: Seat
    sector: str
    round: int
    ships: tuple[str, ...]

    def options(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[Attack | Retreat]:
        attacks = [Attack(ship) for ship in self.ships]
        if not self.round:
            return ordered(attacks)
        tile, names = g.const.sector_index[self.sector], g.const.sector_ids
        mobile = [ship for ship in self.ships if ship != PIECES[STARBASE]]
        targets = retreat.destinations(g, self.seat, tile) if mobile else ()
        return ordered([*attacks, *(Retreat(ship, names[to]) for ship in mobile for to in targets)])

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        tile, names, starbase = g.const.sector_index[self.sector], g.const.sector_ids, PIECES[STARBASE]
        reasons = dict(retreat.nearby_refusals(g, self.seat, tile))
        found: list[tuple[Value, Refusal]] = []
        for to in sectors.neighbours(g, tile, half=True):
            reason = reasons.get(to) if self.round else Refusal("retreat/missiles-first")
            for ship in self.ships:
                why = Refusal("retreat/starbase") if ship == starbase else reason
                if why is not None:
                    found.append((Retreat(ship, names[to]), why))
        return found

    def caretaker(self, g: Eclipse) -> Attack | Retreat:
        return Attack(self.ships[0])


@words.record
class Target:
    """An opposing ship of this type that has taken so much damage, what earlier dice of the roll do to it included."""

    ship: str
    damage: int


@words.record
class Assign(Choose[tuple[Target, ...]]):
    """Which ship each hit goes to, strongest die first: one pick for every hit that has different ships to choose from.

    ``shots``: damage and number of each die that hits anything; the owner of the targets is ``foe``.
    """

    seat: Seat
    sector: str
    ship: str
    foe: int
    shots: tuple[Shot, ...]
    staged = True

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Target]:
        picks = [(PIECES.index(pick.ship), pick.damage) for pick in so_far]
        _, choices = walk(self.shots, self._computer(g), self._foes(g), picks)
        return ordered(Target(PIECES[kind], damage) for kind, damage in choices)

    def caretaker(self, g: Eclipse) -> tuple[Target, ...]:
        """Assign the dice like neutral ships."""
        computer, targets = self._computer(g), self._foes(g)
        picks = picks_for(self.shots, computer, targets, aim_by_rule(self.shots, computer, targets))
        return tuple(Target(PIECES[kind], damage) for kind, damage in picks)

    def aims(self, g: Eclipse, picks: tuple[Target, ...]) -> tuple[int, ...]:
        """The place in :func:`foes` that each shot goes to, -1 for none."""
        numbered = [(PIECES.index(pick.ship), pick.damage) for pick in picks]
        return walk(self.shots, self._computer(g), self._foes(g), numbered)[0]

    def _computer(self, g: Eclipse) -> int:
        return ship_stats(g, self.seat, PIECES.index(self.ship))[COMPUTER]

    def _foes(self, g: Eclipse) -> list[Foe]:
        return foes(g, g.const.sector_index[self.sector], self.foe)


def strike(g: Eclipse, tile: int, attacker: int, defender: int, round: int, acted: int) -> Rule[None]:
    """The next ship type of the round acts; then the one after it, or the next round."""
    fleets = present(g, tile)
    if attacker not in fleets or defender not in fleets:
        for owner in fleets:
            retreat.depart(g, tile, owner)
        return
    turn = due(g, tile, attacker, defender, round, acted)
    if turn is None:
        _next_round(g, tile, attacker, defender, round + 1)
        return
    owner, tied = turn
    foe = defender if owner == attacker else attacker
    leaving = [
        kind for kind in tied if any(g.ships.leaving[ship] >= 0 for ship in fleets[owner] if ship_kind(g, ship) == kind)
    ]
    pick: Attack | Retreat = Attack(PIECES[tied[0]])
    if leaving:
        retreat.depart(g, tile, owner, leaving)
        g.then(["strike", tile, attacker, defender, round, acted | acted_bit(owner == attacker, leaving[0])])
        return
    if owner != NOBODY:
        choose = Engage(Seat(owner), g.const.sector_ids[tile], round, tuple(PIECES[kind] for kind in tied))
        options = choose.options(g)
        pick = (yield from ask(choose)) if len(options) > 1 else options[0]
    kind = PIECES.index(pick.ship)
    if isinstance(pick, Retreat):
        retreat.set_out(g, tile, owner, kind, g.const.sector_index[pick.sector])
    else:
        yield from fire(g, tile, owner, foe, kind, CANNONS if round else MISSILES)
    g.then(["strike", tile, attacker, defender, round, acted | acted_bit(owner == attacker, kind)])


def _next_round(g: Eclipse, tile: int, attacker: int, defender: int, round: int) -> None:
    """Begin an engagement round, unless no ship can fire any longer."""
    sector = g.const.sector_ids[tile]
    if retreat.stalled(g, tile, attacker, defender):
        g.tell("combat/stalemate", sector=sector, attacker=attacker)
        ways_out: list[Item] = [["stalemate", tile, attacker, kind] for kind in kinds(g, tile, attacker)]
        g.then(*ways_out)
    else:
        g.tell("combat/round", sector=sector, round=round)
        g.then(["strike", tile, attacker, defender, round, 0])


def fire(g: Eclipse, tile: int, owner: int, foe: int, kind: int, weapons: int) -> Rule[None]:
    """All ships of a type roll their cannons, or missiles; then each hit goes to a ship."""
    sector = g.const.sector_ids[tile]
    can = ship_stats(g, owner, kind)
    colours = dice(can, weapons) * sum(ship_kind(g, ship) == kind for ship in present(g, tile)[owner])
    if not colours:
        g.tell("combat/unarmed", seat=owner, ship=PIECES[kind], sector=sector)
        return
    faces = yield from ask(Roll((FACES,) * len(colours), "combat"))
    targets = foes(g, tile, foe)
    names = tuple(COLOURS[colour] for colour in colours)
    g.tell(
        "combat/rolled",
        seat=owner,
        ship=PIECES[kind],
        sector=sector,
        weapons="missiles" if weapons == MISSILES else "cannons",
        dice=names,
        faces=faces,
        needs=needs(can[COMPUTER], targets),
    )
    faces = yield from rerolled(g, owner, tile, names, faces)
    split = weapons == CANNONS and owner != NOBODY and has_effect(g, owner, "antimatter-splitter")
    landed = shots(g, colours, faces, can[COMPUTER], targets, split)
    if owner == NOBODY:
        aims = aim_by_rule(landed, can[COMPUTER], targets)
    else:
        choose = Assign(Seat(owner), sector, PIECES[kind], foe, landed)
        picks = (yield from ask(choose)) if choose.options(g) else ()
        aims = choose.aims(g, picks)
    suffer(g, tile, owner, foe, [(aim, damage) for aim, (damage, _) in zip(aims, landed, strict=True) if aim >= 0])


def foes(g: Eclipse, tile: int, owner: int) -> list[Foe]:
    """The ships of an owner as targets: the largest first, of equal ones the most damaged."""
    found: list[Foe] = []
    for ship in present(g, tile).get(owner, ()):
        kind = ship_kind(g, ship)
        can = ship_stats(g, owner, kind)
        found.append(Foe(ship, kind, can[SHIELD], can[HULL], g.ships.damage[ship]))
    return sorted(found, key=lambda foe: (SIZE[foe.kind], -foe.damage, foe.ship))


def needs(computer: int, targets: Sequence[Foe]) -> int:
    """The lowest number of a die that hits any of the targets."""
    faces = range(1, FACES + 1)
    return min(face for face in faces if face == FACES or any(hits(face, computer, foe.shield) for foe in targets))


def shots(
    g: Eclipse, colours: Sequence[int], faces: Sequence[int], computer: int, targets: Sequence[Foe], split: bool
) -> tuple[Shot, ...]:
    """The dice that hit anything, strongest and surest first; ``split`` makes single points of those of antimatter."""
    damage = [g.const.constants.dice_damage[colour] for colour in COLOURS]
    landed: list[Shot] = []
    for colour, face in zip(colours, faces, strict=True):
        if any(hits(face, computer, foe.shield) for foe in targets):
            landed += [(1, face)] * damage[colour] if split and colour == SPLIT else [(damage[colour], face)]
    return tuple(sorted(landed, reverse=True))


def suffer(g: Eclipse, tile: int, owner: int, foe: int, taken: Sequence[tuple[int, int]]) -> None:
    """Book damage, each as (place in :func:`foes`, points), and destroy the ships whose hull it exceeds."""
    sector, targets = g.const.sector_ids[tile], foes(g, tile, foe)
    for place, target in enumerate(targets):
        damage = sum(points for at, points in taken if at == place)
        if not damage:
            continue
        name = PIECES[target.kind]
        g.tell("combat/hit", seat=foe, ship=name, sector=sector, damage=damage, by=owner)
        if target.damage + damage <= target.hull:
            g.ships.damage[target.ship] += damage
            continue
        retreat.destroy(g, target.ship)
        g.tell("combat/destroyed", seat=foe, ship=name, sector=sector, by=owner)
        if foe != NOBODY and target.kind == STARBASE and has_ability(g, foe, "armed-orbitals"):
            population.kill(g, tile, population.ORBITAL_SQUARE)
            g.tell("combat/orbital-emptied", seat=foe, sector=sector, by=owner)
        reputation.credit(g, tile, owner, g.const.draws[target.kind])
    retreat.penalise(g, tile, foe)
