# SPDX-License-Identifier: GPL-3.0-or-later
"""The position of a game of Rex, as columns.

Numbers index the tables of the city (``g.const``): faction, space, leader. "No seat" and "nowhere" are -1; a hidden
card is stored as 1 + its handle's index where 0 means none, and as the index in lists.

Position files
--------------
``round``    number (0 before the first), phase (0 setup, 1 influence … 7 bombardment, 8 over), first (holder of the
             first-player token), fleet (its sector, 0 before it is placed), location (Location card resolved last),
             located, ceasefires, offensives (cards discarded so far), prediction (1 + handle of Xxcha's sealed choice),
             sabotage (-1, or how far a saboteur makes the fleet move), blocked (abilities whose next use in this phase
             is cancelled), discards and removed (Strategy cards), ending ("" until the game is over), winners
``seats``    by seat: faction (-1 until picked), influence, reserve, casualties, mech_reserve, mech_casualties
             (Mechanized units), alliance (0, or 1 + its lowest seat), silent (1: done talking in this ceasefire),
             betrayal; hand and traitors (lists of handle indexes); by seat and other seat: proposed and offered (asked
             for an alliance, offered influence in this ceasefire)
``board``    by seat and space: units (normal), mech; by space: hidden (1: the Xxcha units there are face down),
             influence, broken (1: its shield is destroyed)
``leaders``  by leader: status (0 not in the game, 1 available, 2 casualty, 3 held by Lazax), fought (0, or 1 + the
             space where it has fought in this round), battles (how many it has fought in this round)
``battle``   the battle being fought (space -1: none); by side (0 who resolves it, 1 the opponent): seat, strength,
             dial (-1 not set), leader ("" not set, "nobody", a leader or "stand-in-officer"), officer (handle of the
             stand-in), intent, order (what Xxcha commands, such as "play energy-rifle"),
             pledge (what the answer to Jol-Nar fixed, such as "dial 3"), traitor (1: its traitor has been called by the
             other side); by side and kind (attack, defence): card, face ("" none)
"""

from __future__ import annotations

from typing import Annotated

from engine.core.agenda import State
from engine.core.sections import Column, Grid, Section, column, grid, section
from engine.rex.catalog import City
from engine.rex.ledger import COLUMN, PAYMENTS
from engine.rex.terms import KINDS

__all__ = [
    "AVAILABLE",
    "CAPTURED",
    "CASUALTY",
    "NOBODY",
    "PHASES",
    "Battle",
    "Board",
    "Leaders",
    "Rex",
    "Round",
    "Seats",
]

NOBODY = -1
AVAILABLE, CASUALTY, CAPTURED = 1, 2, 3
PHASES = (
    "setup",
    "influence",
    "bidding",
    "recruitment",
    "maneuvering",
    "battle",
    "collection",
    "bombardment",
    "over",
)


@section
class Round(Section):
    number: int
    phase: int
    first: int
    fleet: int
    location: int
    located: int
    ceasefires: int
    offensives: int
    prediction: int
    sabotage: int
    blocked: list[str]
    discards: list[int]
    removed: list[int]
    ending: str
    winners: list[int]


@section
class Seats(Section):
    faction: Column
    influence: Column
    reserve: Column
    casualties: Column
    mech_reserve: Column
    mech_casualties: Column
    alliance: Column
    silent: Column
    betrayal: Column
    proposed: Annotated[Grid, "faction", "faction"]
    offered: Annotated[Grid, "faction", "faction"]
    hand: list[list[int]]
    traitors: list[list[int]]


@section
class Board(Section):
    units: Annotated[Grid, -1, "hidden"]
    mech: Annotated[Grid, -1, "hidden"]
    hidden: Column
    influence: Column
    broken: Column


@section
class Leaders(Section):
    status: Column
    fought: Column
    battles: Column


@section
class Battle(Section):
    space: int
    seat: Column
    strength: Column
    dial: Column
    officer: Column
    traitor: Column
    card: Annotated[Grid, "seat", len(KINDS)]
    leader: list[str]
    intent: list[str]
    order: list[str]
    pledge: list[str]
    face: list[str]

    @classmethod
    def none(cls) -> Battle:
        return cls(
            space=-1,
            seat=column([-1, -1]),
            strength=column([0, 0]),
            dial=column([-1, -1]),
            officer=column([0, 0]),
            traitor=column([0, 0]),
            card=grid(2, len(KINDS)),
            leader=["", ""],
            intent=["", ""],
            order=["", ""],
            pledge=["", ""],
            face=[""] * (2 * len(KINDS)),
        )

    def opened(self, side: int) -> list[str]:
        """The faces of a side's cards by kind, "" for one that is not played or not opened yet."""
        return self.face[len(KINDS) * side : len(KINDS) * (side + 1)]

    def open(self, side: int, kind: int, face: str) -> None:
        """A card of a side is opened."""
        self.face[len(KINDS) * side + kind] = face


class Rex(State):
    """Root of a position."""

    __slots__ = ("battle", "board", "leaders", "round", "seats")
    const: City
    round: Round
    seats: Seats
    board: Board
    leaders: Leaders
    battle: Battle

    def tell(self, event: str, **args: int | str | tuple[int | str, ...] | None) -> None:
        """Add an event, and what it says of purses to the public ledger."""
        super().tell(event, **args)
        payment = PAYMENTS.get(event)
        if payment is not None:
            self.history = self.history.pay(COLUMN, self.table.seats, payment(self, args))
