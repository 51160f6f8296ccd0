"""Who signs again what its store has lost signs the same bytes, of every kind of entry; so nobody convicts it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from faultcases import bad_dealing

from p2p.lockstep.automatic import LATE
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import read_pact
from p2p.lockstep.step import read_claim
from p2p.testing.cheats import CheatTable, vanished_bidder
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import decode
from p2p.wire.entry import KINDS, Entry

SEALED = {"draws": "sealed"}


def talked() -> DirectTable:
    """A game of two with chat, claims, a vote that is refused and one that comes too late."""
    table = DirectTable([[0], [1]], 3, options=SEALED)
    table.start()
    first, second = table.peers
    assert first.chat("hello") is None
    table.settle()
    assert second.chat("hello") is None
    assert first.clock(second.me or b"") is None
    table.settle()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    assert first.propose("takeback", (), [table.peers[0].position.height - 1, True]) is None
    table.settle()
    assert second.refuse(second.votes()[0].pact.id, "pact/declined") is None
    table.settle()
    owing = next(iter(first.owing()))
    waiting = next(peer for peer in table.peers if peer.me != owing)
    assert waiting.claim(owing) is None
    table.settle()
    assert second.leave() is None
    table.settle()
    table.play()
    return table


def returned() -> CheatTable:
    """A game of three from which one is left out, and comes back."""
    table = CheatTable(([0], [1], [2]), seed=7, rounds=2)
    table.start()
    table.play_to("together")
    table.lose(2)
    table.play()
    return table


TABLES: dict[str, Callable[[], DirectTable]] = {
    "vanished": vanished_bidder,
    "dealt badly": lambda: bad_dealing()[0],
    "talked": talked,
    "returned": returned,
}


@cache
def played(name: str) -> DirectTable:
    return TABLES[name]()


def restored(table: DirectTable, number: int, entry: Entry) -> Lockstep:
    """The member once more, from a store that holds what it held before it signed this entry."""
    peer = table.peers[number]
    known = peer.feeds.entries[: peer.feeds.entries.index(entry)]
    again = member(
        table.genesis, table.keys[number], TestMachine(sum(len(m.seats) for m in table.genesis.members), rounds(peer))
    )
    again.restore([(one, peer.texts.get(one.id)) for one in known])
    again.settled()
    again.start(new=True)
    return again


def rounds(peer: Lockstep) -> int:
    machine = peer.machine
    assert isinstance(machine, TestMachine)
    return int(machine.state["rounds"])


def say(again: Lockstep, peer: Lockstep, entry: Entry) -> None:
    """Let it decide what it decided before."""
    body: Any = entry.body
    match entry.kind:
        case "answer":
            assert again.answer(body[0], body[1]) is None
        case "seal":
            kept = [
                data for name, data in peer.member_secrets.choices.items() if name.startswith(f"seal/{entry.epoch}/")
            ]
            assert any(again.answer(body[0], [decode(data)]) is None for data in kept)
        case "chat":
            assert again.chat(peer.texts[entry.id][1]) is None
        case "clock":
            assert again.clock(body[0]) is None
        case "result":
            claim = read_claim(entry)
            assert claim is not None
            assert again.claim(claim[0]) is None
        case "pact":
            pact = read_pact(body)
            assert again.propose(pact.kind, [end.author for end in pact.out], pact.terms) is None
        case "sign":
            assert again.sign(body[0]) is None
        case "refuse":
            assert again.refuse(body[0], body[1]) is None
        case "leave":
            assert again.leave() is None


def own(again: Lockstep) -> list[Entry]:
    return [effect.entry for effect in again.settled() if isinstance(effect, Keep) and effect.is_own]


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_that_is_signed_again_from_an_equal_store_is_the_same_bytes(name: str) -> None:
    table, seen = played(name), 0
    cheats = {key for peer in table.peers for key in peer.faults}
    for number, peer in enumerate(table.peers):
        for entry in () if peer.me in cheats else peer.feeds.feed(peer.me or b"")[:: 1 if name != "vanished" else 2]:
            again = restored(table, number, entry)
            made = own(again)
            for now in (LATE, 2 * LATE + 1) if not made else ():
                again.tick(now)
                made += own(again)
            if not made:
                say(again, peer, entry)
                made = own(again)
            assert made[0].raw == entry.raw, (entry.kind, entry.seq)
            seen += 1
    assert seen


def test_these_tables_hold_every_kind_of_entry() -> None:
    signed = {entry.kind for name in TABLES for peer in played(name).peers for entry in peer.feeds.entries}
    assert signed == KINDS
