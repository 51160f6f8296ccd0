# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes the messages of all links to their handlers.

One task reads each link. Lobby messages go to the lobby, entries go to the table. Entries that arrive before the table
exists are kept until it does, while their link is up. A closed link is reported after all its messages are processed,
because the last one may end the game. A link that met at another table of this home belongs to that table alone:
neither the lobby nor the table being played hears of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import trio

from client.system.journal import Journal
from p2p.link.contract import LinkDownError
from p2p.link.live import LiveLink
from p2p.reach.news import Came, Trouble, Went
from p2p.reach.supervise import Supervisor
from p2p.sync.exchange import TableMessage
from p2p.wire.address import scheme
from p2p.wire.codec import Value, WireError
from p2p.wire.compression import Compressor, Decompressor
from p2p.wire.messages import Have, Lobby, Message, Push, Twin, Want

ABOUT_TABLE: Final = ("state/", "home/")
"""The prefixes of messages that go to the table and not to the lobby."""


class LobbyHandler(Protocol):
    """Receives the messages of the lobby."""

    def came(self, name: str, link: LiveLink) -> None: ...

    def went(self, name: str, code: str) -> None: ...

    def word(self, name: str, kind: str, body: Value) -> None: ...

    def trouble(self, expected: bytes | None, code: str, detail: tuple[object, ...]) -> None: ...


class TableHandler(Protocol):
    """Receives links and entries."""

    def came(self, name: str, link: LiveLink) -> None: ...

    def went(self, name: str, code: str) -> None: ...

    async def hear(self, name: str, message: TableMessage) -> None: ...

    async def word(self, name: str, kind: str, body: Value) -> None: ...


class Others(Protocol):
    """Receives links that met at other tables than the one being played."""

    def keeps(self, meeting: bytes) -> bool: ...

    def came(self, name: str, link: LiveLink) -> None: ...

    def went(self, name: str) -> None: ...

    async def hear(self, name: str, link: LiveLink, message: TableMessage) -> None: ...


class Links(Protocol):
    """The links that a table uses. live: True if the table is played over links."""

    @property
    def live(self) -> bool: ...

    @property
    def links(self) -> Mapping[str, LiveLink]: ...

    def connect(self, table: TableHandler) -> None: ...

    def send(self, name: str, message: Message | Push) -> bool: ...

    async def refuse(self, name: str, code: str) -> None: ...


class NoLinks:
    """The links of a table that is played by post: none."""

    live = False

    def __init__(self) -> None:
        self.links: Mapping[str, LiveLink] = {}

    def connect(self, table: TableHandler) -> None:
        """Nothing: no message will arrive."""

    def send(self, name: str, message: Message | Push) -> bool:
        """Nothing: the next bundle holds all entries. Returns False."""
        return False

    async def refuse(self, name: str, code: str) -> None:
        """Nothing: there is no link to close."""


