"""What comes over a link is heard in its order, and the end of the link comes last."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from client.system.context import Context
from client.system.journal import no_log
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.peer import FAREWELL, open_peer
from client.table.router import LinkRouter
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError
from p2p.log.store import Store
from p2p.reach.news import Came, News, Went
from p2p.wire.compression import Compressor
from p2p.wire.messages import Have, Lobby, Message, Want

TABLE, OTHER = b"t" * 32, b"o" * 32
HELD = Have(TABLE, None, (), ())
WORD = Lobby("no", ["lobby/name-taken"])


class Spoken:
    """A link over which all has come already, up to its good-bye."""

    def __init__(self, *messages: Message, meeting: bytes = TABLE) -> None:
        packing = Compressor()
        self.peer_id, self.code = b"p" * 32, "bye/done"
        self.pipe = SimpleNamespace(meeting=meeting, via="", punched=False)
        self.stats = SimpleNamespace(rtt=0.0, sent_bytes=0)
        self._inbox = [packing.pack(message) for message in messages]

    async def recv(self) -> bytes:
        await trio.lowlevel.checkpoint()
        if not self._inbox:
            raise LinkDownError(self.code)
        return self._inbox.pop(0)


class Slow:
    """Whoever handles links: it takes a second for each message, and notes what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def keeps(self, meeting: bytes) -> bool:
        return meeting == OTHER

    def came(self, name: str, link: object) -> None:
        self.told.append("came")

    def went(self, name: str, code: str = "") -> None:
        self.told.append(code or "went")

    async def hear(self, name: str, *message: object) -> None:
        await trio.sleep(1)
        self.told.append(type(message[-1]).__name__)

    def word(self, name: str, kind: str, body: object) -> None:
        self.told.append(kind)


class Routing:
    """A router that hears of links as a supervisor tells it."""

    def __init__(self) -> None:
        self.news_in, news = trio.open_memory_channel[News](10)
        self.lobby, self.table, self.others = Slow(), Slow(), Slow()
        supervisor: Any = SimpleNamespace(news=news, friends=dict)
        self.router = LinkRouter(supervisor, self.lobby, no_log)  # type: ignore[arg-type]  # as much as is used
        self.router.others = self.others

    async def carry(self, link: Any) -> None:
        """Let a link come and go, and all be heard."""
        for news in (Came(link), Went(link, link.code)):
            self.news_in.send_nowait(news)
        await trio.sleep(10)


@pytest.fixture
async def routing(nursery: trio.Nursery) -> Routing:
    made = Routing()
    nursery.start_soon(made.router.run)
    return made


async def test_the_table_hears_all_that_came_before_it_hears_that_the_link_is_down(
    routing: Routing, autojump_clock: MockClock
) -> None:
    routing.router.connect(routing.table)  # type: ignore[arg-type]
    await routing.carry(Spoken(HELD, Want(TABLE, OTHER, 0, 1), HELD))
    assert routing.table.told == ["came", "Have", "Want", "Have", "bye/done"]


async def test_a_table_that_is_over_hears_all_as_well(routing: Routing, autojump_clock: MockClock) -> None:
    await routing.carry(Spoken(HELD, HELD, meeting=OTHER))
    assert routing.others.told == ["came", "Have", "Have", "went"]


async def test_the_lobby_hears_the_reason_before_the_good_bye(routing: Routing, autojump_clock: MockClock) -> None:
    await routing.carry(Spoken(WORD))
    assert routing.lobby.told == ["came", "no", "bye/done"]


async def test_a_link_that_goes_before_there_is_a_table_goes_from_the_lobby_too(
    routing: Routing, autojump_clock: MockClock
) -> None:
    await routing.carry(Spoken(HELD))
    assert routing.lobby.told == ["came", "bye/done"]


async def test_a_link_that_waits_for_the_table_goes_from_the_lobby_when_it_is_down(
    routing: Routing, autojump_clock: MockClock
) -> None:
    link: Any = Spoken(HELD)
    link.code = None
    routing.news_in.send_nowait(Came(link))
    await wait_all_tasks_blocked()
    assert routing.lobby.told == ["came"]
    link.code = "link/dead"
    routing.news_in.send_nowait(Went(link, "link/dead"))
    await wait_all_tasks_blocked()
    assert routing.lobby.told == ["came", "link/dead"]


async def test_whoever_does_not_take_a_good_bye_holds_up_the_end_of_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_router: LinkRouter, _code: str) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(LinkRouter, "close_all", never)
    folders, nowhere = Folders.of_home(tmp_path), StringIO()
    context = Context("host", as_json=True, home=folders, out=nowhere, err=nowhere, progress=Meter(nowhere))
    with trio.fail_after(60), Store(folders.data, "test") as store:
        async with open_peer(context, store, SigningKey.generate(), port=0, local=True) as peer:
            peer.nursery.cancel_scope.cancel()
    assert FAREWELL < 1
