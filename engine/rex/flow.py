# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of the game: rounds of seven phases (rule document, 4 and 5)."""

from __future__ import annotations

from engine.rex.state import PHASES, Rex

__all__ = ["SEGMENTS"]


def new_round(g: Rex) -> None:
    """A round is as many as the Location cards resolved, its own included."""
    g.round.number = g.round.located + 1
    g.tell("round/opens", round=g.round.number, seat=g.round.first)
    g.then(*(["phase", name] for name in PHASES[1:-1]), ["end-round"])


def phase(g: Rex, phase: str) -> None:
    """Cards may be played when a phase begins, and after a Location card; cancelled abilities work again."""
    g.round.phase = PHASES.index(phase)
    g.round.blocked.clear()
    g.tell("rex/phase", phase=phase)
    g.then(["window", phase], ["battles" if phase == "battle" else phase])
    if phase == "influence":
        g.then(["window", "location"])


SEGMENTS = {"round": new_round, "phase": phase}
