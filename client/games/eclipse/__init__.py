# SPDX-License-Identifier: GPL-3.0-or-later
"""What the client knows of Eclipse, both editions: pictures, texts, reference, bot, and odds of battles."""

from __future__ import annotations

from typing import Final

from client.system.registry import GameClient
from client.system.texts import N_
from engine.core.dataclass import replace

ECLIPSE2: Final = GameClient(
    title=N_("Eclipse, second edition"),
    texts=("client.games.eclipse.wording.texts", "client.games.eclipse.wording.expansions"),
    prompts="client.games.eclipse.wording.texts:PROMPTS",
    guide="client.games.eclipse.wording.guide:GUIDE",
    sides="client.games.eclipse.wording.species:SPECIES",
    easy="client.games.eclipse.wording.species:EASY",
    pictures="client.games.eclipse.show.pictures:PICTURES",
    reference="client.games.eclipse.reference.articles:entries",
    chapters="client.games.eclipse.reference:CHAPTERS",
    behind="client.games.eclipse.reference:BEHIND",
    everyday="client.games.eclipse.reference:EVERYDAY",
    bot="client.games.eclipse.bot:answer",
    numbers="client.games.eclipse.bot.worth:NUMBERS",
    light="client.games.eclipse.bot.light:answer",
    reasons="client.games.eclipse.bot.reasons:REASONS",
    weigh="client.games.eclipse.bot.reasons:weigh",
    compared="client.games.eclipse.bot.reasons:compared",
    learned="client.games.eclipse.bot.learned:choose",
    alike={"master": "expert"},
    odds="client.games.eclipse.odds:answered",
    ships="2 cruiser vs ancient",
    dice={"combat/rolled": ("seat", "faces", "dice"), "combat/bombarded": ("seat", "faces", "dice")},
    rolls="client.games.eclipse.wording.texts:ROLLS",
    played="species",
    most_options=512,
    seats=frozenset({"asking", "attacker", "defender", "foe", "owner", "partner", "start"}),
)
ECLIPSE1: Final = replace(
    ECLIPSE2,
    title=N_("Eclipse, first edition"),
    reference="client.games.eclipse.reference.first:entries",
)
