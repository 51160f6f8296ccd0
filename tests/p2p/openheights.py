"""Tables at a first wait, next entries of their members, and effects of a kind."""

from __future__ import annotations

from typing import Any

from p2p.lockstep.effects import Effect
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry, make_entry


def started(holdings: list[list[int]] | None = None, rounds: int = 1, until: str = "choose") -> DirectTable:
    """A table that stands at its first wait of this kind."""
    table = DirectTable(holdings or [[0], [1], [2]], rounds=rounds)
    table.start()
    while table.peers[0].position.step.kind != until:
        assert table.step()
    for peer in table.peers:
        peer.effects()
    return table


def entry(table: DirectTable, author: int, **changes: Any) -> Entry:
    """A next entry of this author at the table's position, with some fields changed."""
    peer = table.peers[author]
    position, last = peer.position, peer.feeds.last(table.keys[author].key.public)
    assert last is not None
    fields: dict[str, Any] = {
        "table": table.genesis.table, "seq": last.seq + 1, "prev": last.id, "epoch": position.epoch,
        "height": position.height, "head": position.head, "state": position.state, "kind": "answer", "body": [author,
        [1]],
    }  # fmt: skip
    return make_entry(table.keys[author].key.private, **{**fields, **changes})


def found(effects: list[Effect], kind: type[Effect]) -> list[Any]:
    return [effect for effect in effects if isinstance(effect, kind)]
