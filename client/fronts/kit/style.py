# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of the full screen. Each repeats the meaning of a letter, a sign or bold text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from client.fronts.kit.depth import STYLES as SHARED
from client.fronts.kit.depth import told_apart

if TYPE_CHECKING:
    from prompt_toolkit.styles import BaseStyle

STYLES: Final = {
    **SHARED,
    "bar": "reverse",
    "status": "bold",
    "key": "bold",
    "chosen": "reverse",
    "picked": "bold",
    "legal": "underline bold",
    "recent": "bold",
    "hint": "reverse bold",
    "focus": "bold",
    "alarm": "bold",
    "notice": "",
    "said": "",
    "bold": "bold",
    "faint": "",
}


def style() -> BaseStyle:
    """The styles in prompt_toolkit's form."""
    from prompt_toolkit.styles import Style

    return Style.from_dict(told_apart(STYLES))
