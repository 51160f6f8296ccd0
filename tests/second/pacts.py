# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 9.1 to 9.3: proposals and votes, and which of them count."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from second.codec import Refused, encode, is_bytes, is_int, is_list, refuse
from second.entries import Entry
from second.hashing import H

ALL_SIGN = ("back", "seat", "takeback", "end")
COVERING = ("absent", "without", "repair", "moved")
OVER = (*COVERING, "free")
EARLIER = ("without", "repair", "free")
ENDS_ANY = ("takeback", "without", "end")
CUTTING = ("absent", "without", "moved")
PARTING = ("absent", "without")
KINDS = ("absent", "gone", "back", "seat", "takeback", "without", "repair", "end", "moved", "free")
NOBODY_OUT = ("back", "seat", "takeback", "end")
PACTS_AT_ONE_HEIGHT = 8
REPAIRS = 32
NEW_KEYS = 8
NEVER = 2**53
"""Beyond all numbers of entries."""


@dataclass(frozen=True)
class Pact:
    kind: str
    at: int
    head: bytes
    out: list[list[Any]]
    terms: Any
    attempt: int
    over: list[bytes]
    id: bytes
    left: frozenset[bytes] = frozenset()
    """Whom it names at the end of a `leave`."""

    @property
    def names(self) -> list[bytes]:
        """The table keys in `out`."""
        return [row[0] for row in self.out]

    @property
    def newcomer(self) -> bytes | None:
        """The table key in the certificate of a `seat` or `moved`."""
        certificate: Any = None
        if self.kind == "seat":
            certificate = self.terms[1][0] if self.terms[1] else None
        elif self.kind == "moved":
            certificate = self.terms[0]
        named = isinstance(certificate, list) and len(certificate) > 1 and is_bytes(certificate[1], 32)
        return certificate[1] if named else None

    @property
    def effects(self) -> list[str]:
        """What it does to those whom it names: who has left is gone for good."""
        stay = [self.kind] if set(self.names) > self.left or not self.left else []
        return [*stay, *["leave"] * bool(self.left)]


def pact_id(
    kind: str, at: int, head: bytes, out: list[list[Any]], terms: Any, attempt: int, over: list[bytes]
) -> bytes:
    return H("pact", kind, at, head, out, encode(terms), attempt, over)


def read_pact(body: Any) -> Pact:
    """The pact of a body; raises its fault."""
    if not is_list(body, 7):
        refuse("pact/shape")
    kind, at, head, out, terms, attempt, over = body
    if (
        kind not in KINDS
        or not is_int(at)
        or not is_int(attempt)
        or not isinstance(out, list)
        or not is_bytes(head, 32)
    ):
        refuse("pact/shape")
    if not ends_are_right(kind, out):
        refuse("pact/out")
    if not terms_are_right(kind, terms):
        refuse("pact/terms")
    if not over_is_right(kind, over):
        refuse("pact/over")
    return Pact(kind, at, head, out, terms, attempt, over, pact_id(*body))


def is_end(row: Any) -> bool:
    if not is_list(row, 3) or not is_bytes(row[0], 32) or not is_bytes(row[2], 32):
        return False
    return is_int(row[1]) or (is_int(row[1], -1, -1) and row[2] == bytes(32))


def ascending(keys: list[bytes]) -> bool:
    return keys == sorted(set(keys))


def ends_are_right(kind: str, out: list[Any]) -> bool:
    if not all(map(is_end, out)) or not ascending([row[0] for row in out]):
        return False
    if kind in NOBODY_OUT:
        return not out
    if kind == "repair":
        return True
    return len(out) == 1 if kind == "moved" else len(out) >= 1


def terms_are_right(kind: str, terms: Any) -> bool:
    if kind in ("absent", "gone", "free"):
        return terms is None
    if kind == "end":
        return isinstance(terms, str) and 1 <= len(terms) <= 64
    length = {"back": 2, "seat": 2, "takeback": 2, "without": 5, "repair": 3, "moved": 2}[kind]
    if not is_list(terms, length):
        return False
    if kind == "back":
        return is_bytes(terms[0], 32) and is_int(terms[1])
    if kind == "seat":
        return is_int(terms[0]) and isinstance(terms[1], list)
    if kind == "takeback":
        return is_int(terms[0]) and isinstance(terms[1], bool)
    if kind == "moved":
        return isinstance(terms[0], list) and isinstance(terms[1], bool)
    if kind == "without":
        culprit, ids, shown, following, epoch = terms
        right = isinstance(ids, list) and 1 <= len(ids) <= 2 and all(is_bytes(item, 32) for item in ids)
        return right and is_bytes(culprit, 32) and isinstance(shown, bool) and is_int(following) and is_int(epoch)
    state, ends, epoch = terms
    return (
        is_bytes(state, 16)
        and isinstance(ends, list)
        and len(ends) <= 32
        and all(map(is_end, ends))
        and ascending([row[0] for row in ends])
        and is_int(epoch)
    )


