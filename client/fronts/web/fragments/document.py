# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents: sheets as groups of cells, tables, notes, lines. A cell with one pick is a button; of several picks one is
chosen in a box over the page. A block with an id has an element with that id behind the one of what holds it.

Blocks with a title and a weight can be shut; shut, they tell what they hold. The script of the page opens those that
have room, the lightest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from client.fronts.web.fragments.html import Markup, el, hint, joined, runs
from client.show.document import Dial, dial_parts

__all__ = ["document"]


def document(blocks: Sequence[Mapping[str, Any]], within: str) -> Markup:
    """The blocks of a document, see `client.show.document`, one below the other; sheets in a row side by side. within:
    the id of the element that holds them."""
    made = []
    for (kind, shut), some in groupby(enumerate(blocks), _kept_apart):
        found = [_named(block, within) for _number, block in some]
        made.append(joined([*map(_shut, found)]) if shut else _alike(kind, found))
    return joined(made)


def _kept_apart(numbered: tuple[int, Mapping[str, Any]]) -> tuple[str, bool]:
    """The kind of a block, and whether it can be shut; the first block of a document cannot."""
    number, block = numbered
    return block["kind"], bool(number and block.get("weight") and block.get("title"))


def _named(block: Mapping[str, Any], within: str) -> Mapping[str, Any]:
    """A block with the id of its element, None for none, and with the one that holds the blocks in it."""
    id = f"{within}-{block['id']}" if block.get("id") else None
    return {**block, "id": id, "within": id or within}


def _shut(block: Mapping[str, Any]) -> Markup:
    head = el("summary", el("b", block["title"], class_=block["look"] or None), " ", hint(block["note"]))
    inside = _alike(block["kind"], [{**block, "title": "", "note": "", "id": None}])
    return el("details", head, inside, id=block["id"], data_weight=block["weight"])


def _alike(kind: str, blocks: Sequence[Mapping[str, Any]]) -> Markup:
    match kind:
        case "sheet":
            return _sheet(blocks)
        case "dice":
            return _sheet([_rolled(each) for each in blocks])
        case "table":
            return joined([_table(each) for each in blocks])
        case "tracks":
            return joined([el("table", *map(_track, each["tracks"]), id=each["id"]) for each in blocks])
        case "shelf":
            return joined([_table(_shelved(each)) for each in blocks])
        case "ships":
            return joined([_sheet([*map(_ship, each["ships"])], id=each["id"]) for each in blocks])
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
    return {**roll, "cells": cells, "dial": None}


def _shelved(shelf: Mapping[str, Any]) -> Mapping[str, Any]:
    """A shelf as a table."""

    def cells(row: Mapping[str, Any], look: str) -> list[Mapping[str, Any]]:
        looks = (("title", look), ("tail", look), ("gives", "hint"))
        return [{"text": row.get(name, ""), "look": style, "note": "", "share": None} for name, style in looks]

    rows = [cells(ware, ware["look"]) for ware in shelf["wares"]]
    return {"id": shelf["id"], "heads": cells(shelf, "title"), "rows": rows}


def _part(part: Mapping[str, Any]) -> Markup:
    return el("section", *_head(part), document(part["blocks"], part["within"]), id=part["id"])


def _head(block: Mapping[str, Any]) -> Iterator[Markup]:
    """Title and note."""
    if block["title"]:
        yield el("h3", block["title"], class_=block["look"] or None)
    if block["note"]:
        yield el("p", block["note"], class_="hint")


def _table(block: Mapping[str, Any]) -> Markup:
    def row(name: str, cells: Sequence[Mapping[str, Any]]) -> Markup:
        return el("tr", *(el(name, *_inside(cell), class_=cell["look"] or None) for cell in cells))

    heads = [row("th", block["heads"])] if block["heads"] else []
    return el("table", *heads, *(row("td", each) for each in block["rows"]), id=block.get("id"))


def _inside(cell: Mapping[str, Any]) -> list[str]:
    """The text of a cell, and its share as a bar."""
    if cell["share"] is None:
        return [cell["text"]]
    return [cell["text"], " ", el("meter", max=100, value=cell["share"], aria_label=f"{cell['text']} {cell['note']}")]


def _sheet(groups: Sequence[Mapping[str, Any]], id: str | None = None) -> Markup:
    """Groups of cells side by side."""
    return el("div", *map(_group, groups), class_="sheet", id=id)


def _group(group: Mapping[str, Any]) -> Markup:
    cells = group["cells"]
    return el(
        "section",
        *_head(group),
        *([el("p", _dialled(group["dial"]))] if group["dial"] else []),
        el("div", *map(_cell, cells), class_="cells"),
        *(_picks(cell) for cell in cells if len(cell["picks"]) > 1),
        class_="group",
        id=group.get("id"),
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
