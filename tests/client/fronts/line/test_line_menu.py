"""The list of options: everything that can be picked can be seen and told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from client.fronts.line.screen import MOST, option_lines
from client.session.choices import Choices
from client.session.notation import Amount
from client.session.view_records import Ask, ListedOption
from client.show.pictures import Pictures, Questioning
from client.words import PLAIN
from engine.core.errors import Refusal
from engine.core.values import Value


class Offer:
    """As much of a draft as a menu asks."""

    def __init__(self, *options: str | int | None) -> None:
        self._options = options

    ask: Any = None
    so_far: tuple[Value, ...] = ()

    def options(self) -> tuple[str | int | None, ...]:
        return self._options

    def price(self, option: str | int | None) -> tuple[tuple[str, int], ...]:
        return (("science", -len(option)),) if isinstance(option, str) else ()

    def refused(self) -> list[tuple[int, Refusal]]:
        return [(n, Refusal("bid/too-high", "", (0,))) for n in range(1, 9) if n not in self._options]


def offered(draft: Any, hint: Callable[[Any], str], title: Callable[[Any], str] = lambda _option: "") -> Choices:
    """The options of a draft in a game that hints and titles so."""
    frame: Any = SimpleNamespace(names=(), display_names=PLAIN)
    questions = Questioning(
        hint=lambda _frame, _ask, option, _so_far: hint(option),
        title=lambda _frame, _ask, option, _so_far: title(option),
    )
    return Choices(draft, draft.ask, Pictures(questions=questions), frame)


def choices(*options: str | int | None) -> Choices:
    return offered(Offer(*options), lambda option: "pasar" if option == "pass" else "")


def listed(found: Choices, width: int = 80, amounts: Sequence[Amount] = ()) -> list[str]:
    """The lines of the options."""
    options = [ListedOption(text, found.title(at), "", (), False, ()) for at, text in enumerate(found.texts)]
    return [*option_lines(Ask(0, "", (), "", False, False, "", options, amounts, (), ()), found, width)]


def test_the_number_of_a_shown_option_means_it_whatever_is_refused() -> None:
    """Who can bid nothing reads `1  pass`, beside bids that are refused."""
    assert choices("pass").read("1") == "pass"
    assert choices("pass").read("2") == Refusal("bid/too-high", "", (0,))
    assert choices(1, 2, "pass").read("1") == 1


def test_the_number_of_the_option_that_declines_means_it() -> None:
    found = choices(None, "keep")
    assert found.texts[0] == "-"
    assert found.read("1") is None
    assert found.read("2") == "keep"
    assert isinstance(found.read("3"), Refusal)


def test_amounts_stand_in_one_row_also_beside_a_word_with_a_meaning() -> None:
    first, *rest = listed(choices("pass", *range(1, 9)), amounts=[Amount(range(1, 9), range(1, 9))])
    assert rest == ["     1 … 8"]
    assert first.split() == ["pass", "pasar;", "science", "-4"]


def test_options_that_differ_in_a_number_beside_words_are_one_row_with_their_numbers() -> None:
    (row,) = listed(
        choices(*(f"pay {at}" for at in range(MOST + 1))), amounts=[Amount(range(MOST + 1), range(MOST + 1))]
    )
    assert row == "   1-25  pay … (25): 0 … 24"


def test_a_heap_that_no_first_words_sort_is_listed_one_by_one_with_its_costs() -> None:
    names = [f"buy tech-{number:02}" for number in range(MOST + 12)]
    lines = listed(choices(*names))
    assert [line.split()[2] for line in lines] == [name.split()[1] for name in names]
    assert all("science -" in line for line in lines)


def test_many_options_of_few_kinds_are_grouped_by_kind() -> None:
    names = [f"{kind} part-{number:02}" for kind in ("cruiser", "dreadnought") for number in range(MOST)]
    lines = listed(choices(*names), 400)
    assert [line.split()[1] for line in lines] == ["cruiser", "dreadnought"]


def test_a_card_is_listed_by_what_it_is_and_not_by_its_number() -> None:
    def title(option: Value) -> str:
        return "Keep Saboteur" if option == "traitor#3" else ""

    lines = listed(offered(Offer("traitor#3", "no"), lambda option: "", title))
    assert lines[0].split()[:3] == ["1", "Keep", "Saboteur"]
    assert not any("#" in line for line in lines)


def test_cards_that_nobody_can_tell_apart_are_listed_once_and_each_number_means_the_one_listed() -> None:
    found = offered(Offer("keep tile#1", "keep tile#2", "keep tile#3", "no"), lambda _option: "", worth)
    assert [line.split()[1:3] for line in listed(found)] == [["Worth", "1"], ["Worth", "2"], ["no", "science"]]
    assert [found.read(text) for text in ("1", "worth 1", "keep tile#3")] == ["keep tile#1"] * 3


def worth(option: Value) -> str:
    return {"keep tile#1": "Worth 1", "keep tile#2": "Worth 2", "keep tile#3": "Worth 1"}.get(str(option), "")


def test_three_amounts_stand_one_by_one_and_more_in_one_row() -> None:
    three, four = ([Amount(range(1, end), range(end - 1))] for end in (4, 5))
    assert [line.split() for line in listed(choices(1, 2, 3), amounts=three)] == [["1"], ["2"], ["3"]]
    assert listed(choices(1, 2, 3, 4), amounts=four) == ["     1 … 4"]


def test_what_only_repeats_an_option_is_not_said_beside_it() -> None:
    draft: Any = Offer("wait")
    draft.price = lambda _option: ()
    (line,) = listed(offered(draft, str))
    assert line.split() == ["1", "wait"]
