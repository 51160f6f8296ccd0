"""The form for a new table of every game, and every command that follows from it, as kept in
tests/client/session/forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from kept import compared

from client.bots import LEVELS
from client.session.start import NewTable, bots_of, form_fields
from engine.core.registry import GAMES

KEPT: Final = Path(__file__).with_name("forms")


def shown(form: NewTable) -> Iterator[str]:
    """The form, what it stands for as a command, and why it is not possible."""
    for field in form_fields(form):
        values = ", ".join(f"{value}{f' {title}' * (title != value)}" for value, title, _about in field.values[:12])
        yield f"  {field.name} | {field.title} | {field.value} | usual {field.usual} | {field.about} | {values}"
    yield from (f"  $ {' '.join(form.command(name))}" for name in ("play", "host"))
    yield f"  ! {form.hindrance()}"


@pytest.mark.parametrize("name", GAMES)
def test_each_field_of_a_new_table_changes_what_is_kept(name: str) -> None:
    out = [f"{level}: {about}" for level, about in bots_of(name).items()]
    for level in LEVELS:
        form = NewTable(bots=level)
        form.choose_game(name)
        out.append(f"{level} → {form.bots}")
    for friends in (None, 0, 2):
        form = NewTable(friends=friends)
        form.choose_game(name)
        out += [f"== friends {friends}", *shown(form)]
        for seats in (2, 3, 6, 4):
            form.sit(seats)
            out += [f"{seats} seats:", *[row for row in shown(form) if row.startswith(("  $", "  !", "  friends"))]]
        for field in [*form_fields(form)]:
            for value, _title, about in field.values[-2:]:
                if field.name in ("game", "seats"):
                    continue
                field.fill(value)
                now = next((each.value for each in form_fields(form) if each.name == field.name), "gone")
                out.append(
                    f"{field.name} = {value} ({about}): {now}; {' '.join(form.command('host'))}; {form.hindrance()}"
                )
        if any(field.name == "option handicap A" for field in form_fields(form)):
            form.set_handicap(0, "0")
            form.set_handicap(form.seats - 1, "3")
        form.sit(form.seats - 1)
        out += ["at last:", *shown(form)]
    compared(KEPT / f"{name}.txt", "\n".join(out) + "\n")
