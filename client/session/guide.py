# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice for a first game: what to look at, and what most people do."""

from __future__ import annotations

from client.session.session import Session
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _
from client.words.ways import DO


def advice_text(session: Session) -> str:
    """The advice about the present question, "" if there is none or the person wants none."""
    draft, controls = session.asking.draft, session.table.controls
    place = "" if controls is None else game_client(controls.genesis.game).guide
    if draft is None or draft.ask is None or not place or not session.guided:
        return ""
    advice: str = load(place).get(draft.ask.word, "")
    return _(advice).format(do=DO) if advice else ""
