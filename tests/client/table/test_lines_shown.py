"""The lines that people carry by a messenger: what is shown of them, on which way, and what is said beside them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from client.table.carrying import AnswerShown, show_line, show_ticket
from client.table.lobby_notices import LobbyTicket
from client.table.notices import AnswerMade
from client.table.qr import copy_to_clipboard, qr_lines, qr_modules, qr_path
from client.table.verdict import reachable, ticket_changed
from p2p.identity.keys import SigningKey
from p2p.reach.ticket import Ticket, new_ticket
from p2p.reach.verdict import Cause

ANN = SigningKey.from_seed(b"a" * 32)


def ticket(host: str) -> Ticket:
    return new_ticket(b"l" * 16, ANN.public, [f"tcp://{host}:4000"], 1_900_000_000)


TICKET, LATER = ticket("192.168.1.7"), ticket("203.0.113.5")


class Reader:
    """What a person is shown: each text and whether it is plain; and each notice."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, bool]] = []
        self.notices: list[Any] = []

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        self.shown.append((told(), plain))

    def notice(self, notice: Any) -> None:
        self.notices.append(notice)

    def texts(self) -> list[str]:
        return [text for text, _plain in self.shown]


@pytest.fixture(name="copied")
def _copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the terminal was asked to copy; it does."""
    asked: list[str] = []

    def copies(text: str) -> bool:
        asked.append(text)
        return True

    monkeypatch.setattr("client.table.qr.copy_to_clipboard", copies)
    return asked


@pytest.mark.parametrize("picture", [True, False])
@pytest.mark.parametrize("copy", [True, False])
def test_a_line_is_shown_alone_to_be_selected_with_its_code_and_on_the_clipboard_where_wanted(
    copied: list[str], monkeypatch: pytest.MonkeyPatch, picture: bool, copy: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    reader: Any = Reader()
    show_line(reader, "STAR-LINE", picture=picture, copied=copy)
    wanted = [("STAR-LINE", True)]
    if picture:
        wanted.append(("\n".join(qr_lines("STAR-LINE", 90)), True))
    if copy:
        wanted.append(("It is on the clipboard too, if your terminal allows that.", True))
    assert reader.shown == wanted
    assert copied == ["STAR-LINE"] * copy


def test_what_no_terminal_copies_is_not_said_to_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.table.qr.copy_to_clipboard", lambda _text: False)
    reader: Any = Reader()
    show_line(reader, "STAR-LINE", picture=False)
    assert reader.texts() == ["STAR-LINE"]


@pytest.mark.parametrize("cause", get_args(Cause))
def test_a_first_ticket_comes_with_who_can_reach_it_and_what_to_do_with_it(copied: list[str], cause: Cause) -> None:
    reader: Any = Reader()
    show_ticket(reader, TICKET, cause, None, picture=False, copied=False)
    assert reader.notices == [LobbyTicket(str(TICKET), cause)]
    give = "Give this ticket to the others; they type: starlock join TICKET"
    verdict = [] if cause == "local" else [(reachable(cause), False)]
    assert reader.shown == [*verdict, (give, True), (str(TICKET), True)]
    assert not copied


def test_a_new_ticket_is_told_with_what_has_changed_and_a_new_verdict_alone_without_the_ticket(
    copied: list[str],
) -> None:
    reader: Any = Reader()
    show_ticket(reader, LATER, "mapped", TICKET, picture=False, copied=True)
    assert reader.notices == [LobbyTicket(str(LATER), "mapped")]
    assert reader.texts()[:2] == [reachable("mapped"), ticket_changed(TICKET, LATER, "mapped")]
    assert str(LATER) in reader.texts()
    assert copied == [str(LATER)]
    reader.shown.clear()
    show_ticket(reader, LATER, "relay", LATER, picture=True, copied=True)
    assert reader.texts() == [reachable("relay")]
    assert reader.notices[1:] == [LobbyTicket(str(LATER), "relay")]
    assert copied == [str(LATER)]


def test_answers_are_told_to_fronts_each_time_and_shown_when_they_are_new(copied: list[str]) -> None:
    reader: Any = Reader()
    publish = AnswerShown(reader)
    for answer, new, asks in (("", False, True), ("ONE", True, True), ("ONE", False, False), ("TWO", True, False)):
        publish(answer, new, asks)
    wanted = [("", True), ("ONE", True), ("ONE", False), ("TWO", False)]
    assert reader.notices == [AnswerMade(answer, asks) for answer, asks in wanted]
    assert [text for text in reader.texts() if text in ("ONE", "TWO")] == ["ONE", "TWO"]
    assert copied == ["ONE", "TWO"]


# The code and the clipboard ------------------------------------------------------------------------------------------


def test_a_code_just_as_wide_as_the_terminal_is_shown() -> None:
    for text in ("A", "STAR-LINE" * 9):
        width = len(qr_modules(text)[0])
        shown = qr_lines(text, width)
        assert {len(line) for line in shown} == {width}
        assert len(shown) == (width + 1) // 2
        assert qr_lines(text, width - 1) == []
        assert set(shown[-1]) <= {"▀", " "}, "the row below an odd last one is dark"


def test_the_path_for_a_page_has_a_square_for_each_dark_module() -> None:
    side, path = qr_path("STAR-LINE")
    rows = qr_modules("STAR-LINE")
    dark = {(x, y) for y, row in enumerate(rows) for x, light in enumerate(row) if not light}
    squares = [tuple(map(int, each.removesuffix("h1v1h-1z").split())) for each in path.split("M")[1:]]
    assert side == len(rows)
    assert len(squares) == len(dark)
    assert set(squares) == dark


@pytest.mark.parametrize(
    ("terminal", "name", "sent"),
    [(True, "xterm", True), (False, "xterm", False), (True, "dumb", False), (True, "linux", False), (True, "", False)],
)
def test_only_a_terminal_that_can_copy_is_asked_to(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, name: str, sent: bool
) -> None:
    read, write = os.pipe()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: terminal, fileno=lambda: write))
    monkeypatch.setenv("TERM", name)
    assert copy_to_clipboard("héllo") == sent
    os.close(write)
    with os.fdopen(read, "rb") as written:
        assert written.read() == b"\033]52;c;aMOpbGxv\a" * sent
