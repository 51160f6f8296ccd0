"""Stand-ins for what a lobby works with: a reception, a router and links that remember what they are told."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import trio

from client.table.lobby import Room
from p2p.wire.messages import parse

ANN, BOB = b"a" * 32, b"b" * 32
TICKET, LAN = b"t" * 32, b"l" * 32


class Noted:
    """Takes every call, and remembers it. returns: what calls return, by name."""

    def __init__(self, **returns: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.returns = returns

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            self.calls.append((name, *given, *named.values()))
            return self.returns.get(name)

        return called

    def names(self) -> list[str]:
        return [call[0] for call in self.calls]

    def given(self, name: str) -> list[tuple[Any, ...]]:
        return [call[1:] for call in self.calls if call[0] == name]


class Link:
    """A link: what was sent over it."""

    def __init__(self, peer: bytes = BOB, meeting: bytes = TICKET) -> None:
        self.peer_id, self.sent = peer, list[Any]()
        self.pipe = SimpleNamespace(meeting=meeting, binding=b"channel", dial_back="tcp://a:1")

    def send(self, message: bytes) -> None:
        self.sent.append(parse(message))


class Switch:
    """The router: its links, those closed, and those shown to the table."""

    def __init__(self) -> None:
        self.links: dict[str, Any] = {}
        self.closed: list[tuple[str, str]] = []
        self.introduced: list[str] = []

    async def close(self, name: str, code: str) -> None:
        self.closed.append((name, code))

    def introduce(self, name: str) -> None:
        self.introduced.append(name)


def room(nursery: trio.Nursery) -> tuple[Any, Noted, Switch]:
    switch, reception = Switch(), Noted()
    return Room(switch, reception, nursery), reception, switch  # type: ignore[arg-type]
