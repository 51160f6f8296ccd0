# SPDX-License-Identifier: GPL-3.0-or-later
"""Tagged hashes with an injective byte form and one domain for the whole program.

Every hash has a tag for its purpose and typed, length-prefixed parts, so that two different lists of parts never give
the same input (("a", "bc") is not ("ab", "c"), 1 is not "1", a list is not its items in a row). The prefix of the
protocol comes first, so no hash is valid in another program.

The byte form of a part is a letter, the length of its body as four bytes (big-endian) and the body:
    n  nothing (None), empty body        b  bytes as they are
    i  an integer in decimal ASCII       s  text in UTF-8
    l  a list or tuple: the forms of its items, one after the other
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias, Union

Part: TypeAlias = Union[int, bytes, str, "Sequence[Part]", None]
"""The types that may be hashed. Booleans are refused, since they are integers in Python but not in other languages."""

DOMAIN: Final = "starlock/1"
HASH_BYTES: Final = 32
SECRET_BYTES: Final = 32


def H(tag: str, *parts: Part) -> bytes:
    """Return the 32-byte hash of `parts` for the purpose `tag`: BLAKE2b (RFC 7693). Raises TypeError for other
    types."""
    return blake2b(message(tag, *parts), digest_size=HASH_BYTES).digest()


def H64(tag: str, *parts: Part) -> bytes:
    """Return a 64-byte hash, to be reduced to a scalar with negligible bias. It is not an extension of `H`."""
    return blake2b(message(tag, *parts), digest_size=64).digest()


def kdf(secret: bytes, label: str, *parts: Part) -> bytes:
    """Return a 32-byte key for `label` and `parts`, derived from a 32-byte `secret` by keyed BLAKE2b.

    Without the secret it cannot be told from random bytes, even if keys for other labels or parts are known.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return blake2b(message(label, *parts), digest_size=HASH_BYTES, key=secret).digest()


def kdfs(secret: bytes, label: str, part: Part, count: int) -> list[bytes]:
    """Return `kdf(secret, label, part, number)` for each number below `count`, hashing the common prefix once."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    begun = blake2b(message(label, part), digest_size=HASH_BYTES, key=secret)
    keys = []
    for number in range(count):
        going_on = begun.copy()
        going_on.update(_form(number))
        keys.append(going_on.digest())
    return keys


def message(tag: str, *parts: Part) -> bytes:
    """Return the injective byte form of the domain, a tag and its parts."""
    return b"".join([_purpose(tag), *map(_form, parts)])


@lru_cache(256)
def _purpose(tag: str) -> bytes:
    return _form(DOMAIN) + _form(tag)


def _form(part: Part) -> bytes:
    if isinstance(part, bytes):
        return b"b" + len(part).to_bytes(4, "big") + part
    if isinstance(part, str):
        return _framed(b"s", part.encode())
    if isinstance(part, int) and not isinstance(part, bool):
        return _framed(b"i", b"%d" % part)
    if part is None:
        return _framed(b"n", b"")
    if isinstance(part, list | tuple):
        return _framed(b"l", b"".join(map(_form, part)))
    raise TypeError(f"cannot be hashed: {type(part).__name__}")


def _framed(letter: bytes, body: bytes) -> bytes:
    return letter + len(body).to_bytes(4, "big") + body
