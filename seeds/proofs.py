# SPDX-License-Identifier: GPL-3.0-or-later
"""Zero-knowledge proofs of knowledge of secret numbers: sigma protocols over linear relations.

A relation is a table of points. For secrets x_1..x_m and every row (B_1, ..., B_m) with its image I it says I = x_1 B_1
+ ... + x_m B_m; None in a row means that the secret does not occur in it. One row with the base point is Schnorr's
proof, two rows with one secret are Chaum's and Pedersen's proof of equal logarithms; re-dealing needs three rows and
two secrets.

    T_i = sum of w_j B_ij          for fresh w_j
    c   = hash(tag, place, relation, T)
    s_j = w_j + c x_j              the proof is (c, s_1..s_m); a verifier computes T_i = sum of s_j B_ij - c I_i

The challenge covers the whole statement and the place: table, epoch, author, purpose. A proof is valid nowhere else.
The w_j are a hash of the secrets, the statement and 32 fresh bytes, so neither a weak source of randomness nor repeated
bytes reveal a secret.

Several equal logarithms at once (`weighted`): 128-bit weights from a hash of all points turn k pairs into one. Errors
would have to foresee the weights to cancel each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.core.dataclass import dataclass
from seeds.group import (
    BASE,
    L,
    Point,
    combination,
    hash_scalar,
    mul,
    pack,
    pack_scalars,
    read_scalars,
    sub,
    total,
)
from seeds.hashing import H, Part, kdf, kdfs

Place: TypeAlias = Sequence[Part]
"""The place of a statement: all that must not be exchanged for something else."""

WEIGHT: Final = 2**128


@dataclass(frozen=True, slots=True)
class Relation:
    """A linear relation between points. rows: for each image, the points multiplied by the secrets, None for a secret
    that does not occur."""

    rows: tuple[tuple[Point | None, ...], ...]
    images: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A challenge and one response for each secret, all below L."""

    challenge: int
    responses: tuple[int, ...]

    def packed(self) -> bytes:
        """Return the wire form, 32 bytes for each number."""
        return pack_scalars([self.challenge, *self.responses])


def read_proof(data: object, secrets: int = 1) -> Proof | None:
    """Return the proof for this number of secrets in these bytes, None for another form."""
    numbers = read_scalars(data, secrets + 1)
    return None if numbers is None else Proof(numbers[0], tuple(numbers[1:]))


def logarithm(image: Point) -> Relation:
    """Return the relation image = x G."""
    return Relation(((BASE,),), (image,))


def equal_logarithms(image: Point, other_base: Point, other_image: Point) -> Relation:
    """Return the relation image = x G and other_image = x other_base."""
    return Relation(((BASE,), (other_base,)), (image, other_image))


def prove(tag: str, place: Place, relation: Relation, secrets: Sequence[int], fresh: bytes) -> Proof:
    """Return a proof of knowing the secrets of a relation. fresh: 32 random bytes, used for nothing else.

    If the secrets do not satisfy the relation, the proof is invalid.
    """
    told = H(f"{tag}/nonce", list(place), *_parts(relation), pack_scalars(number % L for number in secrets))
    nonces = [scalar(fresh, "nonce", told, number) for number in range(len(secrets))]
    commitments = [image_of(row, nonces) for row in relation.rows]
    challenge = challenge_of(tag, place, relation, commitments)
    responses = [(nonce + challenge * number) % L for nonce, number in zip(nonces, secrets, strict=True)]
    return Proof(challenge, tuple(responses))


def check(tag: str, place: Place, relation: Relation, proof: Proof) -> bool:
    """True if the proof shows, for this place, that its author knows secrets of this relation."""
    if any(len(row) != len(proof.responses) for row in relation.rows):
        return False
    commitments = [
        sub(image_of(row, proof.responses), mul(proof.challenge, image))
        for row, image in zip(relation.rows, relation.images, strict=True)
    ]
    return challenge_of(tag, place, relation, commitments) == proof.challenge


def weighted(tag: str, place: Place, bases: Sequence[Point], images: Sequence[Point]) -> tuple[Point, Point]:
    """Return one base and one image for all pairs: their weighted sums, which have the common logarithm."""
    if len(bases) == 1 == len(images):
        return bases[0], images[0]
    told = H(f"{tag}/weights", list(place), pack(bases), pack(images))
    numbers = [hash_scalar(f"{tag}/weight", told, number) % WEIGHT for number in range(len(bases))]
    return combination(numbers, bases), combination(numbers, images)


def scalar(secret: bytes, label: str, *parts: Part) -> int:
    """Return a number from 1 to L-1 derived from 32 secret bytes, without bias."""
    wide = kdf(secret, label, 0, *parts) + kdf(secret, label, 1, *parts)
    return int.from_bytes(wide, "little") % (L - 1) + 1


def scalars(secret: bytes, label: str, count: int) -> list[int]:
    """Return `scalar(secret, label, number)` for each number below `count`, in half the time."""
    halves = zip(kdfs(secret, label, 0, count), kdfs(secret, label, 1, count), strict=True)
    return [int.from_bytes(low + high, "little") % (L - 1) + 1 for low, high in halves]


def image_of(row: Sequence[Point | None], numbers: Sequence[int]) -> Point:
    """Return the sum of the points of a row, each times its number."""
    return total(mul(number, point) for number, point in zip(numbers, row, strict=True) if point is not None)


def challenge_of(tag: str, place: Place, relation: Relation, commitments: Sequence[Point]) -> int:
    """Return the challenge of a proof, a hash of the whole statement (Fiat-Shamir)."""
    return hash_scalar(tag, list(place), *_parts(relation), pack(commitments))


def _parts(relation: Relation) -> tuple[Part, Part]:
    return [list(row) for row in relation.rows], pack(relation.images)
