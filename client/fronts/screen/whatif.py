# SPDX-License-Identifier: GPL-3.0-or-later
"""What if: the present battle or the one in the space in focus, with numbers to set and the resulting chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from client.fronts.kit.canvas import folded
from client.fronts.kit.ui import Item, Page
from client.fronts.screen.battle import chance_lines
from client.fronts.screen.shown_front import ShownFront
from client.show.battles import Number, Supposed, side_text
from client.show.styled import Line
from client.system.texts import _

__all__ = ["odds"]


def odds(front: ShownFront) -> None:
    """Show a page with the numbers of both sides; ← and → set them."""
    session = front.session
    if session.controls is None:
        front.say(_("The table has not begun."))
        return
    space, frame, numbers = front.ui.place, session.frame(), dict[str, int]()
    supposed = session.pictures.suppose(frame, space, numbers)
    if supposed is None:
        front.say(_("No dice decide battles here: there are no odds."))
        return
    front.open(_page(front, supposed, lambda: session.pictures.suppose(frame, space, numbers), numbers))


def _page(front: ShownFront, first: Supposed, work_out: Callable[[], Supposed | None], numbers: dict[str, int]) -> Page:
    """work_out: returns the battle with these numbers."""
    names, now = front.session.names, [first]

    def turn(number: Number, by: int) -> None:
        numbers[number.key] = max(0, min(number.value + by, number.most))
        now[0] = work_out() or first

    def items(word: str) -> list[Item]:
        rows = [(f"◂ {each.shown} ▸  {side_text(names, each.owner)}: {each.text}", each) for each in now[0].numbers]
        return [
            Item(text, "", partial(turn, each, 1), turn=partial(turn, each))
            for text, each in rows
            if word.lower() in text.lower()
        ]

    def head(width: int) -> Sequence[Line]:
        said = folded(_("← and → set a number; nothing of this happens."), width, "faint")
        return [*chance_lines(now[0].chance, names, width), *said, ()]

    return Page(_("What if: {battle}").format(battle=first.title), items=items, head=head)
