"""The application around a screen: which keys and lines reach it, and what the terminal is sent and left with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from screen_game import Solo

from client.fronts.screen import app
from client.fronts.screen.app import FullScreen
from client.fronts.screen.front import Front
from client.fronts.screen.settings import Settings

UP, DOWN, ESCAPE, ENTER, TAB = "\x1b[A", "\x1b[B", "\x1b", "\r", "\t"
END = "\x1a"
"""A key that ends these screens."""


Does = Mapping[str, Callable[[Any], object]]
"""What a screen does at some keys."""


class Output(DummyOutput):
    """A terminal that remembers what it is sent; "|" is a flush."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def bell(self) -> None:
        self.sent.append("bell")

    def set_title(self, title: str) -> None:
        self.sent.append(f"title {title}")

    def clear_title(self) -> None:
        self.sent.append("no title")

    def write_raw(self, data: str) -> None:
        self.sent.append(data)

    def flush(self) -> None:
        if self.sent and self.sent[-1] != "|":
            self.sent.append("|")


class Noted(Front):
    """Remembers what reaches it, and does something at some keys."""

    def __init__(self, host: Any, does: Does) -> None:
        super().__init__(Solo("emperor").session, host)
        self.host: Any = host
        self.came: list[tuple[Any, ...]] = []
        self.does, self.types, self.walks = does, False, False

    @property
    def typing(self) -> bool:
        return self.types

    def press(self, key: str) -> bool:
        self.came.append(("key", key))
        if key == END or key == "c-z":
            self.host.close()
        elif key in self.does:
            self.does[key](self)
        return True

    def pasted(self, text: str) -> None:
        self.came.append(("pasted", text))

    def typed(self, text: str) -> None:
        self.came.append(("typed", text))

    def entered(self, text: str) -> None:
        self.came.append(("entered", text))
        self.types = False

    def dropped(self) -> None:
        self.came.append(("dropped",))
        self.types = False
        super().dropped()

    def walk(self, rows: int) -> bool:
        self.came.append(("walk", rows))
        return self.walks

    def of(self, kind: str) -> list[Any]:
        return [each[1] for each in self.came if each[0] == kind]


def line(text: str) -> Callable[[Noted], None]:
    """Begin to type this."""

    def begin(front: Noted) -> None:
        front.types = True
        front.host.type(text)

    return begin


@contextmanager
def screen(
    folder: Path, keys: str, settings: Settings = Settings(), does: Does = MappingProxyType({})
) -> Iterator[tuple[Any, Output]]:
    output = Output()
    with create_pipe_input() as typed, create_app_session(input=typed, output=output):
        made: FullScreen[Noted] = FullScreen(lambda host: Noted(host, does), folder, settings)
        typed.send_bytes(keys.encode("utf-8", "surrogateescape"))
        yield made, output


def came(folder: Path, keys: str, does: Does = MappingProxyType({})) -> Noted:
    with screen(folder, keys + END, does=does) as (made, _output):
        assert made.run() is False
    front: Noted = made.front
    return front


def test_each_key_reaches_the_screen_under_its_name(tmp_path: Path) -> None:
    front = came(tmp_path, f"a é{UP}{DOWN}{ENTER}{TAB}\x7f\x1b[C\x1b[D\x1b[H\x1b[F\x1b[5~\x1b[6~\x04")
    assert front.of("key")[:-1] == [
        "a", " ", "é", "up", "down", "enter", "tab", "backspace", "right", "left", "home", "end", "pageup",
        "pagedown", "q",
    ]  # fmt: skip


def test_what_is_pasted_comes_whole(tmp_path: Path) -> None:
    assert came(tmp_path, "\x1b[200~two\nlines\x1b[201~").of("pasted") == ["two\nlines"]


def test_a_line_is_typed_entered_and_ended_and_keys_are_keys_again(tmp_path: Path) -> None:
    front = came(tmp_path, f":two{ENTER}x", does={":": line("one ")})
    assert [text for text in front.of("typed") if text] == ["one t", "one tw", "one two"]
    assert front.of("entered") == ["one two"]
    assert front.of("key")[:2] == [":", "x"]


def test_bytes_that_are_no_text_are_typed_and_pasted_as_something_that_can_be_sent(tmp_path: Path) -> None:
    front = came(tmp_path, f"\x1b[200~ol\udce9\x1b[201~:ol\udce9{ENTER}", does={":": line("")})
    assert front.of("pasted") == ["ol?"]
    assert [text for text in front.of("typed") if text] == ["o", "ol", "ol?"]
    assert front.of("entered") == ["ol?"]


