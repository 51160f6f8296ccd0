"""A seat that passes to another key: on a sealed table its hidden cards go back, for the old owner alone could read
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.machine import Given, GivenNotice
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value, decode, encode
from seeds.hashing import H


def table(draws: str, *last: int) -> DirectTable:
    """A table of three, the last of whom holds these seats, while everybody votes."""
    made = DirectTable([[0], [1], list(last)], 5, 2, options={"draws": draws})
    made.start()
    while made.peers[0].position.step.kind != "together":
        assert made.step()
    return made


def agree(made: DirectTable, kind: str, terms: Value, *, going_on: bool = True) -> None:
    height = made.peers[0].position.height
    assert made.peers[0].propose(kind, (), terms) is None
    made.settle()
    for peer in made.peers:
        for vote in peer.votes():
            if peer.me in vote.missing:
                assert peer.sign(vote.pact.id) is None
    made.settle()
    while going_on and made.peers[0].position.height == height and made.step():
        pass


def somebody(made: DirectTable, seat: int) -> Value:
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    certificate = certify(SigningKey.from_seed(b"i" * 32), keys.key.public, made.genesis.table, "laptop")
    return decode(encode(Member(certificate, (Row(seat, "Newcomer"),), bytes(32)).record()))


def returned(made: DirectTable) -> list[Value]:
    machines = [peer.machine for peer in made.peers]
    assert all(isinstance(machine, TestMachine) for machine in machines)
    (first, *others) = [machine.state["gone"] for machine in machines if isinstance(machine, TestMachine)]
    assert all(other == first for other in others)
    return list(first)


@pytest.mark.parametrize(("draws", "notices"), [("sealed", [["hand-returned", 2]]), ("open", [])])
def test_the_game_is_told_to_take_the_hand_back_where_cards_are_sealed(draws: str, notices: list[Value]) -> None:
    made = table(draws, 2)
    agree(made, "seat", [2, somebody(made, 2)])
    assert returned(made) == notices


def test_nobody_gets_a_second_vote_by_a_seat_for_another_key_of_its_own() -> None:
    """A machine that holds a seat is given another one under a new key of its identity. One member that sees that keeps
    the others from it, since all sign; without its other seat it is the one vote that it was."""
    made = table("open", 2)
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    owner = SigningKey.from_seed(H("test identity", 5, 0))
    certificate = certify(owner, keys.key.public, made.genesis.table, "another device")
    for seat, code in ((2, "pact/second-key"), (0, "")):
        record = decode(encode(Member(certificate, (Row(seat, "Player 0"),), bytes(32)).record()))
        found = made.peers[1].proposals.proposal("seat", (), [seat, record])
        assert getattr(found, "code", "") == code


def test_a_seat_that_stays_with_its_owner_keeps_its_hand() -> None:
    made = table("sealed", 2)
    owner = made.genesis.members[2]
    agree(made, "seat", [2, decode(encode(owner.record()))])
    assert made.peers[0].position.owner[2] == owner.key
    assert returned(made) == []


def test_the_hand_stays_returned_when_the_table_goes_back_behind_the_change() -> None:
    made = table("sealed", 2, 3)
    to, before = made.peers[0].position.height, made.peers[0].machine.clone()
    other = replace(made.genesis.members[1], rows=(Row(3, "Player 1"),))
    agree(made, "seat", [3, decode(encode(other.record()))])
    assert returned(made) == [["hand-returned", 3]]
    assert made.peers[0].machine.pending() != before.pending()
    agree(made, "takeback", [to, False])
    assert made.peers[0].machine.pending() == before.pending()
    assert made.peers[0].position.owner[3] == made.peers[1].me
    assert returned(made) == [["hand-returned", 3]]


def test_a_game_that_is_over_is_told_nothing_more() -> None:
    """A seat may be handed over at the very height at which the game ends: a real game takes no notice after that."""
    made = table("sealed", 2)
    made.play()
    for peer in made.peers:
        assert peer.machine.pending() is None
        peer.position.game.notify(peer.position.height, [GivenNotice("hand-returned", 2)])
    assert returned(made) == []


class Skipping(TestMachine):
    """Asks a seat whose hand has gone back for no second pick."""

    def apply(self, given: Given) -> Sequence[object]:
        told = super().apply(given)
        if given == GivenNotice("hand-returned", 0) and self.step_name() == "pick":
            self.state["at"] += 1
        return told


def handed_over_amid_a_batch() -> DirectTable:
    """The first of three has given its seat to the second, and then both picks that it was to make."""
    made = DirectTable([[0], [1], [2]], 5, 2, machine=Skipping(3, 2), options={"draws": "sealed"})
    made.start()
    while made.peers[0].position.step.kind != "choose":
        assert made.step()
    other = replace(made.genesis.members[1], rows=(Row(0, "Player 1"),))
    agree(made, "seat", [0, decode(encode(other.record()))], going_on=False)
    assert made.peers[0].answer(0, [1, 5]) is None
    made.settle()
    return made


def test_no_later_value_of_a_batch_answers_what_is_asked_once_the_seat_has_passed_on() -> None:
    """What is asked then may be another wait, of other seats: here, everybody's vote."""
    made = handed_over_amid_a_batch()
    position = made.peers[1].position
    assert position.step.kind == "together"
    assert position.step.said == {}
    assert position.owner[0] == made.peers[1].me
