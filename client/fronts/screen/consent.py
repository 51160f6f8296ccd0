# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of troubles, with what can be done against them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from client.fronts.kit.ui import Item, Page
from client.fronts.screen.deeds import do
from client.fronts.screen.shown_front import ShownFront
from client.fronts.screen.troubles import title, trouble_lines
from client.show.styled import Line, line, plain
from client.system.errors import UserError
from client.system.files import bug_bundle
from client.system.texts import _
from client.table.notices import DivergenceFound

__all__ = ["troubles"]

TEXT: Final = 23
"""Rows that a trouble may need besides the fields in which engines differ."""


def troubles(front: ShownFront) -> None:
    """Show the troubles and the actions against them."""
    found = front.session.troubles()

    def items(word: str) -> list[Item]:
        deeds = [deed for trouble in front.session.troubles() for deed in trouble.deeds]
        acts = [
            (each.text, partial(do, front, each.deed, **each.given))
            for each in {each.text: each for each in deeds}.values()
        ]
        notices = [trouble.notice for trouble in front.session.troubles()]
        reports = [each.file for each in notices if isinstance(each, DivergenceFound) and _saves(front) is not None]
        for report in dict.fromkeys(reports):
            text = _("write a bug bundle: the log and both states, without anything hidden")
            acts.append((text, partial(_bundle, front, report)))
        kept = [(text, act) for text, act in acts if word.lower() in text.lower()]
        return [Item(text, str(number), act) for number, (text, act) in enumerate(kept, 1)]

    copied = list[Line]()

    def head(width: int) -> list[Line]:
        return [*copied, *trouble_lines(front.session.troubles(), width, max(front.size[1] - TEXT, 1))]

    def copy() -> None:
        front.host.copy("\n".join(plain(each).rstrip() for each in trouble_lines(front.session.troubles(), 200)))
        copied[:] = [line(("notice", _("Copied to the clipboard, if your terminal allows that.")))]

    front.open(Page(title(found), items=items, head=head, own={"copy": copy}))


def _saves(front: ShownFront) -> Callable[[], Path] | None:
    return None if front.session.controls is None else front.session.controls.save


def _bundle(front: ShownFront, report: Path) -> None:
    """Write the game so far and a report on two programs that differ to one file."""
    save = _saves(front)
    if save is None:
        return
    try:
        path = bug_bundle(save(), report)
    except UserError as error:
        front.say(f"{error.message} {error.hint}", "alarm")
    else:
        front.say(_("Written: {path}").format(path=path))
