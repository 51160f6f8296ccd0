# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables that read on from a height where states differed, honestly or after a lie, and what is asked of them then."""

from __future__ import annotations

from collections.abc import Callable, Collection

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.cuts import end_here
from p2p.lockstep.effects import Convicted, Split
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value
from p2p.wire.entry import Entry, make_entry


def verdict(table: DirectTable) -> Audit:
    return audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 1))


def blameless(table: DirectTable) -> bool:
    told = [effect for seen in table.seen for effect in seen]
    return not any(isinstance(effect, Convicted | Split) for effect in told)


def ended_alike(table: DirectTable) -> bool:
    """All have played to the same end, and nobody is accused."""
    table.play()
    ends = {(peer.position.head, peer.position.state, peer.position.over) for peer in table.peers}
    return len(ends) == 1 and table.peers[0].position.over and blameless(table)


def said(table: DirectTable) -> set[bytes]:
    """The ids of all entries that fill slots of the game so far."""
    return {entry.id for entry, _ in table.log if entry.kind in ("answer", "seal", "open", "share")}


def counted(table: DirectTable, peer: Lockstep) -> set[bytes]:
    """Those of them that have a slot in the history of a member."""
    past = peer.position.past
    there = [entry for entry, _ in table.log if entry.height in past and past[entry.height].head == entry.head]
    return {entry.id for entry in there} & said(table)


def lied(table: DirectTable, liar: int, *fields: dict[str, object]) -> list[Entry]:
    """Let a member sign entries at its position over a state that no program computes."""
    peer, made = table.peers[liar], []
    for changed in fields:
        position, (seq, prev) = peer.position, peer.own_end()
        told: dict[str, object] = {
            "table": table.genesis.table, "seq": seq + 1, "prev": prev, "epoch": position.epoch,
            "height": position.height, "head": position.head, "state": bytes(16), **changed,
        }  # fmt: skip
        entry = make_entry(table.keys[liar].key.private, **told)  # type: ignore[arg-type]
        peer.signing.record(entry)
        made.append(entry)
    peer.advance()
    table.settle()
    return made


def everybody_repairs(table: DirectTable, at: int) -> None:
    first = table.peers[0].proposals.repairing(at)
    assert isinstance(first, Pact), first
    for peer in table.peers:
        assert peer.repair(at) is None
        table.settle()


def rolls(peer: Lockstep) -> list[tuple[int, ...]]:
    return [rolled.faces for rolled in peer.position.chance.rolls]


def all_vote(table: DirectTable, rounds: int) -> None:
    """Play until all vote after so many rounds."""
    while (table.peers[0].position.step.kind, table.peers[0].position.chance.reveals) != ("together", rounds):
        assert table.step()


def read_on_twice(illegal: list[object]) -> tuple[DirectTable, Entry]:
    """One of two answers with these values over a false state, and in the next round legally; all read on from both.
    Return the latter answer too."""
    table = DirectTable([[0], [1]], 6, 2)
    table.start()
    all_vote(table, 0)
    (false,) = lied(table, 1, {"kind": "answer", "body": [1, illegal]})
    everybody_repairs(table, false.height)
    all_vote(table, 1)
    (first,) = lied(table, 1, {"kind": "answer", "body": [1, [4]]})
    assert table.peers[0].answer(0, [3]) is None
    table.settle()
    everybody_repairs(table, first.height)
    return table, first


class Unrolled(DirectTable):
    """Three before a roll of dice, at which those who are silent open no seed."""

    def __init__(self, silent: Collection[int]) -> None:
        super().__init__([[0], [1], [2]], 6, 2)
        self.silent = set(silent)
        for number, peer in enumerate(self.peers):
            peer.automatic.give = self._unless(number, peer.automatic.give)  # type: ignore[method-assign]
        self.start()
        while self.peers[0].position.step.kind != "roll":
            assert self.step()

    def _unless(self, number: int, give: Callable[[], bool]) -> Callable[[], bool]:
        return lambda: not (number in self.silent and self.peers[number].position.step.kind == "roll") and give()

    def speak(self) -> None:
        """Let all open their seeds."""
        self.silent.clear()
        for peer in self.peers:
            peer.advance()
        self.settle()


def read_on_at_a_roll(silent: Collection[int]) -> tuple[Unrolled, int]:
    """Two of three know a roll as soon as the third has opened its seed. One of them lies about its state there, and
    both sign to read on up to that lie alone. Return the height too. silent: who has opened no seed by then."""
    table = Unrolled(silent)
    first, liar = table.peers[:2]
    at, k = first.position.height, first.position.chance.beacon.k
    (false,) = lied(table, 1, {"kind": "open", "body": [9]})
    ends: list[Value] = [[liar.me, false.seq, false.id]]
    victim = end_here(first.reading, table.keys[2].key.public)
    pact = Pact("repair", at, first.position.head, (victim,), [first.position.state, ends, first.position.epoch + 1])
    for peer in table.peers[:2]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    assert first.effected(at) == (pact,)
    assert {(peer.position.height, peer.position.chance.beacon.k) for peer in table.peers} == {(at, k)}
    return table, at
