"""Strict Ed25519: the published vectors pass, every second form of a signature or key is refused."""

from __future__ import annotations

from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2p.log.evidence import contradiction
from p2p.log.feeds import feeds_of
from p2p.wire.entry import NO_PREV, make_entry, parse_entry
from p2p.wire.signing import SMALL_ORDER, L, P, public_bytes, sign, strict_key, verify

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
D = -121665 * pow(121666, -1, P) % P

RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


def add(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """Addition on the curve -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032 section 5.1)."""
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P)
    return x % P, y % P


def times(n: int, point: tuple[int, int]) -> tuple[int, int]:
    total = (0, 1)
    while n:
        if n & 1:
            total = add(total, point)
        point, n = add(point, point), n >> 1
    return total


def root(square: int) -> int | None:
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return x if x * x % P == square % P else None


def some_point(y: int) -> tuple[int, int]:
    while (x := root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)) is None:
        y += 1
    return x, y


def encoded(y: int, sign_bit: int = 0) -> bytes:
    return (y | sign_bit << 255).to_bytes(32, "little")


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_the_vectors_of_rfc_8032_hold(secret: str, public: str, message: str, signature: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
    assert public_bytes(key).hex() == public
    assert sign(key, bytes.fromhex(message)).hex() == signature
    assert verify(bytes.fromhex(public), bytes.fromhex(signature), bytes.fromhex(message))


def test_small_order_is_exactly_the_points_killed_by_eight() -> None:
    found: set[int] = set()
    point, y = (0, 1), 2
    while len(found) < 5:
        generator = times(L, some_point(y))
        point, y = generator, y + 1
        for k in range(8):
            multiple = times(k, point)
            assert times(8, multiple) == (0, 1)
            found.add(multiple[1])
    assert found == SMALL_ORDER


@pytest.mark.parametrize("y", sorted(SMALL_ORDER | {P, P + 1, 2**255 - 1, P + 18}))
@pytest.mark.parametrize("sign_bit", [0, 1])
def test_small_order_and_non_canonical_points_are_refused_as_key_and_as_r(y: int, sign_bit: int) -> None:
    point = encoded(y, sign_bit)
    honest = sign(KEY, b"m")
    assert not strict_key(point)
    assert not verify(point, honest, b"m")
    assert not verify(public_bytes(KEY), point + honest[32:], b"m")
    assert not verify(point, encoded(1) + bytes(32), b"m"), "identity key, identity R, S = 0 would fit any message"


def test_the_universal_signature_that_the_library_takes_is_refused() -> None:
    identity = encoded(1)
    Ed25519PublicKey.from_public_bytes(identity).verify(identity + bytes(32), b"any message")
    assert not verify(identity, identity + bytes(32), b"any message")


def test_s_of_l_or_more_is_refused() -> None:
    signature = sign(KEY, b"m")
    s = int.from_bytes(signature[32:], "little")
    for second in (s + L, L, 2**256 - 1, s | 1 << 255):
        assert not verify(public_bytes(KEY), signature[:32] + second.to_bytes(32, "little"), b"m")
    assert verify(public_bytes(KEY), signature, b"m")


@pytest.mark.parametrize("size", [0, 32, 63, 65, 128])
def test_signatures_and_keys_of_another_length_are_refused(size: int) -> None:
    assert not verify(public_bytes(KEY), bytes(size), b"m")
    assert not verify(bytes(size), sign(KEY, b"m"), b"m")


def test_a_key_off_the_curve_is_refused_without_an_exception() -> None:
    y = next(y for y in range(2, 100) if root((y * y - 1) * pow(D * y * y + 1, -1, P) % P) is None)
    assert strict_key(encoded(y)), "its form is canonical; only verification tells"
    assert not verify(encoded(y), sign(KEY, b"m"), b"m")


def signed_again(seed: bytes, message: bytes, r: int) -> bytes:
    """A second valid signature, made with a nonce of the signer's choice (RFC 8032 section 5.1.6 otherwise)."""
    digest = sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    base = some_point(4 * pow(5, -1, P) % P)
    x, y = times(r, base if base[0] % 2 == 0 else (P - base[0], base[1]))
    public = public_bytes(Ed25519PrivateKey.from_private_bytes(seed))
    challenge = int.from_bytes(sha512(encoded(y, x & 1) + public + message).digest(), "little")
    return encoded(y, x & 1) + ((r + challenge * scalar) % L).to_bytes(32, "little")


def test_n78_one_text_signed_twice_is_one_entry() -> None:
    first = make_entry(
        KEY,
        table=bytes(32),
        seq=0,
        prev=NO_PREV,
        epoch=0,
        height=0,
        head=bytes(32),
        state=bytes(16),
        kind="chat",
        body=[bytes(32)],
    )
    second = parse_entry(first.raw[:-64] + signed_again(bytes(range(32)), first.id, 12345))
    assert second.raw != first.raw
    assert second.id == first.id
    assert contradiction(first, second) is None
    assert feeds_of(bytes(32), [first, second]).entries == [first]


@given(st.integers(0, 64 * 8 - 1), st.binary(max_size=40))
def test_any_flipped_bit_is_refused(bit: int, message: bytes) -> None:
    signature = bytearray(sign(KEY, message))
    assert verify(public_bytes(KEY), bytes(signature), message)
    signature[bit // 8] ^= 1 << bit % 8
    assert not verify(public_bytes(KEY), bytes(signature), message)
    assert not verify(public_bytes(KEY), sign(KEY, message), message + b"x")
