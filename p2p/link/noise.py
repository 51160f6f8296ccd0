# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise_XX_25519_ChaChaPoly_SHA256 and NK: the handshakes and their two ciphers, over `cryptography`.

Source: The Noise Protocol Framework, revision 34, sections 5 (processing rules), 7.5 (patterns XX and NK) and 12
(functions). Names are the paper's: e and s are the ephemeral and static keys of this side, re and rs those of the
other, ck the chaining key, h the handshake hash. Synchronous: bytes in, bytes out. Forged, truncated and replayed
messages raise WireError.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import digest
from typing import Final

import cryptography.hazmat.backends.openssl.backend  # noqa: F401  the first key would load it, within the event loop
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from p2p.wire.codec import WireError

XX: Final = (("e",), ("e", "ee", "s", "es"), ("s", "se"))
"""Between peers: both static keys are told within."""
NK: Final = (("e", "es"), ("e", "ee"))
"""With a relay: the initiator has no static key and knows the other's."""
NAMES: Final = {XX: b"Noise_XX_25519_ChaChaPoly_SHA256", NK: b"Noise_NK_25519_ChaChaPoly_SHA256"}
KEY: Final = 32
TAG: Final = 16


class Cipher:
    """One direction of a channel: a key and a nonce counter."""

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)
        self._n = 0

    def encrypt(self, plaintext: bytes, ad: bytes | None = None) -> bytes:
        """Return ciphertext and tag. ad: associated data, which is authenticated but not sent."""
        return self._aead.encrypt(self._nonce(), plaintext, ad)

    def decrypt(self, ciphertext: bytes, ad: bytes | None = None) -> bytes:
        """Return the plaintext. Raises WireError "noise/forged" unless this is the next message of the other side."""
        try:
            return self._aead.decrypt(self._nonce(), ciphertext, ad)
        except InvalidTag:
            raise WireError("noise/forged") from None

    def _nonce(self) -> bytes:
        nonce = bytes(4) + self._n.to_bytes(8, "little")
        self._n += 1
        return nonce


class Handshake:
    """One side of the messages of a pattern. Call `write` and `read` in turn; the initiator writes first.

    Attributes:
        prologue: bytes that must be equal on both sides.
        static, ephemeral: this side's keys; the ephemeral key is new for each handshake. In NK the initiator's static
            key is not used.
        known: in NK the answerer's static public key, on both sides.
    """

    def __init__(
        self, *, initiator: bool, prologue: bytes, static: X25519PrivateKey, ephemeral: X25519PrivateKey,
        known: bytes = b"",
    ) -> None:  # fmt: skip
        self._initiator, self._pattern = initiator, NK if known else XX
        self._s, self._e = static, ephemeral
        self._rs = known if initiator else b""
        self._re: bytes = b""
        self._ck = self.hash = NAMES[self._pattern]
        self._cipher: Cipher | None = None
        self._at = 0
        self._mix_hash(prologue)
        if known:
            self._mix_hash(known)

    @property
    def ephemeral(self) -> bytes:
        """This side's ephemeral public key."""
        return self._e.public_key().public_bytes_raw()

    @property
    def static(self) -> bytes:
        """This side's static public key."""
        return self._s.public_key().public_bytes_raw()

    @property
    def remote_static(self) -> bytes:
        """The other side's static public key, proven by the next message; empty until it is read."""
        return self._rs

    def write(self, payload: bytes) -> bytes:
        """Return this side's next message with `payload`, encrypted once there is a key."""
        message = b""
        for token in self._pattern[self._at]:
            if token == "e":
                self._mix_hash(self.ephemeral)
                message += self.ephemeral
            elif token == "s":
                message += self._encrypt(self.static)
            else:
                self._mix_key(self._dh(token))
        self._at += 1
        return message + self._encrypt(payload)

    def read(self, message: bytes) -> bytes:
        """Process the other side's next message and return its payload. After a WireError the handshake cannot be
        used."""
        rest = message
        for token in self._pattern[self._at]:
            if token == "e":
                self._re, rest = _cut(rest, KEY)
                self._mix_hash(self._re)
            elif token == "s":
                sealed, rest = _cut(rest, KEY + TAG)
                self._rs = self._decrypt(sealed)
            else:
                self._mix_key(self._dh(token))
        self._at += 1
        return self._decrypt(rest)

    def split(self) -> tuple[Cipher, Cipher]:
        """Return the ciphers to send and to receive. `hash` is then the channel's binding, equal on both sides."""
        assert self._at == len(self._pattern)
        first, second = _hkdf(self._ck, b"")
        ciphers = Cipher(first), Cipher(second)
        return ciphers if self._initiator else ciphers[::-1]

    def _dh(self, token: str) -> bytes:
        mine, theirs = (token[0], token[1]) if self._initiator else (token[1], token[0])
        key = self._e if mine == "e" else self._s
        public = self._re if theirs == "e" else self._rs
        try:
            return key.exchange(X25519PublicKey.from_public_bytes(public))
        except ValueError:  # the public key is in a small subgroup
            raise WireError("noise/weak-key") from None

    def _mix_hash(self, data: bytes) -> None:
        self.hash = sha256(self.hash + data).digest()

    def _mix_key(self, shared: bytes) -> None:
        self._ck, key = _hkdf(self._ck, shared)
        self._cipher = Cipher(key)

    def _encrypt(self, plaintext: bytes) -> bytes:
        sent = self._cipher.encrypt(plaintext, self.hash) if self._cipher else plaintext
        self._mix_hash(sent)
        return sent

    def _decrypt(self, sent: bytes) -> bytes:
        plaintext = self._cipher.decrypt(sent, self.hash) if self._cipher else sent
        self._mix_hash(sent)
        return plaintext


def _hkdf(chaining: bytes, material: bytes) -> tuple[bytes, bytes]:
    key = digest(chaining, material, "sha256")
    first = digest(key, b"\1", "sha256")
    return first, digest(key, first + b"\2", "sha256")


def _cut(data: bytes, size: int) -> tuple[bytes, bytes]:
    if len(data) < size:
        raise WireError("noise/truncated", len(data))
    return data[:size], data[size:]
