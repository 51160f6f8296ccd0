# SPDX-License-Identifier: GPL-3.0-or-later
"""What several screens show: the rules in our own words as pages of whole articles; the boards of the seats, all at
once, one in full, or two side by side with their differences marked; what can be bought, as shelves side by side; the
fields of a form as a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TypeVar

from client.fronts.kit.canvas import fit, folded, hits, rule, searched
from client.fronts.kit.cards import SHELF, cards, pictured, shelved
from client.fronts.kit.page import Page, reading, told
from client.fronts.kit.pane import Item
from client.fronts.kit.stack import TypedLine
from client.fronts.screen.keys import BOARDS, SHELVES
from client.session.choices import price_text
from client.session.deeds.looked import heading
from client.session.start import FormField
from client.show.boards import board_of
from client.show.document import Block, Document, Note, Part, Shelf, Ware
from client.show.pictures import Frame, Pictures
from client.show.styled import ASCII, Glyphs, Line, line, plain
from client.system.texts import _
from client.words.reference import Article
from client.words.ways import DO
from engine.core.registry import GameSpec
from engine.core.values import Value

if TYPE_CHECKING:  # the home screen needs nothing of a table
    from client.fronts.screen.deeds import Doing

B = TypeVar("B", bound=Block)


def form_rows(fields: Iterable[FormField], type_: Callable[[TypedLine, str], None]) -> Iterator[Item]:
    """A row for each field, with values to choose from or a text to type; * after those that are not as usual."""
    for field in fields:
        mark = " *" if field.usual and field.value != field.usual else ""
        if not field.values:
            typed = TypedLine(f"{field.title}: ", partial(_typed, field))
            row = f"{field.title}:  {field.value}{mark}  {field.about}"
            yield Item(row.rstrip(), "", partial(type_, typed, field.value), stays=True)
            continue
        shown = next((each for each in field.values if each[0] == field.value), field.values[0])
        _value, text, about = shown
        turn = partial(_turn, field, field.values.index(shown))
        row = f"{field.title}:  ◂ {text}{mark} ▸  {about or field.about}"
        yield Item(row.rstrip(), "← →", partial(turn, 1), turn=turn)


def _typed(field: FormField, text: str) -> None:
    field.fill(text.strip() or field.usual)


def _turn(field: FormField, at: int, by: int) -> None:
    field.fill(field.values[(at + by) % len(field.values)][0])


def reference_page(title: str, game: str | GameSpec, about: Sequence[Article] = ()) -> Page:
    """All articles of a game. about: those that stand first."""
    from client.words.reference import entries

    return article_page(title, [*about, *(entry for entry in entries(game) if entry not in about)])


def article_page(title: str, articles: Sequence[Article]) -> Page:
    """Articles to read; a search keeps those with the word, whole."""
    from client.session.lookup import WIDTH, article_texts

    told = [article_texts(each) for each in articles]

    @cache
    def drawn(width: int) -> Sequence[Sequence[Line]]:
        room = min(width, WIDTH)
        return [[row for text in (*each, "") for row in folded(text, room, "", "  ")] for each in told]

    def lines(width: int, word: str) -> Sequence[Line]:
        known = zip(told, drawn(width), strict=True)
        return [row for texts, rows in known if word.lower() in "\n".join(texts).lower() for row in rows]

    return Page(title, lines)


DIFFERS: Final = "<>"
LEAST: Final = 80
"""Columns of the frame that tells the seats."""


def board_page(pictures: Pictures, frame: Callable[[int], Frame]) -> Page:
    """All seats at once; further parts of the page show one seat each, `c` two of them. frame: the frame to draw for a
    width."""
    if "boards" not in pictures.documents.commands:
        return told(_("Boards"), lambda: _("This game has no such picture."))
    paired = [False]

    def lines(width: int, word: str) -> Sequence[Line]:
        now = frame(width)
        seat = page.tab - 1 if page.tab else _own(now)
        if not page.tab and not paired[0]:
            found = pictured(pictures.documents.commands["boards"], now)
        elif paired[0]:
            found = _two(pictures, frame, seat, width)
        else:
            found = cards(board_of(pictures, now, seat), width, now.glyphs)
        return searched(word, found)

    def compare() -> None:
        paired[0], page.skip = not paired[0], 0

    first = frame(LEAST)
    seats = [f"{seat + 1} {first.letter(seat)} {name}" for seat, name in enumerate(first.names)]
    page = Page(_("Boards"), lines, tabs=[f"0 {_('all')}", *seats], tab=_own(first) + 1)
    page.keys, page.does = BOARDS, {"compare": compare}
    return page


def _own(frame: Frame) -> int:
    """The seat of the person, the first one for a spectator."""
    return max(frame.view.seat, 0)


def _two(pictures: Pictures, frame: Callable[[int], Frame], seat: int, width: int) -> list[Line]:
    """The person's board beside another one: that of the seat, or of the next one if the seat is the person's."""
    room = (width - len(DIFFERS) - 2) // 2
    now = frame(room)
    own = _own(now)
    other = seat if seat != own else (seat + 1) % len(now.names)

    def blocks(seat: int) -> Sequence[Sequence[Line]]:
        board = board_of(pictures, now, seat)
        return [cards([each], room, now.glyphs) for part in board for each in (replace(part, blocks=()), *part.blocks)]

    return compared(blocks(own), blocks(other), room)


def compared(one: Sequence[Sequence[Line]], other: Sequence[Sequence[Line]], room: int) -> list[Line]:
    """The blocks of two boards side by side, each as wide as `room`; rows that differ have a mark between them."""
    shown = []
    for left, right in zip_longest(one, other, fillvalue=()):
        for here, there in zip_longest(left, right, fillvalue=()):
            mark = ("key", DIFFERS) if plain(here).rstrip() != plain(there).rstrip() else ("", "  ")
            shown.append(line(*fit(tuple(here), room), " ", mark, " ", *fit(tuple(there), room)))
    return shown


# What can be bought ---------------------------------------------------------------------------------------------------

WANTED: Final = ("enter", "up", "search", "rules", "escape", "help")
ABOUT: Final = 6
"""Most rows about the marked thing on a small screen."""


class ShelfPage(Page):
    """A page of shelves; no number chooses a ware. shelves: what can be bought and notes above it, for a search word;
    take: what choosing a ware does."""

    numbered = False
    shelves: Callable[[str], Document]
    take: Callable[[Ware], None]

    def wares(self) -> list[Ware]:
        """All that lies on the shelves, one shelf after the other."""
        return [each for shelf in _blocks(self.shelves(self.word), Shelf) for each in shelf.wares]

    def listed(self) -> Sequence[Item]:
        return [Item(ware.title, "", partial(self.take, ware), stays=True) for ware in self.wares()]

    def idle(self) -> Sequence[str]:
        """None: left and right go from shelf to shelf."""
        return ()

    def content(self, columns: int, room: int, glyphs: Glyphs) -> tuple[list[Line], int, int]:
        """The head of the page, its shelves around the marked thing, and all about that thing."""
        document = self.shelves(self.word)
        found = _blocks(document, Shelf)
        wares = [each for shelf in found for each in shelf.wares]
        self.cursor = max(0, min(self.cursor, len(wares) - 1))
        head = cards(_blocks(document, Note), columns - 2, glyphs)[: max(room // 4, 1)]
        chosen = wares[self.cursor] if wares else None
        told = (chosen.gives.rstrip(".") + ".", *chosen.about()) if chosen else ()
        about = [row for text in told for row in folded(text, columns - 2, "", "  ")][: max(ABOUT, room // 3)]
        room = max(room - len(head) - len(about) - 1, 3)
        rows = shelved(columns, found, self.cursor, glyphs)
        at = next((hit.y for hit in hits(rows) if int(hit.value) == self.cursor), 0)
        skip = max(0, min(at - room // 2, len(rows) - room))
        rows = [*rows[skip : skip + room], *[()] * (skip + room - len(rows))]
        title = rule(chosen.title if chosen else "", columns, glyphs)
        return [*(line(" ", *each) for each in head), *rows, title, *(line(" ", *each) for each in about)], 0, 0

    def across(self, by: int) -> None:
        """Mark the nearest thing in the next column, if there is one."""
        drawn = shelved(self.size[0], _blocks(self.shelves(self.word), Shelf), self.cursor, ASCII)
        found = {int(hit.value): hit for hit in hits(drawn)}
        here = found.get(self.cursor)
        beside = [] if here is None else [hit for hit in found.values() if (hit.x - here.x) * by > 0]
        if here is not None and beside:
            near = min(beside, key=lambda hit: (abs(hit.x - here.x), abs(hit.y - here.y), int(hit.value)))
            self.cursor = int(near.value)


def shelves(doing: Doing) -> None:
    """Show what can be bought, below the question if that is about it; Enter puts it into the draft."""
    view = doing.now().view
    ask, goods = view.ask, view.pictures.documents.goods
    buys = [each for shelf in shelves_of(view.pictures, view.frame()) for ware in shelf.wares for each in ware.options]
    asked = ask is not None and any(each in buys for each in _options(doing))
    title = ask.text if ask is not None and asked else heading(view.pictures, goods)
    page = shelf_page(title, view.pictures, doing.frame, doing.open, partial(_take, doing))
    if view.pictures.questions.exchange:
        page.keys, page.does = SHELVES, {**page.does, "exchange": partial(_exchange, doing)}
    doing.open(page)


def shelf_page(
    title: str,
    pictures: Pictures,
    frame: Callable[[int], Frame],
    open_: Callable[[Page], None],
    take: Callable[[Ware], None] = lambda _ware: None,
) -> ShelfPage:
    """What can be bought, and in whose hands everything is; the same key goes back. frame: the frame to draw for a
    width."""

    def searched(shelf: Shelf, word: str) -> Shelf:
        return replace(shelf, wares=tuple(each for each in shelf.wares if word.lower() in each.title.lower()))

    def found(word: str) -> Document:
        wares = pictures.documents.wares(frame(SHELF))
        kept = [searched(block, word) if isinstance(block, Shelf) else block for block in wares]
        return [block for block in kept if not isinstance(block, Shelf) or block.wares]

    def held(width: int) -> Sequence[Line]:
        parts = _blocks(pictures.documents.wares(frame(width)), Part)
        return cards([each for part in parts for each in part.blocks], width, frame(width).glyphs)

    hands, page = reading(_("In whose hands"), held), ShelfPage(title, wanted=WANTED)
    page.shelves, page.take = found, take
    page.keys = hands.keys = SHELVES[1:]
    hands.does, page.does = {"hands": lambda: open_(page)}, {"hands": lambda: open_(hands)}
    return page


def shelves_of(pictures: Pictures, frame: Frame) -> Sequence[Shelf]:
    """The shelves of a game, () for a game without."""
    return _blocks(pictures.documents.wares(frame), Shelf)


def _blocks(document: Document, kind: type[B]) -> list[B]:
    """The blocks of this kind."""
    return [block for block in document if isinstance(block, kind)]


def _take(doing: Doing, ware: Ware) -> None:
    """Buy: pick the only option, or list those of several places; ask the question first if the turn menu is open."""
    options = _options(doing)
    if ware.options and ware.first in options:
        doing.pick(ware.first)
        options = _options(doing)
    buys = [at for at, option in enumerate(options) if option in ware.options]
    if not buys:
        text = _("{thing} cannot be bought now: {do:why} tells what is not possible and why.")
        doing.say(text.format(thing=ware.title, do=DO))
        return
    doing.open(None)
    if len(buys) == 1:
        doing.pick(options[buys[0]])
    else:
        doing.ui.list_only(buys)


def _options(doing: Doing) -> list[Value]:
    choices = doing.now().view.choices
    return [] if choices is None else list(choices.options)


def _exchange(doing: Doing) -> None:
    """List the exchanges that are possible now; what is taken goes into the draft."""

    def exchange(option: Value) -> None:
        doing.pick(option)
        shelves(doing)

    def items() -> Iterator[Item]:
        view, choices = doing.now().view, doing.now().view.choices
        for at, option in enumerate(choices.options if choices is not None else ()):
            if choices is not None and choices.texts[at].startswith(view.pictures.questions.exchange):
                price = price_text(choices.price(at))
                yield Item(f"{choices.title(at)}  {price}", "", partial(exchange, option))

    if [*items()]:
        doing.open(Page(_("Exchange"), items=items))
    else:
        doing.say(_("Nothing can be exchanged now."))
        doing.open(None)
