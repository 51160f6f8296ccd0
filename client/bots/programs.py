# SPDX-License-Identifier: GPL-3.0-or-later
"""Bots of others: programs on pipes, and classes of installed packages.

A user names one on the command line, by `cmd:COMMAND` or by `package:NAME`. It then has a label, such as `cmd:mybot`,
which is what a table's record and the other members see; a label alone starts nothing. What a record, a saved game, a
lobby or a page says about a bot is never run: a label is worth what this run's command line has given for it.

A program reads JSON lines from its standard input and writes JSON lines to its standard output; docs/API.md has the
protocol. It gets the view of the seat that it plays, as every bot does. A class of a package is an entry point of the
group `starlock.bots` that makes a `client.bots.Bot`.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from random import Random
from time import monotonic
from typing import Any, Final

from client import __version__
from client.bots.position import asked_json, options_of, position_json
from client.system.errors import UserError
from client.system.packages import BOTS, loaded, points, trouble
from client.system.texts import _
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

PROTOCOL: Final = 1
"""Version of the lines; it rises when a key changes its meaning."""
COMMAND: Final = "cmd:"
PACKAGE: Final = "package:"
ANSWERS_IN: Final = 120.0
"""Seconds after which a program counts as stuck. They are told with each question; no answer should take so long."""
MISTAKES: Final = 3
"""Answers to one question that are none; then the caretaker answers."""
LONGEST: Final = 1 << 16
"""Most characters of a line from a program."""
AHEAD: Final = 64
"""Lines of a program that are read before they are wanted."""
ENDS_IN: Final = 1.0
"""Seconds that a program has to end by itself when its input has ended."""

_given: dict[str, str] = {}


class BotProgramError(Exception):
    """A program gave no answer. code: what was wrong, as docs/API.md lists it."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code


# Labels --------------------------------------------------------------------------------------------------------------


def adopt(said: str) -> str | None:
    """The label of a bot that the command line names as `cmd:COMMAND` or `package:NAME`, known from now on in this
    process; None for something else. UserError for a command that is none, and where there is no such program or
    package."""
    if said.startswith(COMMAND):
        words = _words(said.removeprefix(COMMAND))
        if shutil.which(words[0]) is None:
            raise UserError(
                "bot/no-program",
                _("There is no program “{name}” that can be started.").format(name=words[0]),
                _("Give its path, and see that you may execute it."),
            )
        label = COMMAND + "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in PurePath(words[0]).name)
    elif said.startswith(PACKAGE):
        packaged(said.removeprefix(PACKAGE))
        label = said
    else:
        return None
    number, free = 1, label
    while _given.get(free, said) != said:
        number += 1
        free = f"{label}-{number}"
    _given[free] = said
    return free


def adopted(label: str) -> str | None:
    """What this run's command line gave for a label; None for a label that only a record names."""
    return _given.get(label)


def given(labels: Iterable[str]) -> Mapping[str, str]:
    """What was given for those of these labels that are no levels, for another process of this run."""
    return {label: _given[label] for label in labels if label in _given}


def known(labels: Mapping[str, str]) -> None:
    """Know the labels of the run that this process belongs to."""
    _given.update(labels)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError:
        words = []
    if not words:
        raise UserError(
            "bot/no-command",
            _("“cmd:” needs the command of a program."),
            _("For example: {example}").format(example="--bots 'cmd:./mybot'"),
        )
    return words


def packaged(name: str) -> Any:
    """The class of the entry point of that name. UserError if no installed package has it, or if it is no bot's."""
    found = points(BOTS)
    if name not in found:
        known = ", ".join(sorted(found))
        hint = _("Known: {known}").format(known=known) if known else _("No installed package brings a bot.")
        raise UserError("bot/no-package", _("No package has a bot “{name}”.").format(name=name), hint)
    made = loaded(found[name])
    if not callable(getattr(made, "choose", None)):
        raise trouble(found[name][0], _("{place} has no method “choose”").format(place=found[name][0].place))
    return made


# A program -----------------------------------------------------------------------------------------------------------


