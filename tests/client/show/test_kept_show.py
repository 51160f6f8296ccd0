"""Documents as lines at every width and height, as HTML and as JSON, as kept in tests/client/show/drawn."""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from kept import compared
from specimens import SPECIMENS, at_every_width, digest, styled

from client.show import svg
from client.show.battles import (
    Battle,
    Chance,
    Plan,
    Volley,
    both_sides,
    dialled,
    document_of,
    kinds_meant,
    possible,
    share_text,
    side_name,
    units_table,
)
from client.show.document import ShownDie, TextTable, as_plain, kept
from client.show.html import document as as_html
from client.show.lines import lines, table_lines
from client.show.map import (
    ZOOMS,
    Map,
    MapPlace,
    Piece,
    Way,
    Zoom,
    chart,
    charts,
    largest,
    map_document,
    parts,
)
from client.show.markup import el, hint, runs
from client.show.styled import ASCII, UNICODE, Line, line, owner_shape, owner_style, packed, padded, wrapped

KEPT: Final = Path(__file__).with_name("drawn")


@pytest.mark.parametrize("name", SPECIMENS)
def test_documents_are_lines_html_and_json_as_they_are_kept(name: str) -> None:
    document = SPECIMENS[name]
    out = [*at_every_width("lines", lambda width: lines(document, width))]
    for at, table in enumerate(block for block in document if isinstance(block, TextTable)):
        out += at_every_width(f"bars {at}", partial(table_lines, table, bars=True, here="*"))
    for width in (40, 80):
        whole = len(lines(document, width))
        for height in range(1, whole + 3):
            rows = lines(document, width, height)
            out.append(f"{width}x{height}: {len(rows)} {digest(rows)} {styled(rows[-1])[:60]}")
    out += re.sub(r"(?=<(?!/))", "\n", as_html(document, "here")).splitlines()
    out += [json.dumps(as_plain(block), ensure_ascii=False) for block in document]
    out.append(str([kept(document, [3] * len(document), height) for height in range(20)]))
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")


def test_texts_are_broken_and_packed_as_they_are_kept() -> None:
    text, items = (
        "Every  action takes a disc off your track; the upkeep-of-money rises 漢字漢字 with it.",
        list("abcdefgh"),
    )
    out = list[str]()
    for width in range(0, 60, 1):
        broken = wrapped(text, width, "  ")
        out.append(f"{width} {broken}")
        out.append(f"  {packed(items, width, ' ')} {packed(['long words', text, 'x'], width)} {padded('漢', width)!r}")
    out += [
        str(el("b", "a<b", class_="x", id=None, hidden=True, data_at=3)),
        str(hint("&")),
        str(el("input", name='"')),
    ]
    out += [str(runs([line(("bold", "<a>"), "b")])), str([(owner_style(at), owner_shape(at)) for at in range(-2, 14)])]
    compared(KEPT / "texts.txt", "\n".join(out) + "\n")


def test_battles_are_shown_as_kept() -> None:
    units = [(0, "2 cruisers", ("4", "1"), True, ""), (-1, "an ancient", ("2", "0"), False, "has fired")]
    cards = (("weapon", ""), ("defence", "Shield"))
    plans = [
        Plan(seat, opened, dial, 9, cards, ("a limit",) * seat, sealed, "9c41" * seat, setting)
        for seat, (opened, dial, sealed, setting) in enumerate([
            (False, -1, False, True), (False, 0, False, True), (True, 4, None, False), (False, -1, True, False),
        ])
    ]  # fmt: skip
    dice = (ShownDie(6, "yellow", True, 1), ShownDie(2, "", False))
    volleys = [Volley(0, "Anna", "6 hits", dice, proof="step 4"), Volley(-1, "nobody", "", dice[:1])]
    chances = [Chance("now", ((0, 0.25), (-1, 0.75))), Chance("in the end", ((0, 1.0), (-1, 0.0))), Chance("none")]
    battle = Battle(
        "Sector 101", "Fire", units_table(("hits", "shield"), units), plans, None, volleys, chances, ("luck so far",), 2
    )
    names, out = ("Anna", "Bob", "Carl", "Dina"), list[str]()
    for seat in range(-1, 4):
        drawn = document_of(dialled(battle, seat, 7), names)
        out += [f"seat {seat}:", *(json.dumps(as_plain(block), ensure_ascii=False) for block in drawn)]
        out += [side_name(names, seat), *map(styled, lines(drawn, 70))] if seat < 1 else [side_name(names, seat)]
    edges = (0, 1e-9, 0.00004, 0.00006, 0.004, 0.0099, 0.01, 0.011, 0.5, 0.989, 0.99, 0.991, 0.99994, 0.99996, 1)
    out += [f"{share} {share_text(share)} {share_text(share, 1)} {possible(share)}" for share in edges]
    out += [str(both_sides(text.split())) for text in ("a vs b", "2 A, b V c d", "vs", "a b", "a against b vs c")]
    known = {0: ("fighter", "hunter"), 1: ("cruiser",), 2: ("carrier",)}
    out += [f"{word} {kinds_meant(word, known)}" for word in ("c", "cr", "cruisers", "ca", "fis", "fi", "hunt", "gas")]
    compared(KEPT / "battles.txt", "\n".join(out) + "\n")


