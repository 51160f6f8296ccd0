"""Key generation: one key from all members, and whoever deals or accuses falsely is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from fairtable import ANN, BOB, CAT, FAY, RUN, TABLE, begun, fresh, generated, secret

from seeds.dealing import (
    Complaint,
    Dealing,
    KeyDealer,
    KeyGeneration,
    coefficients_hash,
    masked,
    read_announcement,
    read_complaint,
    read_dealing,
)
from seeds.errors import ContractError, Fault
from seeds.group import IDENTITY, L, add, base, mul, sub
from seeds.hashing import H
from seeds.proofs import equal_logarithms, logarithm, prove
from seeds.threshold import lagrange, threshold


def dealt(count: int = 3) -> tuple[KeyGeneration, dict[bytes, KeyDealer]]:
    run, dealers = begun(count)
    for member in run.members:
        assert run.deal(member, dealers[member].dealing(fresh(member))) is None
    return run, dealers


def changed(dealing: Dealing, receiver: int, by: bytes) -> Dealing:
    shares = list(dealing.shares)
    shares[receiver] = bytes(one ^ other for one, other in zip(shares[receiver], by.ljust(64, b"\0"), strict=True))
    return replace(dealing, shares=tuple(shares))


@pytest.mark.parametrize("count", range(2, 7))
def test_any_t_shares_hold_the_key_and_every_share_its_public_point(count: int) -> None:
    keys, shares = generated(count)
    for purpose in RUN:
        key = keys[purpose]
        assert key.t == threshold(count) == count // 2 + 1
        for chosen in combinations(range(1, count + 1), key.t):
            held = [shares[key.members[index - 1], purpose] for index in chosen]
            secret_key = sum(weight * value for weight, value in zip(lagrange(chosen), held, strict=True))
            assert base(secret_key) == key.public
        assert [base(shares[member, purpose]) for member in key.members] == list(key.shares)
    assert keys["dice"].public != keys["seal"].public


@pytest.mark.parametrize("count", range(3, 7))
def test_pooled_fewer_than_t_shares_hold_something_else(count: int) -> None:
    keys, shares = generated(count)
    key = keys["dice"]
    for chosen in combinations(range(1, count + 1), key.t - 1):
        held = [shares[key.members[index - 1], "dice"] for index in chosen]
        guess = sum(weight * value for weight, value in zip(lagrange(chosen), held, strict=True))
        assert base(guess) != key.public


def test_a_crash_loses_no_coefficient() -> None:
    run, dealers = dealt()
    again = KeyDealer(secret(ANN), run, ANN)
    assert again.dealing(fresh(ANN)) == dealers[ANN].dealing(fresh(ANN)) == run.dealt[ANN]
    assert "secret" not in repr(again)
    assert repr(again) == "Dealer(…)"


def test_another_epoch_has_other_keys() -> None:
    assert generated(3, epoch=0)[0]["dice"].public != generated(3, epoch=1)[0]["dice"].public


def test_who_owes_is_known_at_every_stage() -> None:
    run = KeyGeneration(TABLE, 0, (ANN, BOB))
    dealers = {member: KeyDealer(secret(member), run, member) for member in run.members}
    assert set(run.owing) == {ANN, BOB}
    run.announce(BOB, dealers[BOB].announcement(fresh()))
    assert list(run.owing) == [ANN]
    with pytest.raises(ContractError):
        run.deal(BOB, dealt(2)[0].dealt[BOB])
    run.announce(ANN, dealers[ANN].announcement(fresh()))
    run.deal(ANN, dealers[ANN].dealing(fresh()))
    assert list(run.owing) == [BOB]
    with pytest.raises(ContractError):
        run.ok(ANN, H("test"))
    run.deal(BOB, dealers[BOB].dealing(fresh()))
    run.ok(ANN, run.digest())
    assert list(run.owing) == [BOB]
    assert not run.done
    with pytest.raises(ContractError):
        run.key("dice")
    run.ok(BOB, run.digest())
    assert not run.owing
    assert run.done


def test_n10_a_proof_of_possession_counts_for_its_author_table_and_epoch_only() -> None:
    run = KeyGeneration(TABLE, 0, (ANN, BOB))
    announcement = KeyDealer(secret(ANN), run, ANN).announcement(fresh())
    assert run.announce(BOB, announcement) == Fault("keys/proof", BOB)
    assert KeyGeneration(TABLE, 1, (ANN, BOB)).announce(ANN, announcement) == Fault("keys/proof", ANN)
    assert KeyGeneration(H("test", "x"), 0, (ANN, BOB)).announce(ANN, announcement) == Fault("keys/proof", ANN)
    assert KeyGeneration(TABLE, 0, (BOB, ANN)).announce(ANN, announcement) == Fault("keys/proof", ANN)
    assert run.announce(ANN, announcement) is None
    assert run.announce(ANN, announcement) == Fault("keys/announced-twice", ANN)
    assert run.announce(FAY, announcement) == Fault("keys/not-a-member", FAY)


def test_n11_coefficients_changed_after_their_hash_are_a_fault() -> None:
    run, dealers = begun(3)
    dealing = dealers[ANN].dealing(fresh())
    other = KeyDealer(secret(FAY), run, ANN).dealing(fresh())
    assert run.deal(ANN, other) == Fault("keys/other-coefficients", ANN)
    assert run.deal(ANN, dealing) is None
    assert run.deal(ANN, dealing) == Fault("keys/dealt-twice", ANN)
    assert run.deal(FAY, dealing) == Fault("keys/not-a-member", FAY)


def test_n9_n12_n13_a_key_copied_from_or_built_on_others_keys_cannot_be_proven() -> None:
    run, dealers = begun(3)
    honest = [dealers[member].dealing(fresh()).coefficients[0][0] for member in (ANN, BOB)]
    for rogue in (honest[0], sub(IDENTITY, honest[0]), sub(base(5), add(*honest))):
        forged = prove("dealt", [*run.place(CAT), "dice"], logarithm(rogue), [5], fresh())
        mine = dealers[CAT].dealing(fresh())
        rows = ((rogue, mine.coefficients[0][1]), mine.coefficients[1])
        run.announced[CAT] = replace(run.announced[CAT], committed=H("test", "any"))
        dealing = Dealing(rows, (forged, mine.proofs[1]), mine.shares)
        assert run.deal(CAT, dealing) == Fault("keys/other-coefficients", CAT)
        run.announced[CAT] = replace(run.announced[CAT], committed=coefficients_hash(run.place(CAT), rows))
        assert run.deal(CAT, dealing) == Fault("keys/proof", CAT)


@pytest.mark.parametrize("by", [b"\1", bytes(32) + b"\1", bytes(31) + b"\xff"])
def test_n46_a_share_that_does_not_fit_is_complained_of_and_convicts_its_dealer(by: bytes) -> None:
    run, dealers = begun(3)
    for member in run.members:
        dealing = dealers[member].dealing(fresh(member))
        assert run.deal(member, changed(dealing, 1, by) if member == ANN else dealing) is None
    [complaint] = dealers[BOB].complaints(fresh())
    assert run.complain(BOB, complaint) == Fault("keys/bad-share", ANN)
    assert dealers[CAT].complaints(fresh()) == []
    with pytest.raises(ContractError):
        dealers[BOB].share("dice")


def test_n46_the_share_of_another_index_does_not_fit() -> None:
    run, dealers = begun(3)
    dealing = dealers[ANN].dealing(fresh())
    run.deal(ANN, replace(dealing, shares=(dealing.shares[0], dealing.shares[2], dealing.shares[1])))
    for member in (BOB, CAT):
        run.deal(member, dealers[member].dealing(fresh()))
    for member in (BOB, CAT):
        assert [complaint.dealer for complaint in dealers[member].complaints(fresh())] == [ANN]


def test_n46_a_value_written_with_the_order_of_the_group_on_top_does_not_fit() -> None:
    """It is the right number to the group; but written in two ways, one dealing would have several texts."""
    run, dealers = begun(3)
    dealing = dealers[ANN].dealing(fresh(ANN))
    sent = masked(run.place(ANN), BOB, dealers[ANN].pair_key(BOB), dealing.shares[1])
    value = int.from_bytes(sent[:32], "little")
    wider = (value + L).to_bytes(32, "little")
    by = bytes(one ^ other for one, other in zip(sent[:32], wider, strict=True))
    run.deal(ANN, changed(dealing, 1, by))
    for member in (BOB, CAT):
        run.deal(member, dealers[member].dealing(fresh(member)))
    [complaint] = dealers[BOB].complaints(fresh())
    assert run.complain(BOB, complaint) == Fault("keys/bad-share", ANN)


def test_the_dealers_own_place_holds_zeros_and_no_message() -> None:
    run, dealers = begun(3)
    dealing = dealers[BOB].dealing(fresh())
    for by in (b"\1", bytes(63) + b"\1"):
        assert run.deal(BOB, changed(dealing, 1, by)) == Fault("keys/form", BOB)
    assert run.deal(BOB, dealing) is None


def test_n46_a_polynomial_of_another_degree_is_a_fault() -> None:
    run, dealers = begun(3)
    dealing = dealers[ANN].dealing(fresh())
    first, second = dealing.coefficients
    for rows in (((*first, base(3)), second), (first, second[:1]), (first,)):
        assert run.deal(ANN, replace(dealing, coefficients=rows)) == Fault("keys/form", ANN)


def test_n46_coefficients_that_are_no_points_are_not_read() -> None:
    plain = generated_dealing().plain()
    assert read_dealing(plain, 3) is not None
    for body in ([bytes(32) + plain[0][32:], *plain[1:]], [plain[0][:-32], *plain[1:]], plain[:2], 7, [1, 2, 3]):
        assert read_dealing(body, 3) is None
    assert read_dealing(plain, 4) is None
    assert read_dealing([plain[0], plain[1] + bytes(64), plain[2]], 3) is None
    assert read_dealing([plain[0], plain[1], plain[2] + b"\0"], 3) is None


def generated_dealing() -> Dealing:
    return dealt()[0].dealt[ANN]


def test_n47_a_false_complaint_convicts_the_accuser() -> None:
    run, dealers = dealt()
    pair = mul(dealers[BOB].exchange_secret, run.announced[ANN].exchange)
    relation = equal_logarithms(run.announced[BOB].exchange, run.announced[ANN].exchange, pair)
    proof = prove("complaint", [*run.place(BOB), ANN], relation, [dealers[BOB].exchange_secret], fresh())
    true_key = Complaint(ANN, pair, proof)
    other_key = Complaint(ANN, add(pair, base(1)), proof)
    for author, complaint in ((BOB, true_key), (BOB, other_key), (CAT, true_key), (FAY, true_key), (ANN, true_key)):
        assert run.complain(author, complaint) == Fault("keys/false-complaint", author)
    assert run.complain(BOB, replace(true_key, dealer=FAY)) == Fault("keys/false-complaint", BOB)


def test_n47_nobody_complains_of_himself_with_however_sound_a_proof() -> None:
    """His own place holds zeros, which fit no coefficients: the table would have a bad share and no dealer of it."""
    run, dealers = dealt()
    secret_number, exchange = dealers[ANN].exchange_secret, run.announced[ANN].exchange
    pair = mul(secret_number, exchange)
    relation = equal_logarithms(exchange, exchange, pair)
    proof = prove("complaint", [*run.place(ANN), ANN], relation, [secret_number], fresh())
    assert run.unmasked(ANN, ANN, pair) is None
    assert run.complain(ANN, Complaint(ANN, pair, proof)) == Fault("keys/false-complaint", ANN)


def test_n83_a_dealer_who_sends_different_dealings_is_seen_by_hashes_that_differ() -> None:
    (run, _), (other, _) = dealt(), begun(3)
    for member in run.members:
        mine = run.dealt[member]
        other.deal(member, changed(mine, 2, b"\1") if member == ANN else mine)
    for side in (run, other):
        assert side.ok(BOB, run.digest()) is None
        assert side.ok(CAT, other.digest()) is None
        assert side.ok(ANN, run.digest()) is None
        assert side.ok(ANN, run.digest()) == Fault("keys/ok-twice", ANN)
        assert side.ok(FAY, run.digest()) == Fault("keys/not-a-member", FAY)
        assert not side.done
    assert run.disagreeing == (CAT,)
    assert other.disagreeing == (ANN, BOB)
    with pytest.raises(ContractError):
        dealt()[0].key("seal")


def test_a_complaint_opens_one_pairwise_key_and_reads_no_other_share() -> None:
    run, dealers = dealt()
    pair = mul(dealers[BOB].exchange_secret, run.announced[ANN].exchange)
    assert run.unmasked(ANN, BOB, pair) is not None
    for dealer, receiver in ((ANN, CAT), (CAT, BOB), (BOB, CAT)):
        assert run.unmasked(dealer, receiver, pair) is None


def test_messages_travel_as_lists_of_bytes() -> None:
    run, dealers = dealt()
    announcement = dealers[ANN].announcement(fresh())
    assert read_announcement(announcement.plain()) == announcement
    assert read_dealing(run.dealt[BOB].plain(), 3) == run.dealt[BOB]
    complaint = Complaint(ANN, base(7), prove("x", [], logarithm(base(7)), [7], fresh()))
    assert read_complaint(complaint.plain()) == complaint
    broken: list[tuple[Callable[[object], object], list[bytes]]] = [
        (read_announcement, announcement.plain()),
        (read_complaint, complaint.plain()),
    ]
    for read, plain in broken:
        for body in (plain[:-1], None, [*plain[:1], bytes(32), *plain[2:]], [*plain[:2], b"short"]):
            assert read(body) is None
    assert read_announcement([bytes(32), *announcement.plain()[1:]]) is None


def test_keys_are_made_by_two_or_more_different_members() -> None:
    for members in ((ANN,), (ANN, BOB, ANN)):
        with pytest.raises(ContractError):
            KeyGeneration(TABLE, 0, members)
