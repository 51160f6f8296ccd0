"""A connection on which nobody says a word keeps no port."""

from __future__ import annotations

import pytest
import trio

from p2p.link.contract import LinkRefusedError
from p2p.link.tcp import refusing


async def test_two_who_both_waited_for_the_first_word_may_connect_again_from_the_same_ports_at_once() -> None:
    """Both had punched a hole, one was heard by the listener of the other, and for a minute no later try began."""
    (listening,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    stream = await trio.open_tcp_stream(*listening.socket.getsockname())
    heard = await listening.accept()
    ports = stream.socket.getsockname(), stream.socket.getpeername()
    with pytest.raises(LinkRefusedError, match="link/timeout"):
        async with refusing(stream):
            raise LinkRefusedError("link/timeout")
    again = trio.socket.socket()
    again.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEADDR, 1)
    await again.bind(ports[0])
    await again.connect(ports[1])
    for each in (again, heard.socket, listening.socket):
        each.close()
