# SPDX-License-Identifier: GPL-3.0-or-later
"""A seat whose owner has left for good or has changed: its hidden cards go back (ruling hand-returned).

The seat itself plays on by its stand-in or its new owner. Alliances, offers and units stay as they are.
"""

from __future__ import annotations

from engine.core.cards import Handle
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.waits import Shuffle
from engine.rex.hands import hand, traitors
from engine.rex.state import Rex
from engine.rex.terms import BETRAYAL, RETURN, STOOD_IN, STRATEGY, TRAITOR

__all__ = ["SEGMENTS", "notice"]


def notice(g: Rex, kind: str, seat: Seat) -> None:
    """The hand goes back at once, but after a battle that is being fought: its cards may be promised or committed.

    Whom its stand-in plays for makes no claims (ruling false-claim).
    """
    if kind in ("left-out", "back"):
        g.decks.claims[:] = [row for row in g.decks.claims if row[1:] != [seat, STOOD_IN]]
    if kind == "left-out":
        g.claim(seat, STOOD_IN, ())
    if kind != "hand-returned" or not g.flow.agenda:
        return
    if g.battle.space < 0:
        g.then([RETURN, seat])
        return
    names = [item[0] for item in g.flow.agenda]
    last = names.index("battle-over" if "battle-over" in names else "resolve")
    g.flow.agenda.insert(last + 1, [RETURN, seat])


def return_hand(g: Rex, seat: Seat) -> Rule[None]:
    """Strategy, traitor and Betrayal cards of the seat go back into their decks, which are shuffled; what it claimed
    about its cards can no longer be checked."""
    cards, held = hand(g, seat), traitors(g, seat)
    shown = tuple(Handle(BETRAYAL, card - 1) for card in (g.seats.betrayal[seat],) if card)
    for deck, back in ((STRATEGY, cards), (TRAITOR, held), (BETRAYAL, shown)):
        yield from put_back(g, deck, back)
    g.seats.hand[seat], g.seats.traitors[seat], g.seats.betrayal[seat] = [], [], 0
    g.decks.claims[:] = [row for row in g.decks.claims if row[1] != seat or row[2] == STOOD_IN]
    if cards or held or shown:
        g.tell("card/hand-returned", seat=seat, cards=len(cards), traitors=len(held), betrayal=len(shown))


def put_back(g: Rex, deck: str, back: tuple[Handle, ...]) -> Rule[None]:
    """Cards go back into a deck, which is shuffled below the card that is up for bidding: it may have been seen."""
    if not back:
        return
    lot = deck == STRATEGY and any(item[0] in ("bid", "sold") for item in g.flow.agenda)
    if not lot:
        g.decks.put_back(deck, back)
        return
    first, rest = g.decks.top(deck, int(lot)), g.decks.top(deck, len(g.decks.order[deck]))[int(lot) :]
    yield from ask(Shuffle(deck, (*rest, *back), deck))
    g.decks.order[deck][:0] = [card.index for card in first]


SEGMENTS = {RETURN: return_hand}
