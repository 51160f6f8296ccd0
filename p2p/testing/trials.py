# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of simulated table, by name: a trial plays the table of a number and demands what is promised there.

Each demands at least the invariants of `p2p.testing.simulator`. What is broken raises a `Violation` with the number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p.testing.simulator import Simulation
from p2p.testing.trials_ends import between, last_words, undoing
from p2p.testing.trials_honest import (
    copied,
    drifting,
    drifting_beside,
    honest,
    leaving,
    moving,
    moving_among_guests,
    moving_beside,
    sleepy,
)
from p2p.testing.trials_hostile import (
    divided,
    doubletalk,
    flooded,
    foretold,
    hesitant,
    hostile,
    lied_to,
    paired,
    put_back,
    rambling,
    resumed,
    tricked,
    tricked_anew,
    voted,
)
from p2p.testing.trials_rolls import choosing, late_reading, state_lying

TRIALS: Final[dict[str, Callable[[int], Simulation]]] = {
    "honest": honest,
    "sleepy": sleepy,
    "drifting": drifting,
    "drifting-hostile": drifting_beside,
    "copies": copied,
    "liars": lied_to,
    "movers": moving,
    "movers-hostile": moving_beside,
    "movers-guests": moving_among_guests,
    "leavers": leaving,
    "last-words": last_words,
    "between": between,
    "undoers": undoing,
    "choosers": choosing,
    "late-readers": late_reading,
    "state-liars": state_lying,
    "hostile": hostile,
    "tricks": tricked,
    "tricks-anew": tricked_anew,
    "floods": flooded,
    "voters": voted,
    "foretold": foretold,
    "hesitant": hesitant,
    "doubletalk": doubletalk,
    "divided": divided,
    "rambling": rambling,
    "resumed": resumed,
    "paired": paired,
    "put-back": put_back,
}
"""Kind of table → its trial."""
