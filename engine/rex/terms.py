# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed ids that rules name: decks, cards with an effect, abilities."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ABILITIES",
    "BETRAYAL",
    "BLUFF",
    "BOMBARDMENT",
    "INFLUENCE",
    "KINDS",
    "NO",
    "OFFICER",
    "PLASMA",
    "RETURN",
    "STOOD_IN",
    "STRATEGY",
    "TRAITOR",
]

STRATEGY, TRAITOR, BETRAYAL, INFLUENCE, BOMBARDMENT = "strategy", "traitor", "betrayal", "influence", "bombardment"
KINDS: Final = ("attack", "defence")
OFFICER, BLUFF, PLASMA = "stand-in-officer", "empty-crate", "plasma-annihilator"
NO = "no"
STOOD_IN = "stood-in"
"""Among the claims: what the seat says from here on is its stand-in's."""
RETURN = "return-hand"
"""The segment in which the hidden cards of a seat go back to their decks; it may stand anywhere in the agenda."""

ABILITIES: Final[dict[str, tuple[str, ...]]] = {
    "sol": ("sol-half-losses", "sol-peek", "sol-range", "sol-redeployment"),
    "lazax": ("lazax-capture", "lazax-income"),
    "hacan": ("hacan-half-price", "hacan-income", "hacan-relocation"),
    "xxcha": ("xxcha-charity", "xxcha-command", "xxcha-facing", "xxcha-shadow"),
    "jol-nar": ("jol-nar-foresight", "jol-nar-question", "jol-nar-sight"),
    "letnev": ("letnev-bonus",),
}
"""Abilities by faction that are used at a moment, so that one use can be cancelled (ruling cancellable)."""
