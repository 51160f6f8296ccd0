"""Where a lock alone makes a roll, nobody says a word at its height before that, so that who has not gone on may know
it. It may still vote at the height before, with others who have not gone on either."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from movedtables import NEW
from test_pact_freezes import key, out, returns

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.cuts import end_here
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact, moving_lobby, threshold
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import decode, encode
from seeds.hashing import H

SEED = 1


class Picked(TestMachine):
    """A roll, then a choice of the first seat and a roll, twice."""

    SCRIPT = ("dice", "pick", "dice", "pick", "dice", "vote")

    def step_name(self) -> str:
        return self.SCRIPT[self.state["at"]] if self.state["at"] < len(self.SCRIPT) else ""


def at_choice(members: int, options: dict[str, str]) -> DirectTable:
    """A table at the choice before its second roll."""
    table = DirectTable([[number] for number in range(members)], SEED, machine=Picked(members), options=options)
    table.start()
    assert table.peers[0].position.step.kind == "choose"
    return table


def parts(members: int) -> tuple[range, int, range]:
    """Return those who go on, who is in no hurry, and those who are away; with the second either are t."""
    t = threshold(members)
    return range(t - 1), t - 1, range(t, members)


def leaving(table: DirectTable, by: int, numbers: Collection[int], over: tuple[bytes, ...] = ()) -> Pact:
    position, reading = table.peers[by].position, table.peers[by].reading
    ends = tuple(end_here(reading, each) for each in out(table, *numbers))
    return Pact("absent", position.height, position.head, ends, None, 0, over)


def says(table: DirectTable, number: int, pact: Pact, kind: str = "pact") -> None:
    """Let a member vote, whatever its program advises."""
    peer = table.peers[number]
    peer.signing.say(kind, pact.body() if kind == "pact" else [pact.id])
    peer.advance()
    table.settle()


def votes(peer: Lockstep, *, bound: bool) -> None:
    """Let a member say all that is due though its vote binds it, or nothing though none does."""
    peer.voting.__class__ = type("Loose", (type(peer.voting),), {"bound": bound})


def hidden_copy(table: DirectTable, number: int, going_on: Collection[int]) -> Lockstep:
    """What a member reckons with its own share from what the others have said, and tells nobody."""
    copy = member(table.genesis, table.keys[number], Picked(len(table.keys)))
    copy.restore([(entry, None) for entry in table.peers[number].feeds.entries])
    copy.start(new=True)
    for each in going_on:
        for entry in table.peers[each].feeds.feed(key(table, each)):
            copy.feed(entry)
    while copy.settled(table.work):
        pass
    return copy


def faces(peer: Lockstep) -> list[tuple[int, ...]]:
    return [each.faces for each in peer.position.chance.rolls]


def judged(table: DirectTable) -> Audit:
    log = {entry.id: entry for peer in table.peers for entry in peer.feeds.entries}
    return audit([*log.values()], lambda genesis: Picked(genesis.seats))


def foreseen(members: int, options: dict[str, str]) -> tuple[DirectTable, list[tuple[int, ...]]]:
    """Some go on to the roll. Return what one who has said nothing can reckon then of all rolls up to this one."""
    table = at_choice(members, options)
    going_on, waiting, away = parts(members)
    table.cut_off = {waiting, *away}
    assert table.peers[0].answer(0, [1]) is None
    table.settle()
    assert len(faces(table.peers[0])) == 1
    return table, faces(hidden_copy(table, waiting, going_on))


@pytest.mark.parametrize("members", [3, 5])
def test_where_a_lock_alone_rolls_who_has_not_gone_on_knows_the_roll_alone_and_may_go_back_before_it(
    members: int,
) -> None:
    """The others who are away sign as their programs advise. Of three the roll has the same value for the two who are
    left, of five another one. No rule about what was signed in advance would help: nothing was."""
    table, (_, known) = foreseen(members, {"dice": "lock"})
    going_on, waiting, away = parts(members)
    table.cut_off = {*going_on}
    pact = leaving(table, waiting, going_on)
    says(table, waiting, pact)
    assert [table.peers[number].sign(pact.id) for number in away] == [None for _ in away]
    returns(table, *range(members))
    table.play()
    assert len({peer.position.head for peer in table.peers}) == 1
    assert (faces(table.peers[0])[1] == known) is (members == 3)
    found = judged(table)
    assert found.problems == ()
    assert [(each.kind, each.height) for each in found.pacts] == [("absent", pact.at)]
    assert [(each.said.what, each.said.height) for each in found.undone] == [("choice", pact.at)]


@pytest.mark.parametrize("members", [3, 5])
def test_where_seeds_are_opened_first_nobody_knows_a_roll_before_all_have_gone_on_to_it(members: int) -> None:
    _, known = foreseen(members, {})
    assert len(known) == 1


def test_of_two_who_are_left_one_knows_the_next_roll_alone_and_gets_no_other_by_going_back() -> None:
    """It goes on with the third instead, over the vote that has left that one out."""
    table = DirectTable([[1], [2], [0]], SEED, machine=Picked(3))
    table.start()
    table.cut_off = {2}
    assert table.peers[0].propose("absent", out(table, 2)) is None
    table.settle()
    (first,) = table.peers[0].ballots.pacts.values()
    votes(table.peers[1], bound=True)
    says(table, 1, first, "sign")
    assert len(faces(table.peers[0])) == 1
    _, known = faces(hidden_copy(table, 1, [0]))
    table.cut_off = {0}
    second = leaving(table, 1, [0], (first.id,))
    for number in (1, 2):
        says(table, number, second)
    votes(table.peers[1], bound=False)
    returns(table, 0, 2)
    table.play()
    assert len({peer.position.head for peer in table.peers}) == 1
    assert faces(table.peers[0])[1] == known
    found = judged(table)
    assert found.problems == ()
    assert [each.members for each in found.pacts] == [(key(table, 0),)]


def pledged(members: int, options: dict[str, str], *, shown: bool) -> tuple[DirectTable, Pact]:
    """One signs that those who go on are left out, and goes on with them all the same."""
    table = at_choice(members, options)
    going_on, voter, away = parts(members)
    table.cut_off = {*away}
    pact = leaving(table, voter, going_on)
    votes(table.peers[voter], bound=False)
    says(table, voter, pact, "pact" if shown else "sign")
    assert table.peers[0].answer(0, [1]) is None
    table.settle()
    return table, pact


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("members", [3, 5])
def test_where_a_lock_alone_rolls_t_undo_the_roll_that_one_of_them_has_made_and_the_account_says_so(
    members: int, shown: bool
) -> None:
    """Its own word beyond is in another history then, so that it says nothing more: of three the table stands still, of
    five the others leave it out."""
    table, pact = pledged(members, {"dice": "lock"}, shown=shown)
    _, voter, away = parts(members)
    _, known = faces(table.peers[0])
    for number in away:
        says(table, number, pact)
    returns(table, *away)
    assert {len(faces(peer)) for peer in table.peers} == {1}
    assert {peer.position.height for peer in table.peers} == {pact.at + 1}
    undone = [(each.by, each.said.value) for each in judged(table).undone if each.said.what == "roll"]
    assert undone == [("absent", [*known])]
    if members == 5:
        for number in away:
            says(table, number, leaving(table, away[0], [voter]))
        table.play()
        assert len({peer.position.head for peer in table.peers}) == 1
        assert faces(table.peers[0])[1] != known
        found = judged(table)
        assert found.problems == ()
        assert [each.height - pact.at for each in found.pacts] == [0, 1]


@pytest.mark.parametrize("shown", [True, False])
def test_nobody_rolls_where_the_key_has_moved_of_who_may_complete_a_vote_signed_in_advance(shown: bool) -> None:
    """The table waits until the old key refuses that vote or says something beyond."""
    table, _ = pledged(3, {}, shown=shown)
    old, owner = key(table, 2), SigningKey.from_seed(H("test identity", SEED, 2))
    made_for = certify(owner, NEW.key.public, moving_lobby(table.genesis.table, old), "another device")
    assert table.peers[0].propose("moved", [old], [decode(encode(made_for.fields())), False]) is None
    table.settle()
    assert [table.peers[1].sign(vote.pact.id) for vote in table.peers[1].votes()] == [None]
    table.settle()
    assert old in table.peers[0].position.cut
    assert table.peers[0].voting.undecided() == {key(table, 1), old}
    assert len(faces(table.peers[0])) == len(faces(hidden_copy(table, 1, [0]))) == 1
