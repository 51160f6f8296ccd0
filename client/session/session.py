# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of a person at a table, wired from machines that each own a part of it.

The table calls the second part of `Session`, the person's actions the third; screens read the first. Nothing waits and
nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import time
from typing import TYPE_CHECKING

from client.session.asking import Asking, Send
from client.session.carried import Carried, is_carried
from client.session.choices import Choices
from client.session.draft import Draft
from client.session.lobby import Gathering, Lobby
from client.session.log import SessionLog
from client.session.network import Network
from client.session.news import Announced, ChatMessage, LoggedEvent
from client.session.orders import Order, Orders
from client.session.proposals import Proposal, proposals_of
from client.session.questions import Question, Questions
from client.session.screens import Screens
from client.session.sent import Sent
from client.session.shown_table import NOBODY, ShownTable
from client.session.troubles import Trouble, Troubles
from client.show.pictures import Frame, Pictures
from client.show.styled import UNICODE, Glyphs
from client.table.lobby_notices import LobbyNotice
from client.table.notices import GameOver, HistoryRewound, OthersHeard, TableNotice, VoteNotice, VoteStage
from client.table.player import Asked, LobbyControls, TableControls
from client.words import DisplayNames
from engine.core.errors import Refusal
from engine.core.events import Event

if TYPE_CHECKING:  # the network loads slowly
    from client.table.mail import Mail
    from p2p.lockstep.account import RollReport
    from p2p.lockstep.machine import RefusalLike

__all__ = ["NOBODY", "Session"]


