# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of arguments of deeds: what is typed and clicked for them, and what they can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.session.deeds.deed import Kind
from client.session.notation import yes_or_no
from client.session.orders import UNTIL, order_text
from client.session.session import Session
from client.session.view import view_of
from client.system.names import BOT
from client.system.texts import N_, _, pgettext
from client.words.plain import DIGITS, number_of
from client.words.ways import DO


def is_number(value: object) -> bool:
    """True for a whole number in JSON, which true and false are not, with no more digits than may be typed."""
    return type(value) is int and abs(value) < 10**DIGITS


# Players -------------------------------------------------------------------------------------------------------------


def seat_of(session: Session, text: str) -> int | None:
    """The seat with this letter or name."""
    return session.frame().seat(text) if text and session.table.controls is not None else None


def _others(session: Session) -> list[tuple[int, str]]:
    """The players on other machines, each once: the number of the member, and the name."""
    controls = session.table.controls
    if controls is None:
        return []
    ways, members = controls.ways(), controls.members()
    there = (seat for seat in members if seat not in controls.seats and ways.get(seat) != "here")
    return [*dict.fromkeys((members[seat], controls.name(seat)) for seat in there)]


def name_of(session: Session, member: int) -> str:
    """The names of the players of a member."""
    from p2p.lockstep.genesis import JOINT  # the network loads slowly

    return JOINT.join(name for number, name in _others(session) if number == member)


def _bots(session: Session) -> list[tuple[int, str]]:
    return [(seat, name) for seat, name in enumerate(session.table.names) if name.endswith(BOT)]


def bot_of(session: Session, text: str) -> int | None:
    """The seat of the bot with this letter or name, None for anything else."""
    seat = seat_of(session, text)
    return seat if seat in dict(_bots(session)) else None


def _member(session: Session, text: str) -> int | None:
    """The number of the member on another machine that has the player with this letter or name."""
    seat, controls = seat_of(session, text), session.table.controls
    number = None if seat is None or controls is None else controls.members().get(seat)
    return number if number in dict(_others(session)) else None


def _members(session: Session, text: str) -> list[int] | None:
    """Several members: one whose name has blanks, or one for each word."""
    words = [text] if seat_of(session, text) is not None else text.split() or [""]
    found = [_member(session, word) for word in words]
    return None if None in found else list(dict.fromkeys(number for number in found if number is not None))


def _listed(players: Sequence[tuple[int, str]]) -> str:
    return ", ".join(name for _number, name in players)


def _who(session: Session) -> str:
    names = _listed(_others(session))
    return (
        _("Say who, by letter or name: {names}").format(names=names) if names else _("Nobody plays on another machine.")
    )


MEMBER: Final = Kind("number of a member", _member, is_number, _who, _others)
MEMBERS: Final = Kind(
    "list of numbers of members",
    _members,
    lambda value: isinstance(value, list) and bool(value) and all(map(is_number, value)),
    _who,
    lambda session: [([number], name) for number, name in _others(session)],
)
BOTS: Final = Kind(
    "seat of a bot",
    bot_of,
    is_number,
    lambda session: _("Say which bot, by letter or name: {names}").format(names=_listed(_bots(session))),
    _bots,
    unknown=N_("No bot sits there."),
)


def _orders(session: Session) -> list[tuple[Any, str]]:
    texts = [order_text(order, session.table.display_names) for order in session.asking.standing()]
    return [(text, text) for text in texts]


PROPOSAL: Final = Kind(
    "id of a proposal", choices=lambda session: [(each.id, each.text) for each in session.votes()], listed=True,
    unknown=N_("That proposal is not open any more."),
)  # fmt: skip
ORDER: Final = Kind(
    "text of an order", choices=_orders, listed=True,
    lacking=lambda session: _("Say which: {do:lift} 1.").format(do=DO) if session.asking.standing() else _(
        "There is no standing order."
    ),
    unknown=N_("There is no such standing order any more."),
)  # fmt: skip


# Words, numbers, texts -----------------------------------------------------------------------------------------------


def _until(_session: Session, text: str) -> str | None:
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
    is_number,
    lambda _session: _("Say which step, by the number that the log shows."),
)
INDEX: Final = Kind("index", lambda _session, text: number_of(text), is_number)
YES: Final = Kind(
    "true or false",
    lambda _session, text: yes_or_no(text),
    lambda value: isinstance(value, bool),
    lambda _session: _("Say yes or no."),
    lambda _session: [(True, _("yes")), (False, _("no"))],
)
TEXT: Final = Kind("text")
FILE: Final = Kind("file", fits=lambda _value: False, lacking=lambda _session: _("Name a file, or paste the text."))
LOGGED: Final = Kind(
    "filter of the log, a number or a word",
    choices=lambda session: [(each.title, each.title) for each in view_of(session).filters[1:]],
)
