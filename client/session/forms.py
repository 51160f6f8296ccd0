"""The options of a draft arranged for a screen: numbers to set, and sheets with what can be done to each thing on them.

A form shows no option that is not in the list, and picking by a form is picking from the list: the forms hold indices
of options.  Options in no form are shown as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.session.choices import Choices
from client.session.draft import Draft
from client.show.pictures import Frame, Pictures
from client.show.sheets import Sheet
from engine.core.cards import Handle
from engine.core.dataclass import dataclass
from engine.core.values import Value

__all__ = ["Amount", "Forms", "forms_of"]

FEWEST: Final = 3
"""Numbers in a row that are worth an amount; others are options like any."""
AMOUNTS: Final = frozenset({"amount", "food"})
"""Fields of options that are numbers to set."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Options that differ in a number alone.  numbers: ascending; options: the index of the option for each."""

    numbers: Sequence[int]
    options: Sequence[int]


@dataclass(frozen=True, slots=True)
class Forms:
    """amounts: in the order of the options; groups: the sheet of the question, () where it has none."""

    amounts: Sequence[Amount] = ()
    groups: Sequence[Sheet] = ()


def forms_of(pictures: Pictures, frame: Frame, draft: Draft, choices: Choices) -> Forms:
    """The forms of what is asked now."""
    ask = draft.ask
    if ask is None:
        return Forms()
    plain = not pictures.seats(ask, draft.so_far)
    return Forms(_amounts(choices.options, plain), pictures.form(frame, ask, choices.options, draft.so_far))


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
