# SPDX-License-Identifier: GPL-3.0-or-later
"""Shuffles of sealed cards with a proof of correctness (Terelius and Wikström 2010).

A sealed card is an ElGamal pair (A, B) = (r G, M + r Y). To shuffle is to re-encrypt and permute all pairs. The proof
shows that the cards are the same and nothing about their order. It is the variant of Haenni, Locher, Koenig and Dubuis
(Financial Cryptography 2017), with the names of their pseudo-code:

    e_i       the input, e'_i = e_(j_i) + r'_i (G, Y) the output, for a permutation j
    c         commitments to the permutation's matrix: c_(j_i) = r_(j_i) G + h_i
    u         one challenge for each input, from a hash of all of the above; u'_i = u_(j_i)
    c^        a chain: c^_i = r^_i G + u'_i c^_(i-1), starting at h_0; its end shows that the u' multiply up to the u
    z         one weight for each link of the chain, from a hash of all of the above, the first one 1
    t, s      commitments and responses of one sigma protocol over
              sum of c, end of the chain, u-weighted c, u'-weighted output, and z-weighted links of the chain

The generators h come from a hash, since known logarithms between them would make the proof worthless. The challenges
cover the place (table, deck, version, author), the key, input, output and everything committed; a proof is valid for no
other shuffle. Besides the output a proof takes 352 bytes and 96 for each card.

The paper proves every link by itself. Here their weighted sum is one equation (Gennaro, Leigh, Sundaram and Yerazunis
2004, the batch of Schnorr's proofs):

    sum of z_i c^_i = (sum of z_i r^_i) G + sum of (z_i u'_i) c^_(i-1)

Who convinces for N independent choices of z shows the same u' each time, since the equation of the u-weighted c binds
it to them. So the sums give N linear equations, from which every r^_i follows: each link holds, as in the paper. Logs
of earlier programs contain proofs with a t and an s of every link; they differ in their lengths and are still accepted.

Their proof contains a hash of the t, which the verifier computes. Here the proof contains the t, so that the
equations of any number of shuffles can be checked as one: each is multiplied by a 128-bit weight from a hash of them
all, and the sum must be the identity (Bellare, Garay and Rabin 1998, the small exponents test; in a group of prime
order). Every point then takes one multiplication however often it occurs, such as the h, and the output of one member
that is the input of the next.

For each card the verifier does 7 multiplications for a single shuffle, 4 for one among many; the prover does 5 and 2
multiples of the base point, the shuffle itself 1 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, TypeAlias

from engine.core.dataclass import dataclass
from seeds.group import (
    BASE,
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
)
from seeds.hashing import H, kdf, kdfs
from seeds.proofs import WEIGHT, Place, scalars
from seeds.streams import Stream

Sealed: TypeAlias = tuple[Point, Point]
"""A sealed card: (A, B)."""

MOST_CARDS: Final = 256
ROWS: Final = 5
"""Equations of the sigma protocol besides that of the chain."""


@dataclass(frozen=True, slots=True)
class ProvenShuffle:
    """A shuffle with its proof; the letters are those of the paper.

    Attributes:
        cards: the output.
        commitments: c.
        chain: c^_1..c^_N.
        t: t_1, t_2, t_3, t_4,1, t_4,2, t^.
        s: s_1..s_4.
        s_hat: one number for the whole chain. In the earlier form one for each link, as there is a t^ for each.
        s_prime: one number for each card.
    """

    cards: tuple[Sealed, ...]
    commitments: tuple[Point, ...]
    chain: tuple[Point, ...]
    t: tuple[Point, ...]
    s: tuple[int, int, int, int]
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]

    def plain(self) -> list[bytes]:
        """Return the wire form: packed points and scalars."""
        points = [*(half for card in self.cards for half in card), *self.commitments, *self.chain, *self.t]
        return [pack(points), pack_scalars([*self.s, *self.s_hat, *self.s_prime])]


@dataclass(frozen=True, slots=True)
class Statement:
    """The statement that a shuffle at this place under this key contains exactly the cards of its input."""

    place: Place
    key: Point
    cards: tuple[Sealed, ...]
    shuffled: ProvenShuffle


def read_shuffled(body: object, count: int) -> ProvenShuffle | None:
    """Return the shuffle of `count` cards in an entry's body, None for another form. Lengths are checked before
    points."""
    match body:
        case [bytes() as points, bytes() as scalars] if 1 <= count <= MOST_CARDS:
            links = len(points) // POINT_BYTES - 4 * count - ROWS
            if links not in (1, count):
                return None
            numbers = read_scalars(scalars, 4 + links + count)
            read = read_points(points, 4 * count + ROWS + links) if numbers is not None else None
            if numbers is not None and read is not None:
                cards = tuple(zip(read[0 : 2 * count : 2], read[1 : 2 * count : 2], strict=True))
                return ProvenShuffle(
                    cards,
                    tuple(read[2 * count : 3 * count]),
                    tuple(read[3 * count : 4 * count]),
                    tuple(read[4 * count :]),
                    (numbers[0], numbers[1], numbers[2], numbers[3]),
                    tuple(numbers[4 : 4 + links]),
                    tuple(numbers[4 + links :]),
                )
    return None


@cache
def generator(number: int) -> Point:
    """Return the generator h_number."""
    return hash_point("tw/gen", number)


def shuffle(place: Place, key: Point, cards: Sequence[Sealed], fresh: bytes) -> ProvenShuffle:
    """Return a shuffle of sealed cards with its proof. fresh: 32 random bytes.

    key: Y. Order and secret numbers derive from `fresh`, the place and the cards.
    """
    chance = kdf(fresh, "shuffle", list(place), key, _packed(cards))
    order = Stream(kdf(chance, "order"), "order").permutation(len(cards))
    r_prime = scalars(chance, "r'", len(cards))
    output = tuple(remasked(cards[j], key, r) for j, r in zip(order, r_prime, strict=True))
    return proven(place, key, cards, output, order, r_prime, chance)


def remasked(card: Sealed, key: Point, r: int) -> Sealed:
    """Return the re-encrypted card: (A + r G, B + r Y)."""
    return add(card[0], base(r)), add(card[1], mul(r, key))


def proven(
    place: Place,
    key: Point,
    cards: Sequence[Sealed],
    output: tuple[Sealed, ...],
    order: Sequence[int],
    r_prime: Sequence[int],
    chance: bytes,
) -> ProvenShuffle:
    """Return a shuffle with its proof, where output[i] = remasked(cards[order[i]], key, r_prime[i]) (algorithm
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
    z = link_weights(place, key, cards, output, c, chain[1:])
    known = (sum(r), _dot(r_hat, v), _dot(r, u), _dot(r_prime, u_prime), _dot(r_hat, z))

    *w, w_hat = scalars(chance, "w", 5)
    w_prime = scalars(chance, "w'", count)
    t = [
        base(w[0]),
        base(w[1]),
        add(base(w[2]), combination(w_prime, h[1:])),
        sub(combination(w_prime, [b for _, b in output]), mul(w[3], key)),
        sub(combination(w_prime, [a for a, _ in output]), base(w[3])),
        add(base(w_hat), combination([one * weight % L for one, weight in zip(w_prime, z, strict=True)], chain[:-1])),
    ]
    x = challenge(place, key, cards, output, c, chain[1:], t)
    s = [(one + x * secret) % L for one, secret in zip([*w, w_hat], known, strict=True)]
    s_prime = tuple((one + x * secret) % L for one, secret in zip(w_prime, u_prime, strict=True))
    return ProvenShuffle(output, tuple(c), tuple(chain[1:]), tuple(t), (s[0], s[1], s[2], s[3]), (s[4],), s_prime)


def check_shuffles(statements: Sequence[Statement]) -> bool:
    """True if every output contains exactly the cards of its input (algorithm CheckShuffleProof). If not, at least one
    statement is false."""
    if not all(map(_fits, statements)):
        return False
    xs = [
        challenge(one.place, one.key, one.cards, (m := one.shuffled).cards, m.commitments, m.chain, m.t)
        for one in statements
    ]
    responses = [pack_scalars([*(m := one.shuffled).s, *m.s_hat, *m.s_prime]) for one in statements]
    told = H("tw/weights", pack_scalars(xs), responses)
    weights = iter([int.from_bytes(key) % WEIGHT for key in kdfs(told, "weight", 0, sum(map(_equations, statements)))])
    numbers: dict[Point, int] = {}
    for one, x in zip(statements, xs, strict=True):
        for point, number in _weighted(one, x, list(islice(weights, _equations(one)))):
            numbers[point] = numbers.get(point, 0) + number
    return combination(list(numbers.values()), list(numbers)) == IDENTITY


def _fits(one: Statement) -> bool:
    count, m = len(one.cards), one.shuffled
    counts = {len(given) for given in (m.cards, m.commitments, m.chain, m.s_prime)}
    return 1 <= count <= MOST_CARDS and counts == {count} and len(m.s_hat) in (1, count) and len(m.t) == _equations(one)


def _equations(one: Statement) -> int:
    return ROWS + len(one.shuffled.s_hat)


def _weighted(one: Statement, x: int, weights: Sequence[int]) -> Iterator[tuple[Point, int]]:
    """Yield the points of a shuffle's equations and their factors, which add up to the identity. With weights z in the
    order of the t:

        z_1 (s_1 G - x (sum of c - sum of h) - t_1)
        z_2 (s_2 G - x (c^_N - (product of u) h_0) - t_2)
        z_3 (s_3 G + sum of s'_i h_i - x sum of u_i c_i - t_3)
        z_4 (sum of s'_i B'_i - s_4 Y - x sum of u_i B_i - t_4,1)
        z_5 (sum of s'_i A'_i - s_4 G - x sum of u_i A_i - t_4,2)
        z^  (s^ G + sum of z_i (s'_i c^_(i-1) - x c^_i) - t^)

    In the earlier form every link has its own equation, z^_i (s^_i G + s'_i c^_(i-1) - x c^_i - t^_i).
    """
    m, (z1, z2, z3, z4, z5, *z_hat) = one.shuffled, weights
    links = z_hat
    if len(z_hat) == 1:
        told = link_weights(one.place, one.key, one.cards, m.cards, m.commitments, m.chain)
        links = [z_hat[0] * weight for weight in told]
    u = challenges(one.place, one.key, one.cards, m.cards, m.commitments)
    product = 1
    for number in u:
        product = product * number % L
    s1, s2, s3, s4 = m.s
    yield BASE, z1 * s1 + z2 * s2 + z3 * s3 - z5 * s4 + _dot(z_hat, m.s_hat)
    yield one.key, -z4 * s4
    yield generator(0), z2 * x * product
    yield m.chain[-1], -z2 * x
    for t, z in zip(m.t, weights, strict=True):
        yield t, -z
    before = generator(0)
    for i, (a, b) in enumerate(one.cards):
        s_prime, xu = m.s_prime[i], x * u[i] % L
        yield generator(i + 1), z1 * x + z3 * s_prime
        yield m.commitments[i], -z1 * x - z3 * xu
        yield before, links[i] * s_prime
        before = m.chain[i]
        yield before, -links[i] * x
        yield a, -z5 * xu
        yield b, -z4 * xu
        yield m.cards[i][0], z5 * s_prime
        yield m.cards[i][1], z4 * s_prime


def challenges(
    place: Place, key: Point, cards: Sequence[Sealed], output: Sequence[Sealed], c: Sequence[Point]
) -> list[int]:
    """Return u, one number for each input card."""
    told = H("tw/u", list(place), key, _packed(cards), _packed(output), pack(c))
    return [hash_scalar("tw/u", told, number) for number in range(len(cards))]


def link_weights(
    place: Place,
    key: Point,
    cards: Sequence[Sealed],
    output: Sequence[Sealed],
    c: Sequence[Point],
    chain: Sequence[Point],
) -> list[int]:
    """Return z, one number for each link of the chain."""
    told = H("tw/z", list(place), key, _packed(cards), _packed(output), pack(c), pack(chain))
    return [1, *(hash_scalar("tw/z", told, number) for number in range(1, len(cards)))]


def challenge(
    place: Place,
    key: Point,
    cards: Sequence[Sealed],
    output: Sequence[Sealed],
    c: Sequence[Point],
    chain: Sequence[Point],
    t: Sequence[Point],
) -> int:
    """Return the challenge of the sigma protocol."""
    return hash_scalar("tw/c", list(place), key, _packed(cards), _packed(output), pack(c), pack(chain), pack(t))


def _packed(cards: Sequence[Sealed]) -> bytes:
    return pack(half for card in cards for half in card)


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True)) % L
