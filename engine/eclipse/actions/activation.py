# SPDX-License-Identifier: GPL-3.0-or-later
"""Common to all actions: stopping early, and dropping the remaining activations."""

from __future__ import annotations

from engine.eclipse.state import Eclipse
from engine.eclipse.words import record

__all__ = ["Stop", "finish"]


@record
class Stop:
    """Use no further activation of this action."""


def finish(g: Eclipse, action: str, seat: int) -> None:
    """Drop the action's activations that have not run yet."""
    g.flow.agenda[:] = [item for item in g.flow.agenda if item[:2] != [action, seat]]
