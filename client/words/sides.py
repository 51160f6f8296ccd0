# SPDX-License-Identifier: GPL-3.0-or-later
"""The strengths of each species and faction, for choosing one; those that suit a first game are marked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _

MARK: Final = "★"


def side_text(game: str, side: str) -> str:
    """A sentence on the species or faction, with a mark if it is easy to play; "" where there is none."""
    client = game_client(game)
    text = load(client.sides).get(side, "") if client.sides else ""
    if not text:
        return ""
    easy: Collection[str] = load(client.easy)
    return _("{mark} easy for a first game. {text}").format(mark=MARK, text=_(text)) if side in easy else _(text)
