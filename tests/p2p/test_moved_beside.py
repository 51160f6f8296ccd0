"""A vote that changes the members beside another one at the same position: a key that moves, who is let back, given up,
or gives a seat away. No honest member signs both, but t of the members can."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from movedtables import NEW, OLD, SEED, key, table

from engine.core.dataclass import replace
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import audit
from p2p.lockstep.genesis import Member, Row, fixed_keys
from p2p.lockstep.pacts import FeedEnd, Pact, moving_lobby
from p2p.lockstep.votes import judge_pact
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.wire.codec import Plain, Value, decode, encode
from seeds.hashing import H


def sign(made: CheatTable, pact: Pact, members: Iterable[int]) -> None:
    """Let these members sign a pact, whatever binds them."""
    for number in members:
        peer = made.peers[number]
        peer.voting.__class__ = type("Loose", (type(peer.voting),), {"bound": False})
        peer.signing.say("pact", pact.body())
        peer.advance()
    made.settle()


def certified(made: CheatTable, who: int, lobby: bytes, new: bytes = NEW.key.public) -> list[Plain]:
    owner = SigningKey.from_seed(H("test identity", SEED, who))
    return certify(owner, new, lobby, "another device").fields()


def moving(made: CheatTable, who: int) -> Pact:
    """The pact by which a member goes on with the new key."""
    position, old = made.peers[0].position, made.keys[who].key.public
    end = FeedEnd(old, *made.peers[0].feeds.end(old))
    terms = decode(encode([certified(made, who, moving_lobby(made.genesis.table, old, kept=False)), False]))
    return Pact("moved", position.height, position.head, (end,), terms)


def seated(made: CheatTable, seat: int, *, below: bytes | None = None, above: bytes | None = None) -> Pact:
    """The pact by which a seat goes to somebody new, with an id on that side of another one."""
    position = made.peers[0].position
    for number in range(100):
        fields = certified(made, seat, made.genesis.table, fixed_keys(number, 6).key.public)
        record: Value = decode(encode([fields, [Row(seat, "Newcomer").fields()], bytes(32)]))
        assert Member.read(record).seats == (seat,)
        pact = Pact("seat", position.height, position.head, (), [seat, record])
        if (below is None or pact.id < below) and (above is None or pact.id > above):
            return pact
    raise AssertionError("no id on that side")


def owners(made: CheatTable) -> dict[int, bytes]:
    """Who owns the seats once the height is over, for the members and for whoever reads the log."""
    height = made.peers[0].position.height
    while made.peers[0].position.height == height:
        assert made.step()
    position = made.peers[0].position
    log = audit(made.peers[0].feeds.entries, lambda genesis: TestMachine(genesis.seats, 2))
    assert log.head == position.head
    return dict(position.owner)


@pytest.mark.parametrize("first", ["seat", "moved"])
@pytest.mark.parametrize("seat", [0, OLD])
def test_a_move_goes_before_a_seat_that_all_have_passed_on_at_its_position(seat: int, first: str) -> None:
    made = table()
    made.cut_off.clear()
    before, moved = dict(made.peers[0].position.owner), moving(made, OLD)
    other = seated(made, seat, **{"below" if first == "seat" else "above": moved.id})
    sign(made, other, range(4))
    made.cut_off.add(OLD)
    assert made.peers[0].ballots.complete(other, made.peers[0].position.members)
    sign(made, moved, range(3))
    assert owners(made) == {**before, OLD: NEW.key.public}


def test_of_two_that_move_to_one_key_the_one_with_the_lowest_id_does_and_the_other_never() -> None:
    made = CheatTable([[number] for number in range(5)], seed=SEED, rounds=2)
    made.start()
    made.play_to("together")
    first, position = made.peers[0], made.peers[0].position
    before, moves = dict(position.owner), {who: moving(made, who) for who in (OLD, 4)}
    for who, pact in moves.items():
        sign(made, pact, [number for number in range(5) if number != who])
    assert all(first.ballots.complete(pact, position.members) for pact in moves.values())
    mover, stays = sorted(moves, key=lambda who: moves[who].id)
    made.cut_off.add(mover)
    assert owners(made) == {**before, mover: NEW.key.public}
    sign(made, moving(made, stays), [number for number in range(5) if number not in (mover, stays)])
    assert made.peers[0].position.membership.moving(moving(made, stays)) == "pact/known-key"


def with_one_left_out() -> CheatTable:
    """A table of four who are all there. One of them, who asks to come back, has been left out."""
    made = table()
    left_out = made.peers[OLD]
    made.lose(OLD)
    while key(made) in made.peers[0].position.members:
        assert made.step()
    made.cut_off.clear()
    for entry, text in made.log:
        left_out.feed(entry, text)
    made.settle()
    assert left_out.propose("back") is None
    made.settle()
    return made


def votes_on(made: CheatTable) -> dict[str, Pact]:
    """Votes of the open height by what they are about: the one who is left out, or a seat."""
    position = made.peers[0].position
    (back,) = (pact for pact in made.peers[0].ballots.pacts.values() if pact.kind == "back")
    gone = Pact("gone", position.height, position.head, (position.cut[key(made)],), None)
    seats = {"seat": seated(made, 0), "another seat": seated(made, 1)}
    return {"back": back, "gone": gone, "moved": moving(made, OLD), **seats}


@pytest.mark.parametrize(
    ("done", "left"),
    [
        ("back", {"back", "gone", "moved", "seat", "another seat"}),
        ("gone", {"back", "gone", "moved"}),
        ("seat", {"seat"}),
    ],
)
def test_a_complete_vote_leaves_to_the_next_height_what_changes_the_same_member_or_seat_or_may_be_voted_with_it(
    done: str, left: set[str]
) -> None:
    """Else one was let back and given up for good at once, and whoever had signed the second vote waited for it."""
    made = with_one_left_out()
    votes = votes_on(made)
    sign(made, votes[done], range(3))
    first = made.peers[0]
    assert votes[done] in first.position.agreed
    again = {name: replace(pact, attempt=pact.attempt + 1) for name, pact in votes.items()}
    judged = {name: judge_pact(first.reading, pact, first.position.members) for name, pact in again.items()}
    assert {name for name, why in judged.items() if why is not None and why.code == "pact/next-height"} == left
    assert judged["another seat"] is None or done == "back"


def test_a_key_moves_over_a_complete_vote_that_lets_it_back_though_it_has_spoken_since_it_was_left_out() -> None:
    """Its end is where it was cut: what it has said since would be another one, which nobody signs."""
    made = with_one_left_out()
    before = dict(made.peers[0].position.owner)
    votes = votes_on(made)
    sign(made, votes["back"], range(3))
    made.cut_off.add(OLD)
    assert made.peers[0].propose("moved", [key(made)], votes["moved"].terms) is None
    made.settle()
    for number in (1, 2):
        (vote,) = made.peers[number].votes()
        assert vote.pact.over == (votes["back"].id,)
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()
    assert owners(made) == {**before, OLD: NEW.key.public}
