"""Proofs of knowledge: the honest always convince, and nothing said elsewhere or otherwise does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seeds import proofs
from seeds.group import BASE, L, Point, add, base, hash_point, hash_scalar, mul, pack, sub
from seeds.hashing import H, Part
from seeds.proofs import (
    WEIGHT,
    Place,
    Proof,
    Relation,
    check,
    equal_logarithms,
    logarithm,
    prove,
    read_proof,
    scalar,
    weighted,
)

PLACE = (H("test", "table"), 3, "deck")
FRESH = H("test", "fresh")
X, R = scalar(FRESH, "x"), scalar(FRESH, "r")
A, Y = hash_point("test", "a"), hash_point("test", "y")
PAIR = equal_logarithms(base(X), A, mul(X, A))
COMMITMENTS = [hash_point("test", "commitment", row) for row in range(3)]
TWO = Relation(((BASE, None), (None, BASE), (A, Y)), (base(X), base(R), add(mul(X, A), mul(R, Y))))


@settings(max_examples=20)
@given(st.integers(1, L - 1), st.binary(min_size=32, max_size=32))
def test_whoever_knows_the_secrets_convinces(number: int, fresh: bytes) -> None:
    for relation in (logarithm(base(number)), equal_logarithms(base(number), A, mul(number, A))):
        proof = prove("test", PLACE, relation, [number], fresh)
        assert check("test", PLACE, relation, proof)
        assert read_proof(proof.packed()) == proof


def test_two_secrets_in_three_rows() -> None:
    proof = prove("test", PLACE, TWO, [X, R], FRESH)
    assert check("test", PLACE, TWO, proof)
    assert not check("test", PLACE, TWO, prove("test", PLACE, TWO, [X, R + 1], FRESH))
    assert read_proof(proof.packed(), 2) == proof
    assert read_proof(proof.packed()) is None


@pytest.mark.parametrize("relation", [PAIR, TWO])
def test_every_part_of_the_statement_is_in_the_challenge(relation: Relation) -> None:
    secrets = [X, R][: len(relation.rows[0])]
    proof = prove("test", PLACE, relation, secrets, FRESH)
    assert not check("tset", PLACE, relation, proof)
    for place in ((H("test", "other"), 3, "deck"), (PLACE[0], 4, "deck"), (PLACE[0], 3, "bag"), PLACE[:2]):
        assert not check("test", place, relation, proof)
    for row in range(len(relation.images)):
        images = list(relation.images)
        images[row] = add(images[row], BASE)
        assert not check("test", PLACE, replace(relation, images=tuple(images)), proof)


@pytest.mark.parametrize("relation", [PAIR, TWO])
def test_every_part_of_the_statement_moves_the_challenge_of_the_same_commitments(relation: Relation) -> None:
    """Seen from the challenge itself: a proof of another statement also fails by the equations."""

    def challenge(relation: Relation, commitments: Sequence[Point]) -> int:
        return proofs.challenge_of("test", PLACE, relation, commitments)

    def moved(points: Sequence[Point], number: int) -> tuple[Point, ...]:
        return tuple(add(point, BASE) if at == number else point for at, point in enumerate(points))

    count = len(relation.images)
    commitments = COMMITMENTS[:count]
    found = [challenge(relation, commitments)]
    for row in range(count):
        found.append(challenge(replace(relation, images=moved(relation.images, row)), commitments))
        found.append(challenge(relation, moved(commitments, row)))
        for column, point in enumerate(relation.rows[row]):
            rows = [list(points) for points in relation.rows]
            rows[row][column] = BASE if point is None else None
            found.append(challenge(replace(relation, rows=tuple(map(tuple, rows))), commitments))
    assert len(set(found)) == len(found)


def fitted(relation: Relation, challenge: int) -> tuple[Relation, Proof]:
    """A statement made for a proof, by somebody who knows no secret of it: with a challenge that does not depend on the
    images these can be chosen last, so that every equation holds."""
    proof = Proof(challenge, tuple(range(5, 5 + len(relation.rows[0]))))
    turned = pow(challenge, -1, L)
    images = [
        mul(turned, sub(proofs.image_of(row, proof.responses), commitment))
        for row, commitment in zip(relation.rows, COMMITMENTS, strict=False)
    ]
    return replace(relation, images=tuple(images)), proof


@pytest.mark.parametrize("relation", [PAIR, TWO])
def test_a_statement_fitted_to_its_proof_would_pass_if_the_challenge_left_it_out(
    monkeypatch: pytest.MonkeyPatch, relation: Relation
) -> None:
    def weak(tag: str, place: Place, _: Relation, commitments: Sequence[Point]) -> int:
        return hash_scalar(tag, list(place), pack(commitments))

    fit, proof = fitted(relation, weak("test", PLACE, relation, COMMITMENTS[: len(relation.rows)]))
    assert not check("test", PLACE, fit, proof)
    monkeypatch.setattr(proofs, "challenge_of", weak)
    assert check("test", PLACE, fit, proof), "the forger did what can be done"


@pytest.mark.parametrize("number", range(3))
def test_n17_no_number_of_a_proof_can_be_changed_or_written_differently(number: int) -> None:
    proof = prove("test", PLACE, TWO, [X, R], FRESH)
    parts = [proof.challenge, *proof.responses]
    changed = [part + (place == number) for place, part in enumerate(parts)]
    assert not check("test", PLACE, TWO, Proof(changed[0], tuple(changed[1:])))
    wider = [part + L * (place == number) for place, part in enumerate(parts)]
    assert read_proof(b"".join(part.to_bytes(32, "little") for part in wider), 2) is None


def test_a_proof_with_another_count_of_responses_is_none() -> None:
    proof = prove("test", PLACE, PAIR, [X], FRESH)
    assert not check("test", PLACE, PAIR, Proof(proof.challenge, (*proof.responses, 0)))
    assert not check("test", PLACE, PAIR, Proof(proof.challenge, ()))


def test_unequal_logarithms_are_not_proven() -> None:
    for relation in (equal_logarithms(base(X), A, mul(X + 1, A)), equal_logarithms(base(X + 1), A, mul(X, A))):
        for secret in (X, X + 1):
            assert not check("test", PLACE, relation, prove("test", PLACE, relation, [secret], FRESH))


def test_the_same_fresh_bytes_for_two_statements_give_no_secret_away() -> None:
    one, other = (prove("test", place, PAIR, [X], FRESH) for place in (PLACE, (*PLACE, 1)))
    spread = pow(one.challenge - other.challenge, -1, L)
    assert (one.responses[0] - other.responses[0]) * spread % L != X, "a repeated nonce would show X here"


def test_n19_n20_a_batch_stands_for_its_pairs_only_in_order_and_without_errors_that_cancel() -> None:
    bases = [hash_point("test", n) for n in range(4)]
    images = [mul(X, point) for point in bases]

    def holds(given: list[Point]) -> bool:
        relation = equal_logarithms(base(X), *weighted("test", PLACE, bases, given))
        return check("test", PLACE, relation, prove("test", PLACE, relation, [X], FRESH))

    assert holds(images)
    assert not holds([images[1], images[0], *images[2:]])
    error = hash_point("test", "error")
    assert not holds([add(images[0], error), add(images[1], mul(L - 1, error)), *images[2:]])
    assert weighted("test", PLACE, bases[:1], images[:1]) == (bases[0], images[0])


def test_n20_errors_that_cancel_by_the_weights_would_pass_if_these_left_the_images_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who knows the weights before he chooses the images lets two errors cancel each other."""

    def weak(tag: str, *parts: Part) -> bytes:
        return H(tag, *parts[:-1]) if tag == "test/weights" else H(tag, *parts)

    bases = [hash_point("test", n) for n in range(3)]
    told = weak("test/weights", list(PLACE), pack(bases), b"left out")
    first, second = (hash_scalar("test/weight", told, number) % WEIGHT for number in range(2))
    error = hash_point("test", "error")
    images = [mul(X, point) for point in bases]
    images[0] = add(images[0], mul(second, error))
    images[1] = sub(images[1], mul(first, error))

    def holds() -> bool:
        relation = equal_logarithms(base(X), *weighted("test", PLACE, bases, images))
        return check("test", PLACE, relation, prove("test", PLACE, relation, [X], FRESH))

    assert not holds()
    monkeypatch.setattr(proofs, "H", weak)
    assert holds(), "the forger did what can be done"


def test_the_weights_of_a_batch_follow_from_its_place_its_bases_and_its_images(monkeypatch: pytest.MonkeyPatch) -> None:
    told = set[Part]()

    def noted(tag: str, *parts: Part) -> int:
        told.add(parts[0])
        return 1

    monkeypatch.setattr(proofs, "hash_scalar", noted)
    one, other = [base(2), base(3)], [base(4), base(5)]
    for place, bases, images in ((PLACE, one, one), (PLACE[:2], one, one), (PLACE, other, one), (PLACE, one, other)):
        weighted("test", place, bases, images)
    assert len(told) == 4
