# SPDX-License-Identifier: GPL-3.0-or-later
"""A bot as a player: it thinks in a worker thread, so that links and other seats go on meanwhile."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from random import Random

import trio

from client.bots import BUDGET, Bot, bot
from client.bots.reasons import asks_why, weighed_text
from client.context import Context
from client.fronts import FrontOptions, Main
from client.names import BOT
from client.notices import ChatSaid, TableNotice
from client.player import Asked, LobbyControls, TableControls
from client.table.notice_words import notice_text
from client.table.watchdog import Watchdog
from client.texts import _
from client.wording import display_names_at
from client.wording.asking import kind_text
from engine.core.errors import LocalError
from engine.core.events import Event
from engine.core.values import Value
from p2p.link.pulse import DayClock

INSTANT = frozenset({"random"})
"""Levels that need no thread."""
LATELY = 12
"""Number of answers whose reasons a bot remembers."""
TOLD = 2
"""Kinds of questions that one message explains."""
LONGEST = 400
"""Most characters of one message."""
QUIET = frozenset({"lobby/terms", "lobby/room", "lobby/ticket", "link/up", "others/heard", "chat", "vote/open", "over"})
"""Codes of notices that a bot does not pass on to the person who started it."""


def run(context: Context, main: Main, options: FrontOptions) -> int:
    """Let a bot play; see `client.fronts.FrontFunction`."""
    assert options.level is not None
    token = secrets.token_hex(16) if options.seed is None else options.seed
    player, watchdog = BotPlayer(options.level, token, context.note), Watchdog(context.log)
    code: int = trio.run(main, player, clock=DayClock(), instruments=[watchdog])
    return code


class BotPlayer:
    """Plays all seats of a peer at one level. Its picks follow from `seed`, seat and position, so a bot that is resumed
    picks the same again."""

    def __init__(self, level: str, seed: str, say: Callable[[str], None]) -> None:
        self.level, self._seed, self._say = level, seed, say
        self._bot: Bot = bot(level)
        self._controls: TableControls | None = None
        self._answered: deque[Asked] = deque(maxlen=LATELY)

    async def confirm(self, question: Callable[[], str]) -> bool:
        """Always yes."""
        return True

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Tell the person who started the bot."""
        self._say(told())

    def gather(self, controls: LobbyControls) -> None:
        """Nothing: a bot has no wish in a lobby."""

    def sit(self, controls: TableControls) -> None:
        """Keep the table to answer on; a bot looks only at the views it is given."""
        self._controls = controls

    async def choose(self, asked: Asked) -> Sequence[Value]:
        if asked.refusal is not None:  # the bot would give the same answer again
            raise LocalError(f"{self.level} answered {asked.ask} at {asked.height} illegally: {asked.refusal}")
        rng = Random(f"{self._seed}/{asked.seat}/{asked.height}")
        self._answered.append(asked)
        if self.level in INSTANT:
            return [self._bot.choose(asked.view(), asked.ask, rng, BUDGET)]
        return [await trio.to_thread.run_sync(self._bot.choose, asked.view(), asked.ask, rng, BUDGET)]

    def tell(self, height: int, events: Sequence[Event]) -> None:
        """Nothing: the view holds all that a bot knows."""

    def notice(self, notice: TableNotice) -> None:
        """Tell the person who started the bot, and answer a player who asks why it moved so."""
        if isinstance(notice, ChatSaid) and notice.text is not None:
            self._heard(notice.name, notice.text)
        if notice.code not in QUIET:
            self._say(notice_text(notice))

    def _heard(self, name: str, text: str) -> None:
        """Answer a player who asks for the reasons of the last answers."""
        controls = self._controls
        if controls is None or not controls.seats or name.endswith(BOT):
            return
        if asks_why(text, controls.name(controls.seats[0])):
            controls.chat(self.reasons())

    def reasons(self) -> str:
        """The reasons of the last answers, the latest kind of question first."""
        told, answered = dict[str, str](), self._answered or self._before()
        for asked in reversed(answered):
            display_names = display_names_at(asked.match.spec)
            reason = weighed_text(self.level, asked.view(), asked.ask, display_names)
            if reason:
                told.setdefault(kind_text(asked.ask.word, display_names), reason)
        said = "; ".join(f"“{question}” {reason}" for question, reason in [*told.items()][:TOLD])
        if not answered:
            return _("I have not moved yet.")
        return said[:LONGEST] or _("There was nothing to weigh: I did what anybody would.")

    def _before(self) -> Sequence[Asked]:
        """The questions that each seat answered last before this run, from the log of the table."""
        controls, found = self._controls, list[Asked]()
        if controls is None:
            return found
        for seat in controls.seats:
            first, last = controls.answered(seat) or (0, -1)
            for height in range(first, last + 1):
                match = controls.past(height)
                ask = match.ask_of(seat) if match is not None else None
                if match is not None and ask is not None:
                    found.append(Asked(seat, match.clone(), controls.lens(seat), ask, height))
        return found
