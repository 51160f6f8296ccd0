# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves a table for good without a screen: opens it, signs as soon as somebody confirms the newest copy, closes it."""

from __future__ import annotations

from typing import Final, NoReturn

import trio

from client.table.controls import RunningControls
from client.table.home import Seat
from client.table.peer import Peer, play
from client.table.player import Asked, Nobody, TableControls
from p2p.link.pulse import pulse
from p2p.lockstep.machine import RefusalLike, TableRefusal

AGAIN: Final = 0.2
"""Seconds between two tries."""
SPREADING: Final = 5.0
"""Seconds for the others who are in reach to say that they have the signature."""
WAITING: Final = frozenset({"lockstep/unconfirmed", "lockstep/older-copy", "lockstep/catching-up", "lockstep/voting"})
"""Refusals that may end while others are in reach."""


class _Leaver(Nobody):
    """Knows when the table is there, and answers nothing."""

    def __init__(self) -> None:
        self.controls: TableControls | None = None
        self.seated = trio.Event()

    def sit(self, controls: TableControls) -> None:
        self.controls = controls
        self.seated.set()

    async def choose(self, asked: Asked) -> NoReturn:
        await trio.sleep_forever()


async def sign_leave(peer: Peer, seat: Seat, seconds: float) -> tuple[RefusalLike | None, set[bytes]]:
    """Sign that this member leaves the table for good. Returns None, or why that was not possible for `seconds`; and
    the table keys of the members that have the signature."""
    player = _Leaver()
    said: list[RefusalLike | None] = [TableRefusal("lockstep/unconfirmed")]
    heard: set[bytes] = set()

    async def leave() -> None:
        await player.seated.wait()
        controls = player.controls
        assert isinstance(controls, RunningControls)
        with trio.move_on_after(seconds):
            while (refusal := said[-1]) is not None and refusal.code in WAITING:
                await pulse(AGAIN)
                said.append(controls.propose("leave"))
        if said[-1] is None:
            controls.ask_again()
            with trio.move_on_after(SPREADING):
                while not all(controls.holders().values()):
                    await pulse(AGAIN)
            heard.update(key for key, holds in controls.holders().items() if holds)
        controls.leave()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leave)
        played = await play(peer, seat, player, person=True)
        nursery.cancel_scope.cancel()
    if played.record.result:  # the others ended the game at once, so nobody may have said here what it holds
        me = None if seat.keys is None else seat.keys.key.public
        heard.update(set(played.table.position.members).difference(played.record.lacking, [me]))
    return said[-1], heard
