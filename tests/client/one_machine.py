# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine that holds all seats of a table: a person's and those of bots, which think in this process."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from house import FakeSwitch, Memory

from client.bots.random import RandomBot
from client.session.player import SessionPlayer
from client.system.journal import no_log
from client.table.controls import RunningControls
from client.table.machine import GameMachine
from client.table.notices import TableNotice
from client.table.responder import Responder
from client.table.runtime import RunningTable
from client.table.thinker import Bots, ThinkerError, Thought, bot_seed
from client.table.writer import StoreWriter
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dataclass import replace
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import plain
from engine.core.views import View
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.genesis import Genesis, Member, Row, fixed_keys, fixed_nonce
from p2p.lockstep.lockstep import Lockstep
from p2p.testing.tables import member
from seeds.hashing import H

ROWS = (Row(0, "Ann"), Row(1, "Bob", "random"), Row(2, "Cid", "greedy"))


class Unthinking:
    """Answers at random in this process. real: returns the lens of a seat."""

    def __init__(self, real: Mapping[int, Lens]) -> None:
        self.real, self.fails, self.asked = real, "", list[tuple[str, str, int]]()

    async def choose(self, level: str, seed: str, view: View) -> Any:
        await trio.lowlevel.checkpoint()
        self.asked.append((level, seed, view.seat))
        if self.fails:
            raise ThinkerError(self.fails)
        assert view.ask is not None
        seen = replace(view, lens=self.real.get(view.seat, Lens()))
        return Thought(plain(RandomBot().choose(seen, view.ask, random.Random(seed), 1)))


class OneMachine:
    """A machine that holds all seats of a table."""

    def __init__(self, name: str = "rex", rows: tuple[Row, ...] = ROWS) -> None:
        spec = game(name)
        agreed = settle_options(spec, len(rows), {})
        assert isinstance(agreed, Table), agreed
        machine = GameMachine(Match.new(spec, agreed))
        keys = fixed_keys(1, 0)
        certificate = certify(SigningKey.from_seed(H("test identity", 1, 0)), keys.key.public, b"test lobby", "device")
        members = (Member(certificate, rows, fixed_nonce(1, 0)),)
        rules, content = machine.ident
        genesis = Genesis(name, dict(agreed.options), rules, content, members, test=True)
        self.person, self.store = SessionPlayer(), Memory()
        lockstep = member(genesis, keys, machine)
        writer = StoreWriter(self.store, genesis.table, self.person.notice)  # type: ignore[arg-type]
        self.table = RunningTable(lockstep, writer, FakeSwitch(), self.person, no_log)  # type: ignore[arg-type]
        self.controls = RunningControls(self.table, self.table.finish)
        self.thinker = Unthinking(self.table.machine.lenses)
        self.bots = Bots(self.table, self.thinker, bot_seed(keys.secret, genesis.table), self.controls)  # type: ignore[arg-type]

    @property
    def voice(self) -> Lockstep:
        assert self.table.voice is not None
        return self.table.voice

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            self.person.sit(self.controls)
            self.responder = Responder(self.table, self.voice, self.person, nursery, person=True, bots=self.bots)
            nursery.start_soon(self.table.run, True)
            yield
            nursery.cancel_scope.cancel()

    async def answer(self, rng: random.Random) -> None:
        """Answer the person's question at random."""
        session = self.person.session
        while session.asking.choices is not None and not session.asking.sendable:
            session.asking.pick(rng.choice(list(session.asking.choices.options)))
        session.asking.send()
        await trio.sleep(0.1)

    async def asks(self) -> bool:
        """Wait until the person is asked; False if the game is over."""
        while self.person.session.asking.draft is None and not self.voice.position.over:
            self.thinker.real = self.table.machine.lenses
            await trio.sleep(0.05)
        return not self.voice.position.over


def heard(machine: OneMachine, monkeypatch: pytest.MonkeyPatch, kind: type[Any]) -> list[Any]:
    """The notices of a kind that the person gets from now on."""
    told, notice = list[Any](), machine.person.notice

    def also(each: TableNotice) -> None:
        notice(each)
        if isinstance(each, kind):
            told.append(each)

    monkeypatch.setattr(machine.person, "notice", also)
    return told
