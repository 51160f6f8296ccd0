# SPDX-License-Identifier: GPL-3.0-or-later
"""What the client knows of Rex: pictures, texts, reference and bot."""

from __future__ import annotations

from typing import Final

from client.system.registry import GameClient
from client.system.texts import N_

REX: Final = GameClient(
    title=N_("Rex: Final Days of an Empire"),
    texts=("client.games.rex.wording.texts", "client.games.rex.wording.terms"),
    prompts="client.games.rex.wording.texts:PROMPTS",
    guide="client.games.rex.wording.guide:GUIDE",
    sides="client.games.rex.wording.factions:FACTIONS",
    easy="client.games.rex.wording.factions:EASY",
    pictures="client.games.rex.show.pictures:PICTURES",
    reference="client.games.rex.reference.articles:entries",
    chapters="client.games.rex.reference:CHAPTERS",
    behind="client.games.rex.reference:BEHIND",
    everyday="client.games.rex.reference:EVERYDAY",
    bot="client.games.rex.bot:answer",
    numbers="client.games.rex.bot.worth:NUMBERS",
    light="client.games.rex.bot.light:answer",
    reasons="client.games.rex.bot.reasons:REASONS",
    compared="client.games.rex.bot.march:compared",
    alike={"casual": "beginner", "master": "expert"},
    weigh="client.games.rex.bot.march:weigh",
    rolls="client.games.rex.wording.texts:ROLLS",
    played="faction",
    most_options=128,
    seats=frozenset({"foe", "partner", "winner"}),
    endings={"victory/won": "ending"},
    fouls=frozenset({"claim/false", "claim/struck"}),
)