class ProgramBot:
    """A bot that is a program. It is started at its first question and ends with this process.

    answers_in: seconds after which it counts as stuck.

    Attributes:
        apart: whether it runs in a session of its own, so that what it has started ends with it; else whoever ends the
            session of this process ends it too.
    """

    def __init__(self, command: str, answers_in: float = ANSWERS_IN) -> None:
        self._command, self._answers_in = command, answers_in
        self._program: _Program | None = None
        self._asked = 0
        self.apart = True

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`. Raises BotProgramError if the program gives no answer that is allowed."""
        program = self._begun(view)
        position = position_json(view)
        if not wait.staged:
            return self._pick(program, view, wait, (), position, budget)
        answer: tuple[Value, ...] = ()
        while options_of(view, wait, answer):
            answer = (*answer, self._pick(program, view, wait, answer, position, budget))
        return answer

    def _pick(
        self,
        program: _Program,
        view: View,
        wait: Choose[Any],
        so_far: tuple[Value, ...],
        position: Mapping[str, Any],
        budget: int,
    ) -> Value:
        self._asked += 1
        question = {
            "say": "choose",
            "id": self._asked,
            "asked": asked_json(view, wait, so_far),
            "position": position,
            "nodes": budget,
            "seconds": self._answers_in,
        }
        options, code, until = options_of(view, wait, so_far), "", monotonic() + self._answers_in
        program.tell(question)
        for _mistake in range(MISTAKES):
            answer = self._heard(program, until)
            code = _wrong(answer, self._asked, len(options))
            if not code:
                return options[answer["pick"]]
            program.tell({"say": "refused", "id": self._asked, "code": code})
        raise BotProgramError(code)

    def _heard(self, program: _Program, until: float) -> Any:
        try:
            line = program.heard(max(0.0, until - monotonic()))
        except queue.Empty:
            self.end()
            raise BotProgramError("bot/too-slow") from None
        if line is None:
            self.end()
            raise BotProgramError("bot/ended")
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return None

    def over(self, totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Tell the program how the game ended."""
        if self._program is not None:
            self._program.tell({"say": "over", "totals": [*totals], "ranks": [*ranks]})

    def end(self) -> None:
        """End the program: its input ends first, so that it may end by itself."""
        program, self._program = self._program, None
        if program is not None:
            atexit.unregister(self.end)
            program.end()

    def _begun(self, view: View) -> _Program:
        if self._program is not None:
            return self._program
        try:
            program = self._program = _Program(_words(self._command), self.apart)
        except OSError as error:
            raise BotProgramError("bot/not-started", str(error)) from error
        atexit.register(self.end)
        table = view.g.table
        program.tell(
            {
                "say": "hello",
                "protocol": PROTOCOL,
                "starlock": __version__,
                "game": table.game,
                "rules": table.rules,
                "seats": table.seats,
                "seat": int(view.seat),
                "options": dict(table.options),
            }
        )
        return program


class _Program:
    """A program that runs. Each of its pipes belongs to a thread: the program may not read what it is told, or another
    one that it has started may keep them open, and nothing waits for that."""

    def __init__(self, words: Sequence[str], apart: bool) -> None:
        self._process = subprocess.Popen(  # the user's own command
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={name: value for name, value in os.environ.items() if not name.startswith("STARLOCK_")},
            start_new_session=apart,
        )
        self._apart, self._ended = apart, threading.Event()
        self._told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._said: queue.Queue[str | None] = queue.Queue(AHEAD)
        for work in (self._write, self._read):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Write a line, as soon as the program reads."""
        self._told.put(json.dumps(message, separators=(",", ":")) + "\n")

    def heard(self, seconds: float) -> str | None:
        """The next line; None when there will be no more. queue.Empty if none comes in so many seconds."""
        return self._said.get(timeout=seconds)

    def end(self) -> None:
        """End its input and, if it does not end by itself, the program."""
        self._told.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDS_IN)
        if self._apart and os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):  # the latter where only dead ones are left
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._ended.set()
        while not self._said.empty():  # the thread that reads may wait for room
            self._said.get()

    def _write(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            while (line := self._told.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        with suppress(OSError):
            self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError), self._process.stdout as lines:
            while not self._ended.is_set() and (line := lines.readline(LONGEST)):
                self._said.put(line)
        self._said.put(None)


def _wrong(answer: Any, id: int, options: int) -> str:
    """What is wrong with an answer, as a code; "" if nothing is."""
    if not isinstance(answer, dict):
        return "bot/not-json"
    if answer.get("id") != id:
        return "bot/other-question"
    pick = answer.get("pick")
    if type(pick) is not int:
        return "bot/not-a-number"
    return "" if 0 <= pick < options else "bot/not-an-option"
