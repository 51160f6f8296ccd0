"""A running table of Ann, Bob and Cid, as far as what works beside it looks at it; it notes what it is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from client.table.notices import Party
from engine.core.events import Event
from p2p.lockstep.genesis import Row
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis
from p2p.wire.messages import Have

GENESIS, _KEYS = fixed_genesis([[0], [1], [2]], 1, TestMachine(3))
ME, BOB, CID = (member.certificate.key for member in GENESIS.members)
NAMES = {ME: "Ann", BOB: "Bob", CID: "Cid"}


class Table:
    """A running table, as far as these look at it."""

    def __init__(self) -> None:
        rows = {seat: Row(seat, name) for seat, name in enumerate(("Ann", "Bob", "Cid"))}
        owner = {0: ME, 1: BOB, 2: CID}
        self.position: Any = SimpleNamespace(
            height=7, over=False, owner=owner, members=(ME, BOB, CID), cut=set(), head=b"head", state=b"state",
            history=SimpleNamespace(stands=lambda _height: True),
            membership=SimpleNamespace(rows=rows), roster=dict.fromkeys((ME, BOB, CID)),
        )  # fmt: skip
        self.owing: dict[bytes, list[int]] = {BOB: [1]}
        self.debts: dict[bytes, str] = {BOB: "answer"}
        self.lockstep: Any = SimpleNamespace(
            position=self.position, owing=lambda: self.owing, debts=lambda: self.debts, faults={},
            hearing=SimpleNamespace(claims={}), reading=SimpleNamespace(differing=list, elsewhere=False),
            ballots=SimpleNamespace(proposers={b"pact": {CID: 0}}),
        )  # fmt: skip
        self.history: list[tuple[int, list[Event]]] = []
        self.held: dict[str, Have] = {}
        self.who = {"bob": self.identity(BOB), "cid": self.identity(CID), "eve": b"eve"}
        self.me, self.voice = ME, None
        self.up = {BOB}
        self.notices: list[Any] = []
        self.told: list[Any] = []
        self.compared = 0
        self.exchange = SimpleNamespace(compare=self._compare)
        self.written: list[Any] = []
        self.writer = SimpleNamespace(note=self._note)

    def _compare(self) -> None:
        self.compared += 1

    async def _note(self, info: Any) -> None:
        self.written.append(info)

    def identity(self, key: bytes) -> bytes:
        return b"identity of " + key

    def linked(self, key: bytes) -> bool:
        return key in self.up

    def name(self, key: bytes) -> str:
        return NAMES[key]

    def party(self, key: bytes) -> Party:
        return Party((ME, BOB, CID).index(key), NAMES[key])

    def notice(self, notice: Any) -> None:
        self.notices.append(notice)

    def tell(self, effect: Any) -> None:
        self.told.append(effect)
