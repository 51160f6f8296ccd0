"""What fairness costs, counted in group operations: the times of any machine follow from these and its own speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from fairtable import ANN, MEMBERS, fresh, generated
from sealedtable import deck_keys, masked_reading, table, x_of

from seeds import group
from seeds.proofs import scalar, scalars
from seeds.shuffle import Sealed, Statement, check_shuffles, generator, shuffle
from seeds.threshold import Lock, make_partial

N = 20


@pytest.fixture
def counted() -> Iterator[Counter[str]]:
    with group.counted() as count:
        yield count


def multiplied(counted: Counter[str]) -> dict[str, int]:
    """The operations that nearly all time goes into."""
    return {name: counted[name] for name in ("mul", "base")}


def test_a_shuffle_of_n_cards_costs_6n_multiplications_and_its_check_7n(counted: Counter[str]) -> None:
    keys = deck_keys(MEMBERS[:3])
    cards = [(group.BASE, group.add(group.hash_point("card", i), keys.public)) for i in range(N)]
    assert [generator(i) for i in range(N + 1)]
    counted.clear()
    shuffled = shuffle(["test"], keys.public, cards, fresh())
    assert multiplied(counted) == {"mul": 6 * N + 1, "base": 3 * N + 5}
    counted.clear()
    again = Statement(["test"], keys.public, shuffled.cards, shuffle(["test"], keys.public, shuffled.cards, fresh()))
    counted.clear()
    assert check_shuffles([again])
    assert multiplied(counted) == {"mul": 7 * N + 8, "base": 1}


def test_of_many_shuffles_checked_together_each_one_more_costs_4n_multiplications(counted: Counter[str]) -> None:
    keys = deck_keys(MEMBERS[:3])
    cards: tuple[Sealed, ...] = tuple((group.hash_point("a", i), group.hash_point("b", i)) for i in range(N))
    statements = []
    for number in range(4):
        shuffled = shuffle(["test"], keys.public, cards, fresh(number))
        statements.append(Statement(["test"], keys.public, cards, shuffled))
        cards = shuffled.cards
    for many in (1, 2, 4):
        counted.clear()
        assert check_shuffles(statements[:many])
        assert multiplied(counted) == {"mul": 3 * N + 2 + many * (4 * N + 6), "base": 1}


def test_a_share_costs_two_multiplications_and_its_check_three(counted: Counter[str]) -> None:
    decks = table(3)
    masked_reading(decks, ANN, ("bag", 0))
    counted.clear()
    made = decks.make_share(MEMBERS[1], x_of(MEMBERS[1]), fresh())
    assert multiplied(counted) == {"mul": 2, "base": 1}
    counted.clear()
    assert decks.share(MEMBERS[1], made) is None
    assert multiplied(counted) == {"mul": 3, "base": 1}


def test_a_roll_of_six_costs_three_multiplications_for_each_of_t_partials_and_t_more(counted: Counter[str]) -> None:
    keys, shares = generated(6)
    lock = Lock(keys["dice"], 3)
    counted.clear()
    for member in MEMBERS[:4]:
        partial = make_partial(keys["dice"], member, shares[member, "dice"], lock.point, fresh(member))
        assert lock.release(member, partial) is None
    assert lock.gamma is not None
    assert multiplied(counted) == {"mul": 4 * (2 + 3) + 4, "base": 4 * 2}


def test_who_counts_sees_every_operation_and_changes_none() -> None:
    point = group.hash_point("counted")
    with group.counted() as count:
        assert group.read_point(group.add(point, group.mul(3, point))) == group.mul(4, point)
        assert group.sub(group.base(5), group.base(2)) == group.base(3)
        assert group.total([]) == group.IDENTITY
        assert group.hash_point("counted") == point
    assert count == {"add": 2, "mul": 2, "read": 1, "base": 3, "map": 1}
    group.base(7)
    assert count["base"] == 3


def test_many_secret_numbers_at_once_are_those_that_one_after_the_other_gives() -> None:
    assert scalars(fresh(), "w", 5) == [scalar(fresh(), "w", number) for number in range(5)]
