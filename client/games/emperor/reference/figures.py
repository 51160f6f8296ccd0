# SPDX-License-Identifier: GPL-3.0-or-later
"""An article for every number of Galactic Emperor, with its confidence: many are reconstructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.system.texts import N_, _
from client.words.reference import Article
from client.words.sure import SURE
from engine.emperor.tables import Numbers, Unit

FIGURES: Final = {
    "radius": N_("Spaces from the middle to the rim"),
    "homes": N_("Homes by seat, for so many players"),
    "empires": N_("Empire tokens of each player, for so many players"),
    "pool": N_("Points in the pool, for so many players"),
    "marks": N_("Marks at the start"),
    "metal": N_("Metal at the start"),
    "energy": N_("Energy at the start"),
    "fighters": N_("Fighters on the home at the start"),
    "metal_room": N_("Room for metal in a storage"),
    "energy_room": N_("Room for energy in a storage"),
    "food_room": N_("Room for food on a generating sector"),
    "extra_tiles": N_("Tiles face up beyond one for each player"),
    "shown": N_("Technologies of each type face up"),
    "round_marks": N_("Marks for everybody at the end of a round"),
    "merchant_marks": N_("Marks for the chooser of the Merchant"),
    "market_dice": N_("Dice of the Merchant"),
    "influence": N_("Influence that everybody draws in the Regent"),
    "influence_price": N_("Marks for one more influence"),
    "influence_step": N_("Marks that each purchase of influence adds to its price"),
    "full_storage": N_("Points for a full storage"),
    "most_marks": N_("Points for most Marks"),
    "most_marks_tied": N_("Points for most Marks when they are shared"),
    "battle": N_("Points for a battle won against a token"),
    "planet": N_("Points for each planet"),
    "duels": N_("How often a tie for the first place is fought again"),
    "prices.food": N_("Marks for food, by a die of 1 to 6"),
    "prices.metal": N_("Marks for metal, by a die of 1 to 6"),
    "prices.energy": N_("Marks for energy, by a die of 1 to 6"),
}
"""The titles of numbers, by their keys in the tables."""

COLUMNS: Final = {
    "supply": N_("how many there are"),
    "marks": N_("Marks"),
    "energy": N_("energy"),
    "move": N_("move"),
    "dice": N_("dice"),
    "hits": N_("what hits"),
    "phase": N_("phase"),
}
"""The titles of columns in the table of units."""


def figures(numbers: Numbers) -> Iterator[Article]:
    """An article for each number outside the table of units."""
    for key, title in FIGURES.items():
        name, _dot, part = key.partition(".")
        value = getattr(numbers, name)
        word = f"price-of-{part}" if part else key.replace("_", "-")
        text = _("Value: {value}").format(value=_shown(getattr(value, part) if part else value))
        yield Article(word, "figure", _(title), text, _(SURE[numbers.confidence[key]]))


def _shown(value: object) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "; ".join(f"{players}: {_shown(each)}" for players, each in dict(value).items())  # type: ignore[call-overload]


def unit_text(row: Unit, numbers: Numbers) -> str:
    """The stats of a ship or token, and the confidence of each number."""
    facts = [
        _("Fires in phase {phase}; dice: {dice}, each hits on {hits} or more.").format(
            phase=row.phase, dice=row.dice, hits=row.hits
        )
    ]
    columns = list(COLUMNS)
    if row.supply:
        facts.append(
            _("Each player has {supply}; price: Marks {marks}, energy {energy}; moves {move}.").format(
                supply=row.supply, marks=row.marks, energy=row.energy, move=row.move
            )
        )
    else:
        columns = ["dice", "hits", "phase"]
    by_sureness = {
        sure: [_(COLUMNS[column]) for column in columns if numbers.confidence[f"unit.{column}"] == sure]
        for sure in SURE
    }
    told = [f"{_(SURE[sure])} ({', '.join(names)})" for sure, names in by_sureness.items() if names]
    facts.append(_("How sure: {told}.").format(told="; ".join(told)))
    return " ".join(facts)
