# SPDX-License-Identifier: GPL-3.0-or-later
"""Short secret choices (bids, dials): fixed before any is opened. If an author falls silent, the others open its
choice.

`seals` fixes a choice by a hash. Here it is also encrypted to the epoch's threshold key, so that t of n members can
open it, but no fewer. A choice that is kept for long (a prediction) is not encrypted to the others and uses `seals`.

    commitment  as in `seals`: a hash of place, author, value and nonce
    R = r G     with a proof of knowing r that covers the place, the author, the commitment and the sealed text:
                a copy under another name is refused, and nobody can have an R of somebody else's opened
    text        value, padded to the same length for all, and nonce, under a mask derived from r Y
    opening     by its author: value and nonce. By t others: x R = r Y from their partials of R

r comes from the table secret and the commitment. That one depends on the value, and by the nonce on the head at which
the choice is made, so the mask of a choice that was opened in one history hides nothing of another one. A text that
does not open to value and nonce of the commitment is a proven fault of its author; the game's fallback applies, as for
silence.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import shake_256
from typing import Final

from engine.core.dataclass import dataclass
from seeds.errors import ContractError, Fault
from seeds.group import Point, base, mul, read_point
from seeds.hashing import HASH_BYTES, message
from seeds.opendeck import Handle
from seeds.proofs import Proof, check, logarithm, prove, read_proof, scalar
from seeds.seals import seal_commitment, seal_nonce
from seeds.threshold import Partial, ThresholdKey, check_partial, combine

LONGEST: Final = 510
"""Length of the longest value in bytes. All texts are padded to the length of its text."""

_TEXT_BYTES: Final = 2 + LONGEST + HASH_BYTES


@dataclass(frozen=True, slots=True)
class Choice:
    """A sealed choice that t members together can open.

    Attributes:
        committed: the commitment, as in `seals`.
        point: R.
        text: the masked text.
        proof: proof of knowing r.
    """

    committed: bytes
    point: Point
    text: bytes
    proof: Proof

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [self.committed, self.point, self.text, self.proof.packed()]


def read_choice(body: object) -> Choice | None:
    """Return the sealed choice in an entry's body, None for another form."""
    match body:
        case [bytes() as committed, bytes() as point, bytes() as text, bytes() as proof]:
            r_point, proven = read_point(point), read_proof(proof)
            if len(committed) == HASH_BYTES and len(text) == _TEXT_BYTES and r_point is not None and proven is not None:
                return Choice(committed, r_point, text, proven)
    return None


def make_choice(
    key: ThresholdKey, secret: bytes, author: bytes, handle: Handle, head: bytes, value: bytes, fresh: bytes
) -> Choice:
    """Return a sealed choice.

    key: the epoch's key for seals.
    secret: the author's table secret.
    head: that of the position where it is sealed.
    value: the choice's canonical encoding, at most LONGEST bytes.
    fresh: 32 random bytes.
    """
    if len(value) > LONGEST:
        raise ContractError(f"a short choice has at most {LONGEST} bytes, not {len(value)}")
    nonce = seal_nonce(secret, key.table, key.epoch, handle, head, value)
    committed = seal_commitment(key.table, key.epoch, handle, author, value, nonce)
    r = _own_r(key, secret, handle, committed)
    point = base(r)
    text = len(value).to_bytes(2, "big") + value.ljust(LONGEST, b"\0") + nonce
    masked = _masked(key, author, handle, point, mul(r, key.public), text)
    place = [*key.place(author), *handle, committed, masked]
    return Choice(committed, point, masked, prove("seal/pok", place, logarithm(point), [r], fresh))


def check_choice(key: ThresholdKey, author: bytes, handle: Handle, choice: Choice) -> bool:
    """True if the author has sealed this choice for this place. Its content is checked when it is opened."""
    place = [*key.place(author), *handle, choice.committed, choice.text]
    return check("seal/pok", place, logarithm(choice.point), choice.proof)


def _own_r(key: ThresholdKey, secret: bytes, handle: Handle, committed: bytes) -> int:
    return scalar(secret, "seal/r", key.table, key.epoch, *handle, committed)


def own_value(key: ThresholdKey, secret: bytes, author: bytes, handle: Handle, choice: Choice) -> bytes | None:
    """Return the value of an own choice, from the table secret alone; None if it does not open."""
    opening = ForcedOpening(key, author, handle, choice)
    opening.open_by(mul(_own_r(key, secret, handle, choice.committed), key.public))
    return opening.value


class ForcedOpening:
    """Opens the choice of a silent author by the partials of t others.

    state    input                      next     what happens
    -----------------------------------------------------------------------------------------------------------
    CLOSED   release(member, partial)   CLOSED   if its proof is valid; else Fault. With the t-th: OPEN
    OPEN     -                                   `value` and `nonce`, or `fault` of the author
    """

    def __init__(self, key: ThresholdKey, author: bytes, handle: Handle, choice: Choice) -> None:
        self.key, self.author, self.handle, self.choice = key, author, handle, choice
        self.value: bytes | None = None
        self.nonce: bytes | None = None
        self.fault: Fault | None = None
        self._values: dict[bytes, Point] = {}

    @property
    def open(self) -> bool:
        """True if there are t partials."""
        return len(self._values) >= self.key.t

    def short(self, silent: Collection[bytes]) -> bool:
        """True if fewer than t members have given a partial or may still do so. silent: those that may."""
        return sum(member in self._values or member in silent for member in self.key.members) < self.key.t

    def judge(self, member: bytes, partial: Partial) -> Fault | None:
        """Return what is wrong with the partial of a member that holds a share."""
        right = check_partial(self.key, member, self.choice.point, partial)
        return None if right else Fault("seal/proof", member)

    def release(self, member: bytes, partial: Partial) -> Fault | None:
        """Take a member's partial of R (`make_partial` with this choice's point)."""
        if member not in self.key.members:
            return Fault("seal/not-a-member", member)
        if member in self._values:
            return Fault("seal/released-twice", member)
        fault = self.judge(member, partial)
        if fault is not None:
            return fault
        self._values[member] = partial.value
        if len(self._values) == self.key.t:
            self.open_by(combine(self.key, self._values))
        return None

    def open_by(self, shared: Point) -> None:
        """Decrypt the text with x R = r Y."""
        text = _masked(self.key, self.author, self.handle, self.choice.point, shared, self.choice.text)
        length, nonce = int.from_bytes(text[:2], "big"), text[-HASH_BYTES:]
        value, filling = text[2 : 2 + length], text[2 + length : -HASH_BYTES]
        fits = seal_commitment(self.key.table, self.key.epoch, self.handle, self.author, value, nonce)
        if length > LONGEST or any(filling) or fits != self.choice.committed:
            self.fault = Fault("seal/unopenable", self.author)
        else:
            self.value, self.nonce = value, nonce


def _masked(key: ThresholdKey, author: bytes, handle: Handle, point: Point, shared: Point, text: bytes) -> bytes:
    """Return the text XORed with the mask of a shared point; applying it twice restores the text."""
    mask = shake_256(message("seal/kem", key.place(author), *handle, point, shared)).digest(len(text))
    return bytes(one ^ other for one, other in zip(mask, text, strict=True))