def test_keys_beyond_the_longest_line_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that does not mark what is pasted types it: 100 kB took gigabytes and minutes."""
    monkeypatch.setattr(app, "LONGEST", 5)
    assert came(tmp_path, f":12345678{ENTER}", does={":": line("")}).of("entered") == ["12345"]
    assert came(tmp_path, f":123456\x7f9{ENTER}", does={":": line("")}).of("entered") == ["12349"]


def test_a_line_is_dropped_by_escape(tmp_path: Path) -> None:
    front = came(tmp_path, f":two{ESCAPE}", does={":": line("")})
    assert front.came.count(("dropped",)) == 1
    assert front.of("entered") == []


@pytest.mark.parametrize("walks", [True, False])
def test_the_arrows_move_through_a_list_or_else_through_earlier_lines(tmp_path: Path, walks: bool) -> None:
    def listed(front: Noted) -> None:
        front.walks = walks
        line("")(front)

    with screen(tmp_path, f":{UP}{DOWN}{DOWN}{ENTER}{END}", does={":": listed}) as (made, _output):
        moved: list[str] = []
        made._buffer.auto_up = lambda **_how: moved.append("up")
        made._buffer.auto_down = lambda **_how: moved.append("down")
        made.run()
    assert made.front.of("walk") == [-1, 1, 1]
    assert moved == ([] if walks else ["up", "down", "down"])


@pytest.mark.parametrize("forgets", [True, False])
def test_earlier_lines_are_kept_until_it_is_asked_to_forget_them(tmp_path: Path, forgets: bool) -> None:
    keys = f":first{ENTER}:second{ENTER}" + "f" * forgets + END
    with screen(tmp_path, keys, does={":": line(""), "f": lambda front: front.host.forget()}) as (made, _output):
        made.run()
    assert made._buffer.history.get_strings() == ([] if forgets else ["first", "second"])


def test_tab_completes_what_is_typed(tmp_path: Path) -> None:
    with screen(tmp_path, "") as (made, _output):
        begun: list[Any] = []
        made._buffer.start_completion = lambda **how: begun.append(how)
        made._buffer.complete_next = lambda **_how: begun.append("next")
        made._complete()
        made._buffer.complete_state = object()
        made._complete()
    assert begun == [{"insert_common_part": True}, "next"]


@pytest.mark.parametrize("typing", [True, False])
def test_ctrl_c_ends_a_screen_as_an_interruption(tmp_path: Path, typing: bool) -> None:
    with screen(tmp_path, ":\x03" if typing else "\x03", does={":": line("")}) as (made, output):
        assert made.run() is True
    assert "no title" in output.sent


@pytest.mark.parametrize("bell", [True, False])
@pytest.mark.parametrize("desktop", [True, False])
def test_a_person_is_called_as_its_settings_say_and_the_call_ends_with_the_next_key(
    tmp_path: Path, bell: bool, desktop: bool
) -> None:
    settings = Settings(bell=bell, desktop=desktop)
    call = {"x": lambda front: front.host.notify("Your\x07 turn.")}
    with screen(tmp_path, f"xy{END}", settings, call) as (made, output):
        made.front.host.notify("nobody is there yet")
        assert output.sent == []
        made.run()
    sent = output.sent
    at = sent.index("title starlock: Your\x07 turn.")
    assert ("bell" in sent[:at]) == bell
    said = [each for each in sent[:at] if each.startswith("\x1b]9;")]
    assert len(said) == desktop
    if desktop:
        assert said[0].count("Your") == 2
        assert said[0].count("\x07") == 2, "what is said ends none of it"
    assert sent[at + 1] == "|"
    rest = sent[at + 2 :]
    first = rest.index("no title")
    assert rest[first + 1] == "|"
    assert rest.count("no title") == 2, "at the next key, and at the end"


def test_a_text_for_the_clipboard_is_sent_at_once(tmp_path: Path) -> None:
    with screen(tmp_path, f"x{END}", does={"x": lambda front: front.host.copy("STAR")}) as (made, output):
        made.run()
    at = output.sent.index("\x1b]52;c;U1RBUg==\x07")
    assert output.sent[at + 1] == "|"


def test_slow_work_is_done_beside_the_screen_and_told_in_it(tmp_path: Path) -> None:
    told: list[str] = []
    over = Event()

    async def work() -> Callable[[], None]:
        def tell() -> None:
            told.append("done")
            made.close()
            over.set()

        return tell

    with screen(tmp_path, "x", does={"x": lambda front: front.host.beside(work)}) as (made, _output):
        assert made.run() is False
    assert over.is_set()
    assert told == ["done"]


def test_a_screen_ticks_while_it_plays(tmp_path: Path) -> None:
    drawn: list[str] = []
    answers = [False, True, False]

    def tick() -> bool:
        if not answers:
            made.close()
            return False
        answer = answers.pop(0)
        drawn.append("drawn" if answer else "")
        return answer

    with screen(tmp_path, "") as (made, _output):
        redrawn: list[int] = []
        made.app.invalidate = lambda: redrawn.append(len(drawn))
        assert made.playing(lambda: 0.0, tick) is False
    assert 2 in redrawn
    assert (1 in redrawn, 3 in redrawn) == (False, False)


def test_a_screen_that_is_closed_before_it_is_shown_ends_at_once(tmp_path: Path) -> None:
    with screen(tmp_path, "") as (made, _output):
        made.close()
        assert asyncio.run(made.show()) is False


def test_drawing_anew_and_pausing_are_left_to_the_terminal(tmp_path: Path) -> None:
    with screen(tmp_path, "") as (made, _output):
        asked: list[str] = []
        made.app.suspend_to_background = lambda *_how: asked.append("suspend")
        made.app.renderer.clear = lambda: asked.append("clear")
        made.suspend()
        made.redraw()
    assert asked == ["suspend", "clear"]
