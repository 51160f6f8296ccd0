"""Proofs that somebody knows secret numbers, without telling them: sigma protocols over linear relations.

A relation is a table of points. For secrets x_1..x_m and every row (B_1, ..., B_m) with its image I it says
I = x_1 B_1 + ... + x_m B_m; a None in a row takes no part. One row with the base point is Schnorr's proof, two rows
with one secret are Chaum's and Pedersen's proof of equal logarithms; re-dealing needs three rows and two secrets.

    T_i = sum of w_j B_ij          for fresh w_j
    c   = hash(tag, place, relation, T)
    s_j = w_j + c x_j              the proof is (c, s_1..s_m); a verifier computes T_i = sum of s_j B_ij - c I_i

The challenge covers the whole statement and the place: table, epoch, author, what it is for. A proof counts nowhere
else. The w_j come from the secrets, the statement and 32 fresh bytes by a hash, so neither a weak source of chance nor
bytes used twice can give a secret away.

Several equal logarithms at once (`weights`): random 128-bit weights, fixed by a hash of all points, turn k pairs into
one; errors that cancel each other would have to foresee the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from seeds.dataclass import dataclass
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
"""Where a statement is made: everything that must not be exchanged for something else."""

WEIGHT: Final = 2**128


@dataclass(frozen=True, slots=True)
class Relation:
    """rows: for each image the points that the secrets multiply, None where a secret takes no part."""

    rows: tuple[tuple[Point | None, ...], ...]
    images: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """challenge and one response for each secret, all below L."""

    challenge: int
    responses: tuple[int, ...]

    def packed(self) -> bytes:
        """As it travels: 32 bytes for each number."""
        return pack_scalars([self.challenge, *self.responses])


def read_proof(data: object, secrets: int = 1) -> Proof | None:
    """The proof for this many secrets that these bytes hold."""
    numbers = read_scalars(data, secrets + 1)
    return None if numbers is None else Proof(numbers[0], tuple(numbers[1:]))


def logarithm(image: Point) -> Relation:
    """image = x G."""
    return Relation(((BASE,),), (image,))


def equal_logarithms(image: Point, other_base: Point, other_image: Point) -> Relation:
    """image = x G and other_image = x other_base."""
    return Relation(((BASE,), (other_base,)), (image, other_image))


def prove(tag: str, place: Place, relation: Relation, secrets: Sequence[int], fresh: bytes) -> Proof:
    """Prove to know the secrets of a relation. fresh: 32 bytes of chance, used for nothing else.

    A relation that the secrets do not satisfy gives a proof that nobody accepts.
    """
    told = H(f"{tag}/nonce", list(place), *_parts(relation), pack_scalars(number % L for number in secrets))
    nonces = [scalar(fresh, "nonce", told, number) for number in range(len(secrets))]
    commitments = [image_of(row, nonces) for row in relation.rows]
    challenge = challenge_of(tag, place, relation, commitments)
    responses = [(nonce + challenge * number) % L for nonce, number in zip(nonces, secrets, strict=True)]
    return Proof(challenge, tuple(responses))


def check(tag: str, place: Place, relation: Relation, proof: Proof) -> bool:
    """True if the proof shows that its author knows secrets of this relation, here."""
    if any(len(row) != len(proof.responses) for row in relation.rows):
        return False
    commitments = [
        sub(image_of(row, proof.responses), mul(proof.challenge, image))
        for row, image in zip(relation.rows, relation.images, strict=True)
    ]
    return challenge_of(tag, place, relation, commitments) == proof.challenge


def weighted(tag: str, place: Place, bases: Sequence[Point], images: Sequence[Point]) -> tuple[Point, Point]:
    """One base and one image that stand for all: equal logarithms of the pairs become one of the sums."""
    if len(bases) == 1 == len(images):
        return bases[0], images[0]
    told = H(f"{tag}/weights", list(place), pack(bases), pack(images))
    numbers = [hash_scalar(f"{tag}/weight", told, number) % WEIGHT for number in range(len(bases))]
    return combination(numbers, bases), combination(numbers, images)


def scalar(secret: bytes, label: str, *parts: Part) -> int:
    """A number below L from 32 secret bytes, without bias and never 0."""
    wide = kdf(secret, label, 0, *parts) + kdf(secret, label, 1, *parts)
    return int.from_bytes(wide, "little") % (L - 1) + 1


def scalars(secret: bytes, label: str, count: int) -> list[int]:
    """`scalar(secret, label, number)` for each number below `count`, in half the time."""
    halves = zip(kdfs(secret, label, 0, count), kdfs(secret, label, 1, count), strict=True)
    return [int.from_bytes(low + high, "little") % (L - 1) + 1 for low, high in halves]


def image_of(row: Sequence[Point | None], numbers: Sequence[int]) -> Point:
    """The sum of the points of a row, each times its number."""
    return total(mul(number, point) for number, point in zip(numbers, row, strict=True) if point is not None)


def challenge_of(tag: str, place: Place, relation: Relation, commitments: Sequence[Point]) -> int:
    """The challenge of a proof, a hash of all that is proven (Fiat-Shamir)."""
    return hash_scalar(tag, list(place), *_parts(relation), pack(commitments))


def _parts(relation: Relation) -> tuple[Part, Part]:
    return [list(row) for row in relation.rows], pack(relation.images)
