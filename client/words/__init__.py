# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts for codes: events, refusals and terms of the rules, in the language in use.

Rules and network use stable ids with named values. Each game has modules (`client.games`) with three tables of English
texts, marked for translation with `N_`; the texts of all games are in `core`:

EVENTS    event id → sentence with the event's arguments as `{name}`; `{seat}` and other seats appear as names;
          `id name=value` → the sentence for that value of an argument, lists with commas
REFUSALS  refusal code → sentence with the details as `{0}`, `{1}` … `{rest}` and the place as `{path}`
TERMS     kebab-case id of a piece, technology, resource …, or `deck/` and the id of a deck → its name; for titles of
          table options see `options`

A text that names a card by its effect has the effect in braces: `{time-warp}`. Custom content may give that card
another name, see :mod:`client.words.display_names`.

An id without a text is shown as it is, with its values; nothing is raised. A test lists such ids.

terms          the texts of a game by id
display_names  the names at a table, where custom content may have named things
core           texts common to all games: refusals of a table and errors in custom content too
asking         the question of a choice; `options`: titles of games and of table options
sides          the strengths of species and factions; `rolls`: what a roll is for
machines       whose machine holds which seats; `proof`: the findings of an audit
pacts          pacts of the members; leaving for good, going on alone
reference      the articles about a game, for `starlock rules` and the help at the table
sure           how certain the values of a game are; `rounds`: the round and the ending of a game, from its events
plain          what is typed: texts made alike for comparing, names of deeds
ways       deeds named in texts by their ids
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from client.system.registry import game_client
from client.system.texts import _, counted
from client.words.core import wanted_text
from client.words.display_names import PLAIN, DisplayNames, Filling, display_names_at
from client.words.terms import term, texts
from engine.core.errors import Refusal
from engine.core.events import Event

__all__ = ["PLAIN", "DisplayNames", "display_names_at", "event_text", "refusal_text", "seat_arguments", "term", "texts"]

SEATS: Final = frozenset({"seat", "seats", "by"})
"""Event arguments that hold a seat's number (or several) in all games."""


def seat_arguments(game: str) -> frozenset[str]:
    """Event arguments of a game that hold a seat's number, or several."""
    return SEATS | game_client(game).seats


def event_text(event: Event, names: Sequence[str], display_names: DisplayNames = PLAIN) -> str:
    """An event as a sentence. names: the names of the seats, safe to show."""
    shown = {name: _argument(name, value, names, display_names) for name, value in event.args.items()}
    if "needs" in event.args:
        shown["faces" if "faces" in event.args else "dice"] = _rolled(event, names, display_names)
    template = _template(event, texts(display_names.game).events)
    if template is None:
        return " ".join([event.id, *(f"{name}={value}" for name, value in shown.items())])
    text = counted(template, shown)
    told = text.format_map(Filling(shown, display_names))
    first = re.match(r"\{([^{}]+)\}", text)
    # Names of seats and spaces, and names from custom content, are not changed by the grammar of a sentence.
    signs = seat_arguments(display_names.game) | {"space"}
    named = first is not None and first[1] in signs and shown.get(first[1]) != display_names("neutral")
    as_it_is = named or (first is not None and first[1] not in shown)
    return told if as_it_is else told[:1].upper() + told[1:]


def refusal_text(refusal: Refusal, display_names: DisplayNames = PLAIN) -> str:
    """Why something is not possible, as a sentence."""
    # Unknown ids, and those of a file, are shown as they would be typed.
    typed = refusal.code.startswith(("option/unknown-", "content/"))
    details = [str(detail) if typed else display_names(str(detail)) for detail in refusal.detail]
    if refusal.code == "content/type":
        details[:1] = map(wanted_text, details[:1])
    template = texts(display_names.game).refusals.get(refusal.code)
    if template is None:
        return str(refusal)
    text = counted(template, dict(zip(map(str, range(len(details))), map(str, refusal.detail), strict=True)))
    padded = details + ["?"] * 8
    return text.format(*padded, rest=", ".join(details[1:]), all=", ".join(details), path=refusal.path)


def _template(event: Event, events: Mapping[str, str]) -> str | None:
    """The template of an event: the one for the value of an argument, else the general one."""
    for name, value in event.args.items():
        said = ",".join(map(str, value)) if isinstance(value, tuple | list) else value
        if template := events.get(f"{event.id} {name}={said}"):
            return template
    return events.get(event.id)


def _rolled(event: Event, names: Sequence[str], display_names: DisplayNames) -> str:
    """Each die with its colour, if they differ, its face and whether it hits: “yellow 6 hit, yellow 1 miss”; by seat
    where several roll: “Anna 6 hit, 1 miss; Bob 5 hit”."""
    dice, needs = event.args["dice"], event.args["needs"]
    faces = event.args.get("faces", dice)
    assert isinstance(dice, tuple)
    assert isinstance(faces, tuple)
    wanted = needs if isinstance(needs, tuple) else (needs,) * len(faces)
    colours = [f"{display_names(str(colour))} " for colour in dice] if "faces" in event.args else [""] * len(faces)
    told = [
        f"{colour}{face} {_('hit') if int(str(face)) >= int(str(least)) else _('miss')}"
        for colour, face, least in zip(colours, faces, wanted, strict=True)
    ]
    owners = event.args.get("seats")
    if not isinstance(owners, tuple):
        return ", ".join(told)
    runs = groupby(zip(owners, told, strict=True), key=itemgetter(0))
    return "; ".join(
        f"{_argument('seats', seat, names, display_names)} {', '.join(each for _seat, each in run)}"
        for seat, run in runs
    )


def _argument(name: str, value: object, names: Sequence[str], display_names: DisplayNames) -> str:
    if isinstance(value, tuple | list):
        if name in game_client(display_names.game).by_seat:
            value = [f"{names[seat]} {each}" for seat, each in enumerate(value) if each and seat < len(names)]
        told = [_argument(name, item, names, display_names) for item in value]
        if all(isinstance(item, str) for item in value):  # not dice, whose faces are told one by one
            runs = [(text, len([*run])) for text, run in groupby(told)]
            told = [f"{n} × {text}" if n > 1 else text for text, n in runs]
        return ", ".join(told) or _("none")
    if value is None:
        return "–"
    if name in seat_arguments(display_names.game) and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else display_names("neutral") if value < 0 else str(value)
    return display_names.argument(name, str(value))
