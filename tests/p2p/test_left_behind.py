"""A member that the others have left out while it held another branch of a forger's feed reads on in their history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from forgedtables import answered_otherwise, beside, gone_on, owed_beside
from storehomes import opened
from test_pact_branches import CHEAT, SLEEPER, answer, branches, catch_up, synced
from test_pact_freezes import at_together, key, out, returns, vote_on

from p2p.lockstep.effects import Convicted, Keep
from p2p.lockstep.genesis import fixed_keys
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.signing import maker
from p2p.log.evidence import Contradiction
from p2p.testing.machine import TestMachine
from p2p.testing.tables import member
from p2p.wire.codec import Value
from p2p.wire.entry import NO_PREV, chat_hash


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("more", [0, 1, 60])
def test_whom_the_others_have_left_out_beside_a_known_forger_reads_their_history(more: int, last: bool) -> None:
    """They knew two histories, so their vote ends the forger's feed before those part and names no branch. more: the
    histories of the forger besides these, which only the sleeper gets. last: it gets theirs after all else."""
    table = at_together(5)
    other, mine, *rest = branches(table, values=range(2 + more))
    late, first = table.peers[SLEEPER], table.peers[0]
    for number in (0, 1, 2, CHEAT):
        for entry in (*mine, *other):
            table.peers[number].feed(entry)
    for branch in (other, *rest, *([] if last else [mine])):
        late.feed(branch[0])
    table.settle()
    answer(table)
    table.cut_off = {CHEAT, SLEEPER}
    pact = vote_on(table, "absent", out(table, CHEAT, SLEEPER), (0, 1, 2))
    forger = pact.end_of(key(table, CHEAT))
    assert forger is not None
    assert forger.seq < first.feeds.forks[key(table, CHEAT)].seq
    assert (pact.at, pact.head) != (late.position.height, late.position.head)
    table.play()
    catch_up(table, late)
    assert late.position.over is not last, "without theirs it has tried each of the others"
    late.feed(mine[0])
    late.settled()
    assert late.position.over
    assert late.position.head == first.position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("before", [2, 3, 4])
def test_it_reads_no_branch_without_the_ends_that_they_have_signed(before: int) -> None:
    """It went over to a history that parts from theirs before those, and could not come back to the rest of it."""
    table = at_together(5)
    other, mine, third = branches(table, values=range(3))
    cheat = table.keys[CHEAT]
    ended = table.peers[CHEAT].feeds.feed(cheat.key.public)[-before]
    said = {name: getattr(ended, name) for name in ("seq", "prev", "epoch", "height", "head", "state")}
    earlier = maker(cheat.key)(table=table.genesis.table, kind="clock", body=[bytes(32)], **said)
    late = table.peers[SLEEPER]
    for number in (0, 1, 2, CHEAT):
        for entry in (*mine, *other):
            table.peers[number].feed(entry)
    for entry in (*other, earlier, *third):
        late.feed(entry)
    table.settle()
    answer(table)
    table.cut_off = {CHEAT, SLEEPER}
    vote_on(table, "absent", out(table, CHEAT, SLEEPER), (0, 1, 2))
    table.play()
    catch_up(table, late)
    assert late.feeds.get(earlier.id) is None
    late.feed(mine[0])
    late.settled()
    assert late.position.over
    assert late.position.head == table.peers[0].position.head


@pytest.mark.parametrize("against", [False, True])
def test_a_member_that_has_voted_against_fewer_reads_no_branch_on_which_they_leave_it_out(against: bool) -> None:
    """Two of five and the forger vote, whose own vote nobody can trust: so two sets of members would take each other's
    branch. Who has neither voted against them nor gone on can do nothing else."""
    table, other = answered_otherwise()
    late = table.peers[SLEEPER]
    table.cut_off = {2, SLEEPER}
    if against:
        assert late.propose("absent", out(table, 0, 1)) is None
        late.settled()
    assert table.peers[CHEAT].answer(CHEAT, [1]) is None
    table.settle()
    vote_on(table, "absent", out(table, 2, SLEEPER), (0, 1, CHEAT))
    catch_up(table, late)
    late.feed(table.peers[0].feeds.feed(key(table, CHEAT))[other.seq])
    late.settled()
    assert (late.feeds.last(key(table, CHEAT)) == other) is against
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("ended", [False, True])
def test_whom_one_member_and_a_forger_leave_out_while_a_vote_binds_it_gets_their_end(ended: bool) -> None:
    """On their branch the forger's signature completes both votes: the one that binds this member seemed to be missing
    for ever, or ended the game for this member alone (doubletalk 95,000,056). ended: it gets a branch first that
    completes that one alone."""
    table = at_together(3)
    first, late, cheat = table.peers
    table.cut_off = {1}
    fields: dict[str, Any] = {name: getattr(late.position, name) for name in ("epoch", "height", "head", "state")}
    fields |= {"table": table.genesis.table, "kind": "clock", "body": [bytes(32)]}
    seq, last = late.feeds.end(key(table, 2))
    says = maker(table.keys[2].key)
    assert first.propose("end", (), "agreed") is None
    table.settle()
    (end,) = first.ballots.pacts.values()
    assert cheat.sign(end.id) is None
    table.settle()
    signed = first.feeds.feed(key(table, 2))[-1]
    alone = [signed, says(seq=signed.seq + 1, prev=signed.id, **fields)] if ended else []
    heard = [*first.feeds.feed(key(table, 0)), says(seq=seq + 1, prev=last, **fields)]
    assert first.propose("absent", out(table, 1)) is None
    table.settle()
    assert cheat.sign([*first.ballots.pacts][-1]) is None
    table.settle()
    table.play()
    for entry in heard:
        late.feed(entry)
        late.settled()
    assert late.sign(end.id) is None
    late.settled()
    assert late.voting.bound
    for entry in alone:
        late.feed(entry)
        late.settled()
    assert late.position.over is ended
    catch_up(table, late)
    assert late.position.over
    assert late.position.head == first.position.head


def test_a_vote_that_was_refused_before_the_histories_part_leads_nobody_to_another_branch() -> None:
    """One of its signers was in another history, and the rest with this member, which went over to the one and was left
    out by the rest (hesitant 88,000,001)."""
    table = at_together(5)
    assert table.peers[0].propose("absent", out(table, 1, SLEEPER)) is None
    table.settle()
    (pact,) = table.peers[2].ballots.pacts.values()
    assert table.peers[2].sign(pact.id) is None
    assert table.peers[CHEAT].refuse(pact.id, "pact/declined") is None
    table.settle()
    (mine,), (other,) = branches(table)
    table.cut_off, late = {CHEAT}, table.peers[SLEEPER]
    for number in (1, 2, SLEEPER):
        table.peers[number].feed(mine)
    table.peers[0].feed(other)
    answer(table)
    head = late.position.head
    assert {number for number in (0, 1, 2) if table.peers[number].position.head != head} == {0}
    late.feed(other)
    late.settled()
    assert late.faults.keys() == {key(table, CHEAT)}
    assert late.position.head == head


def test_who_is_left_out_reads_the_branch_on_which_a_forger_votes_with_the_others() -> None:
    """Where it holds another one it lacks nothing else, and waited for that for ever (doubletalk 88,000,056)."""
    table = at_together(5)
    table.cut_off = {SLEEPER}
    apart = vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2, CHEAT))
    while table.peers[0].position.height == apart.at:
        assert table.step()
    late = table.peers[SLEEPER]
    catch_up(table, late)
    assert late.position.head == table.peers[0].position.head
    last, cheat = late.feeds.end(key(table, CHEAT)), table.keys[CHEAT]
    fields: dict[str, Any] = {name: getattr(late.position, name) for name in ("epoch", "height", "head", "state")}
    fields |= {"seq": last[0] + 1, "prev": last[1], "kind": "clock", "body": [bytes(32)]}
    late.feed(maker(cheat.key)(table=table.genesis.table, **fields))
    assert table.peers[0].propose("end", (), "agreed") is None
    table.settle()
    for number in (1, 2, CHEAT):
        assert table.peers[number].sign(table.peers[number].votes()[-1].pact.id) is None
    table.settle()
    catch_up(table, late)
    assert late.position.over
    assert late.position.head == table.peers[0].position.head


@pytest.mark.parametrize("word", ["sign", "refuse"])
def test_whom_a_vote_binds_reads_the_branch_on_which_a_forger_completes_it_and_none_on_which_it_refuses(
    word: str,
) -> None:
    """It waited for that one's word, and the others for its own (doubletalk 87,000,074)."""
    table = at_together(5)
    cheat, bound = table.keys[CHEAT], table.peers[1]
    table.cut_off = {CHEAT, SLEEPER}
    pact = vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2))
    seq, last = bound.feeds.end(cheat.key.public)
    fields: dict[str, Any] = {name: getattr(bound.position, name) for name in ("epoch", "height", "head", "state")}
    fields |= {"table": table.genesis.table, "seq": seq + 1, "prev": last}
    bodies: dict[str, Value] = {"clock": [bytes(32)], "sign": [pact.id], "refuse": [pact.id, "no", []]}
    mine, other = (maker(cheat.key)(kind=kind, body=bodies[kind], **fields) for kind in ("clock", word))
    for entry in (mine, other):
        bound.feed(entry)
        bound.settled()
    assert (bound.feeds.get(other.id) is not None) is (word == "sign")
    assert bound.voting.bound is (word == "refuse")


