# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 11.2: what relays and their visitors say, encrypted visits, and passes."""

from __future__ import annotations

import hmac
import re
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from second.codec import decode, encode, is_bytes, is_int, is_list, refuse
from second.hashing import H

BEGINNING = b"starlock relay "


def room(secret: bytes, identity: bytes) -> bytes:
    """The room in which somebody waits."""
    return H("relay-room", secret, identity)[:16]


def read_request(content: bytes) -> tuple[str, bytes, int, bytes]:
    """Verb, room, port and pass."""
    if not content.startswith(BEGINNING) or len(content) - len(BEGINNING) > 200:
        refuse("relay/malformed")
    said = decode(content[len(BEGINNING) :])
    if not isinstance(said, list) or len(said) < 3 or not is_int(said[0]):
        refuse("relay/malformed")
    if said[0] != 1:
        refuse("relay/version")
    verb, place, *rest = said[1:]
    if not is_bytes(place, 16):
        refuse("relay/malformed")
    if verb in ("wait", "call", "see", "time") and not rest:
        return verb, place, 0, b""
    if verb == "wait" and is_list(rest, 1) and isinstance(rest[0], bytes) and 1 <= len(rest[0]) <= 40:
        return verb, place, 0, rest[0]
    if verb == "back" and is_list(rest, 1) and is_int(rest[0]) and 1024 <= rest[0] <= 65_535:
        return verb, place, rest[0], b""
    return refuse("relay/malformed")


def read_answer(content: bytes) -> list[Any]:
    """The relay's words."""
    said = decode(content)
    if not isinstance(said, list) or not said or not isinstance(said[0], str):
        refuse("relay/malformed")
    word, *rest = said
    right = {
        "seen": is_list(rest, 2) and isinstance(rest[0], str) and is_int(rest[1]) and 0 <= rest[1] <= 65_535,
        "time": is_list(rest, 1) and is_int(rest[0]) and 0 <= rest[0] < 1 << 40,
        "still": not rest,
        "called": not rest,
        "paired": not rest,
        "no": is_list(rest, 1) and isinstance(rest[0], str) and re.fullmatch("relay/[A-Za-z-]+", rest[0]) is not None,
    }
    if not right.get(word, False):
        refuse("relay/malformed")
    return said


def access_key(private: bytes, club: str) -> bytes:
    """The access key of a club."""
    return H("relay access", private, club)[:16]


def make_pass(access: bytes, tag: bytes, expiry: int) -> bytes:
    """The pass of a table."""
    said = tag + expiry.to_bytes(5, "big")
    return said + hmac.digest(access, b"starlock relay pass" + said, "sha256")[:16]


def judge_pass(shown: bytes, access: bytes, now: int) -> str:
    """Why a pass does not admit, empty if it does."""
    if len(shown) != 29 or make_pass(access, shown[:8], int.from_bytes(shown[8:13], "big")) != shown:
        return "relay/no-pass"
    return "relay/pass-expired" if now > int.from_bytes(shown[8:13], "big") else ""


class Visit:
    """Noise NK between a visitor and a relay whose key it knows, with given ephemeral keys (Noise, revision 34)."""

    def __init__(self, key: bytes) -> None:
        self.hash = b"Noise_NK_25519_ChaChaPoly_SHA256"
        self.chain = self.hash
        self._mix(H("relay", BEGINNING, 1))
        self._mix(key)

    def _mix(self, data: bytes) -> None:
        self.hash = sha256(self.hash + data).digest()

    def message(self, ephemeral: bytes, private: bytes, public: bytes) -> bytes:
        """One of the two messages: an ephemeral key, an agreement, and an empty payload."""
        self._mix(ephemeral)
        shared = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
        self.chain, key = halves(self.chain, shared)
        sealed = ChaCha20Poly1305(key).encrypt(bytes(12), b"", self.hash)
        self._mix(sealed)
        return ephemeral + sealed

    def ciphers(self) -> tuple[ChaCha20Poly1305, ChaCha20Poly1305]:
        """Those of the visitor and of the relay."""
        one, other = halves(self.chain, b"")
        return ChaCha20Poly1305(one), ChaCha20Poly1305(other)


def halves(chain: bytes, material: bytes) -> tuple[bytes, bytes]:
    """HKDF with two outputs, as Noise has it."""
    key = hmac.digest(chain, material, "sha256")
    first = hmac.digest(key, b"\1", "sha256")
    return first, hmac.digest(key, first + b"\2", "sha256")


def opening(message: bytes) -> bytes:
    """The first frame of an encrypted visit."""
    return BEGINNING + encode([1, "seal", message])
