# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a guest that no address of its ticket leads to: shows it, and calls the other side meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import trio

from client.system.texts import _
from client.table import outside
from client.words.ways import DO
from engine.core.dataclass import dataclass
from p2p.identity.keys import SigningKey
from p2p.link.meet import Meeting
from p2p.reach.answer import LASTS, GuestAnswer, numbered, read_answers, write_answer
from p2p.reach.calls import may_call
from p2p.reach.opened import LOOPBACK, Reach
from p2p.reach.ticket import TABLE
from p2p.wire.address import Address, endpoint_of

LATE: Final = 180.0
"""Seconds after which the guest is told what is probably in the way."""
LOOK_EVERY: Final = 1.0
RENEWED_AFTER: Final = LASTS - 60
"""Seconds after which a new answer is shown: the old one soon expires."""


Publish: TypeAlias = Callable[[str, bool, bool], None]
"""Arguments: the answer, "" without one; whether it is to be shown now; whether the address of this home may be
typed."""


@dataclass(frozen=True, slots=True)
class AnswerTo:
    """To whom the answer goes.

    Attributes:
        lobby: id of the lobby, or of the running table.
        meeting: where to link.
        identity: of who made the ticket.
        candidates: the addresses in the ticket; those of a newer one may take their places.
    """

    lobby: bytes
    meeting: Meeting
    identity: bytes
    candidates: Sequence[Address]


class TicketAnswering:
    """Answers a ticket that leads nowhere.

    asks: True while the address of this home outside may be typed.
    sealed: the answers that were shown.

    publish: called with each answer, and with "" at the end.
    show: shows the person a text.
    """

    def __init__(
        self,
        reach: Reach,
        key: SigningKey,
        folder: Path,
        publish: Publish,
        show: Callable[[Callable[[], str]], None],
    ) -> None:
        self._reach, self._key, self._folder, self._publish, self._show = reach, key, folder, publish, show
        self._places: tuple[Address, ...] = ()
        self._line, self._printed = "", 0.0
        self.asks = False
        self.sealed: set[bytes] = set()

    def typed(self, text: str) -> bool:
        """True if a typed text is this home's address outside, which is then used and kept."""
        told = outside.typed(self._reach, self._folder, text)
        if told is None:
            return False
        self._show(lambda: told)
        return True

    async def run(self, asked: AnswerTo) -> None:
        """Show the answer, again when it has changed or soon expires, and call the other side, until cancelled."""
        outside.recall(self._reach, self._folder)
        self._show(nobody_text)
        began, late = trio.current_time(), False
        try:
            while True:
                self._renew(asked)
                if asked.identity not in self._reach.caller.calls.calls:
                    self._reach.caller.call(asked.meeting, asked.identity, asked.candidates, leads=True)
                if not late and trio.current_time() > began + LATE:
                    late = True
                    self._show(partial(late_text, begun=len(asked.lobby) == TABLE))
                await trio.sleep(LOOK_EVERY)
        finally:
            self._places, self.asks = (), False
            self._publish("", False, False)

    def _renew(self, asked: AnswerTo) -> None:
        """Show a new answer if there is none, if the addresses have changed or if the old one soon expires."""
        places = numbered(each for each in self._reach.candidates() if endpoint_of(each)[0] != LOOPBACK)
        now = trio.current_time()
        if not self.asks and self._reach.lacks_outer_host():
            self.asks = True
            self._show(address_text)
            self._publish(self._line, False, True)
        if not any(may_call(each, ()) for each in places) and not self._places:
            return  # nobody outside could use it; it is shown when the address is known
        if places and (places != self._places or now > self._printed + RENEWED_AFTER):
            self._places, self._printed = places, now
            answer = GuestAnswer(
                asked.lobby, self._key.public, self._reach.listener.local.instance, places, int(time.time()) + LASTS
            )
            self._line = write_answer(answer, self._key, asked.identity)
            self.sealed.update(read_answers(self._line))
            self._publish(self._line, True, self.asks)


def nobody_text() -> str:
    """What a guest reads first."""
    return _(
        "Nobody answers at the addresses of the ticket: the table may be closed, or routers are in the way. Both homes "
        "can open them together."
    )


def address_text() -> str:
    """The question for this home's address outside."""
    return _(
        "This starlock does not know the address of your router outside, without which the other side cannot call you "
        "by IPv4. Your router's own page shows it, and any page that answers “what is my IP address”. Write it here: "
        "203.0.113.7, for example. It is asked once, and kept until you are in another network."
    )


def late_text(*, begun: bool = False) -> str:
    """What is in the way when both have called each other for three minutes. begun: True at a running table."""
    if begun:
        return _(
            "Three minutes, and no way. If the other side has pasted your answer: one of the two routers probably "
            "gives every connection another port. What leads around it: a relay that both of you can use ({do:reach}), "
            "the libp2p network (starlock resume --libp2p), or post (starlock post). Going on …"
        ).format(do=DO)
    return _(
        "Three minutes, and no way. If the other side has pasted your answer: one of the two routers probably gives "
        "every connection another port. What leads around it: a relay (they start it again with --relay HOST), the "
        "libp2p network (--libp2p), or play by post (starlock host --post). Going on …"
    )
