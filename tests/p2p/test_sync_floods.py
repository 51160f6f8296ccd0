"""What one link may cost: what is refused ends it, what nobody asked for slows it down, chat is taken at its pace."""

from __future__ import annotations

import pytest
from wires import fresh, played

from p2p.identity.tablekey import TableKeys
from p2p.lockstep.effects import Keep, Said
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.hearing import MAX_SPECTATORS
from p2p.lockstep.lockstep import Lockstep
from p2p.log.feeds import MAX_CHATS, MAX_FEED, Feeds, Spent
from p2p.sync.exchange import MAX_REFUSED, Exchange
from p2p.sync.links import PROMISE, REFUSED_COST
from p2p.sync.pace import AT_ONCE, CHATS_A_MINUTE, FROM_STRANGERS
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry
from p2p.wire.messages import Feed, Have, Push, Sent, Want

SALT = bytes(16)


def written(
    table: DirectTable,
    keys: TableKeys,
    count: int,
    *,
    kind: str = "chat",
    body: Plain = (chat_hash(bytes(16), "word"),),
    after: Entry | None = None,
    height: int = 0,
) -> list[Entry]:
    """So many entries of one author, one after the other."""
    entries = [] if after is None else [after]
    for _ in range(count):
        last = entries[-1] if entries else None
        entries.append(
            make_entry(
                keys.key.private, table=table.genesis.table, seq=0 if last is None else last.seq + 1,
                prev=NO_PREV if last is None else last.id, epoch=0, height=height, head=bytes(32), state=bytes(16),
                kind=kind, body=body,
            )
        )  # fmt: skip
    return entries if after is None else entries[1:]


class One:
    """A follower of a table that has begun, with one link."""

    def __init__(self) -> None:
        self.table = DirectTable([[0], [1], [2]], seed=2)
        self.table.start()
        self.follower = Follower(self.table.genesis, TestMachine(3, 1))
        self.end = Exchange(self.follower)
        self.now = 1_000.0
        self.errors: list[str] = []
        self.cost = 0
        self.dropped = False
        self.end.opened("x", self.table.genesis.members[1].certificate.identity)
        for entry in self.table.peers[0].feeds.entries:
            self.push([entry])
        self.cost = 0
        self.follower.settled()

    def have(self, feeds: tuple[Feed, ...], link: str = "x") -> None:
        self.end.received(link, Have(self.table.genesis.table, self.table.keys[1].key.public, feeds), self.now)

    def push(self, entries: list[Entry], attachment: str | None = None) -> None:
        sent = [Sent(entry.raw, None if attachment is None else (SALT, attachment)) for entry in entries]
        for at in range(0, len(sent), 200):
            received = self.end.received("x", Push(tuple(sent[at : at + 200])), self.now)
            self.cost += received.cost
            self.errors += received.errors
            self.dropped = self.dropped or received.drop

    def last(self, number: int) -> Entry:
        last = self.follower.feeds.last(self.table.keys[number].key.public)
        assert last is not None
        return last

    def chats(self, keys: TableKeys) -> int:
        return self.follower.feeds.chats(keys.key.public)


def test_forged_entries_cost_their_link_and_end_it() -> None:
    one = One()
    entry = written(one.table, one.table.keys[1], 1, after=one.last(1))[0]
    forged = [entry.raw[:-2] + bytes([number, entry.raw[-1] ^ 1]) for number in range(200)]
    received = one.end.received("x", Push(tuple(map(Sent, forged))), one.now)
    assert received.errors == ("entry/signature",) * MAX_REFUSED
    assert received.cost >= MAX_REFUSED * REFUSED_COST
    assert received.drop
    one.push(written(one.table, one.table.keys[2], 1, after=one.last(2)))
    assert one.chats(one.table.keys[2]) == 0, "nothing more is heard on that link"


def test_some_forged_entries_do_not_hold_up_what_their_bringer_says_itself() -> None:
    one = One()
    entry = written(one.table, one.table.keys[1], 1, after=one.last(1))[0]
    for number in range(MAX_REFUSED - 1):
        received = one.end.received("x", Push((Sent(entry.raw[:-2] + bytes([number, entry.raw[-1] ^ 1])),)), one.now)
        assert received.errors == ("entry/signature",)
    one.push([entry])
    assert one.chats(one.table.keys[1]) == 1
    assert not one.dropped


def test_who_wants_the_same_entries_again_and_again_is_read_more_slowly() -> None:
    """Of a link of which nothing is charged a megabyte of wants a second is read, and each is answered by a window."""
    one = One()
    me, author = one.table.genesis.table, one.table.keys[1].key.public
    one.push(written(one.table, one.table.keys[1], 60, after=one.last(1)))
    one.have(())
    one.end.outgoing()
    sent = costs = 0
    for _ in range(1_000):
        costs += one.end.received("x", Want(me, author, 0, 64), one.now).cost
        pushed = [message for _, message in one.end.outgoing() if isinstance(message, Push)]
        sent += sum(len(entry.raw) for push in pushed for entry in push.entries)
    assert sent > 10_000_000
    assert costs > 60 * 1_000 + sent / 1_100


