"""Sealed decks: a card is read by whom it is dealt to, by all when it is revealed, and by nobody else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from fairtable import ANN, BOB, CAT, FAY, MEMBERS, fresh
from sealedtable import deal, deck_keys, finish_reading, masked_reading, reveal, shuffled_deck, table, x_of

from seeds.deckkeys import Shares, check_shares, make_shares, read_shares
from seeds.errors import ContractError, Fault
from seeds.group import BASE, IDENTITY, L, Point, add, base, mul, pack, sub, total
from seeds.opendeck import Handle
from seeds.proofs import Proof, equal_logarithms, prove
from seeds.sealedcards import read_remask
from seeds.sealeddeck import SealedDecks

TOP: Handle = ("bag", 0)
NEXT: Handle = ("bag", 1)
ALL: list[Handle] = [("bag", number) for number in range(6)]


def test_a_dealt_card_is_read_by_its_reader_and_revealed_by_him_alone() -> None:
    decks = table(3)
    [card] = deal(decks, BOB, TOP)
    assert decks.reader(TOP) == BOB
    for other in (ANN, CAT):
        with pytest.raises(ContractError, match="not for this member"):
            decks.read(other, x_of(other), TOP)
    decks.begin_reading([TOP], None)
    assert list(decks.owing) == [BOB]
    assert finish_reading(decks) == [card]
    assert decks.read(ANN, x_of(ANN), TOP) == card
    assert reveal(decks, TOP) == [card]
    assert deal(decks, CAT, TOP) == [card]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_pooled_data_of_all_others_does_not_hold_a_dealt_card(count: int) -> None:
    decks = table(count)
    [card] = deal(decks, ANN, TOP)
    a, b = decks.lying[TOP].pairs[-1].sealed
    pooled = [mul(x_of(member), a) for member in decks.keys.members[1:]]
    assert sub(b, total([*pooled, mul(x_of(ANN), a)])) in decks.points
    for size in range(count):
        for some in combinations(pooled, size):
            for guess in (sub(b, total(some)), sub(b, total([*some, decks.keys.public])), total(some)):
                assert guess not in decks.points
    assert card in range(6)


def test_n70_peek_then_deal_the_others_pooled_read_nothing() -> None:
    """Every share that ever stood in the log, of every pair, and still no pair that the others can open."""
    decks = table(3)
    [card] = deal(decks, BOB, TOP)
    assert deal(decks, CAT, TOP) == [card]
    assert decks.reader(TOP) == CAT
    dealt, first, second = decks.lying[TOP].pairs
    assert dealt.shares == {}
    assert set(first.shares) == {ANN, CAT}
    assert set(second.shares) == {ANN, BOB}
    assert first.sealed[0] != second.sealed[0]
    for pair in (first, second):
        logged = [*first.shares.values(), *second.shares.values()]
        for size in range(len(logged) + 1):
            assert not {sub(pair.sealed[1], total(some)) for some in combinations(logged, size)} & set(decks.points)
        own = mul(x_of(ANN), pair.sealed[0])
        assert sub(pair.sealed[1], total([own, *pair.shares.values()])) not in decks.points
    assert reveal(decks, TOP) == [card]


def test_who_has_read_a_card_needs_nothing_to_be_shown_it_again() -> None:
    decks = table(3)
    deal(decks, BOB, TOP)
    deal(decks, CAT, TOP)
    decks.begin_reading([TOP], BOB)
    assert decks.owing == ()
    assert decks.finish() is None
    assert [pair.reader for pair in decks.lying[TOP].pairs] == [None, BOB, CAT]


def test_n71_only_the_last_reader_masks_anew_and_both_halves_by_the_same_r() -> None:
    decks = table(3)
    deal(decks, BOB, TOP, NEXT)
    decks.begin_reading([TOP, NEXT], CAT)
    assert list(decks.owing) == [BOB]
    right = decks.make_remask(BOB, fresh())
    for member in (ANN, CAT, FAY):
        assert decks.remask(member, right) == Fault("deck/owes-no-remask", member)
    (a, b), other = right.pairs
    wrong = [
        replace(right, pairs=((a, add(b, BASE)), other)),
        replace(right, pairs=((add(a, BASE), b), other)),
        replace(right, pairs=(other, (a, b)), proofs=right.proofs[::-1]),
        replace(right, proofs=right.proofs[::-1]),
    ]
    for message in wrong:
        assert decks.remask(BOB, message) == Fault("deck/remask-proof", BOB)
    for message in (replace(right, pairs=right.pairs[:1]), replace(right, proofs=right.proofs[:1])):
        assert decks.remask(BOB, message) == Fault("deck/form", BOB)
    with pytest.raises(ContractError):
        decks.finish()
    assert decks.owing_share(ANN) == []
    assert decks.remask(BOB, right) is None
    assert decks.owing == (ANN, BOB)
    assert read_remask(right.plain(), 2) == right
    for body in (right.plain()[:1], [right.plain()[0], b""], None, [bytes(128), right.plain()[1]]):
        assert read_remask(body, 2) is None


def test_n39_a_mask_that_changes_the_card_or_the_key_is_a_fault() -> None:
    decks = table(3)
    deal(decks, BOB, TOP, NEXT)
    decks.begin_reading([TOP], CAT)
    right = decks.make_remask(BOB, fresh())
    old, another = decks.lying[TOP].pairs[-1].sealed, decks.lying[NEXT].pairs[-1].sealed
    for start, key in ((another, decks.keys.public), (old, base(x_of(CAT)))):
        pair = add(start[0], base(9)), add(start[1], mul(9, key))
        relation = equal_logarithms(sub(pair[0], start[0]), key, sub(pair[1], start[1]))
        proof = prove("remask", decks.keys.place(BOB, *TOP, pack(start)), relation, [9], fresh())
        wrong = replace(right, pairs=(pair,), proofs=(proof,))
        assert decks.remask(BOB, wrong) == Fault("deck/remask-proof", BOB)
    unmoved = equal_logarithms(IDENTITY, decks.keys.public, IDENTITY)
    proof = prove("remask", decks.keys.place(BOB, *TOP, pack(old)), unmoved, [0], fresh())
    assert decks.remask(BOB, replace(right, pairs=(old,), proofs=(proof,))) == Fault("deck/remask-proof", BOB)


def test_n14_n15_n18_n19_n20_n21_wrong_shares_are_faults() -> None:
    decks = table(3)
    masked_reading(decks, ANN, TOP, NEXT)
    right = decks.make_share(BOB, x_of(BOB), fresh())
    one, two = right.values
    lists: list[tuple[Point, ...]] = [
        (add(one, BASE), two),
        (two, one),
        (add(one, BASE), sub(two, BASE)),
        (one,),
        (one, two, two),
        (one, one),
        (),
    ]
    for values in lists:
        assert decks.share(BOB, Shares(values, right.proof)) == Fault("deck/share-proof", BOB)
    other_cards = make_shares(
        decks.keys, BOB, x_of(BOB), [decks.lying["bag", n].pairs[-1].sealed[0] for n in (2, 3)], fresh()
    )
    assert decks.share(BOB, other_cards) == Fault("deck/share-proof", BOB)
    lied = make_shares(
        decks.keys, BOB, x_of(BOB) + 1, [decks.lying[h].pairs[-1].sealed[0] for h in (TOP, NEXT)], fresh()
    )
    assert decks.share(BOB, lied) == Fault("deck/share-proof", BOB)
    assert read_shares([IDENTITY + two, right.proof.packed()], 2) is None
    assert read_shares(right.plain(), 2) == right
    for count in (1, 3):
        assert read_shares(right.plain(), count) is None
    assert read_shares([right.plain()[0]], 2) is None
    assert not check_shares(decks.keys, BOB, [], Shares((), right.proof))
    of_nothing = equal_logarithms(decks.keys.point(BOB), IDENTITY, IDENTITY)
    sound = prove("share", decks.keys.place(BOB), of_nothing, [x_of(BOB)], fresh())
    assert not check_shares(decks.keys, BOB, [], Shares((), sound))
    assert decks.share(BOB, right) is None
    assert decks.share(BOB, right) == Fault("deck/owes-no-share", BOB)


def test_n17_no_number_of_a_share_can_be_written_differently() -> None:
    decks = table(2)
    masked_reading(decks, ANN, TOP)
    values, proof = decks.make_share(BOB, x_of(BOB), fresh()).plain()
    wider = (int.from_bytes(proof[32:], "little") + L).to_bytes(32, "little")
    assert read_shares([values, proof[:32] + wider], 1) is None


def test_n16_shares_of_another_generation_or_table_are_faults() -> None:
    decks, old = table(2), SealedDecks(deck_keys(MEMBERS[:2], 1))
    shuffled_deck(old, "bag", list(range(6)), ALL)
    for machine in (decks, old):
        masked_reading(machine, ANN, TOP)
    stale = old.make_share(BOB, x_of(BOB, 1), fresh())
    assert decks.share(BOB, stale) == Fault("deck/share-proof", BOB)
    elsewhere = replace(decks.keys, table=b"another table".ljust(32))
    foreign = make_shares(elsewhere, BOB, x_of(BOB), decks.firsts(BOB), fresh())
    assert decks.share(BOB, foreign) == Fault("deck/share-proof", BOB)


def test_n16_a_share_of_an_older_version_of_the_deck_is_a_fault() -> None:
    decks = table(2)
    masked_reading(decks, ANN, TOP)
    stale = decks.make_share(BOB, x_of(BOB), fresh())
    decks.abandon()
    shuffled_deck(decks, "bag", ALL, [("bag", 10 + number) for number in range(6)])
    masked_reading(decks, ANN, ("bag", 10))
    assert decks.share(BOB, stale) == Fault("deck/share-proof", BOB)


def test_n35_a_card_put_back_goes_to_nobody_from_where_it_lay() -> None:
    decks = table(2)
    deal(decks, ANN, TOP)
    shuffled_deck(decks, "bag", [TOP, NEXT], [("bag", 10), ("bag", 11)])
    for reader in (ANN, BOB):
        with pytest.raises(ContractError):
            decks.begin_reading([("bag", 10), TOP], reader)
    assert reveal(decks, TOP)


def test_n34_n38_a_card_dealt_to_somebody_is_dealt_to_another_only_through_his_mask() -> None:
    decks = table(3)
    deal(decks, BOB, TOP)
    decks.begin_reading([TOP], ANN)
    for member in (BOB, CAT):
        made = make_shares(decks.keys, member, x_of(member), [decks.lying[TOP].pairs[-1].sealed[0]], fresh())
        assert decks.share(member, made) == Fault("deck/owes-no-share", member)
    assert set(decks.lying[TOP].pairs[-1].shares) == {ANN, CAT}


def test_n37_a_card_is_revealed_by_nobody_but_its_last_reader() -> None:
    decks = table(3)
    deal(decks, BOB, TOP)
    decks.begin_reading([TOP], None)
    for member in (ANN, CAT):
        made = make_shares(decks.keys, member, x_of(member), [decks.lying[TOP].pairs[-1].sealed[0]], fresh())
        assert decks.share(member, made) == Fault("deck/owes-no-share", member)
    lie = Shares((add(mul(x_of(BOB), decks.lying[TOP].pairs[-1].sealed[0]), BASE),), Proof(1, (2,)))
    assert decks.share(BOB, lie) == Fault("deck/share-proof", BOB)


def test_n35_nothing_is_read_while_a_shuffle_is_under_way_and_nothing_shuffled_during_a_reading() -> None:
    decks = table(2)
    decks.begin_shuffle("bag", [TOP, NEXT], [("bag", 10), ("bag", 11)])
    with pytest.raises(ContractError):
        decks.begin_reading([TOP], ANN)
    with pytest.raises(ContractError):
        decks.begin_shuffle("bag", [TOP], [("bag", 12)])
    other = table(2)
    other.begin_reading([TOP], ANN)
    with pytest.raises(ContractError):
        other.begin_shuffle("bag", [TOP], [("bag", 12)])
    with pytest.raises(ContractError):
        decks.finish()
    for handles, reader in (([TOP, TOP], ANN), ([TOP], FAY), ([("bag", 77)], ANN)):
        fresh_table = table(2)
        with pytest.raises(ContractError):
            fresh_table.begin_reading(handles, reader)


def test_a_table_of_one_member_deals_to_itself() -> None:
    decks = table(1)
    [card] = deal(decks, ANN, TOP)
    assert reveal(decks, TOP, NEXT)[0] == card


def test_a_public_flip_takes_everybodys_share() -> None:
    decks = table(3)
    decks.begin_reading([TOP], None)
    assert decks.owing == (ANN, BOB, CAT)
    cards = finish_reading(decks)
    assert cards is not None
    assert cards[0] in range(6)


def test_after_a_takeback_a_card_that_had_a_reader_goes_to_another_only_through_his_mask() -> None:
    decks = table(3)
    before = decks.layout()
    [card] = deal(decks, BOB, TOP)
    shuffled_deck(decks, "bag", [NEXT, 77], [("bag", 10), ("bag", 11)])
    version = decks.version
    decks.go_back(before)
    assert decks.version == version, "no second shuffle has the place of one that was taken back"
    assert set(decks.lying) == set(ALL)
    decks.begin_reading([TOP], CAT)
    assert list(decks.owing) == [BOB]
    finish_reading(decks)
    assert decks.read(CAT, x_of(CAT), TOP) == card
    assert sorted(map(int, reveal(decks, *ALL))) == list(range(6))


def test_a_takeback_ends_a_shuffle_or_reading_under_way() -> None:
    decks = table(2)
    before = decks.layout()
    decks.begin_shuffle("bag", [TOP, 9], [("bag", 10), ("bag", 11)])
    decks.go_back(before)
    decks.begin_reading([TOP], ANN)
    decks.go_back(before)
    assert decks.task is None
    assert sorted(map(int, reveal(decks, *ALL))) == list(range(6))
    assert decks.numbers == {"bag": tuple(range(6))}


def test_a_card_that_is_none_of_the_decks_is_noticed() -> None:
    decks = table(2)
    a, b = decks.lying[TOP].pairs[0].sealed
    decks.lying[TOP].pairs[0].sealed = a, add(b, BASE)
    decks.begin_reading([TOP], None)
    with pytest.raises(ContractError, match="none of the deck"):
        finish_reading(decks)


def test_nothing_is_known_of_a_handle_under_which_no_card_lies_and_all_of_one_that_went_back() -> None:
    decks = table(2)
    deal(decks, ANN, TOP)
    shuffled_deck(decks, "bag", [TOP], [("bag", 9)])
    assert decks.reader(TOP) == ANN, "what was put back can still be asked about"
    assert set(decks.readers(TOP)) == {ANN}
    for handle in (("bag", 99), ("box", 0)):
        for ask in (decks.reader, decks.readers, lambda one: decks.read(ANN, x_of(ANN), one)):
            with pytest.raises(ContractError, match="no card lies under"):
                ask(handle)
        with pytest.raises(ContractError, match="no card lies under"):
            decks.begin_reading([handle], None)
        decks.abandon()
