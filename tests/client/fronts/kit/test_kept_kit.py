"""The parts of the full screen at every width and height, as kept in tests/client/fronts/kit/drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from kept import compared
from specimens import LONG, SPECIMENS, at_every_width, digest, painted, styled

from client.fronts.kit.canvas import (
    fit,
    folded,
    hits,
    plainly,
    put,
    restyled,
    rule,
    searched,
    shortened,
    side_by_side,
    size,
)
from client.fronts.kit.cards import cards, fitted, sheet, shelved
from client.fronts.kit.page import Page, found, reading, told
from client.fronts.kit.pane import PAGE, Item, Key, Pane, hints, rebound, spelt
from client.fronts.kit.stack import Host, Stack
from client.fronts.kit.style import classes
from client.fronts.kit.surface import _row
from client.show.document import Sheet, Shelf
from client.show.styled import ASCII, UNICODE, Line, line, plain

KEPT: Final = Path(__file__).with_name("drawn")
ROW: Final = line(("seat-0", "Anna "), ("", "漢字 holds "), ("bold", "12 of 20"), ("faint", " é🇪🇸"))
HEIGHTS: Final = (1, 2, 3, 5, 8, 13, 21, 40)


@pytest.mark.parametrize("name", SPECIMENS)
def test_documents_look_as_they_are_kept_at_every_width(name: str) -> None:
    document = SPECIMENS[name]
    out = [*at_every_width("cards", lambda width: cards(document, width, UNICODE))]
    for width in (30, 62, 110):
        whole, left = fitted(document, width, 1000, UNICODE)
        assert left == 0
        exact, left = fitted(document, width, len(whole), UNICODE)
        assert (exact, left) == (whole, 0), "what just fits is whole"
        for height in range(1, len(whole)):
            rows, left = fitted(document, width, height, UNICODE)
            assert len(rows) <= height
            out.append(f"fitted {width}x{height}: {len(rows)} and {left} more {digest(rows)}")
        out += map(styled, fitted(document, width, max(len(whole) * 2 // 3, 1), ASCII)[0])
    sheets = [each for each in document if isinstance(each, Sheet)]
    shelves = [each for each in document if isinstance(each, Shelf)]
    for option in (-1, 0, 3):
        for width in (20, 59, 60, 61, 90, 119, 120):
            rows = sheet(sheets, option, width, UNICODE) if sheets else []
            more = shelved(width, shelves, option, UNICODE) if shelves else []
            out.append(f"option {option} in {width}: {digest([*rows, *more])}")
            out += map(styled, [*rows, *more] if width in (61, 90) else [])
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")


def item(number: int) -> Item:
    """An entry: each third is not possible, each fourth has a value."""
    text = f"entry {number}" + f"  ◂ {number} ▸" * (number % 4 == 0)
    reason = "not yet" if number % 3 == 1 else ""
    turn = (lambda _by: None) if number % 4 == 0 else None
    return Item(f"{text} {LONG * (number == 2)}", f"k{number}", lambda: None, reason, turn, about=LONG[: number * 9])


def pages() -> Iterator[tuple[str, Page]]:
    texts = [line(("bold", f"row {at} "), LONG[:at]) for at in range(30)]
    yield "reading", reading("Rules", lambda width: [fit(each, width) for each in texts])
    yield "tail", reading("Log", lambda width: [fit(each, width) for each in texts], tail=True)
    yield "told", told("Told", lambda: f"{LONG}\n\n{LONG}")
    yield "list", Page("Deeds", items=lambda: [*map(item, range(14))], fits=found)
    yield "short", Page("Few", items=lambda: [item(1), item(4)], head=lambda width: folded(LONG, width))
    yield "none", Page("Nothing", items=list)
    yield "tabs", Page("Tabs", lambda width, _word: folded(LONG * 4, width), tabs=["all", "a longer name", "漢字"])


def test_pages_look_as_they_are_kept_at_every_size_and_follow_their_keys() -> None:
    out = list[str]()
    for name, page in pages():
        for columns in (12, 23, 39, 40, 78):
            for height in HEIGHTS:
                page.skip = page.cursor = 0
                told_ = list[str]()
                for act in ("", "down", "page_down", "right", "last", "up", "page_up", "left", "home"):
                    if act:
                        page.move(act)
                    rows = page.draw(columns, height, UNICODE)
                    assert len(rows) == height
                    assert {size(row) for row in rows} == {columns}
                    told_.append(f"{digest(rows)[:4]}@{page.skip},{page.cursor},{page.tab}")
                    if height == 13 and columns == 39 and act in ("", "page_down", "last"):
                        out += map(painted, rows)
                out.append(f"{name} {columns}x{height}: {' '.join(told_)}; {' '.join(page.foot)}; {page.idle()}")
        for hit in hits(page.draw(40, 13, UNICODE)):
            did = page.click(hit, hit.x, hit.y, details=False)
            again = page.click(hit, hit.x, hit.y, details=False)
            out.append(f"{name} click {hit.what} {hit.value}: {did} {again} {page.cursor} {page.tab}")
        for word in ("entry", "1", "ent 2", "row 12", "zz", "etr", "y 1"):
            page.search(word)
            rows = page.draw(50, 9, UNICODE)
            out += [f"{name} /{word}: {len(page.listed())}", *map(painted, rows[:3])]
    compared(KEPT / "pages.txt", "\n".join(out) + "\n")


def test_rows_are_cut_and_joined_as_they_are_kept_at_every_column() -> None:
    whole = size(ROW)
    out = [f"{plain(ROW)}: {whole} columns"]
    for width in range(whole + 4):
        cut = shortened(ROW, width) if width else ()
        assert size(cut) == width
        assert plain(cut).rstrip().endswith("…") == (0 < width < whole), "what is cut says so"
        out.append(
            f"{width} {styled(fit(ROW, width))}| {styled(cut)}| {styled(rule('Title', width, UNICODE, tail='t'))}"
        )
        for skip in (1, 5, 6, 7, whole - 1, whole, whole + 1):
            assert size(fit(ROW, width, skip)) == width
        out.append("  " + "| ".join(styled(fit(ROW, width, skip)) for skip in (1, 5, 6, 7, whole - 1, whole)))
        out.append(f"  {styled(put(ROW, width, line(('key', 'OVER'))))}| {styled(restyled(ROW, width, 7, 'marked'))}")
        out.append(f"  {[styled(row) for row in folded(LONG, width, 'faint', '  ')]}")
    both: Sequence[Sequence[Line]] = ([line("one"), line("two")], [line("three"), line(("bold", "four"))])
    out += map(styled, side_by_side(*both, joint=("faint", "│")))
    out += map(styled, plainly([line(("faint", "│─┌…·●◐○▸“é”")), ROW], ASCII))
    out += map(styled, searched("AN", [ROW, line("none")]))
    out.append(str([(at, cell.char, cell.style, cell.width) for at, cell in _row(ROW).items()]))
    out.append(str([classes(name) for name in ("", "bold", "seat-0 bold", "die-red missed", "faint")]))
    compared(KEPT / "rows.txt", "\n".join(out) + "\n")


class Noted:
    """A terminal that notes what is asked of it."""

    def __init__(self) -> None:
        self.told = list[str]()

    def __getattr__(self, name: str) -> object:
        return lambda *given: self.told.append(f"{name}{given}")


def test_a_stack_draws_and_does_what_is_kept_at_every_width() -> None:
    out, did = list[str](), list[str]()
    keys = [
        *PAGE,
        *(Key((each,), act, f"{act} it", short) for each, act, short in (
            ("m", "mark", "mark"), ("x", "export", "export"), ("z", "zoom_in", "zoom"), ("?", "help", "keys"),
            ("c-p", "palette", "all"), (":", "command", "type"), ("q", "quit", "quit"), ("f1", "rules", ""),
        )),
    ]  # fmt: skip
    host = Noted()
    shown: Host = host  # type: ignore[assignment]
    stack = Stack(shown, UNICODE, {"up": ["i"]})

    class Root(Pane):
        """A pane that draws its size, with an area to click."""

        @property
        def foot(self) -> Sequence[str]:
            return ("mark", "export", "zoom_in", "help", "palette", "command", "quit", "enter", "up")

    stack.root = Root(keys, {each.act: partial(did.append, each.act) for each in keys})
    for width in range(38, 121):
        drawn = stack.draw(width, 12)
        out.append(f"{width}: {digest(drawn.lines)} {painted(drawn.lines[-1])}")
    stack.everywhere = Pane([Key(("?",), "help", "help")], {"help": stack.helped, "palette": stack.palette})
    for act in ("help", "palette"):
        stack.act(act)
        out += [f"{act}: {did}", *map(styled, stack.draw(50, 16).lines)]
    for key in ("f1", "i", "up", "m", "escape", "c-p", "zz", "2"):
        out.append(f"press {key}: {stack.press(key)} {did} {host.told[-1:]} {stack.page and stack.page.title}")
    out.append(str([spelt(key) for key in ("enter", "f10", "f", "c-p", "pageup", " ", "x")]))
    out.append(str([(key.keys, key.act) for key in rebound(PAGE, {"up": ["k", "up"], "enter": ["o"]})]))
    out += [str(hints(PAGE[:3])), str(hits([tuple(hints(PAGE[:3]))]))]
    compared(KEPT / "stack.txt", "\n".join(out) + "\n")
