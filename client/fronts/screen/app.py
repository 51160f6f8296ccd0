# SPDX-License-Identifier: GPL-3.0-or-later
"""The prompt_toolkit application around a front: passes keys and mouse to it, and its drawing to the terminal."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Final, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, ConditionalContainer, Float, FloatContainer, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput

from client.fronts.kit.stack import Stack
from client.fronts.kit.style import color_depth, style
from client.fronts.kit.surface import Completions, Surface
from client.fronts.screen.settings import Settings
from client.session.home import Work
from client.system.names import shown, whole
from client.system.platform import SIZE_ASKED_EVERY, errors_in_file
from client.table.qr import clipboard_code

NAMED: Final = (
    "enter", "tab", "backspace", "escape", "up", "down", "left", "right", "home", "end", "pageup", "pagedown",
)  # fmt: skip
KEYS: Final = {Keys.ControlM: "enter", Keys.ControlI: "tab", Keys.ControlH: "backspace"}
LONGEST: Final = 10_000
"""Characters of a typed line; further keys are left out. A terminal that does not mark what is pasted types it, and all
of the line is drawn after each few keys."""


S = TypeVar("S", bound=Stack)


class FullScreen(Generic[S]):
    """The application that shows a screen, for which it is the `Host`.

    Attributes:
        front: the shown content.
        app: the application.
        surface: the window of the content, which has the focus while no line is typed.
        line: the window of the line at the foot.
    """

    def __init__(self, made: Callable[[FullScreen[S]], S], logs: Path, settings: Settings = Settings()) -> None:
        """made: makes the content of this screen. logs: the folder for what libraries write as errors meanwhile."""
        self._settings, self._logs = settings, logs
        self.front: S = made(self)
        self._buffer = Buffer(
            completer=Completions(self.front.complete),
            history=InMemoryHistory(),
            multiline=False,
            on_text_changed=lambda buffer: self.front.typed(whole(buffer.text)),
        )
        typed = Condition(lambda: self.front.typing)
        self.line = Window(BufferControl(self._buffer, [BeforeInput(self.front.prompt)]), height=1)
        self.surface = Surface(self.front)
        menu = Float(CompletionsMenu(max_height=10, scroll_offset=1), xcursor=True, ycursor=True)
        foot = Float(ConditionalContainer(self.line, typed), bottom=0, left=0, right=0, height=1)
        self.app: Application[bool] = Application(
            Layout(FloatContainer(self.surface, [foot, menu]), self.surface),
            key_bindings=self._bindings(typed),
            style=style(),
            color_depth=color_depth(),
            full_screen=True,
            mouse_support=True,
            terminal_size_polling_interval=SIZE_ASKED_EVERY,
        )
        self.app.timeoutlen = 0.3
        self.app.ttimeoutlen = 0.05
        self.app.key_processor.before_key_press += lambda _: self._noticed()
        self._called = self._closed = False

    async def show(self) -> bool:
        """Use the terminal until `close`. Returns True if Ctrl-C ended it. Runs on asyncio."""
        with errors_in_file(self._logs):
            return await self.app.run_async(pre_run=self._begin)

    def run(self) -> bool:
        """As `show`, but not inside a loop."""
        with errors_in_file(self._logs):
            return self.app.run()

    def playing(self, pause: Callable[[], float], tick: Callable[[], bool]) -> bool:
        """As `run`; `tick` is called after each pause, and changes are drawn."""

        async def ticking() -> None:
            while True:
                await sleep(pause())
                if tick():
                    self.app.invalidate()

        def begin() -> None:
            _ticking = self.app.create_background_task(ticking())  # which keeps it

        with errors_in_file(self._logs):
            return self.app.run(pre_run=begin)

    def _begin(self) -> None:
        if self._closed:
            self.close()

    def close(self) -> None:
        """Restore the terminal. A screen that is closed before it is shown ends as soon as it is."""
        self._closed = True
        self._end(interrupted=False)

    def _end(self, *, interrupted: bool) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.output.clear_title()
            self.app.exit(result=interrupted)

    # The front asks --------------------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        self._buffer.reset(Document(text))
        self.app.layout.focus(self.line)

    def drop(self) -> None:
        self._buffer.reset()
        self.app.layout.focus(self.surface)

    def redraw(self) -> None:
        self.app.renderer.clear()

    def suspend(self) -> None:
        self.app.suspend_to_background()

    def copy(self, text: str) -> None:
        self.app.output.write_raw(clipboard_code(text).decode())
        self.app.output.flush()

    def forget(self) -> None:
        self._buffer.history = InMemoryHistory()
        self.drop()

    def notify(self, text: str) -> None:
        """Ring the bell, set the title and notify the desktop, as far as the terminal can."""
        output = self.app.output
        if not self.app.is_running:
            return
        if self._settings.bell:
            output.bell()
        if self._settings.desktop:
            said = shown(text)
            output.write_raw(f"\x1b]9;starlock: {said}\x07\x1b]777;notify;starlock;{said}\x07")
        output.set_title(f"starlock: {text}")
        output.flush()
        self._called = True

    def _noticed(self) -> None:
        """Clear the title that called the person: a key was pressed, or the mouse used."""
        if self._called:
            self._called = False
            self.app.output.clear_title()
            self.app.output.flush()

    def invalidate(self) -> None:
        self.app.invalidate()

    def beside(self, work: Work) -> None:
        """Carry out slow work in a thread, which ends with the process."""

        def run() -> None:
            import trio

            told = trio.run(work)

            def tell() -> None:
                told()
                self.invalidate()

            loop = self.app.loop
            if loop is not None and not loop.is_closed():
                loop.call_soon_threadsafe(tell)

        Thread(target=run, daemon=True).start()

    # The terminal tells ----------------------------------------------------------------------------------------------

    def _bindings(self, typed: Condition) -> KeyBindings:
        bindings = KeyBindings()
        bindings.add(Keys.Any, filter=~typed)(lambda event: self.front.press(_named(event.key_sequence[0].key)))
        for key in NAMED:
            bindings.add(key, filter=~typed)(lambda event, key=key: self.front.press(key))
        bindings.add(Keys.BracketedPaste, filter=~typed)(lambda event: self.front.pasted(whole(event.data)))
        full = Condition(lambda: len(self._buffer.text) >= LONGEST)
        bindings.add(Keys.Any, filter=typed & full)(lambda event: None)
        bindings.add("enter", filter=typed)(lambda event: self._enter())
        bindings.add("escape", filter=typed)(lambda event: self.front.dropped())
        bindings.add("up", filter=typed)(lambda event: self._upwards(-1))
        bindings.add("down", filter=typed)(lambda event: self._upwards(1))
        bindings.add("tab", filter=typed)(lambda event: self._complete())
        bindings.add("c-c")(lambda event: self._end(interrupted=True))
        bindings.add("<sigint>")(lambda event: self._end(interrupted=True))
        bindings.add("c-d", filter=~typed)(lambda event: self.front.press("q"))
        return bindings

    def _upwards(self, rows: int) -> None:
        """Move through the list, the completions or earlier lines."""
        if not self.front.walk(rows):
            self._buffer.auto_down() if rows > 0 else self._buffer.auto_up()

    def _complete(self) -> None:
        if self._buffer.complete_state:
            self._buffer.complete_next()
        else:
            self._buffer.start_completion(insert_common_part=True)

    def _enter(self) -> None:
        """What is entered may begin another line: this one has ended before."""
        text = whole(self._buffer.text)
        self._buffer.reset(append_to_history=True)
        self.app.layout.focus(self.surface)
        self.front.entered(text)


def _named(key: Keys | str) -> str:
    return KEYS.get(key, key.value) if isinstance(key, Keys) else key
