"""Whether the others confirm the end of the own feed, which comes before the first signature of every run.

A disk cannot tell that it is an older copy: a restored folder, a log that lost its last frames and the newest state
look alike. The others can: whoever holds newer entries of mine says so by `have`, and they come back like any others.

    a member's have names my end                        it confirms
    it names more                                       I wait for those entries, then for its word on the new end
    it names less                                       it is sent the rest, and asked whether it has them now
    half of the members linked have another link with me  I wait until that one, another copy or an old link, is gone
    no member linked has named more, one confirms,
    and all present were heard or SETTLE has passed     confirmed

Who says nothing, or promises entries and does not send them, is waited for up to LIAR seconds. One member alone of
several is not believed that this table is played from another copy too: it could keep silent who has come back.

Two cases this cannot tell. Somebody who is away is the only one who holds a newer entry. And two copies run at the same
time, each linked with other members who have no link with one another: both are confirmed, and if both sign before a
word of one reaches the other, they have forked. If only one has signed, the other takes its entries and watches.
"""

from __future__ import annotations

from typing import Final

from p2p.lockstep.lockstep import Lockstep
from p2p.wire.entry import NO_PREV
from p2p.wire.messages import Have, Want
from seeds.dataclass import dataclass

SETTLE: Final = 2.0
"""Seconds in which links to the others may come up after the first, whose word would be enough."""
LIAR: Final = 45.0
"""Seconds without a word, or without the entries that were promised, after which a link is not waited for: more than
the time from one have to the next."""
ASK_AGAIN: Final = 1.0


@dataclass(slots=True)
class _Word:
    """What a link said to hold of my feed.

    Attributes:
        member: whose word it is, None while nothing was heard and for those who only follow.
        elsewhere: True if it has another link with me.
        since: seconds, when this or my own end last changed, None before the next look.
    """

    member: bytes | None = None
    heard: bool = False
    elsewhere: bool = False
    since: float | None = None
    seq: int = -1
    last: bytes = NO_PREV


class OwnFeed:
    """The words of all links about the feed of `table`, to be looked at after each and every second or so."""

    def __init__(self, table: Lockstep) -> None:
        assert table.me is not None
        self._table, self._me = table, table.me
        self._words: dict[str, _Word] = {}
        self._first: float | None = None
        self._end = table.own_end()
        self._next_ask = 0.0

    def opened(self, link: str) -> None:
        self._words[link] = _Word()

    def closed(self, link: str) -> None:
        self._words.pop(link, None)

    def said(self, link: str, member: bytes | None, have: Have) -> None:
        """A have came. member: whose it is, as the channel authenticated it; None: of somebody who only follows."""
        word = self._words[link]
        mine = next(((feed.seq, feed.id) for feed in have.feeds if feed.author == self._me), (-1, NO_PREV))
        if not word.heard or (word.seq, word.last) != mine:
            word.since = None
        word.member = None if member == self._me else member
        word.heard, word.elsewhere, (word.seq, word.last) = True, self._me in have.linked, mine

    def look(self, now: float) -> list[tuple[str, Want]]:
        """Confirm the feed if that is due. What to ask meanwhile, by link."""
        if not self._table.unconfirmed:
            return []
        end = self._table.own_end()
        for word in self._words.values():
            if word.since is None or end != self._end:
                word.since = now
        self._end = end
        waited = [word for word in self._words.values() if now - (word.since or now) < LIAR]
        ahead = [word for word in waited if not self._fits(word)]
        elsewhere = self._elsewhere()
        self._table.elsewhere(elsewhere)
        if ahead:
            self._table.older()
        elif (
            not elsewhere
            and all(word.heard for word in waited)
            and self._settled(now)
            and any(word.member is not None and (word.seq, word.last) == end for word in self._words.values())
        ):
            self._table.confirm(*end)
            return []
        if now < self._next_ask:
            return []
        self._next_ask = now + ASK_AGAIN
        # Who is sent the rest says `have` when it is asked for an entry beyond its last one.
        return [
            (link, Want(self._table.genesis.table, self._me, end[0], 1))
            for link, word in self._words.items()
            if word.member is not None and word.seq < end[0]
        ]

    def _elsewhere(self) -> bool:
        """True if this table key is linked from another place too, as half of the members linked say."""
        said = [word.elsewhere for word in self._words.values() if word.member is not None]
        return 0 < sum(said) * 2 >= len(said)

    def _fits(self, word: _Word) -> bool:
        """False when this link holds an entry of mine that I lack."""
        feed = self._table.feeds.feed(self._me)
        return word.seq < 0 or (word.seq < len(feed) and feed[word.seq].id == word.last)

    def _settled(self, now: float) -> bool:
        """True once all who are present are linked, or had the time for it."""
        heard = {word.member for word in self._words.values() if word.member is not None}
        if self._first is None and heard:
            self._first = now
        position = self._table.position
        missing = set(position.members) - heard - position.cut.keys() - {self._me}
        return not missing or (self._first is not None and now - self._first >= SETTLE)
