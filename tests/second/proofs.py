# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections 3.3 to 3.5: proofs of knowledge, and section 8.4: the proof of a shuffle."""

from __future__ import annotations

from math import prod
from typing import Any

from second.codec import refuse
from second.group import (
    BASE,
    add,
    base_times,
    combination,
    hashed_point,
    minus,
    read_points,
    read_scalars,
    times,
    total,
)
from second.hashing import ORDER, H, number

Row = list[bytes | None]
Pair = tuple[bytes, bytes]


def holds(tag: str, place: list[Any], rows: list[Row], images: list[bytes], scalars: list[int]) -> bool:
    """True if c, s_1 … s_m prove the relation with these rows and images."""
    challenge, secrets = scalars[0], scalars[1:]
    answers = []
    for row, image in zip(rows, images, strict=True):
        parts = [(s, base) for s, base in zip(secrets, row, strict=True) if base is not None]
        left = combination([s for s, _ in parts], [base for _, base in parts])
        answers.append(minus(left, times(challenge, image)))
    return challenge == number(tag, place, rows, b"".join(images), b"".join(answers))


def one_pair(tag: str, place: list[Any], bases: list[bytes], images: list[bytes]) -> Pair:
    """Section 3.4: one pair that stands for several with one logarithm."""
    if len(bases) == 1:
        return bases[0], images[0]
    digest = H(f"{tag}/weights", place, b"".join(bases), b"".join(images))
    weights = [number(f"{tag}/weight", digest, i) % 2**128 for i in range(len(bases))]
    return combination(weights, bases), combination(weights, images)


def same_logarithm(
    tag: str,
    place: list[Any],
    known: bytes,
    bases: list[bytes],
    images: list[bytes],
    scalars: list[int],
    weighed: list[Any],
) -> bool:
    """True if known = x G and each image = x base; `weighed` is the place of the weights."""
    base, image = one_pair(tag, weighed, bases, images)
    return holds(tag, place, [[BASE], [base]], [known, image], scalars)


def joined(pairs: list[Pair]) -> bytes:
    return b"".join(a + b for a, b in pairs)


def read_pairs(data: Any, count: int, code: str) -> list[Pair]:
    points = read_points(data, 2 * count, code)
    return list(zip(points[::2], points[1::2], strict=True))


class Shuffle:
    """The body of one shuffle, read for `count` cards; raises `deck/form`."""

    def __init__(self, body: Any, count: int) -> None:
        if not isinstance(body, list) or len(body) != 2 or not all(isinstance(part, bytes) for part in body):
            refuse("deck/form")
        links, rest = divmod(len(body[0]), 32)
        links -= 4 * count + 5
        if rest or links not in (1, count):
            refuse("deck/form")
        points = read_points(body[0], 4 * count + 5 + links, "deck/form")
        scalars = read_scalars(body[1], 4 + links + count, "deck/form")
        self.output: list[Pair] = list(zip(points[: 2 * count : 2], points[1 : 2 * count : 2], strict=True))
        self.c = points[2 * count : 3 * count]
        self.chain = points[3 * count : 4 * count]
        self.t = points[4 * count :]
        self.s = scalars[:4]
        self.s_links = scalars[4 : 4 + links]
        self.s_cards = scalars[4 + links :]

    def challenges(self, place: list[Any], public: bytes, cards: list[Pair]) -> tuple[list[int], list[int], int]:
        """u, z and x."""
        stated = [place, public, joined(cards), joined(self.output), b"".join(self.c)]
        hashed = H("tw/u", *stated)
        u = [number("tw/u", hashed, i) for i in range(len(cards))]
        stated.append(b"".join(self.chain))
        hashed = H("tw/z", *stated)
        z = [1] + [number("tw/z", hashed, i) for i in range(1, len(cards))]
        return u, z, number("tw/c", *stated, b"".join(self.t))

    def proves(self, place: list[Any], public: bytes, cards: list[Pair]) -> bool:
        """True if the output is the cards in another order, each sealed anew."""
        count = len(cards)
        u, z, x = self.challenges(place, public, cards)
        h = [hashed_point("tw/gen", i) for i in range(count + 1)]
        s1, s2, s3, s4 = self.s
        t1, t2, t3, t4, t5 = self.t[:5]
        weighed_c = combination(u, self.c)
        if base_times(s1) != add(t1, times(x, minus(total(self.c), total(h[1:])))):
            return False
        if base_times(s2) != add(t2, times(x, minus(self.chain[-1], times(prod(u) % ORDER, h[0])))):
            return False
        if add(base_times(s3), combination(self.s_cards, h[1:])) != add(t3, times(x, weighed_c)):
            return False
        for key, half, t in ((public, 1, t4), (BASE, 0, t5)):
            left = minus(combination(self.s_cards, [pair[half] for pair in self.output]), times(s4, key))
            if left != add(t, times(x, combination(u, [pair[half] for pair in cards]))):
                return False
        return self.chain_holds(h[0], z, x)

    def chain_holds(self, start: bytes, z: list[int], x: int) -> bool:
        before = [start, *self.chain[:-1]]
        if len(self.s_links) == 1:
            left = combination([a * b for a, b in zip(z, self.s_cards, strict=True)], before)
            right = add(self.t[5], times(x, combination(z, self.chain)))
            return add(base_times(self.s_links[0]), left) == right
        return all(
            add(base_times(s), times(card, old)) == add(t, times(x, new))
            for s, card, old, t, new in zip(self.s_links, self.s_cards, before, self.t[5:], self.chain, strict=True)
        )
