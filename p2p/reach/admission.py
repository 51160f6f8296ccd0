# SPDX-License-Identifier: GPL-3.0-or-later
"""Passes for a relay that does not serve everybody.

tag  expiry  check      8 bytes; seconds since 1970 (UTC) in 5 bytes; the first 16 bytes of HMAC-SHA256 over both

The operator gives each club an access key of 16 bytes, which stays with those who open tables. They make a pass for
each table, and tickets carry it. A pass admits to eight rooms at a time, which the relay counts by its tag. Who has a
pass can make no other one. Synchronous.
"""

from __future__ import annotations

from collections.abc import Iterable
from hmac import compare_digest, digest
from typing import Final

from p2p.wire.address import RELAY, Address, at_relay, credentials_of, endpoint_of, scheme
from seeds.hashing import H

ACCESS: Final = 16
TAG: Final = 8
EXPIRY: Final = 5
CHECK: Final = 16
PASS: Final = TAG + EXPIRY + CHECK
ROOMS_OF_A_PASS: Final = 8
DAY: Final = 24 * 3_600
LASTS: Final = 365 * DAY
"""Seconds for which a pass is good, which is as long as a game may take."""


def access_key(private: bytes, club: str) -> bytes:
    """Return the access key of a club. private: the relay's private key, 32 bytes."""
    return H("relay access", private, club)[:ACCESS]


def make_pass(access: bytes, tag: bytes, expiry: int) -> bytes:
    """Return the pass of a table. tag: 8 bytes. expiry: seconds since 1970 (UTC)."""
    said = tag + expiry.to_bytes(EXPIRY, "big")
    return said + _check(access, said)


def refusal_of(admission: bytes, keys: Iterable[bytes], now: float) -> str:
    """Return why a pass admits to nothing, "" if it admits. keys: the access keys of all clubs. now: seconds since 1970
    (UTC)."""
    said, check = admission[:-CHECK], admission[-CHECK:]
    if len(admission) != PASS or not any(compare_digest(_check(key, said), check) for key in keys):
        return "relay/no-pass"
    return "" if now <= int.from_bytes(said[TAG:], "big") else "relay/pass-expired"


def tag_of(admission: bytes) -> bytes:
    """Return the tag of a pass that admits."""
    return admission[:TAG]


def admitted(address: Address, tag: bytes, now: float) -> Address:
    """Return the address with a pass in the place of an access key, any other address as it is. tag: 8 bytes. now:
    seconds since 1970 (UTC). The same address all day."""
    if scheme(address) != RELAY:
        return address
    key, access = credentials_of(address)
    if len(access) != ACCESS:
        return address
    return at_relay(*endpoint_of(address), key, make_pass(access, tag, int(now) // DAY * DAY + LASTS))


def _check(access: bytes, said: bytes) -> bytes:
    return digest(access, b"starlock relay pass" + said, "sha256")[:CHECK]
