# SPDX-License-Identifier: GPL-3.0-or-later
"""Hidden cards: the state contains opaque handles, a seat's lens the faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engine.core.dataclass import dataclass
from engine.core.sections import Section, section
from engine.core.values import Handle, Plain

__all__ = ["SEALS", "Claim", "Decks", "Handle", "Lens"]

SEALS = "seal"
"""The deck name of sealed choices."""


class Lens(Mapping[Handle, Plain]):
    """The faces that one seat knows. It is not part of the state. Options and views may use it, rules may not.

    ``opened``: faces that everybody knows besides.
    """

    __slots__ = ("_faces",)

    def __init__(
        self, faces: Mapping[Handle, Plain] | None = None, opened: Mapping[Handle, Plain] | None = None
    ) -> None:
        self._faces: dict[Handle, Plain] = {**(opened or {}), **(faces or {})}

    def __getitem__(self, handle: Handle) -> Plain:
        return self._faces[handle]

    def __iter__(self) -> Iterator[Handle]:
        return iter(self._faces)

    def __len__(self) -> int:
        return len(self._faces)

    def learn(self, handle: Handle, face: Plain) -> None:
        self._faces[handle] = face


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about hidden cards. ``holds`` gets their faces, None for unknown ones, and returns False if they
    disprove it."""

    cards: tuple[Handle, ...]
    holds: Callable[[Sequence[Plain]], bool]


@section
class Decks(Section):
    """Face-down cards of all decks.

    ``order``: undealt handles of each deck, top first. ``made``: number of handles ever made for each deck.
    ``seals``: unopened sealed choices, each ``[index, seat, plain form of its Choose as JSON, of its fallback as
    JSON]``. ``claims``: statements about hidden cards, ``[height, seat, code, deck, index, deck, index, ...]``,
    checked when hands are opened.
    """

    order: dict[str, list[int]]
    made: dict[str, int]
    seals: list[list[int | str]]
    claims: list[list[int | str]]

    @classmethod
    def empty(cls) -> Decks:
        return cls({}, {}, [], [])

    def next_handles(self, deck: str, count: int) -> tuple[Handle, ...]:
        """Return the handles that the next shuffle or seal of this number of cards makes."""
        first = self.made.get(deck, 0)
        return tuple(Handle(deck, first + step) for step in range(count))

    def top(self, deck: str, count: int) -> tuple[Handle, ...]:
        """Return the handles that a deal of this number of cards takes, fewer if the deck runs out."""
        return tuple(Handle(deck, index) for index in self.order.get(deck, ())[:count])

    def put_back(self, deck: str, handles: Iterable[Handle]) -> None:
        """Lay dealt cards under the undealt ones. They are mixed in when the next card is needed (`rule.mixed`)."""
        back = sorted((handle.index for handle in handles), reverse=True)
        if back:
            self.order[deck] += back
            if not self.unmixed(deck):
                self.order[deck].reverse()

    def unmixed(self, deck: str) -> bool:
        """True if cards have been put back since the last shuffle, whose handles ascend. A single card is mixed."""
        return any(one > other for one, other in pairwise(self.order[deck]))
