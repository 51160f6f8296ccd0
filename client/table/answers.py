# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of guests that no address leads to: reads those that are pasted here, and calls who sent them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import trio

from client.system.texts import N_, _
from client.table.words import ticket_trouble
from client.words.ways import DO
from engine.core.dataclass import dataclass
from p2p.identity.keys import SigningKey
from p2p.identity.words import fingerprint
from p2p.link.meet import Meeting, table_meeting
from p2p.lockstep.genesis import Genesis
from p2p.reach.answer import LASTS, GuestAnswer, open_answer, read_answers
from p2p.reach.calls import LASTS as CALLED
from p2p.reach.lines import TicketError, begins
from p2p.reach.opened import Reach
from p2p.reach.ticket import parse_ticket

LATE: Final = 180.0
"""Seconds of calling after which a person is told what is probably in the way."""
LOOK_EVERY: Final = 0.5
TOLERATED: Final = 120
"""Seconds by which the clocks of two homes may differ."""
MOMENTS: Final = "%Y-%m-%d %H:%M"

_TOLD: Final[Mapping[str, str]] = {
    "answer/called": N_("The answer of {name} is read: calling it for ten minutes …"),
    "answer/again": N_("The answer of {name} again: calling it for ten minutes from now …"),
    "answer/linked": N_("{name} is connected already."),
    "answer/other": N_(
        "That answer is not for here: it is to a ticket that somebody else made, or to one of another lobby or table."
    ),
    "answer/expired": N_(
        "That answer is of {moment} and has expired. Ask for the one that is shown there now; it is new every ten "
        "minutes. If this is it, one of the two clocks is wrong: here it is {now}."
    ),
    "answer/stranger": N_("That answer is of somebody who does not sit at this table."),
    "answer/yourself": N_("That answer is your own. Send it to who made the ticket."),
    "answer/nowhere": N_("The answer of {name} names no address that may be dialed from here."),
    "answer/many": N_("Four answers are being tried already. Paste this one again when one of them has ended."),
    "answer/up": N_("The way to {name} is open."),
    "answer/late": N_(
        "{name} has not come through for three minutes. One of the two routers probably gives every connection another "
        "port. What leads around it: a relay (starlock resume --relay HOST), the libp2p network (--libp2p), or play by "
        "post (starlock host --post). Calling on …"
    ),
    "answer/late-begun": N_(
        "{name} has not come through for three minutes. One of the two routers probably gives every connection another "
        "port. What leads around it: a relay that both of you can use ({do:reach}), the libp2p network (starlock "
        "resume --libp2p), or post (starlock post). Calling on …"
    ),
    "answer/over": N_("{name} could not be reached in ten minutes. Both may try once more, each with a new line."),
}


@dataclass(frozen=True, slots=True)
class WantedAnswers:
    """Whose answers are read here.

    Attributes:
        lobby: id of the lobby, or of the running table.
        meeting: where to link.
        sits: True for the identities that may come, None for all.
        begun: True at a running table.
    """

    lobby: bytes
    meeting: Meeting
    sits: Callable[[bytes], bool] | None = None
    begun: bool = False


def wanted_at(genesis: Genesis, ticket: str) -> list[WantedAnswers]:
    """Whose answers are read at a running table: those of members, and of holders of the ticket, if there is one."""
    members = {member.certificate.identity for member in genesis.members}
    found = [WantedAnswers(genesis.table, table_meeting(genesis.table), members.__contains__, begun=True)]
    if ticket:
        invitation = parse_ticket(ticket)
        found.append(WantedAnswers(invitation.lobby, invitation.meeting(), begun=True))
    return found


