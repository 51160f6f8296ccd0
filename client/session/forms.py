# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a draft arranged for a screen: amounts to set, and sheets with the options of each cell.

A form holds indices into the list of options, so it shows no other option, and a pick from a form is a pick from the
list. Options that are in no form are shown as a list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.session import notation
from client.session.choices import Choices
from client.session.draft import Draft
from client.show.document import Sheet
from client.show.pictures import Frame, Pictures
from client.words.asking import prompt_text
from engine.core.cards import Handle
from engine.core.dataclass import dataclass, replace
from engine.core.values import Value
from engine.core.waits import Choose

__all__ = ["Amount", "Forms", "PickedStage", "answer_title", "forms_of", "parts_of", "titles_of"]

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


@dataclass(frozen=True, slots=True)
class Forms:
    """The options of a draft, arranged for a screen.

    Attributes:
        amounts: in the order of the options.
        groups: the sheet of the question, () where it has none.
    """

    amounts: Sequence[Amount] = ()
    groups: Sequence[Sheet] = ()


def forms_of(pictures: Pictures, frame: Frame, draft: Draft, choices: Choices) -> Forms:
    """The forms of the present question."""
    ask = draft.ask
    if ask is None:
        return Forms()
    plain = not pictures.questions.seats(ask, draft.so_far)
    amounts = _amounts(choices.options, plain, pictures.questions.amounts)
    return Forms(amounts, pictures.documents.form(frame, ask, choices.options, draft.so_far))


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


def _amounts(options: Sequence[Value], plain: bool, named: frozenset[str]) -> Sequence[Amount]:
    """plain: True if plain numbers are amounts and not seats. named: fields of options that hold an amount."""
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
    return [
        Amount(tuple(number for number, _at in family), tuple(at for _number, at in family))
        for family in map(sorted, families.values())
        if len(family) >= FEWEST and family[-1][0] - family[0][0] == len(family) - 1
    ]
