"""What a session knows: its attributes, and all that screens read of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, Final

from client.player import Asked, LobbyControls, TableControls
from client.session.choices import Choices
from client.session.draft import Draft
from client.session.lobby import Lobby
from client.session.log import SessionLog
from client.session.news import ChatMessage, Told
from client.session.notation import answer_text
from client.session.orders import Moment, Order, Orders, moment_of
from client.session.proposals import Proposal, proposals_of
from client.session.screen import Screen
from client.session.troubles import Trouble, Troubles
from client.show.battles import Chance
from client.show.pictures import Frame, Pictures, pictures
from client.show.styled import UNICODE, Glyphs
from client.wording import PLAIN, DisplayNames
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View

if TYPE_CHECKING:  # the network loads slowly
    from client.session.mail import Mail

__all__ = ["NOBODY", "Question", "SessionState"]

NOBODY: Final = Seat(-1)
"""The seat whose view shows what everybody may see."""

RECENT: Final = 12
"""Heights whose events are recent."""

Send = Callable[[Asked, Sequence[Value]], None]
Question = tuple[str, Callable[[bool], None]]
Forces = tuple[str, ...]


class SessionState:
    """What one person sees at one table.

    Attributes:
        glyphs: what the screen can draw.
        controls: the table; None before it begins.
        pictures: what the game shows.
        called: what things are called at this table.
        draft: the answer that is being drafted; None while nothing is asked.
        choices: the options of the draft; None while it can only be sent or taken back.
        orders: the standing orders of the seats at this terminal.
        events: the log and the chat.
        sent_at: the height of the first answer that was sent last.
        sent_last: the height of the last one.
        seen: the height of the last thing that this person did; None before that. What is told later is news.
        since: for each name that keeps the table waiting, since when, in seconds since 1970.
        present: where several seats share this screen, the one whose person is at it; None until somebody is.
        awaited: the seat whose person is to take the screen before it is asked; None while nobody has to.
        step: counts the questions and drafts shown, so that an action can name the one that it is about.
        left: True after the person has left.
        lasting: True if the table stays when the person leaves it; practice does not.
        screens: what shows the session.
        lobby: what is known of the table before it begins; None where nothing is.
        door: what may be done there; None where there is no lobby, and once the table has begun.
        open_troubles: the troubles that are not over.
        fighting: while the person fights on as is advised, who fights, as `_forces` tells it; None otherwise.
        before_battle: the event that began the battle under way, and its chances then; None before the first battle.
        wish: what the person said there that they would like to play, by its id, "" for nothing.
        mail: what is pasted at a table that is played by post; None at all others.
    """

    def __init__(
        self, send: Send, leave: Callable[[], None], glyphs: Glyphs = UNICODE, clock: Callable[[], float] = time
    ) -> None:
        """clock: seconds since 1970."""
        self.glyphs = glyphs
        self.controls: TableControls | None = None
        self.pictures: Pictures = pictures("")
        self.called: DisplayNames = PLAIN
        self.draft: Draft | None = None
        self.choices: Choices | None = None
        self.orders = Orders()
        self.events = SessionLog()
        self.sent_at: int | None = None
        self.sent_last: int | None = None
        self.seen: int | None = None
        self.since: dict[str, float] = {}
        self.present: int | None = None
        self.awaited: int | None = None
        self.step = 0
        self.left = False
        self.lasting = True
        self.screens: list[Screen] = []
        self.mail: Mail | None = None
        self.lobby: Lobby | None = None
        self.door: LobbyControls | None = None
        self.wish = ""
        self.open_troubles = Troubles()
        self.fighting: Forces | None = None
        self.before_battle: tuple[Event, Chance | None] | None = None
        self._send, self._leave, self._clock = send, leave, clock
        self._waiting: list[Asked] = []
        self._questions: list[Question] = []
        self._sent: list[Event] = []

    # What is read ----------------------------------------------------------------------------------------------------

    @property
    def log(self) -> list[Told]:
        """The events of the game so far, in words."""
        return self.events.told

    @property
    def chat(self) -> list[ChatMessage]:
        """The messages so far."""
        return self.events.chat

    @property
    def names(self) -> list[str]:
        """The names of all seats, safe to show."""
        return [self.controls.name(seat) for seat in range(self.controls.genesis.seats)] if self.controls else []

    @property
    def questions(self) -> Sequence[str]:
        """The questions to be answered with yes or no before the table begins, the next one first."""
        return [question for question, _answered in self._questions]

    @property
    def question(self) -> str | None:
        """The one to be answered next."""
        return self.questions[0] if self._questions else None

    @property
    def waits(self) -> bool:
        """True if the session goes on only when the person says something."""
        return self.draft is not None or self.awaited is not None or self.question is not None

    @property
    def sendable(self) -> bool:
        """True if the draft holds complete answers only."""
        return self.draft is not None and bool(self.draft.values) and not self.draft.so_far

    @property
    def picked(self) -> Sequence[str]:
        """The complete answers of the draft, in notation."""
        if self.draft is None:
            return ()
        return [answer_text(self.pictures, self.called, self.names, ask, value) for ask, value in self.draft.answered]

    @property
    def so_far(self) -> str:
        """The picks of an answer that is not complete, in notation."""
        if self.draft is None or self.draft.ask is None or not self.draft.so_far:
            return ""
        return answer_text(self.pictures, self.called, self.names, self.draft.ask, self.draft.so_far)

    @property
    def held(self) -> Sequence[int]:
        """The seats of this person that say no by themselves."""
        return sorted({order.seat for order in self.standing() if order.hold})

    @property
    def shared(self) -> bool:
        """True if several people sit at this screen, who must not see each other's hands."""
        return self.controls is not None and len(self.controls.seats) > 1

    def standing(self, match: Match | None = None) -> Sequence[Order]:
        """The standing orders of who is at the screen, without those whose time is over.  match: the game of who is
        asked."""
        match = match or (self.controls.match if self.controls is not None else None)
        if match is not None and self.orders.given:
            self.orders.pass_on(self._moment(match))
        return [each for each in self.orders.given if not self.shared or each.seat == self.present]

    def _moment(self, match: Match) -> Moment:
        return moment_of(self.pictures, match, self.controls.history if self.controls is not None else ())

    @property
    def recent(self) -> Sequence[Event]:
        """What the game told last, oldest first."""
        return [event for _height, told in self.controls.history[-RECENT:] for event in told] if self.controls else ()

    def frame(self, words: Sequence[str] = (), width: int = 80) -> Frame:
        """What pictures are drawn of: the draft while there is one, else the table as it stands."""
        assert self.controls is not None
        return Frame(self._game(), self.names, self.glyphs, words, width, self.called)

    def _game(self) -> View:
        assert self.controls is not None
        if self.draft is not None:
            return self.draft.view()
        match, seats = self.controls.match, self.controls.seats
        if len(seats) == 1:
            return match.view(seats[0], self.controls.lens(seats[0]), copy=False)
        # Several people at one screen: nobody's secrets, drawn as the first of them sits.
        return replace(match.view(NOBODY, copy=False), seat=Seat(seats[0] if seats else NOBODY))

    def votes(self) -> list[Proposal]:
        """The proposals that wait for this person's word."""
        return [] if self.controls is None else proposals_of(self.controls, self.log)

    def troubles(self) -> list[Trouble]:
        """What stands in the way of the table now, the most urgent first."""
        controls = self.controls
        return self.open_troubles.listed(lambda name: controls is not None and name in controls.linked())
