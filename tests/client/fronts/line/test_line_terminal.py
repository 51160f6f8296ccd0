from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from client.fronts.line.terminal import BareTerminal, LineTerminal
from client.show.styled import ASCII, UNICODE, glyphs_for, line
from client.system import bridge
from client.system.bridge import LoopHost


class Speaker:
    def prompt(self) -> str:
        return "Anna> "

    def status(self) -> str:
        return "R1/8"

    def complete(self, text: str) -> Sequence[str]:
        return [word for word in ("explore", "pass") if word.startswith(text)]


class Shown(io.StringIO):
    """What is written; `until` waits for a text in it."""

    def __init__(self) -> None:
        super().__init__()
        self._news: Callable[[], None] = lambda: None

    def write(self, text: str) -> int:
        written = super().write(text)
        self._news()
        return written

    async def until(self, text: str) -> None:
        token = trio.lowlevel.current_trio_token()
        while text not in self.getvalue():
            news = trio.Event()
            self._news = partial(token.run_sync_soon, news.set)
            await news.wait()
        self._news = lambda: None


AtLine = Callable[[LineTerminal, PipeInput, Shown], Awaitable[None]]


def at_line(screen: AtLine) -> str:
    """Talk at a prompt_toolkit line whose keys come from a pipe; what was written in the end."""
    out = Shown()

    async def main(host: LoopHost) -> None:
        output = Vt100_Output(out, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        await screen(LineTerminal(host, Speaker(), keys, output), keys, out)

    with create_pipe_input() as keys:
        bridge.run(main)
    return out.getvalue()


def test_a_typed_line_is_read() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        keys.send_text("pass\r")
        assert await terminal.read() == "pass"

    assert "Anna> " in at_line(screen)


def test_bytes_that_are_no_text_are_read_as_something_that_can_be_sent() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        keys.send_bytes(b"chat ol\xe9\r")  # of a terminal in Latin-1
        assert await terminal.read() == "chat ol?"

    at_line(screen)


def test_tab_completes_what_can_only_become_one_thing() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        keys.send_text("pass; ex\t\r")
        assert await terminal.read() == "pass; explore"

    at_line(screen)


def test_lines_are_kept_and_come_back() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        keys.send_text("pass\r")
        await terminal.read()
        keys.send_text("\x1b[A\r")
        assert await terminal.read() == "pass"

    at_line(screen)


def test_the_prompt_goes_when_nothing_more_is_asked() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(terminal.read)
            await out.until("Anna>")
            terminal.drop()
            nursery.cancel_scope.cancel()
        terminal.close()

    written = at_line(screen)
    assert "\x1b[J" in written[written.rindex("Anna>") :]


def test_words_of_two_styles_are_written() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        terminal.write([line(("seat-0 title", "Anna's fleet"))])

    assert "Anna's fleet" in at_line(screen)


def test_what_comes_in_while_a_line_is_typed_does_not_disturb_it() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        read: list[str | None] = []

        async def reading() -> None:
            read.append(await terminal.read())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(reading)
            keys.send_text("exp")
            await out.until("exp")
            terminal.write([line(("seat-0", "A"), " has news")])
            terminal.write([line("and more")])
            await out.until("and more")
            keys.send_text("lore\r")
        assert read == ["explore"]
        assert " has news" in out.getvalue()

    at_line(screen)


@pytest.mark.parametrize("turns", range(8))
def test_news_that_follow_news_closely_are_shown_as_well(turns: int) -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(terminal.read)
            await out.until("Anna>")
            for number in range(20):
                terminal.write([line("first")])
                for _ in range(turns):
                    await trio.lowlevel.checkpoint()
                terminal.write([line(f"second {number}.")])
                with trio.fail_after(150):
                    await out.until(f"second {number}.")
            keys.send_text("\r")

    at_line(screen)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
@pytest.mark.parametrize(("typed", "read"), [("\x04", [None]), ("ex\x7f\x7fpass\r", ["pass"])])
def test_keys_pressed_while_news_are_written_are_neither_lost_nor_shown_twice(
    typed: str, read: Sequence[str | None]
) -> None:
    from prompt_toolkit.input.vt100 import Vt100Input

    outer, inner = os.openpty()

    class Interrupted(Shown):
        def write(self, text: str) -> int:
            if "has news" in text:
                os.write(outer, typed.encode())
                assert select.select([inner], [], [], 10)[0]
            return super().write(text)

    out = Interrupted()
    got: list[str | None] = []

    async def main(host: LoopHost) -> None:
        output = Vt100_Output(out, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        terminal = LineTerminal(host, Speaker(), Vt100Input(stdin), output)

        async def reading() -> None:
            got.append(await terminal.read())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(reading)
            await out.until("Anna>")
            terminal.write([line("Anna has news")])

    with os.fdopen(inner, "r") as stdin:
        bridge.run(main)
        echoed = select.select([outer], [], [], 0)[0]
    os.close(outer)
    assert got == read
    assert not echoed


def test_ctrl_c_interrupts_and_ctrl_d_ends() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        keys.send_text("\x03")
        with pytest.raises(KeyboardInterrupt):
            await terminal.read()
        keys.send_text("\x04")
        assert await terminal.read() is None

    at_line(screen)


def test_a_reader_that_is_cancelled_leaves_the_line() -> None:
    async def screen(terminal: LineTerminal, keys: PipeInput, out: Shown) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(terminal.read)
            await out.until("Anna")
            terminal.write([line("the last word")])
            nursery.cancel_scope.cancel()
        terminal.close()
        assert "the last word" in out.getvalue()

    at_line(screen)


async def test_a_bare_terminal_reads_whole_lines_and_repeats_the_prompt_after_news() -> None:
    reading, writing = os.pipe()
    out = Shown()
    terminal = BareTerminal(Speaker(), out, reading)
    os.write(writing, b"pa")
    read: list[str | None] = []

    async def twice() -> None:
        read.append(await terminal.read())
        read.append(await terminal.read())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(twice)
        await out.until("Anna")
        terminal.write([line("news")])
        os.write(writing, b"ss\nexplore\r\n")
    assert read == ["pass", "explore"]
    assert out.getvalue() == "Anna> \nnews\nAnna> Anna> "
    os.close(writing)
    assert await terminal.read() is None
    os.close(reading)


@pytest.mark.parametrize(
    ("encoding", "term", "language", "glyphs"),
    [
        ("utf-8", "xterm", "en_GB.UTF-8", UNICODE),
        ("utf-8", "dumb", "en_GB.UTF-8", ASCII),
        ("ascii", "xterm", "C", ASCII),
        ("latin-1", "xterm", "en_GB", ASCII),
        ("utf-8", "xterm", "ja_JP.UTF-8", ASCII),
        (None, "xterm", "C", ASCII),
    ],
)
def test_box_characters_are_used_where_the_terminal_surely_has_them(
    monkeypatch: pytest.MonkeyPatch, encoding: str | None, term: str, language: str, glyphs: object
) -> None:
    monkeypatch.setenv("LC_ALL", language)
    assert glyphs_for(encoding, term) is glyphs


def test_a_language_whose_locale_the_system_lacks_counts_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")  # as Python sets it then
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert glyphs_for("utf-8", "xterm") is ASCII


def test_lc_all_counts_before_lc_ctype_and_that_before_lang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_CTYPE", "ja_JP.UTF-8")
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert glyphs_for("utf-8", "xterm") is ASCII
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert glyphs_for("utf-8", "xterm") is UNICODE
