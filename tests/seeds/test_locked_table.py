"""Rolls of whole tables with threshold locks, hostile members among them, and what pooled data can tell."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

import pytest
from fairtable import MEMBERS, TABLE, fresh, generated, secret
from hypothesis import given, settings
from hypothesis import strategies as st
from volume import VOLUME

from seeds.beacon import Beacon, BeaconRoll, commitment, roll_value, seed
from seeds.errors import ContractError
from seeds.group import mul
from seeds.hashing import H
from seeds.streams import dice
from seeds.threshold import Lock, combine, lagrange, make_partial, roll_point

HEAD = H("test", "head")
ROLLS = 20_000 * VOLUME


@dataclass
class Peer:
    """One peer's view of the table."""

    count: int
    beacon: Beacon = field(default_factory=lambda: Beacon(TABLE))
    lock: Lock | None = None

    def begin(self) -> None:
        self.beacon.enter(0, MEMBERS[: self.count])
        for member in MEMBERS[: self.count]:
            assert self.beacon.commit(member, 0, 0, committed(member, 0)) is None

    def release(self, member: bytes) -> None:
        key = generated(self.count)[0]["dice"]
        if self.lock is None:
            assert self.beacon.owing == (), "no partial before every seed is open or written off"
            self.lock = Lock(key, self.beacon.k)
        share = generated(self.count)[1][member, "dice"]
        assert self.lock.release(member, make_partial(key, member, share, self.lock.point, fresh(member))) is None

    def finish(self) -> BeaconRoll:
        assert self.lock is not None
        assert self.lock.gamma is not None
        roll, self.lock = self.beacon.finish(self.lock.gamma), None
        return roll


def committed(member: bytes, k: int) -> bytes:
    return commitment(TABLE, 0, k, member, seed(secret(member), TABLE, 0, k))


@settings(max_examples=25)
@given(st.integers(3, 6), st.integers(0, 2**32))
def test_all_peers_agree_on_locked_dice_whoever_falls_silent_and_whoever_answers_first(count: int, chance: int) -> None:
    """Up to n - t members open nothing or release nothing; the rest roll on, and all see the same faces."""
    rng = random.Random(chance)
    members, t = MEMBERS[:count], count // 2 + 1
    peers = [Peer(count) for _ in range(2)]
    silent = rng.sample(members, rng.randint(0, count - t))
    withholding = rng.sample(members, rng.randint(0, count - t))
    rolls = []
    for peer in peers:
        peer.begin()
        peer.beacon.begin(1, HEAD)
        for member in rng.sample(members, count):
            if member not in silent:
                opening = seed(secret(member), TABLE, 0, 0), committed(member, 1)
                assert peer.beacon.open(member, HEAD, 0, *opening) is None
        peer.beacon.write_off(silent)
        for member in rng.sample(members, count):
            if member not in withholding:
                peer.release(member)
        rolls.append(peer.finish())
    assert rolls[0] == rolls[1]


def test_the_last_revealer_cannot_choose_between_two_outcomes() -> None:
    """When the last seed opens nobody has seen gamma; the two values a quitter chooses between he cannot compute."""
    members = MEMBERS[:3]
    seeds = [(member, seed(secret(member), TABLE, 0, 0)) for member in members]
    key, shares = generated(3)
    point = roll_point(TABLE, 0, 0)
    partials = {m: make_partial(key["dice"], m, shares[m, "dice"], point, fresh(m)).value for m in members}
    gamma = combine(key["dice"], partials)
    truth = {roll_value(TABLE, 0, 0, seeds, gamma), roll_value(TABLE, 0, 0, [*seeds[:2], (members[2], None)], gamma)}
    last = partials[members[2]]
    for guess in (None, last, mul(lagrange([3])[0], last), point):
        for shown in (seeds, [*seeds[:2], (members[2], None)]):
            assert roll_value(TABLE, 0, 0, shown, guess) not in truth


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_coalition_of_t_minus_1_foresees_no_roll(count: int) -> None:
    key, shares = generated(count)
    point = roll_point(TABLE, 0, 9)
    partials = {m: mul(shares[m, "dice"], point) for m in MEMBERS[:count]}
    gamma = combine(key["dice"], partials)
    for some in combinations(range(1, count + 1), key["dice"].t - 1):
        with pytest.raises(ContractError):
            combine(key["dice"], {MEMBERS[index - 1]: partials[MEMBERS[index - 1]] for index in some})
        weights = lagrange(some)
        guess = sum(w * shares[MEMBERS[index - 1], "dice"] for w, index in zip(weights, some, strict=True))
        assert mul(guess, point) != gamma


def test_pooled_data_of_all_others_does_not_hold_an_unopened_seed() -> None:
    """All secrets of everybody else, and everything ANN has published, give another seed than hers."""
    ann, others = MEMBERS[0], MEMBERS[1:4]
    hers = seed(secret(ann), TABLE, 0, 5)
    published = [committed(ann, 5), *(seed(secret(ann), TABLE, 0, k) for k in range(5))]
    for known in (*published, *(secret(member) for member in others)):
        for k in range(6):
            assert seed(known, TABLE, 0, k) != hers
        assert commitment(TABLE, 0, 5, ann, known) != committed(ann, 5)
    keys, shares = generated(4)
    gamma = combine(keys["dice"], {m: mul(shares[m, "dice"], roll_point(TABLE, 0, 5)) for m in others})
    rest = [(member, seed(secret(member), TABLE, 0, 5)) for member in others]
    true = roll_value(TABLE, 0, 5, [(ann, hers), *rest], gamma)
    assert all(roll_value(TABLE, 0, 5, [(ann, known), *rest], gamma) != true for known in (*published, None))


def test_dice_of_thousands_of_locked_rolls_are_even() -> None:
    """The value of a roll hashes all seeds and gamma; here gamma stands for what the lock gives, roll by roll."""
    faces: Counter[int] = Counter()
    for k in range(ROLLS):
        gamma = k.to_bytes(32, "big")
        faces[dice(roll_value(TABLE, 0, k, [(MEMBERS[0], HEAD)], gamma), [6])[0]] += 1
    expected = ROLLS / 6
    assert sum((faces[face] - expected) ** 2 / expected for face in range(1, 7)) < 20.5, "5 degrees, 0.1 %"