def test_who_names_now_one_and_now_another_history_gets_no_entry_each_time() -> None:
    """Each have that differed was answered by an entry of up to 12 kB and a request."""
    one = One()
    last = one.last(1)
    one.end.outgoing()
    for number in range(100):
        for id in (last.id, number.to_bytes(32)):
            one.have((Feed(last.author, last.seq, id),))
    said = [message for _, message in one.end.outgoing() if isinstance(message, Want | Push)]
    assert len(said) <= 2


def test_what_is_wanted_once_costs_nothing() -> None:
    one = One()
    author = one.table.keys[1].key.public
    one.push(written(one.table, one.table.keys[1], 100, after=one.last(1)))
    one.have(())
    assert one.end.received("x", Want(one.table.genesis.table, author, 0, 64), one.now).cost == 0
    assert one.end.received("x", Want(one.table.genesis.table, author, 64, 64), one.now).cost == 0


def test_strangers_fill_no_map() -> None:
    one = One()
    for number in range(1_000):
        kind = ("chat", "answer", "pact")[number % 3]
        seq = number % 4
        (entry,) = written(one.table, fixed_keys(number, 9), 1, kind=kind)
        if seq:
            prev = written(one.table, fixed_keys(number, 9), seq)[-1]
            (entry,) = written(one.table, fixed_keys(number, 9), 1, kind=kind, after=prev)
        one.push([entry], "word")
    feeds = one.follower.feeds
    assert len(feeds.authors) <= 3 + MAX_SPECTATORS
    assert len(feeds.by_author) <= 3 + MAX_SPECTATORS
    assert not any(feeds.early(author) for author in feeds.early_by_author)
    assert one.end.held() <= 4 * (3 + MAX_SPECTATORS)
    assert len(one.follower.texts) <= MAX_SPECTATORS
    assert one.cost >= 1_000 - MAX_SPECTATORS


def test_of_what_a_stranger_chats_little_is_kept_and_nothing_is_stored() -> None:
    one = One()
    stranger = fixed_keys(5, 9)
    talk = written(one.table, stranger, 600)
    for _ in range(120):
        one.push(talk[one.chats(stranger) :], "word")
        one.now += 0.5
    assert FROM_STRANGERS < one.chats(stranger) <= FROM_STRANGERS + 1 + CHATS_A_MINUTE
    assert one.follower.seated(stranger.key.public) is False
    assert not [entry for entry in one.follower.hearing.log if entry.author == stranger.key.public]
    kept = [effect for effect in one.follower.settled() if isinstance(effect, Keep)]
    assert len(kept) == one.chats(stranger), "what is kept is passed on"


def test_a_flood_of_a_member_is_taken_at_the_pace_of_chat_and_its_own_words_come_behind_it() -> None:
    one = One()
    member = one.table.keys[1]
    talk = written(one.table, member, AT_ONCE + 100, after=one.last(1))
    talk += written(one.table, member, 1, kind="clock", after=talk[-1])
    one.push(talk, "word")
    assert one.chats(member) == AT_ONCE + 1
    one.now += 60
    one.push(talk, "word")
    assert one.chats(member) == AT_ONCE + 1 + CHATS_A_MINUTE
    while one.chats(member) < AT_ONCE + 100 and one.now < 3_000:
        one.now += 6
        one.push(talk, "word")
    one.now += 12
    one.push(talk, "word")
    assert one.last(1).kind == "clock"
    assert one.now < 1_000 + 700


def test_what_others_hold_already_was_said_before_and_is_not_held_up() -> None:
    one = One()
    author = one.table.keys[2]
    talk = written(one.table, author, 900, after=one.last(2))
    one.end.opened("y", one.table.genesis.members[1].certificate.identity)
    one.have((Feed(author.key.public, talk[-1].seq, talk[-1].id),), "y")
    one.push(talk, "word")
    assert one.chats(author) == 900
    more = written(one.table, author, 900, after=talk[-1])
    one.have((Feed(author.key.public, more[-1].seq, more[-1].id),), "y")
    one.push(more, "word")
    assert one.chats(author) == 900 + 2 * AT_ONCE + 1, "said twice, it is no past, and waits a little less"


def test_nobody_vouches_for_its_own_flood() -> None:
    one = One()
    member = one.table.keys[1]
    talk = written(one.table, member, 900, after=one.last(1))
    one.have((Feed(member.key.public, talk[-1].seq, talk[-1].id),))
    one.push(talk, "word")
    assert one.chats(member) == AT_ONCE + 1


def test_nothing_is_wanted_of_who_is_paused_but_what_a_pact_rests_on() -> None:
    one = One()
    member = one.table.keys[1]
    talk = written(one.table, member, AT_ONCE + 300, after=one.last(1))
    one.push(talk, "word")
    one.end.outgoing()
    one.have((Feed(member.key.public, talk[-1].seq, talk[-1].id),))
    assert not [message for _, message in one.end.outgoing() if isinstance(message, Want)]
    one.follower.hearing.promised = lambda author: talk[AT_ONCE + 50].seq  # type: ignore[method-assign]
    one.push(talk, "word")
    assert one.chats(member) == AT_ONCE + 51


