"""A key that moves beside another vote on seats at the same position. No honest member signs both, but t of the members
can."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from movedtables import NEW, OLD, SEED, table

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.audit import audit
from p2p.lockstep.genesis import Member, Row, fixed_keys
from p2p.lockstep.pacts import FeedEnd, Pact, moving_lobby
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
