# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of a person at a table, wired from machines that each own a part of it; the smallest stands here: the last
check of the network.

Screens read all of it as one value, see `client.session.view`, and act by deeds. Nothing waits and nothing is
drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import ip_address
from time import time
from typing import TYPE_CHECKING, TypeAlias

from client.session.asking import SeatQuestions, Send, SentAnswers
from client.session.lobby import Gathering
from client.session.log import SessionLog, proposals_of
from client.session.news import Announced
from client.session.screens import Screens, ShownTable
from client.session.troubles import TableTrouble, Troubles
from client.session.view_records import VoteView
from client.show.pictures import Frame
from client.show.styled import UNICODE, Glyphs
from client.table.lobby_notices import LobbyNotice
from client.table.notices import AnswerMade, GameOver, HistoryRewound, OthersHeard, TableNotice, VoteNotice, VoteStage
from client.table.player import LobbyControls, TableControls, seats_of
from engine.core.errors import Refusal
from engine.core.events import Event

if TYPE_CHECKING:  # the network loads slowly
    from client.session.home import HomeModel
    from client.table.mail import Mail
    from p2p.lockstep.account import RollReport
    from p2p.lockstep.machine import RefusalLike


Heard: TypeAlias = Callable[[Sequence[str]], None]
Look: TypeAlias = Callable[[Heard], None]


class Network:
    """A check of the network, which takes some seconds.

    Attributes:
        looking: True during the check.
        lines: one line for each step, with its cause and advice; None before the first check.
    """

    def __init__(self) -> None:
        self.looking = False
        self.lines: Sequence[str] | None = None
        self._heard: list[Heard] = []

    def look(self, examine: Look, changed: Callable[[], None], heard: Heard = lambda _lines: None) -> None:
        """Check again, unless a check is under way.

        examine: starts the check and calls its argument with the findings.
        changed: called when the findings are known.
        heard: called with them.
        """
        self._heard.append(heard)

        def told(lines: Sequence[str]) -> None:
            self.looking, self.lines = False, tuple(lines)
            waiting, self._heard = self._heard, []
            for each in waiting:
                each(self.lines)
            changed()

        if not self.looking:
            self.looking = True
            examine(told)
        changed()


