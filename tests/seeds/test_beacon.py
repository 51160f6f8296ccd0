"""The beacon: nobody chooses a die, nobody changes a seed, and the machine refuses to be used out of order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeds.beacon import Beacon, BeaconRoll, commitment, roll_value, seed
from seeds.errors import ContractError, Fault
from seeds.hashing import H
from seeds.streams import dice

TABLE = H("test", "table")
HEAD = H("test", "head")
ANN, BOB, CAT = (H("test", "member", name) for name in ("ann", "bob", "cat"))
SECRETS = {member: H("test", "secret", member) for member in (ANN, BOB, CAT)}


def seed_of(member: bytes, k: int, epoch: int = 0) -> bytes:
    return seed(SECRETS[member], TABLE, epoch, k)


def committed(member: bytes, k: int, epoch: int = 0) -> bytes:
    return commitment(TABLE, epoch, k, member, seed_of(member, k, epoch))


def ready(members: tuple[bytes, ...] = (ANN, BOB, CAT), epoch: int = 0, height: int = 0) -> Beacon:
    beacon = Beacon(TABLE)
    beacon.enter(epoch, members)
    for member in members:
        assert beacon.commit(member, height, 0, committed(member, 0, epoch)) is None
    return beacon


def rolling(members: tuple[bytes, ...] = (ANN, BOB, CAT)) -> Beacon:
    beacon = ready(members)
    beacon.begin(5, HEAD)
    return beacon


def opening(beacon: Beacon, member: bytes) -> Fault | None:
    k, epoch = beacon.k, beacon.epoch
    return beacon.open(member, HEAD, k, seed_of(member, k, epoch), committed(member, k + 1, epoch))


def rolled(beacon: Beacon) -> BeaconRoll:
    for member in beacon.owing:
        assert opening(beacon, member) is None
    return beacon.finish()


def test_n51_golden_seed_commitment_and_value_never_change() -> None:
    assert seed_of(ANN, 3).hex() == "5f164841a364f2607de49a222090e604b5d0cc48377eaabdc47061298a5a1f31"
    assert committed(ANN, 3).hex() == "e04b9baed056282bfd28c5e5633300640c9b7b8e0310a38001d8e90d90b1d6bc"
    assert (
        roll_value(TABLE, 0, 3, [(ANN, seed_of(ANN, 3)), (BOB, None)]).hex()
        == "2b7b8c82b83561bb1361494f14b73fd99c0c32727d84949bf42219d4aa1177c6"
    )
    assert (
        roll_value(TABLE, 0, 3, [(ANN, seed_of(ANN, 3))], gamma=HEAD).hex()
        == "41e42739c2e3cbed39a00a0a8e35cf57bca202a432ebd0db7eeb3b7e58f6cc40"
    )


def test_a_roll_is_the_hash_of_all_seeds_in_roster_order_whatever_order_they_came_in() -> None:
    values = set()
    for order in ((ANN, BOB, CAT), (CAT, ANN, BOB), (BOB, CAT, ANN)):
        beacon = rolling()
        for member in order:
            assert opening(beacon, member) is None
        roll = beacon.finish()
        assert roll.seeds == tuple((member, seed_of(member, 0)) for member in (ANN, BOB, CAT))
        values.add(roll.value)
    assert values == {roll_value(TABLE, 0, 0, [(m, seed_of(m, 0)) for m in (ANN, BOB, CAT)])}


def test_the_next_commitment_rides_in_the_opening_so_rolls_follow_each_other_without_preparation() -> None:
    beacon = ready()
    for k in range(4):
        assert beacon.uncommitted == ()
        beacon.begin(5 + k, HEAD)
        assert beacon.owing == (ANN, BOB, CAT)
        assert (roll := rolled(beacon)).k == k
        assert (roll.epoch, roll.height) == (0, 5 + k)


def test_before_the_first_roll_every_member_owes_a_commitment() -> None:
    beacon = Beacon(TABLE)
    beacon.enter(0, (ANN, BOB))
    assert list(beacon.uncommitted) == [ANN, BOB]
    assert beacon.commit(BOB, 0, 0, committed(BOB, 0)) is None
    assert list(beacon.uncommitted) == [ANN]
    with pytest.raises(ContractError, match="1 members lack a commitment"):
        beacon.begin(1, HEAD)


def test_n72_a_commitment_made_at_the_rolls_own_height_does_not_count() -> None:
    with pytest.raises(ContractError, match="3 members lack"):
        ready(height=5).begin(5, HEAD)
    beacon = rolling()
    rolled(beacon)
    with pytest.raises(ContractError, match="lack a commitment from below"):
        beacon.begin(5, HEAD)


def test_an_opening_that_does_not_fit_its_commitment_is_a_fault_and_changes_nothing() -> None:
    beacon = rolling()
    before = beacon.dump()
    forged = beacon.open(ANN, HEAD, 0, H("test", "better seed"), committed(ANN, 1))
    assert forged == Fault("beacon/opening-mismatch", ANN)
    assert beacon.open(ANN, HEAD, 0, seed_of(BOB, 0), committed(ANN, 1)) == Fault("beacon/opening-mismatch", ANN)
    assert beacon.dump() == before
    assert beacon.owing == (ANN, BOB, CAT)


def test_a_copied_commitment_cannot_be_opened_with_the_copied_seed() -> None:
    beacon = Beacon(TABLE)
    beacon.enter(0, (ANN, BOB))
    assert beacon.commit(ANN, 0, 0, committed(ANN, 0)) is None
    assert beacon.commit(BOB, 0, 0, committed(ANN, 0)) is None
    beacon.begin(1, HEAD)
    assert opening(beacon, ANN) is None
    copied = beacon.open(BOB, HEAD, 0, seed_of(ANN, 0), committed(BOB, 1))
    assert copied == Fault("beacon/opening-mismatch", BOB)


def test_faults_of_a_commitment_are_named() -> None:
    beacon = Beacon(TABLE)
    beacon.enter(0, (ANN, BOB))
    assert beacon.commit(CAT, 0, 0, committed(CAT, 0)) == Fault("beacon/not-a-member", CAT)
    assert beacon.commit(ANN, 0, 1, committed(ANN, 1)) == Fault("beacon/other-roll", ANN)
    assert beacon.commit(ANN, 0, 0, b"short") == Fault("beacon/form", ANN)
    assert beacon.commit(ANN, 0, 0, committed(ANN, 0)) is None
    assert beacon.commit(ANN, 0, 0, committed(ANN, 0)) == Fault("beacon/committed-twice", ANN)
    assert beacon.uncommitted == (BOB,)


def test_faults_of_an_opening_are_named() -> None:
    beacon = rolling((ANN, BOB))
    assert opening(beacon, CAT) == Fault("beacon/not-a-contributor", CAT)
    assert beacon.open(ANN, HEAD, 1, seed_of(ANN, 1), committed(ANN, 2)) == Fault("beacon/other-roll", ANN)
    assert beacon.open(ANN, HEAD, 0, b"", committed(ANN, 1)) == Fault("beacon/form", ANN)
    assert beacon.open(ANN, HEAD, 0, seed_of(ANN, 0), b"") == Fault("beacon/form", ANN)
    assert opening(beacon, ANN) is None
    assert opening(beacon, ANN) == Fault("beacon/opened-twice", ANN)


def test_an_opening_under_another_head_is_never_counted() -> None:
    beacon = rolling()
    with pytest.raises(ContractError, match="counts only under the head"):
        beacon.open(ANN, H("test", "other head"), 0, seed_of(ANN, 0), committed(ANN, 1))
    assert beacon.owing == (ANN, BOB, CAT)


def test_n73_an_opening_from_before_the_cut_counts_though_it_is_read_after_its_author_was_written_off() -> None:
    rolls = set()
    for late in (False, True):
        beacon = rolling()
        if not late:
            assert opening(beacon, BOB) is None
        beacon.write_off([BOB])
        assert beacon.owing == (ANN, CAT)
        if late:
            assert opening(beacon, BOB) is None
        rolls.add(rolled(beacon))
    assert len(rolls) == 1, "the order of arrival decides nothing"


def test_who_was_written_off_and_never_opened_counts_as_none() -> None:
    beacon = rolling()
    assert opening(beacon, ANN) is None
    beacon.write_off([ANN, BOB])
    assert beacon.owing == (CAT,)
    assert opening(beacon, CAT) is None
    roll = beacon.finish()
    assert roll.seeds == ((ANN, seed_of(ANN, 0)), (BOB, None), (CAT, seed_of(CAT, 0)))
    assert roll.value == roll_value(TABLE, 0, 0, roll.seeds)
    assert beacon.uncommitted == (BOB,)


def test_a_new_epoch_begins_with_new_commitments_of_its_members_and_goes_on_counting() -> None:
    beacon = rolling()
    rolled(beacon)
    beacon.enter(1, (ANN, CAT))
    assert (beacon.k, beacon.uncommitted) == (1, (ANN, CAT))
    assert beacon.commit(BOB, 6, 1, committed(BOB, 1, 1)) == Fault("beacon/not-a-member", BOB)
    for member in (ANN, CAT):
        assert beacon.commit(member, 6, 1, committed(member, 1, 1)) is None
    beacon.begin(7, HEAD)
    assert rolled(beacon).k == 1


def test_counters_never_go_back() -> None:
    beacon = rolling()
    for epoch in (0, -1):
        with pytest.raises(ContractError, match="epoch"):
            beacon.enter(epoch, (ANN, BOB))
    beacon.enter(1, (ANN, BOB))
    assert beacon.k == 1, "the number of the roll given up is used up"
    assert not beacon.rolling
    assert seed_of(ANN, 1, 1) != seed_of(ANN, 1, 0), "one number in two epochs: two seeds"


def test_the_machine_refuses_to_be_used_out_of_order() -> None:
    beacon = ready()
    for misuse in (lambda: opening(beacon, ANN), beacon.finish, lambda: beacon.write_off([ANN])):
        with pytest.raises(ContractError, match="no roll is open"):
            misuse()
    beacon.begin(5, HEAD)
    with pytest.raises(ContractError, match="open already"):
        beacon.begin(6, HEAD)
    with pytest.raises(ContractError, match="ride in its openings"):
        beacon.commit(ANN, 5, 0, committed(ANN, 0))
    with pytest.raises(ContractError, match="3 contributors owe"):
        beacon.finish()
    with pytest.raises(ContractError, match="one member or more"):
        beacon.enter(1, ())
    with pytest.raises(ContractError, match="each once"):
        beacon.enter(1, (ANN, ANN))


def test_a_roll_of_nobody_is_no_roll() -> None:
    beacon = rolling()
    beacon.write_off([ANN, BOB, CAT])
    with pytest.raises(ContractError, match="0 have opened"):
        beacon.finish()
    with pytest.raises(ContractError, match="members lack"):
        Beacon(TABLE).begin(1, HEAD)


def test_n48_two_tables_and_two_authors_never_share_a_seed_or_commitment() -> None:
    other = H("test", "other table")
    assert seed(SECRETS[ANN], other, 0, 0) != seed_of(ANN, 0)
    assert commitment(other, 0, 0, ANN, seed_of(ANN, 0)) != committed(ANN, 0)
    assert commitment(TABLE, 0, 0, BOB, seed_of(ANN, 0)) != committed(ANN, 0)
    assert commitment(TABLE, 0, 1, ANN, seed_of(ANN, 0)) != committed(ANN, 0)


@given(st.integers(0, 7))
def test_a_beacon_is_dumped_and_loaded_at_any_moment(steps: int) -> None:
    beacon = Beacon(TABLE)
    acts: list[Callable[[], object]] = [
        lambda: beacon.enter(0, (ANN, BOB)),
        lambda: beacon.commit(ANN, 0, 0, committed(ANN, 0)),
        lambda: beacon.commit(BOB, 0, 0, committed(BOB, 0)),
        lambda: beacon.begin(1, HEAD),
        lambda: opening(beacon, BOB),
        lambda: beacon.write_off([ANN]),
        beacon.finish,
    ]
    for act in acts[:steps]:
        act()
    loaded = Beacon.load(beacon.dump())
    assert loaded.dump() == beacon.dump()
    assert (loaded.uncommitted, loaded.owing, loaded.rolling) == (beacon.uncommitted, beacon.owing, beacon.rolling)
    assert json.loads(json.dumps(beacon.dump(), default=bytes.hex)), "plain data only"
    loaded.enter(9, (CAT,))
    assert loaded.dump() != beacon.dump(), "nothing is shared"


def test_dice_of_ten_thousand_rolls_are_fair_though_one_member_always_opens_the_same_kind_of_seed() -> None:
    faces = Counter(
        dice(roll_value(TABLE, 0, k, [(ANN, seed_of(ANN, k)), (BOB, bytes(32))]), [6])[0] for k in range(12_000)
    )
    assert sum((count - 2000) ** 2 / 2000 for count in faces.values()) < 20.52
