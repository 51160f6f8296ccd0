# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of two channels between the same two processes stays, so that both sides keep the same one.

If each side dialed one channel, both keep the one dialed by the lower id. If one side dialed both, that side keeps its
existing channel, says "bye/double" on the other and talks at once on the one it keeps. The answering side waits for the
first message on the newer channel: a good-bye closes it, anything else shows that the older one is lost. A direct
channel is preferred to a relayed one, whoever dialed it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Literal

import trio

from p2p.link.contract import Pipe
from p2p.wire.codec import WireError
from p2p.wire.messages import Bye, link_message, pack

FIRST_WORD: Final = 5.0
"""Seconds in which the side that dialed a second channel must say on it which one it keeps."""

_BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError)


def choose(old: Pipe, new: Pipe, mine: tuple[bytes, bytes]) -> Literal["old", "new", "listen"]:
    """Return which of two channels stays; "listen" if the first message on the new one decides. mine: identity and
    instance of this process."""
    if bool(new.via) != bool(old.via):
        return "old" if new.via else "new"
    if new.dialed == old.dialed:
        return "old" if new.dialed else "listen"
    return "new" if new.dialed == (mine < (new.peer_id, new.instance)) else "old"


async def first_word(pipe: Pipe) -> bytes | None:
    """Return the first message on a pipe, None for a good-bye, an error or silence."""
    with trio.move_on_after(FIRST_WORD), suppress(trio.EndOfChannel, *_BROKEN, WireError):
        message = await pipe.recv()
        return None if isinstance(link_message(message), Bye) else message
    return None


async def turn_away(pipe: Pipe, code: str) -> None:
    """Close a pipe with a good-bye that carries this code."""
    with suppress(*_BROKEN), trio.move_on_after(1):
        await pipe.send([pack(Bye(code))])
    await pipe.aclose()
