"""Documents as lines at every width and height, as HTML and as JSON, as kept in tests/client/show/drawn."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest
from kept import compared
from specimens import SPECIMENS, at_every_width, digest, styled

from client.show.document import as_plain, kept
from client.show.html import document as as_html
from client.show.lines import lines
from client.show.markup import el, hint, runs
from client.show.styled import line, owner_shape, owner_style, packed, padded, wrapped

KEPT: Final = Path(__file__).with_name("drawn")


@pytest.mark.parametrize("name", SPECIMENS)
def test_documents_are_lines_html_and_json_as_they_are_kept(name: str) -> None:
    document = SPECIMENS[name]
    out = [*at_every_width("lines", lambda width: lines(document, width))]
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
