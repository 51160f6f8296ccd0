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

CARDS: Final = ("shuffle", "deal", "show", "reveal")
"""Waits that are about face-down cards."""


def hints(found: Audit) -> dict[str, Any]:
    """The hints of a judged game, by height as text: JSON has no other keys.

    kinds    what the height waited for; "pact" for one that a pact ended
    sides    of the dice of a roll, None for a roll that orders a deck
    results  canonical CBOR in base64 of what the slots alone do not say: answers of the caretaker, opened cards
    pacts    ids of those that took effect, in hexadecimal
    cards    of sealed decks: what a shuffle, deal, peek or opening is about
    """
    table = found.table
    if table is None:
        return {"kinds": {}, "sides": {}, "results": {}, "pacts": {}, "cards": {}}
    position, sealed = table.position, table.genesis.sealed
    rolls = {rolled.roll.height: rolled for rolled in position.chance.rolls}
    kept = {height: result for height, result in position.results.items() if height not in rolls}
    pacts = {height: table.applied(height) for height in position.past}
    return {
        "kinds": {str(height): kind for height, kind in sorted(found.heights.items())},
        "sides": {str(at): list(rolled.sides) if rolled.kind == "roll" else None for at, rolled in rolls.items()},
        "results": {str(height): b64encode(encode(result)).decode() for height, result in kept.items()},
        "pacts": {str(height): [pact.id.hex() for pact in agreed] for height, agreed in pacts.items() if agreed},
        "cards": {str(at): _cards(asked) for at, asked in position.asked.items() if sealed and asked.kind in CARDS},
    }


def _cards(asked: Pending) -> dict[str, Any]:
    seat = asked.seats[0] if asked.kind in ("deal", "show") else None
    members, handles = list(asked.members), [list(handle) for handle in asked.handles]
    return {"kind": asked.kind, "deck": asked.deck, "members": members, "handles": handles, "seat": seat}
