"""How sure the values of a game's content are, in words."""

from __future__ import annotations

from typing import Final

from client.texts import N_, _

__all__ = ["SURE", "sure_text"]

SURE: Final = {
    "agreed": N_("two sources or more agree"),
    "single": N_("one source"),
    "reconstructed": N_("reconstructed for this program"),
    "own": N_("this table's own"),
}
"""How sure a value is."""

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
"""Parts of a row, as its confidence names them."""


def sure_text(confidence: str) -> str:
    """A row's confidence, such as "name agreed, effect single": each way of being sure with the parts it holds for."""
    by_level: dict[str, list[str]] = {}
    for said in confidence.replace(" / ", ", ").split(", "):
        part, _space, level = said.rpartition(" ")
        by_level.setdefault(level, []).extend([_(PARTS[part])] if part else [])
    levels = [(_(SURE[level]), parts) for level in SURE if (parts := by_level.get(level)) is not None]
    return "; ".join(f"{sure}: {', '.join(parts)}" if parts else sure for sure, parts in levels)