@pytest.mark.parametrize("word", ["clock", "refuse"])
def test_whom_a_forger_lets_back_reads_the_branch_on_which_it_does(word: str) -> None:
    """The others waited for what it owed again, and it for a signature that was on the other branch (doubletalk
    96,000,260)."""
    table = at_together(5)
    table.cut_off = {SLEEPER}
    for number in (0, 1, 2, CHEAT):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2, CHEAT))
    first, late = table.peers[0], table.peers[SLEEPER]
    returns(table, SLEEPER)
    assert late.voting.left_out
    assert late.propose("back") is None
    table.settle()
    (back,) = [pact for pact in first.ballots.pacts.values() if pact.kind == "back"]
    late.feed(beside(table, CHEAT, word, [back.id, "no", []] if word == "refuse" else None))
    late.settled()
    for number in (CHEAT, 0, 1, 2):
        assert table.peers[number].sign(back.id) is None
    table.settle()
    assert late.ballots.complete(back, late.position.members)
    while first.position.height == back.at:
        assert table.step()
    assert late.me in first.position.members
    assert late.position.head == first.position.head
    assert not late.voting.left_out


def test_a_home_stores_the_branch_that_it_has_taken_in_place_of_the_other_one(tmp_path: Path) -> None:
    """It ended with an internal error, and again after each start."""
    table = gone_on()
    late = table.peers[SLEEPER]
    with opened(tmp_path / "home") as store:
        store.add_table(table.genesis.table, {}, table.keys[SLEEPER])
        synced(table, SLEEPER, 0)
        for effect in table.seen[SLEEPER]:
            if isinstance(effect, Keep):
                store.receive([(effect.entry, None)])
        again = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
        again.restore(store.entries(table.genesis.table))
    assert again.position.over
    assert again.position.head == late.position.head


