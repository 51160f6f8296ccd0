# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards of a table with `draws=open`: they are not secret, and the table's options say so.

A shuffle is a roll of the beacon, whose value orders the cards by the stream "shuffle". Then every peer can look up any
card, so Deal, Show and Reveal need no message, and only a peer's own program hides cards from its screen. The rules do
not differ from those with sealed decks: they see handles, never faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from seeds.errors import ContractError
from seeds.streams import Stream

Card: TypeAlias = int | str
Handle: TypeAlias = tuple[str, int]
"""A face-down card: the deck's name and the card's number in it, never used twice."""


class OpenDecks:
    """The cards under the handles of all decks of one table."""

    def __init__(self, cards: Mapping[Handle, Any] = MappingProxyType({})) -> None:
        """cards: those that lie there at the beginning, whatever their faces are; kept as `begun`."""
        self.begun = cards
        self._cards: dict[Handle, Card] = dict(cards)
        self._back: set[Handle] = set()

    def shuffle(self, value: bytes, members: Sequence[object], handles: Sequence[Handle]) -> None:
        """Put the members under new handles, top first, in the order given by the roll's value.

        members: cards (numbers or text) and handles put back, these as [deck, index]. The card of a handle put back can
            still be opened, for instance at the end of a game.

        Raises LocalError if a handle is unknown, put back twice, or not new.
        """
        back = [handle for handle in map(_handle, members) if handle is not None]
        if len(handles) != len(members) or len(set(handles)) != len(handles) or len(set(back)) != len(back):
            raise ContractError(f"{len(members)} cards for {len(handles)} handles, or one of them twice")
        taken = [handle for handle in handles if handle in self._cards]
        if taken:
            raise ContractError(f"handle {taken[0]} is not new")
        cards = [self._card(member) for member in members]
        self._back.update(back)
        order = Stream(value, "shuffle").permutation(len(cards))
        self._cards.update((handle, cards[place]) for handle, place in zip(handles, order, strict=True))

    def faces(self, handles: Iterable[Handle]) -> list[Card]:
        """Return the cards under these handles."""
        return [self._face(handle) for handle in handles]

    def _face(self, handle: Handle) -> Card:
        if handle not in self._cards:
            raise ContractError(f"no card lies under {handle}")
        return self._cards[handle]

    def _card(self, member: object) -> Card:
        handle = _handle(member)
        if handle in self._back:
            raise ContractError(f"{handle} was put back before")
        if handle is not None:
            return self._face(handle)
        if isinstance(member, int | str) and not isinstance(member, bool):
            return member
        raise ContractError(f"neither a card nor a handle: {member!r:.40}")

    def dump(self) -> list[list[str | int]]:
        """Return the whole state as plain data: deck, number, card, and 1 for a handle put back."""
        return [[*handle, card, int(handle in self._back)] for handle, card in self._cards.items()]

    @classmethod
    def load(cls, data: Sequence[Sequence[str | int]]) -> OpenDecks:
        """Return the decks of a `dump`."""
        decks = cls()
        for deck, index, card, back in data:
            handle = str(deck), int(index)
            decks._cards[handle] = card
            if back:
                decks._back.add(handle)
        return decks


def _handle(member: object) -> Handle | None:
    if not isinstance(member, list | tuple):
        return None
    if len(member) == 2 and isinstance(member[0], str) and isinstance(member[1], int):
        return member[0], member[1]
    raise ContractError(f"not a handle: {member!r:.40}")
