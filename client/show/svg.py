"""Building blocks of maps as SVG: elements, hexes, discs with letters.

A space that can be chosen is a group with `data-place`, the id that the options of a question name; its first child is
its outline, which a page marks.  Colours are attributes, so that a picture needs no style sheet and passes a strict
Content-Security-Policy; every meaning that a colour has stands there as a letter or a shape too.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import cos, pi, sin, sqrt
from typing import Final

__all__ = ["GROUND", "INK", "SEATS", "disc", "hexagon", "picture", "place", "polygon", "spot", "tag", "text"]

Point = tuple[float, float]

GROUND: Final = "#0b1024"
INK: Final = "#eef1ff"
SEATS: Final = ("#e69f00", "#56b4e9", "#00b386", "#f0e442", "#ff7a33", "#e38cc0")
"""Okabe and Ito's colours, lightened for a dark ground."""


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; `_` in names of attributes stands for `-`, a value of None leaves the attribute out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


def _number(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text(
    x: float, y: float, said: str, size: float = 12, fill: str = INK, anchor: str = "middle", **more: object
) -> str:
    """Text whose middle line is at y.  Its content is escaped."""
    return tag(
        "text", escape(said), x=x, y=y + size * 0.35, font_size=size, fill=fill, text_anchor=anchor,
        font_family="system-ui,sans-serif", **more,
    )  # fmt: skip


def polygon(points: Iterable[Point], **attributes: object) -> str:
    """A closed outline."""
    return tag("polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in points), **attributes)


def hexagon(x: float, y: float, radius: float) -> list[Point]:
    """The corners of a flat-top hex, clockwise from the right."""
    return [(x + radius * cos(pi * corner / 3), y + radius * sin(pi * corner / 3)) for corner in range(6)]


def spot(q: int, r: int, radius: float) -> Point:
    """The middle of the flat-top hex at axial coordinates."""
    return 1.5 * radius * q, sqrt(3) * radius * (r + q / 2)


def disc(x: float, y: float, radius: float, seat: int, letter: str) -> str:
    """A seat's disc: its colour and its letter."""
    fill = SEATS[seat % len(SEATS)]
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke="#000", stroke_width=1.0) + text(
        x, y, letter, radius * 1.3, "#000", font_weight="bold"
    )


def place(name: str, label: str, *children: str) -> str:
    """A space that can be focused and chosen.  label: what a screen reader says of it."""
    return tag(
        "g", tag("title", escape(label)) if not children else "", *children,
        data_place=name, tabindex="0", role="button", aria_label=label,
    )  # fmt: skip


def picture(label: str, corners: Iterable[Point], margin: float, *children: str) -> str:
    """A whole picture that shows all corners with a margin around them."""
    points = list(corners) or [(0.0, 0.0)]
    left, top = min(x for x, _ in points) - margin, min(y for _, y in points) - margin
    width, height = max(x for x, _ in points) + margin - left, max(y for _, y in points) + margin - top
    box = " ".join(_number(float(round(value))) for value in (left, top, width, height))
    ground = tag("rect", x=left - width, y=top - height, width=3 * width, height=3 * height, fill=GROUND)
    return tag(
        "svg", ground, *children, xmlns="http://www.w3.org/2000/svg", viewBox=box, data_whole=box, role="group",
        aria_label=label,
    )  # fmt: skip
