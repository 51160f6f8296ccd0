# SPDX-License-Identifier: GPL-3.0-or-later
"""What a roll is for, in words. Its id, which the log and JSON keep, names it to the games."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from client.system.places import load
from client.system.registry import GAMES, game_client
from client.system.texts import _


@cache
def purposes() -> Mapping[str, str]:
    """What the rolls of all games are for, by their ids, marked for translation."""
    places = [place for game in GAMES if (place := game_client(game).rolls)]
    return {id: text for place in places for id, text in load(place).items()}


def purpose_text(tag: str) -> str:
    """What a roll is for; the id itself where no words are known."""
    return _(purposes()[tag]) if tag in purposes() else tag.replace("-", " ")