class Session:
    """What one person sees and does at one table.

    Attributes:
        table: the table, with what is needed to draw and to word it.
        asking: the questions, the draft and the standing orders.
        sent: the answers sent last.
        events: the log and the chat.
        questions: the questions before the table begins.
        gathering: the lobby.
        network: the last check of the network.
        open_troubles: the troubles that have not ended.
        screens: the screens that show the session.
        left: True after the person has left.
        guided: True while questions come with advice for a first game.
        lasting: True if the table stays when the person leaves it; practice does not.
        rolled: the last rolls of battles, each with the event that tells it, by step.
        before_battle: the opening event of the present battle, and each side's chance then; None before a first one.
        mail, carried: collect pasted rows: text of a table by post (None at other tables), and lines of other homes.
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
        self.sent = Sent()
        self.screens = Screens(self.table, clock)
        self.asking = Asking(self.table, self.events, self.sent, self.screens, send)
        self.questions = Questions()
        self.gathering = Gathering()
        self.network = Network()
        self.open_troubles = Troubles()
        self.left = False
        self.lasting = self.guided = True
        self.rolled: dict[int, tuple[Event, RollReport]] = {}
        self.before_battle: tuple[Event, Sequence[tuple[int, float]]] | None = None
        self.mail: Mail | None = None
        self.carried = Carried(self)
        self._leave = leave

    # What is read ----------------------------------------------------------------------------------------------------

    @property
    def glyphs(self) -> Glyphs:
        """The characters that the screen can draw."""
        return self.table.glyphs

    @property
    def controls(self) -> TableControls | None:
        """The table; None before it begins."""
        return self.table.controls

    @property
    def pictures(self) -> Pictures:
        """The pictures of the game."""
        return self.table.pictures

    @property
    def display_names(self) -> DisplayNames:
        """The display names at this table."""
        return self.table.display_names

    @property
    def names(self) -> list[str]:
        """The names of all seats, safe to show."""
        return self.table.names

    @property
    def recent(self) -> Sequence[Event]:
        """The recent events of the game, the oldest first."""
        return self.table.recent

    def frame(self, words: Sequence[str] = (), width: int = 80) -> Frame:
        """The frame to draw pictures of: the draft while there is one, else the present table."""
        return self.table.frame(self.draft, words, width)

    @property
    def draft(self) -> Draft | None:
        """The draft of the answer; None while nothing is asked."""
        return self.asking.draft

    @property
    def choices(self) -> Choices | None:
        """The options of the draft; None while it can only be sent or taken back."""
        return self.asking.choices

    @property
    def step(self) -> int:
        """Counts the questions and drafts shown, so that an action can name the one that it belongs to."""
        return self.asking.step

    @property
    def awaited(self) -> int | None:
        """The seat whose person must take the screen before it is asked; None otherwise."""
        return self.asking.awaited

    @property
    def sendable(self) -> bool:
        """True if the draft holds complete answers only."""
        return self.asking.sendable

    @property
    def picked(self) -> Sequence[str]:
        """The complete answers of the draft, in notation."""
        return self.asking.picked

    @property
    def so_far(self) -> str:
        """The picks of an answer that is not complete, in notation."""
        return self.asking.so_far

    @property
    def orders(self) -> Orders:
        """The standing orders of the seats at this terminal."""
        return self.asking.orders

    def standing(self) -> Sequence[Order]:
        """The standing orders of the person at the screen."""
        return self.asking.standing()

    @property
    def held(self) -> Sequence[int]:
        """The seats of this person that hold: they say no automatically."""
        return sorted({order.seat for order in self.standing() if order.hold})

    @property
    def log(self) -> list[LoggedEvent]:
        """The events of the game so far, in words."""
        return self.events.entries

    @property
    def chat(self) -> list[ChatMessage]:
        """The messages so far."""
        return self.events.chat

    @property
    def question(self) -> str | None:
        """The next yes-or-no question before the table begins; None without one."""
        return self.questions.texts[0] if self.questions.texts else None

    @property
    def waits(self) -> bool:
        """True if the session goes on only when the person says something."""
        return self.draft is not None or self.awaited is not None or self.question is not None

    @property
    def lobby(self) -> Lobby | None:
        """The lobby; None if nothing is known of one."""
        return self.gathering.lobby

    @property
    def door(self) -> LobbyControls | None:
        """The controls of the lobby; None without a lobby and after the table has begun."""
        return self.gathering.door

    def votes(self) -> list[Proposal]:
        """The proposals that wait for this person's vote."""
        return [] if self.controls is None else proposals_of(self.controls, self.log)

    def troubles(self) -> list[Trouble]:
        """The open troubles of the table, the most urgent first."""
        controls = self.controls
        linked = {} if controls is None else controls.linked()
        return self.open_troubles.listed(linked.__contains__, lambda name: linked.get(name, False), self.log)

    def stopped(self) -> Trouble | None:
        """The trouble that has stopped the table, so that it waits for nobody here; None if it goes on."""
        return next((trouble for trouble in self.troubles() if trouble.stops), None)

    # The table calls -------------------------------------------------------------------------------------------------

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines before the table begins. told: returns them in the language in use. plain: True for lines that a
        drawn lobby shows anyway."""
        self.screens.tell(lambda screen: screen.show(told, plain=plain))

    def gather(self, door: LobbyControls) -> None:
        """The lobby is open."""
        self.gathering.open(door)
        self.screens.tell()

    def sit(self, controls: TableControls) -> None:
        """The table begins or goes on."""
        self.gathering.close()
        self.open_troubles.begun()
        self.table.begin(controls)
        self.events.begin()
        self.sent.begin(controls)
        self.screens.tell(lambda screen: screen.begun())

    def confirm(self, question: Callable[[], str], answered: Callable[[bool], None]) -> None:
        """Ask a yes-or-no question before the table begins. question: returns its text in the language in use."""
        self.questions.ask(Question(question, answered))
        self.screens.tell(lambda screen: screen.questioned())

    def confirmed(self, answered: Callable[[bool], None]) -> None:
        """Remove a question that is answered or no longer needed."""
        self.questions.drop(answered)
        self.screens.tell()

    def asked(self, asked: Asked) -> None:
        """A seat owes an answer."""
        self.asking.asked(asked)

    def withdrawn(self, asked: Asked) -> None:
        """Close a question: its answer is no longer needed, or was accepted."""
        self.asking.withdrawn(asked)

    def happened(self, height: int, events: Sequence[Event]) -> None:
        """Add events of the game; events that a sent draft has shown are no news."""
        self.open_troubles.moved()
        self.screens.anew()
        told = [self.events.worded(height, event) for event in events]
        self.events.add(told)
        news = self.sent.news(events, told)
        self.screens.tell(lambda screen: screen.happened(told, news))

    def notice(self, notice: TableNotice) -> None:
        """Add a notice of the table."""
        if isinstance(notice, OthersHeard):
            self.screens.tell()
            return
        if isinstance(notice, LobbyNotice):
            self.gathering.heard(notice)
            self.screens.tell()
            return
        self.open_troubles.heard(notice)
        if isinstance(notice, GameOver):
            self.orders.end_all()
        news = self.events.heard(notice)
        match notice:
            case HistoryRewound() | VoteNotice(VoteStage.AGREED, "takeback" | "repair") if self.controls is not None:
                self.sent.rewound(self.controls)
                self.screens.anew()
        self.screens.tell(lambda screen: screen.noticed(news))

    def announce(self, news: Announced) -> None:
        """Announce something that happened on this machine only."""
        self.screens.tell(lambda screen: screen.noticed(news))

    # The person acts -------------------------------------------------------------------------------------------------

    def say(self, text: str) -> RefusalLike | None:
        """Send a chat message to all, in the lobby or at the table."""
        if self.controls is not None:
            return self.controls.chat(text)
        if self.door is None:
            return Refusal("table/not-begun")
        if self.lobby is not None and self.lobby.places and not self.lobby.seated:
            return Refusal("table/no-seat")
        from p2p.lobby.messages import MAX_SAID  # the network loads slowly

        if not 0 < len(text.encode()) <= MAX_SAID and not is_carried(text, at_door=True):
            return Refusal("chat/length", "", (MAX_SAID,))
        return self.door.say(text)

    def reworded(self) -> None:
        """Put the log and the question into words again after a change of language."""
        if self.controls is not None:
            self.table.reword()
            self.events.begin()
            if self.draft is not None:
                self.asking.list_options()
        self.screens.tell()

    def go_alone(self, *words: str) -> bool:
        """Leave the table and go on alone at a new one that names it; False where that is not possible. words: options
        of `starlock resume`."""
        alone = None if self.controls is None else self.controls.alone
        if alone is not None:
            self.left = True
            alone(words)
        return alone is not None

    def leave(self) -> None:
        """Leave the table, which can be resumed. Before it begins, leave the lobby."""
        self.left = True
        self.screens.tell()
        self._leave()
