"""No majority undoes an end that all have signed, however it votes afterwards or has voted before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import test_seat_handed_over as seats
from test_ends import final, played

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import audit
from p2p.lockstep.closing import closings
from p2p.lockstep.cuts import end_here
from p2p.lockstep.effects import Compare
from p2p.lockstep.ends import read_end, result
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.reading import Reading
from p2p.testing.hostile_votes import Unbound
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Entry, make_entry
from seeds.hashing import H


def voted_anew(table: DirectTable, numbers: Sequence[int], make: Callable[[DirectTable], Pact]) -> list[Entry]:
    """Let members sign a pact after the end, and another result where it would lead. Returns their entries."""
    pact, entries = make(table), []
    for number in numbers:
        peer, position = table.peers[number], table.peers[number].position
        assert peer.me is not None
        seq, prev = peer.feeds.end(peer.me)
        said: list[tuple[str, Any]] = [("pact", pact.body()), ("result", result(position))]
        for kind, body in said:
            seq += 1
            entry = make_entry(
                table.keys[number].key.private, table=table.genesis.table, seq=seq, prev=prev, epoch=position.epoch + 1,
                height=position.height + 9, head=bytes([9]) * 32 if kind == "result" else position.head,
                state=position.state, kind=kind, body=body,
            )  # fmt: skip
            entries.append(entry)
            prev = entry.id
    return entries


def undoing(table: DirectTable, at: int | None = None) -> Pact:
    """A vote that leaves member 2 out from a height on, the middle of the game, as if it had signed two histories
    there."""
    position, culprit = table.peers[0].position, table.peers[2]
    assert culprit.me is not None
    at = position.height // 2 if at is None else at
    entry = next(entry for entry in reversed(culprit.feeds.feed(culprit.me)) if entry.height < at)
    terms: list[Value] = [culprit.me, [entry.id], False, position.height + 8, position.epoch + 1]
    return Pact("without", at, position.past[at].head, (FeedEnd(culprit.me, entry.seq, entry.id),), terms)


def excluding(table: DirectTable) -> Pact:
    """A vote that leaves member 2 out at an earlier height."""
    pact = undoing(table)
    return Pact("absent", pact.at, pact.head, pact.out, None)


@pytest.mark.parametrize("make", [undoing, excluding])
def test_no_majority_undoes_an_end_that_all_have_signed(make: Callable[[DirectTable], Pact]) -> None:
    table = played()
    position = table.peers[0].position
    later = voted_anew(table, [0, 1], make)
    log = [entry for entry, _ in table.log]
    for entries in ([*log, *later], sorted([*log, *later], key=lambda entry: (entry.author, entry.seq))):
        found = audit(entries, lambda genesis: TestMachine(genesis.seats, 1))
        assert (found.height, found.head, found.final) == (position.height, position.head, True)
        assert found.end == read_end(table.log_of("result")[0])
        assert not found.pacts
        assert {problem.code for problem in found.problems} == {"result/other-head"}
        follower = Follower(table.genesis, TestMachine(3, 1))
        for entry in entries:
            follower.take(entry)
            follower.settled()
        assert (follower.position.head, follower.reading.final) == (position.head, True)
        resumed = Follower(table.genesis, TestMachine(3, 1))
        resumed.restore((entry, None) for entry in entries)
        resumed.settled()
        assert (resumed.position.head, resumed.reading.final) == (position.head, True)
    for entry in later:
        table.peers[2].feed(entry)
        table.peers[2].settled()
    assert table.peers[2].position.head == position.head


def hidden(table: DirectTable, numbers: Sequence[int], count: int, at: int | None = None) -> list[Entry]:
    """Let members hide the end of a table behind others that are none: each proposes a new key for seat 2, they and
    these keys sign `count` heads that lead nowhere, and then the members vote to undo the end. Returns the entries."""
    position, entries = table.peers[0].position, list[Entry]()
    keys = [table.keys[number] for number in numbers]
    ends = {each.key.public: table.peers[0].feeds.end(each.key.public) for each in keys}
    place: dict[str, Any] = {"table": table.genesis.table, "epoch": position.epoch, "state": position.state}

    def say(each: TableKeys, kind: str, body: Any, head: bytes = position.head) -> None:
        seq, prev = ends.get(each.key.public, (-1, bytes(32)))
        entry = make_entry(
            each.key.private, **place, seq=seq + 1, prev=prev, height=position.height, head=head, kind=kind, body=body
        )
        ends[each.key.public] = entry.seq, entry.id
        entries.append(entry)

    guests = [TableKeys(SigningKey.from_seed(bytes([number + 1]) * 32), b"s" * 32) for number in range(len(keys))]
    for each, guest in zip(keys, guests, strict=True):
        certificate = certify(SigningKey.from_seed(b"i" * 32), guest.key.public, table.genesis.table, "laptop")
        record = Member(certificate, (Row(2, "Guest"),), bytes(32)).record()
        say(each, "pact", ["seat", position.height, position.head, [], [2, record], 0, []])
    body = result(position)
    for number in range(count):
        for each in (*keys, *guests):
            say(each, "result", body, H("no end", number))
    for each in keys:
        say(each, "pact", undoing(table, at).body())
    return entries


@pytest.mark.parametrize("last", range(3))
def test_no_majority_hides_an_end_that_all_have_signed_behind_others(last: int) -> None:
    """Whoever hears the feeds one by one, whichever comes last."""
    table = played()
    position = table.peers[0].position
    log = [entry for entry, _ in table.log] + hidden(table, (0, 1), 100)
    numbers = {each.key.public: number for number, each in enumerate(table.keys)}
    log.sort(key=lambda entry: (numbers.get(entry.author, 3) == last, entry.author, entry.seq))
    late = Follower(table.genesis, TestMachine(3, 1))
    for entry in log:
        late.take(entry)
        late.settled()
    assert (late.position.head, late.reading.final) == (position.head, True)


def ended_without_one() -> tuple[DirectTable, bytes]:
    """A game of four that three have ended without the fourth one; and its key."""
    table = DirectTable([[0], [1], [2], [3]])
    table.start()
    table.step()
    table.cut_off.add(3)
    while table.step():
        pass
    lost = table.keys[3].key.public
    assert table.peers[0].propose("absent", [lost]) is None
    table.settle()
    for peer in table.peers[1:3]:
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    while table.step():
        pass
    assert final(table.peers[0])
    return table, lost


def test_nor_from_who_hears_last_what_one_said_that_was_left_out() -> None:
    """The end cannot be read before, so it is tried again once nothing is missing."""
    table, lost = ended_without_one()
    position = table.peers[0].position
    log = [*table.peers[0].feeds.entries, *hidden(table, (0, 1), 3, position.height - 2)]
    late = Follower(table.genesis, TestMachine(4, 1))
    told = []
    for entry in sorted(log, key=lambda entry: (entry.author == lost, entry.author, entry.seq)):
        late.take(entry)
        told += late.settled()
    assert late.position.head != position.head
    assert any(isinstance(effect, Compare) for effect in told)
    late.compared()
    late.settled()
    assert (late.position.head, late.reading.final) == (position.head, True)


def test_nor_from_who_never_reads_that_a_seat_has_passed_to_one_who_has_signed_it() -> None:
    """The votes lead back to before that, so that the new key is nobody there; and the two have tried until they gave
    up. The end that it has signed is tried all the same."""
    table = seats.table("open", 2)
    at, old = table.peers[0].position.height - 1, table.peers[2]
    seats.agree(table, "seat", [2, seats.somebody(table, 2)])
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    table.keys[2], table.peers[2] = keys, member(table.genesis, keys, TestMachine(3, 2))
    for entry, attachment in table.log:
        table.peers[2].feed(entry, attachment)
        table.peers[2].settled()
    table.peers[2].start(new=True)
    table.settle()
    table.play()
    position = table.peers[2].position
    assert final(table.peers[2])
    table.peers[2] = old  # who is named as a forger
    log = [entry for entry, _ in table.log] + hidden(table, (0, 1), 100, at)
    for last in (keys.key.public, table.keys[0].key.public):
        late = Follower(table.genesis, TestMachine(3, 2))
        by_feed = sorted(log, key=lambda each: (each.author == last, each.author, each.seq))
        for entry in (*by_feed, *by_feed):
            late.take(entry)
            late.settled()
        assert (late.position.head, late.reading.final) == (position.head, True)


class Endless(Reading):
    """For whom no end is final."""

    @property
    def final(self) -> bool:
        return False


def played_on(table: DirectTable) -> None:
    """Two of three vote after the end to go on without the third from the middle of the game, as if it had signed two
    histories there, play to another end and sign that."""
    pact = undoing(table)
    table.cut_off = {2}
    for peer in table.peers[:2]:
        peer.reading.__class__ = Endless
        peer.ballots.closing = None
        peer._look_for_an_end = lambda *_, **__: None  # type: ignore[method-assign]
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    table.play()
    assert {(peer.position.over, len(peer.position.members)) for peer in table.peers[:2]} == {(True, 2)}


def praised(table: DirectTable, height: int, head: bytes) -> list[Entry]:
    """Keys that the two propose for a seat sign their end too, so that most have signed it. Then the two leave the
    third out at the end of this height and head that all had signed, where votes count always. Returns these
    entries."""
    peer, position = table.peers[0], table.peers[0].position
    entries: list[Entry] = []

    def say(keys: TableKeys, kind: str, body: Any) -> None:
        own = [each for each in (*peer.feeds.entries, *entries) if each.author == keys.key.public]
        seq, prev = (own[-1].seq, own[-1].id) if own else (-1, bytes(32))
        entries.append(
            make_entry(
                keys.key.private, table=table.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
                height=position.height, head=position.head, state=position.state, kind=kind, body=body,
            )
        )  # fmt: skip

    for number in range(2):
        guest = TableKeys(SigningKey.from_seed(bytes([number + 1]) * 32), b"s" * 32)
        certificate = certify(SigningKey.from_seed(b"i" * 32), guest.key.public, table.genesis.table, "laptop")
        record = Member(certificate, (Row(2, "Guest"),), bytes(32)).record()
        say(table.keys[number], "pact", ["seat", position.height, position.head, [], [2, record], 0, []])
        say(guest, "result", result(position))
    third = table.keys[2].key.public
    for keys in table.keys[:2]:
        say(keys, "pact", Pact("absent", height, head, (FeedEnd(third, *peer.feeds.end(third)),), None).body())
    return entries


@pytest.mark.parametrize("more", [False, True])
def test_no_majority_plays_on_from_an_end_that_all_have_signed_to_another_one(more: bool) -> None:
    """Both ends can be read then, and all who are present there have signed each. The first one stands, for a judge of
    the log, for who hears the feeds one by one, whichever comes last, and for the home of the third."""
    table = played()
    height, end = table.peers[2].position.height, table.peers[2].position.head
    played_on(table)
    log = [entry for entry, _ in table.log] + (praised(table, height, end) if more else [])
    found = audit(log, lambda genesis: TestMachine(genesis.seats, 1))
    assert (found.head, found.final, found.pacts) == (end, True, ())
    for last in (keys.key.public for keys in table.keys):
        by_feed = sorted(log, key=lambda each: (each.author == last, each.author, each.seq))
        late = Follower(table.genesis, TestMachine(3, 1))
        for entry in by_feed:
            late.take(entry)
            late.settled()
        assert (late.position.head, late.reading.final) == (end, True)
        home = member(table.genesis, table.keys[2], TestMachine(3, 1))
        home.restore((entry, None) for entry in by_feed)
        home.settled()
        assert (home.position.head, home.reading.final) == (end, True)
    for entry in log:
        table.peers[2].feed(entry)
        table.peers[2].settled()
    assert table.peers[2].position.head == end


def saying(table: DirectTable, numbers: Sequence[int], pacts: Sequence[Pact]) -> Follower:
    """A follower that has heard these members sign these pacts besides."""
    heard = Follower(table.genesis, TestMachine(3, 1))
    said = [entry for entry, _ in table.log]
    for number in numbers:
        keys = table.keys[number]
        seq, prev = table.peers[number].feeds.end(keys.key.public)
        for pact in pacts:
            entry = make_entry(
                keys.key.private, table=table.genesis.table, seq=seq + 1, prev=prev, epoch=0, height=pact.at,
                head=pact.head, state=bytes(16), kind="pact", body=pact.body(),
            )  # fmt: skip
            seq, prev = entry.seq, entry.id
            said.append(entry)
    for entry in said:
        heard.hear(entry)
    heard.go_on()
    heard.settled()
    return heard


def foresigned() -> tuple[DirectTable, bytes, bytes]:
    """Two of three sign in advance an end without the third: to go on from here as if it had signed two histories, and
    to agree that the game ends there. All take a step back and play to another end that all sign. Then the second signs
    the first vote, and two new keys the end to which it leads. Return the heads of the two ends, the true one first."""
    table = DirectTable([[0], [1], [2]], seed=4)
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    here = table.peers[0].position
    at, state = here.height, here.state
    place: dict[str, Any] = {"epoch": here.epoch, "height": at, "head": here.head}
    out = undoing(table, at).out
    terms: list[Value] = [out[0].author, [out[0].id], False, at + 1, here.epoch + 1]
    without = Pact("without", at, here.head, out, terms)
    end = Pact("end", at + 1, saying(table, (0, 1), [without]).position.head, (), "agreed")
    false = saying(table, (0, 1), [without, end]).position
    assert false.over
    body: Any = result(false)
    there: dict[str, Any] = {"epoch": false.epoch, "height": false.height, "head": false.head}

    def say(number: int, kind: str, body: Any, place: dict[str, Any]) -> None:
        peer = table.peers[number]
        assert peer.me is not None
        seq, prev = peer.feeds.end(peer.me)
        key = table.keys[number].key.private
        peer.signing.record(
            make_entry(
                key, table=table.genesis.table, seq=seq + 1, prev=prev, **place, state=state, kind=kind, body=body
            )
        )
        peer.advance()
        table.settle()

    for peer in table.peers[:2]:
        peer.voting.__class__ = Unbound
    say(0, "pact", without.body(), place)
    say(0, "pact", end.body(), place)
    say(0, "result", body, there)
    say(1, "pact", end.body(), place)
    while table.peers[2].position.height < false.height:  # a vote below an end that somebody has signed comes late
        assert table.step()
    assert table.peers[2].propose("takeback", (), [at, True]) is None
    table.settle()
    back = next(pact for pact in table.peers[2].ballots.pacts.values() if pact.kind == "takeback")
    for number in (0, 1):
        say(number, "sign", [back.id], {**place, "height": back.at, "head": back.head})
    table.play()
    assert all(final(peer) for peer in table.peers)
    say(1, "pact", without.body(), place)
    say(1, "result", body, there)
    for number in range(2):
        guest = TableKeys(SigningKey.from_seed(bytes([number + 1]) * 32), b"s" * 32)
        certificate = certify(SigningKey.from_seed(b"i" * 32), guest.key.public, table.genesis.table, "laptop")
        record = Member(certificate, (Row(2, "Guest"),), bytes(32)).record()
        say(number, "pact", Pact("seat", at, here.head, (), [2, decode(encode(record))]).body(), place)
        praise = make_entry(
            guest.key.private, table=table.genesis.table, seq=0, prev=bytes(32), **there, state=state, kind="result",
            body=body,
        )  # fmt: skip
        table.log.append((praise, None))
    return table, table.peers[2].position.head, false.head


def test_no_majority_undoes_an_end_by_another_one_that_it_has_signed_in_advance() -> None:
    """Both stand by themselves, and behind each of them somebody has voted for what leads to the other one."""
    table, head, false = foresigned()
    assert {peer.position.head for peer in table.peers} == {head}
    log = [entry for entry, _ in table.log]
    assert {each.head for each in closings(log)} == {head, false}
    found = audit(log, lambda genesis: TestMachine(genesis.seats, 1))
    assert (found.head, found.final) == (head, True)
    for last in (keys.key.public for keys in table.keys):
        late = Follower(table.genesis, TestMachine(3, 1))
        for entry in sorted(log, key=lambda each: (each.author == last, each.author, each.seq)):
            late.take(entry)
            late.settled()
        late.compared()
        late.settled()
        assert (late.position.head, late.reading.final) == (head, True)


def test_whoever_were_left_out_and_are_more_than_half_name_forgers_and_the_account_says_so() -> None:
    """The homes of those who have signed the end keep it; a log holds no order of feeds, so a judge reads on without
    them from where they are named, and lists what that has undone."""
    table = DirectTable([[number] for number in range(5)], 6, 2)
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    at, head = table.peers[0].position.height, table.peers[0].position.head
    ends = tuple(sorted(end_here(table.peers[2].reading, table.keys[number].key.public, at) for number in (0, 1)))
    for lost in (4, 3, 2):
        table.cut_off.add(lost)
        table.play()
        assert table.peers[0].propose("absent", [table.keys[lost].key.public]) is None
        table.settle()
        for peer in table.peers[1:lost]:
            (vote,) = peer.votes()
            assert peer.sign(vote.pact.id) is None
        table.settle()
    table.play()
    position = table.peers[0].position
    assert [final(peer) for peer in table.peers[:2]] == [True, True]
    terms: list[Value] = [ends[0].author, [ends[0].id], False, position.height + 8, position.epoch + 8]
    pact = Pact("without", at, head, ends, terms)
    for number in (2, 3, 4):
        table.peers[number].signing.say("pact", pact.body())
        for peer in table.peers[:2]:
            peer.feed(table.peers[number].feeds.feed(table.keys[number].key.public)[-1])
    table.settle()
    assert {peer.position.head for peer in table.peers[:2]} == {position.head}
    log = [
        entry for keys, peer in zip(table.keys, table.peers, strict=True) for entry in peer.feeds.feed(keys.key.public)
    ]
    found = audit(log, lambda genesis: TestMachine(genesis.seats, 2))
    assert [each.kind for each in found.pacts] == ["without"]
    voters = {keys.key.public for keys in table.keys[2:]}
    assert {frozenset(each.voters) for each in found.undone if each.by == "without"} == {frozenset(voters)}
    rolls = {each.said.what for each in found.undone}
    assert "roll" in rolls


@pytest.mark.parametrize(("make", "undoes"), [(undoing, True), (excluding, False)])
def test_of_an_end_that_somebody_present_has_not_signed_a_majority_undoes_only_what_a_second_history_needs(
    make: Callable[[DirectTable], Pact], undoes: bool
) -> None:
    """So that a member that shows its last answer in two ways leaves one end. Nobody is left out at a height that the
    signers have passed."""
    table = played()
    log = [entry for entry, _ in table.log if (entry.author, entry.kind) != (table.peers[2].me, "result")]
    found = audit([*log, *voted_anew(table, [0, 1], make)], lambda genesis: TestMachine(genesis.seats, 1))
    assert (found.head != table.peers[0].position.head) is undoes
    assert [pact.kind for pact in found.pacts] == ([make(table).kind] if undoes else [])
