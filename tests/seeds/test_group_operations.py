"""What fairness costs, counted in group operations: the times of any machine follow from these and its own speed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from fairtable import ANN, MEMBERS, fresh, generated
from sealedtable import deck_keys, table, x_of

from seeds import group
from seeds.shuffle import check_shuffle, generator, shuffle
from seeds.threshold import Lock, make_partial

N = 20


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    count: Counter[str] = Counter()
    for name in ("_mul", "_base"):
        real: Callable[..., group.Point] = getattr(group, name)

        def counting(*arguments: object, name: str = name, real: Callable[..., group.Point] = real) -> group.Point:
            count[name] += 1
            return real(*arguments)

        monkeypatch.setattr(group, name, counting)
    yield count
    assert set(count) <= {"_mul", "_base"}


def test_a_shuffle_of_n_cards_costs_6n_multiplications_and_its_check_8n(counted: Counter[str]) -> None:
    keys = deck_keys(MEMBERS[:3])
    cards = [(group.BASE, group.add(group.hash_point("card", i), keys.public)) for i in range(N)]
    assert [generator(i) for i in range(N + 1)]
    counted.clear()
    shuffled = shuffle(["test"], keys.public, cards, fresh())
    assert counted == {"_mul": 6 * N + 1, "_base": 4 * N + 4}
    counted.clear()
    fresh_input = [(a, b) for a, b in shuffled.cards]
    again = shuffle(["test"], keys.public, fresh_input, fresh())
    counted.clear()
    assert check_shuffle(["test"], keys.public, fresh_input, again)
    assert counted == {"_mul": 8 * N + 7, "_base": N + 4}


def test_a_share_costs_two_multiplications_and_its_check_three(counted: Counter[str]) -> None:
    decks = table(3)
    decks.begin_reading([("bag", 0)], ANN)
    counted.clear()
    made = decks.make_share(MEMBERS[1], x_of(MEMBERS[1]), fresh())
    assert counted == {"_mul": 2, "_base": 1}
    counted.clear()
    assert decks.share(MEMBERS[1], made) is None
    assert counted == {"_mul": 3, "_base": 1}


def test_a_roll_of_six_costs_three_multiplications_for_each_of_t_partials_and_t_more(counted: Counter[str]) -> None:
    keys, shares = generated(6)
    lock = Lock(keys["dice"], 3)
    counted.clear()
    for member in MEMBERS[:4]:
        partial = make_partial(keys["dice"], member, shares[member, "dice"], lock.point, fresh(member))
        assert lock.release(member, partial) is None
    assert lock.gamma is not None
    assert counted == {"_mul": 4 * (2 + 3) + 4, "_base": 4 * 2}
