"""What binds those who have signed that a key moves, until that has taken effect."""

from __future__ import annotations

import pytest
from movedtables import OLD, SEED, again, agree_to_move, certificate, key, propose, table

from p2p.lockstep.effects import Keep
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import MAX_ASKED
from p2p.testing.cheats import CheatTable


def half_moved() -> CheatTable:
    """Five play. The first three have signed that the old key moves, on which the last is silent."""
    made = CheatTable([[number] for number in range(5)], seed=SEED, rounds=2)
    made.start()
    made.play_to("together")
    made.cut_off |= {OLD, 4}
    while made.step():
        pass
    assert made.peers[0].propose("moved", [key(made)], [certificate(made), False]) is None
    made.settle()
    for number in (1, 2):
        (vote,) = made.peers[number].votes()
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()
    return made


@pytest.mark.parametrize("late", [False, True])
def test_whoever_has_signed_a_move_leaves_nobody_out_without_the_old_key(late: bool) -> None:
    """That key says nothing more. Of five the fourth is silent on the move, or its word comes late: all go on."""
    made = half_moved()
    silent = made.keys[4].key.public
    before = len(made.log)
    assert made.peers[0].propose("absent", [silent]) is None
    made.settle()
    if late:  # who has signed the move alone has gone on by it
        for entry, text in made.log[:before]:
            made.peers[4].feed(entry, text)
        made.peers[4].settled(made.work)
        (vote,) = made.peers[4].votes()
        assert made.peers[4].sign(vote.pact.id) is None
        for effect in made.peers[4].settled(made.work):
            if isinstance(effect, Keep) and effect.is_own:
                for number in (0, 1, 2):
                    made.peers[number].feed(effect.entry, effect.attachment)
    for number in (1, 2):
        (vote,) = [vote for vote in made.peers[number].votes() if vote.pact.kind == "absent"]
        assert vote.pact.named == {key(made), silent}
        assert made.peers[number].sign(vote.pact.id) is None
        made.settle()
    for number in (0, 1, 2):
        peer = made.peers[number]
        assert set(peer.position.cut) == {key(made), silent}
        assert not peer.voting.locks()


def test_a_pact_over_a_move_that_waits_for_the_old_key_is_signed_by_nobody_who_has_signed_that() -> None:
    made = table()
    while made.step():
        pass
    assert propose(made) is None
    made.settle()
    refusal = made.peers[0].propose("absent", [made.keys[1].key.public])
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "pact/locked"


def test_who_has_signed_a_move_asks_for_no_other_way_round_a_fork_that_the_move_excuses() -> None:
    """Those who have gone on by the move could not judge that, and nobody would free its author from it."""
    made = table()
    while made.step():
        pass
    last = made.peers[0].feeds.last(key(made))
    assert last is not None
    assert propose(made) is None
    made.settle()
    (vote,) = made.peers[2].votes()
    assert made.peers[2].sign(vote.pact.id) is None
    made.settle()
    before = len(made.log)
    made.cut_off.add(2)
    assert made.peers[1].sign(vote.pact.id) is None
    made.settle()
    assert made.peers[0].chat("we go on") is None
    made.settle()
    passed, word = (
        [each for each in made.log[before:] if each[0].author == made.peers[number].me] for number in (0, 1)
    )
    late = made.peers[2]
    for entry in (*(again(made, last, [OLD, [value]]) for value in (1, 2)), *(entry for entry, _ in passed)):
        late.feed(entry)
        late.settled()
    assert key(made) in late.faults
    assert [lock.kind for lock in late.voting.locks()] == ["moved"]
    assert not late.voting.parted(key(made))
    refusal = late.part(key(made))
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "pact/not-parted"
    for entry, _ in word:
        late.feed(entry)
        late.settled()
    assert late.position.head == made.peers[0].position.head
    assert not late.faults


def test_who_has_signed_a_move_asks_for_no_other_one_over_a_vote_that_leaves_its_old_key_out() -> None:
    """It would wait again for those whom that vote spares, and each time more of the few proposals would be spent."""
    made = half_moved()
    assert made.peers[1].propose("absent", [made.keys[4].key.public]) is None
    made.settle()
    for number in (0, 1, 2):
        refusal = made.peers[number].propose("moved", [key(made)], [certificate(made), False])
        assert isinstance(refusal, TableRefusal)
        assert refusal.code == "pact/locked"
    for number in (0, 2):
        (vote,) = [vote for vote in made.peers[number].votes() if vote.pact.kind == "absent"]
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()
    assert set(made.peers[0].position.cut) == {key(made), made.keys[4].key.public}


def test_a_move_of_a_key_that_is_no_member_any_more_binds_nobody_to_name_that_key() -> None:
    """It was left out before. Where another one is silent on the move, that one alone is left out."""
    made = CheatTable([[number] for number in range(5)], seed=SEED, rounds=2)
    made.start()
    made.play_to("together")
    made.lose(OLD)
    assert key(made) not in made.peers[0].position.members
    made.cut_off.add(4)
    while made.step():
        pass
    agree_to_move(made)
    silent = made.keys[4].key.public
    assert made.peers[0].propose("absent", [silent]) is None
    made.settle()
    for number in (1, 2):
        (vote,) = [vote for vote in made.peers[number].votes() if vote.pact.kind == "absent"]
        assert vote.pact.named == {silent}
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()
    assert silent in made.peers[0].position.cut
    assert not any(made.peers[number].voting.locks() for number in (0, 1, 2))


def test_what_people_ask_for_in_vain_leaves_proposals_to_go_on_without_whom_the_table_waits_for() -> None:
    """Of one author eight count at a height. A program alone refuses each move, so friends may ask for it again."""
    made = table()
    while made.step():
        pass
    for _ in range(MAX_ASKED):
        assert propose(made) is None
        made.settle()
        (vote,) = made.peers[1].votes()
        assert made.peers[1].refuse(vote.pact.id, "pact/nobody-to-ask") is None
        made.settle()
    assert propose(made) == TableRefusal("pact/too-many", "", (MAX_ASKED,))
    assert made.peers[0].propose("takeback", (), [0, True]) == TableRefusal("pact/too-many", "", (MAX_ASKED,))
    made.agree("absent", [OLD])
    assert key(made) in made.peers[0].position.cut
