# SPDX-License-Identifier: GPL-3.0-or-later
"""Two terminals for line mode: prompt_toolkit's line, and a plain one that does not move the cursor."""

from __future__ import annotations

import os
import sys
from asyncio import Future, ensure_future
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TextIO, TypeAlias

import trio

from client.fronts.kit.style import classes, color_depth, style
from client.show.styled import SIGNS, Line, plain
from client.system.bridge import LoopHost
from client.system.names import shown, whole
from client.system.platform import SIZE_ASKED_EVERY

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


class Speaker(Protocol):
    """Provides the prompt, the status and completions of a terminal."""

    def prompt(self) -> str: ...
    def status(self) -> str: ...
    def complete(self, text: str) -> Sequence[str]: ...


CLEARED: Final[Line] = (("cleared", ""),)
"""A line that is not shown: the terminal clears everything above it and the typed text, because another person takes
the screen."""
ENDLESS: Final = 1_000_000
"""The rows of an output that is not a screen."""


class StopError(Exception):
    """Ctrl-C at the prompt; a KeyboardInterrupt inside a task would end asyncio itself."""


class LineTerminal:
    """prompt_toolkit's line: history, completion, a status line at the foot; output is written above it."""

    def __init__(
        self, host: LoopHost, speaker: Speaker, given: Input | None = None, output: Output | None = None
    ) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import create_output
        from prompt_toolkit.shortcuts import CompleteStyle

        from client.fronts.kit.surface import Completions

        self._host, self._style = host, style()
        self._output = output or create_output(sys.stdout)
        self._reading = False
        self._writing: Future[None] | None = None
        self._pending: list[Line] = []
        self._session: PromptSession[str] = PromptSession(
            speaker.prompt,
            input=given,
            output=self._output,
            style=self._style,
            color_depth=color_depth(),
            history=InMemoryHistory(),
            completer=Completions(speaker.complete),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
            bottom_toolbar=lambda: speaker.status()[: max(self.width() - 1, 0)],
            enable_suspend=True,
            interrupt_exception=StopError,
        )
        self._session.app.terminal_size_polling_interval = SIZE_ASKED_EVERY

    def width(self) -> int:
        """The columns of the screen."""
        return self._output.get_size().columns

    def height(self) -> int:
        """The rows of the screen, `ENDLESS` if output needs no pages."""
        return self._output.get_size().rows

    async def read(self) -> str | None:
        """The next line that is typed; None at the end of input. Raises KeyboardInterrupt for Ctrl-C."""
        self._reading = True
        try:
            return whole(await self._host.ask(self._session.prompt_async()))
        except StopError:
            raise KeyboardInterrupt from None
        except EOFError:
            return None
        finally:
            self._reading = False
            self._flush()

    def write(self, lines: Iterable[Line]) -> None:
        """Show lines, above the line that is being typed."""
        from prompt_toolkit.application.current import set_app

        self._pending += lines
        app = self._session.app
        if not (self._reading and app.is_running):
            self._flush()
        elif self._pending and (self._writing is None or self._writing.done()):
            with set_app(app):
                self._writing = ensure_future(self._write_above())

    def changed(self) -> None:
        """The prompt or status may have changed."""
        self._session.app.invalidate()

    def drop(self) -> None:
        """Nothing is asked any more: remove the prompt."""
        self._session.app.erase_when_done = True

    def close(self) -> None:
        """Stop reading; further output begins on a new line."""
        if self._session.app.erase_when_done:
            self._output.write_raw("\r\n")
        self._flush()

    async def _write_above(self) -> None:
        """Write above the line. The terminal stays raw: in cooked mode it would echo typed text into the output, and
        swallow a Ctrl-D."""
        from prompt_toolkit.application import run_in_terminal

        keys = self._session.app.input
        cooked = keys.cooked_mode
        keys.cooked_mode = keys.raw_mode  # type: ignore[method-assign]
        try:
            while self._pending:  # lines that arrive during the last write have no other writer
                await run_in_terminal(self._flush)
        finally:
            keys.cooked_mode = cooked  # type: ignore[method-assign]

    def _flush(self) -> None:
        lines, self._pending = self._pending, []
        if CLEARED in lines:
            self._clear()
            lines = lines[len(lines) - lines[::-1].index(CLEARED) :]
        self._print(lines)

    def _clear(self) -> None:
        """Clear the screen, its scrollback and the typed lines."""
        from prompt_toolkit.history import InMemoryHistory

        self._session.history = self._session.default_buffer.history = InMemoryHistory()
        self._session.default_buffer.reset()
        self._output.erase_screen()
        self._output.write_raw("\x1b[3J")
        self._output.cursor_goto(0, 0)
        self._output.flush()

    def _print(self, lines: Sequence[Line]) -> None:
        from prompt_toolkit.formatted_text import FormattedText
        from prompt_toolkit.renderer import print_formatted_text

        runs = [(classes(style), text) for line in lines for style, text in (*line, ("", "\n"))]
        print_formatted_text(self._output, FormattedText(runs), self._style, color_depth=self._session.app.color_depth)


class BareTerminal:
    """The same with lines edited by the terminal itself: for dumb terminals, shells in editors and screen readers."""

    def __init__(self, speaker: Speaker, out: TextIO, fd: int = 0, *, echo: bool = False) -> None:
        """echo: True to repeat typed lines that no terminal shows."""
        self._speaker, self._out, self._fd, self._echo = speaker, out, fd, echo
        self._typed = b""
        self._prompted = False

    def width(self) -> int:
        return self._size()[0] or 80

    def height(self) -> int:
        return ENDLESS

    def _size(self) -> tuple[int, int]:
        """The columns and rows of the screen; 0 if the output is not a screen."""
        try:
            return os.get_terminal_size(self._fd)
        except OSError:
            return 0, 0

    async def read(self) -> str | None:
        self._prompt()
        while b"\n" not in self._typed:
            more = await trio.to_thread.run_sync(os.read, self._fd, 4096, abandon_on_cancel=True)
            if not more and not self._typed:
                return None
            if not more:  # a last line without a line break
                more = b"\n"
            self._typed += more
        text, _newline, self._typed = self._typed.partition(b"\n")
        self._prompted = False
        line = text.decode("utf-8", "replace").rstrip("\r")
        if self._echo:
            self._out.write(shown(line) + "\n")
        return line

    def write(self, lines: Iterable[Line]) -> None:
        told = ["\n" * self._size()[1] if line == CLEARED else plain(line).rstrip() + "\n" for line in lines]
        text = "".join(told).translate(SIGNS)
        if text:
            self._out.write("\n" * self._prompted + text)
            if self._prompted:
                self._prompt()
            self._out.flush()

    def changed(self) -> None:
        """Nothing: this terminal has no status line."""

    drop = changed  # what is written stays

    def close(self) -> None:
        if self._prompted:
            self._prompted = False
            self._out.write("\n")
            self._out.flush()

    def _prompt(self) -> None:
        self._out.write(self._speaker.prompt())
        self._out.flush()
        self._prompted = True


Terminal: TypeAlias = LineTerminal | BareTerminal