SHAPES: Final = {
    "hex": svg.polygon(svg.hexagon(20)),
    "hull0": svg.tag("path", d="M0 0"),
    "disc": svg.tag("circle", r=4),
}
SIGNED: Final = (
    Piece("disc", (1.5, 2), "A", many=2, id="0/1", look=(("fill", "#fff"),)),
    Piece("", (0, 9), "x", 12, None, False),
)


def place(number: int, cell: tuple[int, int] | None, **more: Any) -> MapPlace:
    """A place of a map with its number and its owner."""

    def rows(_zoom: Zoom, columns: int, height: int) -> list[Line]:
        return [line(("seat-0", f"{number}"), " é漢字".center(columns)), line("b" * 30)] * height

    return MapPlace(
        f"{number}", (30.0 * number, 10.0), lambda: f"place {number}", lambda: SIGNED[: number % 3], cell, rows, **more
    )


PLACES: Final = [
    place(101, (0, 0), owner=0), place(102, (1, 0), owner=7, strong=True), place(103, (0, 1), scale=0.5, middle=(2, 3)),
    place(104, (1, -1), outline=[(0.0, 0.0), (1.25, 2)]), place(105, None), place(106, (5, 5), name="106"),
]  # fmt: skip
WAYS: Final = [
    Way("101", "102"),
    Way("101", "103", whole=False),
    Way("102", "104"),
    Way("101", "105"),
    Way("103", "106"),
]
JOINED: Final = {"joined": svg.tag("circle", r=2), "half": svg.tag("circle", r=1)}


def test_maps_are_drawn_as_kept_at_every_zoom_and_size() -> None:
    out = list[str]()
    for shapes in (SHAPES, {**SHAPES, **JOINED}):
        shown = Map("A map", PLACES, WAYS, shapes, 12.5, "<g/>", [(-50.0, 5.0)])
        out += re.sub(r"(?=<(?!/))", "\n", "".join(parts(shown))).splitlines()
        out += [str(len(parts(shown))), "".join(parts(Map("", PLACES)))]
    out += re.sub(r"(?=<(?!/))", "\n", "".join(parts(Map("No ways", PLACES[:2])))).splitlines()
    grid = Map(
        "Grid", PLACES, WAYS, SHAPES, room=lambda at, zoom: (at[0] * zoom.width * 2, at[1] * 4, zoom.width * 2, 4)
    )
    for shown, glyphs, only in (
        (Map("A map", PLACES, WAYS), UNICODE, None), (Map("A map", PLACES, WAYS), ASCII, {"101", "102"}),
        (grid, UNICODE, None), (Map("A map", PLACES, WAYS), UNICODE, set[str]()),
    ):  # fmt: skip
        for zoom in ZOOMS:
            drawn = chart(shown, zoom, glyphs, only)
            out += [f"{zoom} {drawn.width} {drawn.spots}", *map(styled, drawn.lines)]
        for rows in (3, 8, 21, 22, 23, 60):
            sizes = range(10, 130)
            zooms = [largest(shown, columns, rows) for columns in sizes]
            steps = [f"{sizes[at]}:{now}" for at, (last, now) in enumerate(pairwise([-1, *zooms])) if last != now]
            out.append(f"{rows} rows: {' '.join(steps)}")
        widths = range(10, 90)
        for width in widths:
            document = map_document(("Anna", "Bob"), width, charts(shown, glyphs, only))
            told = lines(document, width)
            out.append(f"{width}: {digest(told)}")
            out += map(styled, told if width in (20, 45) else [])
    compared(KEPT / "maps.txt", "\n".join(out) + "\n")
