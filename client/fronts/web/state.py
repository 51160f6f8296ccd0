# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the page as JSON: the view of the session, drawings, and the texts of the page.

Each open page gets a stream of these objects, one per line. Each is complete, except that log and chat continue where
the last one ended, and an unchanged map is left out. A page that is loaded again shows the same. By key:

    view       see `client.session.view`
    lines      texts to read: the result of the table, why an answer was refused
    over       true after the table has ended here
    home       true if the action `home` leads to the start page now
    ended      true in the last state before the process ends
    left       true after the person has left it
    qr         the answer, or in a lobby the ticket, as a QR code, in SVG
    door       in a lobby: {title: of the game, inviting: players can be removed, bots: bots can be added, wish: the id
               of this person's wish, wishes: [[id, name]…] of all possible wishes}
    network    the last check of the network, null before the first: {looking, lines: one per step}
    map        the map as SVG, "" without one; absent while it is unchanged
    fight      the present battle as blocks, see `client.show.document`: its sides, the odds, the last dice; [] without
               one
    end        once it is over: places and points as blocks, see `client.show.document`
    report     once it is over: true if POST /report makes the report page
    pictures   [[id, title, what it does]…]: the deeds that show something; those with a title are tabs of the page

The page itself gets the HTML made of it in place of what its script does not read, and besides the keys

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
from client.fronts.web.shown import PageState
from client.session.battle import battle_of
from client.session.deeds import deeds_of
from client.session.deeds.deed import ANSWERS
from client.session.lobby import wishes
from client.session.news import LoggedEvent
from client.session.past import heights_of
from client.session.session import Session
from client.session.view import SessionView, as_json, view_of
from client.show.battles import document_of
from client.show.document import Block, Document, as_plain
from client.show.html import document
from client.show.markup import Markup, joined
from client.show.pictures import Frame
from client.show.svg import tag
from client.show.wall import Wall
from client.system.journal import Journal
from client.system.texts import _, current
from client.table.qr import qr_path
from client.words.options import game_title
from client.words.ways import named

T = TypeVar("T")

NOTHING: Final[Mapping[str, object]] = {"over": False}
SENT: Final = ("lines", "over", "home", "report", "ended", "fight", "pictures")
"""What a program is sent as it is."""


class StateFeed:
    """The states that are sent to one open page.

    Attributes:
        lines: return what was said before the table began, and the result of the table, in the language in use.
    """

    def __init__(
        self, session: Session, lines: Sequence[Callable[[], str]], log: Journal, *, drawn: bool = False
    ) -> None:
        """drawn: True for the page itself, which is sent its parts as HTML."""
        self._session, self.lines, self._wall, self._html = session, lines, Wall(log), drawn
        self._told = self._said = 0
        self._log: Sequence[LoggedEvent] = ()
        self._map: str | None = None
        self._parts: Mapping[str, str] = {}
        self._language = ""
        self._wishes: tuple[str, str, Sequence[Any]] = ("", "", [])
        self._shows: tuple[str, str, Sequence[tuple[str, str, str]]] = ("", "", ())

    def next(self, more: Mapping[str, Any] = NOTHING, words: Mapping[str, str] | None = None) -> bytes:
        """The present state as one line. more: what the session does not know, see `client.fronts.web.shown`. words:
        texts of the script, None for the usual ones in the first state and after a change of language."""
        shown = view_of(self._session, self._wall)
        fresh, self._language = self._language != current(), current()
        state = self._state(shown, more)
        drawn = self._drawn(shown, shown.pictures.documents.drawing, "")
        made: dict[str, Any] = self._page(state, drawn) if self._html else self._plain(state, fresh=fresh)
        if drawn != self._map:
            made["map"] = self._map = drawn
        if fresh:
            made |= {"words": script_words(), "language": current()}
        if words is not None:
            made["words"] = words
        written = json.dumps(made, separators=(",", ":"), ensure_ascii=False)
        return (said(written) if self._html else named(written, lambda id: id)).encode() + b"\n"

    def _state(self, view: SessionView, more: Mapping[str, Any]) -> PageState:
        session, battle = self._session, self._drawn(view, lambda _frame: battle_of(self._session), None)
        return PageState(
            view,
            lines=[line for told in self.lines for line in told().splitlines()],
            qr=_qr(view.carried) if view.carried else "",
            wishes=self._wished(view.lobby.game) if view.rights is not None and view.lobby is not None else (),
            fight=() if battle is None else document_of(battle, view.names),
            end=view.end if more["over"] else (),
            pictures=self._pictures(view.game),
            heights=len(heights_of(session)),
            **more,
        )

    def _plain(self, state: PageState, *, fresh: bool) -> dict[str, Any]:
        """What a program is sent. fresh: True for everything."""
        view = state.view
        if fresh or view.log[: len(self._log)] != self._log:  # something was undone, or so old that it is gone
            self._told = 0
        if fresh:
            self._said = 0
        made: dict[str, Any] = {"view": as_json(view, self._told, self._said), "left": view.left}
        self._log, self._told, self._said = view.log, len(view.log), len(view.chat)
        made |= {name: as_plain(getattr(state, name)) for name in SENT}
        made |= {"network": _network(view), **({"end": as_plain(state.end)} if state.over else {})}
        if state.qr:
            made["qr"] = state.qr
        if view.rights is not None and view.lobby is not None:
            made["door"] = {
                "inviting": view.rights.inviting,
                "bots": view.rights.bots,
                "title": game_title(view.lobby.game),
                "wish": view.wish,
                "wishes": state.wishes,
            }
        return made

    def _pictures(self, game: str) -> Sequence[tuple[str, str, str]]:
        """The deeds that show something."""
        if self._shows[:2] != (game, current()):
            shows = [each for each in deeds_of(self._session).values() if each.shows]
            told = [(each.id, _(each.title) if each.topic != ANSWERS else "", _(each.does)) for each in shows]
            self._shows = game, current(), tuple(told)
        return self._shows[2]

    def _page(self, state: PageState, drawn: str) -> dict[str, Any]:
        """What the page itself is sent. drawn: the map, "" if it is to be shown as text."""
        view = state.view
        documents, nothing = view.pictures.documents, tuple[Block, ...]()
        whole = None if drawn else documents.commands.get(documents.whole)
        shown = nothing if whole is None else self._drawn(view, lambda frame: tuple(whole.document(frame)), nothing)
        parts = fragments(state, self._session, shown)
        changed = {name: part for name, part in parts.items() if self._parts.get(name) != part}
        self._parts, seen = parts, view.seen
        news = {place for told in view.log if seen is not None and told.height > seen for place in told.places}
        read = {"view": _read_by_script(view), "over": state.over, "ended": state.ended}
        return {**read, "html": changed, "title": table.title(view), "news": sorted(news)}

    def _wished(self, game: str) -> Sequence[tuple[str, str]]:
        if self._wishes[:2] != (game, current()):
            none: list[tuple[str, str]] = []
            found = self._wall.drawn(lambda: [(each.word, each.title) for each in wishes(game)], none)
            self._wishes = game, current(), found
        return self._wishes[2]

    def _drawn(self, view: SessionView, draw: Callable[[Frame], T], instead: T) -> T:
        """A drawing of the table, or `instead` before it begins and if drawing fails."""
        frame = view.drawn
        return instead if frame is None else self._wall.drawn(lambda: draw(frame), instead)


def fragments(state: PageState, session: Session, whole: Document = ()) -> Mapping[str, Markup]:
    """What each part of the page shows, by the id of its element.

    session: where deeds are done.
    whole: the picture of the whole position, if no map could be drawn.
    """
    view = state.view
    return {
        "start": Markup() if state.start is None or state.ended else state.start.drawn(view),
        "languages": table.languages(current()),
        "status": Markup(escape(view.status)),
        "seats": table.seats(view),
        "end": table.end(state),
        "tools": table.tools(),
        "lobby": lobby.lobby(state, session),
        "lines": table.lines(state),
        "votes": table.votes(view),
        "ask": ask.asked(view, session, state.over),
        "fight": joined([document(state.fight, "fight"), deed("fight-on")]) if state.fight else Markup(),
        "tabs": table.tabs(state),
        "log": table.log(view.log, view.seen),
        "chat": table.chat(view.chat),
        "heights": table.looking_back(state.heights),
        "which": table.which(),
        "table": table.table(state, session),
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


def _network(view: SessionView) -> Mapping[str, object] | None:
    looked = view.examining or view.examined is not None
    return {"looking": view.examining, "lines": view.examined or ()} if looked else None
