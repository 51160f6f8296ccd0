"""The options of a draft arranged for a screen: numbers to set, and sheets with what can be done to each thing on them.

A form shows no option that is not in the list, and picking by a form is picking from the list: the forms hold indices
of options.  Options in no form are shown as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.session import notation
from client.session.choices import Choices
from client.session.draft import Draft
from client.show.pictures import Frame, Pictures
from client.show.sheets import Sheet
from client.wording.asking import prompt_text
from engine.core.cards import Handle
from engine.core.dataclass import dataclass, replace
from engine.core.values import Value
from engine.core.waits import Choose

__all__ = ["Amount", "Forms", "Part", "forms_of", "parts_of", "titles_of"]

FEWEST: Final = 3
"""Numbers in a row that are worth an amount; others are options like any."""
AMOUNTS: Final = frozenset({"amount", "food"})
"""Fields of options that are numbers to set."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Options that differ in a number alone.

    Attributes:
        numbers: ascending.
        options: the index of the option for each.
    """

    numbers: Sequence[int]
    options: Sequence[int]


@dataclass(frozen=True, slots=True)
class Part:
    """A stage of an answer in several, which has been picked and can be picked anew.

    Attributes:
        text: what is asked there.
        titles: the options there, in words.
        chosen: the index of the one that was picked.
    """

    text: str
    titles: Sequence[str]
    chosen: int


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
    """The forms of what is asked now."""
    ask = draft.ask
    if ask is None:
        return Forms()
    plain = not pictures.seats(ask, draft.so_far)
    return Forms(_amounts(choices.options, plain), pictures.form(frame, ask, choices.options, draft.so_far))


def parts_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[Part]:
    """The stages of the answer that have been picked; the last one may be followed by the options of the next.  None of
    an answer that has a sheet: it is changed there."""
    found = draft.stages
    if found is None:
        return ()
    ask, state, picks = found
    if draft.ask is None:
        frame = replace(frame, view=draft.view_before())
    listed = [ask.options(state, draft.lens, picks[:at]) for at in range(len(picks))]
    if not picks or pictures.form(frame, ask, listed[0], ()):
        return ()
    return [_part(pictures, frame, ask, options, picks, at) for at, options in enumerate(listed)]


def _part(
    pictures: Pictures, frame: Frame, ask: Choose[Any], options: Sequence[Value], picks: tuple[Value, ...], at: int
) -> Part:
    before = picks[:at]
    titles = [_title(pictures, frame, ask, option, before) for option in options]
    text = pictures.question(frame, ask, before) or prompt_text(ask, frame.names, frame.display_names)
    return Part(text, titles, list(options).index(picks[at]))


def titles_of(pictures: Pictures, frame: Frame, draft: Draft) -> Sequence[str]:
    """The complete answers of the draft in words, those of several stages with all of them."""
    told = []
    for view, (ask, value) in zip(draft.views_before(), draft.answered, strict=True):
        then, picks = replace(frame, view=view), value if ask.staged and isinstance(value, tuple) else (value,)
        stages = [_title(pictures, then, ask, pick, picks[:at]) for at, pick in enumerate(picks)]
        told.append(", ".join(stages))
    return told


def _title(pictures: Pictures, frame: Frame, ask: Choose[Any], option: Value, before: tuple[Value, ...]) -> str:
    known = pictures.title(frame, ask, option, before)
    return known or notation.forms(pictures, frame.display_names, frame.names, ask, option, before)[0]


def _amounts(options: Sequence[Value], plain: bool) -> Sequence[Amount]:
    """plain: True if bare numbers are amounts and not seats."""
    families: dict[object, list[tuple[int, int]]] = {}
    for at, option in enumerate(options):
        if isinstance(option, int):
            if plain:
                families.setdefault("", []).append((option, at))
            continue
        if option is None or isinstance(option, str | tuple | Handle):
            continue
        fields = option.__match_args__
        if fields and fields[-1] in AMOUNTS:
            others = tuple(getattr(option, name) for name in fields[:-1])
            families.setdefault((option.word, others), []).append((getattr(option, fields[-1]), at))
    return [
        Amount(tuple(number for number, _at in family), tuple(at for _number, at in family))
        for family in map(sorted, families.values())
        if len(family) >= FEWEST and family[-1][0] - family[0][0] == len(family) - 1
    ]
