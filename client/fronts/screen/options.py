# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a question, and the picked stages of its answer, as the rows of the pane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from client.session.choices import Choices
from client.session.forms import Amount, PickedStage
from client.session.menu import entries, first_words
from client.session.view_records import Ask
from client.words import DisplayNames


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A row of the list.

    Attributes:
        text: the shown text.
        about: its meaning and price, "" for nothing to add.
        option: the index of the option; -1 for a group.
        path: the words that narrow the list to the group.
        letter: the key that always picks this option, "" for most.
        places: the spaces of the map that it names.
        count: the number of options in it.
        amount: the numbers that can be set; None without any.
        part: the index of the picked stage of the answer that this row changes; -1 for a row that picks.
        chosen: the number of its picked option, from 1, and the number of its options.
        numbers: those options if they are amounts.
    """

    text: str
    about: str
    option: int
    path: tuple[str, ...]
    letter: str
    places: Sequence[str]
    count: int = 1
    amount: Amount | None = None
    part: int = -1
    chosen: tuple[int, int] = (0, 0)
    numbers: Sequence[int] = ()


def rows(
    ask: Ask,
    choices: Choices,
    display_names: DisplayNames,
    path: tuple[str, ...] = (),
    only: str = "",
    word: str = "",
    of: frozenset[int] | None = None,
) -> list[OptionRow]:
    """The rows for the options that begin with the words of the path, name the space, belong to the cell and fit the
    search word."""
    chosen = of
    if word:
        chosen = choices.search(word) if chosen is None else chosen & choices.search(word)
    if only:
        named = frozenset(at for at, option in enumerate(ask.options) if only in option.places)
        chosen = named if chosen is None else chosen & named
    found = list[OptionRow]()
    for entry in entries(ask, display_names, chosen, path):
        if entry.path:
            spaces = dict.fromkeys(place for at in entry.options for place in ask.options[at].places)
            found.append(OptionRow(f"{entry.title} …", "", -1, entry.path, "", tuple(spaces), len(entry.options)))
        else:
            at = entry.amount.options[0] if entry.amount is not None else entry.options[0]
            found.append(single(ask, choices, at, entry.amount))
    return found


def single(ask: Ask, choices: Choices, at: int, amount: Amount | None = None) -> OptionRow:
    """An option as a row of its own."""
    option = ask.options[at]
    about = "; ".join(filter(None, (option.hint, option.cost)))
    return OptionRow(option.title, about, at, (), choices.letters[at], option.places, amount=amount)


def stages(parts: Sequence[PickedStage]) -> list[OptionRow]:
    """The rows that change the picked stages of an answer, those with a single option left out."""
    rows = [(at, part, (part.chosen + 1, len(part.titles))) for at, part in enumerate(parts) if len(part.titles) > 1]
    return [
        OptionRow(part.titles[part.chosen], "", -1, (), "", (), part=at, chosen=chosen, numbers=part.numbers)
        for at, part, chosen in rows
    ]


def places(listed: Sequence[OptionRow], ask: Ask, path: tuple[str, ...], only: str) -> dict[str, None]:
    """The spaces that the listed options name; for options with several spaces those that are not chosen yet."""
    found: dict[str, None] = {}
    for option in ask.options:
        if option.places and (not only or only in option.places) and first_words(option)[: len(path)] == path:
            found |= dict.fromkeys(place for place in option.places if place != only)
    return found if listed else {}
