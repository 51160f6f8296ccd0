"""What the page shows, as JSON: the session's view, what is drawn, and the page's own words.

A stream of these objects, one a line, goes to each page that is open.  Each is whole but for the log and chat, which go
on where the last one ended, and the map, which is left out while it is the same: so nothing can drift, and a page that
is loaded again shows the same.  By key:

    view       see `client.session.view`
    lines      texts to read: what came of the table, why an answer was not taken
    over       true after the table has ended here
    left       true after the person has left it
    qr         in a lobby with a ticket, the ticket as a QR code: its side and the path of its dark modules, in SVG
    map        the map as SVG, "" where there is none; absent while it is the same
    fight      the battle under way as groups, like those of a question: its sides, the odds, the last dice; or []
    end        once it is over: places and points as groups
    report     once it is over: true if POST /report makes the page that proves the game
    pictures   [[name, title, summary]…] for the action `picture`
    words      the page's own texts, in the first state alone, with language
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from client.session.ending import end_sheet
from client.session.session import Session
from client.session.view import as_json, view_of
from client.show.pictures import Frame
from client.show.sheets import Sheet
from client.table.qr import qr_path
from client.texts import _, current
from client.web.actions import FAIRNESS

__all__ = ["StateFeed", "page_words"]

T = TypeVar("T")


class StateFeed:
    """The states that one open page is sent.

    Attributes:
        lines: what was shown before the table began, and what came of the table.
    """

    def __init__(self, session: Session, lines: Sequence[str], log: Callable[..., None]) -> None:
        self._session, self.lines, self._log = session, lines, log
        self._told = self._said = 0
        self._map: str | None = None
        self._first = True

    def next(self, over: bool, report: bool = False) -> bytes:
        """The state now as one line.  over: whether the table has ended here; report: whether its page can be made."""
        session = self._session
        if self._told > len(session.log):  # the table went back
            self._told = 0
        view = as_json(view_of(session, self._told, self._said))
        self._told, self._said = len(session.log), len(session.chat)
        state: dict[str, Any] = {"view": view, "lines": list(self.lines), "over": over, "left": session.left}
        if session.lobby is not None and session.lobby.ticket:
            state["qr"] = qr_path(session.lobby.ticket)
        drawn = self._drawn(session.pictures.drawing, "")
        if drawn != self._map:
            state["map"] = self._map = drawn
        nothing: Sequence[Sheet] = ()
        fight = self._drawn(lambda frame: session.pictures.fight(frame, session.recent), nothing)
        state["fight"] = [asdict(group) for group in fight]
        if over:
            state |= {"end": [asdict(group) for group in end_sheet(session)], "report": report}
        if self._first:
            self._first = False
            state |= {"words": page_words(), "language": current()}
        commands = session.pictures.commands
        shown = [[name, _(one.title), _(one.summary)] for name, one in commands.items() if one.title]
        state["pictures"] = [*shown, [FAIRNESS, _("Dice"), _("the last rolls, who fixed and opened what, and luck")]]
        return json.dumps(state, separators=(",", ":")).encode() + b"\n"

    def _drawn(self, draw: Callable[[Frame], T], instead: T) -> T:
        """What is drawn of the table; something else before it begins, and where drawing failed."""
        if self._session.desk is None:
            return instead
        try:
            return draw(self._session.frame())
        except Exception as error:  # noqa: BLE001  # a fault in a drawing must not end the table
            self._log("web/drawing-failed", error=repr(error))
            return instead


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
        "lobby": _("Before the game"),
        "there": _("At the table"),
        "free": _("Free seats: {n}"),
        "ticket": _("Ticket"),
        "give": _("Send this text to those who shall play. They start starlock with it: starlock join --web TICKET"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "qr": _("The ticket as a QR code"),
        "options": _("What is played"),
        "replay": _("Look back"),
        "before": _("Earlier"),
        "after": _("Later"),
        "as-it-was": _("The board as it was at height {height}."),
        "back": _("Back to now"),
        "game-over": _("The game is over"),
        "report": _("The page that proves this game"),
        "making": _("Checking the whole game …"),
        "no-report": _("The page could not be made. On the command line: starlock report"),
        "numbers": _("In numbers"),
        "linked": _("connected"),
        "without": _("Propose to go on without"),
        "claim": _("Sign that this seat does not answer"),
        "let-in": _("Ask to be let in again"),
        "to-board": _("Look at the board"),
        "to-end": _("Show the result"),
        "less": _("Less"),
        "more": _("More"),
    }
