"""Xxcha's prediction is sealed for rounds: its own seat knows it all the while, nobody else does."""

from __future__ import annotations

from typing import Any

from test_pooled_games import Sealed, rex

from client.table.machine import GameMachine
from engine.core.cards import SEALS, Handle
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.member_secrets import choice_name
from p2p.testing.tables import member
from p2p.wire.codec import decode

XXCHA, ITS_PEER = 3, 1


def foretold() -> Sealed:
    table = rex()
    while not machine(table.peers[0]).match.g.round.prediction:
        assert table.step()
    return table


def machine(peer: Lockstep) -> GameMachine:
    at = peer.machine
    assert isinstance(at, GameMachine)
    return at


def known(peer: Lockstep) -> dict[int, Any]:
    """The sealed choices that the lenses of a peer know, by seat."""
    lenses = {seat: machine(peer).lens(seat) for seat in range(6)}
    return {seat: face for seat, lens in lenses.items() for handle, face in lens.items() if handle.deck == SEALS}


def test_its_own_seat_knows_the_prediction_and_no_other_seat_does() -> None:
    table = foretold()
    handle = Handle(SEALS, machine(table.peers[0]).match.g.round.prediction - 1)
    choices = table.peers[ITS_PEER].member_secrets.choices
    (kept,) = (choices[name] for epoch in range(9) if (name := choice_name(epoch, (SEALS, handle.index))) in choices)
    assert machine(table.peers[ITS_PEER]).lens(XXCHA)[handle] == decode(kept)
    assert [known(peer) for peer in table.peers] == [{}, {XXCHA: decode(kept)}, {}]


def test_it_knows_it_again_after_a_resume_and_a_take_back() -> None:
    table = foretold()
    peer = table.peers[ITS_PEER]
    before, to = known(peer), table.peers[0].position.height
    again = member(
        table.genesis, table.keys[ITS_PEER], peer.position.history.machine_at(0), peer.member_secrets.choices
    )
    again.restore((entry, None) for entry in peer.feeds.entries)
    again.start(new=True)
    assert known(again) == before
    assert table.step()
    peer.position.go_back(to)
    assert known(peer) == before


def test_what_the_store_has_lost_its_own_seat_reads_from_its_entry() -> None:
    table = foretold()
    again = member(table.genesis, table.keys[ITS_PEER], table.peers[ITS_PEER].position.history.machine_at(0), {})
    again.restore((entry, None) for entry in table.peers[ITS_PEER].feeds.entries)
    assert known(again) == known(table.peers[ITS_PEER])
