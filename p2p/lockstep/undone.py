# SPDX-License-Identifier: GPL-3.0-or-later
"""What votes have undone: every choice, roll and opening that a take-back, a `without` or a repair made void, or that
somebody had said for the height at which a vote left it out or since, or by a vote from which t members have freed,
with its value and those who voted for that. It was said, and whoever holds the log knows it.

A judge who has all votes never plays the heights that a `without` has undone, nor those that others had played before
a vote left them out from there. So they are read once more, as if that vote had not been held. There it finds the votes
that this one has undone too, and what those had undone. Who fills a log with such votes would have it read for days: so
little is read in all, and where that ends the account says that there is more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from p2p.lockstep.follower import Follower
from p2p.lockstep.pacts import Pact
from p2p.lockstep.said import SaidAtHeight, said_since, words
from p2p.lockstep.step import STAGE

MOST_READ: Final = 200_000
"""Entries that are read once more at most, but for those of the last reading."""
LEAST: Final = 1_000
"""Entries for which a reading of fewer counts."""


class Undone(NamedTuple):
    """One thing that was said and does not count.

    Attributes:
        by: the kind of the vote.
        at: the height at which the vote took effect.
        voters: the keys of its signers.
    """

    said: SaidAtHeight
    by: str
    at: int
    voters: tuple[bytes, ...]


def undone(table: Follower) -> tuple[Undone, ...]:
    """Return what votes have undone, in the order of the votes, those first that another vote has undone."""
    return tuple(_Account().since(table, 0))


class _Account:
    """read: how many entries have been read once more."""

    def __init__(self) -> None:
        self.read = 0

    def since(self, table: Follower, first: int) -> Iterator[Undone]:
        """Yield what the votes of the heights from `first` on have undone."""
        for height in sorted(at for at in table.position.past if at >= first):
            for pact in table.effected(height):
                voters, said = pact.signers(table.position.past[height].members), self.by(table, height, pact)
                if pact.kind == "without" and (again := self.without(table, pact)) is not None:
                    yield from self.since(again, pact.at)
                    said = iter(said_since(again.position, pact.at, again.position.height))
                yield from (Undone(each, pact.kind, height, voters) for each in said)
            yield from _freed(table, height)

    def by(self, table: Follower, height: int, pact: Pact) -> Iterator[SaidAtHeight]:
        match pact.kind:
            case "takeback":
                yield from table.position.taken_back.get(height, ())
            case "repair":
                yield from _unfit(table, pact)
                repairs = [each for each in table.effected(height) if each.kind == "repair"]
                if pact == repairs[0] and _others_went_on(table, height):
                    again = self.without(table, *repairs)
                    yield from _parted(table, again) if again is not None else [SaidAtHeight(height, "more", b"", None)]
            case "without":
                yield SaidAtHeight(pact.at, "more", b"", None)
            case "absent" | "moved":
                yield from _late(table, height, pact)
                if _had_gone_on(table, height, pact):
                    yield from self.beyond(self.without(table, pact), height)

    def beyond(self, again: Follower | None, height: int) -> Iterator[SaidAtHeight]:
        """Yield what was said beyond a height where a table had gone on as if a vote had not been held."""
        if again is None:
            yield SaidAtHeight(height, "more", b"", None)
        elif again.position.height > height:
            yield from said_since(again.position, height + 1, again.position.height)

    def without(self, table: Follower, *pacts: Pact) -> Follower | None:
        """Return the table as if votes had not been held, None if too much has been read once more."""
        if self.read > MOST_READ:
            return None
        self.read += max(LEAST, len(table.feeds.entries))
        return _without(table, pacts)


def _had_gone_on(table: Follower, height: int, pact: Pact) -> bool:
    """True if somebody whom a vote leaves out has spoken beyond that height, behind the end that it names, in another
    history than this one."""
    held = table.position.held
    said = (entry for end in pact.out for entry in table.feeds.feed(end.author)[end.seq + 1 :])
    beyond = (entry for entry in said if entry.kind in STAGE and entry.height > height)
    return any(held(entry.height, entry.head) is None for entry in beyond)


def _others_went_on(table: Follower, height: int) -> bool:
    """True if somebody has spoken beyond a height in another history than this one."""
    held = table.position.held
    said = (entry for entry in table.feeds.entries if entry.kind in STAGE and entry.height > height)
    return any(held(entry.height, entry.head) is None for entry in said)


def _parted(table: Follower, again: Follower) -> Iterator[SaidAtHeight]:
    """Yield what was said without a vote since the height that opened otherwise by it."""
    position = again.position
    heights = [height for height, past in position.past.items() if table.position.held(height, past.head) is None]
    yield from said_since(position, heights[0], position.height) if heights else ()


def _freed(table: Follower, height: int) -> Iterator[Undone]:
    """Yield what members had said beyond a height in a history that a `free` there has ended."""
    past, ballots = table.position.past[height], table.ballots
    frees = ballots.frees(height, past.head, past.members)
    voters = tuple(who for who in past.members if any(ballots.signed(free, who) for free in frees))
    for author in past.members if frees else ():
        for entry in table.feeds.feed(author):
            if entry.height > height and ballots.ended(entry, height, past.head):
                yield from (Undone(each, "free", height, voters) for each in words(entry, entry.height))


def _without(table: Follower, pacts: Sequence[Pact]) -> Follower:
    """Return the table as if votes had not been held."""
    again = Follower(table.genesis, table.reading.fresh.clone())
    again.hearing.seat(table.position.roster)
    again.ballots.closing = table.ballots.closing
    for each in (*table.ballots.ignored, *(pact.id for pact in pacts)):
        again.ballots.ignore(each)
    for entry in table.feeds.entries:
        if again.welcome(entry):
            again.hear(entry)
    again.go_on()
    again.settled()
    return again


def _unfit(table: Follower, pact: Pact) -> Iterator[SaidAtHeight]:
    """Yield what a repair has let be read and what does not fit."""
    for (repair, author), (first, last) in table.reading.unfit.items():
        for entry in table.feeds.feed(author)[first : last + 1] if repair == pact.id else ():
            yield from words(entry, entry.height)


def _late(table: Follower, height: int, pact: Pact) -> Iterator[SaidAtHeight]:
    """Yield what those whom a vote leaves out had said there behind the ends that it names."""
    past = table.position.past[height]
    for end in pact.out:
        for entry in table.feeds.feed(end.author)[end.seq + 1 :]:
            if (entry.height, entry.head, entry.epoch) == (height, past.head, past.epoch):
                yield from words(entry, height)
