# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Eclipse, by the word of the choice."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

PROMPTS: Final[dict[str, str]] = {
    "answer-offer": N_("{asking} offers diplomatic relations. Accept with a cube for their ambassador, or decline?"),
    "assign": N_("Your {ship} in sector {sector} hits {foe}: which ship takes the next hit?"),
    "attack-population": N_("Attack the population of sector {sector}?"),
    "bring-back": N_("To which track does the cube return ({of})?"),
    "build": N_("Build {n} of {of}: what, and where?"),
    "engage": N_("Battle in sector {sector}: attack or retreat?"),
    "explore": N_("Explore {n} of {of}: which zone?"),
    "finish": N_("The action is done. Use colony ships, or go on?"),
    "influence": N_("Influence {n} of {of}: which disc goes where?"),
    "keep-tile": N_("Which reputation tile do you keep, and in which place?"),
    "kill-cubes": N_("Damage {damage} in sector {sector}: which cube is destroyed next?"),
    "look-again": N_("Look at a second sector for this zone?"),
    "make-money": N_("Money is short for the upkeep: trade, or give a sector up."),
    "menu": N_("Your turn: one action, or pass."),
    "move": N_("Move {n} of {of}: which ship goes where?"),
    "pick-species": N_("Which species do you play? The Terran ones are the easiest."),
    "place-portal": N_("Which sector gets the warp portal?"),
    "place-shrine": N_("Research: place a shrine beside a planet, or go on?"),
    "place-sector": N_("Place the sector, or discard it?"),
    "reappear": N_("Your {ship} comes out of the black hole: in which sector?"),
    "research": N_("Research {n} of {of}: which technology?"),
    "reroll-die": N_("Your dice in sector {sector} show {faces}: roll one again for a colony ship?"),
    "return-cube": N_("To which track does the cube from sector {sector} return?"),
    "settle": N_("Before income: use your colony ships, or stop."),
    "take-control": N_("Put an influence disc in sector {sector}?"),
    "take-discovery": N_("Discovery in sector {sector}: {discovery}. Use it, or keep it for points?"),
    "take-resources": N_("Artifact Key: five of which resource for each of {artifacts} artifacts?"),
    "upgrade": N_("Upgrade {n} of {of}: which part goes where?"),
    "withdraw": N_("Neither side can hurt the other: where do your ships go ({ship}, sector {sector})?"),
}
"""Word of a choice → question."""
