# SPDX-License-Identifier: GPL-3.0-or-later
"""A member's table key and table secret, and the certificate that ties the key to an identity."""

from __future__ import annotations

from typing import Final, Self

from engine.core.dataclass import dataclass, field
from p2p.identity.keys import SigningKey
from p2p.wire.codec import Plain, Value, WireError
from p2p.wire.signing import SIGNATURE_BYTES, sign, strict_key, verify
from seeds.hashing import SECRET_BYTES, H

MAX_DEVICE: Final = 48


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The key that signs a member's feed and the 32-byte table secret. Both must be stored before the member joins."""

    key: SigningKey
    secret: bytes = field(repr=False)

    @classmethod
    def generate(cls) -> Self:
        """Return a new random key and secret."""
        import secrets  # loads slowly, and judging a log makes no key

        return cls(SigningKey.generate(), secrets.token_bytes(SECRET_BYTES))


@dataclass(frozen=True, slots=True)
class Certificate:
    """An identity's signed statement that a table key signs for it.

    Attributes:
        identity, key: 32-byte public keys.
        lobby: id of the lobby where the table is made, so that the certificate is invalid elsewhere.
        device: the owner's name for the machine, at most 48 bytes.
    """

    identity: bytes
    key: bytes
    lobby: bytes
    device: str
    signature: bytes

    def fields(self) -> list[Plain]:
        """Return the wire form."""
        return [self.identity, self.key, self.lobby, self.device, self.signature]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the certificate in `value` after checking its signature. Raises WireError "certificate/…"."""
        match value:
            case [bytes(identity), bytes(key), bytes(lobby), str(device), bytes(signature)] if (
                len(lobby) <= 32 and len(device.encode()) <= MAX_DEVICE
            ):
                certificate = cls(identity, key, lobby, device, signature)
            case _:
                raise WireError("certificate/form")
        if not strict_key(key) or len(signature) != SIGNATURE_BYTES:
            raise WireError("certificate/form")
        if not verify(identity, signature, _message(identity, key, lobby, device)):
            raise WireError("certificate/signature")
        return certificate


def certify(identity: SigningKey, key: bytes, lobby: bytes, device: str) -> Certificate:
    """Return the identity's certificate for the table key `key`. Raises ValueError if the device's name is too long."""
    if len(device.encode()) > MAX_DEVICE or len(lobby) > 32:
        raise ValueError("a device has at most 48 bytes of name, a lobby at most 32 of id")
    signature = sign(identity.private, _message(identity.public, key, lobby, device))
    return Certificate(identity.public, key, lobby, device, signature)


def _message(identity: bytes, key: bytes, lobby: bytes, device: str) -> bytes:
    return H("table-key", identity, key, lobby, device)
