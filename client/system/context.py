# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command works with: output, folders, progress, the log."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TextIO

from client.system.journal import Journal, no_log
from client.system.progress import Meter
from client.system.settings import Folders
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # cryptography loads slowly, and most commands do not need it
    from p2p.identity.keys import SigningKey

FORMAT: Final = 1
"""The version of the keys of answers for programs, which API.md lists."""


class StartPage(Protocol):
    """The start page of which a command was begun.

    Attributes:
        trouble: an error for it to show, "" for none.
    """

    trouble: str


@dataclass(slots=True)
class Context:
    """What one command of starlock works with.

    A command gives its result once, by `answer`: a text for people, and for programs one JSON object on one line, which
    cli prints when the command has ended with or without an error.

    Attributes:
        command: its name.
        as_json: True if a program reads the answer.
        home: the folder of this home, None for the folders of the system.
        progress: callback of long work.
        log: `--log`.
        result_text: the answer for people.
        interrupted_hint: advice to show after Ctrl-C.
        then: the command line to run next, as if it had been typed.
        trouble: the error to show on the home screen that has begun a command, "" for none; None if none has.
        door: the server that the start page has opened; the person goes back to it after each command. None without a
            start page.
        foreign: the game that goes on from a position which somebody else has written, as the person named it; "" for
            none. Whatever fails while the command reads or shows it is no fault of this program.
        identity: the key of this home once it was opened, and True if it has a passphrase, which is asked for once in a
            command.
    """

    command: str
    as_json: bool
    home: Folders | None
    out: TextIO
    err: TextIO
    progress: Meter
    log: Journal = no_log
    result: Mapping[str, object] | None = None
    result_text: str = ""
    interrupted_hint: str = ""
    then: Sequence[str] = ()
    trouble: str | None = None
    door: StartPage | None = None
    foreign: str = ""
    identity: tuple[SigningKey, bool] | None = None

    @property
    def folders(self) -> Folders:
        """The folders of this home, found at the first use because asking the system takes a while."""
        if self.home is None:
            self.home = Folders.of_system()
        return self.home

    def answer(self, text: str, **fields: object) -> None:
        """The command's whole answer. `ok` is true unless the fields say otherwise."""
        self.result, self.result_text = {"ok": True, "format": FORMAT, **fields}, text
        if not self.as_json:
            self.say(text)

    def say(self, text: str) -> None:
        """Write lines for people; nothing is written when a program reads the output."""
        self.progress.clear()
        if not self.as_json:
            self.out.write(text + "\n" if text else "")
            self.out.flush()

    def note(self, text: str) -> None:
        """Write a line to standard error, for people and programs: warnings and progress."""
        self.progress.clear()
        self.err.write(text + "\n")
        self.err.flush()

    def print_result(self, result: Mapping[str, object]) -> None:
        """Write one JSON object on one line."""
        self.progress.clear()
        self.out.write(json.dumps(result, separators=(",", ":")) + "\n")
        self.out.flush()


class Passing(io.StringIO):
    """A text stream that holds nothing: what was written goes on when it is flushed."""

    def __init__(self, told: Callable[[str], object]) -> None:
        super().__init__()
        self._told = told

    def flush(self) -> None:
        text = self.getvalue()
        if not self.closed and text:
            self.seek(0)
            self.truncate()
            self._told(text)
