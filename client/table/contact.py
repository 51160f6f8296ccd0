"""What a person is told of links: who is connected, whose connection is lost, and who has left on purpose.

Two peers dial each other, so a link often goes because a better one is up: only what stays lost is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from client.notices import LinkChange

SOON: Final = 2.0
"""Seconds in which a link that went is followed by another when nothing was lost."""
ALONE: Final = 30.0
"""Seconds without a link to anybody after which this is told."""
LEFT: Final = {"bye/done": LinkChange.FINISHED, "bye/leave": LinkChange.LEFT}
"""What is told of a member that said good-bye: it has the whole game, or it left on purpose."""


class Contact:
    """The links of a table as people see them. tell: told the change, the identities that it is about, and why a link
    ended. Times in seconds."""

    def __init__(self, tell: Callable[[LinkChange, Sequence[bytes], str], None]) -> None:
        self._tell = tell
        self._missed: dict[bytes, tuple[float, str]] = {}
        self._alone_since = inf

    def came(self, identity: bytes) -> None:
        """The first link to somebody is up."""
        missed = self._missed.pop(identity, None)
        self._tell(LinkChange.UP if missed is None else LinkChange.ANOTHER, [identity], "")

    def replaced(self, identity: bytes) -> None:
        """One of several links to somebody is down."""
        self._tell(LinkChange.ANOTHER, [identity], "")

    def went(self, identity: bytes, code: str, now: float) -> None:
        """The last link to somebody is down."""
        self._missed[identity] = now, code

    def tick(self, now: float, others: Sequence[bytes], linked: bool) -> None:
        """To be called every second or so.

        others: the members that the game needs.
        linked: True if any is linked.
        """
        for identity, (since, code) in list(self._missed.items()):
            if now - since >= SOON:
                del self._missed[identity]
                self._tell(LEFT.get(code, LinkChange.DOWN), [identity], code)
        if linked or not others:
            self._alone_since = inf
        elif self._alone_since == inf:
            self._alone_since = now
        elif -inf < self._alone_since <= now - ALONE:
            self._alone_since = -inf
            self._tell(LinkChange.ALONE, others, "")
