"""Where the content of games, once parsed, may be kept between starts.

The engine writes no files.  Who runs it may set :attr:`Parsed.keep`, as the client does; without it every start parses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Keep", "Parsed", "parsed"]

Tables = dict[str, Any]
Keep = Callable[[str, str, bytes, Callable[[], Tables]], Tables]
"""Package, name and bytes of a content file, and how to parse it → its tables, which are the same as if it did."""


class Parsed:
    """keep: gives the tables of a content file, parsed now or before."""

    def __init__(self) -> None:
        self.keep: Keep = lambda package, name, source, parse: parse()


parsed = Parsed()
