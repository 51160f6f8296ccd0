# SPDX-License-Identifier: GPL-3.0-or-later
"""The deeds at home, before there is a table: new games, tables of friends, saved games, rules and odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from client.session.deeds.deed import PROGRAM, Argument, Deed, Kind
from client.session.deeds.outcomes import Answer, Errand, Given, done, looking, noted
from client.session.home import HomeModel, comes_back
from client.session.session import Session
from client.system.registry import GAMES
from client.system.texts import N_, _
from client.words.options import game_title

NO_TABLE: Final = N_("There is no such table here.")
TICKET: Final = Kind("ticket", lacking=lambda _session: _("ticket: "))
SHIPS: Final = Kind("two sides", lacking=lambda _session: _("odds: "))


def home_of(session: Session) -> HomeModel:
    """The home, for a deed that is done only there."""
    assert session.home is not None
    return session.home


def _one_of(word: str, made: type, choices: Callable[[Session], Sequence[tuple[Any, str]]], unknown: str) -> Kind:
    """One of few values of a type."""

    def read(session: Session, text: str) -> Any:
        return next((value for value, _title in choices(session) if str(value) == text), None)

    return Kind(word, read, lambda value: type(value) is made, choices=choices, unknown=unknown)


def _open(session: Session) -> list[tuple[Any, str]]:
    return [(table.name, f"{table.name}  {table.text}") for table in home_of(session).tables]


def _saved(session: Session) -> list[tuple[Any, str]]:
    finished = [(table.name, f"{table.name}  {table.text}") for table in home_of(session).finished]
    return [*finished, *_open(session)]


OPEN: Final = _one_of("name of an open table", str, _open, NO_TABLE)
SAVED: Final = Kind("name of a table, or a file", lacking=lambda _session: _("file or table: "), choices=_saved)
FOUND: Final = _one_of(
    "number of a table that was found", int, lambda session: [*enumerate(home_of(session).found or ())], NO_TABLE
)
GAME: Final = _one_of(
    "id of a game", str, lambda _session: [(name, game_title(name)) for name in GAMES], N_("There is no such game.")
)


def _new(command: str) -> Callable[[Session, Given], Answer]:
    def choose(session: Session, _given: Given) -> None:
        home = home_of(session)
        home.choose(*home.named(*home.form.command(command)))

    return done(choose)


def _impossible(session: Session, _given: Given) -> str:
    return home_of(session).form.hindrance()


def known_table(session: Session, given: Given) -> str:
    """Why a recorded game cannot be named: it is none of this home."""
    names = [value for value, _title in _saved(session)]
    return "" if given.get("file", "") in ("", *names) else _(NO_TABLE)


def _join(session: Session, given: Given) -> None:
    home, text = home_of(session), given["ticket"]
    home.choose(*(("resume", text) if comes_back(text, home.lobbies) else home.named("join", text)))


def _resume(session: Session, given: Given) -> None:
    home, name = home_of(session), given["name"]
    by_post = any(table.by_post for table in home.tables if table.name == name)
    home.choose("post" if by_post else "resume", name)


def _rules(_session: Session, given: Given) -> Answer:
    from client.session.lookup import article_texts
    from client.words.reference import entries

    texts = [text for each in entries(given["game"]) for text in (*article_texts(each), "")]
    return noted(game_title(given["game"]), texts, "  ")


def _doctor(session: Session, _given: Given) -> Answer:
    return looking(session, _("Network: what works from here"), home_of(session).errands.examine)


def _deed(id: str, title: str, run: Callable[[Session, Given], Answer], *arguments: Argument, **more: Any) -> Deed:
    return Deed(id, (), title, PROGRAM, run, "", title, arguments, before=True, **more)


def _printed(id: str, title: str, words: Callable[[Given], Sequence[str]], *arguments: Argument) -> Deed:

    def run(session: Session, given: Given) -> Answer:
        def start(heard: Callable[[Sequence[str]], None]) -> None:
            home_of(session).errands.answer(words(given), lambda text: heard(text.splitlines()))

        return Errand(_(title), _("One moment …"), start)

    return _deed(id, title, run, *arguments)


FILE: Final = Argument("file", SAVED)

_DEEDS: Final[Sequence[Deed]] = (
    _deed("resume", N_("Go on with a table"), done(_resume), Argument("name", OPEN)),
    _deed("play", N_("New game against bots"), _new("play"), hindrance=_impossible),
    _deed("host", N_("New game with friends: open a table and invite them"), _new("host"), hindrance=_impossible),
    _deed("nearby", N_("Tables on this network"), done(lambda session, _given: home_of(session).look())),
    _deed("knock", N_("Ask for the ticket"), done(lambda session, given: home_of(session).knock(given["number"])),
          Argument("number", FOUND)),
    _deed("join", N_("Join by a ticket: paste it"), done(_join), Argument("ticket", TICKET)),
    _deed("watch", N_("Watch a table without a seat"),
          done(lambda session, given: home_of(session).choose("watch", given["ticket"])), Argument("ticket", TICKET)),
    _deed("replay", N_("See a saved game or a table again"),
          done(lambda session, given: home_of(session).choose("replay", given["file"])), FILE),
    _printed("verify", N_("Verify a saved game or a table"), lambda given: ("verify", "--", given["file"]), FILE),
    _printed("odds", N_("Odds of a battle: name both sides"), lambda given: ("odds", "--", *given["text"].split()),
             Argument("text", SHIPS)),
    _deed("rules", N_("Rules in our own words"), _rules, Argument("game", GAME)),
    _printed("tables", N_("Your tables"), lambda _given: ("tables",)),
    _deed("doctor", N_("Network: what works from here"), _doctor),
    _printed("keys", N_("Your identity"), lambda _given: ("keys",)),
    _printed("config", N_("Settings"), lambda _given: ("config",)),
    _deed("quit", N_("Leave"), done(lambda session, _given: home_of(session).choose())),
)  # fmt: skip
AT_HOME: Final[Mapping[str, Deed]] = {each.id: each for each in _DEEDS}
"""Every deed at home by its id."""
