# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds in texts: `{do:newest}` names a deed by its id, and each front puts its own way to do it there: a key, a word
to type, a button.

Until then the name stands between two characters that no text of a person has (`client.system.names.shown`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

OPENS, ENDS = "\ue000", "\ue001"
NAMED: Final = re.compile(f"{OPENS}([a-z-]+){ENDS}")


class _Deeds:
    """Formats the id of a deed for `named`."""

    def __format__(self, id: str) -> str:
        return f"{OPENS}{id}{ENDS}"


DO: Final = _Deeds()
"""The value of `do` in `text.format(do=DO)`."""


def named(text: str, way: Callable[[str], str]) -> str:
    """The text with a front's way to do each deed in it. way: of a deed, by its id."""
    return NAMED.sub(lambda found: way(found[1]), text) if OPENS in text else text