class LinkRouter:
    """All links of this process by name. `lobby` and `others` may be replaced at any time; `connect` sets the table."""

    live = True

    def __init__(self, supervisor: Supervisor, lobby: LobbyHandler, log: Journal) -> None:
        self.links: dict[str, LiveLink] = {}
        self._compressors: dict[str, Compressor] = {}
        self.sent_before = 0
        self._supervisor, self._log = supervisor, log
        self.lobby = lobby
        self.others: Others | None = None
        self._table: TableHandler | None = None
        self._connected = trio.Event()
        self._early: dict[LiveLink, trio.CancelScope] = {}
        self._number = 0

    @property
    def bytes_sent(self) -> int:
        """The bytes sent over all links, closed ones included."""
        return self.sent_before + sum(link.stats.sent_bytes for link in self.links.values())

    def connect(self, table: TableHandler) -> None:
        """Route links and entries to this table from now on."""
        self._table = table
        for name, link in self.links.items():
            if not self._elsewhere(link):
                table.came(name, link)
        self._connected.set()

    def introduce(self, name: str) -> None:
        """Show a link to the table again, which may admit it now."""
        link = self.links.get(name)
        if link is not None and self._table is not None:
            self._table.came(name, link)

    def send(self, name: str, message: Message | Push) -> bool:
        """Queue a message on a link; False when it is down."""
        link = self.links.get(name)
        return link is not None and link.send(self._compressors[name].pack(message))

    async def close(self, name: str, code: str) -> None:
        """Close one link with a good-bye."""
        link = self.links.get(name)
        if link is not None:
            await link.aclose(code)

    async def refuse(self, name: str, code: str) -> None:
        """Close a link whose other side broke the protocol; it waits longer each time before it is linked again."""
        link = self.links.get(name)
        if link is not None:
            await link.refuse(code)

    async def close_all(self, code: str) -> None:
        """Close all links with a good-bye at once, and links that come up meanwhile, because this process ends."""
        await self._supervisor.close_all(code)

    async def run(self) -> None:
        """Read the news and the links until cancelled."""
        async with trio.open_nursery() as nursery:
            async for news in self._supervisor.news:
                match news:
                    case Came(link):
                        self._number += 1
                        name = f"{link.peer_id.hex()[:8]}-{self._number}"
                        self.link_up(name, link)
                        nursery.start_soon(self._serve, name, link)
                    case Went(link):
                        if link in self._early:
                            self._early[link].cancel()
                    case Trouble(expected, code, detail):
                        self._log("link/trouble", code=code)
                        self.lobby.trouble(expected, code, detail)

    def link_up(self, name: str, link: LiveLink) -> None:
        self._log("link/up", link=name, way=self._way(link))
        self.links[name], self._compressors[name] = link, Compressor()
        if (others := self._elsewhere(link)) is not None:
            others.came(name, link)
            return
        self.lobby.came(name, link)
        if self._table is not None:
            self._table.came(name, link)

    def _way(self, link: LiveLink) -> str:
        """How a link was established, without an address, because this is written to a log."""
        if link.pipe.via:
            return scheme(link.pipe.via)
        return "punched" if link.pipe.punched else "direct"

    def link_down(self, name: str, link: LiveLink, code: str) -> None:
        self._log("link/down", link=name, code=code, rtt=link.stats.rtt)
        self.links.pop(name, None)
        self._compressors.pop(name, None)
        self.sent_before += link.stats.sent_bytes
        if (others := self._elsewhere(link)) is not None:
            others.went(name)
            return
        if self._table is not None:
            self._table.went(name, code)
        self.lobby.went(name, code)

    def _elsewhere(self, link: LiveLink) -> Others | None:
        """The handler of a link that met at another table than the one being played, else None."""
        return self.others if self.others is not None and self.others.keeps(link.pipe.meeting) else None

    async def _serve(self, name: str, link: LiveLink) -> None:
        """Read a link to its end."""
        await self._read(name, link)
        self.link_down(name, link, link.code or "link/closed")

    async def _read(self, name: str, link: LiveLink) -> None:
        carried = Decompressor()
        while True:
            try:
                message = carried.parse(await link.recv())
            except LinkDownError:
                return
            except WireError as error:
                self._log("link/malformed", link=name, code=error.code)
                await link.refuse(error.code if error.code.startswith(("message/", "wire/")) else "message/malformed")
                return
            if (others := self._elsewhere(link)) is not None:
                if isinstance(message, Have | Want | Push | Twin):
                    await others.hear(name, link, message)
                continue
            match message:
                case Lobby(kind, body) if kind.startswith(ABOUT_TABLE):
                    if self._table is not None:
                        await self._table.word(name, kind, body)
                case Lobby(kind, body):
                    self.lobby.word(name, kind, body)
                case Have() | Want() | Push() | Twin():
                    await self._table_there(link)
                    if self._table is not None:
                        await self._table.hear(name, message)
                case _:
                    self._log("link/unexpected", link=name)

    async def _table_there(self, link: LiveLink) -> None:
        """Wait until the table exists, or this link is down."""
        if not self._connected.is_set() and link.code is None:
            with trio.CancelScope() as self._early[link]:
                await self._connected.wait()
            del self._early[link]
