# SPDX-License-Identifier: GPL-3.0-or-later
"""One folder for each game: everything that the client knows of it, as one record.

Each game's folder has the same four parts, each one module or more:

    show       its pictures (`client.show.pictures.Pictures`): maps, boards, hints, the meaning of options
    wording    its texts: events, refusals, names of things, questions, titles of options
    reference  its reference, for `starlock rules` and the help at the table
    bot        its greedy bot

No module outside a game's folder names a piece or card of the game. The record is found by the place of the game's
`GameSpec`: that of `engine.emperor.spec:EMPEROR` is `client.games.emperor:EMPEROR`; a game of an installed package has
it in the module `client` beside its own, under the same name. A record refers to its parts by `module:name`, and they
are imported at the first use, so that a bot needs no pictures. A game without a record can be played too: its ids are
shown, and its bots play at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Final

from client.system.errors import UserError
from client.system.packages import GAMES as PACKAGED
from client.system.packages import Point, forget, loaded, place_of, points, trouble
from client.system.places import load
from client.system.texts import _
from engine.core.dataclass import dataclass, field, fields_of
from engine.core.registry import GAMES as PLACES
from engine.core.registry import GameSpec


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
        chapters: the titles of the kinds of articles that only this game has, marked for translation.
        behind: code of a refusal or its first part → word of the article behind it.
        everyday: everyday words, with blanks between them and marked for translation → words of the articles for them.
        bot: the greedy bot's `answer(view, wait, rng, numbers)`.
        numbers: the numbers by which it values, `client.bots.numbers.Numbers`.
        light: the light policy's, for playouts.
        reasons: word of a choice → the bot's reason.
        weigh: `weigh(view, wait)` returns the answers that the greedy bot compares at a great question, each with its
            worth, the best first; none at other questions. It reads only what all seats know.
        compared: as `weigh`, with what the seat alone knows, for bots that err; "" where `weigh` leaves out nothing.
        alike: level of bots → the level that plays the same here. A game has all other levels of `client.bots.LEVELS`.
        planned: the words of the questions that are worth playouts: greedy's are quick there, and its words few.
        learned: the choice by a learned value, `choose(view, wait, rng, budget)`; its module has `weigh` too.
        odds: the odds of a battle between given ships, `answered(game, words, data)`: their text and their JSON, of the
            two sides in words or as JSON.
        ships: an example of two sides in words.
        dice: the events that tell battle dice, each with its arguments for the seat, or the seat of each die, for the
            faces, and for the colours, "" if all dice are alike.
        rolls: id of a roll → what it is for.
        played: the kind of those articles that a person may wish to play, "" if all seats are alike.
        endings: the events that end the game, each with the argument that names the ending.
        fouls: the events of cards that, once opened, contradict how they were used, besides those that all games have.
        seats: arguments of its events and choices that hold one or more seat numbers, besides the common ones.
        by_seat: arguments that hold one number for each seat.
        prices: arguments that name the effect of a card → `price(row)`: the price of using that card there, in words,
            "" without one.
        most_options: the most options of a stage of an answer, with any number of seats; a test plays 500 games below
            half of it. 0 if nobody has counted.
    """

    title: str = ""
    texts: tuple[str, ...] = ()
    prompts: str = ""
    guide: str = ""
    sides: str = ""
    easy: str = ""
    pictures: str = ""
    reference: str = ""
    chapters: str = ""
    behind: str = ""
    everyday: str = ""
    bot: str = ""
    numbers: str = ""
    light: str = ""
    reasons: str = ""
    weigh: str = ""
    compared: str = ""
    alike: Mapping[str, str] = field(default_factory=dict)
    planned: frozenset[str] = frozenset()
    learned: str = ""
    odds: str = ""
    ships: str = ""
    dice: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    rolls: str = ""
    played: str = ""
    endings: Mapping[str, str] = field(default_factory=dict)
    fouls: frozenset[str] = frozenset()
    seats: frozenset[str] = frozenset()
    by_seat: frozenset[str] = frozenset()
    prices: Mapping[str, str] = field(default_factory=dict)
    most_options: int = 0


NO_RECORD: Final = GameClient()
SAID: Final = frozenset({"title", "ships", "played"})
"""The parts of a record that are texts; the other texts are places."""


class Games(Mapping[str, str]):
    """Id of each game that can be played → module and name of its :class:`~engine.core.registry.GameSpec`.

    A game of a package is tried when it is first looked at: what fails there is no game here, and `trouble` tells why.
    """

    def __init__(self, places: dict[str, str]) -> None:
        self.places = places
        self._own = frozenset(places)
        self._brought: Mapping[str, tuple[Point, ...]] = {}
        self.find()

    def find(self) -> None:
        """Look for packages anew."""
        forget()
        for id in self._brought.keys() - self._own:
            self.places.pop(id, None)
        self._tried: dict[str, UserError | None] = {}
        self._brought = points(PACKAGED)
        for id, found in self._brought.items():
            self.places.setdefault(id, found[0].place)

    def trouble(self, id: str) -> UserError | None:
        """Why a package's game of that id cannot be played, None if it can or if no package brings one."""
        if id not in self._brought:
            return None
        if id not in self._tried:
            self._tried[id] = None  # what is imported meanwhile may look here
            try:
                self._try(id)
            except UserError as error:
                self._tried[id] = error
        return self._tried[id]

    def _try(self, id: str) -> None:
        found = self._brought[id]
        spec = loaded(found, taken=id in self._own)
        if not isinstance(spec, GameSpec) or spec.id != id:
            raise trouble(found[0], _("{place} is no GameSpec of that id").format(place=found[0].place))
        record = _record(found[0].place)
        client = NO_RECORD if record is None else place_of(found[0], record)
        if not isinstance(client, GameClient):
            raise trouble(found[0], _("{place} is no GameClient").format(place=record))
        for part in fields_of(GameClient).keys() - SAID:
            place = getattr(client, part)
            if isinstance(place, str) and place:
                place_of(found[0], place)
        for module in client.texts:
            for kind in ("EVENTS", "REFUSALS", "TERMS"):
                place_of(found[0], f"{module}:{kind}")

    def __getitem__(self, id: str) -> str:
        if id not in self:
            raise KeyError(id)
        return self.places[id]

    def __contains__(self, id: object) -> bool:
        return id in self.places and (id in self._own or self.trouble(str(id)) is None)

    def __iter__(self) -> Iterator[str]:
        return (id for id in self.places if id in self)

    def __len__(self) -> int:
        return sum(1 for _id in self)


GAMES: Final = Games(PLACES)
"""All games. What is added to `PLACES` later is among them."""


def game_client(game: str) -> GameClient:
    """The record of a game; an empty one for a game without a record."""
    place = _record(GAMES[game]) if game in GAMES else None
    found: GameClient = NO_RECORD if place is None else load(place)
    return found


@cache
def _record(place: str) -> str | None:
    """Where the record of the game at `module:name` stands, None if there is no such module."""
    module, _colon, name = place.partition(":")
    package, _dot, rest = module.partition(".")
    record = f"client.games.{rest.partition('.')[0]}" if package == "engine" else f"{package}.client"
    return f"{record}:{name}" if rest and find_spec(record) is not None else None