def over_is_right(kind: str, over: Any) -> bool:
    if (
        not isinstance(over, list)
        or not all(is_bytes(item, 32) for item in over)
        or not ascending(over)
        or len(over) > 64
    ):
        return False
    if kind == "free":
        return bool(over)
    return not over or kind in OVER


@dataclass
class Ballots:
    """All pacts and votes of a log, as they were heard in the order of the file. Where an end is tried (6.9), `ignored`
    has the seq of the first result of each author under it."""

    pacts: dict[bytes, Pact] = field(default_factory=dict)
    signed: dict[bytes, dict[bytes, int]] = field(default_factory=dict)
    """By pact, who has signed it, and the seq of the first entry that does."""
    refused: dict[bytes, set[bytes]] = field(default_factory=dict)
    ignored: dict[bytes, int] = field(default_factory=dict)
    end: bytes | None = None
    leaves: set[bytes] = field(default_factory=set)
    """The ids of all entries by which somebody leaves."""
    faults: list[tuple[Entry, str]] = field(default_factory=list)
    heights: dict[tuple[bytes, int], int] = field(default_factory=dict)
    repairs: dict[bytes, int] = field(default_factory=dict)
    asked: dict[bytes, list[tuple[int, int]]] = field(default_factory=dict)
    """By author, the height and seq of each proposal of its own to come back."""

    def hear(self, entry: Entry) -> None:
        try:
            if entry.kind == "pact":
                self.hear_pact(entry, read_pact(entry.body))
            elif entry.kind == "sign":
                self.hear_sign(entry, voted_on(entry.body, 1))
            else:
                self.hear_refuse(entry.author, entry.body)
        except Refused as fault:
            self.faults.append((entry, fault.code))

    def hear_pact(self, entry: Entry, pact: Pact) -> None:
        if not self.within_bounds(entry.author, pact):
            return
        if pact.kind == "back" and pact.terms == [entry.author, entry.seq]:
            self.asked.setdefault(entry.author, []).append((pact.at, entry.seq))
        left = {row[0] for row in pact.out if row[2] in self.leaves and pact.kind in PARTING}
        self.pacts.setdefault(pact.id, replace(pact, left=frozenset(left)))
        if entry.author not in self.refused.get(pact.id, ()):
            self.signed.setdefault(pact.id, {}).setdefault(entry.author, entry.seq)

    def within_bounds(self, author: bytes, pact: Pact) -> bool:
        if pact.kind == "repair":
            self.repairs[author] = self.repairs.get(author, 0) + 1
            return self.repairs[author] <= REPAIRS
        place = (author, pact.at)
        self.heights[place] = self.heights.get(place, 0) + 1
        return self.heights[place] <= PACTS_AT_ONE_HEIGHT

    def hear_sign(self, entry: Entry, pact: bytes) -> None:
        if entry.author in self.refused.get(pact, ()):
            refuse("pact/sign-after-refuse")
        self.signed.setdefault(pact, {}).setdefault(entry.author, entry.seq)

    def counted(self, pact: Pact) -> dict[bytes, int]:
        """The signatures of a pact, by author, without those that an end which is tried leaves out."""
        signed = self.signed.get(pact.id, {})
        if pact.head == self.end:
            return signed
        return {author: seq for author, seq in signed.items() if seq < self.ignored.get(author, NEVER)}

    def hear_refuse(self, author: bytes, body: Any) -> None:
        pact = voted_on(body, 3)
        if not isinstance(body[1], str):
            refuse("pact/shape")
        if author in self.signed.get(pact, ()):
            refuse("pact/refuse-after-sign")
        self.refused.setdefault(pact, set()).add(author)


def voted_on(body: Any, length: int) -> bytes:
    if not is_list(body, length) or not isinstance(body[0], bytes):
        refuse("pact/shape")
    return bytes(body[0])


def signers(pact: Pact, members: Iterable[bytes]) -> set[bytes]:
    return set(members) - set(pact.names)


