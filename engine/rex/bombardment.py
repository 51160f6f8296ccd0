# SPDX-License-Identifier: GPL-3.0-or-later
"""Bombardment phase: the fleet moves on and destroys what no shield covers (rule document, 5; ruling bombardment)."""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.rule import Rule, ask, mixed
from engine.core.waits import Deal, Reveal
from engine.rex.city_map import faction, scatter, shielded, units
from engine.rex.hands import use
from engine.rex.setup import return_bombardment
from engine.rex.state import Rex
from engine.rex.terms import BOMBARDMENT

__all__ = ["SEGMENTS"]


def bombardment(g: Rex) -> Rule[None]:
    """The first player draws how far the fleet goes, unless a saboteur has settled it; the card goes back."""
    if g.round.sabotage >= 0:
        sectors, g.round.sabotage = g.round.sabotage, -1
        advance(g, sectors)
        return
    yield from mixed(g.decks, BOMBARDMENT)
    (drawn,) = yield from ask(Deal(BOMBARDMENT, 1, Seat(g.round.first)))
    faces = yield from ask(Reveal((drawn,), BOMBARDMENT))
    number = faces[drawn]
    if number is None:  # nobody can open it any longer: draw again
        g.then(["bombardment"])
    else:
        g.tell("bombardment/drawn", number=number)
        advance(g, number)
    yield from return_bombardment(g, drawn)


def advance(g: Rex, sectors: int) -> None:
    """The fleet goes clockwise, sector by sector."""
    spared = not _half_losses(g, sectors)
    for _ in range(sectors):
        g.round.fleet = g.round.fleet % g.const.numbers.sectors + 1
        g.tell("bombardment/sector", sector=g.round.fleet)
        for space in g.const.sector_spaces[g.round.fleet]:
            if not shielded(g, space):
                hit(g, space, spared)


def _half_losses(g: Rex, sectors: int) -> bool:
    """True if Sol loses only half of its units in this phase: its power is used when the fleet reaches any of them."""
    ahead = [(g.round.fleet + step - 1) % g.const.numbers.sectors + 1 for step in range(1, sectors + 1)]
    for seat in range(g.table.seats):
        exposed = (
            space
            for sector in ahead
            for space in g.const.sector_spaces[sector]
            if not shielded(g, space) and units(g, seat, space)
        )
        if faction(g, seat) == "sol" and any(True for _ in exposed):
            return use(g, seat, "sol-half-losses")
    return True


def hit(g: Rex, space: int, all_lost: bool) -> None:
    """Units and influence of a space are destroyed; Sol loses half of its units there, rounded down."""
    id = g.const.spaces[space].id
    if g.board.influence[space]:
        g.tell("bombardment/influence-lost", space=id, influence=g.board.influence[space])
        g.board.influence[space] = 0
    for seat in range(g.table.seats):
        normal, mech = g.board.units[seat, space], g.board.mech[seat, space]
        if faction(g, seat) == "sol" and not all_lost:
            normal //= 2
        if normal + mech:
            scatter(g, seat, space, normal, mech)
            g.tell("units/destroyed", seat=seat, space=id, units=normal + mech)


SEGMENTS = {"bombardment": bombardment}
