# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache of parsed content files between starts.

The engine writes no files. A program may set :attr:`Parsed.keep`, as the client does; otherwise every start parses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Keep", "Parsed", "parsed"]

Tables = dict[str, Any]
Keep = Callable[[str, str, bytes, Callable[[], Tables]], Tables]
"""Returns the tables of a content file. Arguments: package, name and bytes of the file, and a function that parses
it."""


class Parsed:
    """The cache in use. keep: returns the tables of a content file."""

    def __init__(self) -> None:
        self.keep: Keep = lambda package, name, source, parse: parse()


parsed = Parsed()
