# SPDX-License-Identifier: GPL-3.0-or-later
"""What votes have undone: every choice, roll and opening that a take-back, a `without` or a repair made void, with its
value and those who voted for that. It was said, and whoever holds the log knows it.

A judge who has all votes never plays the heights that a `without` has undone. So they are read once more, as if that
vote had not been held.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from p2p.lockstep.follower import Follower
from p2p.lockstep.pacts import Pact
from p2p.lockstep.said import SaidAtHeight, said_since
from p2p.lockstep.step import read_answers
from p2p.wire.codec import Value
from p2p.wire.entry import Entry


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
    """Return what votes have undone, in the order of the votes."""
    found: list[Undone] = []
    for height in sorted(table.position.past):
        for pact in table.effected(height):
            voters = pact.signers(table.position.past[height].members)
            found += (Undone(said, pact.kind, height, voters) for said in _by(table, height, pact))
    return tuple(found)


def _by(table: Follower, height: int, pact: Pact) -> Iterator[SaidAtHeight]:
    match pact.kind, pact.terms:
        case "takeback", [int(), bool()]:
            yield from table.position.taken_back.get(height, ())
        case "without", _:
            again = _without(table, pact)
            yield from said_since(again.position, pact.at)
        case "repair", _:
            yield from _unfit(table, pact)


def _without(table: Follower, pact: Pact) -> Follower:
    """Return the table as if a vote had not been held."""
    again = Follower(table.genesis, table.reading.fresh.clone())
    again.ballots.ignore(pact.id)
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
            yield from _words(entry)


def _words(entry: Entry) -> Iterator[SaidAtHeight]:
    match entry.kind, entry.body:
        case "answer", body:
            yield from (SaidAtHeight(entry.height, "choice", entry.author, value) for value in read_answers(body) or ())
        case "reveal", list() as cards:
            values: list[Value] = [card[2] for card in cards if isinstance(card, list) and len(card) == 4]
            yield SaidAtHeight(entry.height, "opening", entry.author, values)
        case "open", [_, bytes() as seed, _]:
            yield SaidAtHeight(entry.height, "seed", entry.author, seed)
