# SPDX-License-Identifier: GPL-3.0-or-later
"""The places of those who have connected and not yet shown who they are."""

from __future__ import annotations

from typing import Final

import trio

HALF_OPEN: Final = 32


class Strangers:
    """The places of incoming connections that have not shown who they are, by household, the oldest first."""

    def __init__(self) -> None:
        self._places: dict[str, list[trio.CancelScope]] = {}
        self._taken = 0

    def enter(self, address: str) -> trio.CancelScope:
        """Return a place, which ends when it is cancelled. If there are too many, the household that holds most, this
        newcomer counted, loses its oldest."""
        place = trio.CancelScope()
        self._places.setdefault(address, []).append(place)
        self._taken += 1
        if self._taken > HALF_OPEN:
            most = max(self._places, key=lambda each: len(self._places[each]))
            oldest = self._places[most][0]
            self.leave(most, oldest)
            oldest.cancel()
        return place

    def leave(self, address: str, place: trio.CancelScope) -> None:
        """Give a place up, if it is still held."""
        held = self._places.get(address, [])
        if place in held:
            held.remove(place)
            self._taken -= 1
        if not held:
            self._places.pop(address, None)
