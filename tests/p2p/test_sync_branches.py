"""Forked feeds are followed back to where they part, and the rest of each history comes from who holds it."""

from __future__ import annotations

import pytest
from wires import Wires, fresh, played

from p2p.identity.tablekey import TableKeys
from p2p.sync.exchange import Exchange
from p2p.sync.links import WINDOW
from p2p.wire.entry import NO_PREV, Entry, make_entry
from p2p.wire.messages import Feed, Have, Push, Sent, Want


def again(keys: TableKeys, entry: Entry, prev: bytes, head: bytes) -> Entry:
    """The entry once more, after another one and under another head."""
    return make_entry(
        keys.key.private, table=entry.table, seq=entry.seq, prev=prev, epoch=entry.epoch, height=entry.height,
        head=head, state=entry.state, kind=entry.kind, body=entry.body,
    )  # fmt: skip


@pytest.mark.parametrize(("first", "rounds", "length"), [(6, 3, 24), (0, 16, WINDOW + 9), (0, 16, WINDOW + 1)])
def test_a_fork_is_walked_back_in_windows_to_its_first_pair_and_shown_to_all(
    first: int, rounds: int, length: int
) -> None:
    """length: of the forked feed. With one more than a window the first one ends before the entry at which it began."""
    table = played(rounds)
    log = table.peers[0].feeds
    key = table.keys[2]
    honest = list(log.feed(key.key.public))[:length]
    assert len(honest) == length
    forked = honest[:first]
    for entry in honest[first:]:
        prev = forked[-1].id if forked else NO_PREV
        forked.append(again(key, entry, prev, b"o" * 32 if entry.seq == first else entry.head))
    tables = {"a": fresh(table, rounds), "b": fresh(table, rounds), "c": fresh(table, rounds)}
    for entry in log.entries:
        if entry.author != key.key.public:
            tables["b"].take(entry)
        if entry.author != key.key.public or entry in honest:
            tables["a"].take(entry)
    for entry in forked:
        tables["b"].take(entry)
    wires = Wires(table, tables, [("a", "b"), ("b", "c")])
    wires.run()
    for name in ("a", "b"):
        pair = tables[name].feeds.forks[key.key.public]
        assert pair.seq == first
        assert key.key.public in tables[name].faults
    assert len(honest) > WINDOW or first
    assert all(message.count <= WINDOW for _, _, message in wires.carried if isinstance(message, Want))


@pytest.mark.parametrize("goes_on", [False, True])
def test_who_sends_evidence_while_it_is_asked_and_goes_on_in_this_history_is_asked_for_the_rest(goes_on: bool) -> None:
    """It seemed to hold the other one, of which nothing follows here, so that the rest was never asked of it."""
    table = played(3)
    log, key = table.peers[0].feeds, table.keys[2]
    honest = list(log.feed(key.key.public))
    forged = again(key, honest[3], honest[2].id, b"o" * 32)
    follower = fresh(table, 3)
    for each in log.entries:
        if each.author != key.key.public or each.seq < 6:
            follower.take(each)
    end = Exchange(follower)
    end.opened("b", table.genesis.members[1].certificate.identity)
    writer, place = table.keys[1].key.public, table.genesis.table
    end.received("b", Have(place, writer, (Feed(key.key.public, forged.seq, forged.id),)), 1.0)
    more = [honest[4]] if goes_on else []
    end.received("b", Push(tuple(Sent(each.raw) for each in (honest[3], forged, *more))), 1.0)
    end.outgoing()
    end.received("b", Have(place, writer, (Feed(key.key.public, honest[-1].seq, honest[-1].id),)), 2.0)
    wants = [message.first for _, message in end.outgoing() if isinstance(message, Want)]
    assert wants == ([6] if goes_on else [])
