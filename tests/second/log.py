# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 4.3: whose entries a log takes, and what is heard of it before it is read (6.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from second.codec import Refused, is_bytes, is_list, is_number
from second.entries import Entry
from second.genesis import Genesis
from second.pacts import NEW_KEYS, Ballots, read_pact

STRANGERS = 16


@dataclass
class Log:
    """The entries of a table that count, in the order of the file, with the number of each there."""

    entries: list[Entry]
    genesis: Genesis
    newcomers: tuple[bytes, ...] = ()
    """Who gets a seat, as far as an earlier reading has shown that."""
    number: dict[bytes, int] = field(default_factory=dict)
    feeds: dict[bytes, list[Entry]] = field(default_factory=dict)
    joined: set[bytes] = field(default_factory=set)
    results: list[Entry] = field(default_factory=list)
    accusations: list[Entry] = field(default_factory=list)
    problems: list[tuple[int | None, str]] = field(default_factory=list)
    leaves: set[bytes] = field(default_factory=set)
    strangers: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        members = {member.key for member in self.genesis.members} | {*self.newcomers}
        new: set[bytes] = set()
        strangers: set[bytes] = set()
        bounds = Ballots()
        for number, entry in enumerate(self.entries):
            self.number[entry.id] = number
            if entry.author not in members | new:
                if entry.kind != "chat" or len(strangers | {entry.author}) > STRANGERS:
                    self.problems.append((number, "entry/stranger"))
                    self.strangers.append(number)
                    continue
                strangers.add(entry.author)
            self.feeds.setdefault(entry.author, []).append(entry)
            self.hear(entry)
            if entry.author in strangers:
                continue
            key = proposed_key(entry, bounds)
            if key is not None and key not in members and len(new) < NEW_KEYS:
                new.add(key)

    def hear(self, entry: Entry) -> None:
        if entry.kind == "join":
            self.joined.add(entry.author)
        elif entry.kind == "result":
            self.results.append(entry)
            if not is_end(entry.body) and not is_claim(entry.body):
                self.problems.append((self.number[entry.id], "result/form"))
        elif entry.kind == "fault":
            self.accusations.append(entry)
        elif entry.kind == "leave":
            self.leaves.add(entry.id)

    def holds(self, author: bytes, seq: int, entry_id: bytes) -> bool:
        """True if the log has the entry that an end names."""
        feed = self.feeds.get(author, [])
        return seq == -1 or (seq < len(feed) and feed[seq].id == entry_id)

    def later(self, author: bytes, height: int, since: int) -> list[int]:
        """The seqs of an author's entries after `since` that name a greater height than this one: those with a stage,
        and what says how the game has ended."""
        later = [entry for entry in self.feeds.get(author, []) if entry.height > height and entry.seq > since]
        ends = {entry.seq for entry in later if entry.kind == "result" and not is_claim(entry.body)}
        return [entry.seq for entry in later if entry.stage or entry.seq in ends]

    def states(self, author: bytes, height: int, head: bytes, before: int | None) -> set[bytes]:
        """The states that an author's entries with a stage name at this position, up to the seq `before`: after that
        they come late."""
        feed = self.feeds.get(author, [])
        there = [entry for entry in feed if entry.stage and (entry.height, entry.head) == (height, head)]
        return {entry.state for entry in there if before is None or entry.seq < before}

    def ballots(self, ignored: dict[bytes, int], end: bytes | None) -> Ballots:
        """All votes. Those that an author signed at or after its seq in `ignored` count for pacts under `end` alone."""
        ballots = Ballots(leaves=self.leaves, ignored=ignored, end=end)
        votes = [entry for feed in self.feeds.values() for entry in feed if entry.kind in ("pact", "sign", "refuse")]
        for entry in sorted(votes, key=lambda entry: self.number[entry.id]):
            ballots.hear(entry)
        return ballots


def pact_of(entry: Entry) -> bytes | None:
    """The id of the pact that an entry proposes or votes on."""
    if entry.kind != "pact":
        return entry.body[0] if isinstance(entry.body, list) and entry.body and is_bytes(entry.body[0], 32) else None
    try:
        return read_pact(entry.body).id
    except Refused:
        return None


def proposed_key(entry: Entry, bounds: Ballots) -> bytes | None:
    """The table key in the certificate of a `seat` or `moved` that the entry proposes."""
    if entry.kind != "pact":
        return None
    try:
        pact = read_pact(entry.body)
    except Refused:
        return None
    if not bounds.within_bounds(entry.author, pact):
        return None
    return pact.newcomer


def is_end(body: Any) -> bool:
    """True if the body of a `result` is the end of a game (6.8)."""
    if not is_list(body, 3) or not isinstance(body[0], str):
        return False
    rows, gone = body[1], body[2]
    if not isinstance(rows, list) or not isinstance(gone, list):
        return False
    return all(map(is_row, rows)) and all(is_bytes(key, 32) for key in gone)


def is_row(row: Any) -> bool:
    if not is_list(row, 3) or not is_number(row[0]) or not is_number(row[1]) or not isinstance(row[2], list):
        return False
    return all(is_list(part, 2) and isinstance(part[0], str) and is_number(part[1]) for part in row[2])


def is_claim(body: Any) -> bool:
    return is_list(body, 3) and body[0] == "unanswered" and isinstance(body[1], bytes) and isinstance(body[2], str)
