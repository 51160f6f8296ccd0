# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of HTML. Texts are escaped; markup is not."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

VOID: Final = frozenset({"input"})
"""Elements without content."""


class Markup(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


def el(name: str, /, *children: str, **attributes: object) -> Markup:
    """An element. `_` in names of attributes becomes `-`, at their end it is left out; True stands for an attribute
    without value, and an attribute with value None or False is left out."""
    named = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    given = "".join([
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in named
        if value is not None and value is not False
    ])  # fmt: skip
    if name in VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(children)}</{name}>")


def joined(children: Sequence[str]) -> Markup:
    """Texts and markup one after the other."""
    return Markup("".join([each if type(each) is Markup else escape(each, quote=False) for each in children]))


def hint(text: str) -> Markup:
    """A text beside another one."""
    return el("span", text, class_="hint")


def runs(lines: Sequence[Sequence[tuple[str, str]]]) -> Markup:
    """Lines of runs: texts with the names of their styles."""
    inside = [joined([*(el("span", text, class_=style or None) for style, text in line), "\n"]) for line in lines]
    return el("pre", *inside, tabindex=0)
