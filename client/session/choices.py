"""The options of a draft as data, and which of them a typed text means.

Every option has a number and a notation.  A number, the notation, or a prefix of its words that fits one option alone
picks it; so do beginnings of some of its words in their order, where that fits no other.  What fits several narrows the
list to those.  Spaces stand for hyphens, and accents do not matter.  Where options are numbers themselves, a number
means nothing else.  Options that come back turn by turn keep their numbers and have letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from client.session.draft import Draft
from client.session.notation import forms, words_of
from client.show.pictures import Frame, Pictures
from client.wording import PLAIN, DisplayNames, refusal_text
from engine.core.dataclass import dataclass
from engine.core.errors import Refusal
from engine.core.notation import format_value
from engine.core.values import Value

__all__ = ["Choices", "Narrowed", "begins", "choices_of", "completions", "price_text", "skips", "words_of"]

LONGEST: Final = 8
"""Words among which a first answer is looked for."""

Hint = Callable[[Value], str]
Forms = Callable[[Value], Iterable[str]]


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
        numbers: for each option its number.
        letters: for each option its letter, "" for most.
        amounts: True if options are numbers, so that a typed number is an amount and no option's number.
        display_names: what things are called at this table.
    """

    def __init__(
        self,
        draft: Draft,
        hint: Hint,
        aside: Callable[[Value], bool],
        display_names: DisplayNames = PLAIN,
        forms: Forms = lambda option: (format_value(option),),
        title: Hint = lambda _option: "",
        lasting: Sequence[tuple[Value, str]] = (),
    ) -> None:
        self._draft, self._hint, self._aside, self._forms, self._title = draft, hint, aside, forms, title
        self.display_names = display_names
        places = [option for option, _letter in lasting]
        self.options: Sequence[Value] = sorted(draft.options(), key=lambda option: _order(option, places, aside))
        later = iter(range(len(places) + 1, len(places) + len(self.options) + 1))
        self.numbers = [places.index(each) + 1 if each in places else next(later) for each in self.options]
        self.letters = [dict(lasting).get(each, "") if each in places else "" for each in self.options]
        self._lasting = lasting
        self.main = sum(not aside(option) for option in self.options)
        self.forms = [tuple(forms(option)) for option in self.options]
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
        numbered = self._numbered(text.strip().lower())
        if numbered is not None:
            return numbered
        for option, reason in self._draft.refused():
            if any(words_of(form) == wanted for form in self._forms(option)):
                return reason
        near = self._fitting(lambda words: begins(words, wanted)) or self._fitting(lambda words: skips(words, wanted))
        if near and not any(skips(words_of(self.texts[at]), wanted) for at in near):
            for option, reason in self._draft.refused():
                if begins(words_of(next(iter(self._forms(option)))), wanted):
                    return reason  # rather than what is only called so
        if len(near) == 1:
            return self.options[near[0]]
        if near:
            return Narrowed(near)
        if not self.amounts and text.strip().isascii() and text.strip().isdecimal():
            return Refusal("notation/number", "", (text.strip(), max(self.numbers, default=0)))
        return Refusal("notation/unknown", "", (text, *self.texts[:12]))

    def _numbered(self, text: str) -> Value | Refusal | None:
        """What a number or a lasting option's letter means; None for any other text, and where numbers are amounts."""
        for number, (option, letter) in enumerate(self._lasting, 1):
            if text in (str(number), letter):
                refused = (reason for each, reason in self._draft.refused() if each == option)
                return option if option in self.options else next(refused, Refusal("notation/not-now"))
        if self.amounts or not (text.isascii() and text.isdecimal()):
            return None
        return self.options[self.numbers.index(int(text))] if int(text) in self.numbers else None

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

    def why(self, text: str = "", asides: bool = True, *, titled: bool = False) -> dict[str, list[str]]:
        """Refused options by the reason for it; with `text` only those that it may mean.

        titled: as they are called, not as they are typed; so is what has no better text than the number of a card.
        """
        wanted, found = words_of(text), dict[str, list[str]]()
        for option, refusal in self._draft.refused():
            if not asides and self._aside(option):
                continue
            forms = iter(self._forms(option))
            first = next(forms)
            if not wanted or any(skips(words_of(form), wanted) for form in (first, *forms)):
                display_names = self._title(option) if titled or "#" in first else ""
                found.setdefault(refusal_text(refusal, self.display_names), []).append(display_names or first)
        return found

    def codes(self) -> dict[str, str]:
        """The code of each reason that `why` gives."""
        return {refusal_text(refusal, self.display_names): refusal.code for _option, refusal in self._draft.refused()}

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
        parts = (self.hint(at) or ("" if plain else self.title(at)), price_text(self.price(at), self.display_names))
        return "; ".join(part for part in parts if part)


def choices_of(draft: Draft, pictures: Pictures, frame: Frame) -> Choices | None:
    """The options of a draft as a game shows them; None when the draft can only be sent or taken back."""
    ask, so_far = draft.ask, draft.so_far
    if ask is None:
        return None

    @cache
    def title(option: Value) -> str:
        return pictures.title(frame, ask, option, so_far)

    @cache
    def hint(option: Value) -> str:
        return pictures.hint(frame, ask, option, so_far)

    def spelled(option: Value) -> Iterator[str]:
        yield from forms(pictures, frame.display_names, frame.names, ask, option, so_far)
        if title(option):
            yield title(option)

    return Choices(draft, hint, pictures.aside, frame.display_names, spelled, title, pictures.lasting(ask))


def _order(option: Value, places: Sequence[Value], aside: Callable[[Value], bool]) -> tuple[bool, int]:
    """Asides last, lasting options in their own order, others as the game lists them."""
    return aside(option), places.index(option) if option in places else len(places)


def price_text(price: Sequence[tuple[str, int]], display_names: DisplayNames = PLAIN) -> str:
    """What an option costs or brings: “materials -5”."""
    return ", ".join(f"{display_names(name)} {amount:+}" for name, amount in price)


def begins(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if each wanted word begins the word at its place; a number only fits itself."""
    return len(wanted) <= len(words) and all(
        word == part or (word.startswith(part) and not part.lstrip("-").isdigit())
        for word, part in zip(words, wanted, strict=False)
    )


def skips(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """True if the wanted words begin some of the words, in their order; a number only fits itself."""
    rest = iter(words)
    return all(any(begins((word,), (part,)) for word in rest) for part in wanted)


def completions(choices: Choices, text: str) -> list[str]:
    """Texts of the options that an unfinished text may become."""
    done, _space, last = text.lower().rpartition(" ")
    wanted = [*words_of(done), *words_of(last)]
    fits = (next((form for form in forms if begins(words_of(form), wanted)), "") for forms in choices.forms)
    return [form for form in fits if form]