class Session:
    """What one person sees and does at one table.

    Attributes:
        table: the table, with what is needed to draw and to word it.
        asking: the questions, the draft and the standing orders.
        sent: the answers sent last.
        events: the log and the chat.
        questions: the yes-or-no questions that are open before the table begins, the next one first: by what is called
            with the answer, what returns the text in the language in use, safe to show.
        gathering: the lobby.
        network: the last check of the network.
        open_troubles: the troubles that have not ended.
        screens: the screens that show the session.
        left: True after the person has left.
        guided: True while questions come with advice for a first game.
        lasting: True if the table stays when the person leaves it; practice does not.
        answer: the answer to a ticket that leads nowhere, which another home has to get; "" if there is none.
        address_asked: True while a typed address counts as that of this home.
        rolled: the last rolls of battles, each with the event that tells it, by step.
        before_battle: the opening event of the present battle, and each side's chance then; None before a first one.
        home: what is seen at home, before there is a table; None at a table.
        mail: collects pasted rows of a table by post; None at other tables.
    """

    def __init__(
        self, send: Send, leave: Callable[[], None], glyphs: Glyphs = UNICODE, clock: Callable[[], float] = time
    ) -> None:
        """Begin a session without a table.

        send: sends an answer to the table.
        leave: leaves the table.
        clock: seconds since 1970.
        """
        self.table = ShownTable(glyphs)
        self.events = SessionLog(self.table)
        self.sent = SentAnswers()
        self.screens = Screens(self.table, clock)
        self.asking = SeatQuestions(self.table, self.events, self.sent, self.screens, send)
        self.questions: dict[Callable[[bool], None], Callable[[], str]] = {}
        self.gathering = Gathering()
        self.network = Network()
        self.open_troubles = Troubles()
        self.left = False
        self.lasting = self.guided = True
        self.answer, self.address_asked = "", False
        self.rolled: dict[int, tuple[Event, RollReport]] = {}
        self.before_battle: tuple[Event, Sequence[tuple[int, float]]] | None = None
        self.home: HomeModel | None = None
        self.mail: Mail | None = None
        self._leave, self._pasted = leave, ""

    # What is read of several parts -----------------------------------------------------------------------------------

    def frame(self, words: Sequence[str] = (), width: int = 80) -> Frame:
        """The frame to draw pictures of: the draft while there is one, else the present table."""
        return self.table.frame(self.asking.draft, words, width)

    def votes(self) -> list[VoteView]:
        """The proposals that wait for this person's vote."""
        controls = self.table.controls
        return [] if controls is None else proposals_of(controls, self.events.entries)

    def troubles(self) -> list[TableTrouble]:
        """The open troubles of the table, the most urgent first."""
        controls, linked = self.table.controls, self.table.linked

        def links(member: int) -> list[bool]:
            return [] if controls is None else [linked[seat] for seat in seats_of(controls, member) if seat in linked]

        return self.open_troubles.listed(links, self.events.entries, pair=self.only_other() is not None)

    def only_other(self) -> int | None:
        """The number of the one member besides this one that is present, whom no vote can leave out; None where there
        are several or none, and for who watches."""
        controls = self.table.controls
        if controls is None or not controls.seats:
            return None
        members = controls.members()
        others = {members[seat] for seat in self.table.linked if seat in members}
        return others.pop() if len(others) == 1 else None

    def stopped(self) -> TableTrouble | None:
        """The trouble that has stopped the table, so that it waits for nobody here; None if it goes on."""
        return next((trouble for trouble in self.troubles() if trouble.stops), None)

    # The table calls -------------------------------------------------------------------------------------------------

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins. told: returns them in the language in use. plain: True for lines that a
        drawn lobby shows anyway."""
        self.screens.tell(lambda screen: screen.show(told, plain=plain))

    def gather(self, door: LobbyControls) -> None:
        self.gathering.open(door)
        self.screens.tell()

    def sit(self, controls: TableControls) -> None:
        """The table begins or goes on."""
        self.gathering.lobby = self.gathering.door = None
        self.open_troubles.begun()
        self.table.begin(controls)
        self.events.begin()
        self.sent.begin(controls)
        self.screens.tell(lambda screen: screen.begun())

    def confirm(self, question: Callable[[], str], answered: Callable[[bool], None]) -> None:
        """Ask a yes-or-no question before the table begins. question: returns its text in the language in use."""
        self.questions[answered] = question
        self.asking.step += 1
        self.screens.tell(lambda screen: screen.questioned())

    def confirmed(self, answered: Callable[[bool], None]) -> None:
        """Remove a question that is answered or no longer needed."""
        self.questions.pop(answered, None)
        self.asking.step += 1
        self.screens.tell()

    def happened(self, height: int, events: Sequence[Event]) -> None:
        """Add events of the game; events that a sent draft has shown are no news."""
        self.open_troubles.moved()
        self.screens.since = {}  # every wait begins now
        told = [self.events.worded(height, event) for event in events]
        self.events.add(told)
        news = self.sent.news(events, told)
        self.screens.tell(lambda screen: screen.happened(told, news))

    def notice(self, notice: TableNotice) -> None:
        if isinstance(notice, OthersHeard):
            self.screens.tell()
            return
        if isinstance(notice, LobbyNotice):
            self.gathering.heard(notice)
            self.screens.tell()
            return
        if isinstance(notice, AnswerMade):
            self.answer, self.address_asked = notice.line, notice.asks
            self.screens.tell()
            return
        self.open_troubles.heard(notice)
        if isinstance(notice, GameOver):
            self.asking.orders.end(lambda _order: True)
        news, controls = self.events.heard(notice, pair=self.only_other() is not None), self.table.controls
        match notice:
            case HistoryRewound() | VoteNotice(VoteStage.AGREED, "takeback" | "repair") if controls is not None:
                self.sent.begin(controls)
                self.screens.since = {}  # every wait begins now
        self.screens.tell(lambda screen: screen.noticed(news))

    def announce(self, news: Announced) -> None:
        """Announce something that happened on this machine only."""
        self.screens.tell(lambda screen: screen.noticed(news))

    # The person acts -------------------------------------------------------------------------------------------------

    def say(self, text: str) -> RefusalLike | None:
        """Send a chat message to all, in the lobby or at the table."""
        if self.table.controls is not None:
            return self.table.controls.chat(text)
        if self.gathering.door is None:
            return Refusal("table/not-begun")
        if self.paste(text):
            return None
        if self.gathering.lobby is not None and self.gathering.lobby.places and not self.gathering.lobby.seated:
            return Refusal("table/no-seat")
        from p2p.lobby.messages import MAX_SAID  # the network loads slowly

        if not 0 < len(text.encode()) <= MAX_SAID:
            return Refusal("chat/length", "", (MAX_SAID,))
        return self.gathering.door.say(text)

    def paste(self, text: str) -> bool:
        """True if a text is meant for this home, which takes it in: a line of another home, or, in a lobby, the address
        of this one."""
        if not is_carried(text, address=self.table.controls is None or self.address_asked):
            return False
        if self.table.controls is not None:
            self.table.controls.chat(text)
        elif self.gathering.door is not None:
            self.gathering.door.say(text)
        return self.table.controls is not None or self.gathering.door is not None

    def pasted(self, row: str) -> bool:
        """True if a typed row belongs to such a text, which is taken in once it is whole; it is then no answer and no
        command."""
        begun = self.table.controls is not None
        at_door = not begun and self.gathering.door is not None
        if not self._pasted and not ((at_door or begun) and is_carried(row, address=at_door or self.address_asked)):
            return False
        from p2p.reach.lines import unfinished  # the network loads slowly

        self._pasted += row + "\n"
        if not row.strip() or not unfinished(self._pasted):
            whole, self._pasted = self._pasted, ""
            self.paste(whole.strip())
        return True

    def reworded(self) -> None:
        """Put the log and the question into words again after a change of language."""
        if self.table.controls is not None:
            self.table.reword()
            self.events.begin()
            if self.asking.draft is not None:
                self.asking.list_options()
        self.screens.tell()

    def go_alone(self, *words: str) -> None:
        """Leave the table and go on alone at a new one that names it. words: options of `starlock resume`."""
        alone = self.table.running.alone
        assert alone is not None
        self.left = True
        alone(words)

    def leave(self) -> None:
        """Leave the table, which can be resumed. Before it begins, leave the lobby."""
        self.left = True
        self.screens.tell()
        self._leave()


def is_carried(text: str, *, address: bool) -> bool:
    """True if a text is meant for this home and not for the others: it holds a line from another home, or is the
    address of this one. address: True if that may be typed now."""
    if ":" not in text and "." not in text:
        return False
    from p2p.reach.lines import begins  # the network loads slowly

    if begins(text):
        return True
    try:
        ip_address(text.strip())
    except ValueError:
        return False
    return address
