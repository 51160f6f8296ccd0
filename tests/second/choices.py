# SPDX-License-Identifier: GPL-3.0-or-later
"""Section 8.7: secret choices."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from second.cards import Handle
from second.codec import Refused, decode, encode, is_bytes, refuse
from second.dice import ThresholdKey
from second.group import BASE, read_points, read_scalars
from second.hashing import H, message
from second.proofs import holds

LONGEST_VALUE = 510
TEXT = 544


def commitment(table: bytes, epoch: int, handle: Handle, author: bytes, value: bytes, nonce: bytes) -> bytes:
    return H("seal", table, epoch, *handle, author, value, nonce)


@dataclass
class Choice:
    """A choice that was sealed; `entry` is the id of its `seal`, `key` the threshold key that can force it."""

    table: bytes
    epoch: int
    handle: Handle
    author: bytes
    commitment: bytes
    sealed_at: int
    entry: bytes
    key: ThresholdKey | None = None
    point: bytes = b""
    text: bytes = b""
    opened: Any = None
    opened_at: int | None = None
    closed: bool = False

    def fits(self, value: bytes, nonce: bytes) -> bool:
        return self.commitment == commitment(self.table, self.epoch, self.handle, self.author, value, nonce)

    def force(self, shared: bytes) -> Any:
        """The value under the text, from r Y; refused by `seal/unopenable` if it is none that was committed to."""
        place = [self.table, self.epoch, "seal", self.key.roster, self.key.public, self.author] if self.key else []
        start = message("seal/kem", place, *self.handle, self.point, shared)
        mask = hashlib.shake_256(start).digest(TEXT)
        plain = bytes(a ^ b for a, b in zip(self.text, mask, strict=True))
        length = int.from_bytes(plain[:2], "big")
        value, filling, nonce = plain[2 : 2 + length], plain[2 + length : 512], plain[512:]
        if length > LONGEST_VALUE or any(filling) or not self.fits(value, nonce):
            refuse("seal/unopenable")
        try:
            return decode(value)
        except Refused:
            refuse("seal/unopenable")


def read_seal(choice: Choice, body: list[Any], key: ThresholdKey | None) -> None:
    """Reads what stands behind the seat in a `seal`. With a key the choice can be forced."""
    if not body or not is_bytes(body[0], 32):
        refuse("seal/form")
    choice.commitment = body[0]
    if key is None:
        if len(body) > 2 or (len(body) == 2 and not isinstance(body[1], bytes)):
            refuse("seal/form")
        return
    if len(body) != 4 or not is_bytes(body[2], TEXT):
        refuse("seal/form")
    point = read_points(body[1], 1, "seal/form")[0]
    scalars = read_scalars(body[3], 2, "seal/form")
    place = [choice.table, key.epoch, "seal", key.roster, key.public, choice.author, *choice.handle]
    if not holds("seal/pok", [*place, choice.commitment, body[2]], [[BASE]], [point], scalars):
        refuse("seal/form")
    choice.key, choice.point, choice.text = key, point, body[2]


def opening_fits(choice: Choice, value: Any, nonce: bytes) -> bool:
    return choice.fits(encode(value), nonce)
