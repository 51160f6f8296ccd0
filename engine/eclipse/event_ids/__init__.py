# SPDX-License-Identifier: GPL-3.0-or-later
"""The events of Eclipse: event ids with the names of their arguments, by chapter of the rules."""

from __future__ import annotations

from engine.eclipse.event_ids import combat, economy, flow, galactic

__all__ = ["EVENTS"]

EVENTS: dict[str, tuple[str, ...]] = {**flow.EVENTS, **combat.EVENTS, **economy.EVENTS, **galactic.EVENTS}
"""Every event by id."""
