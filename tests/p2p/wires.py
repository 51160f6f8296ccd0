"""Tables that were played, and exchanges joined by links that lose nothing."""

from __future__ import annotations

from p2p.lockstep.effects import Keep
from p2p.lockstep.follower import Follower
from p2p.sync.exchange import Exchange, TableMessage
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable

IDENTITIES = {"a": 0, "b": 1, "c": 2, "again": 0}


def played(rounds: int = 1) -> DirectTable:
    table = DirectTable([[0], [1], [2]], seed=2, rounds=rounds)
    table.start()
    table.play()
    return table


def fresh(table: DirectTable, rounds: int = 1) -> Follower:
    return Follower(table.genesis, TestMachine(3, rounds))


class Wires:
    """Exchanges joined by links that lose nothing."""

    def __init__(self, table: DirectTable, tables: dict[str, Follower], links: list[tuple[str, str]]) -> None:
        self.table = table
        self.ends = {name: Exchange(follower) for name, follower in tables.items()}
        self.tables = tables
        self.now = 100.0
        self.carried: list[tuple[str, str, TableMessage]] = []
        for one, other in links:
            self.join(one, other)

    def join(self, one: str, other: str) -> None:
        for here, there in ((one, other), (other, one)):
            identity = self.table.genesis.members[IDENTITIES[there]].certificate.identity
            self.ends[here].opened(there, identity)

    def run(self) -> None:
        busy = True
        while busy:
            busy = False
            for name, end in self.ends.items():
                for link, message in end.outgoing():
                    busy = True
                    self.carried.append((name, link, message))
                    received = self.ends[link].received(name, message, self.now)
                    assert not received.errors
                    self.said(link)

    def said(self, name: str) -> None:
        """Spread what the follower of that name took or signed."""
        for effect in self.tables[name].settled():
            if isinstance(effect, Keep):
                self.ends[name].spread(effect.entry)

    def tick(self, seconds: float) -> None:
        self.now += seconds
        for end in self.ends.values():
            end.tick(self.now)
        self.run()

    def kinds(self, kind: type) -> int:
        return sum(isinstance(message, kind) for _, _, message in self.carried)
