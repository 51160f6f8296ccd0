# SPDX-License-Identifier: GPL-3.0-or-later
"""Titles of options: the template of each kind, filled with the display names of the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from client.show.pictures import Frame, Picks
from client.system.texts import counted
from client.words import seat_arguments
from client.words.display_names import Filling
from engine.core.cards import Handle
from engine.core.values import Value
from engine.core.waits import Choose

Named = Callable[[str, str], str]
"""Returns an id in words, given the name of its argument, `it` for an option itself."""


def title_of(
    frame: Frame,
    templates: Mapping[str, str],
    named: Named,
    ask: Choose[Any],
    stage: str,
    seats: bool,
    option: Value,
    more: Mapping[str, Value] = {},
) -> str:
    """An option in words; "" for a kind without a template.

    stage: the question, by which the templates are listed.
    seats: True if the numbers to pick from are seats.
    more: what a template may name besides the fields of the question and of the option.
    """
    kinds = _kinds(option, seats)
    keys = (*(f"{each}/{kind}" for each in down_from(stage) for kind in kinds), kinds[0])
    template = next((templates[key] for key in keys if key in templates), None)
    if template is None:
        return ""
    fields: tuple[str, ...] = getattr(ask, "__match_args__", ())
    values: dict[str, Value] = {**more, **{name: getattr(ask, name) for name in fields}}
    if not isinstance(option, str | int | Handle | None):
        values |= {name: getattr(option, name) for name in option.__match_args__}
    by_seat = seat_arguments(frame.display_names.game)
    shown = {name: _argument(frame, named, name, value, name in by_seat) for name, value in values.items()}
    shown["it"] = _argument(frame, named, "it", option, seats)
    text = counted(template, shown)
    told = text.format_map(Filling(shown, frame.display_names))
    first = re.match(r"\{(\w+)\}", text)
    named_first = first is not None and (first[1] in by_seat or (first[1] == "it" and seats))
    return told if named_first else told[:1].upper() + told[1:]  # the grammar changes no name of a seat


def stage_of(word: str, so_far: Picks) -> str:
    """The id of a stage: the question's word and the number of picks so far."""
    return f"{word}@{len(so_far)}" if so_far else word


def down_from(stage: str) -> Iterator[str]:
    """A stage and all earlier ones: what is listed for one counts for later ones too."""
    word, _, at = stage.partition("@")
    return (f"{word}@{earlier}" if earlier else word for earlier in range(int(at or 0), -1, -1))


def _kinds(option: Value, seats: bool) -> Sequence[str]:
    match option:
        case None:
            return ("-",)
        case str():
            return (option, "*")
        case int():
            return ("seat",) if seats else ("n",)
        case Handle():
            return ("card",)
    return (str(option.word),)


def _argument(frame: Frame, named: Named, name: str, value: Value, seat: bool) -> str:
    if seat and isinstance(value, int):
        return frame.names[value] if 0 <= value < len(frame.names) else "?"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Handle):
        face = frame.view.lens.get(value)
        return "?" if face is None else named(name, str(face))
    return named(name, value) if isinstance(value, str) else ""
