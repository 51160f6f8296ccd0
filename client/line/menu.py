"""The options of a draft as a person reads and types them.

Every option has a number and a notation.  A number, the notation, or a prefix of its words that fits one option alone
picks it; a prefix that fits several narrows the list to those.  Long lists are shown by first words until then.  Where
options are numbers themselves, a number means nothing else, and the list has none of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from client.line.draft import Draft
from client.names import columns
from client.show.styled import padded, wrapped
from client.texts import _
from client.wording import PLAIN, Called, refusal_text
from engine.core.errors import Refusal
from engine.core.notation import format_value
from engine.core.values import Value

__all__ = ["Menu", "Narrowed", "completions", "price_text"]

MOST: Final = 24
"""Options listed one by one; more are listed by their first words."""
GROUPS: Final = 12
"""Groups that they are listed in."""
FEW: Final = 3
"""Options of a group that are listed one by one all the same."""
REASONS: Final = 4
"""Reasons listed without being asked for."""
LONGEST: Final = 8
"""Words among which a first answer is looked for."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What was typed fits several options: their numbers, from 0."""

    options: Sequence[int]


Hint = Callable[[Value], str]
Forms = Callable[[Value], Sequence[str]]


class Menu:
    """The options of a draft at one moment, what is asked for first, asides after it.

    hint: what an option means here, or ""; called: what things are called at this table; forms: the texts that mean an
    option, the one that is shown first.
    """

    def __init__(
        self,
        draft: Draft,
        hint: Hint,
        aside: Callable[[Value], bool],
        called: Called = PLAIN,
        forms: Forms = lambda option: (format_value(option),),
    ) -> None:
        self._draft, self._hint, self._aside, self._called, self._forms = draft, hint, aside, called, forms
        self.options: Sequence[Value] = sorted(draft.options(), key=aside)
        self._main = sum(not aside(option) for option in self.options)
        self.forms = [forms(option) for option in self.options]
        self.texts = [each[0] for each in self.forms]
        self._amounts = any(
            isinstance(option, int) and text == str(option)
            for option, text in zip(self.options, self.texts, strict=True)
        )

    # Reading ---------------------------------------------------------------------------------------------------------

    def read(self, text: str) -> Value | Narrowed | Refusal:
        """The option that a text means, several that it may mean, or why there is none."""
        wanted = _words(text)
        exact = self._fitting(lambda words: words == wanted)
        if exact:
            return self.options[exact[0]]
        if not self._amounts and len(wanted) == 1 and wanted[0].isascii() and wanted[0].isdecimal():
            number = int(wanted[0])
            if 1 <= number <= len(self.options):
                return self.options[number - 1]
        for option, reason in self._draft.refused():
            if any(_words(form) == wanted for form in self._forms(option)):
                return reason
        near = self._fitting(lambda words: _begins(words, wanted))
        if len(near) == 1:
            return self.options[near[0]]
        if near:
            return Narrowed(near)
        return Refusal("notation/unknown", "", (text, *self.texts[:12]))

    def _fitting(self, fits: Callable[[list[str]], bool]) -> list[int]:
        """The options of which the first form fits, else those of which any does."""
        first = [at for at, text in enumerate(self.texts) if fits(_words(text))]
        return first or [at for at, forms in enumerate(self.forms) if any(fits(_words(form)) for form in forms)]

    def divided(self, text: str) -> str:
        """The text with `;` after the words that are an answer by themselves, or "" where no first words are one."""
        words = text.split()
        for at in range(min(len(words) - 1, LONGEST), 0, -1):
            if not isinstance(self.read(" ".join(words[:at])), Narrowed | Refusal):
                return f"{' '.join(words[:at])}; {' '.join(words[at:])}"
        return ""

    def why(self, text: str, asides: bool = True) -> dict[str, list[str]]:
        """What is refused by the reason for it; of a text only what begins like it."""
        wanted, found = _words(text), dict[str, list[str]]()
        for option, refusal in self._draft.refused():
            notation = self._forms(option)[0]
            if (asides or not self._aside(option)) and _begins(_words(notation), wanted):
                found.setdefault(refusal_text(refusal, self._called), []).append(notation)
        return found

    # Showing ---------------------------------------------------------------------------------------------------------

    def lines(self, width: int, only: Sequence[int] | None = None) -> list[str]:
        """The options, or only some of them, as a list with what they mean and cost."""
        if only is not None:
            return self._some(list(only), width)
        asides = self._groups(range(self._main, len(self.options)), 1)
        return [
            *self._some(list(range(self._main)), width),
            *(line for group in asides for line in self._group(group, width)),
        ]

    def _some(self, chosen: Sequence[int], width: int) -> list[str]:
        """Options one by one, or where there are too many by their first words: as many words as there is room for."""
        amounts = [at for at in chosen if isinstance(self.options[at], int)]
        if self._amounts and (len(chosen) > MOST or not any(map(self._about, amounts))):
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
        if len(groups) == 1:  # no first words to sort by: nobody can choose from a heap
            return [line for at in chosen for line in self._option(at, width)]
        return [line for group in groups for line in self._group(group, width)]

    def _ranges(self, chosen: Sequence[int], width: int) -> list[str]:
        """Amounts, many or without a hint: from the first to the last of a row; other options one by one."""
        lines: list[str] = []
        at = 0
        while at < len(chosen):
            first, end = self.options[chosen[at]], at + 1
            while isinstance(first, int) and end < len(chosen) and self.options[chosen[end]] == first + end - at:
                end += 1
            if end - at > FEW:
                lines.append(f"     {first} … {self.texts[chosen[end - 1]]}")
            else:
                lines += [line for one in chosen[at:end] for line in self._option(one, width)]
            at = end
        return lines

    def _split(self, group: Sequence[int]) -> list[list[int]]:
        """By the first word that is not the same in all."""
        words = [_words(self.texts[at]) for at in group]
        for depth in range(1, max(map(len, words), default=0) + 1):
            if len({tuple(each[:depth]) for each in words}) > 1:
                return self._groups(group, depth)
        return [list(group)]

    def reasons(self, width: int) -> list[str]:
        """What is refused of what is asked for, briefly: one line a reason, with what it concerns."""
        found, lines = self.why("", asides=False), list[str]()
        for reason, options in list(found.items())[:REASONS]:
            more = len(options) - 1
            what = _("{first} and {more} more").format(first=options[0], more=more) if more else options[0]
            if all(map(str.isdecimal, options)):
                what = ", ".join(_runs([*map(int, options)]))
            lines += wrapped(f"  x  {what}: {reason}", width, " " * 5)
        if len(found) > REASONS:
            lines.append(_("  x  … and more: type why"))
        return lines

    def _option(self, at: int, width: int) -> Iterator[str]:
        about = self._about(at)
        head = "     " if self._amounts else f"{at + 1:3}  "
        if not about:
            yield head + self.texts[at]
            return
        column = min(max(columns(self.texts[at]), 26), width // 2)
        yield from wrapped(f"{head}{padded(self.texts[at], column)}  {about}", width, " " * (len(head) + 4))

    def _about(self, at: int) -> str:
        """What an option means and costs."""
        option = self.options[at]
        parts = (self._hint(option), price_text(self._draft.price(option), self._called))
        return "; ".join(part for part in parts if part)

    def _groups(self, chosen: Iterable[int], depth: int) -> list[list[int]]:
        """Options with the same first words."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for at in chosen:
            groups.setdefault(tuple(_words(self.texts[at])[:depth]), []).append(at)
        return list(groups.values())

    def _group(self, group: Sequence[int], width: int) -> Iterator[str]:
        if len(group) <= FEW:
            for at in group:
                yield from self._option(at, width)
            return
        words = [self.texts[at].split(" ") for at in group]
        depth = 1
        while len({tuple(each[: depth + 1]) for each in words}) == 1:
            depth += 1
        numbers = "" if self._amounts else f"{group[0] + 1}-{group[-1] + 1}"
        prefix = " ".join(words[0][:depth])
        following = ", ".join(dict.fromkeys(each[depth] for each in words if len(each) > depth))
        yield from wrapped(f"{numbers:>7}  {prefix} … ({len(group)}): {following}", width, " " * 9)


def price_text(price: Sequence[tuple[str, int]], called: Called = PLAIN) -> str:
    """What an option costs or brings: “materials -5”."""
    return ", ".join(f"{called(name)} {amount:+}" for name, amount in price)


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Numbers, those of a row by its first and last."""
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            row = numbers[start:at]
            yield from [f"{row[0]} … {row[-1]}"] if len(row) > FEW else map(str, row)
            start = at


def _words(text: str) -> list[str]:
    return text.lower().replace(":", " ").split()


def _begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether each wanted word begins the word at its place; a number only fits itself."""
    return len(wanted) <= len(words) and all(
        word == part or (word.startswith(part) and not part.lstrip("-").isdigit())
        for word, part in zip(words, wanted, strict=False)
    )


def completions(menu: Menu, text: str) -> list[str]:
    """Texts of the options that an unfinished text may become."""
    done, _space, last = text.lower().rpartition(" ")
    wanted = [part for part in (*_words(done), last) if part]
    fits = (next((form for form in forms if _begins(_words(form), wanted)), "") for forms in menu.forms)
    return [form for form in fits if form]
