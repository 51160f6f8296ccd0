"""Pacts of each other kind: what it does, who may propose and sign it, and what it must not touch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pacttables import at, code, everybody_signs, leave_out_last, places

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep import votes
from p2p.lockstep.cuts import judge_end
from p2p.lockstep.effects import Over, Proposed
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import GivenNotice
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.signing import maker
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import MAX_NUMBER, make_entry

ID = bytes([7] * 32)


def test_gone_hands_the_seat_to_the_game_and_there_is_no_way_back() -> None:
    table = at("together")
    absent = leave_out_last(table)
    while absent in table.peers[0].position.members:
        assert table.step()
    assert table.peers[0].propose("gone", [absent]) is None
    table.settle()
    everybody_signs(table)
    table.play()
    machine = table.peers[0].machine
    assert isinstance(machine, TestMachine)
    assert machine.state["gone"] == [["left-out", 2], ["vacated", 2], ["hand-returned", 2]]
    assert absent in table.peers[0].position.membership.gone
    assert code(table.peers[1].machine.check(GivenNotice("vacated", 2))) == ""


def test_a_takeback_restores_the_game_and_goes_on_with_new_seeds() -> None:
    table = at("seal")
    to = table.peers[0].position.height - 3
    past_state = table.peers[0].position.history.machine_at(to).digest()
    height = table.peers[0].position.height
    rolls = len(table.peers[0].position.chance.rolls)
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    everybody_signs(table)
    for peer in table.peers:
        assert peer.machine.digest() == past_state
        assert peer.position.height > height
        assert peer.position.epoch == 1
    table.play()
    assert len(places(table)) == 1
    assert table.peers[0].position.over
    values = [rolled.roll.value for rolled in table.peers[0].position.chance.rolls]
    assert len(set(values)) == len(values) > rolls


def test_a_takeback_across_a_private_look_says_so_in_its_terms() -> None:
    table = at("choose")
    assert code(table.peers[0].propose("takeback", (), [1, False])) == "pact/across-secrets"
    assert code(table.peers[0].propose("takeback", (), [10**6, True])) == "pact/no-such-height"


def test_n76_answers_of_before_a_takeback_do_not_count_after_it() -> None:
    table = at("choose")
    to = table.peers[0].position.height
    table.step()
    old = [entry for entry in table.peers[1].feeds.entries if entry.kind == "answer"]
    assert table.peers[0].propose("takeback", (), [to, False]) is None
    table.settle()
    everybody_signs(table)
    author = old[-1].author
    again = next(peer for peer in table.peers if peer.me not in (author, None))
    stood = (again.position.height, again.position.head)
    assert again.position.step.kind == "choose", "the same question is asked again"
    last = again.feeds.last(author)
    assert last is not None
    key = next(keys.key for keys in table.keys if keys.key.public == author)
    replayed = make_entry(
        key.private, table=old[-1].table, seq=last.seq + 1, prev=last.id, epoch=old[-1].epoch, height=old[-1].height,
        head=old[-1].head, state=old[-1].state, kind="answer", body=old[-1].body,
    )  # fmt: skip
    again.feed(replayed)
    assert again.feeds.last(author) == replayed
    assert again.reading.held(author) is None
    assert (again.position.height, again.position.head) == stood
    assert author in again.owing(), "its answer is still waited for"


def test_a_game_ends_when_all_agree() -> None:
    table = at("choose")
    assert table.peers[0].propose("end", (), "agreed") is None
    table.settle()
    everybody_signs(table)
    assert all(peer.position.over for peer in table.peers)
    assert [effect.code for effect in table.seen[1] if isinstance(effect, Over)] == ["agreed"]


def newcomer(table: DirectTable, seat: int) -> tuple[Lockstep, Value]:
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    identity = SigningKey.from_seed(b"i" * 32)
    certificate = certify(identity, keys.key.public, table.genesis.table, "laptop")
    record = decode(encode(Member(certificate, (Row(seat, "Newcomer"),), bytes(32)).record()))
    return member(table.genesis, keys, TestMachine(table.peers[0].machine.state["seats"], 2)), record  # type: ignore[attr-defined]


def test_a_seat_is_given_to_a_new_key_which_plays_on() -> None:
    table = at("choose")
    late, record = newcomer(table, 2)
    assert table.peers[0].propose("seat", (), [2, record]) is None
    table.settle()
    everybody_signs(table)
    for entry in table.peers[0].feeds.entries:
        late.take(entry)
    late.start(new=True)
    table.peers.append(late)
    table.seen.append([])
    table.settle()
    table.cut_off = {2}
    table.play()
    assert table.peers[0].position.owner[2] == late.me
    assert late.position.over
    assert len(places(table)) == 1
    assert any(entry.kind == "answer" for entry in late.feeds.feed(late.me or b""))


def parted() -> tuple[DirectTable, bytes]:
    """A table at which the third has answered the first and the second otherwise, and says nothing more; and its
    key."""
    table = at("together")
    culprit = table.keys[2]
    position, last = table.peers[2].position, table.peers[2].feeds.last(culprit.key.public)
    assert last is not None
    place: dict[str, Any] = {"seq": last.seq + 1, "prev": last.id, "height": position.height, "head": position.head}
    place |= {"table": table.genesis.table, "epoch": 0, "state": position.state, "kind": "answer"}
    forks = [maker(culprit.key)(**place, body=[2, [value]]) for value in (1, 2)]
    table.cut_off = {2}
    table.peers[0].feed(forks[0])
    table.peers[1].feed(forks[1])
    for number in (0, 1):
        table.peers[number].answer(number, [1])
    table.settle()
    assert table.peers[0].position.head != table.peers[1].position.head
    table.peers[0].feed(forks[1])
    table.peers[1].feed(forks[0])
    table.settle()
    assert all(culprit.key.public in peer.faults for peer in table.peers[:2])
    return table, culprit.key.public


def test_without_a_culprit_the_others_go_on_where_its_histories_part() -> None:
    table, culprit = parted()
    height = table.peers[2].position.height
    assert table.peers[1].chat("Who goes there?") is None
    table.settle()
    assert table.peers[0].voting.parted(culprit)
    assert table.peers[0].part(culprit) is None
    [pact] = [pact for pact in table.peers[0].ballots.pacts.values() if pact.kind == "without"]
    assert pact.at == height
    table.settle()
    everybody_signs(table)
    assert {peer.position.height for peer in table.peers[:2]} == {height + 9}
    table.play()
    assert len(places(table)) == 1
    assert table.peers[0].position.over


@pytest.mark.parametrize(("which", "number"), [(3, MAX_NUMBER), (3, 1 << 22), (4, MAX_NUMBER), (4, 1 << 22)])
def test_nobody_signs_to_go_on_at_a_height_or_epoch_behind_which_there_is_hardly_another(
    which: int, number: int
) -> None:
    """The culprit itself may propose that. At the last number there is nobody can sign anything."""
    table, culprit = parted()
    pact = table.peers[0].proposals.parting(culprit)
    assert isinstance(pact, Pact)
    assert isinstance(pact.terms, list)
    far = replace(pact, terms=[*pact.terms[:which], number, *pact.terms[which + 1 :]])
    for peer in table.peers[:2]:
        seq, last = peer.feeds.end(culprit)
        place: dict[str, Any] = {"epoch": 0, "height": pact.at, "head": pact.head, "state": bytes(16)}
        place |= {"table": table.genesis.table, "seq": seq + 1, "prev": last, "kind": "pact", "body": far.body()}
        peer.feed(maker(table.keys[2].key)(**place))
        peer.settled()
        (advice,) = (vote.advice for vote in peer.votes() if vote.pact.id == far.id)
        assert getattr(advice, "code", "") == "pact/would-go-back"


def test_who_waits_for_the_word_of_a_member_with_two_histories_goes_on_without_it() -> None:
    """It has refused a vote in the history that two others hold, where the vote is dead. To a fourth it has said
    nothing, and would bind it there for ever."""
    table = at("together", members=5)
    culprit, absent = table.keys[3].key, [table.keys[2].key.public, table.keys[4].key.public]
    table.cut_off = {2, 3, 4}
    for peer in table.peers[:2]:
        assert peer.propose("absent", absent) is None
        table.settle()
    (bound,) = table.peers[0].voting.locks()
    last = table.peers[0].feeds.last(culprit.public)
    assert last is not None
    position = table.peers[0].position
    place: dict[str, Any] = {"table": table.genesis.table, "epoch": 0, "height": position.height, "head": position.head}
    place |= {"state": position.state}
    kept, shown = (
        maker(culprit)(**place, seq=last.seq + 1, prev=last.id, kind="answer", body=[3, [value]]) for value in (1, 2)
    )
    refusal: Plain = [bound.id, "pact/more", []]
    refused = maker(culprit)(**place, seq=last.seq + 2, prev=shown.id, kind="refuse", body=refusal)
    table.cut_off = {3, 4}
    for entry, attachment in table.log:
        table.peers[2].feed(entry, attachment)
    for number, entries in ((0, (kept, shown)), (1, (shown, refused, kept)), (2, (shown, refused, kept))):
        for entry in entries:
            table.peers[number].feed(entry)
    table.settle()
    assert [bool(peer.voting.locks()) for peer in table.peers[:3]] == [True, False, False]
    assert table.peers[0].voting.awaited() == {culprit.public}
    assert table.peers[1].propose("absent", [culprit.public, absent[1]]) is None
    table.settle()
    everybody_signs(table)
    table.play()
    assert len(places(table)) == 1
    assert table.peers[0].position.over
    assert absent[0] in table.peers[0].position.members


def test_a_proposal_is_told_to_everybody_with_the_name_of_its_author() -> None:
    table = at("choose")
    assert table.peers[1].propose("end", terms="stopped") is None
    table.settle()
    for number in range(3):
        (told,) = [effect for effect in table.seen[number] if isinstance(effect, Proposed)]
        assert (told.pact.kind, told.author) == ("end", table.keys[1].key.public)


@pytest.mark.parametrize("kind", ["absent", "back", "repair", "without"])
def test_nobody_signs_where_a_feed_ends_that_has_not_arrived_so_far(kind: str) -> None:
    table = at("together")
    author = leave_out_last(table) if kind == "back" else table.keys[2].key.public
    reading, position = table.peers[0].reading, table.peers[0].position
    held = reading.hearing.feeds.feed(author)
    for arrived, end in ((True, FeedEnd(author, held[-1].seq, held[-1].id)), (False, FeedEnd(author, len(held), ID))):
        match kind:
            case "absent":
                found = judge_end(reading, end)
            case "repair":
                found = votes._cut_at(reading, end)
            case "back":
                found = votes._back(reading, Pact("back", position.height, position.head, (), [author, end.seq]))
            case _:
                terms: Value = [author, [ID], True, position.height + 1, position.epoch + 1]
                pact = Pact("without", position.height, position.head, (end,), terms)
                found = votes._without(reading, pact, position.members)
        assert (code(found) == "pact/feed-behind") is not arrived
