"""Sealed decks: keys of a generation, and shuffles in turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fairtable import ANN, BOB, CAT, FAY, MEMBERS, TABLE, fresh
from sealedtable import deal, deck_keys, masked_reading, reveal, shuffled_deck, table, x_of

from seeds.deckkeys import DeckKey, Keyring, read_deck_key
from seeds.errors import ContractError, Fault
from seeds.group import IDENTITY, add, base, sub
from seeds.opendeck import Handle
from seeds.proofs import logarithm, prove
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import ProvenShuffle
from seeds.turns import CheckedShuffle

TOP: Handle = ("bag", 0)
NEXT: Handle = ("bag", 1)
ALL: list[Handle] = [("bag", number) for number in range(6)]


def test_the_deck_key_is_the_sum_of_the_members_keys() -> None:
    keys = deck_keys(MEMBERS[:4])
    assert keys.public == base(sum(x_of(member) for member in keys.members))
    assert keys.point(BOB) == base(x_of(BOB))
    assert deck_keys(MEMBERS[:4], 1).public != keys.public


def test_n9_n12_n13_rogue_copied_and_cancelling_keys_lack_a_proof_of_possession() -> None:
    ring = Keyring(TABLE, 0, (ANN, BOB, CAT))
    honest = {member: ring.make(member, x_of(member), fresh(member)) for member in (ANN, BOB)}
    for member, key in honest.items():
        assert ring.add(member, key) is None
    others = add(honest[ANN].point, honest[BOB].point)
    for rogue in (sub(base(5), others), honest[ANN].point, sub(IDENTITY, honest[ANN].point)):
        forged = prove("pok", ring.place(CAT), logarithm(rogue), [5], fresh())
        assert ring.add(CAT, DeckKey(rogue, forged)) == Fault("deck/key-proof", CAT)
    assert ring.add(CAT, honest[ANN]) == Fault("deck/key-proof", CAT)
    with pytest.raises(ContractError):
        ring.keys()


def test_n10_a_deck_key_counts_for_its_author_table_generation_and_roster_only() -> None:
    key = Keyring(TABLE, 0, (ANN, BOB)).make(ANN, x_of(ANN), fresh())
    for ring in (
        Keyring(TABLE, 1, (ANN, BOB)),
        Keyring(fresh("other"), 0, (ANN, BOB)),
        Keyring(TABLE, 0, (ANN, CAT)),
    ):
        assert ring.add(ANN, key) == Fault("deck/key-proof", ANN)
    ring = Keyring(TABLE, 0, (ANN, BOB))
    assert ring.owing == (ANN, BOB)
    assert ring.add(ANN, key) is None
    assert ring.add(ANN, key) == Fault("deck/key-twice", ANN)
    assert ring.add(FAY, key) == Fault("deck/not-a-member", FAY)
    assert read_deck_key(key.packed()) == key
    for data in (key.packed()[:-1], bytes(96), None, key.packed() + b"\0"):
        assert read_deck_key(data) is None
    with pytest.raises(ContractError):
        Keyring(TABLE, 0, (ANN, ANN))


@pytest.mark.parametrize("count", [2, 3, 6])
def test_every_card_lies_once_and_in_an_order_that_all_made(count: int) -> None:
    decks = table(count, ["a", "b", "b", 3, 4, 5])
    assert sorted(map(str, reveal(decks, *ALL))) == ["3", "4", "5", "a", "b", "b"]


def test_n33_a_shuffle_out_of_turn_or_twice_is_a_fault() -> None:
    decks = SealedDecks(deck_keys(MEMBERS[:3]))
    decks.begin_shuffle("bag", [1, 2], ALL[:2])
    task = decks.task
    assert task is not None
    shuffled = task.make(fresh())
    for member in (BOB, CAT, FAY):
        assert task.check(member, shuffled) == Fault("deck/not-your-turn", member)
    checked = task.check(ANN, shuffled)
    assert isinstance(checked, CheckedShuffle)
    decks.take(checked)
    with pytest.raises(ContractError):
        decks.take(checked)
    assert decks.task is not None
    assert decks.task.check(ANN, shuffled) == Fault("deck/not-your-turn", ANN)
    assert decks.task.check(BOB, shuffled) == Fault("deck/shuffle-proof", BOB)


def test_n25_a_shuffle_of_another_version_or_deck_is_a_fault() -> None:
    decks, other, later = (SealedDecks(deck_keys(MEMBERS[:2])) for _ in range(3))
    decks.begin_shuffle("bag", [1, 2], ALL[:2])
    other.begin_shuffle("box", [1, 2], [("box", 0), ("box", 1)])
    later.version = 4
    later.begin_shuffle("bag", [1, 2], ALL[:2])
    assert decks.task is not None
    for machine in (other, later):
        assert machine.task is not None
        wrong = machine.task.make(fresh())
        assert decks.task.check(ANN, wrong) == Fault("deck/shuffle-proof", ANN)


def test_n24_a_shuffle_with_a_card_less_or_more_is_a_fault() -> None:
    decks = SealedDecks(deck_keys(MEMBERS[:2]))
    decks.begin_shuffle("bag", [1, 2, 3], ALL[:3])
    task = decks.task
    assert task is not None
    for cards in (task.cards[:2], (*task.cards, task.cards[0])):
        wrong: ProvenShuffle = replace(task, cards=cards).make(fresh())
        assert task.check(ANN, wrong) == Fault("deck/shuffle-proof", ANN)


def test_n36_cards_go_back_by_name_once_and_only_to_their_deck() -> None:
    decks = table(2)
    for members in ([TOP, TOP], [("bag", 99)]):
        with pytest.raises(ContractError):
            decks.begin_shuffle("bag", members, [("bag", 10 + n) for n in range(len(members))])
    with pytest.raises(ContractError):
        decks.begin_shuffle("box", [TOP], [("box", 0)])
    for handles in ([TOP], [("bag", 10), ("bag", 10)], [("bag", 10), ("bag", 11)]):
        with pytest.raises(ContractError):
            decks.begin_shuffle("bag", [TOP], handles)
    with pytest.raises(ContractError):
        decks.begin_shuffle("bag", [], [])
    with pytest.raises(ContractError, match="257"):
        decks.begin_shuffle("bag", list(range(257)), [("bag", 100 + n) for n in range(257)])
    assert decks.task is None


def test_cards_put_back_are_shuffled_in_and_their_old_handles_can_still_be_opened_but_not_put_back_again() -> None:
    decks = table(3)
    hand = deal(decks, ANN, TOP, NEXT)
    rest: list[Handle] = [("bag", 10 + number) for number in range(6)]
    shuffled_deck(decks, "bag", [*ALL[1:], 99], rest)
    cards = reveal(decks, *rest)
    assert sorted(map(int, cards)) == sorted([*({*range(6)} - {hand[0]}), 99])
    assert decks.read(ANN, x_of(ANN), TOP) == hand[0]
    assert reveal(decks, NEXT) == [hand[1]]
    with pytest.raises(ContractError):
        decks.begin_shuffle("bag", [NEXT], [("bag", 99)])


def test_what_an_abandoned_reading_or_shuffle_had_gathered_is_asked_for_again() -> None:
    decks = table(3)
    [card] = deal(decks, ANN, TOP)
    masked_reading(decks, BOB, TOP, NEXT)
    assert decks.share(CAT, decks.make_share(CAT, x_of(CAT), fresh())) is None
    decks.abandon()
    decks.begin_shuffle("bag", [TOP, NEXT], [("bag", 98), ("bag", 99)])
    decks.abandon()
    assert decks.task is None
    decks.begin_reading([TOP, NEXT], BOB)
    assert decks.owing == (ANN, BOB)
    decks.abandon()
    assert deal(decks, BOB, TOP)[0] == card == reveal(decks, TOP)[0]
