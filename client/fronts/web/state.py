# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the page as JSON: the view of the session, drawings, and the texts of the page.

Each open page gets a stream of these objects, one per line. Each is complete, except that log and chat continue where
the last one ended, and an unchanged map is left out. A page that is loaded again shows the same. docs/API.md tells the
keys for programs. The page itself gets the HTML made of them in place of what its script does not read, and besides

    html       the changed parts of the page as HTML by the ids of their elements, see `client.fronts.web.fragments`
    title      the title of the page
    news       the spaces of the map where something happened since this person's last action
    words      the texts of the page's script, only in the first state and after a change of language, as is `language`
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final, TypeVar

from client.fronts.web.fragments import ask, lobby, table
from client.fronts.web.fragments.deeds import deed, said
from client.session.battle import battle_of
from client.session.deeds import deeds_of
from client.session.deeds.deed import ANSWERS
from client.session.lobby import wishes
from client.session.news import ChatMessage, LoggedEvent
from client.session.past import heights_of
from client.session.session import Session
from client.session.view import SessionView, as_json, view_of
from client.show.battles import document_of
from client.show.document import Block, Document, as_plain
from client.show.html import document
from client.show.markup import Markup, el, joined
from client.show.pictures import Frame, Wall
from client.show.svg import tag
from client.system.journal import Journal
from client.system.texts import _, current
from client.table.qr import qr_path
from client.words.options import game_title
from client.words.ways import named

T = TypeVar("T")

AT_TABLE: Final[Mapping[str, object]] = {"start": None, "over": False, "report": False, "home": False, "ended": False}
"""What the session does not know, at a table that goes on."""
SENT: Final = ("lines", "over", "home", "report", "ended", "fight", "pictures")
"""What a program is sent as it is."""


class StateFeed:
    """The states that are sent to one open page. lines: return what was said before the table began, and the result of
    the table, in the language in use."""

    def __init__(
        self, session: Session, lines: Sequence[Callable[[], str]], log: Journal, *, drawn: bool = False
    ) -> None:
        """drawn: True for the page itself, which is sent its parts as HTML."""
        self._session, self.lines, self._wall, self._html = session, lines, Wall(log), drawn
        self._told = self._said = 0
        self._log: Sequence[LoggedEvent] = ()
        self._chat: Sequence[ChatMessage] = ()
        self._map: str | None = None
        self._parts: Mapping[str, str] = {}
        self._language = ""

    def next(self, beside: Mapping[str, Any] = AT_TABLE, words: Mapping[str, str] | None = None) -> bytes:
        """The present state as one line. beside: what the session does not know, with `start`, the start page. words:
        texts of the script, None for the usual ones in the first state and after a change of language."""
        view = view_of(self._session, self._wall)
        fresh, self._language = self._language != current(), current()
        battle = self._drawn(view, lambda _frame: battle_of(self._session), None)
        state = {
            **beside,
            "lines": [line for told in self.lines for line in told().splitlines()],
            "fight": () if battle is None else document_of(battle, view.names),
            "pictures": _pictures(self._session),
            "qr": _qr(view.carried) if view.carried else "",
            "wishes": self._wishes(view.lobby.game) if view.rights is not None and view.lobby else (),
        }
        drawn = self._drawn(view, view.pictures.documents.drawing, "")
        made = self._page(view, state, drawn) if self._html else self._plain(view, state, fresh=fresh)
        if drawn != self._map:
            made["map"] = self._map = drawn
        if fresh:
            made |= {"words": script_words(), "language": current()}
        if words is not None:
            made["words"] = words
        written = json.dumps(made, separators=(",", ":"), ensure_ascii=False)
        return (said(written) if self._html else named(written, lambda id: id)).encode() + b"\n"

    def _plain(self, view: SessionView, state: Mapping[str, Any], *, fresh: bool) -> dict[str, Any]:
        """What a program is sent. fresh: True for everything."""
        if fresh or view.log[: len(self._log)] != self._log:  # something was undone, or so old that it is gone
            self._told = 0
        if fresh or view.chat[: len(self._chat)] != self._chat:
            self._said = 0
        made: dict[str, Any] = {"view": as_json(view, self._told, self._said), "left": view.left}
        self._log, self._told, self._chat, self._said = view.log, len(view.log), view.chat, len(view.chat)
        looked = view.examining or view.examined is not None
        made |= {name: as_plain(state[name]) for name in SENT}
        made["network"] = {"looking": view.examining, "lines": view.examined or ()} if looked else None
        made |= {"end": as_plain(view.end)} if state["over"] else {}
        made |= {"qr": state["qr"]} if state["qr"] else {}
        if view.rights is not None and view.lobby is not None:
            made["door"] = {
                "inviting": view.rights.inviting,
                "bots": view.rights.bots,
                "title": game_title(view.lobby.game),
                "wish": view.wish,
                "wishes": state["wishes"],
            }
        return made

    def _page(self, view: SessionView, state: Mapping[str, Any], drawn: str) -> dict[str, Any]:
        """What the page itself is sent. drawn: the map, "" if it is to be shown as text."""
        documents, nothing = view.pictures.documents, tuple[Block, ...]()
        whole = None if drawn else documents.commands.get(documents.whole)
        shown = nothing if whole is None else self._drawn(view, lambda frame: tuple(whole.document(frame)), nothing)
        parts = fragments(view, self._session, state, shown)
        changed = {name: part for name, part in parts.items() if self._parts.get(name) != part}
        self._parts, seen = parts, view.seen
        news = {place for told in view.log if seen is not None and told.height > seen for place in told.places}
        title = f"● {_('Your turn')} – starlock" if view.ask or view.question else "starlock"
        read = {"view": _read_by_script(view), "over": state["over"], "ended": state["ended"]}
        return {**read, "html": changed, "title": title, "news": sorted(news)}

    def _wishes(self, game: str) -> Sequence[tuple[str, str]]:
        """Id and title of what may be wished for in a lobby."""
        none = list[tuple[str, str]]()
        return self._wall.drawn(lambda: [(each.word, each.title) for each in wishes(game)], none)

    def _drawn(self, view: SessionView, draw: Callable[[Frame], T], instead: T) -> T:
        """A drawing of the table, or `instead` before it begins and if drawing fails."""
        frame = view.drawn
        return instead if frame is None else self._wall.drawn(lambda: draw(frame), instead)


