# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 7: commitments, seeds, threshold keys and the lock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from second.codec import is_bytes, is_list, refuse
from second.group import (
    BASE,
    IDENTITY,
    add,
    base_times,
    combination,
    hashed_point,
    read_points,
    read_scalars,
    times,
    total,
)
from second.hashing import H64, ORDER, H
from second.proofs import holds

PURPOSES = ("dice", "seal")


def commitment(table: bytes, epoch: int, k: int, author: bytes, seed: bytes) -> bytes:
    return H("commit", table, epoch, k, author, seed)


def roll_value(table: bytes, epoch: int, k: int, seeds: list[list[Any]], gamma: bytes | None) -> bytes:
    return H("roll", table, epoch, k, seeds, gamma)


def weights(indices: list[int]) -> list[int]:
    """The weights of partials at these indices, by Lagrange at 0."""
    found = []
    for j in indices:
        weight = 1
        for i in indices:
            if i != j:
                weight = weight * i * pow(i - j, -1, ORDER) % ORDER
        found.append(weight)
    return found


@dataclass
class ThresholdKey:
    """One of the two keys of a run: its public point and the public shares of its roster."""

    table: bytes
    epoch: int
    purpose: str
    keys: list[bytes]
    public: bytes
    shares: list[bytes]

    @property
    def threshold(self) -> int:
        return len(self.keys) // 2 + 1

    @property
    def roster(self) -> bytes:
        return H("roster", self.keys)

    def read_partial(self, author: bytes, base: bytes, body: Any, form: str, false: str) -> bytes:
        """V of a partial, checked."""
        if not is_bytes(body, 96):
            refuse(form)
        value = read_points(body[:32], 1, form)[0]
        scalars = read_scalars(body[32:], 2, form)
        place = [self.table, self.epoch, self.purpose, self.roster, self.public, author]
        share = self.shares[self.keys.index(author)]
        if not holds("partial", place, [[BASE], [base]], [share, value], scalars):
            refuse(false)
        return value

    def combined(self, partials: dict[bytes, bytes]) -> bytes:
        """x times the base, from the partials of at least `threshold` members by their keys."""
        chosen = sorted(partials, key=self.keys.index)[: self.threshold]
        indices = [self.keys.index(key) + 1 for key in chosen]
        return combination(weights(indices), [partials[key] for key in chosen])


@dataclass
class Dealing:
    """A body `keys`, read."""

    body: list[bytes]
    rows: list[list[bytes]]

    def mask_for(self, index: int) -> bytes:
        return self.body[2][64 * index : 64 * index + 64]


@dataclass
class KeyRun:
    """The making of the two threshold keys of an epoch by the members with these table keys, in roster order."""

    table: bytes
    epoch: int
    keys: list[bytes]
    announced: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    dealt: dict[bytes, Dealing] = field(default_factory=dict)

    @property
    def threshold(self) -> int:
        return len(self.keys) // 2 + 1

    @property
    def roster(self) -> bytes:
        return H("roster", self.keys)

    def place(self, author: bytes) -> list[Any]:
        return [self.table, self.epoch, self.roster, author]

    def read_announcement(self, author: bytes, body: Any) -> tuple[bytes, bytes]:
        """E and the hash of the coefficients."""
        if not is_list(body, 3) or not is_bytes(body[1], 64) or not is_bytes(body[2], 32):
            refuse("keys/form")
        point = read_points(body[0], 1, "keys/form")[0]
        scalars = read_scalars(body[1], 2, "keys/form")
        if not holds("exchange", self.place(author), [[BASE]], [point], scalars):
            refuse("keys/proof")
        return point, body[2]

    def read_keys(self, author: bytes, body: Any) -> Dealing:
        if not is_list(body, 3):
            refuse("keys/form")
        t, count = self.threshold, len(self.keys)
        points = read_points(body[0], 2 * t, "keys/form")
        scalars = read_scalars(body[1], 4, "keys/form")
        own = 64 * self.keys.index(author)
        if not is_bytes(body[2], 64 * count) or any(body[2][own : own + 64]):
            refuse("keys/form")
        rows = [points[:t], points[t:]]
        if self.announced[author][1] != H("coefficients", self.place(author), rows):
            refuse("keys/other-coefficients")
        for number, purpose in enumerate(PURPOSES):
            place = [*self.place(author), purpose]
            if not holds("dealt", place, [[BASE]], [rows[number][0]], scalars[2 * number : 2 * number + 2]):
                refuse("keys/proof")
        return Dealing(body, rows)

    def ok(self) -> bytes:
        dealings = [self.dealt[key].body for key in self.keys]
        return H("dealings", self.table, self.epoch, self.roster, b"", dealings)

    def read_complaint(self, author: bytes, body: Any) -> bytes:
        """The dealer that the complaint convicts; raises a fault of its author if it convicts nobody."""
        if not is_list(body, 3) or not is_bytes(body[0], 32):
            refuse("keys/form")
        dealer = body[0]
        shared = read_points(body[1], 1, "keys/form")[0]
        scalars = read_scalars(body[2], 2, "keys/form")
        if dealer == author or dealer not in self.keys:
            refuse("keys/false-complaint")
        rows: list[list[bytes | None]] = [[BASE], [self.announced[dealer][0]]]
        place = [*self.place(author), dealer]
        if not holds("complaint", place, rows, [self.announced[author][0], shared], scalars):
            refuse("keys/false-complaint")
        if self.shares_fit(dealer, author, shared):
            refuse("keys/false-complaint")
        return bytes(dealer)

    def shares_fit(self, dealer: bytes, receiver: bytes, shared: bytes) -> bool:
        index = self.keys.index(receiver)
        mask = H64("feldman/share", self.place(dealer), receiver, shared)
        dealing = self.dealt[dealer]
        plain = bytes(a ^ b for a, b in zip(dealing.mask_for(index), mask, strict=True))
        for number in range(2):
            value = int.from_bytes(plain[32 * number : 32 * number + 32], "little")
            if value >= ORDER or base_times(value) != on_polynomial(dealing.rows[number], index + 1):
                return False
        return True

    def finished(self) -> dict[str, ThresholdKey]:
        found = {}
        for number, purpose in enumerate(PURPOSES):
            rows = [self.dealt[key].rows[number] for key in self.keys]
            summed = [total(column) for column in zip(*rows, strict=True)]
            shares = [on_polynomial(summed, index + 1) for index in range(len(self.keys))]
            found[purpose] = ThresholdKey(self.table, self.epoch, purpose, self.keys, summed[0], shares)
        return found


def on_polynomial(row: list[bytes], index: int) -> bytes:
    """The value of the polynomial with these points at `index`, times G."""
    found = IDENTITY
    for point in reversed(row):
        found = add(times(index, found), point)
    return found


def lock_base(table: bytes, epoch: int, k: int) -> bytes:
    return hashed_point("dice/in", table, epoch, k)
