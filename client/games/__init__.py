"""One folder for each game: all that the client knows of it, as one record that one line here registers.

A game's folder has the same four parts, each free to be a module or more:

    show       its pictures (`client.show.pictures.Pictures`): maps, boards, hints, what an option means
    wording    its sentences: events, refusals, names of things, what is asked, what an option does
    reference  its rules in our own words, for `starlock rules` and the help at the table
    bot        how the greedy bot plays it

Nothing outside a game's folder names one of its things.  Everything in a record is found by `module:name` and imported
when it is first used, so that a bot needs no pictures.  A game without a record plays all the same: it is shown by its
ids, and its bots play at random.
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
"""Game id → where its record is."""


@dataclass(frozen=True, slots=True)
class GameClient:
    """What the client has for a game; places are written `module:name`, and "" stands for nothing.

    Attributes:
        title: what it is called, in English, marked for translation.
        texts: modules with `EVENTS`, `REFUSALS` and `TERMS`, see `client.wording`.
        prompts: word of a choice → what is asked.
        guide: word of a choice → advice for a first game.
        sides: id of a species or faction → what it is good at.
        easy: the ids of those that suit a first game.
        pictures: the game's `Pictures`.
        reference: the function that gives its entries, from its content where a table may have its own.
        behind: code of a refusal or its first part → word of the entry that it rests on.
        bot: the greedy bot's `answer(view, wait, rng)`.
        reasons: word of a choice → what decides the bot.
        weighed: the function that tells it with the figures of this choice, `weighed(view, wait, display_names)`.
        edition: the function that gives the content that battle odds are worked out from.
        endings: events that tell what ended the game, each with the argument that names it.
        seats: arguments of its events and choices that hold a seat's number or several, beside the common ones.
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
    reasons: str = ""
    weighed: str = ""
    edition: str = ""
    endings: Mapping[str, str] = field(default_factory=dict)
    seats: frozenset[str] = frozenset()
    by_seat: frozenset[str] = frozenset()


NONE: Final = GameClient()


def game_client(game: str) -> GameClient:
    """The record of a game; an empty one for a game that has none."""
    place = GAMES.get(game)
    found: GameClient = NONE if place is None else load(place)
    return found


@cache
def load(place: str) -> Any:
    """What stands at `module:name`."""
    module, name = place.split(":")
    return getattr(import_module(module), name)
