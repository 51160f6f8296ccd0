# SPDX-License-Identifier: GPL-3.0-or-later
"""The recovery slip of a table: a member's table secret, sealed so that only its identity opens it. Friends keep it.

    key     kdf(seed of the identity, "recovery slip", table)
    nonce   the first 12 bytes of kdf(key, "slip nonce", number, secret)
    slip    number in 2 bytes, nonce, ChaCha20-Poly1305(key, nonce, secret; table and number are authenticated too),
            62 bytes

The number is that of the member's key at the table, and grows with each key that goes on for it: of several slips the
one with the greatest number counts, so that neither a friend nor an old copy of a home brings back an earlier secret.

The table key is not in it: a slip leads to another key, which the others vote on (`moved`), since two copies of one key
could sign two histories. Who has neither the identity nor the secret learns from slips only whether two are the same.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from p2p.identity.keys import SigningKey
from seeds.hashing import SECRET_BYTES, kdf

NUMBER: Final = 2
MAX_NUMBER: Final = 256**NUMBER - 1
NONCE: Final = 12
SLIP_BYTES: Final = NUMBER + NONCE + SECRET_BYTES + 16


def make_slip(identity: SigningKey, table: bytes, number: int, secret: bytes) -> bytes:
    """Return the slip of a table secret; the same again for the same secret and number. number: of the member's key at
    the table."""
    key, said = _key(identity, table), min(number, MAX_NUMBER).to_bytes(NUMBER, "big")
    nonce = kdf(key, "slip nonce", said, secret)[:NONCE]
    return said + nonce + ChaCha20Poly1305(key).encrypt(nonce, secret, table + said)


def slip_number(slip: bytes) -> int:
    """Return the number that a slip claims, -1 for what is no slip."""
    return int.from_bytes(slip[:NUMBER], "big") if len(slip) == SLIP_BYTES else -1


def read_slip(identity: SigningKey, table: bytes, slip: bytes) -> bytes | None:
    """Return the table secret in a slip, None if it was not made by this identity for this table or is damaged."""
    if len(slip) != SLIP_BYTES:
        return None
    said, nonce, sealed = slip[:NUMBER], slip[NUMBER : NUMBER + NONCE], slip[NUMBER + NONCE :]
    try:
        return ChaCha20Poly1305(_key(identity, table)).decrypt(nonce, sealed, table + said)
    except InvalidTag:
        return None


def _key(identity: SigningKey, table: bytes) -> bytes:
    return kdf(identity.seed(), "recovery slip", table)
