"""What the page shows, as JSON: the session's view, what is drawn, and the page's own words.

A stream of these objects, one a line, goes to each page that is open.  Each is whole but for the log and chat, which go
on where the last one ended, and the map, which is left out while it is the same: so nothing can drift, and a page that
is loaded again shows the same.  By key:

    view       see `client.session.view`
    lines      texts to read: what came of the table, why an answer was not taken
    start      on the start page: what may be begun, see `client.web.start`
    over       true after the table has ended here
    home       true if the action `home` leads to the start page now
    ended      true in the last state of a starlock that ends
    left       true after the person has left it
    qr         in a lobby with a ticket, the ticket as a QR code, in SVG
    door       in a lobby what may be done: {title: of the game, inviting: seats can be taken back, bots: bots can be
               let in, wish: the id of what one would like to play, wishes: [[id, name]…] of what there is to wish}
    network    the last look at the network, null before anybody has looked: {looking, lines: one a step}
    map        the map as SVG, "" where there is none; absent while it is the same
    fight      the battle under way as groups, like those of a question: its sides, the odds, the last dice; or []
    end        once it is over: places and points as groups
    report     once it is over: true if POST /report makes the page that proves the game
    pictures   [[name, title, summary]…] for the action `picture`
    words      the page's own texts, in the first state and after a change of language alone, with language
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeVar

from client.journal import Journal
from client.player import LobbyControls
from client.session.battle import battle_of
from client.session.ending import end_sheet
from client.session.lobby import wishes
from client.session.network import Network
from client.session.session import Session
from client.session.view import as_json, view_of
from client.show.battles import sheets_of
from client.show.pictures import Frame
from client.show.svg import tag
from client.show.wall import Wall
from client.table.qr import qr_path
from client.texts import _, current
from client.web.actions import FAIRNESS
from client.web.words import page_words
from client.wording.options import game_title

__all__ = ["StateFeed", "network_shown"]

T = TypeVar("T")

NOTHING: Final[Mapping[str, object]] = {"over": False}


class StateFeed:
    """The states that one open page is sent.

    Attributes:
        lines: what was shown before the table began, and what came of the table.
    """

    def __init__(self, session: Session, lines: Sequence[str], log: Journal) -> None:
        self._session, self.lines, self._wall = session, lines, Wall(log)
        self._told = self._said = 0
        self._map: str | None = None
        self._language = ""
        self._wishes: tuple[str, str, Sequence[Any]] = ("", "", [])

    def next(self, more: Mapping[str, object] = NOTHING) -> bytes:
        """The state now as one line.  more: what it has besides what the session shows."""
        session = self._session
        fresh, self._language = self._language != current(), current()
        if fresh or self._told > len(session.log):  # the table went back
            self._told = 0
        if fresh:
            self._said = 0
        view = as_json(view_of(session, self._told, self._said, self._wall))
        self._told, self._said = len(session.log), len(session.chat)
        state: dict[str, Any] = {"view": view, "lines": list(self.lines), "left": session.left}
        state |= {"network": network_shown(session.network), **more}
        if session.lobby is not None and session.lobby.ticket:
            state["qr"] = _qr(session.lobby.ticket)
        if session.door is not None and session.lobby is not None:
            state["door"] = self._door(session.door, session.lobby.game)
        drawn = self._drawn(session.pictures.drawing, "")
        if drawn != self._map:
            state["map"] = self._map = drawn
        battle = self._drawn(lambda _frame: battle_of(session), None)
        state["fight"] = [] if battle is None else [asdict(group) for group in sheets_of(battle, session.names)]
        if more.get("over"):
            state["end"] = [asdict(group) for group in end_sheet(session)]
        if fresh:
            state |= {"words": page_words(), "language": current()}
        commands = session.pictures.commands
        shown = [[name, _(one.title), _(one.summary)] for name, one in commands.items() if one.title]
        state["pictures"] = [*shown, [FAIRNESS, _("Dice"), _("the last rolls, who fixed and opened what, and luck")]]
        return json.dumps(state, separators=(",", ":")).encode() + b"\n"

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
        """What is drawn of the table; something else before it begins, and where drawing failed."""
        if self._session.controls is None:
            return instead
        return self._wall.drawn(lambda: draw(self._session.frame()), instead)


def _qr(ticket: str) -> str:
    """A ticket as a picture that scales."""
    side, dark = qr_path(ticket)
    about = _("The ticket as a QR code")
    return tag("svg", tag("path", d=dark), viewBox=f"0 0 {side} {side}", role="img", aria_label=about)


def network_shown(network: Network) -> Mapping[str, object] | None:
    """A look at the network as JSON."""
    looked = network.looking or network.lines is not None
    return {"looking": network.looking, "lines": network.lines or ()} if looked else None
