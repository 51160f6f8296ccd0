# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds before the table begins: readiness, wishes, bots, seats, options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from client.bots import level_in, missing_text
from client.session.deeds.deed import BEGINNING, Argument, Deed, Kind, unless
from client.session.deeds.kinds import YES, is_number
from client.session.deeds.outcomes import Answer, Done, Given, NotDone, done
from client.session.lobby import KnownLobby, closed_seats, wishes
from client.session.session import Session
from client.session.start import BOTS, NewTable, bots_of
from client.show.styled import owner_letter
from client.system.registry import GAMES
from client.system.texts import N_, NC_, _
from client.table.lobby_notices import LobbySeat
from client.table.player import LobbyControls
from client.words.options import option_title, value_title
from client.words.plain import number_of
from client.words.sides import side_text
from engine.core.registry import game


def _door(session: Session) -> LobbyControls:
    assert session.gathering.door is not None
    return session.gathering.door


def _lobby(session: Session) -> KnownLobby:
    return session.gathering.lobby or KnownLobby()


def _taken(session: Session) -> Mapping[int, LobbySeat]:
    return {place.seat: place for place in _lobby(session).places}


def _mine(session: Session) -> LobbySeat | None:
    return next((place for place in _lobby(session).places if place.mine), None)


def _free(session: Session) -> list[tuple[Any, str]]:
    taken = _taken(session)
    return [(seat, owner_letter(seat)) for seat in range(_lobby(session).seats) if seat not in taken]


def _others(session: Session) -> list[tuple[Any, str]]:
    return [(seat, place.name) for seat, place in _taken(session).items() if place.name and not place.mine]


def _seat(session: Session, text: str) -> int | None:
    at = ord(text.upper()) - ord("A") if len(text) == 1 else -1
    named = [seat for seat, name in _others(session) if name.casefold() == text.casefold()]
    return at if 0 <= at < _lobby(session).seats else next(iter(named), None)


def _wishes(session: Session) -> list[tuple[Any, str]]:
    game = _lobby(session).game
    about = [(one.word, f"{one.title}: {side_text(game, one.word)} {one.text}".strip()) for one in wishes(game)]
    return [("", _("no wish")), *about] if about else []


def _wished(session: Session, text: str) -> str | None:
    known = {name.partition(":")[0].casefold(): word for word, name in _wishes(session)}
    return known.get(text.casefold(), text if text in known.values() else None)


def _counts(session: Session) -> list[tuple[Any, str]]:
    lobby = _lobby(session)
    known = game(lobby.game).seats if lobby.game in GAMES else ()
    return [(n, str(n)) for n in known if n != lobby.seats and all(place.seat < n for place in lobby.places)]


def _values(session: Session) -> list[tuple[Any, str]]:
    """The options with each other value that they may have, where these are few."""
    lobby, now = _lobby(session), _chosen(session)
    known = game(lobby.game).options if lobby.game in GAMES else ()
    return [
        ({each.name: value}, f"{option_title(each.name, lobby.game)}: {value_title(each.name, value, lobby.game)}")
        for each in known
        for value in each.values or ()
        if value != now.get(each.name, each.default)
    ]


def _option(session: Session, text: str) -> Mapping[str, str] | None:
    """An option by what it is listed as, or typed as NAME=VALUE."""
    listed = {title.casefold(): value for value, title in _values(session)}
    return listed.get(text.casefold(), dict([text.split("=", 1)]) if "=" in text else None)


WISH: Final = Kind(
    "id of a side", _wished, choices=_wishes,
    lacking=lambda session: ", ".join(name.partition(":")[0] for _word, name in _wishes(session)),
    unknown=N_("Nobody can play that here."),
)  # fmt: skip
FREE: Final = Kind(
    "number of a free seat", _seat, is_number, lambda _session: _("Say which seat by its letter."), _free,
    unknown=N_("That seat is not free."),
)  # fmt: skip
BOT_LEVEL: Final = Kind(
    "name of a level",
    lambda _session, text: text if text in BOTS else None,
    lambda value: isinstance(value, str) and value in BOTS,
    lambda session: _("Say how it plays: {levels}").format(levels=", ".join(bots_of(_lobby(session).game))),
    lambda session: [(name, name) for name in bots_of(_lobby(session).game)],
)
TAKEN: Final = Kind(
    "number of a seat", _seat, is_number, lambda _session: _("Say which seat by its letter."), _others,
    unknown=N_("Nobody else has that seat."),
)  # fmt: skip
COUNT: Final = Kind(
    "number of seats", lambda _session, text: number_of(text), is_number, lambda _session: _("Say how many."), _counts
)
OPTIONS: Final = Kind(
    "map of options",
    _option,
    lambda value: isinstance(value, dict) and all(isinstance(each, str) for each in (*value, *value.values())),
    lambda session: ", ".join(f"{each.name}={each.value}" for each in _lobby(session).options),
    _values,
)


