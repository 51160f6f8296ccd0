# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of a form as a list: each row has a value that the arrows change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from client.fronts.kit.pane import Item
from client.session.start import FormField


def form_rows(fields: Iterable[FormField]) -> Iterator[Item]:
    """A row for each field that has values to choose from; * after those that are not as usual."""
    for field in fields:
        if field.values:
            shown = next((each for each in field.values if each[0] == field.value), field.values[0])
            _value, text, about = shown
            mark = " *" if field.usual and field.value != field.usual else ""
            turn = partial(_turn, field, field.values.index(shown))
            row = f"{field.title}:  ◂ {text}{mark} ▸  {about or field.about}"
            yield Item(row.rstrip(), "← →", partial(turn, 1), turn=turn)


def _turn(field: FormField, at: int, by: int) -> None:
    field.fill(field.values[(at + by) % len(field.values)][0])