def _pictures(session: Session) -> Sequence[tuple[str, str, str]]:
    """Id, title, and what it does, of each deed that shows something."""
    shows = [each for each in deeds_of(session).values() if each.shows]
    return [(each.id, _(each.title) if each.topic != ANSWERS else "", _(each.does)) for each in shows]


def fragments(
    view: SessionView, session: Session, state: Mapping[str, Any], whole: Document = ()
) -> Mapping[str, Markup]:
    """What each part of the page shows, by the id of its element. session: where deeds are done; state: what stands
    beside the view; whole: the picture of the whole position, if no map could be drawn."""
    start, over = state["start"], state["over"]
    return {
        "start": Markup() if start is None or state["ended"] else start.drawn(view),
        "languages": table.languages(current()),
        "status": Markup(escape(view.status)),
        "seats": table.seats(view),
        "end": table.end(view.end, state) if over else Markup(),
        "tools": table.tools(),
        "lobby": lobby.lobby(view, session, state["qr"], state["wishes"]),
        "lines": table.lines(state["lines"], view, over),
        "votes": table.votes(view),
        "ask": ask.asked(view, session, over),
        "fight": joined([document(state["fight"], "fight"), deed("fight-on")]) if state["fight"] else Markup(),
        "tabs": table.tabs(state["pictures"]),
        "log": table.log(view),
        "chat": table.chat(view.chat),
        "heights": table.looking_back(len(heights_of(session))),
        "which": table.which(),
        "table": el("p", _("The game is over.")) if over else table.table(view, session, state["qr"]),
        **({"map": document(whole, "whole")} if whole else {}),
    }


def _read_by_script(view: SessionView) -> Mapping[str, Any]:
    """What the script of the page reads of the view; the rest is in the HTML."""
    read = None
    if view.ask is not None:
        read = {"text": view.ask.text, "options": [{"places": one.places} for one in view.ask.options]}
    return {"step": view.step, "question": view.question, "ask": read}


def script_words(*, elsewhere: bool = False) -> Mapping[str, str]:
    """The texts that the page's script shows. elsewhere: True for a page that follows no longer, because others were
    opened."""
    closed = _("starlock has ended. This page can be closed.")
    if elsewhere:
        closed = _("This table is open in other tabs, which show it on. To go on in this one, load it again.")
    return {"closed": closed, "lost": _("The connection to starlock is lost; trying again …")}


def _qr(line: str) -> str:
    """A ticket or an answer as a picture that scales."""
    side, dark = qr_path(line)
    about = _("The line as a QR code")
    return tag("svg", tag("path", d=dark), viewBox=f"0 0 {side} {side}", role="img", aria_label=about)
