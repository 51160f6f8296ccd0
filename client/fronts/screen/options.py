# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a question as entries of a list that fits the screen: one by one, or grouped by first words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.session.choices import Choices, begins, price_text
from client.session.forms import Amount, PickedStage
from client.session.view_records import Ask, ListedOption
from client.words import DisplayNames
from client.words.plain import words_of

__all__ = ["MOST", "OptionRow", "begun", "beyond", "entries", "places", "single", "stages"]

MOST: Final = 12
"""Most options listed one by one; more are grouped."""
FEW: Final = 2
"""Groups of at most this many options are listed one by one all the same."""


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


def entries(
    ask: Ask,
    choices: Choices,
    display_names: DisplayNames,
    path: tuple[str, ...] = (),
    only: str = "",
    word: str = "",
    of: frozenset[int] | None = None,
) -> list[OptionRow]:
    """The rows for the options that begin with the words of the path, name the space, belong to the cell and fit the
    search word. Options that differ only in a number share one row."""
    wanted = words_of(word)
    first = {at: amount.options[0] for amount in ask.amounts for at in amount.options}
    later = {at for at, row in first.items() if row != at}
    rows = None if of is None else {first.get(at, at) for at in of}
    chosen = [
        at
        for at, option in enumerate(ask.options)
        if at not in later
        and (not only or only in option.places)
        and (rows is None or at in rows)
        and tuple(_words(option)[: len(path)]) == path
        and (not wanted or any(begins(words_of(text)[skip:], wanted) for text in _texts(option) for skip in range(8)))
    ]
    main = [at for at in chosen if not ask.options[at].aside]
    aside = [at for at in chosen if ask.options[at].aside]
    listed = (
        _grouped(ask, choices, display_names, main, len(path))
        if len(main) > MOST
        else _singly(ask, choices, display_names, main)
    )
    if not path and not only and not wanted and len(aside) > FEW:
        return [*listed, *_groups(ask, choices, display_names, aside, 0)]
    rest = (
        _grouped(ask, choices, display_names, aside, len(path))
        if len(aside) > MOST
        else _singly(ask, choices, display_names, aside)
    )
    return [*listed, *rest]


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
        if (not only or only in option.places) and tuple(_words(option)[: len(path)]) == path:
            found |= dict.fromkeys(place for place in option.places if place != only)
    return found if listed else {}


def _words(option: ListedOption) -> list[str]:
    return option.text.lower().replace(":", " ").split()


def _texts(option: ListedOption) -> tuple[str, str]:
    return option.text, option.title


def _singly(ask: Ask, choices: Choices, display_names: DisplayNames, chosen: Sequence[int]) -> list[OptionRow]:
    return [single(ask, choices, display_names, at) for at in chosen]


def single(ask: Ask, choices: Choices, display_names: DisplayNames, at: int) -> OptionRow:
    """An option as a row of its own."""
    option = ask.options[at]
    about = "; ".join(
        part for part in (beyond(option.title, option.hint), price_text(option.price, display_names)) if part
    )
    amount = next((each for each in ask.amounts if each.options[0] == at), None)
    return OptionRow(option.title, about, at, (), choices.letters[at], option.places, amount=amount)


def beyond(title: str, hint: str) -> str:
    """What a hint says beyond the name with which the title ends."""
    if words_of(hint) == words_of(title)[-len(words_of(hint)) :]:
        return ""
    words = title.split()
    names = (" ".join(words[at:]).lower() for at in range(len(words)))
    name = next((name for name in names if hint.lower().startswith((f"{name}: ", f"{name}, ", f"{name}; "))), "")
    return hint[len(name) + 2 :] if name else hint


def _grouped(
    ask: Ask, choices: Choices, display_names: DisplayNames, chosen: Sequence[int], depth: int
) -> list[OptionRow]:
    """Group options by the first differing word from `depth` on; one by one if no word differs."""
    longest = max((len(_words(ask.options[at])) for at in chosen), default=0)
    for at in range(depth, longest):
        if len({tuple(_words(ask.options[one])[: at + 1]) for one in chosen}) > 1:
            found = _groups(ask, choices, display_names, chosen, at)
            return found if len(found) < len(chosen) else _singly(ask, choices, display_names, chosen)
    return _singly(ask, choices, display_names, chosen)


def _groups(
    ask: Ask, choices: Choices, display_names: DisplayNames, chosen: Sequence[int], depth: int
) -> list[OptionRow]:
    """Groups by the words up to `depth`, each named by the words that the titles of its options begin with."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for at in chosen:
        groups.setdefault(tuple(_words(ask.options[at])[: depth + 1]), []).append(at)
    listed: list[OptionRow] = []
    named_by = {path: begun([ask.options[at].title for at in group]) for path, group in groups.items()}
    for path, group in groups.items():
        if len(group) <= FEW:
            listed += _singly(ask, choices, display_names, group)
        else:
            named = dict.fromkeys(place for at in group for place in ask.options[at].places)
            shared = named_by[path]
            if not shared or list(named_by.values()).count(shared) > 1:
                shared = " ".join(display_names(word) for word in path)
            listed.append(OptionRow(f"{shared[:1].upper()}{shared[1:]} …", "", -1, path, "", tuple(named), len(group)))
    return listed


def begun(titles: Sequence[str]) -> str:
    """The words with which all these titles begin."""
    rows = [title.split(" ") for title in titles]
    same = 0
    while rows and all(len(row) > same and row[same] == rows[0][same] for row in rows):
        same += 1
    return " ".join(rows[0][:same]).rstrip(":,;(") if rows else ""
