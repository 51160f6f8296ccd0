# SPDX-License-Identifier: GPL-3.0-or-later
"""An encrypted visit at a relay whose key is known: Noise NK, after which each frame is one encrypted message.

visitor   e, es       in the first frame, behind the relay's MAGIC
relay     e, ee

Only who holds the relay's key can answer, and nobody on the way reads what is asked. The visitor proves nothing.
"""

from __future__ import annotations

from typing import Final, Protocol

import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2p.link.framed import Frames
from p2p.link.noise import KEY, TAG, Handshake
from p2p.wire.codec import WireError
from p2p.wire.relaying import MAGIC, VERSION, pack_seal
from seeds.hashing import H

OPENING: Final = KEY + TAG
"""Bytes of each of the two messages."""


class Words(Protocol):
    """Frames, or frames that are encrypted."""

    @property
    def stream(self) -> trio.abc.Stream: ...

    async def send(self, *contents: bytes) -> None: ...

    async def recv(self, limit: int) -> bytes: ...


class Sealed:
    """Frames that are encrypted, over those of a stream."""

    def __init__(self, frames: Frames, handshake: Handshake) -> None:
        self._frames = frames
        self._sending, self._receiving = handshake.split()

    @property
    def stream(self) -> trio.abc.Stream:
        """The stream below."""
        return self._frames.stream

    async def send(self, *contents: bytes) -> None:
        """Send each as a frame of its own."""
        await self._frames.send(*map(self._sending.encrypt, contents))

    async def recv(self, limit: int) -> bytes:
        """Return the next frame's content; raises as `Frames.recv` does, and WireError "noise/forged"."""
        return self._receiving.decrypt(await self._frames.recv(limit + TAG))


async def seal(frames: Frames, key: bytes) -> Sealed:
    """Begin an encrypted visit. key: the relay's, 32 bytes. Raises WireError if another one answers, and as `recv`."""
    own = X25519PrivateKey.generate()
    handshake = Handshake(initiator=True, prologue=prologue(), static=own, ephemeral=own, known=key)
    await frames.send(pack_seal(handshake.write(b"")))
    if handshake.read(await frames.recv(OPENING)):
        raise WireError("noise/payload")
    return Sealed(frames, handshake)


async def answer_seal(frames: Frames, opening: bytes, private: X25519PrivateKey) -> Sealed:
    """Answer a visitor's first message. Raises WireError if it was not meant for this key."""
    known, ephemeral = private.public_key().public_bytes_raw(), X25519PrivateKey.generate()
    handshake = Handshake(initiator=False, prologue=prologue(), static=private, ephemeral=ephemeral, known=known)
    if handshake.read(opening):
        raise WireError("noise/payload")
    await frames.send(handshake.write(b""))
    return Sealed(frames, handshake)


def prologue() -> bytes:
    """Return the prologue of the handshake."""
    return H("relay", MAGIC, VERSION)
