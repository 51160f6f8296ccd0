# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that differ only in a number, what hints add to titles, picked stages, and answers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from client.session import notation
from client.session.draft import Draft
from client.show.pictures import Frame, Pictures
from client.words.asking import prompt_text
from engine.core.cards import Handle
from engine.core.dataclass import dataclass, replace
from engine.core.values import Value
from engine.core.waits import Choose

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
        frame = replace(frame, view=draft.view_before())
    listed = [ask.options(state, draft.lens, picks[:at]) for at in range(len(picks))]
    if not picks or pictures.documents.form(frame, ask, listed[0], ()):
        return ()
    return [_part(pictures, frame, ask, options, picks, at) for at, options in enumerate(listed)]


def _part(
    pictures: Pictures, frame: Frame, ask: Choose[Any], options: Sequence[Value], picks: tuple[Value, ...], at: int
) -> PickedStage:
    before = picks[:at]
    titles = [_title(pictures, frame, ask, option, before) for option in options]
    text = pictures.questions.text(frame, ask, before) or prompt_text(ask, frame.names, frame.display_names)
    numbers = () if pictures.questions.seats(ask, before) else tuple(each for each in options if isinstance(each, int))
    return PickedStage(text, titles, list(options).index(picks[at]), numbers if len(numbers) == len(titles) else ())


def titles_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[str]:
    """The complete answers of the draft in words, with all their stages."""
    answered = zip(draft.views_before(), draft.answered, strict=True)
    return [answer_title(pictures, replace(frame, view=view), ask, value) for view, (ask, value) in answered]


def answer_title(pictures: Pictures, frame: Frame, ask: Choose[Any], value: Value) -> str:
    """A whole answer in words, with all its stages."""
    picks = value if ask.staged and isinstance(value, tuple) else (value,)
    return ", ".join(_title(pictures, frame, ask, pick, picks[:at]) for at, pick in enumerate(picks))


def _title(pictures: Pictures, frame: Frame, ask: Choose[Any], option: Value, before: tuple[Value, ...]) -> str:
    known = pictures.questions.title(frame, ask, option, before)
    return known or next(notation.forms(pictures, frame.display_names, frame.names, ask, option, before))


def beyond(title: str, hint: str) -> str:
    """What a hint says beyond the title of its option."""
    if _spaced(hint) in _spaced(title):
        return ""
    words, said = title.lower().split(), hint.lower()
    names = (" ".join(words[at:]) for at, word in enumerate(words) if said.startswith(word))
    name = next((name for name in names if said.startswith((f"{name}: ", f"{name}, ", f"{name}; "))), "")
    return hint[len(name) + 2 :] if name else hint


def _spaced(text: str) -> str:
    """A text to look for words in."""
    return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])
