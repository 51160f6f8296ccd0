# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds by requests of a page or a program: a JSON object with `act`, the id of a deed, and its arguments by name.

docs/API.md tells what a request holds and what it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from client.session.deeds import deed_of
from client.session.deeds.deed import Deed
from client.session.deeds.outcomes import Answer, Done, Errand, Given, Lacking, NotDone, Told
from client.session.session import Session
from client.show.document import Block
from client.show.lines import ROWS, lines
from client.show.styled import Line
from client.show.wall import Wall
from client.system.texts import _

Fields: TypeAlias = Mapping[str, Any]
Reply: TypeAlias = Mapping[str, Any]

WIDTH: Final = 100
"""Columns of lines."""


def requested(session: Session, fields: Fields, wall: Wall, own: Mapping[str, Deed] = {}) -> Reply:
    """Do what is requested. wall: receives the errors of failed drawings; own: deeds that a front does in its own way,
    by id."""
    name = fields.get("act")
    deed = own.get(name) or deed_of(session, name) if isinstance(name, str) else None
    given = None if deed is None else given_in(deed, fields)
    if deed is None:
        return unknown("act/unknown")
    if given is None:
        return unknown()
    if deed.drafted and fields.get("step") != session.asking.step:
        return failed(_("The table has gone on meanwhile; look again."), "act/late")
    if deed.about is not None and fields.get("sure") is not True:
        return failed(deed.about(), "act/sure")
    return replied(deed.do(session, given), wall)


def given_in(deed: Deed, fields: Fields) -> Given | None:
    """The arguments of a deed in a request; None if one is missing or of another kind."""
    given = {each.name: fields[each.name] for each in deed.arguments if each.name in fields}
    fits = (each.kind.fits(given[each.name]) if each.name in given else each.optional for each in deed.arguments)
    return given if all(fits) else None


def replied(answer: Answer, wall: Wall, width: int = WIDTH) -> Reply:
    """An answer as JSON, but for blocks, which `as_plain` makes plain. width: columns of lines."""
    match answer:
        case Done(text):
            return {"ok": True, "text": text} if text else {"ok": True}
        case Errand(_title, text, start):
            start(lambda _found: None)
            return {"ok": True, "text": text}
        case Told(title, document):
            no_lines, no_blocks = tuple[Line, ...](), tuple[Block, ...]()
            blocks = wall.drawn(lambda: tuple(document(width)), no_blocks)
            drawn = wall.drawn(lambda: tuple(lines(blocks, width, ROWS)), no_lines)
            if not drawn:
                return failed(_("This cannot be drawn now."))
            told = [[list(run) for run in line] for line in drawn]
            return {"ok": True, "title": title, "lines": told, "blocks": blocks}
        case Lacking(_argument, texts):
            return failed(" ".join(texts))
        case NotDone(text):
            return failed(text)


def failed(text: str, code: str = "act/refused") -> Reply:
    """The reply to what is not done, with the reason in words."""
    return {"ok": False, "code": code, "text": text}


def unknown(code: str = "act/fields") -> Reply:
    """The reply to a request that has another form."""
    return failed(_("The page asked for something that this starlock does not know; load it again."), code)
