"""Shuffles of sealed cards, and the proof that a shuffle is one (Terelius and Wikström 2010).

A sealed card is an ElGamal pair (A, B) = (r G, M + r Y). Somebody who shuffles re-encrypts every pair and permutes
them; the proof shows that the cards are the same, and nothing of their order. It is the variant that Haenni, Locher,
Koenig and Dubuis wrote down as pseudo-code (Financial Cryptography 2017), with the names used there:

    e_i       the input, e'_i = e_(j_i) + r'_i (G, Y) the output, for a permutation j
    c         commitments to the permutation's matrix: c_(j_i) = r_(j_i) G + h_i
    u         one challenge for each input, from a hash of all of the above; u'_i = u_(j_i)
    c^        a chain: c^_i = r^_i G + u'_i c^_(i-1), starting at h_0; its end shows that the u' multiply up to the u
    t, s      commitments and responses of one sigma protocol over
              sum of c, end of the chain, u-weighted c, u'-weighted output, and every link of the chain

The generators h come from a hash: with known logarithms between them the proof would be worthless. The challenges
cover the place (table, deck, version, author), the key, input, output and everything committed; a proof counts for no
other shuffle. Besides the output a proof takes 128 bytes a card and 160 more.

The verifier does 8 multiplications and 1 multiple of the base point a card, the prover 5 and 3, the shuffle itself 1
and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from seeds.group import (
    IDENTITY,
    POINT_BYTES,
    L,
    Point,
    add,
    base,
    combination,
    hash_point,
    hash_scalar,
    mul,
    pack,
    pack_scalars,
    read_points,
    read_scalars,
    sub,
    total,
)
from seeds.hashing import H, kdf
from seeds.proofs import Place, scalars
from seeds.streams import Stream

Sealed: TypeAlias = tuple[Point, Point]
"""A sealed card: (A, B)."""

MOST_CARDS: Final = 256


@dataclass(frozen=True, slots=True)
class Shuffled:
    """cards: the output; commitments: c; chain: c^_1..c^_N; challenge: of the sigma protocol; s: s_1..s_4;
    s_hat, s_prime: one for each card."""

    cards: tuple[Sealed, ...]
    commitments: tuple[Point, ...]
    chain: tuple[Point, ...]
    challenge: int
    s: tuple[int, int, int, int]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]

    def plain(self) -> list[bytes]:
        """As it travels: points and scalars, packed."""
        points = [*(half for card in self.cards for half in card), *self.commitments, *self.chain]
        return [pack(points), pack_scalars([self.challenge, *self.s, *self.s_hat, *self.s_prime])]


def read_shuffled(body: object, count: int) -> Shuffled | None:
    """The shuffle of `count` cards in an entry's body. Looks at lengths before it looks at any point."""
    match body:
        case [bytes() as points, bytes() as scalars] if 1 <= count <= MOST_CARDS:
            if len(points) != 4 * count * POINT_BYTES:
                return None
            numbers = read_scalars(scalars, 5 + 2 * count)
            read = read_points(points, 4 * count) if numbers is not None else None
            if numbers is not None and read is not None:
                cards = tuple(zip(read[0 : 2 * count : 2], read[1 : 2 * count : 2], strict=True))
                return Shuffled(
                    cards,
                    tuple(read[2 * count : 3 * count]),
                    tuple(read[3 * count :]),
                    numbers[0],
                    (numbers[1], numbers[2], numbers[3], numbers[4]),
                    tuple(numbers[5 : 5 + count]),
                    tuple(numbers[5 + count :]),
                )
    return None


@cache
def generator(number: int) -> Point:
    """h_number."""
    return hash_point("tw/gen", number)


@cache
def _generators(count: int) -> tuple[tuple[Point, ...], Point]:
    """h_1..h_count, and their sum."""
    h = tuple(generator(number) for number in range(1, count + 1))
    return h, total(h)


def shuffle(place: Place, key: Point, cards: Sequence[Sealed], fresh: bytes) -> Shuffled:
    """Shuffle sealed cards so that nobody else knows the order, and prove it. fresh: 32 bytes of chance.

    key: Y. The order and all secret numbers come from `fresh`, the place and the cards.
    """
    chance = kdf(fresh, "shuffle", list(place), key, _packed(cards))
    order = Stream(kdf(chance, "order"), "order").permutation(len(cards))
    r_prime = scalars(chance, "r'", len(cards))
    output = tuple(remasked(cards[j], key, r) for j, r in zip(order, r_prime, strict=True))
    return proven(place, key, cards, output, order, r_prime, chance)


def remasked(card: Sealed, key: Point, r: int) -> Sealed:
    """The same card in a pair that cannot be told from others: (A + r G, B + r Y)."""
    return add(card[0], base(r)), add(card[1], mul(r, key))


