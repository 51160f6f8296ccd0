# SPDX-License-Identifier: GPL-3.0-or-later
"""The pacts that were proposed, found again by position, author and the feeds that they end."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence

from p2p.lockstep.pacts import MAX_PROPOSALS, MAX_REPAIRS, Pact
from p2p.wire.entry import Entry


class ProposedPacts:
    """Every proposed pact, as found in the feeds, for all positions."""

    def __init__(self) -> None:
        self.pacts: dict[bytes, Pact] = {}
        self.proposers: dict[bytes, dict[bytes, int]] = {}
        """By pact id, the authors of its proposals with the seq of each, in the order of arrival."""
        self.needed: dict[bytes, int] = {}
        """By author, the last entry that a pact names: the end of its feed, or its own proposal to come back."""
        self._at: dict[tuple[int, bytes], list[Pact]] = {}
        self._of_height: dict[int, list[Pact]] = {}
        self._heights: list[int] = []
        self._naming: dict[bytes, list[Pact]] = {}
        self._proposals: dict[bytes, bytes] = {}
        self._proposed: dict[tuple[bytes, int], list[int]] = {}
        self._asked: dict[bytes, list[tuple[int, bytes, int]]] = {}

    def add(self, pact: Pact, entry: Entry) -> bool:
        """Note a pact entry, which its author may propose. Return True if the pact is new."""
        self._proposed.setdefault(self._place(entry.author, pact), []).append(entry.seq)
        self._proposals[entry.id] = pact.id
        self.proposers.setdefault(pact.id, {}).setdefault(entry.author, entry.seq)
        if pact.kind == "back" and pact.terms == [entry.author, entry.seq]:
            self._asked.setdefault(entry.author, []).append((pact.at, pact.head, entry.seq))
        new = pact.id not in self.pacts
        if new:
            self.pacts[pact.id] = pact
            self._at.setdefault((pact.at, pact.head), []).append(pact)
            if pact.at not in self._of_height:
                insort(self._heights, pact.at)
            self._of_height.setdefault(pact.at, []).append(pact)
            for end in pact.out:
                self._naming.setdefault(end.author, []).append(pact)
            for author, seq in pact.names():
                self.needed[author] = max(seq, self.needed.get(author, -1))
        return new

    def forget(self, author: bytes, first: int) -> None:
        """Forget the entries of an author from `first` on, which are no part of its feed any more. What it alone has
        proposed stays known, since others may have signed it."""
        self._asked[author] = [each for each in self._asked.get(author, ()) if each[2] < first]
        for place in [place for place in self._proposed if place[0] == author]:
            self._proposed[place] = [seq for seq in self._proposed[place] if seq < first]
        for made in self.proposers.values():
            if made.get(author, -1) >= first and len(made) > 1:
                del made[author]

    def may_propose(self, author: bytes, pact: Pact) -> bool:
        """True if this proposal of an author would count: at one height not too many do, nor repairs in all."""
        return self.proposed(author, pact) < (MAX_REPAIRS if pact.kind == "repair" else MAX_PROPOSALS)

    def proposed(self, author: bytes, pact: Pact) -> int:
        """Return the number of proposals of an author that count at the height of this pact; of a repair, at any."""
        return len(self._proposed.get(self._place(author, pact), ()))

    def _place(self, author: bytes, pact: Pact) -> tuple[bytes, int]:
        return author, -1 if pact.kind == "repair" else pact.at

    def proposal(self, entry: Entry) -> bytes | None:
        """Return the id of the pact that an entry proposes, else None."""
        return self._proposals.get(entry.id)

    def place(self, entry: Entry) -> int:
        """Return the height that an entry is about: of a vote that of its pact, else its own."""
        match entry.kind, entry.body:
            case (("sign" | "refuse"), [bytes() as name, *_]):
                pact = self.pacts.get(name)
            case _:
                pact = self.pacts.get(self._proposals.get(entry.id, b""))
        return entry.height if pact is None else min(pact.at, entry.height)

    def at(self, height: int, head: bytes) -> Sequence[Pact]:
        """Return the pacts proposed at this position, in the order of arrival."""
        return self._at.get((height, head), ())

    def until(self, height: int) -> Iterator[Pact]:
        """Yield the pacts proposed at any position up to a height. Those of later heights cost nothing: a member may
        propose as many as its feed takes."""
        for each in self._heights[: bisect_right(self._heights, height)]:
            yield from self._of_height[each]

    def naming(self, authors: Iterable[bytes]) -> Iterator[Pact]:
        """Yield the pacts that end the feed of one of these authors."""
        for author in authors:
            yield from self._naming.get(author, ())
