"""The options of a draft as data, and which of them a typed text means.

Every option has a number and a notation.  A number, the notation, or a prefix of its words that fits one option alone
picks it; a prefix that fits several narrows the list to those.  Where options are numbers themselves, a number means
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from client.session.draft import Draft
from client.session.notation import forms
from client.show.pictures import Frame, Pictures
from client.wording import PLAIN, Called, refusal_text
from engine.core.errors import Refusal
from engine.core.notation import format_value
from engine.core.values import Value

__all__ = ["Choices", "Narrowed", "begins", "choices_of", "completions", "price_text", "words_of"]

LONGEST: Final = 8
"""Words among which a first answer is looked for."""

Hint = Callable[[Value], str]
Forms = Callable[[Value], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What was typed fits several options: their numbers, from 0."""

    options: Sequence[int]


class Choices:
    """The options of a draft at one moment: what is asked for first, asides after it.

    Attributes:
        options: the options, as values of the game.
        main: how many of them are answers to what is asked; the rest are asides.
        forms: for each option the texts that mean it, the one that is shown first.
        texts: for each option the text that is shown.
        amounts: True if options are numbers, so that a typed number is an amount and no option's number.
        called: what things are called at this table.
    """

    def __init__(
        self,
        draft: Draft,
        hint: Hint,
        aside: Callable[[Value], bool],
        called: Called = PLAIN,
        forms: Forms = lambda option: (format_value(option),),
        title: Hint = lambda _option: "",
    ) -> None:
        self._draft, self._hint, self._aside, self._forms, self._title = draft, hint, aside, forms, title
        self.called = called
        self.options: Sequence[Value] = sorted(draft.options(), key=aside)
        self.main = sum(not aside(option) for option in self.options)
        self.forms = [forms(option) for option in self.options]
        self.texts = [each[0] for each in self.forms]
        self.amounts = any(
            isinstance(option, int) and text == str(option)
            for option, text in zip(self.options, self.texts, strict=True)
        )

    def read(self, text: str) -> Value | Narrowed | Refusal:
        """The option that a text means, several that it may mean, or why there is none."""
        wanted = words_of(text)
        exact = self._fitting(lambda words: words == wanted)
        if exact:
            return self.options[exact[0]]
        if not self.amounts and len(wanted) == 1 and wanted[0].isascii() and wanted[0].isdecimal():
            number = int(wanted[0])
            if 1 <= number <= len(self.options):
                return self.options[number - 1]
        for option, reason in self._draft.refused():
            if any(words_of(form) == wanted for form in self._forms(option)):
                return reason
        near = self._fitting(lambda words: begins(words, wanted))
        if len(near) == 1:
            return self.options[near[0]]
        if near:
            return Narrowed(near)
        return Refusal("notation/unknown", "", (text, *self.texts[:12]))

    def _fitting(self, fits: Callable[[list[str]], bool]) -> list[int]:
        """The options of which the first form fits, else those of which any does."""
        first = [at for at, text in enumerate(self.texts) if fits(words_of(text))]
        return first or [at for at, forms in enumerate(self.forms) if any(fits(words_of(form)) for form in forms)]

    def divided(self, text: str) -> str:
        """The text with `;` after the words that are an answer by themselves, or "" where no first words are one."""
        words = text.split()
        for at in range(min(len(words) - 1, LONGEST), 0, -1):
            if not isinstance(self.read(" ".join(words[:at])), Narrowed | Refusal):
                return f"{' '.join(words[:at])}; {' '.join(words[at:])}"
        return ""

    def why(self, text: str = "", asides: bool = True) -> dict[str, list[str]]:
        """Refused options by the reason for it; with `text` only those that begin like it."""
        wanted, found = words_of(text), dict[str, list[str]]()
        for option, refusal in self._draft.refused():
            notation = self._forms(option)[0]
            if (asides or not self._aside(option)) and begins(words_of(notation), wanted):
                found.setdefault(refusal_text(refusal, self.called), []).append(notation)
        return found

    def hint(self, at: int) -> str:
        """What an option means here, beyond its notation; "" if nothing."""
        return self._hint(self.options[at])

    def price(self, at: int) -> Sequence[tuple[str, int]]:
        """What an option costs (negative) or brings, by resource."""
        return self._draft.price(self.options[at])

    def title(self, at: int) -> str:
        """An option in words; its notation where there are none."""
        return self._title(self.options[at]) or self.texts[at]

    def about(self, at: int) -> str:
        """What an option means and costs; where there is nothing to add to the words of the option, those."""
        plain = isinstance(self.options[at], int) or words_of(self.title(at)) == words_of(self.texts[at])
        parts = (self.hint(at) or ("" if plain else self.title(at)), price_text(self.price(at), self.called))
        return "; ".join(part for part in parts if part)


def choices_of(draft: Draft, pictures: Pictures, frame: Frame) -> Choices | None:
    """The options of a draft as a game shows them; None when the draft can only be sent or taken back."""
    ask, so_far = draft.ask, draft.so_far
    if ask is None:
        return None
    return Choices(
        draft,
        lambda option: pictures.hint(frame, ask, option, so_far),
        pictures.aside,
        frame.called,
        lambda option: forms(pictures, frame.names, ask, option, so_far),
        lambda option: pictures.title(frame, ask, option, so_far),
    )


def price_text(price: Sequence[tuple[str, int]], called: Called = PLAIN) -> str:
    """What an option costs or brings: “materials -5”."""
    return ", ".join(f"{called(name)} {amount:+}" for name, amount in price)


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return text.lower().replace(":", " ").split()


def begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if each wanted word begins the word at its place; a number only fits itself."""
    return len(wanted) <= len(words) and all(
        word == part or (word.startswith(part) and not part.lstrip("-").isdigit())
        for word, part in zip(words, wanted, strict=False)
    )


def completions(choices: Choices, text: str) -> list[str]:
    """Texts of the options that an unfinished text may become."""
    done, _space, last = text.lower().rpartition(" ")
    wanted = [part for part in (*words_of(done), last) if part]
    fits = (next((form for form in forms if begins(words_of(form), wanted)), "") for forms in choices.forms)
    return [form for form in fits if form]
