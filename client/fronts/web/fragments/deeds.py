# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds as buttons: each says what it does, and why it cannot be done now."""

from __future__ import annotations

from client.fronts.web.fragments.html import Markup, button, do, el, row
from client.session.deeds import DEEDS
from client.session.session import Session
from client.system.texts import _

__all__ = ["deed"]


def deed(id: str, session: Session | None = None, text: str = "", /, *, key: bool = False, **given: object) -> Markup:
    """The button of a deed; after what it will do, if it is final. session: to say why not now; text: instead of its
    title; key: True for the one that most people press next; given: its arguments, and what its title names."""
    one = DEEDS[id]
    title = text or _(one.title).format(**given)
    reason = "" if session is None else one.why_not(session, given)
    act: dict[str, object] = {each.name: given[each.name] for each in one.arguments if each.name in given}
    act |= {"html": True} if one.shows else {} if one.about is None else {"sure": True}
    made = button(title, key=key, title=reason or _(one.does), disabled=bool(reason), name=id, data_do=do(id, **act))
    if one.about is None:
        return made
    return el("details", el("summary", title), el("p", one.about()), row(made), id=f"sure-{id}")
