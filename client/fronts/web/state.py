# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the page as JSON: the view of the session, drawings, and the texts of the page.

Each open page gets a stream of these objects, one per line. Each is complete, except that log and chat continue where
the last one ended, and an unchanged map is left out. A page that is loaded again shows the same. By key:

    view       see `client.session.view`
    lines      texts to read: the result of the table, why an answer was refused
    start      on the start page: its state, see `client.fronts.web.start`
    over       true after the table has ended here
    home       true if the action `home` leads to the start page now
    ended      true in the last state before the process ends
    left       true after the person has left it
    qr         in a lobby with a ticket, the ticket as a QR code, in SVG
    door       in a lobby: {title: of the game, inviting: players can be removed, bots: bots can be added, wish: the id
               of this person's wish, wishes: [[id, name]…] of all possible wishes}
    network    the last check of the network, null before the first: {looking, lines: one per step}
    map        the map as SVG, "" without one; absent while it is unchanged
    fight      the present battle as groups, like those of a question: its sides, the odds, the last dice; [] without
               one
    end        once it is over: places and points as groups
    report     once it is over: true if POST /report makes the report page
    pictures   [[id, title, what it does]…]: the deeds that show something; those with a title are tabs of the page

The page itself asks for more: log and chat come as HTML, not in the view, and there are the keys

    html       the changed parts of the page as HTML by the ids of their elements, see `client.fronts.web.fragments`
    title      the title of the page
    news       the spaces of the map where something happened since this person's last action
    words      the texts of the page's script, only in the first state and after a change of language, as is `language`
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from client.fronts.web.fragments.table import title
from client.fronts.web.fragments.whole import fragments
from client.fronts.web.words import page_words, script_words
from client.session.battle import battle_of
from client.session.deeds import deeds_of
from client.session.deeds.deed import ANSWERS
from client.session.ending import end_sheet
from client.session.lobby import wishes
from client.session.network import Network
from client.session.session import Session
from client.session.view import as_json, view_of
from client.show.battles import sheets_of
from client.show.pictures import Frame
from client.show.styled import Line
from client.show.svg import tag
from client.show.wall import Wall
from client.system.journal import Journal
from client.system.texts import _, current
from client.table.player import LobbyControls
from client.table.qr import qr_path
from client.words.options import game_title
from client.words.ways import named

__all__ = ["StateFeed", "network_shown"]

T = TypeVar("T")

NOTHING: Final[Mapping[str, object]] = {"over": False}


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
        self._map: str | None = None
        self._parts: Mapping[str, str] = {}
        self._language = ""
        self._wishes: tuple[str, str, Sequence[Any]] = ("", "", [])

    def next(self, more: Mapping[str, object] = NOTHING) -> bytes:
        """The present state as one line. more: additional keys."""
        session = self._session
        fresh, self._language = self._language != current(), current()
        if fresh or self._told > len(session.log):  # after a take-back
            self._told = 0
        if fresh:
            self._said = 0
        if self._html:
            self._told, self._said = len(session.log), len(session.chat)
        view = as_json(view_of(session, self._told, self._said, self._wall))
        self._told, self._said = len(session.log), len(session.chat)
        lines = [line for told in self.lines for line in told().splitlines()]
        state: dict[str, Any] = {"view": view, "lines": lines, "left": session.left}
        state |= {"network": network_shown(session.network), "home": False, "ended": False, **more}
        if session.lobby is not None and session.lobby.ticket:
            state["qr"] = _qr(session.lobby.ticket)
        if session.door is not None and session.lobby is not None:
            state["door"] = self._door(session.door, session.lobby.game)
        state |= self._pictures(state["over"])
        drawn = self._drawn(session.pictures.drawing, "")
        if self._html:
            state |= self._page(state, drawn)
        if drawn != self._map:
            state["map"] = self._map = drawn
        if fresh:
            state |= {"words": script_words(), "language": current()}
        written = json.dumps(state, separators=(",", ":"), ensure_ascii=False)
        return named(written, lambda id: id).encode() + b"\n"

    def _pictures(self, over: object) -> Mapping[str, Any]:
        """The battle, the end and the names of all pictures."""
        session = self._session
        battle = self._drawn(lambda _frame: battle_of(session), None)
        shows = [each for each in deeds_of(session).values() if each.shows]
        shown = [[each.id, _(each.title) if each.topic != ANSWERS else "", _(each.does)] for each in shows]
        return {
            "fight": [] if battle is None else [asdict(group) for group in sheets_of(battle, session.names)],
            **({"end": [asdict(group) for group in end_sheet(session)]} if over else {}),
            "pictures": shown,
        }

    def _page(self, state: Mapping[str, Any], drawn: str) -> Mapping[str, Any]:
        """What only the page itself is sent. drawn: the map, "" if it is to be shown as text."""
        session, words, seen = self._session, page_words(), state["view"]["seen"]
        plain, nothing = session.pictures.commands.get("map"), tuple[Line, ...]()
        text = self._drawn(lambda frame: tuple(plain.draw(frame)), nothing) if plain and not drawn else nothing
        parts = fragments(state, session, words, text)
        changed = {name: part for name, part in parts.items() if self._parts.get(name) != part}
        self._parts = parts
        news = {place for told in session.log if seen is not None and told.height > seen for place in told.places}
        return {"html": changed, "title": title(state["view"], words), "news": sorted(news)}

    def _door(self, door: LobbyControls, game: str) -> Mapping[str, Any]:
        if self._wishes[:2] != (game, current()):
            none: list[list[str]] = []
            found = self._wall.drawn(lambda: [[each.word, each.title] for each in wishes(game)], none)
            self._wishes = game, current(), found
        bots, title = door.add_bot is not None, game_title(game)
        return {
            "inviting": door.inviting,
            "bots": bots,
            "title": title,
            "wish": self._session.gathering.wish,
            "wishes": self._wishes[2],
        }

    def _drawn(self, draw: Callable[[Frame], T], instead: T) -> T:
        """A drawing of the table, or `instead` before it begins and if drawing fails."""
        if self._session.controls is None:
            return instead
        return self._wall.drawn(lambda: draw(self._session.frame()), instead)


def _qr(ticket: str) -> str:
    """A ticket as a picture that scales."""
    side, dark = qr_path(ticket)
    about = _("The ticket as a QR code")
    return tag("svg", tag("path", d=dark), viewBox=f"0 0 {side} {side}", role="img", aria_label=about)


def network_shown(network: Network) -> Mapping[str, object] | None:
    """A check of the network as JSON."""
    looked = network.looking or network.lines is not None
    return {"looking": network.looking, "lines": network.lines or ()} if looked else None