def least(pact: Pact, members: Collection[bytes]) -> int:
    """How many of these members must sign a pact at least."""
    many, left = len(members), len(pact.left & set(members))
    if pact.kind in ALL_SIGN:
        return many
    if left:
        return min(many - many // 2, many - left)
    return 1 if pact.kind == "moved" and many == 2 else many // 2 + 1


def complete(pact: Pact, members: Collection[bytes], signed: set[bytes]) -> bool:
    """True if enough of these members have signed the pact."""
    needed = signers(pact, members)
    enough = least(pact, members)
    if pact.kind == "free":
        return len(needed & signed) >= enough
    return needed <= signed and len(needed) >= enough


def covers(other: Pact, pact: Pact, members: Collection[bytes]) -> bool:
    """True if `other` covers `pact`, both at one position."""
    if other.kind not in COVERING or other.id == pact.id or not set(pact.over) <= set(other.over):
        return False
    if pact.kind == "free" or (other.kind == "repair") != (pact.kind == "repair"):
        return False
    if pact.id in other.over:
        return True
    first, second = signers(other, members), signers(pact, members)
    return first <= second and (len(first) < len(second) or other.over != pact.over)


def uncovered(pacts: Collection[Pact], members: Collection[bytes]) -> list[Pact]:
    """Those that no other one covers; of several that cut feeds among these the one with the lowest id."""
    found = [pact for pact in pacts if not any(covers(other, pact, members) for other in pacts)]
    cutting = sorted(pact.id for pact in found if pact.kind in CUTTING)
    return [pact for pact in found if pact.id not in cutting[1:]]


@dataclass
class Count:
    """The votes on the pacts at one position. `later` has, by author, the seqs of its entries with a stage that name a
    greater height and do not lie at or before `since`, the seq after which it counts again; `states` the states that
    its entries with a stage name at this position. weighing: what a `free` has ended counts like any other history."""

    ballots: Ballots
    at: int
    head: bytes
    members: list[bytes]
    later: dict[bytes, list[int]]
    states: dict[bytes, set[bytes]]
    since: dict[bytes, int] = field(default_factory=dict)
    weighing: bool = False

    def counted(self, pact: Pact) -> dict[bytes, int]:
        """The signatures of a pact that may count, by author: of those who had not asked at a later height to come
        back."""
        signed = self.ballots.counted(pact).items()
        return {author: seq for author, seq in signed if not (self.binds(pact, author) and self.had_asked(author, seq))}

    def binds(self, pact: Pact, author: bytes) -> bool:
        """True if who had asked to come back later cannot sign the pact any more."""
        listed = [self.ballots.pacts[name] for name in pact.over if name in self.ballots.pacts]
        if pact.kind == "free":
            return any(author in each.names or author in self.ballots.signed.get(each.id, {}) for each in listed)
        return pact.kind not in ("without", "repair")

    def had_asked(self, author: bytes, seq: int) -> bool:
        asked = self.ballots.asked.get(author, [])
        return any(at > self.at and self.since.get(author, -1) < own < seq for at, own in asked)

    def in_time(self, pact: Pact) -> set[bytes]:
        """Who has signed the pact in time."""
        return {author for author, seq in self.counted(pact).items() if not self.is_late(pact, author, seq)}

    def is_late(self, pact: Pact, author: bytes, seq: int) -> bool:
        if pact.kind == "without" or (pact.kind == "repair" and not pact.names):
            return False
        if pact.kind == "repair" and self.states.get(author, set()) - {pact.terms[0]}:
            return False
        later = self.later.get(author, [])
        if pact.kind == "free":
            given = [self.ballots.signed.get(name, {}).get(author) for name in pact.over]
            start = min((at for at in given if at is not None), default=seq)
            return any(start < at < seq for at in later)
        gone, back = self.away(author)
        return any(at < min(seq, gone) or back < at < seq for at in later)

    def away(self, author: bytes) -> tuple[int, int]:
        """The seqs of the first signature of an author of a pact here that only a `free` keeps from being complete, and
        of its first vote here after it has spoken beyond since; those of no entry if there is none."""
        if self.weighing:
            return NEVER, NEVER
        here = [pact for pact in self.ballots.pacts.values() if (pact.at, pact.head) == (self.at, self.head)]
        listed = {name for pact in self.freeing(here) for name in pact.over}
        plain = replace(self, weighing=True)
        ended = [p for p in here if p.id in listed and p.kind != "free" and complete(p, self.members, plain.in_time(p))]
        votes = {pact.id: self.ballots.signed.get(pact.id, {}).get(author, NEVER) for pact in here}
        gone = min((votes[pact.id] for pact in ended), default=NEVER)
        beyond = min((at for at in self.later.get(author, []) if at > gone), default=NEVER)
        return gone, min((seq for seq in votes.values() if seq > beyond), default=NEVER)

    def counting(self) -> list[Pact]:
        """The complete pacts that no other complete one covers, by their ids."""
        here = [pact for pact in self.ballots.pacts.values() if (pact.at, pact.head) == (self.at, self.head)]
        freed = {name for pact in self.freeing(here) for name in pact.over}
        open_pacts = [pact for pact in here if pact.id not in freed]
        in_time = [pact for pact in open_pacts if complete(pact, self.members, self.in_time(pact))]
        cutting = uncovered([pact for pact in in_time if pact.kind in CUTTING], self.members)
        excused = {name for pact in cutting for name in pact.names}
        done = [pact for pact in open_pacts if self.is_complete(pact, excused)]
        return sorted(uncovered(done, self.members), key=lambda pact: pact.id)

    def freeing(self, here: Collection[Pact]) -> list[Pact]:
        """The complete `free` among these pacts: signed by enough, and listed by no other complete one."""
        signed = [pact for pact in here if pact.kind == "free" and complete(pact, self.members, self.in_time(pact))]
        found: dict[bytes, bool] = {}

        def stands(pact: Pact) -> bool:
            if pact.id not in found:
                found[pact.id] = not any(pact.id in other.over and stands(other) for other in signed)
            return found[pact.id]

        return [pact for pact in signed if stands(pact)]

    def is_complete(self, pact: Pact, excused: set[bytes]) -> bool:
        late = set(self.counted(pact)) & excused if pact.kind not in EARLIER else set()
        return complete(pact, self.members, self.in_time(pact) | late)
