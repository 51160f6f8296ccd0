"""A second verifier of shuffles, slow and literal: its own arithmetic on the curve, the paper's equations one by one.

Written from RFC 9496 (decoding, 4.3.1; equality, 4.5) and from algorithm CheckShuffleProof of Haenni, Locher, Koenig
and Dubuis, but that it compares the t themselves, and not a hash of them, and that the links of the chain are one
equation with a weight for each, or N equations in the earlier form. It shares nothing with the package but the hash and
its inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from seeds.hashing import H64, H, Part
from seeds.shuffle import ProvenShuffle, Sealed

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

Element = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T) on the Edwards curve; four curve points stand for one element."""

ZERO: Element = (0, 1, 1, 0)


def decode(data: bytes) -> Element:
    """The element; raises ValueError for what encodes none."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or s & 1:
        raise ValueError("not an encoding")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-(D * u1 * u1) - u2 * u2) % P
    square, inverse = inverse_root(v * u2 * u2 % P)
    x = 2 * s * inverse * u2 % P
    x = P - x if x & 1 else x
    y = u1 * (inverse * inverse * u2 * v) % P
    if not square or (x * y % P) & 1 or y == 0:
        raise ValueError("not an encoding")
    return x, y, 1, x * y % P


def inverse_root(value: int) -> tuple[bool, int]:
    """Whether the value is a square, and 1 / its root."""
    root = pow(value, 3, P) * pow(pow(value, 7, P), (P - 5) // 8, P) % P
    checked = value * root * root % P
    if checked in (P - 1, P - SQRT_M1):
        root = root * SQRT_M1 % P
    return checked in (1, P - 1), root if root & 1 == 0 else P - root


def plus(one: Element, other: Element) -> Element:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def minus(one: Element, other: Element) -> Element:
    x, y, z, t = other
    return plus(one, (-x % P, y, z, -t % P))


def times(number: int, element: Element) -> Element:
    result = ZERO
    for bit in f"{number % ORDER:b}":
        result = plus(result, result)
        if bit == "1":
            result = plus(result, element)
    return result


def equal(one: Element, other: Element) -> bool:
    return (one[0] * other[1] - other[0] * one[1]) % P == 0 or (one[1] * other[1] - one[0] * other[0]) % P == 0


def encode(element: Element) -> bytes:
    """RFC 9496, 4.3.2."""
    x0, y0, z0, t0 = element
    u1, u2 = (z0 + y0) * (z0 - y0) % P, x0 * y0 % P
    _, inverse = inverse_root(u1 * u2 * u2 % P)
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inv = den1 * den2 * t0 % P
    if (t0 * z_inv % P) & 1:
        x, y = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P
        den = den1 * inverse_root((-1 - D) % P)[1] % P
    else:
        x, y, den = x0, y0, den2
    y = P - y if (x * z_inv % P) & 1 else y
    s = den * (z0 - y) % P
    s = P - s if s & 1 else s
    return s.to_bytes(32, "little")


def number_of(tag: str, *parts: Part) -> int:
    return int.from_bytes(H64(tag, *parts), "little") % ORDER


def accepts(
    place: Sequence[Part], key: bytes, generators: Sequence[bytes], e: Sequence[Sealed], m: ProvenShuffle
) -> bool:
    """CheckShuffleProof. generators: h_0 .. h_N."""
    count = len(e)
    g = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
    y, h = decode(key), [decode(one) for one in generators]
    packed_in, packed_out = (b"".join(half for card in cards for half in card) for cards in (e, m.cards))
    packed_c, packed_chain = b"".join(m.commitments), b"".join(m.chain)
    told = H("tw/u", list(place), key, packed_in, packed_out, packed_c)
    u = [number_of("tw/u", told, i) for i in range(count)]

    c_bar = ZERO
    for i in range(count):
        c_bar = plus(c_bar, minus(decode(m.commitments[i]), h[i + 1]))
    product = 1
    for i in range(count):
        product = product * u[i] % ORDER
    c_hat = minus(decode(m.chain[count - 1]), times(product, h[0]))
    c_tilde, a_bar, b_bar = ZERO, ZERO, ZERO
    for i in range(count):
        c_tilde = plus(c_tilde, times(u[i], decode(m.commitments[i])))
        a_bar = plus(a_bar, times(u[i], decode(e[i][0])))
        b_bar = plus(b_bar, times(u[i], decode(e[i][1])))

    x = number_of("tw/c", list(place), key, packed_in, packed_out, packed_c, packed_chain, b"".join(m.t))
    s1, s2, s3, s4 = m.s
    t1 = minus(times(s1, g), times(x, c_bar))
    t2 = minus(times(s2, g), times(x, c_hat))
    t3 = minus(times(s3, g), times(x, c_tilde))
    t41 = minus(minus(ZERO, times(s4, y)), times(x, b_bar))
    t42 = minus(minus(ZERO, times(s4, g)), times(x, a_bar))
    told = H("tw/z", list(place), key, packed_in, packed_out, packed_c, packed_chain)
    z = [1, *(number_of("tw/z", told, i) for i in range(1, count))]
    whole, links = times(m.s_hat[0], g), []
    before = h[0]
    for i in range(count):
        t3 = plus(t3, times(m.s_prime[i], h[i + 1]))
        t41 = plus(t41, times(m.s_prime[i], decode(m.cards[i][1])))
        t42 = plus(t42, times(m.s_prime[i], decode(m.cards[i][0])))
        after = decode(m.chain[i])
        link = minus(times(m.s_prime[i], before), times(x, after))
        whole = plus(whole, times(z[i], link))
        if len(m.s_hat) == count:
            links.append(plus(times(m.s_hat[i], g), link))
        before = after
    expected = (whole,) if len(m.s_hat) == 1 else tuple(links)
    return tuple(map(encode, (t1, t2, t3, t41, t42, *expected))) == m.t
