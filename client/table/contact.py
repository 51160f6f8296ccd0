# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person is told about links: who is connected, whose connection is lost, and who has left on purpose.

Two peers dial each other, so a link often closes because a better one is up: only a lasting loss is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from client.table.notices import LinkChange

SOON: Final = 2.0
"""Seconds within which another link replaces a closed one if the connection is not lost."""
BACK: Final = 4.0
"""Seconds after which who had left counts as back: `starlock leave` links for a moment, to tell that it leaves."""
ALONE: Final = 30.0
"""Seconds without any link after which the person is told."""
LEFT: Final = {"bye/done": LinkChange.FINISHED, "bye/leave": LinkChange.LEFT}
"""The meaning of a good-bye: the member has the whole game, or it left on purpose."""


class Contact:
    """The links of a table as people see them. Times are in seconds.

    tell: called with the change, the identities that it is about, and the code why a link ended.
    """

    def __init__(self, tell: Callable[[LinkChange, Sequence[bytes], str], None]) -> None:
        self._tell = tell
        self._missed: dict[bytes, tuple[float, str]] = {}
        self._left: set[bytes] = set()
        self._back: dict[bytes, float] = {}  # when those who have left came again
        self._alone_since = inf

    def came(self, identity: bytes) -> None:
        """The first link to a peer is up."""
        if identity in self._left:
            self._back[identity] = inf  # until the next tick tells the time
            self._tell(LinkChange.ANOTHER, [identity], "")
            return
        missed = self._missed.pop(identity, None)
        self._tell(LinkChange.UP if missed is None else LinkChange.ANOTHER, [identity], "")

    def replaced(self, identity: bytes) -> None:
        """One of several links to a peer is down."""
        self._tell(LinkChange.ANOTHER, [identity], "")

    def went(self, identity: bytes, code: str, now: float) -> None:
        """The last link to a peer is down."""
        if identity in self._left:
            self._back.pop(identity, None)
            self._tell(LinkChange.ANOTHER, [identity], "")
            return
        self._missed[identity] = now, code

    def tick(self, now: float, others: Sequence[bytes], linked: bool) -> None:
        """To be called every second or so.

        others: the members that the game needs.
        linked: True if any of them is linked.
        """
        for identity, (since, code) in list(self._missed.items()):
            if now - since >= SOON:
                del self._missed[identity]
                self._tell(LEFT.get(code, LinkChange.DOWN), [identity], code)
                self._left |= {identity} if code in LEFT else set()
        self._back = {identity: min(since, now) for identity, since in self._back.items()}
        for identity in [each for each, since in self._back.items() if now - since >= BACK]:
            del self._back[identity]
            self._left.discard(identity)
            self._tell(LinkChange.UP, [identity], "")
        if linked or not others:
            self._alone_since = inf
        elif self._alone_since == inf:
            self._alone_since = now
        elif -inf < self._alone_since <= now - ALONE:
            self._alone_since = -inf
            self._tell(LinkChange.ALONE, others, "")
