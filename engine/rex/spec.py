# SPDX-License-Identifier: GPL-3.0-or-later
"""Rex: Final Days of an Empire as one :class:`~engine.core.registry.GameSpec`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.cards import Handle
from engine.core.registry import GameSpec
from engine.core.rule import segments
from engine.core.values import Plain
from engine.rex import (
    alliances,
    battle,
    bidding,
    bombardment,
    collection,
    deployment,
    effects,
    first,
    flow,
    influence,
    maneuver,
    orders,
    plans,
    recruitment,
    setup,
    spoils,
    vacated,
    victory,
    windows,
)
from engine.rex.city_map import sides
from engine.rex.event_ids import EVENTS
from engine.rex.options import OPTIONS, city_of, content_played
from engine.rex.rulings import RULINGS
from engine.rex.state import PHASES, Rex
from engine.rex.tables import RULES
from engine.rex.terms import BETRAYAL, BOMBARDMENT, INFLUENCE, OFFICER, STRATEGY, TRAITOR
from engine.rex.words import words

__all__ = ["REX"]


SEGMENTS = segments(
    first.SEGMENTS,
    setup.SEGMENTS,
    flow.SEGMENTS,
    windows.SEGMENTS,
    effects.SEGMENTS,
    influence.SEGMENTS,
    alliances.SEGMENTS,
    bidding.SEGMENTS,
    recruitment.SEGMENTS,
    maneuver.SEGMENTS,
    deployment.SEGMENTS,
    battle.SEGMENTS,
    orders.SEGMENTS,
    plans.SEGMENTS,
    spoils.SEGMENTS,
    collection.SEGMENTS,
    bombardment.SEGMENTS,
    victory.SEGMENTS,
    vacated.SEGMENTS,
)
"""Every agenda item by name."""


def _is(card: str) -> Callable[[Rex, Handle, Plain], bool]:
    return lambda g, handle, face: face == card


def _own_leader(g: Rex, handle: Handle, face: Plain) -> bool:
    """A traitor card that shows a leader of its holder's own faction."""
    owner = next(seat for seat in range(g.table.seats) if handle.index in g.seats.traitors[seat])
    at = g.const.leader_index.get(face)
    return at in g.const.leaders_of[g.seats.faction[owner]]


FACES: dict[str, Callable[[Any, Handle, Plain], bool]] = {
    **{card: _is(card) for card in sorted((*effects.TARGETS, OFFICER))},
    "battle": plans.fits_plan,
    "own-leader": _own_leader,
    TRAITOR: battle.fits_call,
    BETRAYAL: victory.fits_betrayal,
    INFLUENCE: lambda g, handle, face: face in g.const.influence,
    BOMBARDMENT: lambda g, handle, face: face in g.const.numbers.bombardment,
}
"""For each kind of play, the test that an opened card is allowed there."""


TAGS = tuple(sorted({*FACES, STRATEGY, "capture", "factions", "final", "first-player", "sealed", "turncoat-medic"}))
"""Every tag of a roll, shuffle or reveal."""


def veil(g: Rex) -> tuple[str, ...]:
    """Influence is private until the game is won, unless a table option makes it public (document, 7)."""
    won = g.flow.now[:1] == ["betrayal"] or g.round.phase == PHASES.index("over")
    return () if won or g.table.options["open-influence"] == "on" else ("seats.influence",)


REX = GameSpec(
    id="rex",
    rules_version=RULES,
    seats=range(3, 7),
    words=words,
    state=Rex,
    setup=setup.new_game,
    const=city_of,
    segments=SEGMENTS,
    scores=victory.scores,
    content_id=content_played,
    events=EVENTS,
    veil=veil,
    options=OPTIONS,
    rulings=RULINGS,
    tags=TAGS,
    faces=FACES,
    notice=vacated.notice,
    sides=sides,
    claims=victory.claims_held,
)
"""The game."""
