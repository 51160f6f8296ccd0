# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game as it may be, seen from one seat: hidden cards dealt anew, private numbers filled in.

It is what search with hidden information needs (compare `ResampleFromInfostate` of OpenSpiel). All deals that agree
with what the seat knows are equally likely: the faces in its lens, those opened for all, the members of each shuffle
and claims about hidden cards (if claims contradict each other, as many of them as can be true). No guess is made from
the way others have played.

A deal says for each shuffle which member became which handle. `_first` finds one that agrees: back from the last
shuffle it says which old handles must have held the faces that were seen later, then deals forward. A walk of random
exchanges (N. Metropolis et al., 1953) then makes all deals equally likely: two cards change places from one shuffle
that both went through to a later one, or to the present, unless that contradicts what is known. The reverse exchange is
as likely as each exchange.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.cards import SEALS, Claim, Handle, Lens
from engine.core.dataclass import dataclass
from engine.core.dealer import Dealer, HashDice
from engine.core.history import Shuffled
from engine.core.inputs import Input, Outcome
from engine.core.match import Match
from engine.core.registry import GameSpec
from engine.core.sections import compact
from engine.core.values import Plain, Value, plain
from engine.core.views import View
from engine.core.waits import Choose, Together

__all__ = ["TRIES", "ImagineError", "imagine", "replayed"]

TRIES: Final = 100
"""Deals that are tried before one gives up."""
WALK: Final = 6
"""Exchanges for each handle of a deck of which more is known than a last shuffle and faces."""


class ImagineError(Exception):
    """No game that agrees with a view has been found. A bot has to answer without one."""


def imagine(spec: GameSpec, view: View, dice: HashDice) -> tuple[Match, Dealer]:
    """Return a match as it may be and a dealer who knows its hidden cards, for a bot that plays it on.

    From the seat of the view it looks like the view, and all deals of hidden cards that agree with the view are equally
    likely. Private numbers come from the public ledger, sealed choices are drawn from all that may have been sealed.
    Raises :class:`ImagineError` if no such match is found.
    """
    match = replayed(spec, view)
    known = dict(view.lens)
    claims = [claim for claim in spec.claims(view.g) if claim.holds([known.get(card) for card in claim.cards])]
    faces = {**_faces(view, known, claims, dice), **known}
    for index, _, choice, _ in view.g.decks.seals:
        handle = Handle(SEALS, int(index))
        faces[handle] = _text(faces[handle]) if handle in faces else _any_choice(spec, str(choice), dice)
    dealer = Dealer(dice)
    dealer.faces = faces
    for seat, cards in view.g.history.seen:
        for card in cards:
            if card in faces:
                dealer.lens(seat).learn(card, faces[card])
    dealer.lenses[view.seat] = Lens(view.lens)
    return match, dealer


def replayed(spec: GameSpec, view: View) -> Match:
    """Return the match at the view: the start of the segment with all private numbers, and its inputs since. It can be
    played on until a hidden card matters. Raises :class:`ImagineError` if the view has no segment, or another one."""
    if view.start is None:
        raise ImagineError("this view has no segment")
    base = view.start.copy()
    for path in spec.veil(base):
        section, name = path.split(".")
        numbers, ledger = getattr(getattr(base, section), name), base.history.ledger.get(path, (0,) * base.table.seats)
        for seat, number in enumerate(ledger):
            if seat != view.seat:
                numbers[seat] = number
    match = Match(spec, base)
    for given in view.tail:
        _feed(match, given)
    match.g.new_events = []
    if match.pending != view.pending or match.height != view.height:
        raise ImagineError(f"the segment leads to {match.pending}, not to {view.pending}")
    return match


def _feed(match: Match, given: Input) -> None:
    if isinstance(given, Outcome) and isinstance(match.pending, Together):
        match.take(given)
        return
    refusal = match.check(given)
    if refusal is not None:
        raise ImagineError(f"{given}: {refusal}")
    match.apply(given, checked=True, heard=False)


def _text(sealed: Plain) -> str:
    return sealed if isinstance(sealed, str) else compact(sealed)


def _any_choice(spec: GameSpec, choice: str, dice: HashDice) -> str:
    """Return one of the answers that may have been sealed, as the text of its plain form."""
    ask: Choose[Any] = spec.words.value(json.loads(choice))
    options = ask.options(None)
    if not ask.staged:
        return compact(plain(options[dice.below(len(options))]))
    so_far: tuple[Value, ...] = ()
    while options:
        so_far = (*so_far, options[dice.below(len(options))])
        options = ask.options(None, None, so_far)
    return compact(plain(so_far))