class Answers:
    """Reads pasted answers.

    wanted: returns whose answers are read now.
    show: shows the person a text.
    used: called with each sealed answer whose sender is called now, and the time when it expires.
    own: the sealed answers that this home shows itself.
    """

    def __init__(
        self,
        reach: Reach,
        identity: SigningKey,
        nursery: trio.Nursery,
        wanted: Callable[[], Sequence[WantedAnswers]],
        show: Callable[[Callable[[], str]], None],
        used: Callable[[bytes, int], None] = lambda _sealed, _expiry: None,
        own: Collection[bytes] = (),
    ) -> None:
        self._used, self._own = used, own
        self._reach, self._identity, self._nursery, self._wanted, self._show = reach, identity, nursery, wanted, show
        self._watching: dict[bytes, trio.CancelScope] = {}

    def take(self, text: str) -> bool:
        """True if a text holds a line from another home; what becomes of it is shown."""
        if not begins(text):
            return False
        try:
            self.open(read_answers(text))
        except TicketError as error:
            self._name(error)
        return True

    def open(self, boxes: Collection[bytes]) -> None:
        """Call who sent answers, unless there is a reason not to, and show what becomes of it. Mail quotes earlier
        ones: of each guest the first that has not expired counts, and those for other lobbies are named where all
        are."""
        found: dict[bytes, tuple[bytes, GuestAnswer, WantedAnswers]] = {}
        faulty: TicketError | None = None
        for sealed in boxes:
            for wanted in self._wanted():
                try:
                    answer = open_answer(sealed, self._identity, wanted.lobby)
                except TicketError as error:
                    faulty = error
                    break
                if answer is not None and (answer.guest not in found or _expired(found[answer.guest][1])):
                    found[answer.guest] = sealed, answer, wanted
        for sealed, answer, wanted in found.values():
            code = self._judge(answer, wanted)
            self._tell(code, answer)
            if code in ("answer/called", "answer/again"):
                self._used(sealed, answer.expiry)
        if not found and faulty is not None:
            self._name(faulty)
        elif not found:
            self._tell("answer/yourself" if self._own and set(boxes).issubset(self._own) else "answer/other")

    def _judge(self, answer: GuestAnswer, wanted: WantedAnswers) -> str:
        """Call a guest, unless there is a reason not to. Return the code of what to tell."""
        links = self._reach.supervisor.links
        if answer.guest == self._identity.public:
            return "answer/yourself"
        if _expired(answer):
            return "answer/expired"
        if wanted.sits is not None and not wanted.sits(answer.guest):
            return "answer/stranger"
        if any(peer == answer.guest and not link.pipe.via for (peer, _), link in links.items()):
            return "answer/linked"
        again = answer.guest in self._watching
        refused = self._reach.caller.call(wanted.meeting, answer.guest, answer.places, leads=False)
        if refused:
            return refused
        if again:
            self._watching[answer.guest].cancel()
        self._watching[answer.guest] = trio.CancelScope()
        late = "answer/late-begun" if wanted.begun else "answer/late"
        self._nursery.start_soon(self._watch, answer, late, self._watching[answer.guest])
        return "answer/again" if again else "answer/called"

    async def _watch(self, answer: GuestAnswer, late: str, scope: trio.CancelScope) -> None:
        """Tell what becomes of the calls. late: the code of what is told after three minutes."""
        began = trio.current_time()
        told = False
        with scope:
            while trio.current_time() < began + CALLED:
                if any(peer == answer.guest for peer, _ in self._reach.supervisor.links):
                    self._tell("answer/up", answer)
                    break
                if not told and trio.current_time() > began + LATE:
                    told = True
                    self._tell(late, answer)
                await trio.sleep(LOOK_EVERY)
            else:
                self._tell("answer/over", answer)
        if self._watching.get(answer.guest) is scope:
            del self._watching[answer.guest]

    def _name(self, error: TicketError) -> None:
        """Show what is wrong with a line."""
        trouble = ticket_trouble(error)
        self._show(lambda: trouble.whole)

    def _tell(self, code: str, answer: GuestAnswer | None = None) -> None:
        text = _TOLD[code]
        name = "" if answer is None else fingerprint(answer.guest)
        made = 0 if answer is None else answer.expiry - LASTS
        moment, now = (
            time.strftime(MOMENTS, time.localtime(max(0, min(each, 1 << 32)))) for each in (made, time.time())
        )
        self._show(lambda: _(text).format(name=name, moment=moment, now=now, do=DO))


def _expired(answer: GuestAnswer) -> bool:
    return answer.expiry + TOLERATED < time.time()
