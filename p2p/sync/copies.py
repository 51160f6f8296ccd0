# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions and answers between the copies of one home, which reach each other through the members that both are linked
with."""

from __future__ import annotations

from collections.abc import Mapping

from p2p.sync.links import Link
from p2p.sync.ownfeed import OwnFeed
from p2p.wire.messages import Twin


class Copies:
    """What this peer passes on between its `links`, and says itself if its home has copies. own: its own feed, None for
    a watcher. Both methods return messages to send, by link."""

    def __init__(self, links: Mapping[str, Link], own: OwnFeed | None) -> None:
        self._links, self._own = links, own

    def ask(self, table: bytes, name: str) -> list[tuple[str, Twin]]:
        """Pass the question of a link on to other copies of the home that asks."""
        question = self._links[name].question
        return [(other, Twin(table, question)) for other in self._others(name)]

    def take(self, name: str, twin: Twin, now: float) -> list[tuple[str, Twin]]:
        """Answer the question of another copy of this home, take the answer to an own question, or pass one on."""
        if self._own is not None and twin.signature == b"":
            signature = self._own.witness(twin.question) if self._links[name].writer is not None else b""
            return [(name, Twin(twin.table, twin.question, signature))] if signature else []
        if self._own is not None and self._own.twin(twin, now):
            return []
        return [(other, twin) for other in self._others(name) if self._links[other].question == twin.question]

    def _others(self, name: str) -> list[str]:
        """Return the other links with the same table key."""
        writer = self._links[name].writer
        links = self._links.items()
        return [other for other, link in links if writer is not None and other != name and link.writer == writer]