# Faces ---------------------------------------------------------------------------------------------------------------


def _faces(view: View, known: Mapping[Handle, Plain], claims: Sequence[Claim], dice: HashDice) -> dict[Handle, Plain]:
    """Return a face for every handle that has not been forgotten."""
    decks: dict[str, list[Shuffled]] = {}
    for shuffled in view.g.history.shuffles:
        decks.setdefault(shuffled.deck, []).append(shuffled)
    for deck, made in view.g.decks.made.items():
        if deck != SEALS and made != sum(len(each.members) for each in decks.get(deck, ())):
            raise ImagineError(f"no record of the shuffles of {deck}")
    spoken = {card for claim in claims for card in claim.cards}
    for deck, shuffles in decks.items():
        if not any(card.deck == deck for card in spoken):
            decks[deck] = _since_known(shuffles, known)
    for _ in range(TRIES):
        deal = _first(decks, known, dice)
        if deal is not None:
            world = _World(decks, deal, known, claims, dice)
            world.agree()
            world.walk()
            return world.faces()
    raise ImagineError("no deal agrees with what is known")


def _since_known(shuffles: list[Shuffled], known: Mapping[Handle, Plain]) -> list[Shuffled]:
    """Leave out what was before the last shuffle after which all other cards of the deck were known: it says nothing
    of what is after it."""
    for last in range(len(shuffles) - 1, 0, -1):
        before, whole = shuffles[:last], shuffles[last]
        gone = {card for each in (*before, whole) for card in each.members if isinstance(card, Handle)}
        apart = [card for each in before for card in each.made if card not in gone]
        if all(card in known for card in apart):
            cards = Counter(card for each in (*before, whole) for card in each.members if not isinstance(card, Handle))
            cards.subtract(known[card] for card in apart)
            if min(cards.values()) < 0:
                raise ImagineError(f"{whole.deck} does not hold the cards that were seen")
            return [Shuffled(whole.deck, whole.first, tuple(cards.elements())), *shuffles[last + 1 :]]
    return shuffles


@dataclass(frozen=True, slots=True)
class _Deal:
    """Where each card is. ``face``: by card. ``at``: the card of each handle, ``where``: by shuffle, the handle that
    each card became."""

    face: list[Plain]
    at: dict[Handle, int]
    where: list[dict[int, Handle]]


def _first(decks: Mapping[str, list[Shuffled]], known: Mapping[Handle, Plain], dice: HashDice) -> _Deal | None:
    """Return a deal that agrees with the faces that are known; None if this try found none."""
    deal = _Deal([], {}, [])
    for shuffles in decks.values():
        wanted = dict(known)
        for each in reversed(shuffles):
            if not _trace_back(each, wanted, dice):
                return None
        for each in shuffles:
            if not _dealt(each, wanted, deal, dice):
                return None
    return deal


def _trace_back(each: Shuffled, wanted: dict[Handle, Plain], dice: HashDice) -> bool:
    """Add the faces that old handles must have had, for those of new ones."""
    there = Counter(wanted.get(card) if isinstance(card, Handle) else card for card in each.members)
    unknown = [card for card in each.members if isinstance(card, Handle) and card not in wanted]
    for card in each.made:
        face = wanted.get(card)
        if face is None:
            continue
        if there[face]:
            there[face] -= 1
        elif unknown:
            wanted[unknown.pop(dice.below(len(unknown)))] = face
        else:
            return False
    return True


def _dealt(each: Shuffled, wanted: Mapping[Handle, Plain], deal: _Deal, dice: HashDice) -> bool:
    """Deal the members of a shuffle to its new handles."""
    cards: list[int] = []
    for member in each.members:
        if member in deal.at:
            cards.append(deal.at[member])
        else:  # a face, or a known card from before the shuffles that are left
            cards.append(len(deal.face))
            deal.face.append(wanted[member] if isinstance(member, Handle) else member)
    became: dict[int, Handle] = {}
    free: list[Handle] = []
    by_face: dict[Plain, list[int]] = {}
    while cards:
        card = cards.pop(dice.below(len(cards)))
        by_face.setdefault(deal.face[card], []).append(card)
    for handle in each.made:
        face = wanted.get(handle)
        if face is None:
            free.append(handle)
        elif by_face.get(face):
            became[by_face[face].pop()] = handle
        else:
            return False
    left = [card for some in by_face.values() for card in some]
    for handle in free:
        became[left.pop(dice.below(len(left)))] = handle
    deal.at.update((handle, card) for card, handle in became.items())
    deal.where.append(became)
    return True


