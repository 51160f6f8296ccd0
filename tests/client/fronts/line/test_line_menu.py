"""The list of options: everything that can be picked can be seen and told apart."""

from __future__ import annotations

from typing import Any

from client.fronts.line.menu import GROUPS, MOST, OptionMenu
from client.session.choices import Choices
from engine.core.errors import Refusal
from engine.core.values import Value


class Offer:
    """As much of a draft as a menu asks."""

    def __init__(self, *options: str | int) -> None:
        self._options = options

    def options(self) -> tuple[str | int, ...]:
        return self._options

    def price(self, option: str | int) -> tuple[tuple[str, int], ...]:
        return (("science", -len(option)),) if isinstance(option, str) else ()

    def refused(self) -> list[tuple[int, Refusal]]:
        return [(n, Refusal("bid/too-high", "", (0,))) for n in range(1, 9) if n not in self._options]


def choices(*options: str | int) -> Choices:
    draft: Any = Offer(*options)
    return Choices(draft, lambda option: "pasar" if option == "pass" else "", lambda option: False)


def menu(*options: str | int) -> OptionMenu:
    return OptionMenu(choices(*options))


def test_the_number_of_a_shown_option_means_it_whatever_is_refused() -> None:
    """Who can bid nothing reads `1  pass`, beside bids that are refused."""
    assert choices("pass").read("1") == "pass"
    assert choices("pass").read("2") == Refusal("bid/too-high", "", (0,))
    assert choices(1, 2, "pass").read("1") == 1


def test_amounts_stand_in_one_row_also_beside_a_word_with_a_meaning() -> None:
    assert menu("pass", *range(1, 9)).lines(80)[1:] == ["     1 … 8"]
    assert menu("pass", *range(1, 9)).lines(80)[0].split() == ["pass", "pasar;", "science", "-4"]


def test_a_heap_that_no_first_words_sort_is_listed_one_by_one_with_its_costs() -> None:
    names = [f"buy tech-{number:02}" for number in range(MOST + GROUPS)]
    lines = menu(*names).lines(80)
    assert [line.split()[2] for line in lines] == [name.split()[1] for name in names]
    assert all("science -" in line for line in lines)


def test_many_options_of_few_kinds_are_grouped_by_kind() -> None:
    names = [f"{kind} part-{number:02}" for kind in ("cruiser", "dreadnought") for number in range(MOST)]
    lines = menu(*names).lines(400)
    assert [line.split()[1] for line in lines] == ["cruiser", "dreadnought"]


def test_a_card_is_listed_by_what_it_is_and_not_by_its_number() -> None:
    draft: Any = Offer("traitor#3", "no")

    def title(option: Value) -> str:
        return "Keep Saboteur" if option == "traitor#3" else ""

    listed = OptionMenu(
        Choices(draft, lambda option: "", lambda option: False, forms=lambda option: (str(option),), title=title)
    ).lines(80)
    assert listed[0].split()[:3] == ["1", "Keep", "Saboteur"]
    assert not any("#" in line for line in listed)
