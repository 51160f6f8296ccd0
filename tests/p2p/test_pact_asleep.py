"""A member that slept: it binds itself to nothing at a position that the others have left, and comes free if it did."""

from __future__ import annotations

from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import HELD
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import TableRefusal
from p2p.sync.links import WINDOW
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry
from p2p.wire.messages import Feed, Have

ASLEEP, OTHER = 2, 1


def behind() -> DirectTable:
    """Three members, of whom one fell asleep after its vote: it waits for the others' votes, and they, one height on,
    have left it out and gone on for more than a window."""
    table = DirectTable([[0], [1], [2]], rounds=40)
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    assert table.peers[ASLEEP].answer(2, [1]) is None
    table.settle()
    table.cut_off.add(ASLEEP)
    for number in (0, OTHER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    assert table.peers[0].position.height == table.peers[ASLEEP].position.height + 1
    assert table.peers[0].propose("absent", [key(table, ASLEEP)]) is None
    table.settle()
    (vote,) = table.peers[OTHER].votes()
    assert table.peers[OTHER].sign(vote.pact.id) is None
    table.settle()
    table.play()
    assert len(table.peers[0].feeds.feed(key(table, 0))) > len(sleeper(table).feeds.feed(key(table, 0))) + 2 * HELD
    return table


def key(table: DirectTable, number: int) -> bytes:
    return table.keys[number].key.public


def sleeper(table: DirectTable) -> Lockstep:
    return table.peers[ASLEEP]


def catch_up(table: DirectTable, peer: Lockstep) -> None:
    """Bring each other what is missing, as sync does: as many entries of an author at a time as there is room for."""
    busy = True
    while busy:
        busy = False
        for effect in peer.settled():
            if isinstance(effect, Keep) and effect.is_own:
                for other in (table.peers[0], table.peers[OTHER]):
                    other.feed(effect.entry, effect.attachment)
                    other.settled()
        for author in table.keys:
            for entry in missing(table.peers[0], peer, author.key.public):
                busy = True
                peer.feed(entry)


def missing(of: Lockstep, to: Lockstep, author: bytes) -> list[Entry]:
    held = len(to.feeds.feed(author))
    return list(of.feeds.feed(author)[held : held + max(0, min(WINDOW, to.room(author)))])


def test_who_bound_itself_in_its_sleep_learns_behind_a_full_window_that_it_was_refused() -> None:
    table = behind()
    assert sleeper(table).propose("absent", [key(table, OTHER)]) is None
    assert sleeper(table).voting.locks()
    catch_up(table, sleeper(table))
    assert not sleeper(table).voting.locks()
    assert sleeper(table).position.head == table.peers[0].position.head


def test_a_store_that_was_left_locked_comes_free_when_it_is_resumed() -> None:
    table = behind()
    assert sleeper(table).propose("absent", [key(table, OTHER)]) is None
    stored = [(entry, None) for entry in sleeper(table).feeds.entries]
    again = member(table.genesis, table.keys[ASLEEP], TestMachine(3, 40))
    again.restore(stored)
    again.start(new=False)
    again.confirm(*again.own_end())
    assert again.voting.locks()
    for effect in sleeper(table).settled():
        if isinstance(effect, Keep) and effect.is_own:
            table.peers[0].feed(effect.entry)
    table.peers[0].settled()
    catch_up(table, again)
    assert not again.voting.locks()
    assert again.position.head == table.peers[0].position.head


def test_nobody_votes_on_a_position_that_a_held_entry_shows_to_be_left() -> None:
    table = behind()
    others = key(table, 0), key(table, OTHER)
    for author in others:
        for entry in missing(table.peers[0], sleeper(table), author)[1:2]:
            assert entry.height > sleeper(table).position.height
    (first, second) = missing(table.peers[0], sleeper(table), others[0])[:2]
    sleeper(table).feed(first)
    sleeper(table).feed(second)
    assert sleeper(table).propose("absent", [others[1]]) == TableRefusal("pact/behind", "", (others[0],))
    assert sleeper(table).propose("end", terms="agreed") == TableRefusal("pact/behind", "", (others[0],))
    assert not sleeper(table).voting.locks()


def test_nobody_says_a_word_on_a_pact_while_entries_of_its_own_lead_further_than_it_has_read() -> None:
    table = DirectTable([[0], [1]], options={"draws": "open"})
    table.start()
    while table.peers[0].position.height < 6:
        assert table.step()
    table.settle()
    far = table.peers[0]
    again = member(table.genesis, table.keys[0], TestMachine(2, 1))
    again.restore([(entry, None) for entry in far.feeds.entries if entry.author == far.me or entry.height < 1])
    again.start(new=False)
    again.confirm(*again.own_end())
    assert again.mute is None
    assert again.position.height < far.position.height
    behind_itself = TableRefusal("lockstep/catching-up")
    assert again.propose("end", terms="agreed") == again.sign(bytes(32)) == again.refuse(bytes(32), "") == behind_itself
    for entry in far.feeds.entries:
        again.feed(entry)
    again.settled()
    assert again.position.head == far.position.head
    assert again.sign(bytes(32)) == TableRefusal("pact/not-open")


def test_who_is_left_out_itself_cannot_forbid_it_by_an_entry_of_a_height_that_nobody_reached() -> None:
    table = behind()
    others = key(table, 0), key(table, OTHER)
    for entry in missing(table.peers[0], sleeper(table), others[0])[:2]:
        sleeper(table).feed(entry)
    assert sleeper(table).voting.ahead(out=(others[0],)) == []


def test_nobody_votes_while_somebody_says_to_hold_more_until_its_word_is_broken() -> None:
    from p2p.sync.exchange import Exchange
    from p2p.sync.links import BELIEVED, PROMISE

    table = behind()
    peer, identity = sleeper(table), table.genesis.members[0].certificate.identity
    exchange = Exchange(peer)
    exchange.opened("a link", identity)
    assert exchange.ahead() == {key(table, 0)}, "it has not said yet what it holds"
    mine = tuple(Feed(author, seq, last) for author, (seq, last) in peer.feeds.have().items())
    exchange.received("a link", Have(table.genesis.table, key(table, 0), mine, ()), 0.0)
    assert exchange.ahead() == set()
    more = (Feed(mine[0].author, mine[0].seq + 5, bytes(32)), *mine[1:])
    for broken in range(BELIEVED):
        at = 2 * PROMISE * broken
        exchange.received("a link", Have(table.genesis.table, key(table, 0), more, ()), at)
        assert peer.propose("absent", [key(table, OTHER)]) == TableRefusal("pact/behind", "", (key(table, 0),))
        exchange.tick(at + PROMISE)
    exchange.received("a link", Have(table.genesis.table, key(table, 0), more, ()), 100.0)
    assert peer.propose("absent", [key(table, OTHER)]) is None
