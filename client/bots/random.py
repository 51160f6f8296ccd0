# SPDX-License-Identifier: GPL-3.0-or-later
"""Level 0: picks any option with equal probability."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose


class RandomBot:
    """Picks an option, and for answers in stages one option per stage."""

    __slots__ = ()

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`."""
        options = wait.options(view.g, view.lens)
        if not wait.staged:
            return options[rng.randrange(len(options))]
        answer: tuple[Value, ...] = ()
        while options:
            answer = (*answer, options[rng.randrange(len(options))])
            options = wait.options(view.g, view.lens, answer)
        return answer
