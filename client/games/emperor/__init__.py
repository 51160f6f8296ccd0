# SPDX-License-Identifier: GPL-3.0-or-later
"""What the client knows of Galactic Emperor: pictures, texts, reference and bot."""

from __future__ import annotations

from typing import Final

from client.system.registry import GameClient
from client.system.texts import N_

EMPEROR: Final = GameClient(
    title=N_("Galactic Emperor"),
    texts=("client.games.emperor.wording.texts",),
    prompts="client.games.emperor.wording.texts:PROMPTS",
    guide="client.games.emperor.wording.guide:GUIDE",
    pictures="client.games.emperor.show.pictures:PICTURES",
    reference="client.games.emperor.reference.articles:entries",
    chapters="client.games.emperor.reference:CHAPTERS",
    behind="client.games.emperor.reference:BEHIND",
    everyday="client.games.emperor.reference:EVERYDAY",
    bot="client.games.emperor.bot.turns:answer",
    numbers="client.games.emperor.bot.turns:NUMBERS",
    reasons="client.games.emperor.bot.reasons:REASONS",
    alike={"expert": "master"},
    planned=frozenset({"choose-role"}),
    weigh="client.games.emperor.bot.reasons:weigh",
    dice={"warlord/rolled": ("seats", "dice", "")},
    rolls="client.games.emperor.wording.texts:ROLLS",
    most_options=128,
    seats=frozenset({"attacker", "defender", "owner"}),
    by_seat=frozenset({"strengths"}),
    prices={"how": "client.games.emperor.wording.texts:price"},
    endings={"game/ending": "why"},
)
