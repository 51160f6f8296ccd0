# SPDX-License-Identifier: GPL-3.0-or-later
"""A screen: panes below, pages over them, a bar above, keys at the foot, and the line that is typed there.

A key goes to the pane on top, then to those that stand behind it. The terminal edits a typed line and passes it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from client.fronts.kit.canvas import Drawn, box, folded, plainly, size
from client.fronts.kit.page import Page, found, reading
from client.fronts.kit.pane import MARKED, PAGE, Item, Key, Pane, hints, rebound, spelt
from client.show.document import Cell, TextTable
from client.show.lines import table_lines
from client.show.styled import Glyphs, Line, Run
from client.system.texts import _

LEAST: Final = (40, 10)
"""The least columns and rows; a smaller screen shows nothing."""
SPARE: Final = (
    "mark", "export", "branch", "turn_on", "zoom_in", "search", "next_pane", "palette", "command", "log", "enter",
    "fight-on", "up", "verify", "eyes", "battle_on",
)  # fmt: skip
"""The acts left out of the foot first on a narrow screen."""
MOVING: Final = frozenset(
    {"palette", "enter", "up", "down", "left", "right", "home", "last", "page_up", "page_down", "escape"}
)
"""Acts that only move around, which a palette leaves out."""


class Host(Protocol):
    """The terminal that shows a screen.

    type      starts the input line at the foot with a text; drop: ends it, whatever was typed
    forget    clears the history of typed lines
    redraw    draws everything again; invalidate: draws the changes
    suspend   suspends to the shell; close: leaves the screen
    copy      puts a text on the clipboard, if the terminal can
    notify    gets the attention of a person who is not looking
    """

    def type(self, text: str) -> None: ...
    def drop(self) -> None: ...
    def forget(self) -> None: ...
    def redraw(self) -> None: ...
    def invalidate(self) -> None: ...
    def suspend(self) -> None: ...
    def close(self) -> None: ...
    def copy(self, text: str) -> None: ...
    def notify(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that is typed at the foot.

    Attributes:
        prompt: what stands before it.
        then: takes the complete text.
        changed: takes the text while it changes.
        dropped: called when it is cancelled.
        completes: the completions of a text.
        search: True if it narrows what is shown above it, and ends with a click there.
    """

    prompt: str
    then: Callable[[str], object] = lambda _text: None
    changed: Callable[[str], object] = lambda _text: None
    dropped: Callable[[], None] = lambda: None
    completes: Callable[[str], Sequence[str]] = lambda _text: ()
    search: bool = False


UNTYPED: Final = TypedLine("")
"""While no line is typed."""