def test_a_feed_ends_before_the_chat_that_is_too_much_for_everybody_alike() -> None:
    table = DirectTable([[0], [1], [2]], seed=2)
    table.start()
    first = table.peers[0].feeds.last(table.keys[1].key.public)
    assert first is not None
    talk = written(table, table.keys[1], MAX_CHATS + 5, after=first)
    talk += written(table, table.keys[1], 1, kind="clock", after=talk[-1])
    ends = []
    for order in (talk, talk[::-1]):
        follower = Follower(table.genesis, TestMachine(3, 1))
        for entry in [*table.peers[0].feeds.entries, *order, *order]:
            follower.take(entry)
        if order is talk:
            ends.append(follower.feeds.last(table.keys[1].key.public))
            assert follower.feeds.chats(table.keys[1].key.public) == MAX_CHATS
            assert follower.room(table.keys[1].key.public) == 0
            assert not follower.faults
    assert ends == [talk[MAX_CHATS - 1]]


def test_a_feed_of_votes_and_claims_ends_as_well() -> None:
    table = DirectTable([[0], [1], [2]], seed=2)
    first = written(table, table.keys[1], 1, kind="answer", body=bytes(11_000))
    feeds = Feeds(table.genesis.table)
    feeds.add(first[0])
    last, size = first[0], len(first[0].raw)
    while not feeds.ended(last.author):
        (last,) = written(table, table.keys[1], 1, kind="answer", body=bytes(11_000), after=last, height=2**50)
        feeds.add(last)
    spent = feeds.spent(last.author)
    assert spent == Spent(len(feeds.feed(last.author)), sum(len(each.raw) for each in feeds.feed(last.author)))
    assert MAX_FEED - size - 100 < spent.size <= MAX_FEED


def test_who_has_said_enough_is_refused_and_plays_on() -> None:
    table = DirectTable([[0], [1], [2]], seed=2)
    table.start()
    peer: Lockstep = table.peers[0]
    for _ in range(MAX_CHATS):
        assert peer.chat("word") is None
    refusal = peer.chat("one more")
    assert refusal is not None
    assert refusal.code == "chat/too-many"
    assert len([effect for effect in peer.settled() if isinstance(effect, Said)]) == MAX_CHATS
    assert peer.mute is None


@pytest.mark.parametrize("claimed", [2**40, 300])
def test_only_what_lies_in_a_window_and_comes_in_time_counts_as_asked(claimed: int) -> None:
    one = One()
    member = one.table.keys[1]
    first = one.last(1)
    talk = written(one.table, member, 190, kind="clock", after=first)
    one.end.outgoing()
    one.have((Feed(member.key.public, claimed, bytes(32)),))
    (want,) = [message for _, message in one.end.outgoing() if isinstance(message, Want)]
    assert want.first == first.seq + 1
    one.cost = 0
    one.push(talk)
    assert one.cost >= len(talk) - want.count
    one.cost, one.now = 0, one.now + PROMISE
    one.push(written(one.table, member, 20, kind="clock", after=talk[-1]))
    assert one.cost == 20


@pytest.mark.parametrize("raw", [b"", b"\xff", bytes(300)])
def test_garbage_is_counted_and_changes_nothing(raw: bytes) -> None:
    table = played()
    table.peers[0].effects()
    end = Exchange(table.peers[0])
    end.opened("x", bytes(32))
    received = end.received("x", Push((Sent(raw),)), 0.0)
    assert len(received.errors) == 1
    assert not [effect for effect in table.peers[0].effects() if isinstance(effect, Keep)]


def test_entries_that_nobody_asked_for_are_accounted_for() -> None:
    table = played()
    end = Exchange(fresh(table))
    end.opened("x", bytes(32))
    sent = [Sent(entry.raw) for entry in table.peers[0].feeds.entries[:10]]
    received = end.received("x", Push(tuple(sent)), 0.0)
    assert received.unasked == 10
    assert received.size == sum(len(item.raw) for item in sent)
    end.outgoing()
    again = end.received("x", Push(tuple(sent)), 0.0)
    assert again.unasked == 0


def test_n60_a_forged_or_foreign_entry_is_refused_by_code() -> None:
    table = played()
    end = Exchange(fresh(table))
    end.opened("x", bytes(32))
    entry = table.peers[0].feeds.entries[0]
    forged = entry.raw[:-1] + bytes([entry.raw[-1] ^ 1])
    foreign = make_entry(
        table.keys[0].key.private, table=bytes(32), seq=0, prev=NO_PREV, epoch=0, height=0, head=bytes(32),
        state=bytes(16), kind="join", body=None,
    )  # fmt: skip
    received = end.received("x", Push((Sent(forged), Sent(foreign.raw))), 0.0)
    assert received.errors == ("entry/signature", "entry/table")
