# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds as buttons, lists and fields: each says what it does, and why it cannot be done now."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from client.session.deeds import DEEDS
from client.session.deeds.deed import ANSWERS, Deed
from client.session.deeds.looked import MADE
from client.session.session import Session
from client.session.start import FormField
from client.show.markup import Markup, el, hint
from client.system.texts import _, current
from client.words.ways import named

_written: Final = json.JSONEncoder(separators=(",", ":")).encode


def said(text: str) -> str:
    """A text with the titles of the deeds in it."""
    return named(text, lambda id: f"“{_(DEEDS[id].title)}”")


def do(act: str, **fields: object) -> str:
    """An action of the page, for `data-do`."""
    return _written({"act": act, **fields})


def button(*inside: str, key: bool = False, **attributes: object) -> Markup:
    """A button. key: True for the one that most people press next."""
    return el("button", *inside, class_=attributes.pop("class_", "key" if key else None), **attributes)


def row(*inside: str, **attributes: object) -> Markup:
    """Things side by side."""
    return el("div", *inside, class_=f"row {attributes.pop('class_', '')}".strip(), **attributes)


FILES: Final[Mapping[str, Mapping[str, object]]] = {id: {"data_own": "prove", "data_save": id} for id in MADE}
"""Deeds that make a file, which the browser fetches."""
PLACED: Final = frozenset({
    "send", "undo", "reset", "fight-on", "hold", "order", "lift", "here", "ready", "wish", "bot", "remove", "change",
    "doctor", "quit",
})  # fmt: skip
"""Deeds that stand beside what they are about. Of the others each with a title is a tab if it shows something, unless
it is about the answer, and stands in a list of its topic else."""
KEPT: Final = 512
"""Number of buttons to cache."""


def deed(id: str, session: Session | None = None, text: str = "", /, *, key: bool = False, **given: object) -> Markup:
    """The button of a deed; after what it will do, if it is final. session: to say why not now; text: instead of its
    title; key: True for the one that most people press next; given: its arguments, and what its title names."""
    one = DEEDS[id]
    title = text or _(one.title).format(**given)
    reason = "" if session is None else one.why_not(session, given)
    act: dict[str, object] = {each.name: given[each.name] for each in one.arguments if each.name in given}
    act |= {} if one.about is None else {"sure": True}
    does = FILES.get(id) or {"data_do": do(id, **act)}
    about = "" if one.about is None else one.about()
    return _made(current(), id, title, reason or _(one.does), bool(reason), key, about, *does.items())


def of_topics(*topics: str) -> Sequence[Deed]:
    """The deeds of the topics that stand in a list."""
    return [
        each
        for each in DEEDS.values()
        if each.topic in topics and each.title and each.id not in PLACED and (each.topic == ANSWERS or not each.shows)
    ]


def offered(one: Deed, session: Session) -> Markup:
    """A deed with what it needs: a button, a list to choose from, or fields."""
    needed = [each for each in one.arguments if not each.optional]
    if not needed:
        return deed(one.id, session)
    title, reason = _(one.title), one.why_not(session, {})
    choices = needed[0].kind.choices(session) if len(needed) == 1 else ()
    about = {"title": reason or _(one.does), "aria_label": title, "disabled": bool(reason)}
    if choices:
        options = (el("option", text, data_do=do(one.id, **{needed[0].name: value})) for value, text in choices)
        return el("select", el("option", title), *options, name=one.id, **about)
    hidden = el("input", type="hidden", name="deed", value=one.id)
    fields = (el("input", name=each.name, required=True, placeholder=_(one.usage), **about) for each in needed)
    return el("form", hidden, *fields, button(title, title=about["title"], disabled=bool(reason)), name="form")


def field(label: str, made: Markup, about: str = "") -> Markup:
    """A field with its label, and what more there is to say of it."""
    return el("label", el("span", label), made, *([hint(about)] if about else []), class_="field")


def entry(id: str, fill: str, value: str, **attributes: object) -> Markup:
    """A field for a text. fill: the name by which the page sends it."""
    return el("input", id=id, value=value, data_fill=fill, **attributes)


def filled_in(one: FormField) -> Markup:
    """A field of a form: a choice, or a text."""
    id, title = f"field-{one.name.replace(' ', '-')}", one.title[:1].upper() + one.title[1:]
    if not one.values:
        return field(title, entry(id, one.name, one.value), one.about)
    told = {value: f"{text}: {about}" if about else text for value, text, about in one.values}
    if one.usual in told:
        told[one.usual] += f" ({_('usual')})"
    options = (el("option", text, value=value, selected=value == one.value) for value, text in told.items())
    return field(title, el("select", *options, id=id, data_fill=one.name), one.about)


@lru_cache(KEPT)
def _made(
    _language: str, id: str, title: str, told: str, disabled: bool, key: bool, about: str, *does: tuple[str, object]
) -> Markup:
    """A button. Cached, since most states have it again. about: what a final deed will do, "" for others."""
    made = button(title, key=key, title=told, disabled=disabled, name=id, **dict(does))
    if not about:
        return made
    return el("details", el("summary", title), el("p", about), row(made), id=f"sure-{id}")
