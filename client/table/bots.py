"""A bot as a player: it thinks in a worker thread, so that links and other seats go on meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import trio

from client.bots import BUDGET, Bot, bot
from client.player import Asked, LobbyControls, TableControls, TableNotice
from client.table.words import notice_text
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.values import Value

INSTANT = frozenset({"random"})
"""Levels that need no thread."""
QUIET = frozenset({"lobby/terms", "lobby/room", "lobby/ticket", "link/up", "chat", "vote/open", "over"})
"""What nobody needs to read who only started a bot."""


class BotPlayer:
    """Plays all seats of a peer at one level.  What it picks follows from `seed`, seat and position, so that a bot that
    was ended and resumed picks the same."""

    def __init__(self, level: str, seed: str, say: Callable[[str], None]) -> None:
        self.level, self._seed, self._say = level, seed, say
        self._bot: Bot = bot(level)

    async def confirm(self, question: str) -> bool:
        """Nobody is there to say no."""
        return True

    def show(self, text: str) -> None:
        """For whoever started the bot."""
        self._say(text)

    def gather(self, controls: LobbyControls) -> None:
        """A bot wishes nothing."""

    def sit(self, controls: TableControls) -> None:
        """A bot looks at the view it is given, nothing else."""

    async def choose(self, asked: Asked) -> Sequence[Value]:
        if asked.refusal is not None:  # it would say the same again
            raise LocalError(f"{self.level} answered {asked.ask} at {asked.height} illegally: {asked.refusal}")
        rng = Random(f"{self._seed}/{asked.seat}/{asked.height}")
        if self.level in INSTANT:
            return [self._bot.choose(asked.view(), asked.ask, rng, BUDGET)]
        return [await trio.to_thread.run_sync(self._bot.choose, asked.view(), asked.ask, rng, BUDGET)]

    def tell(self, height: int, events: Sequence[Event]) -> None:
        """Nothing: all a bot knows is in the view."""

    def notice(self, notice: TableNotice) -> None:
        """For whoever started the bot; duties do what is to be done."""
        if notice.code not in QUIET:
            self._say(notice_text(notice))
