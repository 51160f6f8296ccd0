# SPDX-License-Identifier: GPL-3.0-or-later
"""Eclipse: Second Dawn for the Galaxy as one :class:`~engine.core.registry.GameSpec`."""

from __future__ import annotations

from engine.core.cards import Handle
from engine.core.registry import GameSpec
from engine.core.rule import segments
from engine.core.values import Plain
from engine.eclipse import cleanup, combat, diplomacy, discovery, elimination, flow, scoring, setup, shrines, upkeep
from engine.eclipse.actions import build, explore, influence, move, research, upgrade
from engine.eclipse.event_ids import EVENTS
from engine.eclipse.events import black_hole, supernova
from engine.eclipse.options import OPTIONS, content_played, edition
from engine.eclipse.rulings import CORRECTIONS, RULINGS
from engine.eclipse.scoring import scores
from engine.eclipse.state import Eclipse
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
    {
        "research": research.research,
        "artifact-key": research.artifact_key,
        "ancient-labs": research.ancient_labs,
        "warp-portal": research.place_portal,
        "upgrade": upgrade.upgrade,
        "build": build.build,
        "after-action": diplomacy.after_action,
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


ECLIPSE2 = GameSpec(
    id="eclipse2",
    rules_version=2,
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
    corrections=CORRECTIONS,
    faces={"reputation": reputation_tile},
    notice=combat.reputation.notice,
)
"""The second edition."""
