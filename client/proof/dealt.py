# SPDX-License-Identifier: GPL-3.0-or-later
"""A dealer for a game that goes on from the middle of a log: seen cards stay, all others are drawn again.

A card that was dealt to a seat or seen by all keeps its face, if the log or this home knows the face. Every other card
is drawn at random from what its deck can hold, so later parts of the log reveal nothing.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from client.proof.recording import Cards, Recording
from engine.core.cards import SEALS
from engine.core.dealer import Dealer, HashDice
from engine.core.match import Match
from engine.core.values import Handle, Plain


def dealer_at(recording: Recording, at: int, seed: str, cards: Cards | None = None) -> Dealer:
    """The dealer of the game after a step. seed: determines the new draws. cards: what is known of the face-down cards,
    if not all that the recording knows."""
    cards, rng = cards or recording.cards, Random(seed)
    dealer = Dealer(HashDice(seed))
    shuffled = [(handles, members) for step, handles, members in cards.shuffled if step <= at]
    known = _kept(cards, at)
    _need(shuffled, known, rng)
    for handles, members in shuffled:
        left = Counter(known[card] if isinstance(card, Handle) else card for card in members)
        left -= Counter(known[handle] for handle in handles if handle in known)
        rest = list(left.elements())
        rng.shuffle(rest)
        known |= {handle: rest.pop() for handle in handles if handle not in known}
    dealer.faces |= known | _seals(recording.match(at), cards)
    for step, seat, handles in cards.dealt:
        if step <= at:
            for handle in handles:
                dealer.lens(seat).learn(handle, dealer.faces[handle])
    return dealer


def _kept(cards: Cards, at: int) -> dict[Handle, Plain]:
    """The cards that somebody had seen by then, with their known faces."""
    seen = {handle for handle, (step, _face) in cards.shown.items() if step <= at}
    seen |= {handle for step, _seat, handles in cards.dealt if step <= at for handle in handles}
    faces = {handle: cards.face(handle) for handle in seen if handle.deck != SEALS}
    return {handle: face for handle, face in faces.items() if face is not None}


def _need(
    shuffled: list[tuple[tuple[Handle, ...], tuple[Plain | Handle, ...]]], known: dict[Handle, Plain], rng: Random
) -> None:
    """Give unseen reshuffled cards the faces that were found among them later, from the last shuffle to the first."""
    for handles, members in reversed(shuffled):
        needed = Counter(known[handle] for handle in handles if handle in known)
        there = Counter(known[card] if isinstance(card, Handle) else card for card in members
                        if not isinstance(card, Handle) or card in known)  # fmt: skip
        unseen = [card for card in members if isinstance(card, Handle) and card not in known]
        rng.shuffle(unseen)
        for face in (needed - there).elements():
            known[unseen.pop()] = face


def _seals(match: Match, cards: Cards) -> dict[Handle, Plain]:
    """The sealed choices that are not opened: the recorded value if known, else the caretaker's choice."""
    found: dict[Handle, Plain] = {}
    for index, _seat, _choose, fallback in match.g.decks.seals:
        handle = Handle(SEALS, int(index))
        face = cards.face(handle)
        found[handle] = str(fallback) if face is None else face
    return found
