# SPDX-License-Identifier: GPL-3.0-or-later
"""Eclipse: Second Dawn for the Galaxy as one :class:`~engine.core.registry.GameSpec`."""

from __future__ import annotations

from engine.core.cards import Handle
from engine.core.registry import GameSpec
from engine.core.rule import segments
from engine.core.values import Plain
from engine.eclipse import (
    cleanup,
    combat,
    diplomacy,
    discovery,
    elimination,
    flow,
    scoring,
    setup,
    shrines,
    species,
    upkeep,
)
from engine.eclipse.actions import build, explore, influence, move, research, upgrade
from engine.eclipse.event_ids import EVENTS
from engine.eclipse.events import black_hole, supernova
from engine.eclipse.options import OPTIONS, content_played, edition
from engine.eclipse.rulings import RULINGS
from engine.eclipse.scoring import scores
from engine.eclipse.state import Eclipse
from engine.eclipse.tables import SECOND_RULES
from engine.eclipse.words import words

__all__ = ["ECLIPSE2"]


SEGMENTS = segments(
    setup.SEGMENTS,
    flow.SEGMENTS,
    explore.SEGMENTS,
    influence.SEGMENTS,
    move.SEGMENTS,
    discovery.SEGMENTS,
    combat.SEGMENTS,
    black_hole.SEGMENTS,
    supernova.SEGMENTS,
    shrines.SEGMENTS,
    diplomacy.SEGMENTS,
    {
        "research": research.research,
        "artifact-key": research.artifact_key,
        "ancient-labs": research.ancient_labs,
        "warp-portal": research.place_portal,
        "upgrade": upgrade.upgrade,
        "build": build.build,
        "upkeep": upkeep.upkeep,
        "settle": upkeep.settle,
        "pay": upkeep.pay,
        "eliminate": elimination.eliminate,
        "cleanup": cleanup.cleanup,
        "bring-back": cleanup.bring_back,
        "final": scoring.final,
    },
)
"""Every agenda item by name."""


def reputation_tile(g: Eclipse, handle: Handle, card: Plain) -> bool:
    """A face of the reputation deck is a value of the bag."""
    return type(card) is int and card in g.const.reputation_bag


TAGS = (
    "black-hole", "bombard", "combat", "discovery", "reputation", "sector", "set-up", "supernova", "technologies",
)  # fmt: skip
"""Every tag of a roll, shuffle or reveal, of both editions."""


ECLIPSE2 = GameSpec(
    id="eclipse2",
    rules_version=SECOND_RULES,
    seats=range(2, 7),
    words=words,
    state=Eclipse,
    setup=setup.new_game,
    const=edition,
    segments=SEGMENTS,
    scores=scores,
    content_id=content_played,
    events=EVENTS,
    options=OPTIONS,
    rulings=RULINGS,
    tags=TAGS,
    faces={"reputation": reputation_tile},
    notice=combat.reputation.notice,
    sides=species.sides,
)
"""The second edition."""
