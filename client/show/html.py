# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents as HTML: sheets as groups of cells, tables, notes, lines. A cell with one pick is a button; of several
picks one is chosen in a box over the page. A block with an id has an element with that id behind the one of what holds
it.

Blocks with a title and a weight can be shut; shut, they tell what they hold. The script of the page opens those that
have room, the lightest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from client.show import document as show
from client.show.document import Block, Cell, Dice, Document, Note, Part, Pick, Sheet, Shelf, TextTable, Tracks
from client.show.markup import Markup, el, hint, joined, runs
from engine.core.dataclass import replace

STYLE: Final = Path(__file__).with_name("static") / "document.css"
"""How all pages draw documents, in which colours."""


def document(blocks: Document, within: str) -> Markup:
    """The blocks of a document one below the other; sheets in a row side by side. within: the id of the element that
    holds them."""
    made = []
    for (_kind, shut), some in groupby(enumerate(blocks), _kept_apart):
        found = [block for _number, block in some]
        made.append(joined([_shut(block, within) for block in found]) if shut else _alike(found, within))
    return joined(made)


def _kept_apart(numbered: tuple[int, Block]) -> tuple[str, bool]:
    """The kind of a block, and whether it can be shut; the first block of a document cannot."""
    number, block = numbered
    return block.kind, bool(number and isinstance(block, Sheet | Dice | Part) and block.weight and block.title)


def _id(block: Block, within: str) -> str | None:
    id = getattr(block, "id", "")
    return f"{within}-{id}" if id else None


def _shut(block: Block, within: str) -> Markup:
    assert isinstance(block, Sheet | Dice | Part)
    id = _id(block, within)
    head = el("summary", el("b", block.title, class_=block.look or None), " ", hint(block.note))
    inside = _alike([replace(block, title="", note="", id="")], id or within)
    return el("details", head, inside, id=id, data_weight=block.weight)


def _alike(blocks: Sequence[Block], within: str) -> Markup:
    made = [_block(each, within) for each in blocks]
    return el("div", *made, class_="sheet") if isinstance(blocks[0], Sheet | Dice) else joined(made)


def _block(block: Block, within: str) -> Markup:
    id = _id(block, within)
    match block:
        case Sheet():
            return _group(block, id)
        case Dice():
            return _group(_rolled(block), id)
        case TextTable():
            return _table(block, id)
        case Tracks():
            return el("table", *map(_track, block.tracks), id=id)
        case Shelf():
            return _table(_shelved(block), id)
        case Part():
            return el("section", *_head(block), document(block.blocks, id or within), id=id)
        case Note():
            return el("p", block.text, class_=block.look or None)
        case _:
            return el("div", runs(block.lines), class_="told")


def _track(track: show.Track) -> Markup:
    """A track with what counts in bold, and its note below it."""
    cells = [
        el("td", el("b", text) if track.counts and at == track.at else text) for at, text in enumerate(track.cells)
    ]
    note = el("tr", el("td"), el("td", track.note, class_="hint", colspan=len(cells))) if track.note else Markup()
    return joined([el("tr", el("th", track.name), *cells), note])


def _rolled(roll: Dice) -> Sheet:
    looks = (f"die-{die.colour or 'white'}{' missed' * (die.hit is False)}" for die in roll.dice)
    cells = [Cell(str(die.face), look=look) for die, look in zip(roll.dice, looks, strict=True)]
    return Sheet(roll.title, roll.note, roll.look, cells)


def _shelved(shelf: Shelf) -> TextTable:
    heads = Cell(shelf.title, look="title"), Cell(shelf.tail, look="title"), Cell("", look="hint")
    wares = ((each, each.look) for each in shelf.wares)
    rows = [
        (Cell(ware.title, look=look), Cell(ware.tail, look=look), Cell(ware.gives, look="hint")) for ware, look in wares
    ]
    return TextTable(heads, rows)


def _head(block: Sheet | Part) -> Iterator[Markup]:
    if block.title:
        yield el("h3", block.title, class_=block.look or None)
    if block.note:
        yield el("p", block.note, class_="hint")


def _table(table: TextTable, id: str | None) -> Markup:
    def row(name: str, cells: Sequence[Cell]) -> Markup:
        """A heading without a text heads nothing."""
        return el("tr", *(el(name if cell.text else "td", *_inside(cell), class_=cell.look or None) for cell in cells))

    heads = [row("th", table.heads)] if table.heads else []
    return el("table", *heads, *(row("td", each) for each in table.rows), id=id)


def _inside(cell: Cell) -> list[str]:
    """The text of a cell, and its share as a bar."""
    if cell.share is None:
        return [cell.text]
    return [cell.text, " ", el("meter", max=100, value=cell.share, aria_label=f"{cell.text} {cell.note}")]


def _group(sheet: Sheet, id: str | None) -> Markup:
    """The cells of a sheet under its title."""
    dial = [el("p", show.dial_text(sheet.dial))] if sheet.dial else []
    picks = [_picks(cell) for cell in sheet.cells if len(cell.picks) > 1]
    cells = el("div", *map(_cell, sheet.cells), class_="cells")
    return el("section", *_head(sheet), *dial, cells, *picks, class_="group", id=id)


def _cell(cell: Cell) -> Markup:
    inside = [el("span", cell.text, class_=cell.look or None), hint(cell.note)]
    match cell.picks:
        case []:
            return el("div", *inside, class_="cell")
        case [only]:
            return _pick(el("span", *inside), hint(only.text), only)
    return el("button", *inside, class_="cell", popovertarget=_name(cell))


def _picks(cell: Cell) -> Markup:
    """What can be done with a cell, to be shown when it is clicked."""
    within = _name(cell)
    made = (_pick(el("span", one.text), hint(one.note), one, within) for one in cell.picks)
    return el("div", el("h3", cell.text), *made, class_="picks", id=within, popover=True)


def _name(cell: Cell) -> str:
    """The id of the element with what can be done with a cell."""
    return f"picks-{cell.picks[0].option}"


def _pick(text: Markup, more: Markup, one: Pick, within: str | None = None) -> Markup:
    """A button that picks an option. within: what it closes, by its id."""
    about = {"title": one.note, "data_option": one.option, "popovertarget": within}
    return el("button", text, more, class_="cell", **about)
