# SPDX-License-Identifier: GPL-3.0-or-later
"""Logs: how much the proof costs beyond the play, and whether a long game gets slower."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Final

from bench import Measure, Note, by_turns, cost, seconds
from bench.engine import GAME, table_of
from bench.fairness import floor_of
from client.bots import NODES, bot
from client.proof.audit import SavedGame, judged, machine_of
from client.table.machine import GameMachine
from client.table.pauses import short_pauses
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import plain
from p2p.lockstep.follower import Follower
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import Given
from p2p.log.starfile import pack_star, read_star
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value
from p2p.wire.entry import Entry, read_entry
from p2p.wire.signing import verify
from seeds.group import counted

SEATS: Final = 4
EARLY, LATE = 100, 10_000
PLAIN_AIM: Final = 1.5
"""Times that entries without cards may take beside signatures, rules and the locks' group operations."""
NEAR: Final = 40
"""Actions on either side of an early and a late one that are timed with it."""


class BenchTable(DirectTable):
    """A whole game between peers in this process, one a seat, by bots of one level."""

    def __init__(
        self, seed: int, name: str = GAME, players: int = SEATS, level: str = "random", **options: str
    ) -> None:
        spec = game(name)
        table = table_of(spec, players, **options)
        machine = GameMachine(Match.new(spec, table))
        seats = [[seat] for seat in range(players)]
        super().__init__(seats, seed, machine=machine, game=spec.id, options=dict(table.options))
        self.bot = bot(level)

    def pick(self, peer: Lockstep, seat: int) -> list[Value]:
        """What the bot chooses."""
        machine = peer.machine
        assert isinstance(machine, GameMachine)
        match, ask = machine.match, machine.match.ask_of(seat)
        assert ask is not None
        view = match.view(seat, machine.lens(seat), copy=False)
        return [plain(self.bot.choose(view, ask, self.random, NODES))]

    def star(self) -> bytes:
        """The file that its first peer would export now."""
        peer = self.peers[0]
        return pack_star(
            [(entry, None) for entry in peer.feeds.entries],
            key=self.keys[0].key.private,
            height=peer.position.height,
            head=peer.position.head,
            program="bench",
        )

    def fresh(self) -> GameMachine:
        """The game at its start, as an audit makes it."""
        return machine_of(self.genesis)


class Recorder(GameMachine):
    """Notes every input."""

    taken: list[Given]

    def apply(self, given: Given) -> Sequence[Event]:
        """Take it down, then go on."""
        self.taken.append(given)
        return super().apply(given)

    def clone(self) -> GameMachine:
        """Copies do not record."""
        return GameMachine(self.match.clone())


def stored_game(seed: int = 1) -> tuple[BenchTable, bytes]:
    """A finished game without sealed cards, and its file."""
    table = BenchTable(seed, draws="open")
    table.start()
    table.play()
    return table, table.star()


class LogWork:
    """What replaying and verifying the log of a finished game does, each for itself."""

    def __init__(self) -> None:
        self.table, self.data = stored_game()
        self.entries = read_star(self.data).entries
        self.inputs, _fresh = inputs_of(self.data)
        with counted() as count:
            self.follow()
        self.operations = floor_of(count)

    def follow(self) -> None:
        """Replay without signatures."""
        follower = Follower(self.table.genesis, self.table.fresh())
        for entry in self.entries:
            follower.take(entry)
            follower.settled()
        assert follower.position.over

    def rules(self) -> None:
        """The rules alone taking the same inputs, and the group operations of the locks."""
        machine = self.table.fresh()
        for given in self.inputs:
            machine.apply(given)
        self.operations()

    def signatures(self) -> None:
        """Every signature."""
        for entry in self.entries:
            verify(entry.author, entry.signature, entry.id)

    def parts(self) -> None:
        """Signatures, group operations, and the rules with a digest a step."""
        self.signatures()
        machine = self.table.fresh()
        for given in self.inputs:
            machine.digest()
            machine.apply(given)
        self.operations()

    def verify(self) -> None:
        """What `starlock verify` does."""
        star = read_star(self.data)
        found = judged(SavedGame(star.entries, star.texts, (star.height, star.head), star.exporter))
        assert found.ok, found.problems


