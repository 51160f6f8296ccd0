# SPDX-License-Identifier: GPL-3.0-or-later
"""The window that shows the lines of a front and passes the mouse to it, and the completions of a typed line.

A window of prompt_toolkit wraps and scrolls its content and remembers for each cell where it came from. A front draws
exactly the cells of the screen, so this window makes a row of characters of each line, and keeps it for later frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.screen import Char
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType, MouseModifier

from client.fronts.kit.canvas import KEPT
from client.fronts.kit.style import classes

if TYPE_CHECKING:
    from prompt_toolkit.layout.mouse_handlers import MouseHandlers
    from prompt_toolkit.layout.screen import Screen, WritePosition

    from client.fronts.kit.stack import Stack
    from client.show.styled import Line

_character: Final = lru_cache(8192)(Char)
"""Cached styled characters: those of all screens in one alphabet."""
WHEEL: Final = 3
"""Rows scrolled by a step of the wheel."""
BESIDE: Final = Char("", "")
"""The second cell of a character of two columns."""


class Surface(Window):
    """The whole screen."""

    def __init__(self, front: Stack) -> None:
        super().__init__(FormattedTextControl(focusable=True))  # has the focus while no line is typed
        self._front = front
        self._down: tuple[int, int] | None = None
        self._moved = 0, 0

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Draw the front at the size of the screen, which begins at cell (0, 0)."""
        width, height = write_position.width, write_position.height
        handlers = dict.fromkeys(range(width), self.mouse)
        for y, line in enumerate(self._front.draw(width, height).lines):
            screen.data_buffer[y].update(_row(line))
            mouse_handlers.mouse_handlers[y].update(handlers)
        screen.height = max(screen.height, height)
        screen.visible_windows_to_write_positions[self] = write_position

    def mouse(self, event: MouseEvent) -> None:
        """Handle clicks, the wheel and dragging."""
        x, y = event.position.x, event.position.y
        kind, button = event.event_type, event.button
        if kind is MouseEventType.MOUSE_DOWN:
            self._down, self._moved = (x, y), (0, 0)
        elif kind is MouseEventType.MOUSE_MOVE and button is MouseButton.LEFT and self._down is not None:
            moved = self._down[0] - x, self._down[1] - y
            self._front.drag(*self._down, moved[0] - self._moved[0], moved[1] - self._moved[1])
            self._moved = moved
        elif kind is MouseEventType.MOUSE_UP:
            if self._moved == (0, 0):  # otherwise it was a drag
                self._front.click(x, y, details=button is MouseButton.RIGHT)
            self._down, self._moved = None, (0, 0)
        elif kind in (MouseEventType.SCROLL_UP, MouseEventType.SCROLL_DOWN):
            rows = -WHEEL if kind is MouseEventType.SCROLL_UP else WHEEL
            self._front.wheel(x, y, rows, MouseModifier.SHIFT in event.modifiers)


@lru_cache(KEPT)
def _row(line: Line) -> Mapping[int, Char]:
    """The characters of a line by column. A character of two columns has an empty one beside it; a mark without a
    column joins the character before it. Blanks without a style at the end are left out, as the terminal has them
    anyway."""
    cells = dict[int, Char]()
    x = used = 0
    for names, text in line:
        style = classes(names)
        for letter in text:
            cell = _character(letter, style)
            if cell.width:
                cells[x] = cell
                cells.update(dict.fromkeys(range(x + 1, x + cell.width), BESIDE))
                x += cell.width
                used = x if style or letter != " " else used
            elif x:
                before = x - 1 if cells[x - 1] is not BESIDE else x - 2
                cells[before] = Char(cells[before].char + letter, cells[before].style)
    return {at: cell for at, cell in cells.items() if at < used}


class Completions(Completer):
    """Options and commands that complete the last answer of a line."""

    def __init__(self, complete: Callable[[str], Sequence[str]]) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor.rpartition(";")[2].lstrip()
        return [Completion(option, start_position=-len(text)) for option in self._complete(text)]
