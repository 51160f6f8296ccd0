"""The judge of positions, for the tests."""

from __future__ import annotations

from engine.core.errors import Refusal
from starlock_nim.spec import HEAPS, Nim


def judge(g: Nim, _segments: object) -> Refusal | None:
    """Return None if no heap has more stones than at the start, and the game is over when none is left."""
    for heap, (there, most) in enumerate(zip(g.stones.heaps, HEAPS[g.table.options["heaps"]], strict=True)):
        if not 0 <= there <= most:
            return Refusal("nim/stones", f"stones.heaps.{heap}", (there, most))
    playing = bool(g.flow.now or g.flow.agenda)
    if any(g.stones.heaps) != playing or (g.stones.last in range(g.table.seats)) == playing:
        return Refusal("nim/over", "stones.last", (g.stones.last,))
    return None
