# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds as buttons: each says what it does, and why it cannot be done now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from client.fronts.web.fragments.html import Markup, button, do, el, row
from client.session.deeds import DEEDS
from client.session.session import Session
from client.system.texts import _, current

FILES: Final[Mapping[str, Mapping[str, object]]] = {"save": {"data_own": "prove", "data_save": True}}
"""Deeds that make a file, which the browser fetches."""
KEPT: Final = 512
"""Number of buttons to cache."""


def deed(id: str, session: Session | None = None, text: str = "", /, *, key: bool = False, **given: object) -> Markup:
    """The button of a deed; after what it will do, if it is final. session: to say why not now; text: instead of its
    title; key: True for the one that most people press next; given: its arguments, and what its title names."""
    one = DEEDS[id]
    title = text or _(one.title).format(**given)
    reason = "" if session is None else one.why_not(session, given)
    act: dict[str, object] = {each.name: given[each.name] for each in one.arguments if each.name in given}
    act |= {"html": True} if one.shows else {} if one.about is None else {"sure": True}
    does = FILES.get(id) or {"data_do": do(id, **act)}
    about = "" if one.about is None else one.about()
    return _made(current(), id, title, reason or _(one.does), bool(reason), key, about, *does.items())


@lru_cache(KEPT)
def _made(
    _language: str, id: str, title: str, told: str, disabled: bool, key: bool, about: str, *does: tuple[str, object]
) -> Markup:
    """A button. Cached, since most states have it again. about: what a final deed will do, "" for others."""
    made = button(title, key=key, title=told, disabled=disabled, name=id, **dict(does))
    if not about:
        return made
    return el("details", el("summary", title), el("p", about), row(made), id=f"sure-{id}")
