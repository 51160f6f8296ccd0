# SPDX-License-Identifier: GPL-3.0-or-later
"""An Ed25519 private key that signs and is never printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEED: Final = 32


class SigningKey:
    """A private key. Its repr shows the public key only, and neither pickling nor formatting reveals the secret.

    Attributes:
        public: the 32-byte public key.
        private: the object that signs entries.
    """

    __slots__ = ("private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self.private = private
        self.public = private.public_key().public_bytes_raw()

    @classmethod
    def generate(cls) -> Self:
        """Return a new random key."""
        import secrets  # loads slowly, and judging a log makes no key

        return cls.from_seed(secrets.token_bytes(SEED))

    @classmethod
    def from_seed(cls, seed: bytes) -> Self:
        """Return the key of a 32-byte seed (RFC 8032), as returned by `seed()`."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # judging a log signs nothing

        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def seed(self) -> bytes:
        """Return the 32 secret bytes, to be stored."""
        return self.private.private_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        """Return the 64-byte signature of `data`."""
        return self.private.sign(data)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.public.hex()[:16]}…)"

    def __reduce__(self) -> str:
        raise TypeError("a private key is not pickled")
