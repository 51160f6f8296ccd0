# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a guest that no address of its ticket leads to: shows it, and calls the other side meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import trio

from client.system.texts import _
from client.table import outside
from engine.core.dataclass import dataclass
from p2p.identity.keys import SigningKey
from p2p.link.meet import Meeting
from p2p.reach.answer import LASTS, Answer, numbered, write_answer
from p2p.reach.calls import may_call
from p2p.reach.opened import LOOPBACK, Reach
from p2p.wire.address import Address, endpoint_of

__all__ = ["Answering", "Asked"]

LATE: Final = 180.0
"""Seconds after which the guest is told what is probably in the way."""
LOOK_EVERY: Final = 1.0
RENEWED_AFTER: Final = LASTS - 60
"""Seconds after which a new answer is shown: the old one soon expires."""


@dataclass(frozen=True, slots=True)
class Asked:
    """To whom the answer goes.

    Attributes:
        lobby: id of the lobby, or of the running table.
        meeting: where to link.
        identity: of who made the ticket.
        candidates: the addresses in the ticket.
    """

    lobby: bytes
    meeting: Meeting
    identity: bytes
    candidates: Sequence[Address]


class Answering:
    """Answers a ticket that leads nowhere.

    publish: shows the answer, and lets the terminal copy it; called again with a new one.
    show: shows the person a text.
    """

    def __init__(
        self,
        reach: Reach,
        key: SigningKey,
        folder: Path,
        publish: Callable[[str, bool], None],
        show: Callable[[Callable[[], str]], None],
    ) -> None:
        self._reach, self._key, self._folder, self._publish, self._show = reach, key, folder, publish, show
        self._places: tuple[Address, ...] = ()
        self._printed = 0.0
        self._asked_address = False

    def typed(self, text: str) -> bool:
        """True if a typed text is this home's address outside, which is then used and kept."""
        told = outside.typed(self._reach, self._folder, text)
        if told is None:
            return False
        self._show(lambda: told)
        return True

    async def run(self, asked: Asked) -> None:
        """Show the answer, again when it has changed or soon expires, and call the other side, until cancelled."""
        outside.recall(self._reach, self._folder)
        began, late = trio.current_time(), False
        while True:
            self._renew(asked)
            if asked.identity not in self._reach.caller.calls.calls:
                self._reach.caller.call(asked.meeting, asked.identity, asked.candidates, leads=True)
            if not late and trio.current_time() > began + LATE:
                late = True
                self._show(late_text)
            await trio.sleep(LOOK_EVERY)

    def _renew(self, asked: Asked) -> None:
        """Show a new answer if there is none, if the addresses have changed or if the old one soon expires."""
        places = numbered(each for each in self._reach.candidates() if endpoint_of(each)[0] != LOOPBACK)
        now = trio.current_time()
        if not self._asked_address and not self._reach.outer_hosts():
            self._asked_address = True
            self._show(address_text)
        if not any(may_call(each, ()) for each in places) and not self._places:
            return  # nobody outside could use it; it is shown when the address is known
        if places and (places != self._places or now > self._printed + RENEWED_AFTER):
            first, self._places, self._printed = not self._places, places, now
            answer = Answer(
                asked.lobby, self._key.public, self._reach.listener.local.instance, places, int(time.time()) + LASTS
            )
            self._publish(write_answer(answer, self._key, asked.identity), first)


def address_text() -> str:
    """The question for this home's address outside."""
    return _(
        "This starlock does not know the address of your router outside, without which the other side cannot call you "
        "by IPv4. Your router's own page shows it, and any page that answers “what is my IP address”. Type it here "
        "and press Enter: 203.0.113.7, for example. It is asked once, and kept until you are in another network."
    )


def late_text() -> str:
    """What is in the way when both have called each other for three minutes."""
    return _(
        "Three minutes, and no way. If the other side has pasted your answer: one of the two routers probably gives "
        "every connection another port. What leads around it: a relay (they start it again with --relay HOST), the "
        "libp2p network (--libp2p), or play by post (starlock host --post). Going on …"
    )
