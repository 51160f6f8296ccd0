# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the people and bots of this machine for answers, and votes for seats without a person by the agreed rule
(`p2p.lockstep.consent`)."""

from __future__ import annotations

from typing import Final

import trio

from client.table.people import level_at
from client.table.player import Asked, Player
from client.table.runtime import RunningTable
from client.table.thinker import Bots
from engine.core.cards import Lens
from engine.core.errors import LocalError
from engine.core.values import plain
from p2p.lockstep.consent import Consent
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import RefusalLike

LATER: Final = frozenset(
    {
        *("lockstep/voting", "lockstep/catching-up", "lockstep/left-out"),
        *("lockstep/older-copy", "lockstep/unconfirmed", "lockstep/elsewhere"),
    }
)
"""Refusals of an answer that end without a new answer."""
ASKING: Final = frozenset({"lockstep/older-copy", "lockstep/unconfirmed", "lockstep/elsewhere"})
"""Those among them while others confirm that this is the newest copy, as after each sleep: open questions stay."""

Place = tuple[int, bytes, int]


class Responder:
    """Asks `player` for each seat of a person here that owes an answer, and `bots` for the others. person: True if a
    person is there to vote on pacts; then no program votes for this machine."""

    def __init__(
        self,
        table: RunningTable,
        voice: Lockstep,
        player: Player,
        nursery: trio.Nursery,
        *,
        person: bool,
        bots: Bots | None = None,
    ) -> None:
        self._table, self._voice, self._player, self._nursery, self._bots = table, voice, player, nursery, bots
        self._asking: dict[Place, trio.CancelScope] = {}
        self._consent = None if person else Consent(voice, table.exchange, table.log)
        table.after_change.append(self.ask)
        table.on_tick.append(self._tick)

    def _tick(self) -> None:
        if self._consent is not None:
            self._consent.tick(trio.current_time())

    # Answers ---------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask for each answer that is owed now, and withdraw the questions that are not open any more."""
        wanted = self._owed()
        for place in [place for place in self._asking if place not in wanted]:
            self._asking.pop(place).cancel()
        for place in wanted if self._voice.mute is None else ():
            if place not in self._asking:
                self._asking[place] = trio.CancelScope()
                self._nursery.start_soon(self._ask, place, self._asking[place])

    def _owed(self) -> list[Place]:
        voice = self._voice
        if voice.position.over or self._table.done or (voice.mute is not None and voice.mute.code not in ASKING):
            return []
        seats = voice.owing().get(voice.me or b"", [])
        return [(voice.position.height, voice.position.head, seat) for seat in seats]

    async def _ask(self, place: Place, scope: trio.CancelScope) -> None:
        height, _head, seat = place
        refusal: RefusalLike | None = None
        with scope:
            while True:
                if place not in self._owed():  # the table went on before this task ran
                    self._asking.pop(place, None)
                    return
                machine = self._table.machine
                match = machine.match.clone()
                choose = match.ask_of(seat)
                if choose is None:
                    raise LocalError(f"seat {seat} owes an answer that its game does not ask for")
                asked = Asked(seat, match, Lens(machine.lens(seat)), choose, height, refusal)
                values = await self._values(asked)
                self._table.log("answer/chosen", seat=seat, height=height)
                refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                while refusal is not None and refusal.code in LATER:
                    await self._table.changed()
                    refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                if refusal is None:
                    return
                self._table.log("answer/refused", seat=seat, height=height, code=refusal.code)

    async def _values(self, asked: Asked) -> list[object]:
        level = level_at(self._table, asked.seat)
        if level is not None and self._bots is not None:
            return list(await self._bots.choose(asked, level))
        return [plain(value) for value in await self._player.choose(asked)]

    def _answer(self, place: Place, values: list[object]) -> RefusalLike | None:
        """Give the answer, unless the table has gone on and the question is closed."""
        height, head, seat = place
        if not self._voice.automatic.read_up:
            self._voice.go_on()  # another seat of this machine has just answered
        position = self._voice.position
        if (position.height, position.head) != (height, head):
            return None
        if self._consent is not None:
            self._consent.let_in()
        return self._voice.answer(seat, values)  # type: ignore[arg-type]  # plain() gives wire values
