# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle in as many rows as there are; the title says how many are left out, and the key that shows all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from client.fronts.kit.canvas import Area, Hit, rule, shortened, wide
from client.fronts.kit.cards import fitted
from client.show.battles import Battle, document_of
from client.show.styled import Glyphs, Line, line, plain
from client.system.texts import ngettext

WHOLE: Final = "F8"
"""The key that shows the whole battle."""


def battle_lines(
    battle: Battle, names: Sequence[str], width: int, height: int, glyphs: Glyphs
) -> tuple[list[Line], list[Hit]]:
    """The battle in at most `height` rows, and the areas for clicks, in cells of these rows."""
    _head, *blocks = document_of(battle, names)
    rows, hits, left = fitted(blocks, width, height - 1, glyphs)
    more = ngettext("{key}: {n} more row", "{key}: {n} more rows", left).format(key=WHOLE, n=left) if left else ""
    room = width - 3 - (wide(more) + 3 if more else 0)
    title = plain(shortened(line(("", battle.title)), room)) if wide(battle.title) > room > 0 else battle.title
    found = [Hit(Area(0, 0, width, 1), "key", WHOLE)] if left else []
    found += [replace(hit, area=replace(hit.area, y=hit.area.y + 1)) for hit in hits]
    return [rule(title, width, glyphs, tail=more), *rows], found
