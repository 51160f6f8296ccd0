# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks of the page need in addition to the log: what each height waited for, which only the rules tell.

A hint is not trusted. Its consequences enter the running hash of the height, which every member has signed; a false
hint leads to another hash, or leaves entries without a place at their height, which is a fault. No hash covers a height
that was abandoned: there each entry has to be a valid answer to the question of the hint. Faults that only the rules
show come from hints alone, and the page says so.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

from p2p.lockstep.audit import Audit
from p2p.lockstep.machine import Pending
from p2p.wire.codec import encode

__all__ = ["hints"]

OPEN: Final = ("shuffle", "reveal", "seal")
SEALED: Final = (*OPEN, "deal", "show")
"""Waits about face-down cards and secret choices, of open and of sealed decks."""

BY_RULES: Final = frozenset(
    {"answer/illegal", "answer/shape", "entry/kind", "entry/not-asked", "entry/other-state", "result/other-state"}
)
"""Faults that only the rules can judge."""


def hints(found: Audit) -> dict[str, Any]:
    """The hints of a judged game, by height as text: JSON has no other keys.

    kinds    the kind of wait at the height; "pact" for a height that a pact ended
    sides    of the dice of a roll, None for a roll that orders a deck
    results  canonical CBOR in base64 of what the entries alone do not show: answers of the caretaker, opened cards
    asked    the details of a shuffle, deal, peek, secret choice or opening, and of an abandoned roll
    over     true if the game has ended
    unread   by author, how many of its last entries depend on entries that are not in the log
    refused  by number of the entry, the code of the fault that only the rules can show
    """
    table = found.table
    if table is None:
        return {"kinds": {}, "sides": {}, "results": {}, "asked": {}, "over": False, "unread": {}, "refused": {}}
    position = table.position
    rolls = {rolled.roll.height: rolled for rolled in position.chance.rolls}
    kept = {height: result for height, result in position.results.items() if height not in rolls}
    return {
        "kinds": {str(height): kind for height, kind in sorted(found.heights.items())},
        "sides": {str(at): list(rolled.sides) if rolled.kind == "roll" else None for at, rolled in rolls.items()},
        "results": {str(height): b64encode(encode(result)).decode() for height, result in kept.items()},
        "over": position.over,
        "unread": {author.hex(): count for author, count in found.unjudged},
        "refused": {str(wrong.entry): wrong.code for wrong in found.problems if wrong.code in BY_RULES},
        "asked": {str(at): _asked(asked) for at, asked in position.asked.items() if _needed(asked, at, found)},
    }


def _needed(asked: Pending, height: int, found: Audit) -> bool:
    """True if the checks need the details of a height."""
    assert found.table is not None
    ended = found.heights.get(height, "pact") == "pact"
    return asked.kind in (SEALED if found.table.genesis.sealed else OPEN) or (ended and asked.kind == "roll")


def _asked(asked: Pending) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": asked.kind, "handles": [list(handle) for handle in asked.handles]}
    match asked.kind:
        case "shuffle":
            return {**found, "deck": asked.deck, "members": list(asked.members)}
        case "deal" | "show":
            return {**found, "seat": asked.seats[0]}
        case "seal":
            return {**found, "seats": list(asked.seats_all), "keep": asked.keep}
    return found
