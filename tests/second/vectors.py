# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 14: how the vectors are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from second.codec import Refused, decode

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "p2p" / "protocol_vectors.json").read_text("utf-8"))


def raw(value: Any) -> Any:
    """Bytes in place of hexadecimal texts, in lists too."""
    if isinstance(value, list):
        return [raw(item) for item in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


def plain(text: str) -> Any:
    """The value whose encoding the text is."""
    return decode(bytes.fromhex(text))


def whole(value: int | str) -> int:
    """A number; great ones are hexadecimal texts."""
    return int(value, 16) if isinstance(value, str) else value


def refusal(act: Callable[..., Any], *arguments: Any) -> str | None:
    """The code by which `act` refuses these arguments, or None."""
    try:
        act(*arguments)
    except Refused as refused:
        return refused.code
    return None


def handle(value: list[Any]) -> tuple[str, int]:
    return value[0], value[1]
