# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a question as a list to read. If the options are numbers themselves, the list is not numbered."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from client.session.choices import Choices
from client.session.menu import FEW, MenuEntry, begun, entries
from client.session.view import SessionView
from client.session.view_records import Ask
from client.show.styled import padded, wrapped
from client.system.names import columns
from client.system.texts import _

MOST: Final = 24
"""Most options listed one by one; a terminal scrolls."""
REASONS: Final = 4
"""Reasons listed below the options."""


def option_lines(ask: Ask, choices: Choices, width: int, only: Collection[int] | None = None) -> Iterator[str]:
    """The options, or only some of them, as a list with hints and prices."""
    for entry in entries(ask, choices.display_names, only, most=MOST):
        single = len(entry.options) <= FEW
        if single or (entry.amount and len(entry.options) <= MOST and any(map(choices.about, entry.options))):
            for at in entry.options:
                yield from _option(choices, at, width)
        else:
            yield from _several(choices, entry, width)


def refused_lines(ask: Ask, width: int) -> Iterator[str]:
    """The refused options in short: one line for each reason."""
    for refused in ask.refused[:REASONS]:
        yield from wrapped(f"  x  {refused.text}", width, " " * 5)
    if len(ask.refused) > REASONS:
        yield _("  x  … and more: type why")


def _option(choices: Choices, at: int, width: int) -> list[str]:
    about, text = choices.about(at), choices.shown(at)
    head = "     " if choices.amounts else f"{choices.numbers[at]:3}  " + f"{choices.letters[at].upper()} ".lstrip()
    if not about or about == text:
        return wrapped(head + text, width, " " * (len(head) + 4))
    column = min(max(columns(text), 26), width // 2)
    return wrapped(f"{head}{padded(text, column)}  {about}", width, " " * (len(head) + 4))


def _several(choices: Choices, entry: MenuEntry, width: int) -> list[str]:
    """Numbers from the first to the last, or a group with the words that follow."""
    texts = [choices.texts[at] for at in entry.options]
    if entry.amount and choices.amounts:
        return [f"     {texts[0]} … {texts[-1]}"]
    numbers = "" if choices.amounts else f"{choices.numbers[entry.options[0]]}-{choices.numbers[entry.options[-1]]}"
    prefix = begun(texts)
    rest = [text[len(prefix) :].lstrip(":,;( ").partition(" ")[0] for text in texts]
    following = f"{rest[0]} … {rest[-1]}" if entry.amount else ", ".join(filter(None, dict.fromkeys(rest)))
    return wrapped(f"{numbers:>7}  {prefix} … ({len(texts)}): {following}", width, " " * 9)


def picked_text(view: SessionView) -> str:
    """The answers that are picked and not sent, in notation; in words where that holds the number of a card."""
    answers = view.titles if any("#" in answer for answer in view.picked) else view.picked
    return _("Picked, not sent: {answers}").format(answers="; ".join(answers))
