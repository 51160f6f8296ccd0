# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents: sheets as groups of cells, tables, notes, lines. A cell with one pick is a button; of several picks one is
chosen in a box over the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from client.fronts.web.fragments.html import Markup, el, hint, joined, runs
from client.show.document import Dial, dial_parts

__all__ = ["document", "sheet"]


def document(blocks: Sequence[Mapping[str, Any]]) -> Markup:
    """The blocks of a document, see `client.show.document`, one below the other; sheets in a row side by side."""
    return joined([_alike(kind, [*some]) for kind, some in groupby(blocks, itemgetter("kind"))])


def _alike(kind: str, blocks: Sequence[Mapping[str, Any]]) -> Markup:
    match kind:
        case "sheet":
            return sheet(blocks)
        case "dice":
            return sheet([_rolled(each) for each in blocks])
        case "table":
            return joined([_table(each) for each in blocks])
        case "tracks":
            return joined([el("table", *map(_track, each["tracks"])) for each in blocks])
        case "shelf":
            return joined([_table(_shelved(each)) for each in blocks])
        case "ships":
            return sheet([_ship(ship) for each in blocks for ship in each["ships"]])
        case "part":
            return joined([_part(each) for each in blocks])
        case "note":
            return joined([el("p", each["text"], class_=each["look"] or None) for each in blocks])
    return joined([el("div", runs(each["lines"]), class_="told") for each in blocks])


def _track(track: Mapping[str, Any]) -> Markup:
    """A track with what counts in bold, and its note below it."""
    cells = [
        el("td", el("b", text) if track["counts"] and at == track["at"] else text)
        for at, text in enumerate(track["cells"])
    ]
    note = el("tr", el("td"), el("td", track["note"], class_="hint", colspan=len(cells))) if track["note"] else Markup()
    return joined([el("tr", el("th", track["name"]), *cells), note])


def _ship(ship: Mapping[str, Any]) -> Mapping[str, Any]:
    """A ship as a sheet of its slots."""
    return {"title": ship["title"], "note": ", ".join(ship["facts"]), "look": "", "cells": ship["slots"], "dial": None}


def _rolled(roll: Mapping[str, Any]) -> Mapping[str, Any]:
    """Dice as a sheet of their faces."""
    cells = []
    for die in roll["dice"]:
        missed = " missed" * (die["hit"] is False)
        look = f"die-{die['colour'] or 'white'}{missed}"
        cells.append({"text": str(die["face"]), "note": "", "look": look, "picks": []})
    return {"title": roll["title"], "note": roll["note"], "look": roll["look"], "cells": cells, "dial": None}


def _shelved(shelf: Mapping[str, Any]) -> Mapping[str, Any]:
    """A shelf as a table."""

    def cells(row: Mapping[str, Any], look: str) -> list[Mapping[str, Any]]:
        looks = (("title", look), ("tail", look), ("gives", "hint"))
        return [{"text": row.get(name, ""), "look": style, "note": "", "share": None} for name, style in looks]

    return {"heads": cells(shelf, "title"), "rows": [cells(ware, ware["look"]) for ware in shelf["wares"]]}


def _part(part: Mapping[str, Any]) -> Markup:
    head = el("h3", part["title"], class_=part["look"] or None)
    return el("section", head, el("p", part["note"], class_="hint"), document(part["blocks"]))


def _table(block: Mapping[str, Any]) -> Markup:
    def row(name: str, cells: Sequence[Mapping[str, Any]]) -> Markup:
        return el("tr", *(el(name, *_inside(cell), class_=cell["look"] or None) for cell in cells))

    return el("table", *([row("th", block["heads"])] if block["heads"] else []), *(row("td", r) for r in block["rows"]))


def _inside(cell: Mapping[str, Any]) -> list[str]:
    """The text of a cell, and its share as a bar."""
    if cell["share"] is None:
        return [cell["text"]]
    return [cell["text"], " ", el("meter", max=100, value=cell["share"], aria_label=f"{cell['text']} {cell['note']}")]


def sheet(groups: Sequence[Mapping[str, Any]]) -> Markup:
    """The groups of a sheet; see `client.session.view_json`."""
    return el("div", *map(_group, groups), class_="sheet")


def _group(group: Mapping[str, Any]) -> Markup:
    cells = group["cells"]
    return el(
        "section",
        *([el("h3", group["title"], class_=group["look"] or None)] if group["title"] else []),
        *([el("p", group["note"], class_="hint")] if group["note"] else []),
        *([el("p", _dialled(group["dial"]))] if group["dial"] else []),
        el("div", *map(_cell, cells), class_="cells"),
        *(_picks(cell) for cell in cells if len(cell["picks"]) > 1),
        class_="group",
    )


def _dialled(dial: Mapping[str, Any]) -> str:
    """A dial in words."""
    parts = dial_parts(Dial(dial["name"], dial["at"], dial["most"]))
    return f"{dial['name']}: " + " ".join(text for text, _number in parts)


def _cell(cell: Mapping[str, Any]) -> Markup:
    inside = [el("span", cell["text"], class_=cell["look"] or None), hint(cell["note"])]
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
