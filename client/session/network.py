"""What of the network works here, as a person had it looked at last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["Network"]


class Network:
    """A look at the network, which takes some seconds.

    Attributes:
        looking: True while it is looked at.
        lines: what was found, one line a step with its cause and what to try; None before anybody has looked.
    """

    def __init__(self) -> None:
        self.looking = False
        self.lines: Sequence[str] | None = None

    def look(self, examine: Callable[[Callable[[Sequence[str]], None]], None], changed: Callable[[], None]) -> None:
        """Look again.  examine: calls what it is given with what it has found; changed: called when that is known."""

        def told(lines: Sequence[str]) -> None:
            self.looking, self.lines = False, tuple(lines)
            changed()

        if not self.looking:
            self.looking = True
            examine(told)
        changed()
