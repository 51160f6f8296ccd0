"""Open draws: a shuffle keeps every card, hides nothing, and is the same for everybody."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seeds.errors import ContractError
from seeds.hashing import H
from seeds.opendeck import Handle, OpenDecks
from seeds.streams import Stream

VALUE = H("test", "roll")


def handles(first: int, count: int, deck: str = "bag") -> list[Handle]:
    return [(deck, first + step) for step in range(count)]


def dealt(cards: list[int | str], value: bytes = VALUE) -> OpenDecks:
    decks = OpenDecks()
    decks.shuffle(value, cards, handles(0, len(cards)))
    return decks


def test_a_golden_order_never_changes() -> None:
    assert dealt(list(range(12))).faces(handles(0, 12)) == [11, 4, 8, 5, 6, 0, 2, 10, 7, 9, 3, 1]


def test_the_order_is_that_of_the_rolls_stream() -> None:
    order = Stream(VALUE, "shuffle").permutation(5)
    assert dealt(["a", "b", "c", "d", "e"]).faces(handles(0, 5)) == ["abcde"[place] for place in order]


@given(st.lists(st.integers(0, 9) | st.text(max_size=3), max_size=30), st.binary(min_size=32, max_size=32))
def test_a_shuffle_neither_makes_nor_loses_cards(cards: list[int | str], value: bytes) -> None:
    assert Counter(dealt(cards, value).faces(handles(0, len(cards)))) == Counter(cards)


def test_cards_put_back_are_shuffled_in_under_new_handles_and_go_back_only_once() -> None:
    decks = dealt([10, 11, 12, 13])
    back = decks.faces([("bag", 1), ("bag", 3)])
    decks.shuffle(H("test", "second"), [["bag", 1], ("bag", 3), 99], handles(4, 3))
    assert Counter(decks.faces(handles(4, 3))) == Counter([*back, 99])
    assert decks.faces([("bag", 1), ("bag", 3)]) == back
    with pytest.raises(ContractError, match="put back before"):
        decks.shuffle(H("test", "third"), [("bag", 1)], handles(7, 1))


def test_decks_are_separate() -> None:
    decks = dealt([1])
    decks.shuffle(VALUE, [2], handles(0, 1, "other"))
    assert decks.faces([("bag", 0), ("other", 0)]) == [1, 2]


@pytest.mark.parametrize(
    ("members", "new", "message"),
    [
        ([1, 2], handles(4, 1), "2 cards for 1 handles"),
        ([1, 2], [("bag", 4), ("bag", 4)], "twice"),
        ([["bag", 0], ["bag", 0]], handles(4, 2), "twice"),
        ([1], handles(3, 1), "not new"),
        ([["bag", 9]], handles(4, 1), "no card lies"),
        ([["bag"]], handles(4, 1), "not a handle"),
        ([None], handles(4, 1), "neither a card"),
        ([True], handles(4, 1), "neither a card"),
    ],
)
def test_a_shuffle_that_cannot_be_is_refused_and_changes_nothing(
    members: list[object], new: list[Handle], message: str
) -> None:
    decks = dealt([10, 11, 12, 13])
    before = decks.dump()
    with pytest.raises(ContractError, match=message):
        decks.shuffle(VALUE, members, new)
    assert decks.dump() == before


def test_decks_are_dumped_and_loaded() -> None:
    decks = dealt([1, "two", 3])
    loaded = OpenDecks.load(decks.dump())
    assert loaded.faces(handles(0, 3)) == decks.faces(handles(0, 3))
    loaded.shuffle(VALUE, [4], handles(3, 1))
    assert loaded.dump() != decks.dump(), "nothing is shared"


def test_every_card_is_equally_likely_on_top() -> None:
    tops = Counter(dealt(list(range(8)), H("test", "top", k)).faces([("bag", 0)])[0] for k in range(8_000))
    assert len(tops) == 8
    assert sum((count - 1000) ** 2 / 1000 for count in tops.values()) < 24.32
