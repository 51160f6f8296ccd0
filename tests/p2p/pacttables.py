"""Tables at a wait of a kind, whose members sign pacts."""

from __future__ import annotations

from typing import Any

from p2p.lockstep.effects import Agreed
from p2p.testing.tables import DirectTable


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
