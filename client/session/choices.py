# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a draft as data, and the option that a typed text means.

Every option has a number and a notation. A number, the notation, or a unique prefix of its words picks it; so do
beginnings of some of its words in order, if no other option matches. Text that matches several options narrows the list
to those, and so do the first and the last number of a group. A space matches a hyphen, and accents are ignored. If the
options are numbers themselves, a typed number is an amount. Options that recur turn by turn keep their numbers and have
letters. Cards with the same words are one option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import groupby
from typing import Any, Final

from client.session.draft import Draft
from client.session.notation import forms
from client.show.pictures import Frame, Pictures
from client.system.texts import _
from client.words import refusal_text
from client.words.plain import number_of, words_of
from engine.core.dataclass import dataclass
from engine.core.errors import Refusal
from engine.core.values import Value
from engine.core.waits import Choose

ENDS: Final = frozenset({"done", "pass", "stay"})
"""Words that end a choice or decline it. Among words alone they stand first; the game sorts them with the others."""
LONGEST: Final = 8
"""Most words that may form a first answer."""
RUN: Final = 3
"""Consecutive numbers that are listed one by one; more are listed as a range."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The typed text matches several options: their indices."""

    options: Sequence[int]


class Choices:
    """The options of a draft at one moment: answers to the question first, then asides.

    Attributes:
        options: the options, as values of the game.
        main: how many of them answer the question; the rest are asides.
        texts: for each option the text that is shown.
        numbers: for each option its number.
        letters: for each option its letter, "" for most.
        amounts: True if the options are amounts, so that a typed number is an amount.
        display_names: what things are called at this table.
    """

    def __init__(self, draft: Draft, ask: Choose[Any], pictures: Pictures, frame: Frame) -> None:
        """ask: the next question of the draft."""
        questions, so_far = pictures.questions, draft.so_far
        self._draft, self._aside, self._lasting = draft, questions.aside, questions.lasting(ask)
        self._title = cache(lambda option: questions.title(frame, ask, option, so_far))
        self._hint = cache(lambda option: questions.hint(frame, ask, option, so_far))
        self._notation = partial(forms, pictures, frame, ask, so_far=so_far)
        self.display_names = frame.display_names
        places = {option: place for place, (option, _letter) in enumerate(self._lasting)}
        offered = draft.options()
        ends = ENDS if all(isinstance(option, str) for option in offered) else frozenset[str]()

        def order(option: Value) -> tuple[bool, int, bool]:
            """Asides last, recurring options in their own order; of the others first the one that ends the choice, then
            the rest in the game's order."""
            return questions.aside(option), places.get(option, len(places)), option not in ends

        shown = {option: next(self._forms(option)) for option in sorted(offered, key=order)}
        alike: dict[object, list[Value]] = {}
        for option, text in shown.items():
            alike.setdefault((self._title(option), self._hint(option)) if "#" in text else option, []).append(option)
        self._alike = [*alike.values()]
        self.options: Sequence[Value] = [option for option, *_same in self._alike]
        later = iter(range(len(places) + 1, len(places) + len(self.options) + 1))
        found = [places.get(option) for option in self.options]
        self.numbers = [next(later) if place is None else place + 1 for place in found]
        self.letters = ["" if place is None else self._lasting[place][1] for place in found]
        self.main = sum(not questions.aside(option) for option in self.options)
        self.texts = [shown[option] for option in self.options]
        self.amounts = any(
            isinstance(option, int) and text == str(option)
            for option, text in zip(self.options, self.texts, strict=True)
        )

    def _forms(self, option: Value) -> Iterator[str]:
        """The texts that mean an option, the shown one first, its title last."""
        yield from self._notation(option)
        if title := self._title(option):
            yield title

    @cached_property
    def forms(self) -> Sequence[Sequence[str]]:
        """For each option the texts that mean it, the shown one first; worked out when somebody types."""
        return [tuple(form for option in alike for form in self._forms(option)) for alike in self._alike]

    def read(self, text: str) -> Value | Narrowed | Refusal:
        """The option that a text means, the several that it matches, or why there is none."""
        wanted = words_of(text)
        exact = self._fitting(lambda words: words == wanted)
        if exact:
            return self.options[exact[0]]
        numbered = self._numbered(text.strip().lower())
        if numbered:
            return numbered[0]
        several = self._between(text)
        if several:
            return Narrowed(several) if len(several) > 1 else self.options[several[0]]
        for option, reason in self._draft.refused():
            if any(words_of(form) == wanted for form in self._forms(option)):
                return reason
        near = self._fitting(lambda words: begins(words, wanted)) or self._fitting(lambda words: skips(words, wanted))
        if near and not any(skips(words_of(self.texts[at]), wanted) for at in near):
            for option, reason in self._draft.refused():
                if begins(words_of(next(self._forms(option))), wanted):
                    return reason  # the refused option itself, not one that only has this name
        if len(near) == 1:
            return self.options[near[0]]
        if near:
            return Narrowed(near)
        if not self.amounts and text.strip().isascii() and text.strip().isdecimal():
            return Refusal("notation/number", "", (text.strip(), max(self.numbers, default=0)))
        return Refusal("notation/unknown", "", (text, *self.texts[:12]))

    def exactly(self, text: str) -> bool:
        """True if the text is an option, word for word."""
        wanted = words_of(text)
        return bool(self._fitting(lambda words: words == wanted))

    def _numbered(self, text: str) -> Sequence[Value | Refusal]:
        """The one option of a number or of a recurring option's letter, which may be None; () for any other text, and
        if numbers are amounts."""
        for number, (option, letter) in enumerate(self._lasting, 1):
            if text in (str(number), letter):
                refused = (reason for each, reason in self._draft.refused() if each == option)
                return (option if option in self.options else next(refused, Refusal("notation/not-now")),)
        at = None if self.amounts else number_of(text)
        return (self.options[self.numbers.index(at)],) if at is not None and at in self.numbers else ()

    def _between(self, text: str) -> list[int]:
        """The options of the numbers before a group, such as “8-13”; none for any other text, and if numbers are
        amounts."""
        match [number_of(part.strip()) for part in text.replace("–", "-").split("-")]:
            case [int(first), int(last)] if not self.amounts:
                return [at for at, number in enumerate(self.numbers) if first <= number <= last]
        return []

    def _fitting(self, fits: Callable[[list[str]], bool]) -> list[int]:
        """The options whose first form fits, else those with any form that fits."""
        first = [at for at, text in enumerate(self.texts) if fits(words_of(text))]
        return first or [at for at, forms in enumerate(self.forms) if any(fits(words_of(form)) for form in forms)]

    def divided(self, text: str) -> str:
        """The text with `;` after the first words that form an answer, or "" if none do."""
        words = text.split()
        for at in range(min(len(words) - 1, LONGEST), 0, -1):
            if not isinstance(self.read(" ".join(words[:at])), Narrowed | Refusal):
                return f"{' '.join(words[:at])}; {' '.join(words[at:])}"
        return ""

    def why(self, text: str = "", asides: bool = True, *, titled: bool = False) -> dict[str, list[str]]:
        """Refused options by reason; with `text` only those that it may mean. titled: use titles instead of notation.

        Options whose notation is only a card number always have titles.
        """
        wanted, found = words_of(text), dict[str, list[str]]()
        for option, refusal in self._draft.refused():
            if not asides and self._aside(option):
                continue
            said = self._forms(option)
            first = next(said)
            if not wanted or any(skips(words_of(form), wanted) for form in (first, *said)):
                title = self._title(option) if titled or "#" in first else ""
                found.setdefault(refusal_text(refusal, self.display_names), []).append(title or first)
        return found

    def codes(self) -> dict[str, str]:
        """The code of each reason in `why`."""
        return {refusal_text(refusal, self.display_names): refusal.code for _option, refusal in self._draft.refused()}

    def hint(self, at: int) -> str:
        """What an option means here, beyond its notation; "" if nothing."""
        return self._hint(self.options[at])

    def price(self, at: int) -> Sequence[tuple[str, int]]:
        """The cost (negative) or gain of an option, by resource in words."""
        return tuple((self.display_names(name), amount) for name, amount in self._draft.price(self.options[at]))

    def search(self, text: str) -> frozenset[int]:
        """The options with these words or beginnings of them, in order; all for "" ."""
        wanted = words_of(text)
        return frozenset(
            at for at, forms in enumerate(self.forms) if any(skips(words_of(form), wanted) for form in forms)
        )

    def title(self, at: int) -> str:
        """An option in words; its notation where there are none."""
        return self._title(self.options[at]) or self.texts[at]

    def shown(self, at: int) -> str:
        """An option in notation; in words if its notation is only a card number, which says nothing to people."""
        return self.title(at) if "#" in self.texts[at] else self.texts[at]

    def about(self, at: int) -> str:
        """The meaning and cost of an option, or its words if there is nothing to add."""
        plain = isinstance(self.options[at], int) or words_of(self.title(at)) == words_of(self.texts[at])
        parts = (self.hint(at) or ("" if plain else self.title(at)), price_text(self.price(at)))
        return "; ".join(part for part in parts if part)


