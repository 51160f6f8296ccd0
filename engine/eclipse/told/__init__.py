"""What Eclipse tells: event ids with the names of their arguments, by chapter of the rules."""

from __future__ import annotations

from engine.eclipse.told import combat, economy, events, flow

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {**flow.EVENTS, **combat.EVENTS, **economy.EVENTS, **events.EVENTS}
"""Every event by id."""
