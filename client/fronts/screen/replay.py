# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded game on the full screen: what the person does, with keys, mouse and typed lines.

From any step the person can branch into a game of their own against bots; see `client.session.practice`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from client.fronts.kit.canvas import box, fit, folded, plainly
from client.fronts.kit.ui import Drawn, Page
from client.fronts.screen import moves, recorded
from client.fronts.screen.articles import reference_page
from client.fronts.screen.boards import board_page
from client.fronts.screen.happened import foot, foot_hits
from client.fronts.screen.keys import REPLAY, pressed
from client.fronts.screen.layout import LEAST
from client.fronts.screen.paged import paged
from client.fronts.screen.position import ShownPosition
from client.fronts.screen.timeline import step_at
from client.proof.recording import Recording
from client.report.position import write_form
from client.session.notation import number_of
from client.show.styled import Glyphs
from client.system.errors import UserError
from client.system.names import clipped
from client.system.texts import _

__all__ = ["Replay", "Terminal"]

ANYWHERE: Final = frozenset(
    ("boards", "chat", "help", "legend", "log", "palette", "redraw", "rules", "score", "suspend", "tech", "verify")
)
"""Actions that a page does not stop: most of them show another page."""
SPEEDS: Final = (1, 2, 4, 8)
"""Steps per second."""


class Terminal(Protocol):
    """The terminal that shows a replay."""

    def type(self, text: str) -> None:
        """Start the input line at the foot with this text."""

    def redraw(self) -> None:
        """Draw everything again."""

    def suspend(self) -> None:
        """Suspend to the shell."""

    def close(self) -> None:
        """Leave the replay."""


