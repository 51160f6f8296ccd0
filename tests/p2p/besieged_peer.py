"""One peer that may open 256 files, as a process. It says its news as JSON lines and obeys words on standard input:
`files` (how many are open), `fill` (take each that the system still gives), `free` (close those), `end`."""

from __future__ import annotations

import json
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

import trio

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, table_meeting
from p2p.reach.news import Came, Went
from p2p.reach.opened import open_reach
from p2p.wire.messages import Lobby, pack

FILES = 256


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


async def talk(link: LiveLink) -> None:
    while link.send(pack(Lobby("word", None))):  # noqa: ASYNC110  a word ten times a second
        await trio.sleep(0.1)


async def hear(link: LiveLink) -> None:
    try:
        while True:
            await link.recv()
    except LinkDownError:
        return


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


async def fill(taken: list[int]) -> None:
    """Keep taking each file that the system still gives."""
    while True:
        with suppress(OSError):
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        await trio.lowlevel.checkpoint()


async def obey(nursery: trio.Nursery) -> None:
    taken: list[int] = []
    filling = trio.CancelScope()

    async def keep_full() -> None:
        with filling:
            await fill(taken)

    words = trio.lowlevel.FdStream(os.dup(sys.stdin.fileno()))
    async for data in words:
        for word in bytes(data).decode().split():
            if word == "fill":
                nursery.start_soon(keep_full)
                say(filled=True)
            elif word == "free":
                filling.cancel()
                await trio.sleep(0.1)
                for each in taken:
                    os.close(each)
                taken.clear()
                say(freed=True)
            elif word == "files":
                say(files=open_files())
            else:
                nursery.cancel_scope.cancel()


async def main(*words: str) -> None:
    friend, address, *relays = words
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    table = table_meeting(b"t" * 32)
    local = Local(SigningKey.from_seed(b"a" * 32), "besieged")
    async with open_reach(local, [table]) as reach, trio.open_nursery() as nursery:
        reach.wait_at(relays)
        reach.supervisor.want(table, bytes.fromhex(friend), [address])
        say(port=reach.listener.port)
        nursery.start_soon(obey, nursery)
        async for news in reach.supervisor.news:
            if isinstance(news, Came):
                say(came=news.link.peer_id.hex())
                nursery.start_soon(talk, news.link)
                nursery.start_soon(hear, news.link)
            elif isinstance(news, Went):
                say(went=news.link.peer_id.hex(), code=news.code)
    say(ended=True)


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:])
