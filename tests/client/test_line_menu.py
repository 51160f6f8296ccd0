"""The list of options: everything that can be picked can be seen and told apart."""

from __future__ import annotations

from typing import Any

from client.line.menu import GROUPS, MOST, Menu


class Offer:
    """As much of a draft as a menu asks."""

    def __init__(self, *options: str) -> None:
        self._options = options

    def options(self) -> tuple[str, ...]:
        return self._options

    def price(self, option: str) -> tuple[tuple[str, int], ...]:
        return (("science", -len(option)),)

    def refused(self) -> tuple[()]:
        return ()


def menu(*options: str) -> Menu:
    draft: Any = Offer(*options)
    return Menu(draft, lambda option: "", lambda option: False)


def test_a_heap_that_no_first_words_sort_is_listed_one_by_one_with_its_costs() -> None:
    names = [f"buy tech-{number:02}" for number in range(MOST + GROUPS)]
    lines = menu(*names).lines(80)
    assert [line.split()[2] for line in lines] == [name.split()[1] for name in names]
    assert all("science -" in line for line in lines)


def test_many_options_of_few_kinds_are_grouped_by_kind() -> None:
    names = [f"{kind} part-{number:02}" for kind in ("cruiser", "dreadnought") for number in range(MOST)]
    lines = menu(*names).lines(400)
    assert [line.split()[1] for line in lines] == ["cruiser", "dreadnought"]
