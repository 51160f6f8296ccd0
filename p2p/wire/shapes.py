# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of each kind of entry, and the form of those that fill no slot and that no pact judges.

An entry of another size or form is refused like one with a false signature: nobody keeps it or passes it on. The forms
of all other kinds are judged where they count (`p2p/lockstep/step.py`, `pacts.py`), since a false one is evidence.

    chat     512 bytes      [hash of salt and text]
    clock    512            [table key of who keeps the table waiting]
    fault    1,024          [table key of the culprit, code, [one or two ids]]
    join     512            None                            leave    the same
    sign     512            refuse   2,048            pact, result    4,096
    shuffle, remask, tag    60,000                    all others      12,000

Sizes are those of the whole entry in bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from p2p.wire.codec import Value

MAX_ENTRY: Final = 12_000
MAX_DECK_ENTRY: Final = 60_000
MAX_CODE: Final = 64

_SIZES: Final[Mapping[str, int]] = MappingProxyType(
    {
        **dict.fromkeys(("chat", "clock", "join", "leave", "sign"), 512),
        **dict.fromkeys(("shuffle", "remask", "tag"), MAX_DECK_ENTRY),
        **dict.fromkeys(("pact", "result"), 4_096),
        "fault": 1_024,
        "refuse": 2_048,
    }
)


def most_bytes(kind: str) -> int:
    """Return the greatest size of an entry of this kind."""
    return _SIZES.get(kind, MAX_ENTRY)


def has_shape(kind: str, body: Value) -> bool:
    """True if this body has the form that its kind prescribes, or if its kind is judged elsewhere."""
    match kind, body:
        case "chat" | "clock", [bytes() as name]:
            return len(name) == 32
        case "fault", [bytes() as culprit, str() as code, list() as ids]:
            named = all(type(each) is bytes and len(each) == 32 for each in ids)
            return len(culprit) == 32 and len(code) <= MAX_CODE and 1 <= len(ids) <= 2 and named
        case (("join" | "leave"), None):
            return True
    return kind not in ("chat", "clock", "fault", "join", "leave")
