"""Who knows the theory: leave heaps whose binary sum is nothing."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random
from typing import Any

from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


def answer(view: View, wait: Choose[Any], rng: Random) -> Value:
    """Return an answer after which the binary sum is nothing, any answer if there is none."""
    weighed = weigh(view, wait)
    return rng.choice([option for worth, option in weighed if worth == weighed[0][0]])


def weigh(view: View, wait: Choose[Any]) -> list[tuple[float, Value]]:
    """Return all answers with their worth, the best first: 1 for those that leave nothing."""
    heaps = view.g.stones.heaps
    whole = reduce(xor, heaps)
    good = [heaps[each.heap - 1] - each.stones == heaps[each.heap - 1] ^ whole for each in wait.options(view.g)]
    return sorted(zip(map(float, good), wait.options(view.g), strict=True), key=lambda each: -each[0])


class Shark:
    """The same as a bot of its own."""

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        return answer(view, wait, rng)
