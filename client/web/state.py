"""What the page shows, as JSON: the session's view, the map when it has changed, and the page's own words.

A stream of these objects, one a line, goes to each page that is open.  Each is whole but for the log and chat, which go
on where the last one ended, and the map, which is left out while it is the same: so nothing can drift, and a page that
is loaded again shows the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from client.session.session import Session
from client.session.view import as_json, view_of
from client.texts import _, current

__all__ = ["Feed", "page_words"]


class Feed:
    """The states that one open page is sent.

    Attributes:
        lines: what was shown before the table began, and what came of the table.
    """

    def __init__(self, session: Session, lines: Sequence[str], log: Callable[..., None]) -> None:
        self._session, self.lines, self._log = session, lines, log
        self._told = self._said = 0
        self._map: str | None = None
        self._first = True

    def next(self, over: bool) -> bytes:
        """The state now as one line.  over: whether the table has ended here."""
        session = self._session
        if self._told > len(session.log):  # the table went back
            self._told = 0
        view = as_json(view_of(session, self._told, self._said))
        self._told, self._said = len(session.log), len(session.chat)
        state: dict[str, Any] = {"view": view, "lines": list(self.lines), "over": over, "left": session.left}
        drawn = self._drawn()
        if drawn != self._map:
            state["map"] = self._map = drawn
        if self._first:
            self._first = False
            state |= {"words": page_words(), "language": current()}
        pictures = session.pictures.commands
        state["pictures"] = [[name, _(picture.summary)] for name, picture in pictures.items()]
        return json.dumps(state, separators=(",", ":")).encode() + b"\n"

    def _drawn(self) -> str:
        """The map; the game's own text picture of it where there is no drawing, or where drawing failed."""
        session = self._session
        if session.desk is None:
            return ""
        try:
            return session.pictures.drawing(session.frame())
        except Exception as error:  # noqa: BLE001  # a fault in a drawing must not end the table
            self._log("web/drawing-failed", error=repr(error))
            return ""


def page_words() -> Mapping[str, str]:
    """The page's own texts in the language in use."""
    return {
        "ask-nothing": _("Nobody has to answer now."),
        "waiting-for": _("Waiting for {names}."),
        "send": _("Send"),
        "send-final": _("Sending is final: dice, cards or others go on from there."),
        "undo": _("Undo"),
        "reset": _("Start over"),
        "hold": _("No to all such questions of this phase"),
        "holding": _("You say no until this phase ends."),
        "picked": _("Picked, not sent:"),
        "so-far": _("So far:"),
        "refused": _("Not possible now"),
        "aside": _("Besides"),
        "log": _("Log"),
        "chat": _("Chat"),
        "say": _("Say something to all"),
        "table": _("Table"),
        "map": _("Map"),
        "yes": _("yes"),
        "no": _("no"),
        "here": _("you"),
        "no-link": _("no connection"),
        "proposal": _("{name} proposes: {what}."),
        "takeback": _("Propose to take my last step back"),
        "end": _("Propose to end the game here"),
        "leave": _("Leave the table"),
        "over": _("The game is over."),
        "left": _("You left the table; it can be resumed."),
        "lost": _("The connection to starlock is lost; trying again …"),
        "closed": _("starlock has ended. This page can be closed."),
        "used": _("This link was used already. Type page in the terminal for a new one."),
        "zoom-in": _("Zoom in"),
        "zoom-out": _("Zoom out"),
        "whole": _("Whole map"),
        "several": _("Which one?"),
        "since": _("Since your last move"),
        "my-turn": _("Your turn"),
        "notify": _("Tell me by the browser when it is my turn"),
        "filter": _("Find"),
        "less": _("Less"),
        "more": _("More"),
    }
