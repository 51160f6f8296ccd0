"""The colours of the full screen.  Each says again what a letter, a sign or bold already says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from client.line.terminal import STYLES as SHARED

if TYPE_CHECKING:
    from prompt_toolkit.styles import BaseStyle

__all__ = ["style"]

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
    """The styles as prompt_toolkit wants them."""
    from prompt_toolkit.styles import Style

    return Style.from_dict(STYLES)
