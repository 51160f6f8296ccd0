"""The key of one member at one table, the secret behind it, and the certificate that ties both to a person."""

from __future__ import annotations

import secrets
from typing import Final, Self

from p2p.identity.keys import SigningKey
from p2p.wire.codec import Plain, Value, WireError
from p2p.wire.signing import SIGNATURE_BYTES, sign, strict_key, verify
from seeds.dataclass import dataclass, field
from seeds.hashing import SECRET_BYTES, H

MAX_DEVICE: Final = 48


@dataclass(frozen=True, slots=True)
class TableKeys:
    """What a member must hold durably before it joins: the key that signs its feed, and the 32-byte table secret."""

    key: SigningKey
    secret: bytes = field(repr=False)

    @classmethod
    def generate(cls) -> Self:
        """Return new ones from the system's randomness."""
        return cls(SigningKey.generate(), secrets.token_bytes(SECRET_BYTES))


@dataclass(frozen=True, slots=True)
class Certificate:
    """The word of an identity that a table key speaks for it.

    Attributes:
        identity, key: 32-byte public keys.
        lobby: the id of the lobby where the table is made, so that the certificate is of no use elsewhere.
        device: how its owner calls the machine, at most 48 bytes.
    """

    identity: bytes
    key: bytes
    lobby: bytes
    device: str
    signature: bytes

    def fields(self) -> list[Plain]:
        """Return its wire form."""
        return [self.identity, self.key, self.lobby, self.device, self.signature]

    @classmethod
    def read(cls, value: Value) -> Self:
        """Return the certificate that `value` holds, its signature checked. Raises WireError "certificate/…"."""
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
    """Return the identity's certificate for the table key `key`. Raises ValueError when the device's name is long."""
    if len(device.encode()) > MAX_DEVICE or len(lobby) > 32:
        raise ValueError("a device has at most 48 bytes of name, a lobby at most 32 of id")
    signature = sign(identity.private, _message(identity.public, key, lobby, device))
    return Certificate(identity.public, key, lobby, device, signature)


def _message(identity: bytes, key: bytes, lobby: bytes, device: str) -> bytes:
    return H("table-key", identity, key, lobby, device)
