# SPDX-License-Identifier: GPL-3.0-or-later
"""The bots in the seats of this machine: a process thinks for all of them, and this member signs what it answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import trio

from client.bots import LEVELS
from client.bots.programs import adopted
from client.bots.reasons import asks_why, weighed_text
from client.bots.thinking import LENGTH, packed, read_answer
from client.system.journal import Journal
from client.system.texts import _
from client.table.notices import BotFailed
from client.table.people import level_at, name_at
from client.table.player import Asked, TableControls
from client.table.runtime import RunningTable
from client.words import display_names_at
from client.words.asking import kind_text
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.values import plain
from engine.core.views import View
from seeds.hashing import kdf

LATELY: Final = 12
"""Number of answers whose reasons a bot remembers."""
TOLD: Final = 2
"""Kinds of questions that one message explains."""
LONGEST: Final = 400
"""Most characters of one message."""
EXPLAINED: Final = 100
"""Messages with reasons in one run: they count as chat of this member, which the person needs too."""


HUNG: Final = 300.0
"""Seconds after which a process that gives no answer counts as stuck and is ended. Bots think within numbers of
positions, far below that on any machine, so an answer does not depend on the speed of a machine. If it does for once,
nothing is said in two ways: what a member has signed comes back from the others before it signs anything more."""


@dataclass(frozen=True, slots=True)
class Thought:
    """An answer in its plain form, and the best of those that the bot has compared, with their worth."""

    value: Any
    best: Sequence[tuple[float, Any]] = ()


class ThinkerError(Exception):
    """The process gave no answer. The text says why."""


def bot_seed(secret: bytes, table: bytes) -> str:
    """The seed of all bots of a member at a table. It follows from the table secret, so that a member whose store has
    lost its last entries answers the same again."""
    return kdf(secret, "bots", table).hex()


def _known(level: str) -> str:
    """What the process is told of a level. ThinkerError for a bot of others that only the record names."""
    said = level if level in LEVELS else adopted(level)
    if said is None:
        raise ThinkerError(_("this run was given no program for the bot “{level}”").format(level=level))
    return said


class Thinker:
    """The process, started at the first question. It answers one question at a time. hung: seconds after which it is
    ended for giving no answer; the next question starts another one."""

    def __init__(self, log: Journal, hung: float = HUNG) -> None:
        self._log, self._one, self._hung = log, trio.Lock(), hung
        self._process: trio.Process | None = None

    @property
    def pid(self) -> int | None:
        """The number of the process; None while there is none."""
        return None if self._process is None else self._process.pid

    async def choose(self, level: str, seed: str, view: View) -> Thought:
        """The answer of a bot of this level: a name, or what the command line said of a bot of others. A view in which
        nothing is asked tells that the game is over. ThinkerError if there is no answer."""
        async with self._one:
            question = packed(level, seed, view)
            try:
                with trio.fail_after(self._hung):
                    value, best, error = read_answer(await self._asked(question))
            except trio.TooSlowError as slow:
                self._log("bots/hung", pid=self.pid, seconds=self._hung)
                await self.end()
                text = _("it gave no answer for {n} seconds and was ended")
                raise ThinkerError(text.format(n=round(self._hung))) from slow
            except (OSError, ValueError, trio.BrokenResourceError) as lost:
                await self.end()
                raise ThinkerError(str(lost) or type(lost).__name__) from lost
            except BaseException:  # the question is withdrawn: its answer must not be taken for that of the next one
                await self.end()
                raise
        if error:
            raise ThinkerError(error)
        return Thought(value, best)

    async def _asked(self, question: bytes) -> bytes:
        process = self._process = self._process or await self._start()
        assert process.stdin is not None
        await process.stdin.send_all(question)
        return await self._read(process, int.from_bytes(await self._read(process, LENGTH), "big"))

    async def _read(self, process: trio.Process, count: int) -> bytes:
        data = b""
        assert process.stdout is not None
        while len(data) < count:
            more = await process.stdout.receive_some(count - len(data))
            if not more:
                raise OSError(_("it has ended with code {code}").format(code=await process.wait()))
            data += more
        return data

    async def _start(self) -> trio.Process:
        begun = trio.current_time()
        process = await trio.lowlevel.open_process(
            [sys.executable, "-P", "-m", "client.bots.thinking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not name.startswith("STARLOCK_")},
            start_new_session=True,  # Ctrl-C ends this process, not the answer that it waits for
        )
        self._log("bots/started", pid=process.pid, seconds=round(trio.current_time() - begun, 3))
        return process

    async def end(self) -> None:
        """End the process; the next question starts another one."""
        process, self._process = self._process, None
        if process is not None:
            with trio.CancelScope(shield=True):
                _kill(process)
                await process.wait()
                for pipe in (process.stdin, process.stdout):
                    if pipe is not None:
                        await pipe.aclose()


def _kill(process: trio.Process) -> None:
    """Kill a process with the programs of others that it has started; they are in its session."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class Bots:
    """Answers for the bots of this machine, and says why a bot answered as it did to who asks in the chat."""

    def __init__(self, table: RunningTable, thinker: Thinker, seed: str, controls: TableControls) -> None:
        self._table, self._thinker, self._seed, self._controls = table, thinker, seed, controls
        self._answered: dict[int, deque[Asked]] = {}
        self._best: dict[tuple[int, int], Sequence[tuple[float, Any]]] = {}
        self._explained = 0
        table.on_chat.append(self._heard)

    async def choose(self, asked: Asked, level: str) -> Sequence[Any]:
        """The answer of a bot, in its plain form; the caretaker's if the bot gives none, or none that is allowed."""
        why = "" if asked.refusal is None else asked.refusal.code
        self._answered.setdefault(asked.seat, deque(maxlen=LATELY)).append(asked)
        if not why:
            try:
                thought = await self._thinker.choose(_known(level), self._seed, asked.view())
                self._keep(asked, thought.best)
                return [thought.value]
            except ThinkerError as error:
                why = str(error)
        name = name_at(self._table.lockstep.position, asked.seat)
        self._table.notice(BotFailed(name, asked.height, why))
        return [plain(asked.match.caretaker(asked.seat))]

    def _keep(self, asked: Asked, best: Sequence[tuple[float, Any]]) -> None:
        """Keep what a bot compared as long as its question is remembered."""
        self._best[asked.seat, asked.height] = best
        remembered = {(each.seat, each.height) for some in self._answered.values() for each in some}
        self._best = {place: kept for place, kept in self._best.items() if place in remembered}

    async def over(self) -> None:
        """Tell programs of others how the game ended."""
        machine = self._table.machine
        for seat, level in self._here().items():
            said = adopted(level)
            if said is not None and machine.match.pending is None:
                with suppress(ThinkerError):
                    await self._thinker.choose(said, "", machine.match.view(seat, Lens(machine.lens(seat))))

    def greet(self) -> None:
        """Say hello, once at the beginning of a table."""
        position = self._table.lockstep.position
        for seat, level in [*self._here().items()][:1]:
            text = _("Hello! We are bots of this machine; I am “{level}”. Ask “bots: why?” when an answer puzzles you.")
            self._table.soon(partial(self._say, f"{name_at(position, seat)}: {text.format(level=level)}"))

    def _here(self) -> dict[int, str]:
        """The bots of this machine with their levels, by seat."""
        owner = self._table.lockstep.position.owner
        mine = [seat for seat, key in owner.items() if key == self._table.me]
        return {seat: level for seat in mine if (level := level_at(self._table, seat)) is not None}

    # Reasons ---------------------------------------------------------------------------------------------------------

    def _heard(self, text: str) -> None:
        """Answer a player who asks for the reasons of the last answers."""
        position, bots = self._table.lockstep.position, self._here()
        names = {seat: name_at(position, seat) for seat in bots}
        if any(text.startswith(f"{name}: ") for name in names.values()):
            return  # what a bot here has said
        for seat, level in bots.items():
            if asks_why(text, names[seat]) and self._explained < EXPLAINED:
                self._explained += 1
                said = f"{names[seat]}: {self.reasons(seat, level)}"
                self._table.soon(partial(self._say, said))

    def _say(self, text: str) -> None:
        self._controls.chat(text[:LONGEST])

    def reasons(self, seat: int, level: str) -> str:
        """The reasons of a bot's last answers, the latest kind of question first."""
        told, answered = dict[str, str](), self._answered.get(seat) or self._before(seat)
        for asked in reversed(answered):
            display_names = display_names_at(asked.match.spec)
            words = asked.match.spec.words
            best = [(worth, words.value(kept)) for worth, kept in self._best.get((seat, asked.height), ())]
            reason = weighed_text(level, asked.view(), asked.ask, display_names, best)
            if reason:
                told.setdefault(kind_text(asked.ask.word, display_names), reason)
        said = "; ".join(f"“{question}” {reason}" for question, reason in [*told.items()][:TOLD])
        if not answered:
            return _("I have not answered anything yet.")
        return said or _("There was nothing to weigh: I did what anybody would.")

    def _before(self, seat: int) -> Sequence[Asked]:
        """The questions that the seat answered last before this run, from the log of the table."""
        found = list[Asked]()
        first, last = self._controls.answered(seat) or (0, -1)
        for height in range(first, last + 1):
            match = self._controls.past(height)
            ask = match.ask_of(seat) if match is not None else None
            if match is not None and ask is not None:
                lens = Lens(self._table.machine.lens(seat))
                found.append(Asked(seat, match.clone(), lens, ask, height))
        return found