@pytest.mark.parametrize("part", [0, 1, 7, 50, 90, 99])
def test_who_crashes_between_taking_a_branch_and_having_stored_it_gets_the_same_end(tmp_path: Path, part: int) -> None:
    """part: of a hundred of what it stores until then, how many the disk has."""
    table = gone_on()
    synced(table, SLEEPER, 0)
    told = table.seen[SLEEPER]
    kept = [effect.entry for effect in told if isinstance(effect, Keep)]
    pairs = [Contradiction(*each.entries) for each in told if isinstance(each, Convicted) and len(each.entries) == 2]
    with opened(tmp_path / "home") as store:
        store.add_table(table.genesis.table, {}, table.keys[SLEEPER])
        store.receive([(entry, None) for entry in kept[: len(kept) * part // 100]])
        again = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
        again.restore(store.entries(table.genesis.table), forks=pairs)
        again.start(new=False)
        table.peers[SLEEPER], table.seen[SLEEPER] = again, []
        synced(table, SLEEPER, 0)
        store.receive([(effect.entry, None) for effect in table.seen[SLEEPER] if isinstance(effect, Keep)])
        third = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
        third.restore(store.entries(table.genesis.table), forks=pairs)
    for late in (again, third):
        assert late.position.over
        assert late.position.head == table.peers[0].position.head
        assert late.faults.keys() == {key(table, CHEAT)}


def test_no_stranger_makes_anybody_read_another_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was left out read all again for each chat of a spectator who signed two first ones, and with every branch of
    the forger."""
    table = gone_on()
    late = table.peers[SLEEPER]
    for entry, attachment in table.log:
        if entry.author != key(table, CHEAT):
            late.feed(entry, attachment)
    seq, last = late.feeds.end(key(table, CHEAT))
    late.feed(beside(table, CHEAT, "clock", seq=seq, prev=late.feeds.feed(key(table, CHEAT))[seq].prev))
    late.settled()
    read = list[bytes]()
    monkeypatch.setattr(late.reading, "_rebuild", lambda: read.append(last))
    stranger = fixed_keys(77, 1)
    for number in range(9):
        place: dict[str, Any] = {"epoch": 0, "height": 0, "head": bytes(32), "state": bytes(16), "prev": NO_PREV}
        chat: list[Value] = [chat_hash(bytes(16), str(number))]
        late.feed(maker(stranger.key)(table=table.genesis.table, kind="chat", body=chat, seq=0, **place))
        late.settled()
    assert stranger.key.public in late.feeds.forks
    assert not read
    late.feed(beside(table, CHEAT, "clock", seq=seq, prev=late.feeds.feed(key(table, CHEAT))[seq].prev, epoch=9))
    late.settled()
    assert read, "it stands where it looks for the others' branch"


@pytest.mark.parametrize("kinds", [("sign", "refuse"), ("refuse", "sign"), ("result", "sign")])
def test_nothing_counts_that_was_said_on_a_branch_that_is_left(kinds: tuple[str, str]) -> None:
    """Who had read a forger's refusal, and then its other branch with a signature, counted that refusal for ever,
    unlike all who read the other branch alone (doubletalk 87,000,063)."""
    table = at_together(5)
    cheat, late = table.keys[CHEAT], table.peers[SLEEPER]
    assert table.peers[0].propose("absent", out(table, SLEEPER)) is None
    table.settle()
    (pact,) = late.ballots.pacts.values()
    seq, last = late.feeds.end(cheat.key.public)
    fields = {name: getattr(late.position, name) for name in ("epoch", "height", "head", "state")}
    bodies: dict[str, Value] = {"sign": [pact.id], "refuse": [pact.id, "no", []], "result": [[1]]}
    said = [
        maker(cheat.key)(table=table.genesis.table, seq=seq + 1, prev=last, kind=kind, body=bodies[kind], **fields)
        for kind in kinds
    ]
    for entry in said:
        late.feed(entry)
    late.settled()
    assert (cheat.key.public in late.reading.hearing.results) is (kinds[0] == "result")
    late.reading.hearing.choose(FeedEnd(cheat.key.public, said[1].seq, said[1].id))
    assert late.ballots.signed(pact, cheat.key.public) is (kinds[1] == "sign")
    assert (late.ballots.refused(pact, cheat.key.public) is None) is (kinds[1] == "sign")
    assert cheat.key.public not in late.reading.hearing.results
    assert not late.reading.hearing.ended


def test_who_is_left_out_finds_the_branch_with_a_forgers_part_of_a_roll_where_one_of_t_gave_none() -> None:
    """That one owed a part too, for whom held the other branch, and had gone on without (leavers 98,000,101)."""
    spared = 0
    table = at_together(5)
    late, first = table.peers[SLEEPER], table.peers[1]
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {SLEEPER}
    assert table.peers[CHEAT].answer(CHEAT, [1]) is None
    table.settle()
    roll = first.position.height
    vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2, 3))
    feed = first.feeds.feed(key(table, CHEAT))
    part = next(entry for entry in feed if (entry.kind, entry.height) == ("partial", roll))
    assert not any((e.kind, e.height) == ("partial", roll) for e in first.feeds.feed(key(table, spared)))
    other = maker(table.keys[CHEAT].key)(
        table=table.genesis.table, seq=part.seq, prev=part.prev, epoch=part.epoch, height=roll, head=part.head,
        state=part.state, kind="clock", body=[bytes(32)],
    )  # fmt: skip
    for entry in (*feed[: part.seq], other):
        late.feed(entry)
    for peer in table.peers[:CHEAT]:
        peer.feed(other)
    table.cut_off |= {CHEAT}
    vote_on(table, "absent", out(table, CHEAT), (0, 1, 2))
    table.play()
    catch_up(table, late)
    assert late.position.over
    assert late.position.head == first.position.head


@pytest.mark.parametrize("word", ["", "answer", "pact"])
def test_who_waits_for_a_forger_alone_while_the_others_have_gone_on_reads_the_branch_on_which_it_has_spoken(
    word: str,
) -> None:
    """No vote leads there (doubletalk 97,000,208). word: what it would drop for that, which others may know."""
    table, other = owed_beside()
    late = table.peers[SLEEPER]
    assert table.peers[CHEAT].answer(CHEAT, [1]) is None
    table.settle()
    assert all(peer.position.height > late.position.height for peer in table.peers[:CHEAT])
    at = late.position.height
    if word:
        end = Pact("end", other.height, other.head, (), "agreed")
        place = {name: getattr(other, name) for name in ("epoch", "height", "head", "state")}
        body: Any = [CHEAT, [2]] if word == "answer" else end.body()
        late.feed(beside(table, CHEAT, word, body, seq=other.seq + 1, prev=other.id, **place))
    catch_up(table, late)
    assert late.faults.keys() == {key(table, CHEAT)}
    assert (late.position.height > at) is (word != "pact")
    assert (late.position.head == table.peers[0].position.head) is (not word)


def test_who_reads_the_branch_on_which_a_forger_completes_a_vote_comes_back_to_those_for_whom_it_has_refused() -> None:
    table = at_together(5)
    late, first, cheat = table.peers[SLEEPER], table.peers[0], table.peers[CHEAT]
    other = beside(table, CHEAT, "clock")
    for number in (0, 1, 2):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {SLEEPER}
    late.feed(other)
    cheat.signing.say("clock", [key(table, SLEEPER)])
    cheat.advance()
    table.settle()
    vote = vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2))
    signed = beside(table, CHEAT, "sign", [vote.id])
    answered = beside(table, CHEAT, "answer", [CHEAT, [1]], seq=signed.seq + 1, prev=signed.id)
    assert cheat.refuse(vote.id, "no") is None
    assert cheat.answer(CHEAT, [1]) is None
    table.settle()
    assert late.answer(SLEEPER, [1]) is None
    late.settled()
    for entry in late.feeds.feed(key(table, SLEEPER)):
        for peer in table.peers[:SLEEPER]:
            peer.feed(entry)
    table.settle()
    at = late.position.height
    assert at < first.position.height
    theirs = [entry for entry in first.feeds.feed(key(table, CHEAT)) if entry.seq >= signed.seq]
    assert [entry.kind for entry in theirs[:2]] == ["refuse", "answer"]
    for entry in (signed, answered, *(entry for entry, _ in table.log if entry not in theirs)):
        late.feed(entry)
        late.settled()
    for entry in theirs:
        late.feed(entry)
        late.settled()
    catch_up(table, late)
    assert late.position.height > at
    assert late.position.head == first.position.head