def replay_and_verify() -> list[Measure]:
    """Replay of a log without signatures beside the rules alone taking the same inputs, and the group operations of the
    locks; verify beside these, signatures and a digest a step (`over_replay`: signatures, and the replay with all it
    checks)."""
    work = LogWork()
    whole_took, parts_took, spread = by_turns(work.verify, work.parts)
    followed, ruled, even = by_turns(work.follow, work.rules)
    per = 1e6 / len(work.entries)
    signed = min(seconds(work.signatures) for _ in range(3))
    notes: dict[str, Note] = {"entries": len(work.entries), "inputs": len(work.inputs)}
    shares = {"signatures": round(signed / parts_took, 2), "over_replay": round(whole_took / (signed + followed), 3)}
    return [
        cost("replay", followed * per, "µs/entry", ruled * per, spread=even, notes=notes),
        cost(
            "verify",
            whole_took * per,
            "µs/entry",
            parts_took * per,
            PLAIN_AIM,
            spread=spread,
            notes={**notes, **shares},
        ),
    ]


def inputs_of(star: bytes) -> tuple[list[Given], Callable[[], GameMachine]]:
    """What a saved game gives to the machine, in order; and how to make that at its start."""
    found = read_star(star)
    genesis = SavedGame(found.entries, found.texts).genesis
    assert genesis is not None
    machine = Recorder(machine_of(genesis, found.content).match)
    machine.taken = []
    follower = Follower(genesis, machine)
    for entry in found.entries:
        follower.take(entry)
        follower.settled(lambda job: job.hoped if job.statement is not None else job.run())
    return machine.taken, lambda: machine_of(genesis, found.content)


def late_actions() -> list[Measure]:
    """What one action costs late in a long game of the test machine, beside an early one of the same log; and what each
    height costs in memory up to there, beside its entries."""
    answers = LATE + 2 * NEAR
    table = DirectTable([[0, 1]], machine=TestMachine(2, rounds=answers))
    table.start()
    peer, entries = table.peers[0], list[Entry]()
    while sum(entry.kind == "answer" for entry in peer.feeds.entries) < answers:
        table.step()
    entries = list(peer.feeds.entries)
    with short_pauses():
        runs = [_timed(table, entries) for _ in range(3)]
    early, late = (median(run[at] for run in runs) for at in (0, 1))
    notes: dict[str, Note] = {"early": EARLY, "late": LATE}
    return [cost("late-action", late * 1e6, "µs", early * 1e6, 1.1, notes=notes), _late_memory(table, entries)]


def _late_memory(table: DirectTable, entries: list[Entry]) -> Measure:
    follower = Follower(table.genesis, TestMachine(2, rounds=LATE + 2 * NEAR))
    raws = [entry.raw for entry in entries]
    tracemalloc.start()
    try:
        for raw in raws:
            follower.take(read_entry(raw))
        kept, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    heights = follower.position.height
    notes: dict[str, Note] = {"heights": heights, "entries": len(raws)}
    return cost("late-memory", kept / heights / 1000, "kB", sum(map(len, raws)) / heights / 1000, most=6, notes=notes)


def _timed(table: DirectTable, entries: list[Entry]) -> tuple[float, float]:
    """Seconds an action, with all entries that go with it, near the early and the late one."""
    follower = Follower(table.genesis, TestMachine(2, rounds=LATE + 2 * NEAR))
    count, marks = 0, dict[int, float]()
    for entry in entries:
        if entry.kind == "answer":
            marks[count] = perf_counter()
            count += 1
        follower.take(entry)
    spans = [marks[at + NEAR] - marks[at - NEAR] for at in (EARLY, LATE)]
    return spans[0] / (2 * NEAR), spans[1] / (2 * NEAR)


def measures() -> list[Measure]:
    """All of this chapter."""
    return [*replay_and_verify(), *late_actions()]
