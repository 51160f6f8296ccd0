# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks the players of this peer for answers, and votes for seats without a person by the agreed rule
(`p2p.lockstep.consent`)."""

from __future__ import annotations

from typing import Final

import trio

from client.player import Asked, Player
from client.table.runtime import RunningTable
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

Place = tuple[int, bytes, int]


class Responder:
    """Asks `player` for each seat of this peer that owes an answer. person: True if a person is there to vote on
    pacts."""

    def __init__(
        self, table: RunningTable, voice: Lockstep, player: Player, nursery: trio.Nursery, *, person: bool
    ) -> None:
        self._table, self._voice, self._player, self._nursery = table, voice, player, nursery
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
        for place in wanted:
            if place not in self._asking:
                self._asking[place] = trio.CancelScope()
                self._nursery.start_soon(self._ask, place, self._asking[place])

    def _owed(self) -> list[Place]:
        voice = self._voice
        if voice.mute is not None or voice.position.over or self._table.done:
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
                values = [plain(value) for value in await self._player.choose(asked)]
                self._table.log("answer/chosen", seat=seat, height=height)
                refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                while refusal is not None and refusal.code in LATER:
                    await self._table.changed()
                    refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                if refusal is None:
                    return
                self._table.log("answer/refused", seat=seat, height=height, code=refusal.code)

    def _answer(self, place: Place, values: list[object]) -> RefusalLike | None:
        """Give the answer, unless the table has gone on and the question is closed."""
        height, head, seat = place
        position = self._voice.position
        if (position.height, position.head) != (height, head):
            return None
        if self._consent is not None:
            self._consent.let_in()
        return self._voice.answer(seat, values)  # type: ignore[arg-type]  # plain() gives wire values
