"""What the checks of the page need beside the log: what each height waited for, which only the rules tell.

A hint is not believed. What follows from it goes into the running hash of the height, and that is what every member has
signed; a false hint leads to another hash.
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

BY_RULES: Final = ("answer/illegal", "entry/kind", "entry/not-asked", "entry/other-state")
"""Faults that nobody sees who does not know what the table waited for, and what was allowed."""


def hints(found: Audit) -> dict[str, Any]:
    """The hints of a judged game, by height as text: JSON has no other keys.

    kinds    what the height waited for; "pact" for one that a pact ended
    sides    of the dice of a roll, None for a roll that orders a deck
    results  canonical CBOR in base64 of what the slots alone do not say: answers of the caretaker, opened cards
    pacts    ids of those that took effect, in hexadecimal
    asked    what a shuffle, deal, peek, secret choice or opening is about
    refused  by number of the entry, the code of what our audit found against it that only the rules can tell
    """
    table = found.table
    if table is None:
        return {"kinds": {}, "sides": {}, "results": {}, "pacts": {}, "asked": {}, "refused": {}}
    position, sealed = table.position, table.genesis.sealed
    rolls = {rolled.roll.height: rolled for rolled in position.chance.rolls}
    kept = {height: result for height, result in position.results.items() if height not in rolls}
    pacts = {height: table.applied(height) for height in position.past}
    return {
        "kinds": {str(height): kind for height, kind in sorted(found.heights.items())},
        "sides": {str(at): list(rolled.sides) if rolled.kind == "roll" else None for at, rolled in rolls.items()},
        "results": {str(height): b64encode(encode(result)).decode() for height, result in kept.items()},
        "pacts": {str(height): [pact.id.hex() for pact in agreed] for height, agreed in pacts.items() if agreed},
        "refused": {str(wrong.entry): wrong.code for wrong in found.problems if wrong.code in BY_RULES},
        "asked": {
            str(at): _asked(asked) for at, asked in position.asked.items() if asked.kind in (SEALED if sealed else OPEN)
        },
    }


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
