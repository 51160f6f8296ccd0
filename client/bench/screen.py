"""From a key to the painted frame of the full screen at 120x40, beside a bare redraw of the same cells.

The floor paints the very lines that ours has drawn, through the same terminal output; what ours costs beyond it is the
look at the session and the drawing.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from itertools import cycle
from time import thread_time
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from client.bench import Measure, by_turns, cost
from client.bench.web import late
from client.screen.app import Control, styled
from client.screen.front import Front
from client.screen.style import style
from client.show.styled import Line

__all__ = ["measures"]

SIZE: Final = Size(rows=40, columns=120)
FRAMES: Final = 20
AIM: Final = 1.5
MOST: Final = 16.0
"""Milliseconds of a frame."""


class Lines(UIControl):
    """Given lines, and nothing else."""

    def __init__(self, frames: Sequence[Sequence[Line]]) -> None:
        self._frames = cycle(frames)

    def create_content(self, width: int, height: int) -> UIContent:
        lines = next(self._frames)
        return UIContent(lambda at: styled(lines[at]), len(lines), show_cursor=False)


class _Nobody:
    """A terminal that is told nothing."""

    def type(self, text: str) -> None: ...

    def redraw(self) -> None: ...

    def suspend(self) -> None: ...

    def copy(self, text: str) -> None: ...

    def notify(self, text: str) -> None: ...

    def invalidate(self) -> None: ...


def measures() -> list[Measure]:
    """The cursor moved by an entry, the map drawn at another zoom, and everything after a step of the draft."""
    session = late()
    front = Front(session, _Nobody())
    return [
        _measure("screen-line", front, ("down", "up")),
        _measure("screen-map", front, ("z", "Z")),
        _measure("screen-draft", front, ("1", "u")),
    ]


def _measure(name: str, front: Front, keys: Sequence[str]) -> Measure:
    frames = []
    for key in keys:
        front.press(key)
        frames.append(front.draw(SIZE.columns, SIZE.rows).lines)
    ours, bare, pressed = _painter(Control(front)), _painter(Lines(frames)), cycle(keys)

    def keyed() -> None:
        for _ in range(FRAMES):
            front.press(next(pressed))
            ours()

    def redrawn() -> None:
        for _ in range(FRAMES):
            bare()

    mine, floor, spread = by_turns(keyed, redrawn, clock=thread_time)
    return cost(name, 1000 * mine / FRAMES, "ms", 1000 * floor / FRAMES, AIM, MOST, spread)


def _painter(control: UIControl) -> Callable[[], None]:
    """Paints what a control shows to a terminal that nobody reads."""
    output = Vt100_Output(io.StringIO(), lambda: SIZE)
    app: Application[None] = Application(
        Layout(Window(control)), style=style(), full_screen=True, input=DummyInput(), output=output
    )

    def paint() -> None:
        with set_app(app):
            app.renderer.render(app, app.layout)

    paint()
    return paint
