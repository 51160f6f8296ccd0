"""Numbers in a list: seats have letters and names, amounts mean themselves, and what is too low is never taken."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from test_line_menu import listed, offered

from client.fronts.line.screen import MOST
from client.session.choices import Choices, Narrowed, completions
from client.session.notation import Amount, answer_text, forms
from client.session.view_records import RefusedOptions
from client.show.pictures import Pictures, Questioning, pictures
from client.system.texts import use
from client.words import DisplayNames
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.values import Value
from engine.eclipse.diplomacy import Offer
from engine.eclipse.free import Trade
from engine.rex.alliances import Talk
from engine.rex.battle import Fight, PickBattle
from engine.rex.bidding import Bid
from engine.rex.setup import Predict
from engine.rex.windows import PlayCard

NAMES = ("Ada", "Bob", "Cy Two", "Bo")
REX, ECLIPSE = pictures("rex"), pictures("eclipse2")


def at(game: str) -> Any:
    """What is read of a frame: the names at a table of a game, and the letters of seats."""
    return SimpleNamespace(names=NAMES, display_names=DisplayNames(game), letter=lambda seat: "ABCD"[seat])


ME = Seat(0)
CARD: Any = "strategy#1"


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


class Offered:
    """As much of a draft as a menu asks."""

    ask: Any = None
    so_far: tuple[Value, ...] = ()

    def __init__(self, options: Sequence[Value], refused: Sequence[tuple[Value, Refusal]] = ()) -> None:
        self._options, self._refused = options, refused

    def options(self) -> Sequence[Value]:
        return self._options

    def refused(self) -> Sequence[tuple[Value, Refusal]]:
        return self._refused

    def price(self, option: Value) -> tuple[tuple[str, int], ...]:
        return ()


def choices(ask: Any, options: Sequence[Value], so_far: tuple[Value, ...] = (), refused: Any = ()) -> Choices:
    draft: Any = Offered(options, refused)
    draft.ask, draft.so_far = ask, so_far
    frame = at("rex")
    return Choices(draft, ask, Pictures(questions=Questioning(seats=REX.questions.seats)), frame)


ALLY = ("ally",)


@pytest.mark.parametrize(("text", "seat"), [("b", 1), ("B", 1), ("bob", 1), ("bo", 3), ("cy two", 2), ("cy", 2)])
def test_a_seat_is_picked_by_its_letter_or_name(text: str, seat: int) -> None:
    assert choices(Talk(ME), [1, 2, 3], ALLY).read(text) == seat


def test_a_number_in_a_list_of_seats_is_the_number_that_the_list_shows() -> None:
    seats = choices(Talk(ME), [1, 2, 3], ALLY)
    assert [line.split() for line in listed(seats)] == [["1", "B"], ["2", "C"], ["3", "D"]]
    assert [seats.read(number) for number in ("1", "2", "3")] == [1, 2, 3]
    some = choices(Talk(ME), [0, 1, 3], ALLY)
    assert [line.split() for line in listed(some)] == [["1", "A"], ["2", "B"], ["3", "D"]]
    assert [some.read(number) for number in ("1", "2", "3")] == [0, 1, 3]


@pytest.mark.parametrize(
    ("ask", "so_far"),
    [
        (Talk(ME), ("ally",)),
        (Talk(ME), ("give",)),
        (Predict(ME, (1, 2), 8), ()),
        (PlayCard(ME, "fight"), (CARD, "sworn-testimony")),
    ],
)
def test_whoever_is_picked_in_rex_has_a_letter(ask: Any, so_far: tuple[Value, ...]) -> None:
    assert tuple(forms(REX, at("rex"), ask, 1, so_far)) == ("B", "Bob")


@pytest.mark.parametrize(
    ("ask", "so_far"),
    [
        (Talk(ME), ("give", 1)),
        (Predict(ME, (1, 2), 8), (1,)),
        (PlayCard(ME, "bombardment"), (CARD, "fleet-sabotage")),
        (Bid(ME, 1, 4, 3), ()),
    ],
)
def test_amounts_stay_numbers(ask: Any, so_far: tuple[Value, ...]) -> None:
    assert tuple(forms(REX, at("rex"), ask, 1, so_far)) == ("1",)


def test_seats_within_an_option_have_letters_in_every_game() -> None:
    fight = tuple(forms(REX, at("rex"), PickBattle(ME), Fight("imperial-palace", 2)))
    assert fight == ("fight imperial-palace C", "fight imperial-palace Cy Two")
    offer = Offer(1, "money", 1)
    assert next(forms(ECLIPSE, at("eclipse2"), Talk(ME), offer)) == "offer B money 1"
    assert next(forms(ECLIPSE, at("eclipse2"), Talk(ME), Trade("money", "science"))) == "trade money science"


def test_a_whole_answer_is_told_with_letters_of_seats_and_numbers_of_amounts() -> None:
    assert answer_text(REX, at("rex"), Talk(ME), ("give", 1, 3)) == "give, B, 3"
    assert answer_text(REX, at("rex"), PickBattle(ME), Fight("imperial-palace", 2)) == "fight imperial-palace C"


LOW = Refusal("bid/too-low", "", (2, 3))
HIGH = Refusal("bid/too-high", "", (6, 5))


def bids() -> Choices:
    return choices(Bid(ME, 1, 4, 3), [3, 4, 5, "pass"], (), [(2, LOW), (6, HIGH)])


def test_a_bid_that_is_refused_is_never_another_option() -> None:
    assert bids().read("2") == LOW
    assert bids().read("6") == HIGH


def test_where_options_are_amounts_a_number_means_itself_and_nothing_has_another() -> None:
    assert bids().read("4") == 4
    assert [line.split() for line in listed(bids())] == [["3"], ["4"], ["5"], ["pass"]]
    wrong = bids().read("1")
    assert isinstance(wrong, Refusal)
    assert wrong.code == "notation/unknown"
    assert bids().read("pa") == "pass"


def test_many_amounts_are_listed_from_the_first_to_the_last() -> None:
    many = choices(Bid(ME, 1, 4, 3), [*range(3, 3 + 2 * MOST), "pass"])
    numbers = [Amount(range(3, 3 + 2 * MOST), range(2 * MOST))]
    assert [line.split() for line in listed(many, amounts=numbers)] == [["3", "…", str(2 * MOST + 2)], ["pass"]]


def test_a_refused_seat_is_refused_by_its_letter_and_name_and_no_number_of_the_list() -> None:
    already = Refusal("alliance/already", "", (1,))
    seats = choices(Talk(ME), [2, 3], ALLY, [(1, already)])
    assert (seats.read("B"), seats.read("Bob"), seats.read("1")) == (already, already, 2)


def test_refused_amounts_are_listed_by_rows() -> None:
    wrong = [(n, LOW) for n in (0, 1, 2, 9, 10, 11, 12)]
    ((reason, texts),) = choices(Bid(ME, 1, 4, 3), [3, 4], (), wrong).why(asides=False).items()
    assert RefusedOptions(reason, texts).text.split(":")[0] == "0, 1, 2, 9 … 12"


def test_amounts_with_a_price_are_listed_one_by_one() -> None:
    draft: Any = Offered(range(1, 6))
    priced = offered(draft, lambda option: f"costs {option}")
    numbers = [Amount(range(1, 6), range(5))]
    assert [line.split() for line in listed(priced, amounts=numbers)] == [
        [str(n), "costs", str(n)] for n in range(1, 6)
    ]
    assert [line.split() for line in listed(choices(Bid(ME, 1, 4, 3), range(1, 6)), amounts=numbers)] == [
        ["1", "…", "5"]
    ]


def test_names_of_seats_are_completed() -> None:
    assert completions(choices(Talk(ME), [1, 2, 3], ALLY), "bo") == ["Bob", "Bo"]
    assert isinstance(choices(Talk(ME), [1, 2], ALLY).read("zz"), Refusal)
    assert not isinstance(choices(Talk(ME), [1, 3], ALLY).read("bo"), Narrowed)


def test_the_numbers_before_a_group_are_typed_as_they_stand_there() -> None:
    there = choices(Talk(ME), [1, 2, 3], ALLY)
    assert there.read("2-3") == there.read("2 – 3") == Narrowed([1, 2])
    assert there.read("2-2") == there.read("2"), "one option is picked"
    assert there.read("2-99") == Narrowed([1, 2])
    for other in ("7-9", "3-2", "2-", "-2", "2-3-4"):
        assert isinstance(there.read(other), Refusal)


def test_a_range_of_amounts_is_no_answer() -> None:
    assert isinstance(choices(Bid(ME, 1, 4, 3), range(1, 6)).read("2-3"), Refusal)