def _ready(session: Session, given: Given) -> None:
    mine = _mine(session)
    _door(session).ready(given.get("yes", mine is None or not mine.ready))


def _bot(session: Session, given: Given) -> Answer:
    add, free = _door(session).add_bot, [seat for seat, _name in _free(session)]
    assert add is not None
    wanted = [given["seat"]] if "seat" in given else reversed(free)
    game, level = _lobby(session).game, given.get("level", "")
    seat = next((seat for seat in wanted if add(seat, level_in(game, level))), None)
    if seat is None:
        return NotDone(_("No bot can sit down now."))
    said = _("A bot of your machine sits down on seat {seat}.").format(seat=owner_letter(seat))
    return Done(f"{said} {missing_text(game, level)}".rstrip())


def _no_bot(session: Session, _given: Given) -> str:
    if _door(session).add_bot is None:
        return _("Only the inviter can add a bot.")
    return "" if _free(session) else _("No seat is free.")


_UNCHANGED: Final = unless(
    lambda session: _door(session).change is not None, N_("Only the inviter can change the table.")
)


def _no_seats(session: Session, given: Given) -> str:
    lobby = _lobby(session)
    if why := _UNCHANGED(session, given):
        return why
    wanted = given.get("n", lobby.seats)
    if any(place.seat >= wanted for place in lobby.places):
        return _("Only the last seats can be closed, and somebody has one of them.")
    return "" if wanted <= lobby.seats + len(closed_seats(lobby)) else _("The game has no such number of seats.")


def wanted(lobby: KnownLobby) -> NewTable:
    """A form with what a lobby of a known game offers."""
    form = NewTable(lobby.game, lobby.seats)
    for option in lobby.options:
        form.set_option(option.name, option.value)
    return form


def _chosen(session: Session) -> Mapping[str, str]:
    return {option.name: option.value for option in _lobby(session).options}


def _changed(session: Session, seats: int, options: Mapping[str, str]) -> Answer:
    change = _door(session).change
    assert change is not None
    why = change(seats, options)
    return NotDone(why) if why else Done(_("The table has changed: everybody has to be ready again."))


DEEDS: Final[Sequence[Deed]] = (
    Deed("ready", (NC_("command", "ready"),), N_("say that the table may begin, or that it must wait"), BEGINNING,
         done(_ready), N_("[yes | no]"), N_("I am ready"), (Argument("yes", YES, optional=True),),
         unless(lambda session: _mine(session) is not None or not _lobby(session).places, N_("You have no seat yet."))),
    Deed("wish", (NC_("command", "wish"),), N_("say what you would like to play; it binds nobody"), BEGINNING,
         done(lambda session, given: session.gathering.wish_for(given["word"])), N_("SIDE"), N_("would like to play"),
         (Argument("word", WISH),), unless(_wishes, N_("There is nothing to wish for in this game."))),
    Deed("bot", (NC_("command", "bot"),), N_("let a bot of your machine take a free seat"), BEGINNING, _bot,
         N_("[SEAT [LEVEL]]"), N_("Let a bot sit here"),
         (Argument("seat", FREE, optional=True), Argument("level", BOT_LEVEL, optional=True)), _no_bot),
    Deed("remove", (NC_("command", "remove"),), N_("take the seat of somebody back"), BEGINNING,
         done(lambda session, given: _door(session).remove(given["seat"])), N_("SEAT"), N_("Take the seat back"),
         (Argument("seat", TAKEN),),
         unless(lambda session: _door(session).inviting, N_("Only the inviter can remove a player."))),
    Deed("seats", (NC_("command", "seats"),), N_("close the last seats, or open more"), BEGINNING,
         lambda session, given: _changed(session, given["n"], _chosen(session)), N_("N"), N_("Seats"),
         (Argument("n", COUNT),), _no_seats),
    Deed("change", (NC_("command", "set"),), N_("offer the table with another option"), BEGINNING,
         lambda session, given: _changed(session, _lobby(session).seats, {**_chosen(session), **given["options"]}),
         N_("NAME=VALUE"), N_("Options"), (Argument("options", OPTIONS),), _UNCHANGED),
)  # fmt: skip
