# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be bought, as shelves side by side: the arrows mark one thing, all about it is shown below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Area, fit, folded, rule, searched, shortened, side_by_side, wide
from client.fronts.kit.ui import Hit, Item, Page, Pane
from client.fronts.screen.reading import heading
from client.fronts.screen.shown_front import ShownFront
from client.session.choices import price_text
from client.show.pictures import Frame, Pictures
from client.show.sheets import Shelf, Ware
from client.show.styled import ASCII, Glyphs, Line, line
from client.system.texts import _

__all__ = ["shelf_page", "shelved", "shelves", "sideways", "wares"]

SHELF: Final = 38
"""The least columns of a shelf."""
TAIL: Final = 14
"""Columns for the tail of a row."""
ABOUT: Final = 6
"""Most rows about the marked thing on a small screen."""


def wares(page: Page, word: str) -> list[Ware]:
    """All that lies on the shelves of a page, one shelf after the other."""
    return [] if page.shelves is None else [each for shelf in page.shelves(word) for each in shelf.wares]


def shelved(page: Page, word: str, glyphs: Glyphs, columns: int, height: int) -> tuple[list[Line], list[Hit]]:
    """The head of the page, its shelves around the marked thing, and all about that thing."""
    assert page.shelves is not None
    found = page.shelves(word)
    all_wares = [each for shelf in found for each in shelf.wares]
    page.cursor = max(0, min(page.cursor, len(all_wares) - 1))
    head = list(page.head(columns - 2))[: max(height // 4, 1)]
    chosen = all_wares[page.cursor] if all_wares else None
    about = [row for text in (chosen.about() if chosen else ()) for row in folded(text, columns - 2, "", "  ")]
    about = about[: max(ABOUT, height // 3)]
    room = max(height - len(head) - len(about) - 1, 3)
    blocks, spots = _columns(found, page.cursor, columns, glyphs)
    at = next((y for number, (_x, y, _wide) in enumerate(spots) if number == page.cursor), 0)
    tall = max(map(len, blocks), default=0)
    skip = max(0, min(at - room // 2, tall - room))
    seen = [[*block[skip : skip + room], *[()] * (room - len(block[skip : skip + room]))] for block in blocks]
    width = spots[0][2] if spots else columns
    joined = side_by_side(*[[fit(each, width) for each in block] for block in seen], joint=("", " ")) if seen else []
    lines = [*(line(" ", *each) for each in head), *joined]
    lines.append(rule(chosen.title if chosen else "", columns, glyphs))
    lines += [line(" ", *each) for each in about]
    hits = [
        Hit(Area(x, y - skip + len(head), size, 1), "item", str(number))
        for number, (x, y, size) in enumerate(spots)
        if skip <= y < skip + room
    ]
    return lines, hits


def _columns(
    found: Sequence[Shelf], cursor: int, columns: int, glyphs: Glyphs
) -> tuple[list[list[Line]], list[tuple[int, int, int]]]:
    """The shelves in as many columns as fit, and column, row and width of each thing."""
    count = max(1, min(columns // SHELF, len(found)))
    width = (columns - count + 1) // count
    blocks: list[list[Line]] = [[] for _each in range(count)]
    spots = list[tuple[int, int, int]]()
    for shelf in found:
        at = min(range(count), key=lambda each: len(blocks[each]))
        block = blocks[at]
        block.append(_row("title", f" {shelf.title}", shelf.tail, width))
        for ware in shelf.wares:
            chosen = len(spots) == cursor
            spots.append((at * (width + 1), len(block), width))
            mark = glyphs.here if chosen else " "
            block.append(_row("chosen" if chosen else ware.look, mark + ware.title, ware.tail, width))
    return blocks, spots


def _row(style: str, text: str, tail: str, width: int) -> Line:
    """A text with a tail that begins at the same column in all rows."""
    room = width - max(wide(tail), TAIL) - 1
    return line(*shortened(line((style, text)), room), ("", " "), (style, tail))


def sideways(page: Page, word: str, columns: int, by: int) -> None:
    """Mark the nearest thing in the next column, if there is one."""
    assert page.shelves is not None
    _blocks, spots = _columns(page.shelves(word), page.cursor, columns, ASCII)
    if not spots:
        return
    x, y, _width = spots[page.cursor]
    beside = sorted({each for each, _y, _w in spots if (each > x) == (by > 0) and each != x}, reverse=by < 0)
    if beside:
        near = [(abs(row - y), at) for at, (column, row, _w) in enumerate(spots) if column == beside[0]]
        page.cursor = min(near)[1]


# The page ------------------------------------------------------------------------------------------------------------


def shelves(front: ShownFront) -> None:
    """Show what can be bought; Enter puts it into the draft."""
    session = front.session
    page = shelf_page(_question(front), session.pictures, lambda width: session.frame((), width), front.open)
    page.take = partial(_take, front)
    page.own = {"trade": partial(_trade, front), **page.own}
    front.open(page)


def shelf_page(title: str, pictures: Pictures, frame: Callable[[int], Frame], open_: Callable[[Page], None]) -> Page:
    """What can be bought, and in whose hands everything is; the same key goes back. frame: the frame to draw for a
    width."""

    def found(word: str) -> Sequence[Shelf]:
        kept = [
            replace(shelf, wares=tuple(each for each in shelf.wares if word.lower() in each.title.lower()))
            for shelf in pictures.shelves(frame(SHELF))[1]
        ]
        return [shelf for shelf in kept if shelf.wares]

    def head(width: int) -> Sequence[Line]:
        return folded(pictures.shelves(frame(width))[0], width, "faint", "  ")

    def held(width: int, word: str) -> Sequence[Line]:
        return searched(word, pictures.hands(frame(width)))

    hands = Page(_("In whose hands"), held, own={"hands": lambda: open_(page)})
    page = Page(title, head=head, shelves=found, own={"hands": lambda: open_(hands)})
    return page


def _question(front: ShownFront) -> str:
    """The title: the question if it is about buying, else the picture's."""
    session, ask = front.session, front.scene.view.ask
    options = [] if session.choices is None else session.choices.options
    buys = [
        each for shelf in session.pictures.shelves(session.frame())[1] for ware in shelf.wares for each in ware.options
    ]
    if ask is not None and any(each in buys for each in options):
        return ask.text
    return heading(session.pictures, "tech")


def _take(front: ShownFront, ware: Ware) -> None:
    """Buy: pick the only option, or list those of several places; ask the question first if the turn menu is open."""
    session = front.session
    options = [] if session.choices is None else list(session.choices.options)
    if ware.options and ware.first in options:
        session.asking.pick(ware.first)
        options = [] if session.choices is None else list(session.choices.options)
    buys = [at for at, option in enumerate(options) if option in ware.options]
    if not buys:
        front.say(_("{thing} cannot be bought now: w tells what is not possible and why.").format(thing=ware.title))
        return
    front.ui.page = None
    if len(buys) == 1:
        session.asking.pick(options[buys[0]])
    else:
        front.ui.of, front.ui.cursor, front.ui.pane = frozenset(buys), 0, Pane.ASK


def _trade(front: ShownFront) -> None:
    """List the exchanges of resources that are possible now; what is taken goes into the draft."""
    session = front.session

    def items(word: str) -> list[Item]:
        choices = session.choices
        if choices is None:
            return []
        return [
            Item(
                f"{choices.title(at)}  {price_text(choices.price(at), session.display_names)}",
                "",
                partial(_traded, front, option),
            )
            for at, option in enumerate(choices.options)
            if choices.texts[at].startswith("trade") and word.lower() in choices.title(at).lower()
        ]

    if items(""):
        front.open(Page(_("Trade"), items=items))
    else:
        front.say(_("Nothing can be traded now."))
        front.ui.page = None


def _traded(front: ShownFront, option: object) -> None:
    front.session.asking.pick(option)
    shelves(front)
