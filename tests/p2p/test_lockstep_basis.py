"""Who signs two variants of one entry convicts himself, never the honest member whose proof rests on the other one."""

from __future__ import annotations

from functools import partial
from secrets import token_bytes
from typing import Any

import pytest

from p2p.lockstep.effects import Compare, Keep
from p2p.lockstep.signing import maker
from p2p.lockstep.step import read_resting
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry

SEALED = {"draws": "sealed"}


class Doubled(DirectTable):
    """A table of three where one, `who`, says one thing to this and another thing to that member, once it comes to
    `kind`: the other variant is made by a copy of its program whose chance is another."""

    def __init__(self, kind: str, who: int = 0, seed: int = 4) -> None:
        super().__init__([[0], [1], [2]], seed, options=SEALED)
        self.kind, self.who = kind, who
        self.this, self.that = (number for number in range(3) if number != who)
        self.honest = [self.keys[self.this].key.public, self.keys[self.that].key.public]
        self.variant: Entry | None = None
        self.genuine: Entry | None = None

    def deliver(self, sender: int, keep: Keep) -> None:
        if sender == self.who and self.genuine is None and keep.entry.kind == self.kind:
            self.genuine, self.variant = keep.entry, self.other(keep.entry)
            assert self.variant.id != self.genuine.id
            self.log.append((keep.entry, None))
            self.peers[self.this].feed(keep.entry)
            self.peers[self.that].feed(self.variant)
        elif sender != self.who or self.genuine is None:
            super().deliver(sender, keep)

    def other(self, entry: Entry) -> Entry:
        """Another honest-looking entry for the same place."""
        fresh = TestMachine(3, 1)
        copy = member(self.genesis, self.keys[self.who], fresh)
        copy.member_secrets.fresh = partial(token_bytes, 32)  # type: ignore[method-assign]
        copy.restore([(one, None) for one in self.peers[self.who].feeds.entries if one.author != entry.author])
        copy.restore([(one, None) for one in self.peers[self.who].feeds.feed(entry.author)[: entry.seq]])
        copy.settled()
        copy.start(new=True)
        made = [e.entry for e in copy.settled() if isinstance(e, Keep) and e.is_own]
        return next(one for one in made if one.seq == entry.seq)


def play(table: DirectTable) -> None:
    table.start()
    table.play()


@pytest.mark.parametrize(("kind", "who"), [("shuffle", 0), ("shuffle", 1), ("keys", 2), ("remask", 1)])
def test_nobody_honest_is_convicted_by_two_variants_of_what_his_entry_rests_on(kind: str, who: int) -> None:
    table = Doubled(kind, who)
    play(table)
    assert table.variant is not None, "the trick was played"
    peers = [table.peers[table.this], table.peers[table.that]]
    for peer in peers:
        assert not [peer.faults[key] for key in table.honest if key in peer.faults]
    if kind == "keys":
        run = peers[0].position.chance.run
        assert run is not None
        assert run.disagreeing, "the oks over other dealings show it, and no keys come of them"
    else:
        assert any(peer.reading.held(key) for peer in peers for key in table.honest), (
            "what rests on the other variant waits"
        )
        asked = [e.author for effects in table.seen for e in effects if isinstance(e, Compare)]
        assert set(asked) & set(table.honest), "and the histories are compared"


@pytest.mark.parametrize(("kind", "who"), [("shuffle", 0), ("keys", 2), ("remask", 1)])
def test_the_two_variants_convict_their_author_when_they_meet(kind: str, who: int) -> None:
    table = Doubled(kind, who)
    play(table)
    assert table.variant is not None
    assert table.genuine is not None
    table.peers[table.this].feed(table.variant)
    table.peers[table.that].feed(table.genuine)
    for peer in (table.peers[table.this], table.peers[table.that]):
        assert [fault.code for fault in peer.faults[table.keys[who].key.public]] == ["entry/forked"]


@pytest.mark.parametrize("body", [None, [], [bytes(31), []], [bytes(32)], bytes(32)])
def test_an_entry_that_does_not_say_what_it_rests_on_convicts(body: Any) -> None:
    table = Doubled("none")
    table.start()
    first = table.log_of("shuffle")[0]
    assert read_resting(first) is not None
    judge = member(table.genesis, table.keys[1], TestMachine(3, 1))
    judge.restore([(one, None) for one in table.peers[1].feeds.entries if one.height < first.height])
    author = next(keys for keys in table.keys if keys.key.public == first.author)
    judge.settled()
    judge.feed(
        maker(author.key)(
            table=first.table,
            seq=first.seq,
            prev=first.prev,
            epoch=first.epoch,
            height=first.height,
            head=first.head,
            state=first.state,
            kind="shuffle",
            body=body,
        )
    )
    assert [fault.code for fault in judge.faults[first.author]] == ["entry/basis"]