class Stack:
    """The content of a screen, independent of a terminal; shown by `client.fronts.screen.app.FullScreen`.

    Attributes:
        page: the page on top; None for none.
        size: columns and rows as drawn last.
        root: what is drawn while no page is on top.
        everywhere: the keys that work over pages too.
    """

    piled = False
    """True if pages lie on each other, and an entry that is chosen leaves its page there."""

    def __init__(self, host: Host, glyphs: Glyphs, mine: Mapping[str, Sequence[str]] | None = None) -> None:
        """mine: keys of one's own by act."""
        self.host, self.glyphs = host, glyphs
        self.page: Page | None = None
        self.size = 80, 24
        self._help: Page | None = None
        self._line = UNTYPED
        self._drawn = Drawn(())
        self._clicked: tuple[int, int] | None = None  # where a click marked an entry, which may have moved since
        moves = {act: partial(self._moved, act) for act in MOVING}
        own = {"enter": self._enter, "search": self._search, "escape": self.close_page}
        self._paging = Pane(rebound(PAGE, mine or {}), {**moves, **own})
        self.root = self.everywhere = Pane()

    # What a screen is made of: each has its own ----------------------------------------------------------------------

    def base(self) -> Pane:
        """What is drawn, and handles the mouse, while no page is on top."""
        return self.root

    def below(self) -> Sequence[Pane]:
        """Who is asked for the meaning of a key while no page is on top."""
        return (self.base(), *self.behind())

    def behind(self) -> Sequence[Pane]:
        """What stands behind a page: the keys that work everywhere."""
        return (self.everywhere,)

    def bar(self, columns: int) -> Line:
        """The bar at the top."""
        return ()

    def moment(self) -> object:
        """What can be done stays the same while this does."""
        return None

    def called(self, act: str) -> Sequence[str]:
        """What is typed elsewhere for what a key does."""
        return ()

    # Panes and pages -------------------------------------------------------------------------------------------------

    def layers(self) -> Sequence[Pane]:
        """Who is asked for the meaning of a key: the pane on top first."""
        return self.below() if self.page is None else (self.page, self._paging, *self.behind())

    def open(self, page: Page | None, *, over: bool = False) -> None:
        """Show a page on top, or none; a line that searched what was there ends with it. over: True to show the present
        page again when it is closed."""
        if page is not None and (over or self.piled):
            page.back = page.back or self.page
        self._turn_to(page)

    def close_page(self) -> None:
        if self.page is not None:
            self._turn_to(self.page.back)

    def _turn_to(self, page: Page | None) -> None:
        if page is not None:
            page.word = ""
        self.page, self._clicked = page, None
        if self._line.search:
            self._line = UNTYPED
            self.host.drop()

    def on_top(self) -> Pane:
        """What is drawn."""
        return self.base() if self.page is None else self.page

    def acts(self, layers: Sequence[Pane]) -> dict[str, str]:
        """What each key does there."""
        known = [each for pane in reversed(layers) for each in pane.keys if each.act in pane.does]
        return {key: each.act for each in known for key in each.keys}

    def act(self, act: str) -> None:
        """Do what a key does, here or behind."""
        does = next((pane.does[act] for pane in self.layers() if act in pane.does), None)
        if does is not None:
            does()

    def _moved(self, act: str) -> None:
        if self.page is not None:
            self.page.move(act)

    def _enter(self) -> None:
        """Choose the marked entry of the page; one with a value leaves the page open."""
        marked = None if self.page is None else self.page.marked()
        if marked is not None and (marked.turn is not None or not marked.reason):
            if marked.turn is None and not marked.stays and not self.piled:
                self._turn_to(None)
            marked.act()

    def _picked(self, key: str) -> bool:
        """Choose the entry of a list with this number."""
        page = self.page
        if page is None or not page.numbered or key not in "123456789"[: len(page.listed())]:
            return False
        page.cursor = int(key) - 1
        self.act("enter")
        return True

    # Keys and mouse --------------------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Handle a key while no line is typed. Returns False if it has no meaning here."""
        self._clicked = None
        known = any(pane.press(key) for pane in self.layers()) or self._picked(key)
        if known:
            self.host.invalidate()
        return known

    def click(self, x: int, y: int, *, details: bool = False) -> None:
        """Handle a click at a cell: the first one marks, the second one chooses. details: True for the right
        button."""
        hit = self._drawn.at(x, y)
        now = self.draw(*self.size).at(x, y)  # it may differ
        hit = hit if hit is not None and now is not None and hit[:2] == now[:2] else None
        again, self._clicked = (x, y) == self._clicked, None
        if self._line.search and hit is not None:
            self._line = UNTYPED
            self.host.drop()
        if again:
            self.act("enter")
        elif hit is not None and hit.what == "key":
            self.press(self.key_of(hit.value))
        elif hit is not None:
            act = hit.value if hit.what == "act" else self.on_top().click(hit, x, y, details=details)
            if act == MARKED:
                self._clicked = x, y
            elif act:
                self.act(act)
        self.host.invalidate()

    def key_of(self, text: str) -> str:
        """The key that is spelt so."""
        known = (key for pane in self.layers() for each in pane.keys for key in each.keys)
        return next((key for key in known if spelt(key) == text), text)

    def drag(self, x: int, y: int, dx: int, dy: int) -> None:
        """Handle a drag that begins at a cell, by this many cells."""
        self.on_top().drag(self._drawn.at(x, y), dx, dy)
        self.host.invalidate()

    def wheel(self, x: int, y: int, rows: int, sideways: bool = False) -> None:
        self._clicked = None
        self.on_top().wheel(self._drawn.at(x, y), rows, sideways)
        self.host.invalidate()

    # A line is typed -------------------------------------------------------------------------------------------------

    def type(self, line: TypedLine, text: str = "") -> None:
        self._line = line
        self.host.type(text)

    def _search(self) -> None:
        if (page := self.page) is not None:
            self.type(TypedLine("/", changed=page.search, dropped=partial(page.search, ""), search=True), page.word)

    @property
    def typing(self) -> bool:
        """True while a line is typed at the foot."""
        return self._line is not UNTYPED

    def prompt(self) -> str:
        return self._line.prompt

    def typed(self, text: str) -> None:
        self._line.changed(text)

    def entered(self, text: str) -> None:
        line_, self._line = self._line, UNTYPED
        line_.then(text)

    def dropped(self) -> None:
        line_, self._line = self._line, UNTYPED
        self.host.drop()
        line_.dropped()

    def walk(self, rows: int) -> bool:
        """Move up or down in what is searched. Returns False to let the line show its history."""
        if self._line.search:
            self.act("down" if rows > 0 else "up")
        return self._line.search

    def pasted(self, text: str) -> None:
        """Text was pasted while no line was typed: nothing, for most screens."""

    def complete(self, text: str) -> Sequence[str]:
        return self._line.completes(text)

    # Help and palette ------------------------------------------------------------------------------------------------

    def helped(self, more: Callable[[], str] = lambda: "") -> None:
        """Show the keys of what is on top, then those behind it. more: what stands below them."""
        shown, before = self.layers(), self.page
        if before is not None and before is self._help:
            return
        left, table = self.acts(shown), list[Sequence[Cell]]()
        idle = () if before is None else before.idle()
        for each in (key for pane in shown for key in pane.keys if pane is not self._paging or key.act not in idle):
            pressed = [key for key in each.keys if left.get(key) == each.act and left.pop(key)]
            if pressed:
                table.append((Cell(f" {', '.join(map(spelt, pressed))}"), Cell(each.does())))
        told = [_(text) for pane in shown for text in pane.told]

        def lines(width: int) -> list[Line]:
            said = [row for text in told for row in folded(text, width)]
            below = [row for text in more().splitlines() for row in (folded(text, width) if text else [()])]
            return [*said, *[()] * bool(said), *table_lines(TextTable((), table), width), *[()] * bool(below), *below]

        self._help = reading(_("Keys"), lines)
        self.open(self._help, over=True)

    def palette(self) -> None:
        """List what can be done in what is on top, by name; what is not possible stands last, with the reason."""
        shown, before = self.layers(), self.page
        kept: list[tuple[object, Sequence[Item]]] = []

        def items() -> Sequence[Item]:
            if not kept or kept[0][0] is not self.moment():
                kept[:] = [(self.moment(), self._offered(shown, before))]
            return kept[0][1]

        page = Page(_("Everything"), items=items, fits=found)
        self.open(page, over=True)
        self.type(TypedLine("> ", lambda _text: self.act("enter"), page.search, self.close_page, search=True))

    def _offered(self, shown: Sequence[Pane], before: Page | None) -> list[Item]:
        acts, known, items = self.acts(shown), set(MOVING), [*self.base().offers()]
        for pane in shown:
            for each in pane.keys:
                pressed = next((spelt(key) for key in each.keys if acts.get(key) == each.act), "")
                if pressed and each.act not in known:
                    known.add(each.act)
                    act = partial(self._from, before, each.act)
                    words = (_(each.short), *self.called(each.act)) if each.short else self.called(each.act)
                    items.append(Item(each.does(), pressed, act, pane.why_not(each.act), words=words))
        items += [item for pane in self.behind() for item in pane.offers()]
        return sorted(items, key=lambda item: bool(item.reason))

    def _from(self, page: Page | None, act: str) -> None:
        """Do something where the palette was opened."""
        self.page = page
        self.act(act)

    # The drawing -----------------------------------------------------------------------------------------------------

    def draw(self, columns: int, rows: int) -> Drawn:
        """The whole screen at this size."""
        self.size, pane = (columns, rows), self.on_top()
        if columns < LEAST[0] or rows < LEAST[1]:
            lines = folded(_("The terminal is too small."), columns)
        elif pane.whole:
            lines = pane.draw(columns, rows, self.glyphs)
        else:
            lines = [self.bar(columns), *pane.draw(columns, rows - 2, self.glyphs)]
            lines.append(() if self.typing else self.foot(columns))  # the line stands in its place
        self._drawn = Drawn(plainly(box(lines, columns, rows), self.glyphs))
        return self._drawn

    def foot(self, columns: int) -> Line:
        """The keys of what is on top with their words, as many as fit into a row."""
        wanted, shown = list(self.on_top().foot), list[Run]()
        for spare in ("", *(("help",) if self.page is not None else ()), *SPARE):
            wanted = [act for act in wanted if act != spare]
            shown = hints(self.named(wanted))
            if size(tuple(shown)) <= columns:
                break
        return tuple(shown)

    def named(self, acts: Sequence[str]) -> Iterator[Key]:
        """The first key of each of these acts that has a word."""
        known = {each.act: each for pane in reversed(self.layers()) for each in reversed(pane.keys) if each.short}
        return (known[act] for act in acts if act in known)
