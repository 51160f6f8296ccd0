# SPDX-License-Identifier: GPL-3.0-or-later
"""Influence phase: cards are drawn until a Location card has been resolved (rule document, 5; ruling influence)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Handle, Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Deal, Reveal, Shuffle
from engine.rex.city_map import allied, bombarded, faction, scatter, seat_of, settleable, units
from engine.rex.hands import blocked, use
from engine.rex.reasons import COUNTS, no_rest, places, reasons
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import INFLUENCE
from engine.rex.words import record

__all__ = ["SEGMENTS", "join"]

STAY = "stay"


def draw_influence(g: Rex) -> Rule[None]:
    """Draw and resolve the top card."""
    (drawn,) = yield from ask(Deal(INFLUENCE, 1, Seat(g.round.first)))
    faces = yield from ask(Reveal((drawn,), INFLUENCE))
    if faces[drawn] is None:  # nobody can open it any longer: back into the deck
        g.then(["return-card", drawn.index], ["influence"])
        return
    card = g.const.influence[faces[drawn]]
    g.tell("influence/drawn", card=card.id)
    if card.kind == "location":
        resolve_location(g, card.id)
    elif card.kind == "ceasefire":
        again = g.round.number <= g.const.numbers.reshuffle_rounds
        g.round.ceasefires += not again
        g.then(["ceasefire"], *([["return-card", drawn.index]] if again else []), ["influence"])
    else:
        g.round.offensives += 1
        g.then(["offensive"], ["influence"])


def return_card(g: Rex, index: int) -> Rule[None]:
    """A card goes back and the deck is shuffled."""
    rest = g.decks.top(INFLUENCE, len(g.decks.order[INFLUENCE]))
    yield from ask(Shuffle(INFLUENCE, (*rest, Handle(INFLUENCE, index)), INFLUENCE))
    g.tell("influence/reshuffled", cards=len(rest) + 1)


def resolve_location(g: Rex, id: str) -> None:
    """Influence appears in both spaces, but not under the fleet; the card counts as the round's."""
    card = g.const.influence[id]
    for space, amount in zip(card.spaces, card.influence, strict=True):
        at = g.const.space_index[space]
        if bombarded(g, at):
            g.tell("influence/kept-away", space=space)
        else:
            g.board.influence[at] += amount
            g.tell("influence/placed", space=space, influence=amount)
    g.round.location = g.const.locations.index(id)
    g.round.located += 1


def offensive(g: Rex) -> None:
    """A Sol Offensive hits both spaces of the latest Location card; before the first one it hits nothing."""
    if g.round.location < 0:
        g.tell("offensive/misses", round=g.round.number)
        return
    for space in g.const.influence[g.const.locations[g.round.location]].spaces:
        g.then(["strike", g.const.space_index[space]])


@record
class Redeploy(Choose[tuple[Value, ...]]):
    """Asks for the number of Sol's units that leave the space, and their destination."""

    seat: Seat
    space: str
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        here = g.const.space_index[self.space]
        match so_far:
            case ():
                return [*range(1, units(g, self.seat, here) + 1), STAY]
            case (int(),):
                return sorted(
                    row.id for at, row in enumerate(g.const.spaces) if at != here and settleable(g, self.seat, at)
                )
        return ()

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        options, index = self.options(g, lens, so_far), g.const.space_index
        if not so_far:
            few = Refusal("maneuver/few-units", "", (self.space, units(g, self.seat, index[self.space])))
            return reasons(COUNTS[1:], options, lambda n: few)
        here = Refusal("maneuver/there-already", "", (self.space,))
        judge = lambda id: here if id == self.space else no_rest(g, self.seat, index[id])  # noqa: E731
        return reasons(places(g), options, judge) if options else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (STAY,)


def strike(g: Rex, space: int) -> Rule[None]:
    """Sol may lift its units out; then everybody's units but Sol's and its allies', and all influence, are gone."""
    sol, id = seat_of(g, "sol"), g.const.spaces[space].id
    if sol != NOBODY and units(g, sol, space):
        if blocked(g, "sol-redeployment"):
            use(g, sol, "sol-redeployment")
        else:
            count, *to = yield from ask(Redeploy(Seat(sol), id))
            if to:
                join(g, sol, space, g.const.space_index[to[0]], count, 0)
                g.tell("offensive/redeployed", seat=sol, space=id, to=to[0], units=count)
    g.tell("offensive/strikes", space=id, influence=g.board.influence[space])
    g.board.influence[space] = 0
    for seat in range(g.table.seats):
        lost = units(g, seat, space)
        if lost and not (faction(g, seat) == "sol" or (sol != NOBODY and allied(g, sol, seat))):
            scatter(g, seat, space, g.board.units[seat, space], g.board.mech[seat, space])
            g.tell("units/destroyed", seat=seat, space=id, units=lost)


def join(g: Rex, seat: int, start: int, to: int, normal: int, mech: int) -> None:
    """Units of one space go to another; they face as those they join, or as before when they join none."""
    if faction(g, seat) == "xxcha":
        if not units(g, seat, to):
            g.board.hidden[to] = g.board.hidden[start]
        if units(g, seat, start) == normal + mech:
            g.board.hidden[start] = 0
    for pieces, count in ((g.board.units, normal), (g.board.mech, mech)):
        pieces[seat, start] -= count
        pieces[seat, to] += count


SEGMENTS = {
    "influence": draw_influence,
    "return-card": return_card,
    "offensive": offensive,
    "strike": strike,
}
