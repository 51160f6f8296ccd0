"""Readings that end without an outcome, abandoned or taken back: what was published stays published, so that no share
of a later private reading may complete what stands in the log."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from fairtable import ANN, BOB, CAT, fresh
from hypothesis import given, settings
from hypothesis import strategies as st
from sealedtable import deal, finish_reading, give_mask, masked_reading, reveal, table, x_of
from volume import VOLUME

from seeds.deckkeys import make_shares
from seeds.errors import Fault
from seeds.group import Point, sub, total
from seeds.opendeck import Handle
from seeds.sealeddeck import SealedDecks

TOP: Handle = ("bag", 0)
NEXT: Handle = ("bag", 1)
THIRD: Handle = ("bag", 2)


class Published:
    """Every share that was ever published, whether it counts or not, by the pair that it is of."""

    def __init__(self, decks: SealedDecks) -> None:
        self.decks = decks
        self.shares: dict[Point, dict[bytes, Point]] = {}
        self.seconds: dict[Point, Point] = {}

    def give(self, member: bytes) -> None:
        """Let a member say what it owes to the reading now."""
        decks = self.decks
        if decks.owing_remask(member):
            assert decks.remask(member, decks.make_remask(member, fresh(member, len(self.shares)))) is None
            return
        self.seconds.update(pair.sealed for card in decks.lying.values() for pair in card.pairs)
        firsts, made = decks.firsts(member), decks.make_share(member, x_of(member), fresh(member))
        for first, value in zip(firsts, made.values, strict=True):
            self.shares.setdefault(first, {})[member] = value
        assert decks.share(member, made) is None

    def readable(self) -> set[Point]:
        """The pairs that anybody opens with no secret, with the shares that have been published of them."""
        opened = ((first, sub(self.seconds[first], total(shares.values()))) for first, shares in self.shares.items())
        return {first for first, point in opened if point in self.decks.points}


def interrupted(decks: SealedDecks, handles: Sequence[Handle], reader: bytes | None, *givers: bytes) -> Published:
    """A reading to which only these members give what they owe, and which is then taken back."""
    log, before = Published(decks), decks.layout()
    decks.begin_reading(handles, reader)
    for member in givers:
        log.give(member)
    decks.abandon()
    decks.go_back(before)
    return log


def test_a_card_whose_reveal_was_taken_back_is_dealt_in_the_open_if_nobody_could_mask_it() -> None:
    """Bob kept his share back and has read the card. Were it dealt to Cat with his share, all shares of one pair would
    stand in the log, and everybody could read what Cat alone is thought to know."""
    decks = table(3)
    log = interrupted(decks, [TOP], None, ANN, CAT)
    decks.begin_reading([TOP], CAT)
    assert decks.owing == (ANN, BOB, CAT), "the reader says its share like all others: the card is no secret"
    assert decks.reader(TOP) is None
    for member in (ANN, BOB, CAT):
        log.give(member)
    assert decks.finish() is None
    assert decks.lying[TOP].known is not None
    assert {decks.read(member, x_of(member), TOP) for member in decks.keys.members} == set(reveal(decks, TOP))


def test_cards_of_one_deal_are_dealt_in_the_open_or_in_private_each_for_itself() -> None:
    decks = table(3)
    log = interrupted(decks, [TOP], None, ANN, BOB)
    decks.begin_reading([TOP, NEXT], CAT)
    assert decks.owing_remask(CAT) == [NEXT], "a mask hides what was shown from nobody"
    log.give(CAT)
    assert [decks.owing_share(member) for member in (ANN, BOB, CAT)] == [[TOP, NEXT], [TOP, NEXT], [TOP]]
    for member in (ANN, BOB, CAT):
        log.give(member)
    assert decks.finish() is None
    assert decks.lying[TOP].known is not None
    assert decks.lying[NEXT].known is None
    assert log.readable() == {decks.lying[TOP].pairs[-1].sealed[0]}
    assert decks.read(CAT, x_of(CAT), NEXT) in range(6)


@pytest.mark.parametrize("reader", [BOB, CAT], ids=["himself", "another"])
def test_a_card_whose_reveal_was_taken_back_is_masked_by_its_last_reader_also_for_himself(reader: bytes) -> None:
    """A deal to Bob, a reveal in which Bob gives his share, which not all have heard, and a deal again: with the shares
    of the first deal everybody could read that pair."""
    decks = table(3)
    deal(decks, BOB, TOP)
    log = interrupted(decks, [TOP], None, BOB)
    old = decks.lying[TOP].pairs[-1]
    decks.begin_reading([TOP], reader)
    assert list(decks.owing) == [BOB]
    assert decks.owing_remask(BOB) == [TOP]
    assert decks.owing_share(ANN) == []
    log.give(BOB)
    assert decks.lying[TOP].pairs[-1].sealed != old.sealed
    while decks.owing:
        log.give(decks.owing[0])
    assert decks.finish() is None
    assert log.readable() == set()
    assert decks.reader(TOP) == reader
    assert [decks.read(reader, x_of(reader), TOP)] == reveal(decks, TOP)


def test_who_has_read_a_card_shows_it_after_a_reveal_taken_back_to_one_member_alone() -> None:
    decks = table(3)
    [card] = deal(decks, BOB, TOP)
    before = decks.layout()
    decks.begin_reading([TOP], None)
    decks.abandon()
    decks.go_back(before)
    assert deal(decks, CAT, TOP) == [card]
    assert decks.lying[TOP].known is None


def test_shares_of_an_abandoned_reading_do_not_count_in_the_next() -> None:
    """They may not have reached everybody, so that peers would wait for different members."""
    decks = table(3)
    for reader, givers, again in ((BOB, (ANN, CAT), (BOB,)), (None, (ANN, BOB, CAT), (ANN, BOB, CAT))):
        decks.begin_reading([NEXT], reader)
        if reader is not None:
            give_mask(decks, reader)
        for member in givers:
            assert decks.share(member, decks.make_share(member, x_of(member), fresh())) is None
        assert not decks.owing
        decks.abandon()
        decks.begin_reading([NEXT], reader)
        assert decks.owing == again
        decks.abandon()


def test_going_back_during_a_reading_keeps_none_of_its_shares_and_masks() -> None:
    decks = table(3)
    before = decks.layout()
    deal(decks, ANN, TOP)
    masked_reading(decks, BOB, TOP, NEXT)
    assert decks.share(CAT, decks.make_share(CAT, x_of(CAT), fresh())) is None
    decks.go_back(before)
    assert [pair.reader for pair in decks.lying[TOP].pairs] == [None, ANN]
    assert [pair.reader for pair in decks.lying[NEXT].pairs] == [None]
    right = decks.layout()
    decks.begin_reading([NEXT], BOB)
    assert decks.owing == (BOB,)
    decks.go_back(right)


def test_a_card_dealt_in_the_open_stays_known_after_another_takeback() -> None:
    decks = table(3)
    interrupted(decks, [TOP], None, ANN)
    before = decks.layout()
    [card] = deal(decks, CAT, TOP)
    decks.go_back(before)
    decks.begin_reading([TOP], ANN)
    assert decks.owing == ()
    assert decks.finish() is None
    assert decks.read(ANN, x_of(ANN), TOP) == card


def test_nobody_gives_a_share_of_a_pair_that_is_to_be_masked_anew_first() -> None:
    decks = table(3)
    decks.begin_reading([TOP], BOB)
    early = make_shares(decks.keys, ANN, x_of(ANN), [decks.lying[TOP].pairs[-1].sealed[0]], fresh())
    assert decks.share(ANN, early) == Fault("deck/owes-no-share", ANN)


def test_who_masks_a_card_for_another_reader_takes_another_mask() -> None:
    """Two votes that exclude each other can name two readers at one place."""
    decks = table(3)
    deal(decks, BOB, TOP)
    made = []
    for reader in (ANN, CAT):
        decks.begin_reading([TOP], reader)
        made.append(decks.make_remask(BOB, fresh()).pairs)
        decks.abandon()
    assert made[0] != made[1]


MEMBERS = st.sampled_from([ANN, BOB, CAT])
READINGS = st.tuples(
    st.lists(st.sampled_from([TOP, NEXT, THIRD]), min_size=1, max_size=2, unique=True),
    st.one_of(st.none(), MEMBERS),
    st.integers(0, 6),
    st.booleans(),
)


@settings(max_examples=20 * VOLUME, deadline=None)
@given(st.lists(READINGS, min_size=2, max_size=7), st.randoms(use_true_random=False))
def test_n70_no_reading_to_one_member_ever_completes_what_readings_undone_have_published(
    readings: list[tuple[list[Handle], bytes | None, int, bool]], order: Random
) -> None:
    """Whatever was dealt, shown and revealed, how far, and taken back: what a deal or show lets everybody read is only
    what its own reader opens there with all others."""
    decks = table(3)
    log, start = Published(decks), decks.layout()
    for handles, reader, steps, back in readings:
        decks.begin_reading(handles, reader)
        before, here = log.readable(), set[tuple[bytes, Point]]()
        for _ in range(steps):
            if decks.owing:
                member = order.choice(decks.owing)
                here.update((member, first) for first in decks.firsts(member))
                log.give(member)
        if reader is not None:
            assert all((reader, first) in here for first in log.readable() - before)
        if decks.owing:
            decks.abandon()
        else:
            decks.finish()
        if back:
            decks.go_back(start)
    assert sorted(map(int, reveal(decks, *decks.lying))) == list(range(6))


def test_a_finished_reading_after_one_undone_reads_the_same_card() -> None:
    decks = table(3)
    interrupted(decks, [TOP], BOB, BOB, ANN)
    [card] = deal(decks, BOB, TOP)
    decks.begin_reading([TOP], None)
    assert finish_reading(decks) == [card]
