"""Pacts one by one: what each kind does, who may propose and sign it, and what it must not touch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.effects import Agreed, Happened, Over, Proposed, Refused, Rewound
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import GivenNotice
from p2p.lockstep.pacts import Pact
from p2p.lockstep.signing import maker
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import MAX_NUMBER, make_entry


def at(kind: str, members: int = 3, rounds: int = 2) -> DirectTable:
    """A table that stands at its first wait of this kind."""
    table = DirectTable([[number] for number in range(members)], rounds=rounds)
    table.start()
    while table.peers[0].position.step.kind != kind:
        assert table.step()
    return table


def everybody_signs(table: DirectTable) -> None:
    for number, peer in enumerate(table.peers):
        for vote in peer.votes() if number not in table.cut_off else []:
            assert peer.sign(vote.pact.id) is None, vote
    table.settle()


def code(refusal: Any) -> str:
    return "" if refusal is None else str(refusal.code)


def agreed(table: DirectTable, number: int = 0) -> list[str]:
    return [effect.pact.kind for effect in table.seen[number] if isinstance(effect, Agreed)]


def leave_out_last(table: DirectTable) -> bytes:
    """The last member has vanished; the others agree on that."""
    gone = len(table.peers) - 1
    table.cut_off.add(gone)
    table.play()
    assert table.peers[0].propose("absent", [table.keys[gone].key.public]) is None
    table.settle()
    everybody_signs(table)
    return table.keys[gone].key.public


def places(table: DirectTable) -> set[tuple[int, bytes]]:
    return {(p.position.height, p.position.head) for n, p in enumerate(table.peers) if n not in table.cut_off}


@pytest.mark.parametrize(("members", "enough"), [(3, 2), (4, 3), (5, 3), (6, 4)])
def test_more_than_half_must_agree_to_leave_somebody_out(members: int, enough: int) -> None:
    table = at("together", members)
    table.cut_off = {*range(enough, members)}
    table.play()
    silent = [keys.key.public for keys in table.keys[enough:]]
    others = [keys.key.public for keys in table.keys[enough - 1 :]]
    assert code(table.peers[0].propose("absent", others)) == "pact/too-few"
    assert table.peers[0].propose("absent", silent) is None
    table.settle()
    for number in range(1, enough):
        assert not any(peer.position.cut for peer in table.peers[:enough]), "the word of one is missing"
        (vote,) = table.peers[number].votes()
        assert table.peers[number].sign(vote.pact.id) is None
        table.settle()
    assert all({*peer.position.cut} == {*silent} for peer in table.peers[:enough])


def test_the_caretaker_plays_for_an_absent_member_and_the_game_ends_alike() -> None:
    table = at("together")
    leave_out_last(table)
    table.play()
    assert len(places(table)) == 1
    assert table.peers[0].position.over
    assert agreed(table) == ["absent"]
    assert table.peers[0].position.epoch == 1


def test_between_two_nobody_is_left_out() -> None:
    table = at("together", members=2)
    assert code(table.peers[0].propose("absent", [table.keys[1].key.public])) == "pact/too-few"


def test_nobody_is_left_out_who_owes_nothing() -> None:
    table = at("choose")
    assert code(table.peers[0].propose("absent", [table.keys[2].key.public])) == "pact/owes-nothing"


def test_who_has_signed_gives_no_answers_until_the_vote_is_over() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    assert code(table.peers[0].answer(0, [1])) == "lockstep/voting"
    table.settle()
    (vote,) = table.peers[1].votes()
    assert table.peers[1].refuse(vote.pact.id, "she is just slow") is None
    table.settle()
    assert [e.reason for e in table.seen[0] if isinstance(e, Refused)] == ["she is just slow"]
    assert table.peers[0].answer(0, [1]) is None


def test_what_was_refused_can_be_proposed_again() -> None:
    table = at("together")
    table.cut_off = {2}
    for attempt in range(2):
        assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
        table.settle()
        (vote,) = table.peers[1].votes()
        assert vote.pact.attempt == attempt
        table.peers[1].refuse(vote.pact.id, "no")
        table.settle()


def test_n62_the_answer_beats_the_vote() -> None:
    table = at("together")
    table.cut_off = {0}
    table.peers[2].answer(2, [3])
    table.settle()
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    table.settle()
    assert [e.reason for e in table.seen[0] if isinstance(e, Refused)] == ["pact/more"]
    assert table.peers[1].position.step.said[1, 2] == 3


def test_a_lock_survives_a_restart() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    stored = [(entry, None) for entry in table.peers[0].feeds.entries]
    again = member(table.genesis, table.keys[0], TestMachine(3, 2))
    again.restore(stored)
    again.start(new=True)
    assert [lock.kind for lock in again.voting.locks()] == ["absent"]
    assert code(again.answer(0, [1])) == "lockstep/voting"


def test_who_was_left_out_drops_what_it_had_and_comes_back_with_consent() -> None:
    table = at("together")
    absent = leave_out_last(table)
    late = table.peers[2]
    late.answer(2, [1])
    table.cut_off.clear()
    for entry in [*table.peers[0].feeds.entries, *table.peers[1].feeds.entries]:
        late.feed(entry)
    table.settle()
    assert late.me in late.position.cut
    assert code(late.answer(2, [1])) in ("lockstep/left-out", "answer/not-asked")
    assert late.propose("back") is None
    table.settle()
    for peer in table.peers[:2]:
        assert absent not in table.peers[0].position.members, "not before so many have agreed"
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    while absent not in table.peers[0].position.members:
        assert table.step()
    table.play()
    assert len(places(table)) == 1
    assert table.peers[2].position.over


def test_who_says_nothing_about_a_pact_that_binds_the_others_can_be_left_out() -> None:
    """A vote of all that one never answers would hold up the table for ever, though he owes the game nothing."""
    table = at("choose", members=4)
    chooser = next(number for number, peer in enumerate(table.peers) if peer.owing().get(peer.me or b""))
    silent = (chooser + 1) % 4
    table.cut_off = {silent}
    others = [peer for number, peer in enumerate(table.peers) if number != silent]
    assert others[0].propose("takeback", (), [table.peers[0].position.height - 1, True]) is None
    table.settle()
    for peer in others[1:]:
        (vote,) = peer.votes()
        assert peer.sign(vote.pact.id) is None
    table.settle()
    silent_key = table.keys[silent].key.public
    assert all(peer.voting.awaited() == {silent_key} and silent_key not in peer.owing() for peer in others)
    assert others[0].propose("absent", [silent_key]) is None
    table.settle()
    for peer in others[1:]:
        (vote,) = [vote for vote in peer.votes() if vote.pact.kind == "absent"]
        assert peer.sign(vote.pact.id) is None
    table.settle()
    assert all(not peer.voting.awaited() and silent_key in peer.position.cut for peer in others)
    table.play()
    assert len(places(table)) == 1
    assert others[0].position.over


def test_who_signs_a_vote_that_the_others_have_left_it_out_of_follows_them() -> None:
    """It has slept, and hears of the first vote before it hears of the second."""
    table = at("choose", members=5)
    chooser = next(number for number, peer in enumerate(table.peers) if peer.owing().get(peer.me or b""))
    sleeper, gone = [number for number in range(5) if number != chooser][:2]
    table.cut_off = {sleeper, gone}
    others = [peer for number, peer in enumerate(table.peers) if number not in table.cut_off]
    assert others[0].propose("takeback", (), [others[0].position.height - 1, True]) is None
    table.settle()
    everybody_signs(table)
    heard = len(table.log)
    assert others[0].propose("absent", sorted(table.keys[number].key.public for number in table.cut_off)) is None
    table.settle()
    everybody_signs(table)
    assert not any(peer.voting.locks() for peer in others)
    table.play()
    late = table.peers[sleeper]
    for entry, attachment in table.log[:heard]:
        late.feed(entry, attachment)
    table.settle()
    (vote,) = late.votes()
    assert late.sign(vote.pact.id) is None
    assert late.voting.awaited() == {table.keys[gone].key.public}
    for entry, attachment in table.log[heard:]:
        late.feed(entry, attachment)
    table.settle()
    assert late.position.head == others[0].position.head
    assert late.position.over


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


def test_signing_what_one_has_refused_convicts() -> None:
    table = at("together")
    table.cut_off = {2}
    assert table.peers[0].propose("absent", [table.keys[2].key.public]) is None
    table.settle()
    (vote,) = table.peers[1].votes()
    table.peers[1].refuse(vote.pact.id, "no")
    table.settle()
    table.peers[1].signing.say("sign", [vote.pact.id])
    table.settle()
    faults = table.peers[0].faults[table.keys[1].key.public]
    assert [fault.code for fault in faults] == ["pact/sign-after-refuse"]


def test_what_was_told_and_did_not_happen_is_taken_back_before_what_did_is_told() -> None:
    table = at("together")
    leave_out_last(table)
    late = table.peers[2]
    voted = late.position.height
    for number in (0, 1):
        author = table.keys[number].key.public
        vote = next(entry for entry in table.log_of("answer") if (entry.author, entry.height) == (author, voted))
        late.feed(vote)
    late.settled()
    late.answer(2, [1])
    told = {e.height: e.events for e in [*table.seen[2], *late.settled()] if isinstance(e, Happened)}
    rewound = []
    for entry in [*table.peers[0].feeds.entries, *table.peers[1].feeds.entries]:
        late.feed(entry)
        for effect in late.settled():
            if isinstance(effect, Rewound):
                rewound.append(effect.height)
                told = {height: events for height, events in told.items() if height < effect.height}
            elif isinstance(effect, Happened):
                assert effect.height not in told
                told[effect.height] = effect.events
    assert rewound == [voted]
    assert sorted(told) == list(range(late.position.height))


def test_a_proposal_is_told_to_everybody_with_the_name_of_its_author() -> None:
    table = at("choose")
    assert table.peers[1].propose("end", terms="stopped") is None
    table.settle()
    for number in range(3):
        (told,) = [effect for effect in table.seen[number] if isinstance(effect, Proposed)]
        assert (told.pact.kind, told.author) == ("end", table.keys[1].key.public)
