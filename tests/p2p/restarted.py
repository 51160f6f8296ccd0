"""Peers that start again, and what their links say to them."""

from __future__ import annotations

from p2p.lockstep.lockstep import Lockstep
from p2p.sync.exchange import Exchange
from p2p.testing.tables import DirectTable, member
from p2p.wire.messages import Feed, Have


def copy_of(table: DirectTable, number: int, lost: int = 0, lost_by: int | None = None) -> Lockstep:
    """A peer that starts again. lost: how many of the last entries of `lost_by`, itself by default, it lacks."""
    author = table.keys[number if lost_by is None else lost_by].key.public
    entries = table.peers[number].feeds.entries
    gone = [entry for entry in entries if entry.author == author][-lost:] if lost else []
    after = min((entries.index(entry) for entry in gone), default=len(entries))
    again = member(table.genesis, table.keys[number], table.peers[number].reading.fresh.clone())
    again.restore([(entry, None) for at, entry in enumerate(entries) if at < after])
    again.start(new=False)
    return again


class Asked:
    """A peer that starts again, and what each of its links says to it, true or not."""

    def __init__(self, table: DirectTable, again: Lockstep, *others: int) -> None:
        self.table, self.again, self.end = table, again, Exchange(again)
        self.me = again.me or b""
        for number in others:
            self.open(number)
        self.end.tick(0.0)

    def open(self, number: int) -> None:
        self.end.opened(str(number), self.table.genesis.members[number].certificate.identity)

    def questions(self) -> dict[str, bytes]:
        """The last question on each link."""
        return {link: have.question for link, have in self.end.outgoing() if isinstance(have, Have) and have.question}

    def says(self, number: int, held: Lockstep | Feed, answer: bytes, now: float, *linked: bytes) -> None:
        """Let a member say what it holds of my feed."""
        feeds = (held,) if isinstance(held, Feed) else (feed_of(held, self.me),)
        have = Have(self.table.genesis.table, self.table.keys[number].key.public, feeds, linked, b"", answer)
        self.end.received(str(number), have, now)


def feed_of(peer: Lockstep, author: bytes) -> Feed:
    return Feed(author, *peer.feeds.have()[author])


def ends(peer: Lockstep) -> tuple[int, bytes]:
    return peer.own_end()


def why_mute(peer: Lockstep) -> str:
    """Why it signs nothing, or nothing."""
    return peer.mute.code if peer.mute is not None else ""
