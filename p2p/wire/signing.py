# SPDX-License-Identifier: GPL-3.0-or-later
"""Ed25519 (RFC 8032) with the same verdict in every library.

Libraries differ on crafted signatures: some accept non-canonical encodings, some points of small order, some an S of L
or more. Two peers that judge one signature differently split the table. So a strict check comes before the library's: R
and the key A must be canonical encodings and not of small order, and S must be below L. The rest must satisfy S B = R +
h A without the cofactor, as OpenSSL and WebCrypto judge. Libraries that multiply by the cofactor accept more if A has a
component of small order: noble-curves accepts all such signatures, OpenSSL one in eight.

Only tagged hashes are signed (`seeds.hashing.H`), so a signature for one purpose is invalid for any other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493

_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER: Final = frozenset({0, 1, P - 1, _ORDER_8, P - _ORDER_8})
"""The y coordinates of the eight points whose order divides the cofactor 8."""


def sign(private: Ed25519PrivateKey, message: bytes) -> bytes:
    """Return the 64-byte signature of a tagged hash."""
    return private.sign(message)


def public_bytes(private: Ed25519PrivateKey) -> bytes:
    """Return the 32-byte public key."""
    return private.public_key().public_bytes_raw()


def strict_key(public: bytes) -> bool:
    """True if the bytes are a canonical encoding of a key that is not of small order."""
    return len(public) == KEY_BYTES and _strict_point(public)


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """True if `signature` is this key's signature of `message` in the accepted form. Never raises."""
    if len(signature) != SIGNATURE_BYTES or not strict_key(public) or not _strict_point(signature[:32]):
        return False
    if int.from_bytes(signature[32:], "little") >= L:
        return False
    try:
        _public_key(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _strict_point(encoding: bytes) -> bool:
    y = int.from_bytes(encoding, "little") & (2**255 - 1)
    return y < P and y not in SMALL_ORDER


@lru_cache(maxsize=64)
def _public_key(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)
