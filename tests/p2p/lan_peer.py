"""One peer of the LAN test, as a process: says its news as JSON lines, sends a word a second over each link."""

from __future__ import annotations

import json
import sys

import trio

from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkDownError
from p2p.link.live import LiveLink
from p2p.link.meet import Local, table_meeting
from p2p.reach.news import Came, Went
from p2p.reach.opened import open_reach
from p2p.wire.messages import Lobby, pack, parse


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


async def talk(link: LiveLink) -> None:
    number = 0
    while link.send(pack(Lobby("count", number))):
        number += 1
        await trio.sleep(0.2)


async def hear(link: LiveLink) -> None:
    try:
        while True:
            message = parse(await link.recv())
            say(heard=message.body if isinstance(message, Lobby) else None)
    except LinkDownError:
        return


async def main(name: str) -> None:
    local = Local(SigningKey.from_seed(name.encode() * 32), "lan test")
    async with open_reach(local, [table_meeting(b"t" * 32)]) as reach, trio.open_nursery() as nursery:
        say(ready=reach.trouble is None)
        async for news in reach.supervisor.news:
            if isinstance(news, Came):
                say(came=news.link.peer_id.hex(), at=news.link.description)
                nursery.start_soon(talk, news.link)
                nursery.start_soon(hear, news.link)
            elif isinstance(news, Went):
                say(went=news.code)


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
