"""The threshold lock: one gamma whoever answers, and no roll that a few can stop or foresee."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from fairtable import ANN, BOB, CAT, FAY, TABLE, fresh, generated

from seeds.beacon import roll_value
from seeds.errors import ContractError, Fault
from seeds.group import L, Point, add, base, mul
from seeds.hashing import H
from seeds.streams import dice
from seeds.threshold import (
    Lock,
    Partial,
    check_partial,
    combine,
    lagrange,
    make_partial,
    read_partial,
    roll_point,
)


def partial(member: bytes, k: int = 7, count: int = 3, epoch: int = 0) -> Partial:
    keys, shares = generated(count, epoch)
    return make_partial(keys["dice"], member, shares[member, "dice"], roll_point(TABLE, epoch, k), fresh(member, k))


@pytest.mark.parametrize("count", range(2, 7))
def test_n44_every_t_members_open_the_same_gamma(count: int) -> None:
    key = generated(count)[0]["dice"]
    partials = {member: partial(member, count=count) for member in key.members}
    gammas = set()
    for chosen in combinations(key.members, key.t):
        lock = Lock(key, 7)
        for member in reversed(chosen):
            assert lock.gamma is None
            assert lock.release(member, partials[member]) is None
        gammas.add(lock.gamma)
        assert lock.silent == tuple(member for member in key.members if member not in chosen)
    assert len(gammas) == 1
    assert None not in gammas


def test_n45_withheld_partials_up_to_n_minus_t_change_nothing_and_late_ones_neither() -> None:
    key = generated(6)[0]["dice"]
    lock = Lock(key, 7)
    for member in key.members[:4]:
        lock.release(member, partial(member, count=6))
    gamma = lock.gamma
    assert gamma is not None
    for member in key.members[4:]:
        assert lock.release(member, partial(member, count=6)) is None
    assert lock.gamma == gamma


def test_n42_a_partial_of_another_roll_epoch_or_member_is_a_fault() -> None:
    key = generated(3)[0]["dice"]
    lock = Lock(key, 7)
    for wrong in (partial(ANN, k=8), partial(ANN, epoch=1), partial(BOB), partial(ANN, count=2)):
        assert lock.release(ANN, wrong) == Fault("lock/proof", ANN)
    assert lock.release(FAY, partial(ANN)) == Fault("lock/not-a-member", FAY)
    assert lock.release(ANN, partial(ANN)) is None
    assert lock.release(ANN, partial(ANN)) == Fault("lock/released-twice", ANN)


def test_n14_n17_a_partial_changed_in_any_byte_is_none_or_a_fault() -> None:
    key = generated(3)[0]["dice"]
    data = partial(ANN).packed()
    assert len(data) == 96
    assert read_partial(data) == partial(ANN)
    for place in range(96):
        read = read_partial(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert read is None or not check_partial(key, ANN, roll_point(TABLE, 0, 7), read)
    for bad in (data[:-1], data + b"\0", None, bytes(96), data[:64]):
        assert read_partial(bad) is None
    wider = (int.from_bytes(data[64:], "little") + L).to_bytes(32, "little")
    assert read_partial(data[:64] + wider) is None


def test_errors_that_cancel_out_between_two_members_are_caught_at_each() -> None:
    key = generated(3)[0]["dice"]
    lock = Lock(key, 7)
    for member, error in ((ANN, base(1)), (BOB, base(L - 1))):
        wrong = replace(partial(member), value=add(partial(member).value, error))
        assert lock.release(member, wrong) == Fault("lock/proof", member)


def test_t_minus_1_partials_are_not_enough() -> None:
    key = generated(5)[0]["dice"]
    values: dict[bytes, Point] = {member: partial(member, count=5).value for member in key.members[:2]}
    with pytest.raises(ContractError):
        combine(key, values)
    point = roll_point(TABLE, 0, 7)
    full = {member: partial(member, count=5).value for member in key.members}
    guess = add(*(mul(weight, value) for weight, value in zip(lagrange([1, 2]), values.values(), strict=True)))
    assert guess != combine(key, full)
    assert point != combine(key, full)


def test_n51_the_golden_gamma_never_changes() -> None:
    lock = Lock(generated(3)[0]["dice"], 7)
    for member in (BOB, CAT):
        lock.release(member, partial(member))
    assert lock.gamma is not None
    assert lock.gamma.hex() == "0257ef7e5b25eb714171912c73a538458ddeda13e3e5bab021f0110c6d10c474"


def test_dice_locked_by_gamma_are_evenly_spread() -> None:
    key, shares = generated(2)
    secret = sum(w * shares[m, "dice"] for w, m in zip(lagrange([1, 2]), key["dice"].members, strict=True))
    faces: Counter[int] = Counter()
    for k in range(1000):
        gamma = mul(secret, roll_point(TABLE, 0, k))
        faces.update(dice(roll_value(TABLE, 0, k, [(ANN, H("test", 1))], gamma), [6] * 100))
    expected = 100_000 / 6
    assert sum((count - expected) ** 2 / expected for count in faces.values()) < 20.5, "chi square, 5 degrees, 0.1 %"
