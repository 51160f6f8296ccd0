# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of troubles, with what can be done against them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item
from client.fronts.screen.deeds import Doing
from client.fronts.screen.keys import TROUBLED
from client.fronts.screen.troubles import title, trouble_lines
from client.session.deeds import DEEDS
from client.show.styled import Line, line, plain
from client.system.texts import _

WANTED: Final = ("enter", "up", "help", "chat", "escape")
TEXT: Final = 23
"""Rows that a trouble may need besides the fields in which engines differ."""


def troubles(doing: Doing, to_clipboard: Callable[[str], None]) -> Page:
    """The troubles and the actions against them."""
    now, copied = doing.now, list[Line]()

    def items(word: str) -> list[Item]:
        deeds = {each.text: each for trouble in now().view.troubles for each in trouble.deeds}
        acts = [(text, partial(doing.do, each.deed, **each.given)) for text, each in deeds.items()]
        bundle = DEEDS["bug"]
        if not bundle.why_not(doing.session, {}):
            acts.append((_(bundle.does), partial(doing.do, bundle.id)))
        kept = [(text, act) for text, act in acts if word.lower() in text.lower()]
        return [Item(text, str(number), act) for number, (text, act) in enumerate(kept, 1)]

    def head(width: int) -> list[Line]:
        return [*copied, *trouble_lines(now().view.troubles, width, max(page.size[1] + 2 - TEXT, 1))]

    def copy() -> None:
        to_clipboard("\n".join(plain(each).rstrip() for each in trouble_lines(now().view.troubles, 200)))
        copied[:] = [line(("notice", _("Copied to the clipboard, if your terminal allows that.")))]

    page = Page(title(now().view.troubles), items=items, head=head, keys=TROUBLED, does={"copy": copy}, wanted=WANTED)
    return page
