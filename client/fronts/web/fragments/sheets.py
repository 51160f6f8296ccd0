# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets: groups of cells. A cell with one pick is a button; of several picks one is chosen in a box over the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from client.fronts.web.fragments.html import Markup, el, hint

__all__ = ["sheet"]


def sheet(groups: Sequence[Mapping[str, Any]]) -> Markup:
    """The groups of a sheet; see `client.session.view`."""
    return el("div", *map(_group, groups), class_="sheet")


def _group(group: Mapping[str, Any]) -> Markup:
    cells = group["cells"]
    return el(
        "section",
        *([el("h3", group["title"], class_=group["look"] or None)] if group["title"] else []),
        *([el("p", group["note"], class_="hint")] if group["note"] else []),
        el("div", *map(_cell, cells), class_="cells"),
        *(_picks(cell) for cell in cells if len(cell["picks"]) > 1),
        class_="group",
    )


def _cell(cell: Mapping[str, Any]) -> Markup:
    inside = [el("span", cell["text"], class_=cell["look"] or None), hint(cell["note"])]
    if cell["share"] is not None:
        inside.append(el("meter", max=100, value=cell["share"], aria_label=f"{cell['text']} {cell['note']}"))
    match cell["picks"]:
        case []:
            return el("div", *inside, class_="cell")
        case [only]:
            return _pick(el("span", *inside), hint(only["text"]), only)
    return el("button", *inside, class_="cell", popovertarget=_name(cell))


def _picks(cell: Mapping[str, Any]) -> Markup:
    """What can be done with a cell, to be shown when it is clicked."""
    within = _name(cell)
    made = (_pick(el("span", one["text"]), hint(one["note"]), one, within) for one in cell["picks"])
    return el("div", el("h3", cell["text"]), *made, class_="picks", id=within, popover=True)


def _name(cell: Mapping[str, Any]) -> str:
    """The id of the element with what can be done with a cell."""
    return f"picks-{cell['picks'][0]['option']}"


def _pick(text: Markup, more: Markup, one: Mapping[str, Any], within: str | None = None) -> Markup:
    """A button that picks an option. within: what it closes, by its id."""
    about = {"title": one["note"], "data_option": one["option"], "popovertarget": within}
    return el("button", text, more, class_="cell", **about)