def price_text(price: Sequence[tuple[str, int]]) -> str:
    """The cost or gain of an option, such as “materials -5”."""
    return ", ".join(f"{name} {amount:+}" if amount else f"{name} 0" for name, amount in price)


def begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if each wanted word is a prefix of the word at its position; a number only matches itself."""
    return len(wanted) <= len(words) and all(
        word == part or (word.startswith(part) and not part.lstrip("-").isdigit())
        for word, part in zip(words, wanted, strict=False)
    )


def skips(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if the wanted words are prefixes of some of the words, in order; a number only matches itself."""
    rest = iter(words)
    return all(any(begins((word,), (part,)) for word in rest) for part in wanted)


def completions(choices: Choices, text: str) -> list[str]:
    """The option texts that complete an unfinished text."""
    done, _space, last = text.lower().rpartition(" ")
    wanted = [*words_of(done), *words_of(last)]
    fits = (next((form for form in forms if begins(words_of(form), wanted)), "") for forms in choices.forms)
    return [form for form in fits if form]


def few(options: Sequence[str]) -> str:
    """The first of some options, and the number of the others; numbers as ranges."""
    if all(map(str.isdecimal, options)):
        return ", ".join(_runs([*map(int, options)]))
    more = len(options) - 1
    return _("{first} and {more} more").format(first=options[0], more=more) if more else options[0]


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Numbers, with consecutive ones as ranges."""
    for _first, some in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        row = [number for _at, number in some]
        yield from [f"{row[0]} … {row[-1]}"] if len(row) > RUN else map(str, row)
