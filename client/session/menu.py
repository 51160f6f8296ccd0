# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a question as one list, the same on all fronts: each front draws its entries in its own way.

Options that differ only in a number share an entry. Long lists are grouped by first words; a group is opened by the
words that its options begin with.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from client.session.notation import Amount, PickedStage
from client.session.view_records import Ask, ListedOption
from client.words import DisplayNames
from engine.core.dataclass import dataclass

MOST: Final = 12
"""Most options listed one by one; more are grouped."""
FEW: Final = 3
"""Groups of at most this many options are listed one by one all the same."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of the list: an option, options that differ only in a number, a group, or a picked stage of the answer,
    which it changes.

    Attributes:
        title: the option in words; for a group the words that its options begin with.
        options: its options by index, () for a stage.
        path: the first words of the notation that its options alone have; () unless it is a group.
        amount: the numbers of its options; None without any.
        at: the index of the number that is set.
        part: the index of the stage, -1 without one.
        stage: the stage; None without one.
    """

    title: str
    options: Sequence[int] = ()
    path: tuple[str, ...] = ()
    amount: Amount | None = None
    at: int = 0
    part: int = -1
    stage: PickedStage | None = None

    @property
    def option(self) -> int:
        """The option that it picks, -1 for a group and a stage."""
        if self.amount is not None:
            return self.amount.options[self.at]
        return self.options[0] if self.options and not self.path else -1

    def places(self, ask: Ask) -> Sequence[str]:
        """The spaces of the map that it names."""
        options = self.options if self.path else [self.option] if self.options else []
        return [*dict.fromkeys(place for at in options for place in ask.options[at].places)]


def entries(
    ask: Ask,
    display_names: DisplayNames,
    chosen: Container[int] | None = None,
    path: tuple[str, ...] = (),
    most: int = MOST,
) -> list[MenuEntry]:
    """The entries of the options that are chosen and begin with the words of the path, those last that do not answer
    the question. chosen: options by index; None for all. most: how many are listed one by one."""
    amounts = {at: amount for amount in ask.amounts for at in amount.options}
    found: dict[int, list[int]] = {}
    for at in range(len(ask.options)):
        if chosen is None or at in chosen:
            found.setdefault(amounts[at].options[0] if at in amounts else at, []).append(at)
    kept = {at: words for at in found if (words := first_words(ask.options[at]))[: len(path)] == path}
    main = {at: words for at, words in kept.items() if not ask.options[at].aside}
    aside = {at: words for at, words in kept.items() if ask.options[at].aside}
    apart = _begun_alike(aside, 1) if chosen is None and not path else _grouped(aside, most)
    groups, listed = [*_grouped(main, most), *apart], list[MenuEntry]()
    shared = [begun([ask.options[at].title for at in group]) for group in groups]
    for group, title in zip(groups, shared, strict=True):
        if len(group) <= FEW:
            listed += [MenuEntry(ask.options[at].title, found[at], amount=amounts.get(at)) for at in group]
            continue
        words = _shared([kept[at] for at in group])
        named = title if title and shared.count(title) == 1 else " ".join(map(display_names, words))
        listed.append(MenuEntry(f"{named[:1].upper()}{named[1:]}", [one for at in group for one in found[at]], words))
    return listed


def stages(parts: Sequence[PickedStage]) -> list[MenuEntry]:
    """The entries that change the picked stages of an answer, those with a single option left out."""
    changed = [(at, part) for at, part in enumerate(parts) if len(part.titles) > 1]
    return [MenuEntry(part.titles[part.chosen], part=at, stage=part) for at, part in changed]


def first_words(option: ListedOption) -> tuple[str, ...]:
    """The words of an option by which it is grouped."""
    return tuple(option.text.lower().replace(":", " ").split())


def begun(titles: Sequence[str]) -> str:
    """The words with which all these titles begin."""
    return " ".join(_shared([tuple(title.split(" ")) for title in titles])).rstrip(":,;(")


Words = dict[int, tuple[str, ...]]


def _grouped(some: Words, most: int) -> list[list[int]]:
    """Options one by one or, if there are too many, by the first word that differs."""
    depth = len(_shared([*some.values()])) + 1
    groups = _begun_alike(some, depth) if len(some) > most else []
    return groups if len(groups) > 1 else [[at] for at in some]


def _begun_alike(some: Words, depth: int) -> list[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for at, words in some.items():
        groups.setdefault(words[:depth], []).append(at)
    return [*groups.values()]


def _shared(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The words with which all rows begin."""
    same = 0
    while rows and all(len(row) > same and row[same] == rows[0][same] for row in rows):
        same += 1
    return rows[0][:same] if rows else ()
