# SPDX-License-Identifier: GPL-3.0-or-later
"""The display names of a table: custom content may name rows, and give an effect to another card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from client.system.names import shown
from client.system.places import load
from client.system.registry import game_client
from client.words.terms import term, texts
from engine.core.dataclass import dataclass, field
from engine.core.registry import GameSpec


@dataclass(frozen=True, slots=True)
class DisplayNames:
    """Names of things at one table, all safe to show.

    Attributes:
        game: the id of the game, "" for the texts common to all games.
        rows: the names from custom content, by id.
        cards: the row of the card with an effect, by the id of the effect.
    """

    game: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, id: str) -> str:
        """The name of a thing: from custom content, else the game's in the language in use."""
        return self.rows.get(id) or (self.effect(id) if id in self.cards else term(id, self.game))

    def effect(self, effect: str) -> str:
        """The name of the card that has an effect."""
        id = self.cards[effect].id if effect in self.cards else effect
        return self.rows.get(id) or term(id, self.game)

    def argument(self, name: str, id: str) -> str:
        """The name of what an argument of an event or a question names, with its price if it has one there."""
        prices = game_client(self.game).prices
        price = load(prices[name])(self.cards[id]) if name in prices and id in self.cards else ""
        return f"{self(id)}, {price}" if price else self(id)


class Filling(dict[str, str]):
    """The values for the names in a template; for an unknown name, the card with that effect."""

    def __init__(self, values: Mapping[str, str], display_names: DisplayNames) -> None:
        super().__init__(values)
        self._display_names = display_names

    def __missing__(self, name: str) -> str:
        card = self._display_names.effect(name)
        return f"{{{name}}}" if card == name else card


PLAIN: Final = DisplayNames()
"""The display names common to all games."""


def display_names_at(spec: GameSpec) -> DisplayNames:
    """The display names at a table of this game. An id that is also another term of the game keeps that term's name."""
    if spec.tables is None:
        return DisplayNames(spec.id)
    from engine.core.registry import game

    ours = {row.id: row.name for row in _rows(game(spec.id))}
    rows = list(_rows(spec))
    new = [
        row for row in rows if row.name != ours.get(row.id) and (row.id in ours or row.id not in texts(spec.id).terms)
    ]
    return DisplayNames(
        spec.id,
        {row.id: shown(row.name) for row in new},
        {row.effect: row for row in rows if hasattr(row, "effect")},
    )


def _rows(spec: GameSpec) -> Iterator[Any]:
    """All rows with an id and a name in the tables of a game."""
    if spec.tables is not None:
        content = spec.tables.content(spec.rules_version)
        for name in spec.tables.rows.values():
            yield from getattr(content, name)
