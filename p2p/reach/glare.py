"""Which of two channels between the same two processes stays, so that both sides keep the same one.

Of two that different sides dialed, both keep the one that the lower id dialed. Of two that one side dialed, that side
keeps the one that it has, says "bye/double" on the other, and talks at once on the one that it keeps; the answerer
waits for the first word on the newer one: a good-bye ends it, anything else shows that the older one is lost. A direct
channel is better than one through a relay, whoever dialed it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Literal

import trio

from p2p.link.contract import Pipe
from p2p.wire.codec import WireError
from p2p.wire.messages import Bye, link_message, pack

FIRST_WORD: Final = 5.0
"""Seconds in which whoever dialed a second channel says on it which one it keeps."""

_BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError)


def choose(old: Pipe, new: Pipe, mine: tuple[bytes, bytes]) -> Literal["old", "new", "listen"]:
    """Return which of two channels stays; "listen": the first word on the new one says it. mine: identity and instance
    of this process."""
    if bool(new.via) != bool(old.via):
        return "old" if new.via else "new"
    if new.dialed == old.dialed:
        return "old" if new.dialed else "listen"
    return "new" if new.dialed == (mine < (new.peer_id, new.instance)) else "old"


async def first_word(pipe: Pipe) -> bytes | None:
    """The first message on a pipe; None for a good-bye, an error or silence."""
    with trio.move_on_after(FIRST_WORD), suppress(trio.EndOfChannel, *_BROKEN, WireError):
        message = await pipe.recv()
        return None if isinstance(link_message(message), Bye) else message
    return None


async def turn_away(pipe: Pipe, code: str) -> None:
    """Close a pipe with a good-bye that says why."""
    with suppress(*_BROKEN), trio.move_on_after(1):
        await pipe.send([pack(Bye(code))])
    await pipe.aclose()
