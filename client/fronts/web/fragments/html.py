# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of HTML. Texts are escaped; markup is not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Final

from client.session.deeds import DEEDS
from client.system.texts import _
from client.words.ways import named

VOID: Final = frozenset({"input"})
"""Elements without content."""
_written: Final = json.JSONEncoder(separators=(",", ":")).encode
SPECIAL: Final = re.compile("[&<>\"']")
"""What is escaped; most texts have none of it."""


class Markup(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


def el(name: str, /, *children: str, **attributes: object) -> Markup:
    """An element. `_` in names of attributes becomes `-`, at their end it is left out; True stands for an attribute
    without value, and an attribute with value None or False is left out."""
    given = "".join([
        _attribute(_spelt(key), value) for key, value in attributes.items() if value is not None and value is not False
    ])  # fmt: skip
    if name in VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(children)}</{name}>")


def _attribute(name: str, value: object) -> str:
    return f" {name}" if value is True else f' {name}="{_escaped(str(value))}"'


@cache
def _spelt(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _escaped(text: str) -> str:
    return escape(text) if SPECIAL.search(text) else text


def joined(children: Sequence[str]) -> Markup:
    """Texts and markup one after the other."""
    return Markup("".join([each if type(each) is Markup else escape(said(each), quote=False) for each in children]))


def said(text: str) -> str:
    """A text with the titles of the deeds in it."""
    return named(text, lambda id: f"“{_(DEEDS[id].title)}”")


def do(act: str, **fields: object) -> str:
    """An action of the page, for `data-do`."""
    return _written({"act": act, **fields})


def button(*inside: str, key: bool = False, **attributes: object) -> Markup:
    """A button. key: True for the one that most people press next."""
    return el("button", *inside, class_=attributes.pop("class_", "key" if key else None), **attributes)


def hint(text: str) -> Markup:
    """A text beside another one."""
    return el("span", text, class_="hint")


def row(*inside: str, **attributes: object) -> Markup:
    """Things side by side."""
    return el("div", *inside, class_=f"row {attributes.pop('class_', '')}".strip(), **attributes)


def runs(lines: Sequence[Sequence[tuple[str, str]]]) -> Markup:
    """Lines of runs: texts with the names of their styles."""
    inside = [joined([*(el("span", text, class_=style or None) for style, text in line), "\n"]) for line in lines]
    return el("pre", *inside, tabindex=0)
