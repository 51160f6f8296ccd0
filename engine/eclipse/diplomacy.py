# SPDX-License-Identifier: GPL-3.0-or-later
"""Diplomatic relations: offers, ambassadors, aggression and the traitor (rule document, 5; rules notes, Diplomacy)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value, ordered
from engine.core.waits import Choose
from engine.eclipse import population, sectors
from engine.eclipse.combat.reputation import DECK, put_back
from engine.eclipse.population import BringBack
from engine.eclipse.state import NOBODY, Eclipse, places_of
from engine.eclipse.terms import AMBASSADOR_ONLY, GRAY, REPUTATION_ONLY, RESOURCES, SQUARES
from engine.eclipse.words import record

__all__ = [
    "KEEP",
    "SEGMENTS",
    "AnswerOffer",
    "Exchange",
    "Offer",
    "after_action",
    "judge",
    "offer",
    "offers",
    "related",
]


KEEP = -1


@record
class Offer:
    """Offer relations: the cube I give, and the reputation tile (place on my track from 0) I return to make room, or
    -1."""

    partner: int
    cube: str
    returned: int


@record
class Exchange:
    """Accept: the cube I give, and the reputation tile I return to make room, or -1."""

    cube: str
    returned: int


def related(g: Eclipse, a: int, b: int) -> bool:
    """True if two seats have diplomatic relations."""
    return g.seats.envoys[a, b] > 0


def judge(g: Eclipse, seat: int, partner: int) -> Refusal | None:
    """Why these two cannot form relations now."""
    if not g.const.setups[g.table.seats].diplomacy:
        return Refusal("diplomacy/too-few-players")
    if g.seats.out[partner]:
        return Refusal("diplomacy/eliminated", "", (partner,))
    if related(g, seat, partner):
        return Refusal("diplomacy/related", "", (partner,))
    if g.round.traitor in (seat, partner):
        return Refusal("diplomacy/traitor", "", (g.round.traitor,))
    if g.seats.offered[seat] >> partner & 1:
        return Refusal("diplomacy/offered", "", (partner,))
    if partner not in _neighbours(g, seat):
        return Refusal("diplomacy/no-border", "", (partner,))
    for one in (seat, partner):
        if not g.seats.ambassadors[one]:
            return Refusal("diplomacy/no-ambassador", "", (one,))
        if not _terms(g, one):
            return Refusal("diplomacy/no-room", "", (one,))
    mixed = _mixed(g, seat, partner) or _mixed(g, partner, seat)
    return Refusal("diplomacy/ships", "", (partner,)) if mixed else None


def offers(g: Eclipse, seat: int) -> list[Offer]:
    """Offers a seat may make in its turn."""
    if not g.const.setups[g.table.seats].diplomacy:
        return []
    partners = [other for other in _neighbours(g, seat) if judge(g, seat, other) is None]
    return [Offer(partner, *terms) for partner in partners for terms in _terms(g, seat)]


def _neighbours(g: Eclipse, seat: int) -> list[int]:
    """Seats that control a sector connected in full with one of this seat's; half a connection by Wormhole Generator
    does not count.
    """
    owner, near = g.sectors.owner, sectors.graph(g).full
    met = {owner[other] for tile in sectors.controlled(g, seat) for other in near[tile]}
    return sorted(met - {NOBODY, seat})


def _mixed(g: Eclipse, a: int, b: int) -> bool:
    """True if a ship of ``a`` is where ``b`` controls or has a ship."""
    others = {place for place in places_of(g, b) if place != NOBODY}
    places = places_of(g, a)
    return any(place != NOBODY and (place in others or g.sectors.owner[place] == b) for place in places)


def _terms(g: Eclipse, seat: int) -> list[tuple[str, int]]:
    """What a seat could give: a cube of any track that has one, and the tile to return where its reputation track is
    full."""
    cubes = [name for resource, name in enumerate(RESOURCES) if g.seats.track[seat, resource]]
    spaces = g.const.reputation_spaces[g.seats.species[seat]]
    room = (
        [KEEP]
        if _free_place(g, seat) >= 0
        else [
            place
            for place, space in enumerate(spaces)
            if space != REPUTATION_ONLY and g.seats.reputation[seat, place] > 0
        ]
    )
    return [(cube, place) for cube in cubes for place in room]


def _free_place(g: Eclipse, seat: int) -> int:
    """Return the space of a new ambassador: one for ambassadors only before one for any tile, -1 if all are taken."""
    spaces = g.const.reputation_spaces[g.seats.species[seat]]
    free = [
        place for place, space in enumerate(spaces) if space != REPUTATION_ONLY and not g.seats.reputation[seat, place]
    ]
    return min(free, key=lambda place: (spaces[place] != AMBASSADOR_ONLY, place), default=-1)


@record
class AnswerOffer(Choose[Exchange | None]):
    """Accept relations with the seat that offers them, or decline (None)."""

    seat: Seat
    asking: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return ordered([None, *(Exchange(*terms) for terms in _terms(g, self.seat))])

    def caretaker(self, g: Eclipse) -> None:
        return None


def offer(g: Eclipse, seat: Seat, made: Offer) -> Rule[None]:
    """Offer relations in the middle of a turn; each partner is asked once a turn."""
    partner = Seat(made.partner)
    g.seats.offered[seat] |= 1 << partner
    g.tell("diplomacy/offered", seat=seat, partner=partner)
    answer = yield from ask(AnswerOffer(partner, seat))
    if answer is None:
        g.tell("diplomacy/declined", seat=partner, partner=seat)
        return
    returned: list[Handle] = []
    for giver, taker, terms in ((seat, partner, made), (partner, seat, answer)):
        returned += _make_room(g, giver, terms.returned)
        resource = RESOURCES.index(terms.cube)
        g.seats.track[giver, resource] -= 1
        g.seats.envoys[giver, taker] = 1 + resource
        g.seats.ambassadors[giver] -= 1
    for taker, giver in ((seat, partner), (partner, seat)):
        g.seats.reputation[taker, _free_place(g, taker)] = -1 - giver
    g.tell("diplomacy/formed", seat=seat, partner=partner, cube=made.cube, partner_cube=answer.cube)
    put_back(g, *returned)


def _make_room(g: Eclipse, seat: int, place: int) -> list[Handle]:
    """A reputation tile that returns to the bag, face down, if one has to."""
    if place == KEEP:
        return []
    tile, g.seats.reputation[seat, place] = Handle(DECK, g.seats.reputation[seat, place] - 1), 0
    g.tell("diplomacy/returned-tile", seat=seat)
    return [tile]


def after_action(g: Eclipse, seat: Seat) -> None:
    """At the end of an action: ships where a partner controls or has ships break relations, and the aggressor becomes
    the traitor."""
    g.seats.offered[seat] = 0
    for partner in partners(g, seat):
        if _mixed(g, seat, partner):
            g.then(["envoy-home", seat, partner], ["envoy-home", partner, seat])
            g.round.traitor = seat
            g.tell("diplomacy/traitor", seat=seat, partner=partner)


def partners(g: Eclipse, seat: int) -> Iterator[int]:
    """Seats with relations to this one."""
    return (other for other in range(g.table.seats) if other != seat and related(g, seat, other))


def envoy_home(g: Eclipse, seat: Seat, partner: Seat) -> Rule[None]:
    """The seat's ambassador and the cube on it return from a partner; the owner chooses among the tracks that may take
    the cube (ruling aggression)."""
    own = RESOURCES[g.seats.envoys[seat, partner] - 1]
    kind = SQUARES[GRAY] if g.const.constants.envoy_cubes == "any" else own
    found = population.returns(g, seat, kind)
    track = RESOURCES[found[0]] if len(found) == 1 else (yield from ask(BringBack(seat, kind)))
    g.seats.envoys[seat, partner] = 0
    g.seats.track[seat, RESOURCES.index(track)] += 1
    g.seats.ambassadors[seat] += 1
    g.seats.reputation[partner, row_of(g.seats.reputation, partner).index(-1 - seat)] = 0
    if track != own:
        g.tell("population/brought-back", seat=seat, square=own, cube=track)


SEGMENTS = {"after-action": after_action, "envoy-home": envoy_home}
