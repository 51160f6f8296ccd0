# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of the page, and what its buttons do."""

from __future__ import annotations

import json
from typing import Final

from client.session.deeds import DEEDS
from client.show.markup import Markup, el
from client.system.texts import _
from client.words.ways import named

_written: Final = json.JSONEncoder(separators=(",", ":")).encode


def said(text: str) -> str:
    """A text with the titles of the deeds in it."""
    return named(text, lambda id: f"“{_(DEEDS[id].title)}”")


def do(act: str, **fields: object) -> str:
    """An action of the page, for `data-do`."""
    return _written({"act": act, **fields})


def button(*inside: str, key: bool = False, **attributes: object) -> Markup:
    """A button. key: True for the one that most people press next."""
    return el("button", *inside, class_=attributes.pop("class_", "key" if key else None), **attributes)


def row(*inside: str, **attributes: object) -> Markup:
    """Things side by side."""
    return el("div", *inside, class_=f"row {attributes.pop('class_', '')}".strip(), **attributes)
