# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of arguments: how each is read, listed and asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.session.deeds.deed import Kind
from client.session.filters import log_filters
from client.session.notation import yes_or_no
from client.session.orders import UNTIL, order_text
from client.session.session import Session
from client.system.names import BOT
from client.system.texts import _, pgettext
from client.table.player import elsewhere
from client.words.plain import number_of
from client.words.ways import DO

__all__ = ["BOTS", "FILE", "LOGGED", "MEMBER", "MEMBERS", "ORDER", "PROPOSAL", "STEP", "TEXT", "UNTIL_THEN", "YES"]


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return type(value) is int


# Players -------------------------------------------------------------------------------------------------------------


def seat_of(session: Session, text: str) -> int | None:
    """The seat with this letter or name."""
    return session.frame().seat(text) if text and session.table.controls is not None else None


def _others(session: Session) -> list[str]:
    return [] if session.table.controls is None else elsewhere(session.table.controls, session.table.names)


def _bots(session: Session) -> list[str]:
    return [name for name in session.table.names if name.endswith(BOT)]


def _named(session: Session, text: str, among: Sequence[str]) -> str | None:
    seat = seat_of(session, text)
    return session.table.names[seat] if seat is not None and session.table.names[seat] in among else None


def _members(session: Session, text: str) -> list[str] | None:
    """Several players: one whose name has blanks, or one for each word."""
    words = [text] if seat_of(session, text) is not None else text.split() or [""]
    found = [_named(session, word, _others(session)) for word in words]
    return None if None in found else list(dict.fromkeys(name for name in found if name is not None))


def _who(session: Session) -> str:
    return _("Say who, by letter or name: {names}").format(names=", ".join(_others(session)))


MEMBER: Final = Kind(
    "name of a player",
    lambda session, text: _named(session, text, _others(session)),
    _text,
    _who,
    lambda session: [(name, name) for name in _others(session)],
)
MEMBERS: Final = Kind(
    "list of names of players",
    _members,
    lambda value: isinstance(value, list) and bool(value) and all(map(_text, value)),
    _who,
    lambda session: [([name], name) for name in _others(session)],
)
BOTS: Final = Kind(
    "name of a bot",
    lambda session, text: _named(session, text, _bots(session)),
    _text,
    lambda session: _("Say which bot, by letter or name: {names}").format(names=", ".join(_bots(session))),
    lambda session: [(name, name) for name in _bots(session)],
)


# What is listed ------------------------------------------------------------------------------------------------------


def _proposals(session: Session) -> list[tuple[Any, str]]:
    return [(each.pact.id.hex(), each.text) for each in session.votes()]


def _orders(session: Session) -> list[tuple[Any, str]]:
    texts = [order_text(order, session.table.display_names) for order in session.asking.standing()]
    return [(text, text) for text in texts]


def _which_order(session: Session) -> str:
    return _("Say which: {do:lift} 1.").format(do=DO) if session.asking.standing() else _("There is no standing order.")


PROPOSAL: Final = Kind("id of a proposal", lambda _session, text: text, _text, choices=_proposals, listed=True)
ORDER: Final = Kind("text of an order", lambda _session, text: text, _text, _which_order, _orders, listed=True)


# Words, numbers, texts -----------------------------------------------------------------------------------------------


def _until(_session: Session, text: str) -> str | None:
    """The duration for a typed word."""
    own = {_("phase"): "phase", _("round"): "round", pgettext("until", "game"): "game"}
    word = own.get(text.lower(), text.lower())
    return word if word in UNTIL else None


UNTIL_THEN: Final = Kind(
    "phase, round or game",
    _until,
    lambda value: value in UNTIL,
    lambda _session: _("Say how long: phase, round or game."),
    lambda _session: [("phase", _("phase")), ("round", _("round")), ("game", pgettext("until", "game"))],
)
STEP: Final = Kind(
    "number of a step",
    lambda _session, text: number_of(text),
    _number,
    lambda _session: _("Say the step to go back to: the number that the log shows."),
)
INDEX: Final = Kind("index", lambda _session, text: number_of(text), _number)
YES: Final = Kind(
    "true or false",
    lambda _session, text: yes_or_no(text),
    lambda value: isinstance(value, bool),
    lambda _session: _("Say yes or no."),
    lambda _session: [(True, _("yes")), (False, _("no"))],
)
TEXT: Final = Kind("text", lambda _session, text: text, _text)
FILE: Final = Kind(
    "file", lambda _session, text: text, lambda _value: False, lambda _session: _("Name a file, or paste the text.")
)
LOGGED: Final = Kind(
    "filter of the log, a number or a word",
    lambda _session, text: text,
    _text,
    choices=lambda session: [(each.title, each.title) for each in log_filters(session)[1:]],
)
