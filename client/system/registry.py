# SPDX-License-Identifier: GPL-3.0-or-later
"""One folder for each game: everything that the client knows of it, as one record that one line here registers.

Each game's folder has the same four parts, each one module or more:

    show       its pictures (`client.show.pictures.Pictures`): maps, boards, hints, the meaning of options
    wording    its texts: events, refusals, names of things, questions, titles of options
    reference  its reference, for `starlock rules` and the help at the table
    bot        its greedy bot

No module outside a game's folder names a piece or card of the game. A record refers to its parts by `module:name`, and
they are imported at the first use, so that a bot needs no pictures. A game without a record can be played too: its ids
are shown, and its bots play at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from engine.core.dataclass import dataclass, field

__all__ = ["GAMES", "GameClient", "game_client", "load"]

GAMES: Final[dict[str, str]] = {
    "eclipse2": "client.games.eclipse:SECOND",
    "eclipse1": "client.games.eclipse:FIRST",
    "emperor": "client.games.emperor:EMPEROR",
    "rex": "client.games.rex:REX",
}
"""Game id → module and name of its record."""


@dataclass(frozen=True, slots=True)
class GameClient:
    """The client's parts for a game; places are written `module:name`, "" for none.

    Attributes:
        title: its title in English, marked for translation.
        texts: modules with `EVENTS`, `REFUSALS` and `TERMS`, see `client.words`.
        prompts: word of a choice → question.
        guide: word of a choice → advice for a first game.
        sides: id of a species or faction → its strengths.
        easy: the ids of those that suit a first game.
        pictures: the game's `Pictures`.
        reference: the function that returns its articles, given the content if the game accepts custom content.
        behind: code of a refusal or its first part → word of the article behind it.
        bot: the greedy bot's `answer(view, wait, rng, numbers)`.
        numbers: the numbers by which it values, `client.bots.numbers.Numbers`.
        light: the light policy's, for playouts.
        reasons: word of a choice → the bot's reason.
        weigh: `weigh(view, wait)` returns the answers that the greedy bot compares at a great question, each with its
            worth, the best first; none at other questions. It reads only what all seats know.
        learned: the choice by a learned value, `choose(view, wait, rng, budget)`; its module has `weigh` too.
        edition: the function that returns the content for battle odds.
        endings: the events that end the game, each with the argument that names the ending.
        seats: arguments of its events and choices that hold one or more seat numbers, besides the common ones.
        by_seat: arguments that hold one number for each seat.
    """

    title: str = ""
    texts: tuple[str, ...] = ()
    prompts: str = ""
    guide: str = ""
    sides: str = ""
    easy: str = ""
    pictures: str = ""
    reference: str = ""
    behind: str = ""
    bot: str = ""
    numbers: str = ""
    light: str = ""
    reasons: str = ""
    weigh: str = ""
    learned: str = ""
    edition: str = ""
    endings: Mapping[str, str] = field(default_factory=dict)
    seats: frozenset[str] = frozenset()
    by_seat: frozenset[str] = frozenset()


NONE: Final = GameClient()


def game_client(game: str) -> GameClient:
    """The record of a game; an empty one for a game without a record."""
    place = GAMES.get(game)
    found: GameClient = NONE if place is None else load(place)
    return found


@cache
def load(place: str) -> Any:
    """The object at `module:name`."""
    module, name = place.split(":")
    return getattr(import_module(module), name)
