"""A table that is over answers from the store whoever missed its end, and keeps no more than it should."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.signing import maker
from p2p.sync.archived import MAX_NEWS, Archived
from p2p.sync.exchange import MAX_REFUSED, CheckEntry, Exchange
from p2p.sync.links import Received
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry, chat_hash, check_signature
from p2p.wire.messages import MAX_WANT, Feed, Have, Push, Sent, Want

HERE, LATE = 0, 1


def played(seats: int = 2, rounds: int = 1) -> DirectTable:
    table = DirectTable([[seat] for seat in range(seats)], rounds=rounds)
    table.start()
    assert table.peers[HERE].chat("gl hf ñ") is None
    table.settle()
    table.play()
    assert table.peers[HERE].position.over
    return table


def archive(table: DirectTable, check: CheckEntry = check_signature) -> Archived:
    at = table.peers[HERE]
    entries = [(entry, at.texts.get(entry.id)) for entry in at.feeds.entries]
    return Archived(table.genesis, key(table, HERE), entries, check=check)


def key(table: DirectTable, number: int) -> bytes:
    return table.keys[number].key.public


def identity(table: DirectTable, number: int) -> bytes:
    return table.genesis.members[number].certificate.identity


def late_member(table: DirectTable, entries: Iterable[Entry], rounds: int) -> Lockstep:
    """A member of the table whose store ended with these, resumed."""
    peer = member(table.genesis, table.keys[LATE], TestMachine(len(table.peers), rounds))
    peer.restore((entry, table.peers[LATE].texts.get(entry.id)) for entry in entries)
    peer.start(new=False)
    return peer


def converse(store: Archived, late: Follower, who: bytes, seconds: int = 20) -> list[Entry]:
    """Link the two until neither has anything to say; what the store keeps of it."""
    exchange, kept = Exchange(late), list[Entry]()
    store.opened("late", who)
    exchange.opened("store", b"s" * 32 if late.me is None else store_identity(late))
    for now in range(seconds):
        exchange.tick(float(now))
        late.tick(float(now)) if isinstance(late, Lockstep) else None
        busy = True
        while busy:
            for effect in late.settled():
                if isinstance(effect, Keep):
                    exchange.spread(effect.entry)
            to_late, to_store = store.outgoing(), exchange.outgoing()
            for _, message in to_late:
                exchange.received("store", message, float(now))
            for _, message in to_store:
                assert not store.received("late", message).errors
            kept += [entry for entry, _ in store.news()]
            busy = bool(to_late or to_store)
    return kept


def store_identity(late: Follower) -> bytes:
    return late.genesis.members[HERE].certificate.identity


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 1.0])
def test_a_member_that_missed_the_end_gets_it_signs_the_result_and_is_known_to_have_all(share: float) -> None:
    table = played(rounds=24)
    whole = [entry for entry in table.peers[LATE].feeds.entries if entry.kind != "result"]
    late = late_member(table, whole[: int(share * len(whole))], 24)
    store = Archived(
        table.genesis,
        key(table, HERE),
        [(e, None) for e in table.peers[HERE].feeds.entries if not late_result(table, e)],
    )
    assert len(whole) > 2 * MAX_WANT
    kept = converse(store, late, identity(table, LATE))
    assert late.position.over
    assert late.position.head == table.peers[HERE].position.head
    assert [entry.kind for entry in kept] == ["result"]
    assert store.whole == {key(table, LATE)}


def late_result(table: DirectTable, entry: Entry) -> bool:
    return entry.author == key(table, LATE) and entry.kind == "result"


def test_a_spectator_whose_watch_was_cut_gets_the_rest_and_the_texts_of_chat() -> None:
    table = played()
    follower = Follower(table.genesis, TestMachine(2, 1))
    follower.restore((entry, None) for entry in table.peers[HERE].feeds.entries[:3])
    assert converse(archive(table), follower, b"w" * 32) == []
    assert follower.position.over
    assert "gl hf ñ" in [text for _, text in follower.texts.values()]


def test_only_the_identity_behind_a_table_key_can_say_what_its_member_holds() -> None:
    table = played()
    store = archive(table)
    ends = {entry.author: Feed(entry.author, entry.seq, entry.id) for entry in table.peers[HERE].feeds.entries}
    store.opened("liar", b"l" * 32)
    store.received("liar", Have(table.genesis.table, key(table, LATE), tuple(ends.values())))
    assert not store.whole


def chats(table: DirectTable, number: int, count: int) -> list[Sent]:
    """More entries of a member, which its own feed allows."""
    make, last, made = maker(table.keys[number].key), table.peers[number].feeds.last(key(table, number)), []
    position = table.peers[number].position
    assert last is not None
    for _ in range(count):
        last = make(
            table=table.genesis.table, seq=last.seq + 1, prev=last.id, epoch=position.epoch, height=position.height,
            head=position.head, state=position.state, kind="chat", body=[chat_hash(bytes(16), "x")],
        )  # fmt: skip
        made.append(Sent(last.raw, (bytes(16), "x")))
    return made


def test_what_others_add_is_bounded() -> None:
    table = played()
    store = archive(table)
    store.opened("late", identity(table, LATE))
    flood = chats(table, LATE, MAX_NEWS + 100)
    for at in range(0, len(flood), 100):
        store.received("late", Push(tuple(flood[at : at + 100])))
    news = store.news()
    assert len(news) == MAX_NEWS
    assert news[0][1] == (bytes(16), "x")
    assert not any(isinstance(message, Want) for _, message in store.outgoing())


def test_a_text_that_was_not_signed_for_is_not_kept() -> None:
    table = played()
    store = archive(table)
    store.opened("late", identity(table, LATE))
    (sent,) = chats(table, LATE, 1)
    store.received("late", Push((Sent(sent.raw, (bytes(16), "y")),)))
    ((_, attachment),) = store.news()
    assert attachment is None


def test_known_entries_those_of_strangers_and_those_beyond_a_gap_are_not_even_checked() -> None:
    table, other = played(), DirectTable([[0], [1], [2]])
    other.genesis = table.genesis
    store = archive(table, lambda entry: pytest.fail("a signature was checked"))
    store.opened("late", identity(table, LATE))
    stranger = maker(other.keys[2].key)(
        table=table.genesis.table, seq=0, prev=bytes(32), epoch=0, height=0, head=bytes(32), state=bytes(16),
        kind="chat", body=[bytes(32)],
    )  # fmt: skip
    known = [Sent(entry.raw) for entry in table.peers[HERE].feeds.entries[:10]]
    received = store.received("late", Push((*known, Sent(stranger.raw), chats(table, LATE, 2)[1])))
    assert (received.errors, received.drop, store.news()) == ((), False, [])


def test_forged_entries_and_those_of_another_table_are_refused_and_the_link_is_dropped_after_a_few() -> None:
    table = played()
    store = archive(table)
    store.opened("late", identity(table, LATE))
    (good,) = chats(table, LATE, 1)
    forged = Sent(good.raw[:-1] + bytes([good.raw[-1] ^ 1]))
    foreign = Sent(played(3).peers[0].feeds.entries[0].raw)
    received = store.received("late", Push((forged, foreign)))
    assert received.errors == ("entry/signature", "entry/table")
    assert not received.drop
    received = store.received("late", Push((forged,) * (2 * MAX_REFUSED)))
    assert len(received.errors) == MAX_REFUSED - 2
    assert received.drop
    assert store.news() == []


def test_words_about_another_table_or_over_a_closed_link_are_not_answered() -> None:
    table = played()
    store = archive(table)
    store.opened("late", identity(table, LATE))
    store.outgoing()
    assert store.received("late", Have(bytes(32), None, ())) == Received()
    assert store.received("late", Want(bytes(32), key(table, HERE), 0, 64)) == Received()
    assert store.received("nobody", Want(table.genesis.table, key(table, HERE), 0, 64)) == Received()
    store.closed("late")
    assert not store.linked
    assert store.received("late", Have(table.genesis.table, None, ())) == Received()
    assert store.outgoing() == []


def test_an_answer_holds_one_window_and_counts_as_what_it_brings() -> None:
    table = played(rounds=16)
    store = archive(table)
    store.opened("late", identity(table, LATE))
    store.outgoing()
    received = store.received("late", Want(table.genesis.table, key(table, HERE), 0, MAX_WANT))
    sent = [sent for _, message in store.outgoing() if isinstance(message, Push) for sent in message.entries]
    assert len(sent) == MAX_WANT
    assert received.cost > MAX_WANT
    assert received.size == sum(len(each.raw) for each in sent)


def test_two_stores_that_meet_bring_each_other_up_to_date_and_fall_silent() -> None:
    """Both tables ended in earlier processes: one dials because it does not know that the other has all."""
    table = played(rounds=24)
    entries = table.peers[HERE].feeds.entries
    own = {HERE: entries[: len(entries) // 2], LATE: entries}
    stores = [Archived(table.genesis, key(table, number), [(e, None) for e in own[number]]) for number in (HERE, LATE)]
    for number, store in enumerate(stores):
        store.opened("link", identity(table, 1 - number))
    said = 0
    while messages := [store.outgoing() for store in stores]:
        said += sum(map(len, messages))
        if not any(messages):
            break
        for number, out in enumerate(messages):
            for _, message in out:
                stores[1 - number].received("link", message)
        assert said < 100
    assert len(stores[HERE].news()) == len(entries) - len(own[HERE])
    assert stores[HERE].whole == {key(table, LATE)}
    assert stores[LATE].whole == {key(table, HERE)}
