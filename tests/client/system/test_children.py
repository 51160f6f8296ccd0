"""How the processes end that this one has started."""

from __future__ import annotations

import subprocess
from io import BytesIO
from typing import Any

from client.system.platform import GRACE, stop


class Child:
    """A process that notes what is done to it. left: how many calls it needs to end."""

    def __init__(self, left: int, *, gone: bool = False) -> None:
        self.left, self.gone, self.done = left, gone, list[str]()
        self.stdin, self.stdout = BytesIO(), None

    def poll(self) -> int | None:
        return None if self.left else 0

    def _called(self, word: str) -> None:
        self.done.append(word)
        if self.gone:
            raise ProcessLookupError
        self.left = max(self.left - 1, 0)

    def terminate(self) -> None:
        self._called("terminate")

    def kill(self) -> None:
        self._called("kill")

    def wait(self, seconds: float | None = None) -> int:
        if self.left and not self.gone:
            assert seconds is not None, "nobody waits for ever for a process that was not killed"
            assert 0 <= seconds <= GRACE
            raise subprocess.TimeoutExpired("starlock", seconds)
        return 0


def test_processes_are_asked_to_end_and_only_those_are_killed_that_do_not() -> None:
    ended, willing, stubborn, vanished = Child(0), Child(1), Child(2), Child(1, gone=True)
    children: Any = [ended, willing, stubborn, vanished]
    stop(children)
    assert [child.done for child in children] == [[], ["terminate"], ["terminate", "kill"], ["terminate"]]
    assert all(child.stdin.closed for child in children)
