# SPDX-License-Identifier: GPL-3.0-or-later
"""The choices of the start page: a new table, and the open and finished tables of this home.

A choice becomes a command line of starlock that the person could have typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import localtime, strftime
from typing import TYPE_CHECKING, Final

from client.bots import level_in
from client.show.styled import owner_letter
from client.system.errors import UserError
from client.system.names import clipped
from client.system.registry import GAMES
from client.system.texts import N_, _, ngettext
from client.words import term
from client.words.options import game_title, option_title, value_title
from client.words.rounds import round_text
from engine.core.dataclass import dataclass, field
from engine.core.handicap import HANDICAP, MOST_HANDICAP
from engine.core.registry import game

if TYPE_CHECKING:  # the network loads slowly
    from client.table.record import Record

USUAL: Final = 4
"""Default number of seats of a new table, if the game allows it."""
BOTS: Final = {
    "beginner": N_("1: they overlook much, and forget to act"),
    "casual": N_("2: they play well, and err at times"),
    "greedy": N_("3: they play to win, a step ahead"),
    "expert": N_("4: they think ahead"),
    "master": N_("5: they think ahead longest"),
    "random": N_("they do anything that is allowed"),
}
"""Levels of bots with their meanings, not yet translated; those for people first."""
LEVEL: Final = "greedy"
"""The default."""


@dataclass(frozen=True, slots=True)
class HomeTable:
    """A table of this home.

    Attributes:
        name: the name for `resume`, `post` or `report`.
        text: game, round and whose turn it is; of one that is over game and points, the winner first.
        by_post: True if it is played by post.
        lobby: id of the lobby to which its invitation leads, or led.
    """

    name: str
    text: str
    by_post: bool = False
    lobby: bytes = b""


@dataclass(slots=True)
class NewTable:
    """A form for a new table.

    Attributes:
        game: id of the game.
        seats: how many play.
        bots: level of the bots.
        friends: how many of the seats are for friends; None if the command does not ask.
        people: how many people play at this screen.
        options: values of table options that are not at their defaults.
    """

    game: str = next(iter(GAMES))
    seats: int = USUAL
    bots: str = LEVEL
    friends: int | None = None
    people: int = 1
    options: dict[str, str] = field(default_factory=dict)

    def choose_game(self, name: str) -> None:
        """Choose another game, with its usual number of seats and its defaults. The bots stay as good as they were."""
        self.game, self.options, self.bots = name, {}, level_in(name, self.bots)
        seats = game(name).seats
        self.sit(USUAL if USUAL in seats else seats[0])

    def sit(self, seats: int) -> None:
        """Set the number of seats, at least the number of people at this screen, and enough for the friends."""
        handicaps = [self.handicap(seat) for seat in range(seats)]
        self.seats, self.people = seats, min(self.people, seats)
        if self.options.get(HANDICAP.name):
            self._keep_handicaps(handicaps)
        if self.friends is not None:
            self.friends = min(self.friends, seats - 1)

    def set_option(self, name: str, value: str) -> None:
        self.options.pop(name, None)
        if value != next(option.default for option in game(self.game).options if option.name == name):
            self.options[name] = value

    def values(self) -> dict[str, str]:
        """Every option of the game with its value."""
        return {each.name: each.default for each in game(self.game).options} | self.options

    def handicap(self, seat: int) -> int:
        """What a seat gets more in each round."""
        said = self.options.get(HANDICAP.name, "").split(",")
        numbers = [int(number) for number in said if number.isascii() and number.isdecimal()]
        return numbers[seat] if seat < len(numbers) else 0

    def set_handicap(self, seat: int, number: str) -> None:
        numbers = [self.handicap(other) for other in range(self.seats)]
        numbers[seat] = int(number)
        self._keep_handicaps(numbers)

    def _keep_handicaps(self, numbers: Sequence[int]) -> None:
        self.set_option(HANDICAP.name, ",".join(map(str, numbers)) if any(numbers) else HANDICAP.default)

    def hindrance(self) -> str:
        """Why this table is not possible, "" if it is possible."""
        from client.table.options import settled

        try:
            settled(game(self.game), self.seats, [f"{name}={value}" for name, value in self.options.items()])
        except UserError as error:
            return error.message
        return ""

    def command(self, name: str) -> list[str]:
        """The command line of `play` or `host` for this table, as words."""
        words = [name, self.game, "--players", str(self.seats)]
        if name == "play":
            words += ["--bots", self.bots]
            words += ["--people", str(self.people)] if self.people > 1 else []
        elif self.friends is not None and self.friends < self.seats - 1:
            words += ["--bots", self.bots, "--friends", str(self.friends)]
        return words + [word for option, value in self.options.items() for word in ("-o", f"{option}={value}")]


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form, as every front shows it.

    Attributes:
        name: its id; of an option "option " and its name.
        values: what it can be, each with its title and what more there is to say of it; () for a text.
        fill: fills in a value.
        about: what it means.
        usual: its value where nobody has chosen another, "" where none is usual.
    """

    name: str
    title: str
    value: str
    values: Sequence[tuple[str, str, str]]
    fill: Callable[[str], object]
    about: str = ""
    usual: str = ""


