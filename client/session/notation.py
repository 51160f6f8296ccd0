# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers as text: the notation of the game, with the letters that the screens give to seats.

A bare number in a list could be a seat, an amount or the number of the option. So seats have letters or names, and
when amounts are asked for the options have no numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from client.show.pictures import Pictures
from client.system.texts import _
from client.words import DisplayNames, seat_arguments
from client.words.plain import words_of
from engine.core.cards import Handle
from engine.core.notation import format_value
from engine.core.values import Value
from engine.core.waits import Choose

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The letters of the seats."""


def forms(
    pictures: Pictures,
    display_names: DisplayNames,
    names: Sequence[str],
    ask: Choose[Any],
    option: Value,
    so_far: tuple[Value, ...] = (),
) -> Iterator[str]:
    """The texts that mean an option, each once: with the letters of seats, which is the shown form; with their names;
    and with display names in the language in use."""
    letters = LETTERS[: len(names)]
    seats = isinstance(option, int) and pictures.questions.seats(ask, so_far)
    arguments = seat_arguments(display_names.game)
    shown = _text(option, letters, seats, arguments)
    yield shown
    spoken = _text(option, names, seats, arguments)
    if spoken != shown:
        yield spoken
    verb, _space, rest = shown.partition(" ")
    named = " ".join([verb, *map(display_names, rest.split(" "))]) if rest else display_names(verb)
    if named != spoken and words_of(named) != words_of(shown):
        yield named


def answer_text(
    pictures: Pictures, display_names: DisplayNames, names: Sequence[str], ask: Choose[Any], answer: Value
) -> str:
    """The text of a whole answer; the picks of an answer in stages are separated by commas."""
    picks = answer if ask.staged and isinstance(answer, tuple) else (answer,)
    return ", ".join(
        next(forms(pictures, display_names, names, ask, pick, picks[:at])) for at, pick in enumerate(picks)
    )


def _text(option: Value, spoken: Sequence[str], seats: bool, arguments: frozenset[str]) -> str:
    if isinstance(option, int):
        return spoken[option] if seats and 0 <= option < len(spoken) else format_value(option)
    if option is None or isinstance(option, str | tuple | Handle):
        return format_value(option)
    fields = ((name, getattr(option, name)) for name in option.__match_args__)
    parts = (
        spoken[value]
        if name in arguments and isinstance(value, int) and 0 <= value < len(spoken)
        else format_value(value, ":")
        for name, value in fields
    )
    return " ".join((option.word, *parts))


def yes_or_no(text: str) -> bool | None:
    """Return what a person answers to a question, None if it is neither yes nor no.

    text: the word or its first letter, in English or in the language in use, with or without accents.
    """
    said = words_of(text)
    for answer, words in ((True, ("yes", _("yes"))), (False, ("no", _("no")))):
        for (word,) in map(words_of, words):
            if said in ([word], [word[0]]):
                return answer
    return None
