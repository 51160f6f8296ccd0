# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a draft as a list to read.

Long lists are shown by first words until a typed text narrows them. If the options are numbers themselves, the list is
not numbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from client.session.choices import Choices, few
from client.session.view import SessionView
from client.show.styled import padded, wrapped
from client.system.names import columns
from client.system.texts import _

__all__ = ["OptionMenu", "picked_text"]

MOST: Final = 24
"""Most options listed one by one; more are listed by their first words."""
GROUPS: Final = 12
"""Most groups in such a list."""
FEW: Final = 3
"""Groups of at most this many options are listed one by one all the same."""
REASONS: Final = 4
"""Reasons listed below the options."""


class OptionMenu:
    """The options of a draft as lines of text."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices

    def lines(self, width: int, only: Sequence[int] | None = None) -> list[str]:
        """The options, or only some of them, as a list with hints and prices."""
        if only is not None:
            return self._some(list(only), width)
        asides = self._groups(range(self._choices.main, len(self._choices.options)), 1)
        return [
            *self._some(list(range(self._choices.main)), width),
            *(line for group in asides for line in self._group(group, width)),
        ]

    def _some(self, chosen: Sequence[int], width: int) -> list[str]:
        """Options one by one, or, if there are too many, by as many first words as there is room for."""
        amounts = [at for at in chosen if isinstance(self._choices.options[at], int)]
        if self._choices.amounts and (len(chosen) > MOST or not any(map(self._choices.about, amounts))):
            return self._ranges(chosen, width)
        if len(chosen) <= MOST:
            return [line for at in chosen for line in self._option(at, width)]
        groups = [list(chosen)]
        while True:
            large = max((group for group in groups if len(group) > FEW), key=len, default=[])
            parts = self._split(large)
            at = groups.index(large) if large else 0
            if len(parts) < 2 or len(groups) + len(parts) - 1 > GROUPS:
                break
            groups[at : at + 1] = parts
        if len(groups) == 1:  # there are no first words to group by
            return [line for at in chosen for line in self._option(at, width)]
        return [line for group in groups for line in self._group(group, width)]

    def _ranges(self, chosen: Sequence[int], width: int) -> list[str]:
        """Many amounts, or amounts without a hint, as ranges; other options one by one."""
        lines: list[str] = []
        options = self._choices.options
        at = 0
        while at < len(chosen):
            first, end = options[chosen[at]], at + 1
            while isinstance(first, int) and end < len(chosen) and options[chosen[end]] == first + end - at:
                end += 1
            if end - at > FEW:
                lines.append(f"     {first} … {self._choices.texts[chosen[end - 1]]}")
            else:
                lines += [line for one in chosen[at:end] for line in self._option(one, width)]
            at = end
        return lines

    def _split(self, group: Sequence[int]) -> list[list[int]]:
        """Split a group by the first word that differs."""
        words = [_words(self._choices.texts[at]) for at in group]
        for depth in range(1, max(map(len, words), default=0) + 1):
            if len({tuple(each[:depth]) for each in words}) > 1:
                return self._groups(group, depth)
        return [list(group)]

    def reasons(self, width: int) -> list[str]:
        """The refused options in short: one line for each reason."""
        found, lines = self._choices.why("", asides=False), list[str]()
        for reason, options in list(found.items())[:REASONS]:
            lines += wrapped(f"  x  {few(options)}: {reason}", width, " " * 5)
        if len(found) > REASONS:
            lines.append(_("  x  … and more: type why"))
        return lines

    def _option(self, at: int, width: int) -> Iterator[str]:
        about = self._choices.about(at)
        number, letter = self._choices.numbers[at], self._choices.letters[at].upper()
        head = "     " if self._choices.amounts else f"{number:3}  " + f"{letter} " * bool(letter)
        text = self._choices.shown(at)
        if not about or about == text:
            yield from wrapped(head + text, width, " " * (len(head) + 4))
            return
        column = min(max(columns(text), 26), width // 2)
        yield from wrapped(f"{head}{padded(text, column)}  {about}", width, " " * (len(head) + 4))

    def _groups(self, chosen: Iterable[int], depth: int) -> list[list[int]]:
        """Options with the same first words."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for at in chosen:
            groups.setdefault(tuple(_words(self._choices.texts[at])[:depth]), []).append(at)
        return list(groups.values())

    def _group(self, group: Sequence[int], width: int) -> Iterator[str]:
        if len(group) <= FEW:
            for at in group:
                yield from self._option(at, width)
            return
        words = [self._choices.texts[at].split(" ") for at in group]
        depth = 1
        while len({tuple(each[: depth + 1]) for each in words}) == 1:
            depth += 1
        numbers = (
            "" if self._choices.amounts else f"{self._choices.numbers[group[0]]}-{self._choices.numbers[group[-1]]}"
        )
        prefix = " ".join(words[0][:depth])
        following = ", ".join(dict.fromkeys(each[depth] for each in words if len(each) > depth))
        yield from wrapped(f"{numbers:>7}  {prefix} … ({len(group)}): {following}", width, " " * 9)


def picked_text(view: SessionView) -> str:
    """The answers that are picked and not sent, in notation; in words where that holds the number of a card."""
    answers = view.titles if any("#" in answer for answer in view.picked) else view.picked
    return _("Picked, not sent: {answers}").format(answers="; ".join(answers))


def _words(text: str) -> list[str]:
    return text.lower().replace(":", " ").split()
