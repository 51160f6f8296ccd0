# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle in as many rows as there are; the title says how many are left out, and the key that shows all.
What if: that battle or the one in the space in focus, with numbers to set and the resulting chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Area, Hit, folded, moved, rule, shortened, wide
from client.fronts.kit.cards import fitted
from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item
from client.session.view import SessionView
from client.show.battles import Battle, Number, Supposed, chances_of, document_of, side_name
from client.show.styled import Glyphs, Line, line, plain
from client.system.texts import _, ngettext


def battle_lines(
    battle: Battle, names: Sequence[str], width: int, height: int, glyphs: Glyphs, whole: str = "F8"
) -> tuple[list[Line], list[Hit]]:
    """The battle in at most `height` rows, and the areas for clicks, in cells of these rows. whole: the key that shows
    all of it."""
    _head, *blocks = document_of(battle, names)
    rows, hits, left = fitted(blocks, width, height - 1, glyphs)
    more = ngettext("{key}: {n} more row", "{key}: {n} more rows", left).format(key=whole, n=left) if left else ""
    room = width - 3 - (wide(more) + 3 if more else 0)
    title = plain(shortened(line(("", battle.title)), room)) if wide(battle.title) > room > 0 else battle.title
    found = [Hit(Area(0, 0, width, 1), "key", whole)] if left else []
    return [rule(title, width, glyphs, tail=more), *rows], [*found, *moved(hits, 1)]


HEAD: Final = 4
"""Most rows of the chances."""


def odds(view: SessionView, place: str) -> Page | None:
    """A page with the numbers of both sides, which ← and → set; None for a game without dice in battles. place: the
    space in focus."""
    frame, numbers = view.frame(), dict[str, int]()
    supposed = view.pictures.fights.suppose(frame, place, numbers)
    if supposed is None:
        return None
    return _page(view, supposed, lambda: view.pictures.fights.suppose(frame, place, numbers), numbers)


def _page(view: SessionView, first: Supposed, work_out: Callable[[], Supposed | None], numbers: dict[str, int]) -> Page:
    """work_out: returns the battle with these numbers."""
    names, now = view.names, [first]

    def turn(number: Number, by: int) -> None:
        numbers[number.key] = max(0, min(number.value + by, number.most))
        now[0] = work_out() or first

    def item(number: Number) -> Item:
        text = f"◂ {number.shown} ▸  {side_name(names, number.owner)}: {number.text}"
        return Item(text, "", partial(turn, number, 1), turn=partial(turn, number))

    def head(width: int) -> Sequence[Line]:
        said = folded(_("← and → set a number; nothing of this happens."), width, "faint")
        chances = fitted(chances_of([now[0].chance], names), width, HEAD, view.glyphs)[0]
        return [*chances, *said, ()]

    return Page(_("What if: {battle}").format(battle=first.title), items=lambda: map(item, now[0].numbers), head=head)
