# SPDX-License-Identifier: GPL-3.0-or-later
"""Galactic Emperor as one :class:`~engine.core.registry.GameSpec`."""

from __future__ import annotations

from engine.core.registry import GameSpec
from engine.core.rule import segments
from engine.emperor import combat, custom_content, displace, duel, flow, scoring, setup
from engine.emperor.catalog import standard_id
from engine.emperor.event_ids import EVENTS
from engine.emperor.options import OPTIONS, catalog
from engine.emperor.roles import engineer, explorer, merchant, regent, scientist, steward, warlord
from engine.emperor.rulings import RULINGS
from engine.emperor.state import Emperor
from engine.emperor.tables import RULES
from engine.emperor.words import words

__all__ = ["EMPEROR"]


SEGMENTS = segments(
    *(
        part.SEGMENTS
        for part in (
            setup, flow, explorer, merchant, steward, engineer, warlord, combat, regent, scientist, displace, scoring,
            duel,
        )
    )
)  # fmt: skip
"""Every agenda item by name."""


EMPEROR = GameSpec(
    id="emperor",
    rules_version=RULES,
    seats=range(3, 7),
    words=words,
    state=Emperor,
    setup=setup.new_game,
    const=catalog,
    segments=SEGMENTS,
    scores=scoring.scores,
    content_id=standard_id,
    events=EVENTS,
    options=OPTIONS,
    rulings=RULINGS,
    tags=("fire", "market", "technologies", "throne", "tiles", "time-warp"),
    tables=custom_content.STANDARD,
)
"""The game for three to six players. It has no hidden cards, so it needs no notice when a player leaves."""
