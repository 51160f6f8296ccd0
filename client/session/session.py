"""The model of a person at a table: the table calls the first half, the person's actions the second.

Nothing waits and nothing is drawn here.  `take` hands out what is new since the last call; everything else is read from
the session when a screen draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING, Final

from client.names import shown
from client.player import Asked, LobbyControls, TableControls, TableNotice
from client.session import lobby as lobbies
from client.session.choices import Choices, choices_of
from client.session.draft import Draft
from client.session.lobby import LOBBY, Lobby
from client.session.news import Announced, ChatMessage, Told
from client.session.notation import answer_text
from client.session.orders import UNTIL, Moment, Order, Orders, moment_of, order_text
from client.session.proposals import Proposal, lost_by, proposals_of
from client.session.screen import Screen
from client.session.troubles import Standing, Trouble, begins, heard, troubles
from client.show.battles import Chance
from client.show.pictures import Frame, Pictures, pictures
from client.show.styled import UNICODE, Glyphs
from client.table.words import notice_text
from client.wording import PLAIN, DisplayNames, called_at, event_text, seat_arguments
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View

if TYPE_CHECKING:  # the network loads slowly
    from client.session.mail import Mail
    from p2p.lockstep.machine import RefusalLike

__all__ = ["Question", "Session"]

NOBODY: Final = Seat(-1)
"""The seat whose view shows what everybody may see."""

KEPT: Final = 5000
"""Events of the log that are kept."""

RECENT: Final = 12
"""Heights whose events are recent."""

Send = Callable[[Asked, Sequence[Value]], None]
Question = tuple[str, Callable[[bool], None]]


class Session:
    """What one person sees and does at one table.

    Attributes:
        glyphs: what the screen can draw.
        controls: the table; None before it begins.
        pictures: what the game shows.
        called: what things are called at this table.
        draft: the answer that is being drafted; None while nothing is asked.
        choices: the options of the draft; None while it can only be sent or taken back.
        orders: the standing orders of the seats at this terminal.
        log: the events of the game so far, in words.
        chat: the messages so far.
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
        open_notices: the notices of troubles that are not over; see `client.session.troubles`.
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
        self.log: list[Told] = []
        self.chat: list[ChatMessage] = []
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
        self.open_notices: Standing = {}
        self.before_battle: tuple[Event, Chance | None] | None = None
        self._send, self._leave, self._clock = send, leave, clock
        self._waiting: list[Asked] = []
        self._questions: list[Question] = []
        self._sent: list[Event] = []

    # What is read ----------------------------------------------------------------------------------------------------

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
        return troubles(self.open_notices, lambda name: controls is not None and name in controls.linked())

    # The table calls -------------------------------------------------------------------------------------------------

    def show(self, text: str) -> None:
        """Lines to read before the table begins."""
        self._tell(lambda screen: screen.show(text))

    def gather(self, door: LobbyControls) -> None:
        """The lobby is open."""
        self.door, self.lobby = door, self.lobby or Lobby()
        self._tell()

    def sit(self, controls: TableControls) -> None:
        """The table begins or goes on."""
        self.lobby = self.door = None
        self.open_notices = begins(self.open_notices)
        self.controls, self.pictures = controls, pictures(controls.genesis.game)
        self._word(controls)
        own = (at for at, told in controls.history if any(event.args.get("seat") in controls.seats for event in told))
        self.seen = max(own, default=None)
        self._tell(lambda screen: screen.begun())

    def _word(self, controls: TableControls) -> None:
        """Word all that the game has told."""
        self.called = called_at(controls.match.spec)
        log = [self._told(height, event) for height, told in controls.history for event in told][-KEPT:]
        self.log = [replace(told, undone=not controls.stands(told.height)) for told in log]

    def confirm(self, question: str, answered: Callable[[bool], None]) -> None:
        """A yes or no is wanted before the table begins."""
        self._questions.append((question, answered))
        self._tell(lambda screen: screen.questioned())

    def confirmed(self, answered: Callable[[bool], None]) -> None:
        """The question is answered, or of no interest any more."""
        self._questions = [each for each in self._questions if each[1] is not answered]
        self._tell()

    def asked(self, asked: Asked) -> None:
        """A seat owes an answer.  A draft begins when no other seat of this person is being asked."""
        self._waiting.append(asked)
        if len(self._waiting) == 1:
            self._begin()

    def withdrawn(self, asked: Asked) -> None:
        """An answer is not wanted any more, or has been taken."""
        if asked in self._waiting:
            first = self._waiting[0] is asked
            self._waiting.remove(asked)
            if first:
                self._end_draft()
                self._begin()
                self._tell()

    def told(self, height: int, events: Sequence[Event]) -> None:
        """The game has something to say; what a sent draft has shown already is no news."""
        news = []
        for event in events:
            told = self._told(height, event)
            self.log.append(told)
            if self._sent and self._sent[0] == event:
                del self._sent[0]
            else:
                self._sent = []
                news.append(told)
        del self.log[:-KEPT]
        self._tell(lambda screen: screen.told(news))

    def notice(self, notice: TableNotice) -> None:
        """Something happened at the table: a chat message, or what the table announces."""
        if notice.code.startswith(LOBBY):
            self.lobby = lobbies.heard(self.lobby or Lobby(), notice)
            self._tell()
            return
        self.open_notices = heard(self.open_notices, notice)
        news = self._noticed(notice)
        self._tell(lambda screen: screen.noticed(news))

    def announce(self, news: Announced) -> None:
        """Something happened on this machine alone."""
        self._tell(lambda screen: screen.noticed(news))

    def _noticed(self, notice: TableNotice) -> ChatMessage | Announced:
        if notice.code == "chat" and notice.fields["text"] is not None:
            said = ChatMessage(str(notice.fields["name"]), shown(str(notice.fields["text"])))
            self.chat.append(said)
            del self.chat[:-KEPT]
            return said
        if notice.code == "over":
            self.orders.end_all()
        if notice.code == "rewound":
            self._sent = []
            self.log = [told for told in self.log if told.height < int(notice.fields["height"])]
        if notice.code.startswith("vote/"):
            lost = lost_by(notice.fields["kind"], notice.fields["terms"], self.log)
            notice = replace(notice, fields={**notice.fields, **lost})
            text = notice_text(notice)
            if notice.code == "vote/agreed":
                self.log = [replace(told, undone=not self._stands(told.height)) for told in self.log]
            return Announced(notice.code, text, notice.fields)
        return Announced(notice.code, notice_text(notice), notice.fields)

    def _stands(self, height: int) -> bool:
        return self.controls is None or self.controls.stands(height)

    def _told(self, height: int, event: Event) -> Told:
        seated = seat_arguments(self.called.game)
        named = [value for name, value in event.args.items() if name in seated]
        flat = {seat for value in named for seat in (value if isinstance(value, tuple | list) else (value,))}
        seats = tuple(sorted(seat for seat in flat if isinstance(seat, int) and seat >= 0))
        assert self.controls is not None
        places = tuple(dict.fromkeys(self.pictures.happened(self.controls.match.g, event)))
        return Told(height, event_text(event, self.names, self.called), event.id, seats, places=places)

    # The person acts -------------------------------------------------------------------------------------------------

    def reply(self, yes: bool) -> None:
        """Answer the question that is asked before the table begins."""
        self._questions[0][1](yes)

    def take_screen(self) -> None:
        """The person of the awaited seat is at the screen now: ask."""
        self.present, self.awaited = self.awaited, None
        self._begin()
        self._tell()

    def wish_for(self, word: str) -> None:
        """Say in the lobby what one would like to play, by its id; "" for nothing."""
        self.wish = word
        if self.door is not None:
            self.door.wish(word)

    def say(self, text: str) -> RefusalLike | None:
        """Say something to all, in the lobby or at the table."""
        if self.controls is not None:
            return self.controls.chat(text)
        if self.door is None:
            return Refusal("table/not-begun")
        self.door.say(text)
        return None

    def pick(self, option: Value, more: bool = False) -> None:
        """Take one of the options into the draft.

        A plain "no" to a question that comes again and again is sent at once unless `more` picks follow: there is
        nothing to look over.
        """
        draft = self.draft
        assert draft is not None
        events = [*draft.pick(option), *self._by_orders(draft)]
        caused = [self._told(draft.asked.height, event) for event in events]
        no = self.pictures.waive(draft.asked.ask)
        if not more and draft.ask is None and no is not None and draft.values == [no]:
            self.send()
        else:
            self._list()
            self._tell(lambda screen: screen.drafted(caused))

    def _by_orders(self, draft: Draft) -> Sequence[Event]:
        """Let orders answer what is asked next in a draft, each of them once; returns what that caused."""
        events: list[Event] = []
        for _order in self.standing():
            found = self.orders.of(draft) if draft.values else None
            if found is not None:
                events += draft.answer(found[1])
        return events

    def repick(self, stage: int, option: Value) -> None:
        """Take another option at a stage of the answer that is drafted; see `Draft.repick`."""
        draft = self.draft
        assert draft is not None
        caused = [self._told(draft.asked.height, event) for event in draft.repick(stage, option)]
        self._list()
        self._tell(lambda screen: screen.drafted(caused))

    def undo(self) -> bool:
        """Take the last pick back; False when there is none."""
        if self.draft is None or not self.draft.undo():
            return False
        self._list()
        self._tell(lambda screen: screen.drafted(()))
        return True

    def reset(self) -> bool:
        """Take the whole draft back; False when it is empty."""
        if self.draft is None or self.draft.empty:
            return False
        self.draft.reset()
        self._list()
        self._tell(lambda screen: screen.drafted(()))
        return True

    def send(self) -> Refusal | None:
        """Send the draft, which is final; or return why it cannot be sent."""
        draft = self.draft
        if draft is None or not draft.values:
            return Refusal("draft/empty")
        if draft.so_far:
            return Refusal("draft/incomplete")
        self._sent = [event for told in draft.told for event in told]
        self.sent_at = draft.asked.height
        self.sent_last = self.sent_at + len(draft.values) - 1
        self.give(draft.asked, draft.values)
        return None

    def give(self, asked: Asked, values: Sequence[Value]) -> None:
        """Give an answer, whatever was drafted."""
        self._end_draft()
        self.seen = asked.height + len(values) - 1
        self._send(asked, tuple(values))
        self._tell()

    def hold(self, until: str = UNTIL[0]) -> bool | None:
        """Say no now and until the phase, or what is given, ends; where a seat holds already, be asked again.

        Returns True if the seat holds now, False if nobody holds any more, None if nothing is asked to hold from.
        """
        draft = self.draft
        said = self.pictures.waive(draft.asked.ask) if draft is not None else None
        if draft is None or said is None:
            ended = self.orders.end_holding()
            self._tell()
            return False if ended else None
        asked = draft.asked
        self.orders.add(draft, said, asked.ask.word, until, self._moment(asked.match), hold=True)
        self.give(asked, (said,))
        return True

    def order(self, at: int, until: str) -> None:
        """Give an answer of the draft to all questions of its kind until the phase, the round or the game ends."""
        assert self.draft is not None
        ask, value = self.draft.answered[at]
        self.orders.add(self.draft, value, ask.word, until, self._moment(self.draft.asked.match))
        self._tell()

    def lift(self, order: Order) -> None:
        """End a standing order."""
        self.orders.end(order)
        self._tell()

    def reworded(self) -> None:
        """Another language is in use: word the log and what is asked again."""
        if self.controls is not None:
            self._word(self.controls)
            if self.draft is not None:
                self._list()
        self._tell()

    def leave(self) -> None:
        """Leave the table; it stays.  Before it begins, leave the lobby."""
        self.left = True
        self._tell()
        self._leave()

    # The draft -------------------------------------------------------------------------------------------------------

    def _list(self) -> None:
        """List the options of the draft as it is now."""
        self.step += 1
        draft = self.draft
        self.choices = None if draft is None else choices_of(draft, self.pictures, self.frame())

    def _begin(self) -> None:
        if self._waiting:
            asked = self._waiting[0]
            draft = Draft(asked)
            self.standing(asked.match)
            found = self.orders.of(draft) if asked.refusal is None else None
            if found is None:
                self._ask(draft)
            else:
                order, value = found
                self.give(asked, (value,))
                if not order.hold and (not self.shared or order.seat == self.present):
                    self.announce(Announced("order/answered", order_text(order, self.called), {"seat": order.seat}))

    def _ask(self, draft: Draft) -> None:
        """Ask for an answer, where the person of this seat is at the screen; else first for that person."""
        if self.shared and draft.asked.seat != self.present:
            self.present, self.awaited = None, draft.asked.seat
        else:
            self.draft = draft
            self._list()
        self._tell(lambda screen: screen.asked(draft.asked.refusal))

    def _end_draft(self) -> None:
        self.draft = self.choices = self.awaited = None
        self.step += 1

    def _tell(self, news: Callable[[Screen], None] | None = None) -> None:
        owing = self.controls.owing() if self.controls is not None else ()
        self.since = {name: self.since.get(name) or self._clock() for name in owing}
        for screen in tuple(self.screens):
            if news is not None:
                news(screen)
            screen.changed()