class _World:
    """A deal that is changed by exchanges of two cards."""

    def __init__(
        self,
        decks: Mapping[str, list[Shuffled]],
        deal: _Deal,
        known: Mapping[Handle, Plain],
        claims: Sequence[Claim],
        dice: HashDice,
    ) -> None:
        self.deal, self.known, self.claims, self.dice = deal, known, claims, dice
        self.spoken: dict[Handle, set[int]] = {}
        for number, claim in enumerate(claims):
            for card in claim.cards:
                self.spoken.setdefault(card, set()).add(number)
        numbered = [each for shuffles in decks.values() for each in shuffles]
        self.left = {card: at for at, each in enumerate(numbered) for card in each.members if isinstance(card, Handle)}
        spoken = {card.deck for card in self.spoken}
        self.mixed = [
            (at, each)
            for at, each in enumerate(numbered)
            if each.deck in spoken or (len(decks[each.deck]) > 1 and any(card.deck == each.deck for card in known))
        ]
        self.steps = WALK * sum(len(each.members) for _, each in self.mixed)
        self.false = {number for number in range(len(claims)) if not self._holds(number)}

    def faces(self) -> dict[Handle, Plain]:
        """Return the face of each handle."""
        return {handle: self.deal.face[card] for handle, card in self.deal.at.items()}

    def agree(self) -> None:
        """Exchange cards until no claim is false, or as few as are found: somebody may have lied."""
        for _ in range(4 * self.steps):
            if not self.false:
                break
            self._step()

    def walk(self) -> None:
        """Exchange cards until all deals that agree are about equally likely."""
        for _ in range(self.steps):
            self._step()

    def _holds(self, number: int) -> bool:
        at, face, claim = self.deal.at, self.deal.face, self.claims[number]
        return claim.holds([face[at[card]] if card in at else self.known.get(card) for card in claim.cards])

    def _step(self) -> None:
        """Exchange two cards of a shuffle until a later one, if what is known allows it."""
        begin, each = self.mixed[self.dice.below(len(self.mixed))]
        size = len(each.members)
        one, other = self.dice.below(size), self.dice.below(size)
        if one == other:
            return
        where, at = self.deal.where, self.deal.at
        card, rival = (at[Handle(each.deck, each.first + place)] for place in (one, other))
        ways = self._way(card, begin), self._way(rival, begin)
        shared = sorted({shuffle for shuffle, _ in ways[0][1:]}.intersection(shuffle for shuffle, _ in ways[1][1:]))
        until = [*shared, len(where)][self.dice.below(len(shared) + 1)]
        mine, theirs = ([step for step in way if step[0] < until] for way in ways)
        if not (self._may(rival, mine) and self._may(card, theirs)):
            return
        self._exchange(card, rival, mine, theirs)
        about = {number for _, handle in (*mine, *theirs) for number in self.spoken.get(handle, ())}
        if about:
            false = {number for number in sorted(about) if not self._holds(number)}
            if len(false) > len(self.false & about):
                self._exchange(card, rival, theirs, mine)
            else:
                self.false = (self.false - about) | false

    def _way(self, card: int, begin: int) -> list[tuple[int, Handle]]:
        """Return the shuffles that a card goes through from this one on, with the handles that it becomes."""
        way = []
        shuffle: int | None = begin
        while shuffle is not None:
            handle = self.deal.where[shuffle][card]
            way.append((shuffle, handle))
            shuffle = self.left.get(handle)
        return way

    def _may(self, card: int, steps: Sequence[tuple[int, Handle]]) -> bool:
        face = self.deal.face[card]
        return all(self.known.get(handle, face) == face for _, handle in steps)

    def _exchange(
        self, card: int, rival: int, mine: Sequence[tuple[int, Handle]], theirs: Sequence[tuple[int, Handle]]
    ) -> None:
        """Let ``rival`` go the steps that ``card`` went, and the other way round."""
        for old, steps in ((card, mine), (rival, theirs)):
            for shuffle, _ in steps:
                del self.deal.where[shuffle][old]
        for new, steps in ((rival, mine), (card, theirs)):
            for shuffle, handle in steps:
                self.deal.where[shuffle][new] = handle
                self.deal.at[handle] = new
