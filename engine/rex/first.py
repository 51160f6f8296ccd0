# SPDX-License-Identifier: GPL-3.0-or-later
"""The beginning of set-up: the first player and the factions (rule document, 3)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value, ordered
from engine.core.waits import Choose, Roll
from engine.rex.city_map import turn_order
from engine.rex.options import fixed_factions
from engine.rex.reasons import reasons
from engine.rex.state import AVAILABLE, Rex
from engine.rex.words import record

__all__ = ["SEGMENTS"]


def first_player(g: Rex, *tied: int) -> Rule[None]:
    """Draw a Bombardment card for each seat. The lowest begins; ties draw again."""
    drawing = tied or tuple(range(g.table.seats))
    deck = list(g.const.numbers.bombardment)
    drawn = yield from ask(Roll(tuple(len(deck) - step for step in range(len(drawing))), "first-player"))
    cards = {seat: deck.pop(place - 1) for seat, place in zip(drawing, drawn, strict=True)}
    for seat, card in cards.items():
        g.tell("setup/drawn", seat=seat, number=card)
    lowest = [seat for seat, card in cards.items() if card == min(cards.values())]
    if len(lowest) > 1:
        g.then(["first-player", *lowest])
        return
    g.round.first = lowest[0]
    g.tell("setup/first-player", seat=lowest[0])


@record
class PickFaction(Choose[str]):
    """Which of the remaining factions to play."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ordered(row.id for at, row in enumerate(g.const.factions) if at not in g.seats.faction)

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        ids = [row.id for row in g.const.factions]
        return reasons(ids, self.options(g), lambda id: Refusal("setup/faction-taken", "", (id,)))

    def caretaker(self, g: Rex) -> str:
        return self.options(g)[0]


def factions(g: Rex) -> Rule[None]:
    """Factions as the table agreed: named, drawn, or picked from the first player on."""
    option = g.table.options["factions"]
    if option == "pick":
        g.then(*(["pick-faction", seat] for seat in turn_order(g)))
        return
    chosen = list(fixed_factions(option, g.const))
    if option == "random":
        left = list(range(len(g.const.factions)))
        drawn = yield from ask(Roll(tuple(len(left) - step for step in range(g.table.seats)), "factions"))
        chosen = [left.pop(place - 1) for place in drawn]
    for seat, at in enumerate(chosen):
        _become(g, seat, at)


def pick_faction(g: Rex, seat: Seat) -> Rule[None]:
    id = yield from ask(PickFaction(seat))
    _become(g, seat, g.const.faction_index[id])


def _become(g: Rex, seat: int, at: int) -> None:
    """Take the pieces of a faction: units in reserve, leaders, starting influence."""
    row = g.const.factions[at]
    g.seats.faction[seat] = at
    g.seats.reserve[seat] = row.units
    g.seats.mech_reserve[seat] = row.mechanized
    g.seats.influence[seat] = row.influence
    for leader in g.const.leaders_of[at]:
        g.leaders.status[leader] = AVAILABLE
    g.tell("setup/faction", seat=seat, faction=row.id)


SEGMENTS = {"first-player": first_player, "factions": factions, "pick-faction": pick_faction}
