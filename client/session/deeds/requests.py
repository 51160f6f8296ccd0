# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds by requests of a page or a program: a JSON object with `act`, the id of a deed, and its arguments by name.

docs/API.md tells what a request holds and what it is answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from client.session.deeds import deeds_of
from client.session.deeds.deed import Deed
from client.session.deeds.kinds import FILE, is_number
from client.session.deeds.outcomes import Answer, Done, Errand, Given, Lacking, NotDone, Told
from client.session.session import Session
from client.show.document import Block
from client.show.lines import ROWS, lines
from client.show.pictures import Wall
from client.show.styled import Line
from client.system.names import shown
from client.system.texts import _

Fields: TypeAlias = Mapping[str, Any]
Reply: TypeAlias = Mapping[str, Any]

WIDTH: Final = 100
"""Columns of lines."""


def requested(
    session: Session, fields: Fields, wall: Wall, own: Mapping[str, Deed] = {}, more: Iterable[str] = ()
) -> Reply:
    """Do what is requested. wall: receives the errors of failed drawings; own: deeds that a front does in its own way,
    by id; more: the ids of its other actions."""
    name, deeds = fields.get("act"), {**deeds_of(session), **own}
    deed = deeds.get(name) if isinstance(name, str) else None
    given = None if deed is None else given_in(deed, fields)
    if deed is None or not requestable(deed):
        return unknown(name, [*(id for id, each in deeds.items() if requestable(each)), *more])
    step = fields.get("step")
    if given is None or (deed.drafted and not is_number(step)):
        return unfit(deed.id, fields_of(deed))
    if deed.drafted and step != session.asking.step:
        return failed(_("The table has gone on meanwhile; look again."), "act/late")
    if deed.about is not None and fields.get("sure") is not True:
        return failed(deed.about(), "act/sure")
    return replied(deed.do(session, given), wall)


def given_in(deed: Deed, fields: Fields) -> Given | None:
    """The arguments of a deed in a request; None if one is missing or of another kind."""
    given = {each.name: fields[each.name] for each in deed.arguments if each.name in fields}
    fits = (each.kind.fits(given[each.name]) if each.name in given else each.optional for each in deed.arguments)
    return given if all(fits) else None


def replied(answer: Answer, wall: Wall) -> Reply:
    """An answer as JSON, but for blocks, which `as_plain` makes plain."""
    match answer:
        case Done(text):
            return {"ok": True, "text": text} if text else {"ok": True}
        case Errand(_title, text, start):
            start(lambda _found: None)
            return {"ok": True, "text": text}
        case Told(title, document):
            no_lines, no_blocks = tuple[Line, ...](), tuple[Block, ...]()
            blocks = wall.drawn(lambda: tuple(document(WIDTH)), no_blocks)
            drawn = wall.drawn(lambda: tuple(lines(blocks, WIDTH, ROWS)), no_lines)
            if not drawn:
                return failed(_("This cannot be drawn now."))
            told = [[list(run) for run in line] for line in drawn]
            return {"ok": True, "title": title, "lines": told, "blocks": blocks}
        case Lacking(texts):
            return failed(" ".join(texts))
        case NotDone(text):
            return failed(text)


def requestable(deed: Deed) -> bool:
    """True for a deed that needs no file of this machine, which no request names."""
    return all(each.kind is not FILE or each.optional for each in deed.arguments)


def fields_of(deed: Deed) -> str:
    """What a request needs besides `act`, for programs: each field with its kind."""
    found = ["step"] if deed.drafted else []
    found += [
        f"{each.name}: {each.kind.word}{', may be left out' * each.optional}"
        for each in deed.arguments
        if each.kind is not FILE
    ]
    return "; ".join([*found, *(["sure: true"] if deed.about is not None else [])])


def failed(text: str, code: str = "act/refused") -> Reply:
    """The reply to what is not done, with the reason in words."""
    return {"ok": False, "code": code, "text": text}


def unknown(name: object, known: Iterable[str]) -> Reply:
    """The reply to a request for an action that there is not. known: the ids of those that there are."""
    text = _("There is no action “{name}”. There are: {known}.")
    return failed(text.format(name=shown(str(name)), known=", ".join(known)), "act/unknown")


def unfit(name: str, fields: str) -> Reply:
    """The reply to a request whose fields are missing or of another kind. fields: those of the action of this name."""
    return failed(_("The action “{name}” has these fields: {fields}.").format(name=name, fields=fields), "act/fields")
