"""A draft as it is shown: what is picked, what it changes, and what sending means, marked where it can be sent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.session import waiting
from client.session.waiting import draft_document
from client.show.document import Note


def view(**other: Any) -> Any:
    usual: dict[str, Any] = {"picked": True, "ask": None, "sendable": True, "titles": [], "changes": [], "outlook": []}
    return SimpleNamespace(**usual | other)


@pytest.mark.parametrize(
    ("sendable", "asks", "look"),
    [(True, False, "question"), (True, True, "faint"), (False, False, "faint"), (False, True, "faint")],
)
def test_what_sending_means_is_marked_where_nothing_more_is_asked(
    monkeypatch: pytest.MonkeyPatch, sendable: bool, asks: bool, look: str
) -> None:
    monkeypatch.setattr(waiting, "sending_text", lambda _view: "Send it.")
    ask = SimpleNamespace(so_far="one") if asks else None
    outlook = Note("Bob may answer.")
    changes = ["coins 3 → 1", "ore 2 → 0"]
    found = draft_document(
        view(sendable=sendable, ask=ask, titles=["build", "move"], changes=changes, outlook=[outlook])
    )
    assert found == [
        Note("1  build", "picked", "   "), Note("2  move", "picked", "   "), Note("coins 3 → 1; ore 2 → 0"), outlook,
        Note("Send it.", look, ""),
    ]  # fmt: skip


def test_before_the_first_pick_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "sending_text", lambda _view: "Send it.")
    assert draft_document(view(picked=False)) == ()
    assert draft_document(view(picked=False, ask=SimpleNamespace(so_far=""))) == ()
    assert draft_document(view(picked=False, ask=SimpleNamespace(so_far="one"))) == [Note("Send it.", "faint", "")]
