"""Games of the engine over the lockstep: the machine of a game, and a table whose seats answer at random."""

from __future__ import annotations

from collections.abc import Sequence

from client.bots import NODES
from client.bots.random import RandomBot
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import GameSpec, settle_options
from engine.core.values import plain
from engine.core.views import View
from engine.core.waits import Seal
from p2p.lockstep.lockstep import Lockstep
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value


def machine(spec: GameSpec, seats: int) -> GameMachine:
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table)
    return GameMachine(Match.new(spec, table))


class Played(DirectTable):
    """A table of a game of the engine; every seat answers at random."""

    def __init__(self, spec: GameSpec, holdings: Sequence[Sequence[int]], seed: int = 1) -> None:
        fresh = machine(spec, sum(map(len, holdings)))
        options: dict[str, Value] = dict(fresh.match.g.table.options)
        super().__init__(holdings, seed, machine=fresh, game=spec.id, options=options)

    def pick(self, peer: Lockstep, seat: int) -> list[Value]:
        at = peer.machine
        assert isinstance(at, GameMachine)
        match, ask = at.match, at.match.ask_of(seat)
        assert ask is not None
        g = None if isinstance(match.pending, Seal) else match.g
        view = View(ask.seat, g, match.pending, ask, at.lens(seat), match.height)
        return [plain(RandomBot().choose(view, ask, self.random, NODES))]

    def states(self) -> set[bytes]:
        return {peer.position.state for number, peer in enumerate(self.peers) if number not in self.cut_off}
