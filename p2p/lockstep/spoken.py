# SPDX-License-Identifier: GPL-3.0-or-later
"""How far each member has spoken, as its own feed tells. A vote that its author signed after it had spoken at a later
height comes late and does not count: so no vote undoes what somebody has said who does not sign it.

A feed is a chain, so whoever holds a vote holds all that its author had said before. What lies before a return counts
no more: who was left out and is back may have spoken at heights that the table has yet to reach.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final, NamedTuple

from p2p.lockstep.step import STAGE, goes_on
from p2p.wire.entry import MAX_NUMBER, Entry

NOTHING: Final = -1


class _Word(NamedTuple):
    """An entry that may fill a slot, or says how the game has ended. higher: where the last one before it stands that
    names a greater height. head: empty for an end."""

    seq: int
    height: int
    higher: int
    head: bytes
    state: bytes


class Spoken:
    """The heights that the entries of each author name which may fill slots or say how the game has ended, in the order
    of its feed. changed: called with each change of what stands before a vote: a new entry stands behind all votes of
    its author."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._words: dict[bytes, list[_Word]] = {}
        self._returns: dict[bytes, list[tuple[int, int]]] = {}

    def note(self, entry: Entry) -> None:
        """Note the next entry of a feed."""
        if goes_on(entry):
            words = self._words.setdefault(entry.author, [])
            higher = self._higher(words, len(words) - 1, entry.height)
            head = entry.head if entry.kind in STAGE else b""
            words.append(_Word(entry.seq, entry.height, higher, head, entry.state))

    def forget(self, entry: Entry) -> None:
        """Forget an entry that is no part of its feed any more, and all that followed it there."""
        words = self._words.get(entry.author, [])
        del words[bisect_left(words, (entry.seq,)) :]
        self._changed()

    def returned(self, author: bytes, height: int, seq: int) -> None:
        """Note that a member counts again from this height on, after this entry of its feed."""
        self._returns.setdefault(author, []).append((height, seq))
        self._changed()

    def begin_again(self) -> None:
        """Forget who came back, before all feeds are read again."""
        self._returns.clear()
        self._changed()

    def beyond(self, author: bytes, height: int, before: int = MAX_NUMBER) -> int:
        """Return the seq of the last entry of an author before `before` that names a greater height than this one, and
        counts there for all that this height knows of returns; NOTHING if there is none."""
        words = self._words.get(author, [])
        if not words or (words[-1].height <= height and words[-1].higher == NOTHING):
            return NOTHING
        at = self._higher(words, bisect_left(words, (before,)) - 1, height)
        return words[at].seq if at != NOTHING and words[at].seq > self.since(author, height) else NOTHING

    def since(self, author: bytes, height: int) -> int:
        """Return the seq after which the entries of an author count, for all that this height knows of returns."""
        return max((seq for back, seq in self._returns.get(author, ()) if back <= height), default=NOTHING)

    def differs(self, author: bytes, height: int, head: bytes, state: bytes) -> bool:
        """True if an author has spoken at a position over another state than this one, before it spoke beyond."""
        there = (word for word in self._words.get(author, ()) if (word.height, word.head) == (height, head))
        other = [word.seq for word in there if word.state != state]
        return any(self.beyond(author, height, seq) == NOTHING for seq in other)

    def _higher(self, words: list[_Word], at: int, height: int) -> int:
        """Return where the last word stands, at or before a place, that names a greater height."""
        while at != NOTHING and words[at].height <= height:
            at = words[at].higher
        return at
