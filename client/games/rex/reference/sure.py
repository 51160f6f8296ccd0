# SPDX-License-Identifier: GPL-3.0-or-later
"""How sure the parts of a row are, in words: most rows are reconstructions in part."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_, _
from client.words.sure import SURE

PARTS: Final = {
    "adjacency": N_("roads"),
    "cards": N_("cards at the start"),
    "condition": N_("condition"),
    "count": N_("number of pieces"),
    "effect": N_("effect"),
    "hand": N_("hand limit"),
    "influence": N_("influence at the start"),
    "influence_value": N_("influence it brings"),
    "move": N_("range"),
    "name": N_("name"),
    "number": N_("number"),
    "pairing": N_("pair of spaces"),
    "recruits": N_("free recruits"),
    "sector": N_("its sector"),
    "shielded": N_("shield"),
    "start": N_("start"),
    "start space": N_("space at the start"),
    "stronghold": N_("whether it is a stronghold"),
    "values": N_("values"),
}
"""The texts for the parts of a row that a confidence names."""


def sure_text(confidence: str) -> str:
    """A row's confidence in words, such as "name agreed, effect single": each level with its parts."""
    by_level: dict[str, list[str]] = {}
    for said in confidence.replace(" / ", ", ").split(", "):
        part, _space, level = said.rpartition(" ")
        by_level.setdefault(level, []).extend([_(PARTS[part])] if part else [])
    levels = [(_(SURE[level]), parts) for level in SURE if (parts := by_level.get(level)) is not None]
    return "; ".join(f"{sure}: {', '.join(parts)}" if parts else sure for sure, parts in levels)
