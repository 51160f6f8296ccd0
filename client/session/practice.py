# SPDX-License-Identifier: GPL-3.0-or-later
"""A table on this machine alone that goes on from the middle of a recorded game, with bots in all other seats.

Nothing is signed, sent or stored: it is for trying another move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import trio

from client.bots import NODES, Bot, bot
from client.proof.dealt import dealer_at
from client.proof.recording import Recording
from client.system.names import BOT, clipped
from client.system.texts import _
from client.table.player import Asked, Player
from engine.core.cards import Lens
from engine.core.dataclass import replace
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Seal
from p2p.lockstep.machine import RefusalLike, TableRefusal

ALONE = TableRefusal("practice/alone")


class Practice:
    """The table; see `client.table.player.TableControls`.

    Attributes:
        genesis: the genesis of the recorded game, marked as begun from a position.
        match: the game as it stands.
        seats: the seat of the person.
        history: the events of the recorded game, then those of the practice.
        examine, save, alone, reach: None, because there is no network and no log.
    """

    examine = save = alone = reach = None

    def _nothing(self, *_about: Any) -> Any:
        """Nothing is signed, sealed, rolled in public or proposed here."""
        return {}

    def _alone(self, *_about: Any, **_more: Any) -> RefusalLike:
        """Nobody is there to read, agree or be waited for."""
        return ALONE

    seals = hands = steps = rolls = votes = _nothing
    chat = propose = vote = vouch = claim = _alone

    def __init__(self, recording: Recording, at: int, seat: int, level: str, seed: str) -> None:
        """Play on from a recorded position against bots.

        at: the step to go on after.
        seat: the seat of the person.
        level: the level of the bots.
        seed: determines all random outcomes.
        """
        self.match = recording.match(at).clone()
        self.genesis = replace(recording.walk.genesis, position=self.match.digest(), test=True)
        self.seats = (seat,)
        self.history: list[tuple[int, Sequence[Event]]] = [
            (step.height, step.events) for step in recording.steps[: at + 1] if step.events
        ]
        self._recording, self._at = recording, at
        self._dealer, self._rng, self._bot = dealer_at(recording, at, seed), Random(seed), bot(level, seed)
        self._scope = trio.CancelScope()

    async def play(self, player: Player) -> bool:
        """Play to the end; False if the person left before."""
        player.sit(self)
        player.show(lambda: _("This is practice: bots play the other seats, nothing is signed or kept."))
        with self._scope:
            while not self.match.over:
                await self._step(player, self._bot)
        return self.match.over

    async def _step(self, player: Player, other: Bot) -> None:
        """Apply one input: a random outcome, or the answers of a seat."""
        said: dict[int, Value] = {}
        if isinstance(self.match.pending, Seal):
            said = {seat: (await self._asked(player, other, seat))[0] for seat in self.match.owing()}
        outcome = self._dealer.outcome(self.match, lambda _match, seat, _ask: said[seat])
        if outcome is not None:
            self._tell(player, self.match.height, self.match.apply(outcome))
            return
        seat = self.match.owing()[0]
        for value in await self._asked(player, other, seat):
            self._tell(player, self.match.height, self.match.apply(Answer(Seat(seat), value)))

    async def _asked(self, player: Player, other: Bot, seat: int) -> Sequence[Value]:
        """The answers of a seat."""
        ask = self.match.ask_of(seat)
        assert ask is not None
        asked = Asked(seat, self.match.clone(), Lens(self._dealer.lens(seat)), ask, self.match.height)
        if seat in self.seats:
            return await player.choose(asked)
        return [await trio.to_thread.run_sync(other.choose, asked.view(), ask, self._rng, NODES)]

    def _tell(self, player: Player, height: int, events: Sequence[Event]) -> None:
        if events:
            self.history.append((height, events))
            player.tell(height, events)

    # What the person may look at and do ------------------------------------------------------------------------------

    @property
    def height(self) -> int:
        """The height that is open now, as the game counts."""
        return self.match.height

    def stands(self, height: int) -> bool:
        """Nothing is taken back here."""
        return True

    def secrets_since(self, height: int) -> bool:
        """Nothing is taken back here."""
        return False

    def deals(self) -> int:
        return 0

    def answered(self, seat: int) -> tuple[int, int] | None:
        """The last step of the recorded game at which the seat acted."""
        steps = self._recording.steps[: self._at + 1]
        height = next((step.height for step in reversed(steps) if step.seat == seat), None)
        return None if height is None else (height, height)

    def held(self) -> Mapping[int, int]:
        """Every other seat with the present height: one machine holds everything."""
        return dict.fromkeys(self.linked(), self.match.height)

    def past(self, height: int) -> Match | None:
        """The recorded game when a height opened; None since the practice began."""
        recording = self._recording
        return recording.match(recording.at_height(height)) if height <= recording.steps[self._at].opens else None

    def lens(self, seat: int) -> Lens:
        return self._dealer.lens(seat) if seat in self.seats else Lens()

    def name(self, seat: int) -> str:
        """The name on a seat; all others are bots now."""
        name = clipped(self._recording.walk.names[seat])
        return name if seat in self.seats or name.endswith(BOT) else f"{name} {BOT}"

    def owing(self) -> Sequence[int]:
        return self.match.owing()

    def debts(self) -> Mapping[int, str]:
        return dict.fromkeys(self.owing(), "answer")

    def linked(self) -> Mapping[int, bool]:
        return {seat: True for seat in range(self.genesis.seats) if seat not in self.seats}

    def members(self) -> Mapping[int, int]:
        return {seat: seat for seat in range(self.genesis.seats)}

    def ways(self) -> Mapping[int, str]:
        return dict.fromkeys(self.linked(), "direct")

    def proposer(self, pact: bytes) -> str:
        return ""

    @property
    def leave(self) -> Callable[[], None]:
        return self._scope.cancel
