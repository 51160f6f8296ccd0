# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers as text: the notation of the game, with the letters that the screens give to seats; options that differ only
in a number, picked stages, and answers in words.

A bare number in a list could be a seat, an amount or the number of the option. So seats have letters or names, and
when amounts are asked for the options have no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from client.session.draft import Draft, picks_of
from client.show.pictures import Frame, Pictures
from client.system.texts import _
from client.words import seat_arguments
from client.words.asking import prompt_text
from client.words.plain import words_of
from engine.core.cards import Handle
from engine.core.dataclass import dataclass, replace
from engine.core.notation import format_value
from engine.core.values import Value
from engine.core.waits import Choose


def forms(
    pictures: Pictures, frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...] = ()
) -> Iterator[str]:
    """The texts that mean an option, each once: with the letters of seats, which is the shown form; with their names;
    and with display names in the language in use."""
    names, display_names = frame.names, frame.display_names
    letters = [frame.letter(seat) for seat in range(len(names))]
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


def answer_text(pictures: Pictures, frame: Frame, ask: Choose[Any], answer: Value) -> str:
    """The text of a whole answer; the picks of an answer in stages are separated by commas."""
    picks = picks_of(ask, answer)
    return ", ".join(next(forms(pictures, frame, ask, pick, picks[:at])) for at, pick in enumerate(picks))


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


FEWEST: Final = 3
"""Least count of numbers that become an amount; fewer are shown as plain options."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Options that differ only in a number.

    Attributes:
        numbers: ascending.
        options: the index of the option for each.
    """

    numbers: Sequence[int]
    options: Sequence[int]


@dataclass(frozen=True, slots=True)
class PickedStage:
    """A picked stage of an answer in stages, which can be changed.

    Attributes:
        text: the question of the stage.
        titles: its options in words.
        chosen: the index of the picked option.
        numbers: the options if they are amounts, else ().
    """

    text: str
    titles: Sequence[str]
    chosen: int
    numbers: Sequence[int] = ()


def amounts_of(
    pictures: Pictures, ask: Choose[Any], so_far: tuple[Value, ...], options: Sequence[Value]
) -> tuple[Amount, ...]:
    """The options of a question that differ only in a number."""
    plain, named = not pictures.questions.seats(ask, so_far), pictures.questions.amounts
    families: dict[object, list[tuple[int, int]]] = {}
    for at, option in enumerate(options):
        if isinstance(option, int):
            if plain:
                families.setdefault("", []).append((option, at))
            continue
        if option is None or isinstance(option, str | tuple | Handle):
            continue
        fields = option.__match_args__
        if fields and fields[-1] in named:
            others = tuple(getattr(option, name) for name in fields[:-1])
            families.setdefault((option.word, others), []).append((getattr(option, fields[-1]), at))
    return tuple(
        Amount(tuple(number for number, _at in family), tuple(at for _number, at in family))
        for family in map(sorted, families.values())
        if len(family) >= FEWEST and family[-1][0] - family[0][0] == len(family) - 1
    )


def parts_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[PickedStage]:
    """The picked stages of the answer; the options of the next stage may follow. Empty for an answer with a sheet,
    which is changed on the sheet."""
    found = draft.stages
    if found is None:
        return ()
    ask, state, picks = found
    if draft.ask is None:
        frame = replace(frame, view=draft.view(len(draft.values) - 1))
    listed = [ask.options(state, draft.lens, picks[:at]) for at in range(len(picks))]
    if not picks or pictures.documents.form(frame, ask, listed[0], ()):
        return ()
    parts, questions = [], pictures.questions
    for at, options in enumerate(listed):
        before, numbers = picks[:at], tuple(each for each in options if isinstance(each, int))
        plain = len(numbers) == len(options) and not questions.seats(ask, before)
        titles = [_title(pictures, frame, ask, option, before) for option in options]
        text = questions.text(frame, ask, before) or prompt_text(ask, frame.names, frame.display_names)
        parts.append(PickedStage(text, titles, list(options).index(picks[at]), numbers if plain else ()))
    return parts


def titles_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[str]:
    """The complete answers of the draft in words, with all their stages."""
    return [
        answer_title(pictures, replace(frame, view=draft.view(at)), *each) for at, each in enumerate(draft.answered)
    ]


def answer_title(pictures: Pictures, frame: Frame, ask: Choose[Any], value: Value) -> str:
    """A whole answer in words, with all its stages."""
    picks = picks_of(ask, value)
    return ", ".join(_title(pictures, frame, ask, pick, picks[:at]) for at, pick in enumerate(picks))


def _title(pictures: Pictures, frame: Frame, ask: Choose[Any], option: Value, before: tuple[Value, ...]) -> str:
    known = pictures.questions.title(frame, ask, option, before)
    return known or next(forms(pictures, frame, ask, option, before))


def changes_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[str]:
    """The figures of the seat that the draft changes, before and after. frame: that of the draft."""
    if not draft.values:
        return ()
    now, then = (pictures.documents.status(each) for each in (replace(frame, view=draft.view(0)), frame))
    parts = [[part.strip() for part in re.split(r" [│|] |, ", text)] for text in (now, then)]
    if len(parts[0]) != len(parts[1]):
        return (then,) if now else ()
    return [f"{old} → {_without(old, new)}" for old, new in zip(*parts, strict=True) if old != new]


def _without(old: str, new: str) -> str:
    """The text without the first words that both texts have."""
    mine, theirs = new.split(" "), old.split(" ")
    same = next((at for at, (one, other) in enumerate(zip(mine, theirs, strict=False)) if one != other), 0)
    return " ".join(mine[same:])


def beyond(title: str, hint: str) -> str:
    """What a hint says beyond the title of its option."""
    if _spaced(hint) in _spaced(title):
        return ""
    words, said = title.lower().split(), hint.lower()
    names = (" ".join(words[at:]) for at, word in enumerate(words) if said.startswith(word))
    name = next((name for name in names if said.startswith((f"{name}: ", f"{name}, ", f"{name}; "))), "")
    return hint[len(name) + 2 :] if name else hint


def _spaced(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])


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
