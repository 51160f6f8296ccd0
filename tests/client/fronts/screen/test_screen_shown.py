"""What the screen does with lines that are shown before a table begins, and by post."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.fronts.screen.front import Front
from p2p.sync.pasted import pasted_parts

TICKET, ANSWER, PICTURE = "starlock:ticket", "starlock:answer", "█▀▄ █"


class Shown:
    """A front whose lobby has a ticket, and perhaps an answer."""

    def __init__(self, *, answer: str = "", begun: bool = False, lobby: bool = True) -> None:
        self.said: list[str] = []
        self.lines: list[str] = []
        self.copied: list[str] = []
        self.opened: list[Any] = []
        self.made: Any = SimpleNamespace(
            _scene="drawn", host=SimpleNamespace(invalidate=lambda: None, copy=self.copied.append),
            say=self.said.append,
            view=SimpleNamespace(
                answer=answer, begun=begun, lobby=SimpleNamespace(ticket=TICKET) if lobby else None
            ),
            open=self.opened.append, _lobby=SimpleNamespace(show_line=self.lines.append),
        )  # fmt: skip

    def show(self, text: str) -> Shown:
        Front.show(self.made, lambda: text)
        return self


def test_each_line_is_news_but_for_ticket_answer_and_code_which_the_lobby_shows_anyway() -> None:
    shown = (
        Shown(answer=ANSWER).show("Give this to the others:").show(TICKET).show(f"{PICTURE}\n{PICTURE}").show(ANSWER)
    )
    assert shown.said == ["Give this to the others:"]
    shown.show("one\n\ntwo")
    assert shown.said[1:] == ["one", " ", "two"]
    assert shown.lines == []
    assert shown.made._scene is None


def test_without_a_lobby_a_ticket_is_news_and_at_a_table_an_answer_opens_its_page() -> None:
    assert Shown(lobby=False).show(TICKET).said == [TICKET]
    begun = Shown(answer=ANSWER, begun=True).show(ANSWER).show("other")
    assert (begun.lines, begun.said) == ([ANSWER], ["other"])


@pytest.mark.parametrize("begun", [True, False])
def test_a_bundle_becomes_a_page_and_goes_to_the_clipboard(begun: bool) -> None:
    text = "Send this to the others:\n" + pasted_parts(b"bundle")[0]
    shown = Shown(begun=begun).show(text)
    assert shown.copied == [pasted_parts(b"bundle")[0]], "without the words above it"
    assert (len(shown.opened), shown.said) == (1, [])
