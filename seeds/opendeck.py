"""Cards of a table that plays with `draws=open`: nothing about them is secret, and the table says so.

A shuffle is a roll of the beacon: its value orders the cards by the stream "shuffle". After that every peer can look
up any card, so Deal, Show and Reveal need no message at all; whether a seat's screen shows a card is left to the good
manners of its program. The rules cannot tell the difference from sealed decks: they see handles, never faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from seeds.errors import LocalError
from seeds.streams import Stream

Card: TypeAlias = int | str
Handle: TypeAlias = tuple[str, int]
"""A face-down card: the deck's name and the card's number in it. A number is never used twice."""


class OpenDecks:
    """Which card lies under which handle, for all decks of one table."""

    def __init__(self) -> None:
        self._cards: dict[Handle, Card] = {}
        self._back: set[Handle] = set()

    def shuffle(self, value: bytes, members: Sequence[object], handles: Sequence[Handle]) -> None:
        """Lay the members under new handles, top first, in the order that the roll's value gives.

        members: cards (numbers or text) and handles put back, these as [deck, index]; what a handle put back once
        stood for can still be opened, at the end of a game for instance. Raises LocalError when a handle is unknown,
        put back twice, or not new.
        """
        back = [handle for handle in map(_handle, members) if handle is not None]
        if len(handles) != len(members) or len(set(handles)) != len(handles) or len(set(back)) != len(back):
            raise LocalError(f"{len(members)} cards for {len(handles)} handles, or one of them twice")
        taken = [handle for handle in handles if handle in self._cards]
        if taken:
            raise LocalError(f"handle {taken[0]} is not new")
        cards = [self._card(member) for member in members]
        self._back.update(back)
        order = Stream(value, "shuffle").permutation(len(cards))
        self._cards.update((handle, cards[place]) for handle, place in zip(handles, order, strict=True))

    def faces(self, handles: Iterable[Handle]) -> list[Card]:
        """The cards under these handles: what a Deal or Show gives to its reader, a Reveal to all."""
        return [self._face(handle) for handle in handles]

    def _face(self, handle: Handle) -> Card:
        if handle not in self._cards:
            raise LocalError(f"no card lies under {handle}")
        return self._cards[handle]

    def _card(self, member: object) -> Card:
        handle = _handle(member)
        if handle in self._back:
            raise LocalError(f"{handle} was put back before")
        if handle is not None:
            return self._face(handle)
        if isinstance(member, int | str) and not isinstance(member, bool):
            return member
        raise LocalError(f"neither a card nor a handle: {member!r:.40}")

    def dump(self) -> list[list[str | int]]:
        """The whole state as plain data: deck, number, card, and 1 for a handle put back."""
        return [[*handle, card, int(handle in self._back)] for handle, card in self._cards.items()]

    @classmethod
    def load(cls, data: Sequence[Sequence[str | int]]) -> OpenDecks:
        """The decks whose `dump` this is."""
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
    raise LocalError(f"not a handle: {member!r:.40}")
