# SPDX-License-Identifier: GPL-3.0-or-later
"""The recovery slip of a table: a member's table secret, sealed so that only its identity opens it. Friends keep it.

    key     kdf(seed of the identity, "recovery slip", table)
    nonce   the first 12 bytes of kdf(key, "slip nonce", secret)
    slip    nonce, ChaCha20-Poly1305(key, nonce, secret; the table's id is authenticated too), 60 bytes

The table key is not in it: a slip leads to another key, which the others vote on (`moved`), since two copies of one key
could sign two histories. Who has neither the identity nor the secret learns from slips only whether two are the same.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from p2p.identity.keys import SigningKey
from seeds.hashing import SECRET_BYTES, kdf

NONCE: Final = 12
SLIP_BYTES: Final = NONCE + SECRET_BYTES + 16


def make_slip(identity: SigningKey, table: bytes, secret: bytes) -> bytes:
    """Return the slip of a table secret; the same again for the same secret."""
    key = _key(identity, table)
    nonce = kdf(key, "slip nonce", secret)[:NONCE]
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, secret, table)


def read_slip(identity: SigningKey, table: bytes, slip: bytes) -> bytes | None:
    """Return the table secret in a slip, None if it was not made by this identity for this table or is damaged."""
    if len(slip) != SLIP_BYTES:
        return None
    try:
        return ChaCha20Poly1305(_key(identity, table)).decrypt(slip[:NONCE], slip[NONCE:], table)
    except InvalidTag:
        return None


def _key(identity: SigningKey, table: bytes) -> bytes:
    return kdf(identity.seed(), "recovery slip", table)