def filled(fields: Iterable[FormField], name: str, value: str) -> bool:
    """Fill in the field of this name. Returns False if there is none, or it cannot have this value."""
    field = next((each for each in fields if each.name == name), None)
    if field is None or (field.values and value not in [each for each, *_about in field.values]):
        return False
    field.fill(value.strip())
    return True


def form_fields(form: NewTable) -> Iterator[FormField]:
    """Game, seats, friends, bots and people at this screen, and the options."""

    def fill(name: str, made: Callable[[str], object]) -> Callable[[str], None]:
        return lambda text: setattr(form, name, made(text))

    titles = [(name, game_title(name), "") for name in GAMES]
    yield FormField("game", _("game"), form.game, titles, form.choose_game)
    seats, friends = form.seats, form.friends
    yield FormField("seats", _("seats"), str(seats), _numbers(game(form.game).seats), lambda text: form.sit(int(text)))
    if friends is not None:
        left = seats - 1 - friends
        about = ngettext("{n} bot takes the last seat", "{n} bots take the last seats", left).format(n=left)
        yield FormField(
            "friends", _("friends who come"), str(friends), _numbers(range(seats)), fill("friends", int),
            about if left else "",
        )  # fmt: skip
    if friends != seats - 1:
        levels = [(name, name, about) for name, about in bots_of(form.game).items()]
        yield FormField("bots", _("bots"), form.bots, levels, fill("bots", str))
    if friends is None:
        numbers, people = _numbers(range(1, seats + 1)), str(form.people)
        yield FormField("people", _("people at this screen"), people, numbers, fill("people", int))
    yield from option_fields(form)


def _numbers(numbers: Sequence[int]) -> Sequence[tuple[str, str, str]]:
    return [(str(number), str(number), "") for number in numbers]


def option_fields(form: NewTable) -> Iterator[FormField]:
    """The options with their meanings; what each seat gets more in a round is a field for each."""
    for option in game(form.game).options:
        name, about = f"option {option.name}", term(option.help, form.game)
        if option == HANDICAP:
            for seat in range(form.seats):
                letter, fill = owner_letter(seat), partial(form.set_handicap, seat)
                title = _("handicap of seat {seat}").format(seat=letter)
                now, numbers = str(form.handicap(seat)), _numbers(range(MOST_HANDICAP + 1))
                yield FormField(f"{name} {letter}", title, now, numbers, fill, "" if seat else about, "0")
        else:
            title, now = option_title(option.name, form.game), form.options.get(option.name, option.default)
            values = [(each, value_title(option.name, each, form.game), "") for each in option.values or ()]
            yield FormField(name, title, now, values, partial(form.set_option, option.name), about, option.default)


def bots_of(game: str) -> dict[str, str]:
    """The levels of bots that a game has, each with what it means, and with the levels that are the same there."""
    told = {name: _(about) for name, about in BOTS.items() if level_in(game, name) == name}
    for name, about in told.items():
        same = [other for other in BOTS if other != name and level_in(game, other) == name]
        if same:
            told[name] = _("{about}; the same here: {levels}").format(about=about, levels=", ".join(same))
    return told


def open_tables(home: Path) -> list[HomeTable]:
    """The open tables of a home: lobbies, then the one played last first. UserError when a record cannot be read."""
    from client.table.open_lobby import open_lobbies
    from client.table.tables import looked_at

    records = looked_at(home)
    begun = [each.genesis.members[0].certificate.lobby for each in records]
    waits, past = _("{game}  waiting for friends in the lobby"), _("{game}  lobby; its ticket has expired")
    lobbies = [
        HomeTable(each.name, (past if each.expired else waits).format(game=game_title(each.game)), lobby=each.lobby)
        for each in open_lobbies(home, begun)
    ]
    rows = [(record, lobby) for record, lobby in zip(records, begun, strict=True) if record.state == "playing"]
    playing = [HomeTable(record.name, _state(record), record.by_post, lobby) for record, lobby in reversed(rows)]
    return [*lobbies, *playing]


def finished_tables(home: Path) -> list[HomeTable]:
    """The finished tables of a home, the last one first. UserError when a record cannot be read."""
    from client.table.tables import looked_at

    rows = [record for record in looked_at(home) if record.state in ("over", "finished")]
    return [HomeTable(record.name, _points(record)) for record in reversed(rows)]


def _points(record: Record) -> str:
    from client.table.result import Result

    result = Result.read(record.result)
    places = sorted(zip(result.ranks, result.names, result.scores, strict=True), key=lambda place: place[0])
    points = ", ".join(f"{clipped(name)} {score}" for _rank, name, score in places)
    return f"{game_title(record.genesis.game)}  {points}"


def _state(record: Record) -> str:
    parts = [game_title(record.genesis.game)]
    parts += filter(None, [round_text(record.genesis.game, record.round)])
    if record.to_move:
        parts.append(_("waiting for {names}").format(names=", ".join(map(clipped, record.to_move))))
    if record.since[1]:
        parts.append(_("since {moment}").format(moment=strftime("%Y-%m-%d %H:%M", localtime(record.since[1]))))
    if record.by_post:
        parts.append(_("by post"))
    return "  ".join(parts)
