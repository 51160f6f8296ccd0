"""A lobby of four seats with three people and a spectator, on the full screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from screen_game import NoHost

from client.fronts.screen.front import Front
from client.session.session import Session
from client.show.styled import UNICODE, Glyphs
from client.table.lobby_notices import LobbyRoom, LobbySeat, LobbyTerms, LobbyTicket
from client.table.notices import ChatSaid
from engine.core.registry import game
from p2p.identity.words import fingerprint

TICKET = "starlock:" + "abcdefgh" * 24


class Door:
    """A lobby that notes what is asked of it."""

    def __init__(self, inviting: bool = True) -> None:
        self.inviting, self.asked = inviting, list[tuple[Any, ...]]()
        self.examine: Callable[[Callable[[Sequence[str]], None]], None] | None = None
        self.add_bot = self.bot if inviting else None
        self.change: Callable[[int, Mapping[str, str]], str] | None = self._change if inviting else None

    def bot(self, seat: int, level: str = "") -> bool:
        """One that comes never arrives here."""
        asked = ("bot", seat, level) if level else ("bot", seat)
        if asked in self.asked:
            return False
        self.asked.append(asked)
        return True

    def _change(self, seats: int, options: Mapping[str, str]) -> str:
        self.asked.append(("change", (seats, {name: value for name, value in options.items() if value == "random"})))
        return ""

    def ready(self, yes: bool) -> None:
        self.asked.append(("ready", yes))

    def wish(self, word: str) -> None:
        self.asked.append(("wish", word))

    def say(self, text: str) -> None:
        self.asked.append(("say", text))

    def remove(self, seat: int) -> None:
        self.asked.append(("remove", seat))


def row(name: str, seat: int, **more: Any) -> LobbySeat:
    usual = LobbySeat(seat, name, words=fingerprint(name.encode()), way="direct", rtt=2, ready=True)
    return replace(usual, **more)


WISHED = {"eclipse2": "orion", "rex": "hacan"}


def opened(name: str = "eclipse2", glyphs: Glyphs = UNICODE, inviting: bool = True) -> tuple[Front, Door]:
    """A lobby of four seats with three people and a spectator."""
    session = Session(lambda _asked, _values: None, lambda: None, glyphs)
    front, door = Front(session, NoHost()), Door(inviting)
    session.gather(door)
    options = {option.name: option.default for option in game(name).options}
    session.notice(LobbyTerms(name, 4, options, game(name).rules_id, "9c41"))
    rows = (
        row("Anna", 0, mine=True, way="", rtt=None),
        row("Bob", 1, wish=WISHED.get(name, "")),
        row("Carl \x1b[2J", 2, way="relay", rtt=64, ready=False),
    )
    watching = (LobbySeat(-1, words=fingerprint(b"Eve"), way="direct", rtt=31),)
    session.notice(LobbyRoom(rows, 1, watching))
    if inviting:
        session.notice(LobbyTicket(TICKET))
    session.notice(ChatSaid("Carl", "two minutes, the cat is on the keyboard"))
    return front, door