class Replay:
    """The content of the screen, independent of a terminal; see `client.fronts.screen.app.Shown`.

    Attributes:
        shown: the shown step.
        words: the chosen command line; () to leave.
        playing: True during automatic play.
    """

    def __init__(
        self,
        recording: Recording,
        what: str,
        glyphs: Glyphs,
        ask: Callable[[Sequence[str], Callable[[str], None]], None],
        terminal: Terminal,
    ) -> None:
        """what: the file or table; ask: calls back with the output of a command."""
        self.shown, self.words, self.playing = ShownPosition(recording, glyphs), tuple[str, ...](), False
        self._recording, self._what = recording, what
        self._ask, self._terminal = ask, terminal
        self._speed, self._word, self._size = 0, "", (80, 24)
        self._page: Page | None = None
        self._line: tuple[str, Callable[[str], None]] | None = None
        self._drawn: Drawn | None = None
        self._keys = {key: each.act for each in REPLAY for key in each.keys}

    def draw(self, columns: int, rows: int) -> Drawn:
        """The screen at this size."""
        self._size = columns, rows
        if columns < LEAST[0] or rows < LEAST[1]:
            return Drawn(
                plainly(box(folded(_("The terminal is too small."), columns), columns, rows), self.shown.glyphs)
            )
        keys = foot(columns, self._page)
        below = rows - 1 - len(keys)
        if self._page is not None:
            body, hits = paged(self._page, self._word, self.shown.glyphs, columns, below)
        else:
            body, hits = self.shown.body(columns, below)
        pace = f"x{SPEEDS[self._speed]} {'▸' if self.playing else '■'}"
        top, clicks = self.shown.bar(self._what, pace, columns)
        keys = [*keys[:-1], ()] if self.typing else keys
        lines = [top, *body, *(fit(row, columns) for row in keys)]
        hits = [*hits, *clicks, *foot_hits(keys, 1 + below)]
        self._drawn = Drawn(plainly(box(lines, columns, rows), self.shown.glyphs), hits)
        return self._drawn

    # What the person does --------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        """Advance one step of automatic play. Returns False when it is off."""
        if self.playing and self._page is None and self._line is None:
            self.shown.go(self.shown.at + 1)
            self.playing = self.shown.at < self.shown.last
        return self.playing

    @property
    def pause(self) -> float:
        """Seconds between two steps of automatic play."""
        return 1 / SPEEDS[self._speed]

    def _seek(self, way: int, wanted: Callable[[int], bool]) -> None:
        """Go to the next wanted step in this direction; stay if there is none."""
        at = self.shown.at + way
        while 0 <= at <= self.shown.last:
            if wanted(at):
                self.shown.go(at)
                return
            at += way

    def press(self, key: str) -> bool:
        """Handle a key. Returns False if it has no meaning here."""
        if self._page is not None:
            return self._on_page(self._page, key)
        act = self._keys.get(key)
        if act is None:
            return False
        self._do(act)
        return True

    def _do(self, act: str) -> None:
        steps = self._recording.steps
        kind, _under, way = act.partition("_")
        by = 1 if way in ("on", "in") else -1
        match kind if way else "":
            case "step":
                self.shown.go(self.shown.at + by)
            case "turn":
                seat = steps[self.shown.at].seat
                self._seek(by, lambda at: steps[at].seat not in (seat, -1))
            case "round":
                self._seek(by, lambda at: steps[at].round != steps[max(at - 1, 0)].round)
            case "battle":
                self._seek(by, lambda at: steps[at].battle)
            case "mark":
                self._seek(by, lambda at: at in self.shown.marks)
            case "place":
                self.shown.next_place(by)
            case "zoom":
                self.shown.set_zoom(by)
            case _:
                self._acts[act]()

    @property
    def _acts(self) -> Mapping[str, Callable[[], None]]:
        """The actions of keys without a direction."""
        ask, open_, names = self._read_answer, self._open, self.shown.names
        return {
            "play": self._play,
            "first": lambda: self.shown.go(0),
            "end": lambda: self.shown.go(self.shown.last),
            "faster": lambda: self._hasten(1),
            "slower": lambda: self._hasten(-1),
            "search": lambda: self._line_for("/", self._search),
            "again": lambda: self.shown.find(self._word),
            "go": lambda: self._line_for(":", self._go_to),
            "eyes": lambda: open_(recorded.eyes(self._recording, self.shown.at, names, self._look)),
            "branch": self._branch,
            "mark": lambda: self.shown.marks.symmetric_difference_update({self.shown.at}),
            "export": lambda: open_(recorded.forms(self._name_file)),
            "verify": lambda: ask(_("Verified"), "verify", self._what),
            "details": lambda: open_(Page(self.shown.place_name(), lambda width, _word: self.shown.details(width))),
            "rules": lambda: open_(reference_page(_("Rules, in our own words"), self.shown.game)),
            "boards": lambda: open_(board_page(self.shown.pictures, self.shown.frame)),
            "score": lambda: open_(recorded.picture(self.shown, "score")),
            "tech": lambda: open_(recorded.tech(self.shown, open_)),
            "legend": lambda: open_(recorded.picture(self.shown, "legend")),
            "fight": self.shown.switch,
            "log": self._log,
            "chat": lambda: self._log(chat=True),
            "palette": self._palette,
            "help": lambda: open_(recorded.keys()),
            "redraw": self._terminal.redraw,
            "suspend": self._terminal.suspend,
            "quit": self._terminal.close,
        }

    def _play(self) -> None:
        self.playing = not self.playing and self.shown.at < self.shown.last

    def _hasten(self, by: int) -> None:
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))

    def _search(self, text: str) -> None:
        self._word = text
        if self._page is None:
            self.shown.find(text)

    def _go_to(self, text: str) -> None:
        """Go to a step, or to the beginning of a round, or do what a word of the foot says: “117”, “r3”, “log”."""
        steps, digits, words = self._recording.steps, text.lower().removeprefix("r").strip(), _words()
        number = number_of(digits)
        if (act := words.get(text.lower())) is not None:
            self._do(act)
        elif number is None:
            neither = _("“{text}” is neither the number of a step, nor a round such as r3, nor one of: {words}.")
            self._read(_("Go to"), neither.format(text=clipped(text), words=", ".join(words)))
        elif digits == text:
            self.shown.go(number)
        else:
            self.shown.go(next((at for at, step in enumerate(steps) if step.round >= number), self.shown.last))

    # Pages -----------------------------------------------------------------------------------------------------------

    def _on_page(self, page: Page, key: str) -> bool:
        items = page.items(self._word) if page.items is not None else []
        half = self._size[1] // 2
        rows = {"up": -1, "down": 1, "pageup": -half, "pagedown": half, "home": -moves.FAR, "end": moves.FAR}
        if moves.pressed(page, key):
            pass
        elif key in rows:
            moves.scroll(page, self._word, self._size, rows[key])
        elif key in ("left", "right"):
            moves.across(page, self._word, self._size[0], 1 if key == "right" else -1)
        elif key == "enter" and items:
            self._page = None
            items[min(page.cursor, len(items) - 1)].act()
        elif key in ("escape", "backspace", "q") or (key == "enter" and page.shelves is None):
            self._page = None
        elif key == "/":
            self._line_for("/", self._search)
        elif self._keys.get(key) in ANYWHERE:
            self._do(self._keys[key])
        else:
            return False
        return True

    def _open(self, page: Page) -> None:
        self._page, self._word, self.playing = page, "", False

    def _read(self, title: str, text: str) -> None:
        self._open(recorded.text(title, lambda: text))

    def _read_answer(self, title: str, *words: str) -> None:
        """Show the output of a command when it arrives."""
        answer = [_("One moment …")]
        self._open(recorded.text(title, lambda: answer[-1]))
        self._ask(words, answer.append)

    def _log(self, *, chat: bool = False) -> None:
        """Show the log, from the shown step on."""
        self._open(recorded.log(self._recording, self.shown.at, self.shown.names, self._size[0] - 2, chat=chat))

    def _palette(self) -> None:
        self._open(recorded.palette(self._do))
        self._line_for("> ", self._choose)

    def _choose(self, _text: str) -> None:
        """Take the marked entry of the palette."""
        self.press("enter")

    def _look(self, seat: int) -> None:
        self.shown.eyes = seat

    def _branch(self) -> None:
        """Choose the seat to play on from here; the others become bots."""
        if self._recording.match(self.shown.at).over:
            self._read(_("Branch"), _("The game is over here; go back to a step where it goes on."))
        else:
            self._open(recorded.branches(self.shown.names, self._play_on))

    def _play_on(self, seat: int) -> None:
        height = str(self._recording.steps[self.shown.at].opens)
        self.words = ("replay", self._what, "--at", height, "--branch", chr(ord("A") + seat))
        self._terminal.close()

    def _name_file(self, form: str) -> None:
        """Ask for the file to write to."""
        stem, whole = Path(self._what).stem, form.startswith("log")
        name = f"{stem}.txt" if whole else f"{stem}-{self._recording.steps[self.shown.at].opens}.{form}"
        self._line_for(_("file to write: "), partial(self._export, form), name)

    def _export(self, form: str, name: str) -> None:
        path, height = Path(name).expanduser().absolute(), self._recording.steps[self.shown.at].opens
        try:
            size = write_form(form, self._recording.walk, self._recording.match(self.shown.at), height, path)
            text = _("Wrote {path}, {size} bytes.").format(path=path, size=size)
        except UserError as error:
            text = error.message
        self._read(_("Export"), text)

    # Mouse and typed lines -------------------------------------------------------------------------------------------

    def click(self, x: int, y: int, *, details: bool = False) -> None:
        """Handle a click: on the timeline go there, on a space or an entry go to it, the second time open it."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        self._line = None if self.prompt() in ("/", "> ") else self._line
        match hit.what if hit else "", hit.value if hit else "":
            case "time", _:
                self.shown.go(step_at(x, self.shown.last, self._size[0]))
            case "eyes", value:
                self._look(int(value))
            case "place", value:
                again, self.shown.place = self.shown.place == value, value
                if again or details:
                    self._do("details")
            case "item", value if self._page is not None:
                again, self._page.cursor = self._page.cursor == int(value), int(value)
                if again:
                    self.press("enter")
            case "tab", value if self._page is not None:
                moves.show_tab(self._page, int(value))
            case "key", value:
                self.press(pressed(value))

    def drag(self, x: int, y: int, dx: int, dy: int) -> None:
        """Drag the map by this many cells."""
        hit = None if self._drawn is None or self._page is not None else self._drawn.at(x, y)
        if hit is not None and hit.what in ("map", "place"):
            self.shown.pan(dx, dy)

    def wheel(self, x: int, y: int, rows: int, sideways: bool = False) -> None:
        """Handle the wheel: over the map move it, else go through the steps; scroll a page."""
        hit = None if self._drawn is None else self._drawn.at(x, y)
        if (page := self._page) is not None:
            moves.scroll(page, self._word, self._size, rows)
        elif hit is not None and hit.what in ("map", "place"):
            self.shown.pan(4 * rows if sideways else 0, 0 if sideways else rows)
        else:
            self.shown.go(self.shown.at + (1 if rows > 0 else -1))

    def _line_for(self, prompt: str, then: Callable[[str], None], text: str = "") -> None:
        """Let the person type a line."""
        self._line = prompt, then
        self._terminal.type(text)

    @property
    def typing(self) -> bool:
        """True while a line is typed at the foot."""
        return self._line is not None

    def prompt(self) -> str:
        """The prompt before the typed line."""
        return "" if self._line is None else self._line[0]

    def typed(self, text: str) -> None:
        """The line has changed: update the search of a page."""
        if self.prompt() in ("/", "> "):
            self._word = text
            if self._page is not None:
                self._page.cursor = self._page.skip = 0

    def entered(self, text: str) -> None:
        """The line is complete."""
        line, self._line = self._line, None
        if line is not None and (text.strip() or line[0] == "> "):
            line[1](text.strip())

    def dropped(self) -> None:
        """The line was cancelled."""
        if self.prompt() == "> ":
            self._page = None
        self._line, self._word = None, ""

    def walk(self, rows: int) -> bool:
        """Move up or down in a list that is searched."""
        if self._page is None or self._page.items is None:
            return False
        moves.scroll(self._page, self._word, self._size, rows)
        return True

    def pasted(self, text: str) -> None:
        """Nothing: pasted text is ignored."""

    def complete(self, text: str) -> Sequence[str]:
        """The rounds and words that complete what is typed after “:”."""
        if self.prompt() != ":":
            return ()
        rounds = dict.fromkeys(f"r{step.round}" for step in self._recording.steps if step.round)
        return [word for word in (*rounds, *_words()) if word.startswith(text.lower())]


def _words() -> dict[str, str]:
    """The words at the foot, each with what its key does."""
    return {_(each.short).lower(): each.act for each in REPLAY if each.short}
