# SPDX-License-Identifier: GPL-3.0-or-later
"""Pulsars: once a round, in place of an action, the disc moves on and one activation follows (document, Pulsar)."""

from __future__ import annotations

from engine.core.errors import Refusal
from engine.core.values import Value
from engine.eclipse.actions import build, move, upgrade
from engine.eclipse.state import Eclipse, events_of
from engine.eclipse.words import record

__all__ = ["SPACES", "Activate", "activate", "activations", "refused", "rest"]

SPACES = ("", "move", "build", "upgrade")
"""Action spaces by number; 0: no disc lies there."""

CAN = {"move": move.can_move, "build": build.can_build, "upgrade": upgrade.can_upgrade}


@record
class Activate:
    """Move the disc of a controlled pulsar to another of its spaces and execute one activation of that action."""

    sector: str
    action: str


def judge(g: Eclipse, seat: int, tile: int, action: str) -> Refusal | None:
    """Why a controlled pulsar cannot be activated for an action now."""
    events, name = events_of(g), g.const.sector_ids[tile]
    if g.seats.passed[seat]:
        return Refusal("pulsar/passed", "", (name,))
    if events.used[tile]:
        return Refusal("pulsar/used", "", (name,))
    if SPACES[events.space[tile]] == action:
        return Refusal("pulsar/same-space", "", (name, action))
    return CAN[action](g, seat)


def _judged(g: Eclipse, seat: int) -> list[tuple[Activate, Refusal | None]]:
    return [
        (Activate(g.const.sector_ids[tile], action), judge(g, seat, tile, action))
        for tile in g.const.pulsars
        if g.sectors.owner[tile] == seat
        for action in sorted(CAN)
    ]


def activations(g: Eclipse, seat: int) -> list[Activate]:
    """Every activation of a pulsar that the seat can choose in its turn, in order."""
    return [pulse for pulse, problem in _judged(g, seat) if problem is None]


def refused(g: Eclipse, seat: int) -> list[tuple[Value, Refusal]]:
    """The others of its pulsars, with the reason."""
    return [(pulse, problem) for pulse, problem in _judged(g, seat) if problem is not None]


def activate(g: Eclipse, seat: int, pulse: Activate) -> None:
    """Move the disc and line up the activation; no disc is paid, and extra activations do not apply."""
    events, tile = events_of(g), g.const.sector_index[pulse.sector]
    events.space[tile], events.used[tile] = SPACES.index(pulse.action), 1
    g.tell("pulsar/activated", seat=seat, sector=pulse.sector, action=pulse.action)
    g.then([pulse.action, seat, 1, 1])


def rest(g: Eclipse) -> None:
    """A new round: every pulsar may be activated again."""
    for tile in g.const.pulsars:
        events_of(g).used[tile] = 0
