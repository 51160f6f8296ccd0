# SPDX-License-Identifier: GPL-3.0-or-later
"""What two peers prove to each other in the three Noise messages, before a channel carries anything else.

1  dialer    ephemeral key · 16 bytes of HMAC(secret of the meeting, that key)
2  answerer  static key, identity key and its signature, encrypted
3  dialer    the same of its own
then each side at once, inside the channel: Hello with its versions, which must be equal.

Both know the meeting beforehand: the table's id, or the secret in a ticket. An answerer that knows no meeting with this
HMAC hangs up before message 2, which would reveal its identity. The identity signs H("noise", role, hash of the
handshake so far, static key). The static key belongs to the process, the identity to the person. Synchronous.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hmac import compare_digest, digest
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from engine.core.dataclass import dataclass, field
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.noise import KEY, Cipher, Handshake
from p2p.wire.codec import WireError
from p2p.wire.messages import WIRE_VERSION, Hello, pack, parse
from p2p.wire.signing import KEY_BYTES, SIGNATURE_BYTES, sign, verify
from seeds.hashing import H

CHANNEL_VERSION: Final = 1
"""Version of the handshake, in the prologue. The messages inside the channel have WIRE_VERSION."""
PROOF: Final = 16


@dataclass(frozen=True, slots=True)
class Meeting:
    """What two peers must both know to link.

    Attributes:
        name: 32 bytes that both put into the prologue.
        secret: proves knowledge of the meeting.
        passive: True if others may link at this meeting, but peers heard on the LAN are not dialed for it.
        called: True if others may call this process at relays for this meeting.
    """

    name: bytes
    secret: bytes = field(repr=False)
    passive: bool = field(default=False, compare=False)
    called: bool = field(default=True, compare=False)

    def proof(self, ephemeral: bytes) -> bytes:
        """Return the 16 bytes of HMAC over an ephemeral key for message 1."""
        return digest(self.secret, ephemeral, "sha256")[:PROOF]

    def prologue(self) -> bytes:
        """Return the prologue of the Noise handshake."""
        return H("channel", CHANNEL_VERSION, self.name)


def table_meeting(table: bytes, *, passive: bool = False) -> Meeting:
    """Return the meeting of peers that know a table's id."""
    return Meeting(table, table, passive)


def active_first(meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the meetings with the passive ones last, for places with room for only a few."""
    return sorted(meetings, key=lambda meeting: meeting.passive)


def called_at(meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the meetings for which others may call this process at relays."""
    return [meeting for meeting in meetings if meeting.called]


@dataclass(frozen=True, slots=True)
class Local:
    """This process as it presents itself on every channel.

    Attributes:
        identity: the person's key.
        program: name and version of the program.
        static, instance: a Noise static key and 8 random bytes, new for each process.
        port: listening port, 0 for none.
        calling_port: the port from which it connects to who connects to it at the same time, and to relays, which see
            how its router translates that: the listening port, or one without a listener.
    """

    identity: SigningKey
    program: str
    static: X25519PrivateKey = field(default_factory=X25519PrivateKey.generate, repr=False)
    instance: bytes = field(default_factory=lambda: secrets.token_bytes(8))
    port: int = 0
    calling_port: int = 0

    def hello(self) -> bytes:
        """Return this side's first message inside a channel."""
        return pack(Hello(WIRE_VERSION, self.program, self.instance, self.port))


@dataclass(frozen=True, slots=True)
class Met:
    """The result of a handshake: the other side and the ciphers."""

    peer_id: bytes
    meeting: bytes
    binding: bytes
    sending: Cipher
    receiving: Cipher


class Dialing:
    """The dialing side. expected: identity key that must answer, None for any peer that knows the meeting."""

    def __init__(self, local: Local, meeting: Meeting, expected: bytes | None = None) -> None:
        self._local, self._meeting, self._expected = local, meeting, expected
        self._noise = _handshake(local, meeting, X25519PrivateKey.generate(), initiator=True)

    def first(self) -> bytes:
        """Return message 1."""
        return self._noise.write(self._meeting.proof(self._noise.ephemeral))

    def finish(self, second: bytes) -> tuple[bytes, Met]:
        """Take message 2 and return message 3. Raises WireError or LinkRefusedError."""
        peer = _read_identity(self._noise, second, "answerer")
        if self._expected is not None and peer != self._expected:
            raise LinkRefusedError("link/other-identity", peer)
        return _write_identity(self._noise, self._local, "dialer"), _met(self._noise, peer, self._meeting)


class Answering:
    """The answering side, with all meetings of this process."""

    def __init__(self, local: Local, meetings: Iterable[Meeting]) -> None:
        self._local = local
        self._meetings = meetings

    def second(self, first: bytes) -> bytes:
        """Take message 1 and return message 2. Raises LinkRefusedError "link/unknown-meeting" before a key is used."""
        ephemeral, proof = first[:KEY], first[KEY:]
        for meeting in self._meetings:
            if compare_digest(meeting.proof(ephemeral), proof):
                break
        else:
            raise LinkRefusedError("link/unknown-meeting")
        self._meeting = meeting
        self._noise = _handshake(self._local, meeting, X25519PrivateKey.generate(), initiator=False)
        self._noise.read(first)
        return _write_identity(self._noise, self._local, "answerer")

    def finish(self, third: bytes) -> Met:
        """Take message 3. Raises WireError or LinkRefusedError."""
        peer = _read_identity(self._noise, third, "dialer")
        return _met(self._noise, peer, self._meeting)


def read_hello(data: bytes) -> Hello:
    """Return the other side's hello. Raises LinkRefusedError "link/other-version", or WireError for anything else."""
    hello = parse(data)
    if not isinstance(hello, Hello):
        raise WireError("message/no-hello")
    if hello.wire != WIRE_VERSION:
        raise LinkRefusedError("link/other-version", WIRE_VERSION, hello.wire, hello.program)
    return hello


def _handshake(local: Local, meeting: Meeting, ephemeral: X25519PrivateKey, *, initiator: bool) -> Handshake:
    return Handshake(initiator=initiator, prologue=meeting.prologue(), static=local.static, ephemeral=ephemeral)


def _write_identity(noise: Handshake, local: Local, role: str) -> bytes:
    statement = H("noise", role, noise.hash, noise.static)
    return noise.write(local.identity.public + sign(local.identity.private, statement))


def _read_identity(noise: Handshake, message: bytes, role: str) -> bytes:
    before = noise.hash
    payload = noise.read(message)
    if len(payload) != KEY_BYTES + SIGNATURE_BYTES:
        raise WireError("noise/payload")
    identity, signature = payload[:KEY_BYTES], payload[KEY_BYTES:]
    if not verify(identity, signature, H("noise", role, before, noise.remote_static)):
        raise LinkRefusedError("link/bad-signature")
    return identity


def _met(noise: Handshake, peer: bytes, meeting: Meeting) -> Met:
    sending, receiving = noise.split()
    return Met(peer, meeting.name, noise.hash, sending, receiving)
