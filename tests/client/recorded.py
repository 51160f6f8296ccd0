"""Recorded games for tests: whole tables of peers in one process, whose entries are signed and judged like any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from client import __version__
from client.bots import NODES
from client.bots.random import RandomBot
from client.table.content import own_data
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import GameSpec, game, settle_options
from engine.core.values import plain
from engine.core.views import View
from engine.core.waits import Seal
from p2p.lockstep.lockstep import Lockstep
from p2p.log.starfile import pack_star
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value


class GameTable(DirectTable):
    """A table where every seat answers at random. spec: eclipse2 unless it is given; options: as people write them."""

    def __init__(
        self,
        holdings: Sequence[Sequence[int]],
        seed: int = 1,
        spec: GameSpec | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.spec = spec or game("eclipse2")
        table = settle_options(self.spec, sum(map(len, holdings)), options or {})
        assert isinstance(table, Table), table
        machine = GameMachine(Match.new(self.spec, table))
        super().__init__(holdings, seed, machine=machine, game=self.spec.id, options=dict(table.options))

    def pick(self, peer: Lockstep, seat: int) -> list[Value]:
        machine = peer.machine
        assert isinstance(machine, GameMachine)
        match, ask = machine.match, machine.match.ask_of(seat)
        assert ask is not None
        g = None if isinstance(match.pending, Seal) else match.g
        view = View(ask.seat, g, match.pending, ask, machine.lens(seat), match.height)
        return [plain(RandomBot().choose(view, ask, self.random, NODES))]

    def states(self) -> set[bytes]:
        return {peer.position.state for number, peer in enumerate(self.peers) if number not in self.cut_off}

    def leave(self, number: int) -> None:
        """A member is out of reach, and the others agree that it will not come back."""
        self.cut_off.add(number)
        self.play()
        here = [peer for at, peer in enumerate(self.peers) if at not in self.cut_off]
        for kind in ("absent", "gone"):
            assert here[0].propose(kind, [self.keys[number].key.public], None) is None
            self.settle()
            for peer in here:
                for vote in peer.votes():
                    if peer.me in vote.missing:
                        assert peer.sign(vote.pact.id) is None
            self.settle()

    def star(self, peer: int = 0) -> bytes:
        """What that peer would export now."""
        at = self.peers[peer]
        return pack_star(
            [(entry, at.texts.get(entry.id)) for entry in at.feeds.entries],
            key=self.keys[peer].key.private,
            height=at.position.height,
            head=at.position.head,
            program=__version__,
            content=own_data(self.spec),
        )


@cache
def finished() -> GameTable:
    """A game of two that has been played to its end, with a word of chat. Not to be changed."""
    table = GameTable([[0], [1]])
    table.start()
    assert table.peers[1].chat("gl hf ñ") is None
    table.settle()
    table.play()
    assert table.peers[0].position.over
    return table


def begun(answers: int, holdings: Sequence[Sequence[int]] = ((0,), (1,))) -> GameTable:
    """A game in which so many answers were given."""
    table = GameTable(holdings)
    table.start()
    for _ in range(answers):
        assert table.step()
    return table
