# SPDX-License-Identifier: GPL-3.0-or-later
"""From a key to the painted frame of the full screen at 120x40, beside a bare redraw of the same cells.

The floor paints the very lines that ours has drawn, through the same terminal output; what ours costs beyond it is the
look at the session and the drawing.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable, Sequence
from itertools import cycle
from time import thread_time
from typing import Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from bench import FINDING, Measure, by_turns, cost
from bench.starts import importing, processor_time, run
from bench.web import late
from client.fronts.kit.style import classes, style
from client.fronts.kit.surface import Surface
from client.fronts.line.screen import LineScreen
from client.fronts.screen.front import Front
from client.fronts.screen.home import Home
from client.session.home import Errands, HomeModel
from client.session.session import Session
from client.show.styled import UNICODE, Line
from client.system.platform import peak_memory
from engine.core.errors import LocalError

__all__ = ["measures", "paint_home", "paint_table", "tell_table"]

SIZE: Final = Size(rows=40, columns=120)
FRAMES: Final = 20
AIM: Final = 1.5
MOST: Final = 16.0
"""Milliseconds of a frame."""
FIRST: Final = 1.3
STARTS: Final = 5
MEGABYTE: Final = 1_000_000
PAINTED: Final = f"{FINDING}; from bench.screen import paint_home; paint_home()"
NAMED: Final = "import sys; print(*(name for name in sys.modules if name != '__main__'))"
SHOWN: Final = f"{FINDING}; from bench.screen import {{how}}; {{how}}()"


class Lines(UIControl):
    """Given lines, and nothing else."""

    def __init__(self, frames: Sequence[Sequence[Line]]) -> None:
        self._frames = cycle([[[(classes(names), text) for names, text in line] for line in lines] for lines in frames])

    def create_content(self, width: int, height: int) -> UIContent:
        lines = next(self._frames)
        return UIContent(lambda at: [*lines[at]], len(lines), show_cursor=False)


class _Nobody:
    """A terminal that is told nothing."""

    def type(self, text: str) -> None: ...

    def redraw(self) -> None: ...

    def suspend(self) -> None: ...

    def copy(self, text: str) -> None: ...

    def drop(self) -> None: ...

    def forget(self) -> None: ...

    def notify(self, text: str) -> None: ...

    def invalidate(self) -> None: ...

    def close(self) -> None: ...


def measures() -> list[Measure]:
    """The cursor moved by an entry, the map drawn at another zoom, everything after a step of the draft, a long page
    scrolled; a start to the first paint of the home screen beside its imports alone; the memory of a table beside the
    line mode."""
    session = late()
    front = Front(session, _Nobody())
    starts = [_first_paint(), *_memory()]
    gc.freeze()  # as a table does once its log is read
    table = [
        _measure("screen-line", front, ("down", "up")),
        _measure("screen-map", front, ("z", "Z")),
        _measure("screen-draft", front, ("e", "u")),
    ]
    front.press("f1")
    return [*starts, *table, _measure("screen-page", front, ("pagedown", "pageup"))]


def _measure(name: str, front: Front, keys: Sequence[str]) -> Measure:
    frames = []
    for key in keys:
        front.press(key)
        frames.append(front.draw(SIZE.columns, SIZE.rows).lines)
    if frames[0] == frames[1]:
        raise LocalError(f"{name}: the keys {keys} change nothing")
    ours, bare, pressed = _painter(Surface(front)), _painter(Window(Lines(frames))), cycle(keys)

    def keyed() -> None:
        for _ in range(FRAMES):
            front.press(next(pressed))
            ours()

    def redrawn() -> None:
        for _ in range(FRAMES):
            bare()

    mine, floor, spread = by_turns(keyed, redrawn, clock=thread_time)
    return cost(name, 1000 * mine / FRAMES, "ms", 1000 * floor / FRAMES, AIM, MOST, spread)


def _painter(window: Window) -> Callable[[], None]:
    """Paints what a window shows to a terminal that nobody reads."""
    output = Vt100_Output(io.StringIO(), lambda: SIZE)
    app: Application[None] = Application(
        Layout(window), style=style(), full_screen=True, input=DummyInput(), output=output
    )

    def paint() -> None:
        with set_app(app):
            app.renderer.render(app, app.layout)

    paint()
    return paint


def _first_paint() -> Measure:
    """From the shell to the home screen, in processor time."""
    run(PAINTED)  # compiles modules where that was never done
    needed = f"{FINDING}\n{importing(run(f'{PAINTED}; {NAMED}'))}"
    took, imports, spread = by_turns(lambda: run(PAINTED), lambda: run(needed), STARTS, processor_time)
    return cost("screen-first-paint", 1000 * took, "ms", 1000 * imports, FIRST, spread=spread)


def paint_home() -> None:
    """The home screen, painted once."""

    def nothing(*_given: object) -> Any:
        """Nothing runs beside the screen."""

    model = HomeModel((), (), Errands(nothing, nothing), nothing)
    _painter(Surface(Home(Session(nothing, nothing, UNICODE), model, _Nobody())))


def _memory() -> list[Measure]:
    """The greatest memory of a process with a table late in the game, on the full screen and line by line; nothing
    where the system does not tell it."""
    full, lines = (int(run(SHOWN.format(how=how))) for how in ("paint_table", "tell_table"))
    return [cost("screen-memory", full / MEGABYTE, "MB", lines / MEGABYTE)] if lines else []


def paint_table() -> None:
    """A table on the full screen; writes what memory that took."""
    _painter(Surface(Front(late(), _Nobody())))
    sys.stdout.write(f"{peak_memory()}\n")


def tell_table() -> None:
    """A table line by line; writes what memory that took."""
    screen = LineScreen(late(), lambda: SIZE.columns)
    screen.typed("map; options")
    screen.take()
    sys.stdout.write(f"{peak_memory()}\n")