def proven(
    place: Place,
    key: Point,
    cards: Sequence[Sealed],
    output: tuple[Sealed, ...],
    order: Sequence[int],
    r_prime: Sequence[int],
    chance: bytes,
) -> Shuffled:
    """The proof of a shuffle by its author: output[i] = remasked(cards[order[i]], key, r_prime[i]) (algorithm
    GenShuffleProof)."""
    count = len(cards)
    h = [generator(number) for number in range(count + 1)]
    r = scalars(chance, "r", count)
    c = [IDENTITY] * count
    for i, j in enumerate(order):
        c[j] = add(base(r[j]), h[i + 1])
    u = challenges(place, key, cards, output, c)
    u_prime = [u[j] for j in order]

    r_hat = scalars(chance, "r^", count)
    chain = [h[0]]
    for i in range(count):
        chain.append(add(base(r_hat[i]), mul(u_prime[i], chain[i])))
    v = [1] * count
    for i in range(count - 1, 0, -1):
        v[i - 1] = u_prime[i] * v[i] % L
    known = (sum(r), _dot(r_hat, v), _dot(r, u), _dot(r_prime, u_prime))

    w, w_hat, w_prime = scalars(chance, "w", 4), scalars(chance, "w^", count), scalars(chance, "w'", count)
    t = [
        base(w[0]),
        base(w[1]),
        add(base(w[2]), combination(w_prime, h[1:])),
        sub(combination(w_prime, [b for _, b in output]), mul(w[3], key)),
        sub(combination(w_prime, [a for a, _ in output]), base(w[3])),
        *(add(base(w_hat[i]), mul(w_prime[i], chain[i])) for i in range(count)),
    ]
    x = challenge(place, key, cards, output, c, chain[1:], t)
    s = [(one + x * secret) % L for one, secret in zip(w, known, strict=True)]
    s_hat = tuple((one + x * secret) % L for one, secret in zip(w_hat, r_hat, strict=True))
    s_prime = tuple((one + x * secret) % L for one, secret in zip(w_prime, u_prime, strict=True))
    return Shuffled(output, tuple(c), tuple(chain[1:]), x, (s[0], s[1], s[2], s[3]), s_hat, s_prime)


def check_shuffle(place: Place, key: Point, cards: Sequence[Sealed], shuffled: Shuffled) -> bool:
    """Whether the output holds exactly the cards of the input (algorithm CheckShuffleProof)."""
    count, chain, x = len(cards), (generator(0), *shuffled.chain), shuffled.challenge
    per_card = (shuffled.cards, shuffled.commitments, shuffled.chain, shuffled.s_hat, shuffled.s_prime)
    if not 1 <= count <= MOST_CARDS or any(len(given) != count for given in per_card):
        return False
    h, h_sum = _generators(count)
    u = challenges(place, key, cards, shuffled.cards, shuffled.commitments)
    product = 1
    for number in u:
        product = product * number % L

    s, s_prime = shuffled.s, shuffled.s_prime
    c_sum = sub(total(shuffled.commitments), h_sum)
    c_end = sub(chain[-1], mul(product, generator(0)))
    c_weighted = combination(u, shuffled.commitments)
    a_weighted, b_weighted = combination(u, [a for a, _ in cards]), combination(u, [b for _, b in cards])
    a_after = combination(s_prime, [a for a, _ in shuffled.cards])
    b_after = combination(s_prime, [b for _, b in shuffled.cards])
    t = [
        sub(base(s[0]), mul(x, c_sum)),
        sub(base(s[1]), mul(x, c_end)),
        sub(add(base(s[2]), combination(s_prime, h)), mul(x, c_weighted)),
        sub(sub(b_after, mul(s[3], key)), mul(x, b_weighted)),
        sub(sub(a_after, base(s[3])), mul(x, a_weighted)),
        *(sub(add(base(shuffled.s_hat[i]), mul(s_prime[i], chain[i])), mul(x, chain[i + 1])) for i in range(count)),
    ]
    return challenge(place, key, cards, shuffled.cards, shuffled.commitments, shuffled.chain, t) == x


def challenges(
    place: Place, key: Point, cards: Sequence[Sealed], output: Sequence[Sealed], c: Sequence[Point]
) -> list[int]:
    """u: one number for each input card."""
    told = H("tw/u", list(place), key, _packed(cards), _packed(output), pack(c))
    return [hash_scalar("tw/u", told, number) for number in range(len(cards))]


def challenge(
    place: Place,
    key: Point,
    cards: Sequence[Sealed],
    output: Sequence[Sealed],
    c: Sequence[Point],
    chain: Sequence[Point],
    t: Sequence[Point],
) -> int:
    """The challenge of the sigma protocol."""
    return hash_scalar("tw/c", list(place), key, _packed(cards), _packed(output), pack(c), pack(chain), pack(t))


def _packed(cards: Sequence[Sealed]) -> bytes:
    return pack(half for card in cards for half in card)


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True)) % L
