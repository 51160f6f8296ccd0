# SPDX-License-Identifier: GPL-3.0-or-later
"""One task for each of a set of keys that changes, such as the relays at which to wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Hashable
from typing import Generic, TypeVar

import trio

K = TypeVar("K", bound=Hashable)


class TaskSet(Generic[K]):
    """One task for each wanted key. task: runs until cancelled."""

    def __init__(self, task: Callable[[K], Awaitable[None]]) -> None:
        self._task = task
        self._scopes: dict[K, trio.CancelScope] = {}

    def update(self, nursery: trio.Nursery, wanted: Collection[K]) -> None:
        """Cancel the tasks of other keys, and start those that are missing."""
        for key in [each for each in self._scopes if each not in wanted]:
            self._scopes.pop(key).cancel()
        for key in wanted:
            if key not in self._scopes:
                self._scopes[key] = trio.CancelScope()
                nursery.start_soon(self._run, key, self._scopes[key])

    def cancel(self) -> None:
        """Cancel all tasks. The next `update` starts them again."""
        for scope in self._scopes.values():
            scope.cancel()
        self._scopes.clear()

    async def _run(self, key: K, scope: trio.CancelScope) -> None:
        with scope:
            await self._task(key)
