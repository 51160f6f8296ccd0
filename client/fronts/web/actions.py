# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page asks to be done: deeds, see `client.session.deeds.requests`, and what the page needs besides.

    tab {name, …}    shows a deed that shows something, with its arguments as they are typed: the answer has `html`
    form {deed, …}   does a deed, with its arguments as they are typed
    past             as in docs/API.md, and as `html` the parts of the page that tell of it; `at` instead of `height`:
                     its index among the heights at which something is in the log
    fill {field, value}   offers the table with a field of the form of its options filled in, before it begins
    position, search, language: see docs/API.md

A deed about the draft that is sent again at once, as by a double click, does nothing and is answered alike. With
`html`: true, which the page sends, what shows something is answered as HTML too, and texts name deeds by their titles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from client.bots.position import asked_json, position_json, scores_json
from client.fronts.web.fragments.table import then
from client.session.deeds import DEEDS, deeds_of
from client.session.deeds.deed import Deed
from client.session.deeds.gathering import wanted
from client.session.deeds.others import alone_by
from client.session.deeds.outcomes import Given
from client.session.deeds.requests import Fields, Reply, failed, replied, requested, unfit
from client.session.past import heights_of, past_of
from client.session.session import Session
from client.session.start import filled, option_fields
from client.session.view import view_of
from client.show.html import document
from client.show.markup import Markup, el, joined
from client.show.pictures import Wall
from client.system.journal import Journal, no_log
from client.system.registry import GAMES
from client.system.texts import LANGUAGES, _, use

DONE: Final[Reply] = {"ok": True}


class UnreadableRequestError(Exception):
    """The request does not have the form in the module's docstring."""


def perform(session: Session, fields: Fields, log: Journal = no_log) -> Reply:
    """Do what the page asks. log: receives the errors of failed drawings."""
    wall, name = Wall(log), fields.get("act")
    if isinstance(name, str) and name in PAGE:
        run, needed = PAGE[name]
        try:
            return run(session, fields, wall)
        except UnreadableRequestError:
            return unfit(name, needed)
    if fields.get("html"):
        return _shown(requested(session, fields, wall, OWN, PAGE))
    return requested(session, fields, wall, OF_PROGRAM, PAGE)


def drafted(fields: Fields) -> bool:
    """True for a deed about the draft, which is not done twice."""
    deed = DEEDS.get(str(fields.get("act")))
    return deed is not None and deed.drafted


def _tab(session: Session, fields: Fields, wall: Wall) -> Reply:
    deed = deeds_of(session).get(text_of(fields, "name"))
    if deed is None or not deed.shows:
        raise UnreadableRequestError
    reply = replied(deed.do(session, _typed(session, deed, fields)), wall)
    return {"ok": True, "html": {"picture": joined([*_field(deed, fields), _drawn(reply, "picture")])}}


def _form(session: Session, fields: Fields, wall: Wall) -> Reply:
    deed = deeds_of(session).get(text_of(fields, "deed"))
    if deed is None:
        raise UnreadableRequestError
    given = _typed(session, deed, fields)
    lacking = next((each for each in deed.arguments if not each.optional and each.name not in given), None)
    if lacking is not None:
        return failed(lacking.kind.lacking(session))
    return _shown(requested(session, {**given, "act": deed.id, "step": fields.get("step")}, wall, OWN))


def _typed(session: Session, deed: Deed, fields: Fields) -> Given:
    """The arguments of a deed from what is typed for them."""
    texts = {each: fields.get(each.name) for each in deed.arguments}
    read = {each.name: each.kind.read(session, text) for each, text in texts.items() if isinstance(text, str) and text}
    return {name: value for name, value in read.items() if value is not None}


def _field(deed: Deed, typed: Fields) -> list[Markup]:
    """The field for what the deed may be asked about."""
    if not deed.usage or not deed.arguments:
        return []
    name = deed.arguments[0].name
    about = {"name": name, "value": typed.get(name, ""), "placeholder": _(deed.usage), "aria_label": _(deed.does)}
    return [el("form", el("input", **about), id="seek")]


def _shown(reply: Reply) -> Reply:
    """A reply with what it shows as HTML for the page."""
    return {**reply, "html": {"answer": _drawn(reply, "answer")}} if "lines" in reply else reply


def _drawn(reply: Reply, within: str) -> Markup:
    """Something to look at as HTML, or why not. within: the id of the element that shows it."""
    if not reply["ok"]:
        return el("p", reply["text"])
    return document(reply["blocks"], within)


def _past(session: Session, fields: Fields, _wall: Wall) -> Reply:
    at, heights = fields.get("at", fields.get("height")), heights_of(session)
    if type(at) is not int or ("at" in fields and not 0 <= at < len(heights)):
        raise UnreadableRequestError
    found = past_of(session, heights[at] if "at" in fields else at)
    if found is None:
        return failed(_("There is no such position."))
    return {"ok": True, **found, "html": then(found["height"], found["last"], found["told"])}


def _position(session: Session, _fields: Fields, _wall: Wall) -> Reply:
    shown = view_of(session)
    if shown.drawn is None:
        return failed(_("There is no such position."))
    draft, view = shown.draft, shown.drawn.view
    asked = None if draft is None or draft.ask is None else asked_json(view, draft.ask, draft.so_far)
    return {"ok": True, "position": position_json(view), "asked": asked, "scores": scores_json(view)}


def _fill(session: Session, fields: Fields, wall: Wall) -> Reply:
    lobby = view_of(session).lobby
    if lobby is None or lobby.game not in GAMES:
        raise UnreadableRequestError
    form = wanted(lobby)
    if not filled(option_fields(form), text_of(fields, "field"), text_of(fields, "value")):
        raise UnreadableRequestError
    return requested(session, {"act": "change", "options": form.values()}, wall)


def _search(session: Session, fields: Fields, _wall: Wall) -> Reply:
    choices = view_of(session).choices
    return {"ok": True, "options": [] if choices is None else sorted(choices.search(text_of(fields, "text")))}


def _language(session: Session, fields: Fields, _wall: Wall) -> Reply:
    speak(text_of(fields, "language"))
    session.reworded()
    return DONE


def speak(language: str) -> None:
    """Use this language from now on."""
    if language not in LANGUAGES:
        raise UnreadableRequestError
    use(language)


def text_of(fields: Fields, name: str) -> str:
    """A field that is a text. UnreadableRequestError."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise UnreadableRequestError
    return value


OWN: Final = {"alone": replace(DEEDS["alone"], run=alone_by("--web"))}
OF_PROGRAM: Final = {"alone": replace(DEEDS["alone"], run=alone_by("--api"))}
PAGE: Final[Mapping[str, tuple[Callable[[Session, Fields, Wall], Reply], str]]] = {
    "tab": (_tab, "name: id of an action that shows something; its fields as text"),
    "form": (_form, "deed: id of an action; its fields as text"),
    "fill": (_fill, "field: name of a field of the options; value: text"),
    "past": (_past, "height: number of a step"),
    "position": (_position, ""),
    "search": (_search, "text: text"),
    "language": (_language, f"language: {' or '.join(LANGUAGES)}"),
}
"""What the page asks for besides deeds, each with the fields that it needs besides `act`."""
