# SPDX-License-Identifier: GPL-3.0-or-later
"""Building blocks of maps as SVG: elements, hexes, shapes.

A space that can be chosen is a group with `data-place`, the id that the options of a question name; its first child is
its outline, which a page marks. Colours are attributes, so that a picture needs no style sheet and passes a strict
Content-Security-Policy; every meaning of a colour is shown by a letter or a shape too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from math import cos, pi, sin, sqrt
from typing import Final

Point = tuple[float, float]

KEPT: Final = 4096
"""Number of small elements to cache: the maps of all heights repeat the same ones."""
GROUND: Final = "#0b1024"
INK: Final = "#eef1ff"
ROOT: Final = sqrt(3)
SEATS: Final = ("#e69f00", "#56b4e9", "#00b386", "#f0e442", "#ff7a33", "#e38cc0")
"""Okabe and Ito's colours, lightened for a dark ground."""


def shapes(package: str) -> Mapping[str, str]:
    """The elements of `shapes.svg` in a package, a group in each row, by their ids."""
    drawn = files(package).joinpath("shapes.svg").read_text("utf-8")
    return dict(re.findall(r'<g id="(.+?)">(.+)</g>', drawn))


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; `_` in names of attributes becomes `-`, an attribute with value None is left out."""
    given = "".join([
        f' {key.replace("_", "-")}="{escape(what) if isinstance(what, str) else _number(what)}"'
        for key, what in attributes.items() if what is not None
    ])  # fmt: skip
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


def _number(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


@lru_cache(KEPT)
def text(x: float, y: float, said: str, size: float = 12, fill: str | None = None, **more: object) -> str:
    """Text centred at (x, y), in the colour of the picture's ink. Its content is escaped."""
    return tag("text", escape(said), x=x, y=y + size * 0.35, font_size=size, fill=fill, **more)


@lru_cache(KEPT)
def use(shape: str, x: float = 0, y: float = 0, **attributes: object) -> str:
    """A shape of the picture at a point, in the given colours unless the shape has its own."""
    return tag("use", href=f"#{shape}", x=x or None, y=y or None, **attributes)


def polygon(points: Iterable[Point], **attributes: object) -> str:
    """A closed outline."""
    return tag("polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points), **attributes)


def hexagon(radius: float) -> list[Point]:
    """The corners of a flat-top hex around its middle, clockwise from the right."""
    return [(radius * cos(pi * corner / 3), radius * sin(pi * corner / 3)) for corner in range(6)]


def spot(q: int, r: int, radius: float) -> Point:
    """The middle of the flat-top hex at axial coordinates."""
    return 1.5 * radius * q, ROOT * radius * (r + q / 2)


def place(name: str, label: str, at: Point, outline: str, *children: str) -> str:
    """A space that can be focused and chosen; its content is drawn around its point. label: for screen readers."""
    return tag(
        "g", outline, *children, transform=f"translate({_number(at[0])} {_number(at[1])})",
        data_place=name, tabindex="0", role="button", aria_label=label,
    )  # fmt: skip


def picture(label: str, corners: Iterable[Point], margin: float, shapes: Mapping[str, str], *children: str) -> str:
    """A whole picture that shows all corners with a margin around them. shapes: elements to `use`, by name."""
    points = list(corners) or [(0.0, 0.0)]
    left, top = min(x for x, _ in points) - margin, min(y for _, y in points) - margin
    width, height = max(x for x, _ in points) + margin - left, max(y for _, y in points) + margin - top
    box = " ".join(_number(float(round(value))) for value in (left, top, width, height))
    ground = tag("rect", x=left - width, y=top - height, width=3 * width, height=3 * height, fill=GROUND)
    return tag(
        "svg", _named(tuple(shapes.items())), ground, *children, xmlns="http://www.w3.org/2000/svg", viewBox=box,
        data_whole=box, role="group", aria_label=label, fill=INK, text_anchor="middle",
        font_family="system-ui,sans-serif",
    )  # fmt: skip


@lru_cache
def _named(shapes: Sequence[tuple[str, str]]) -> str:
    return tag("defs", *(tag("g", element, id=name) for name, element in shapes))
