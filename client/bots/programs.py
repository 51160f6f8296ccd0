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
import subprocess
import threading
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from random import Random
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

_given: dict[str, str] = {}


class BotProgramError(Exception):
    """A program gave no answer. code: what was wrong, as docs/API.md lists it."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code


# Labels --------------------------------------------------------------------------------------------------------------


def adopt(said: str) -> str | None:
    """The label of a bot that the command line names as `cmd:COMMAND` or `package:NAME`, known from now on in this
    process; None for something else. UserError for a command that is none, or a package that is not there."""
    if said.startswith(COMMAND):
        words = _words(said.removeprefix(COMMAND))
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
    """

    def __init__(self, command: str, answers_in: float = ANSWERS_IN) -> None:
        self._command, self._answers_in = command, answers_in
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue(AHEAD)
        self._asked = 0

    def choose(self, view: View, wait: Choose[Any], rng: Random, budget: int) -> Value:
        """See `client.bots.Bot`. Raises BotProgramError if the program gives no answer that is allowed."""
        self._begin(view)
        position = position_json(view)
        if not wait.staged:
            return self._pick(view, wait, (), position, budget)
        answer: tuple[Value, ...] = ()
        while options_of(view, wait, answer):
            answer = (*answer, self._pick(view, wait, answer, position, budget))
        return answer

    def _pick(
        self, view: View, wait: Choose[Any], so_far: tuple[Value, ...], position: Mapping[str, Any], budget: int
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
        options, code = options_of(view, wait, so_far), ""
        self._write(question)
        for _mistake in range(MISTAKES):
            answer = self._read()
            code = _wrong(answer, self._asked, len(options))
            if not code:
                return options[answer["pick"]]
            self._write({"say": "refused", "id": self._asked, "code": code})
        raise BotProgramError(code)

    def over(self, totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Tell the program how the game ended."""
        if self._process is not None and self._process.poll() is None:
            self._write({"say": "over", "totals": [*totals], "ranks": [*ranks]})

    def end(self) -> None:
        """End the program: its input ends first, so that it may end by itself."""
        process, self._process = self._process, None
        if process is None:
            return
        atexit.unregister(self.end)
        assert process.stdin is not None
        try:
            process.stdin.close()
            process.wait(timeout=1)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()

    # Pipes

    def _begin(self, view: View) -> None:
        if self._process is not None:
            return
        try:
            self._process = process = subprocess.Popen(  # the user's own command
                _words(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={name: value for name, value in os.environ.items() if not name.startswith("STARLOCK_")},
            )
        except OSError as error:
            raise BotProgramError("bot/not-started", str(error)) from error
        atexit.register(self.end)
        self._lines = queue.Queue(AHEAD)  # nothing that an earlier process says late is read
        threading.Thread(target=_read_lines, args=(process, self._lines), daemon=True).start()
        table = view.g.table
        self._write(
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

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            self.end()
            raise BotProgramError("bot/ended") from error

    def _read(self) -> Any:
        try:
            line = self._lines.get(timeout=self._answers_in)
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


def _read_lines(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    try:
        while line := process.stdout.readline(LONGEST):
            lines.put(line)
    except (OSError, ValueError):  # it was closed
        pass
    lines.put(None)
