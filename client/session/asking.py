"""What a person is asked, the draft of the answer, and the standing orders that answer by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from client.player import Asked
from client.session.choices import Choices, choices_of
from client.session.draft import Draft
from client.session.fighting import FightingOn
from client.session.log import SessionLog
from client.session.news import Announced, LoggedEvent, OrderAnswered
from client.session.notation import answer_text
from client.session.orders import UNTIL, Order, Orders, order_text
from client.session.screens import Screens
from client.session.sent import Sent
from client.session.shown_table import ShownTable
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value

__all__ = ["Asking", "Send"]

Send: TypeAlias = Callable[[Asked, Sequence[Value]], None]


class Asking:
    """The questions of the table to one person.

    Attributes:
        waiting: the questions that are open, the one that is answered first.
        draft: the answer that is being drafted; None while nothing is asked.
        choices: the options of the draft; None while it can only be sent or taken back.
        orders: the standing orders of the seats at this terminal.
        step: counts the questions and drafts shown, so that an action can name the one that it is about.
        present: where several seats share this screen, the one whose person is at it; None until somebody is.
        fighting: answers while the person fights on.
        awaited: the seat whose person is to take the screen before it is asked; None while nobody has to.
    """

    def __init__(self, table: ShownTable, log: SessionLog, sent: Sent, screens: Screens, send: Send) -> None:
        """send: takes an answer to the table."""
        self.waiting: list[Asked] = []
        self.draft: Draft | None = None
        self.choices: Choices | None = None
        self.orders = Orders()
        self.step = 0
        self.present: int | None = None
        self.awaited: int | None = None
        self.fighting = FightingOn(table)
        self._table, self._log, self._sent, self._screens, self._send = table, log, sent, screens, send

    # What is read ----------------------------------------------------------------------------------------------------

    @property
    def sendable(self) -> bool:
        """True if the draft holds complete answers only."""
        return self.draft is not None and bool(self.draft.values) and not self.draft.so_far

    @property
    def picked(self) -> Sequence[str]:
        """The complete answers of the draft, in notation."""
        table = self._table
        answered = () if self.draft is None else self.draft.answered
        return [answer_text(table.pictures, table.display_names, table.names, ask, value) for ask, value in answered]

    @property
    def so_far(self) -> str:
        """The picks of an answer that is not complete, in notation."""
        table, draft = self._table, self.draft
        if draft is None or draft.ask is None or not draft.so_far:
            return ""
        return answer_text(table.pictures, table.display_names, table.names, draft.ask, draft.so_far)

    def standing(self, match: Match | None = None) -> Sequence[Order]:
        """The standing orders of the person at the screen, without those that are over.  match: the game that the
        question is about."""
        match = match or (self._table.controls.match if self._table.controls is not None else None)
        if match is not None and self.orders.given:
            self.orders.pass_on(self._table.moment(match))
        return [each for each in self.orders.given if not self._table.shared or each.seat == self.present]

    # The table asks --------------------------------------------------------------------------------------------------

    def asked(self, asked: Asked) -> None:
        """A seat owes an answer.  A draft begins when no other seat of this person is being asked."""
        self.waiting.append(asked)
        if len(self.waiting) == 1:
            self._begin()

    def withdrawn(self, asked: Asked) -> None:
        """An answer is not wanted any more, or has been taken."""
        if asked in self.waiting:
            first = self.waiting[0] is asked
            self.waiting.remove(asked)
            if first:
                self._end_draft()
                self._begin()
                self._screens.tell()

    def _begin(self) -> None:
        if self.waiting:
            asked = self.waiting[0]
            draft = Draft(asked)
            self.standing(asked.match)
            found = self.orders.of(draft) if asked.refusal is None else None
            advised = self.fighting.answer(asked)
            if advised:
                self.give(asked, advised)
            elif found is None:
                self._ask(draft)
            else:
                order, value = found
                self.give(asked, (value,))
                if not order.hold and (not self._table.shared or order.seat == self.present):
                    news = Announced(OrderAnswered(order.seat), order_text(order, self._table.display_names))
                    self._screens.tell(lambda screen: screen.noticed(news))

    def _ask(self, draft: Draft) -> None:
        """Ask for an answer, where the person of this seat is at the screen; else first for that person."""
        if self._table.shared and draft.asked.seat != self.present:
            self.present, self.awaited = None, draft.asked.seat
        else:
            self.draft = draft
            self.list_options()
        self._screens.tell(lambda screen: screen.asked(draft.asked.refusal))

    def _end_draft(self) -> None:
        self.draft = self.choices = self.awaited = None
        self.step += 1

    # The person answers ----------------------------------------------------------------------------------------------

    def list_options(self) -> None:
        """List the options of the draft as it is now, in the language in use."""
        self.step += 1
        draft, table = self.draft, self._table
        self.choices = None if draft is None else choices_of(draft, table.pictures, table.frame(draft))

    def take_screen(self) -> None:
        """The person of the awaited seat is at the screen now: ask."""
        self.present, self.awaited = self.awaited, None
        self._begin()
        self._screens.tell()

    def pick(self, option: Value, more: bool = False) -> None:
        """Take one of the options into the draft.

        A plain "no" to a question that comes again and again is sent at once unless `more` picks follow: there is
        nothing to look over.
        """
        draft = self.draft
        assert draft is not None
        caused = self._told(draft, [*draft.pick(option), *self._by_orders(draft)])
        no = self._table.pictures.waive(draft.asked.ask)
        if not more and draft.ask is None and no is not None and draft.values == [no]:
            self.send()
        else:
            self._drafted(caused)

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
        self._drafted(self._told(draft, draft.repick(stage, option)))

    def undo(self) -> bool:
        """Take the last pick back; False when there is none."""
        if self.draft is None or not self.draft.undo():
            return False
        self._drafted(())
        return True

    def reset(self) -> bool:
        """Take the whole draft back; False when it is empty."""
        if self.draft is None or self.draft.empty:
            return False
        self.draft.reset()
        self._drafted(())
        return True

    def send(self) -> Refusal | None:
        """Send the draft, which is final; or return why it cannot be sent."""
        draft = self.draft
        if draft is None or not draft.values:
            return Refusal("draft/empty")
        if draft.so_far:
            return Refusal("draft/incomplete")
        self._sent.sent(draft)
        self.give(draft.asked, draft.values)
        return None

    def give(self, asked: Asked, values: Sequence[Value]) -> None:
        """Give an answer, whatever was drafted."""
        self._end_draft()
        self._sent.seen = asked.height + len(values) - 1
        self._send(asked, tuple(values))
        self._screens.tell()

    def hold(self, until: str = UNTIL[0]) -> bool | None:
        """Say no now and until the phase, or what is given, ends; where a seat holds already, be asked again.

        Returns True if the seat holds now, False if nobody holds any more, None if nothing is asked to hold from.
        """
        draft = self.draft
        said = self._table.pictures.waive(draft.asked.ask) if draft is not None else None
        if draft is None or said is None:
            ended = self.orders.end_holding()
            self._screens.tell()
            return False if ended else None
        asked = draft.asked
        self.orders.add(asked.ask, said, draft.state_at(0), until, self._table.moment(asked.match), hold=True)
        self.give(asked, (said,))
        return True

    def fight_on(self) -> bool:
        """Answer as is advised from now on until something is lost in the battle under way, on either side, or it is
        over; False where nothing is asked that can be answered so."""
        answer = self.fighting.begin(self.draft)
        if self.draft is None or not answer:
            return False
        self.give(self.draft.asked, answer)
        return True

    def order(self, at: int, until: str) -> None:
        """Give an answer of the draft to all questions of its kind until the phase, the round or the game ends."""
        draft = self.draft
        assert draft is not None
        ask, value = draft.answered[at]
        self.orders.add(ask, value, draft.state_at(at), until, self._table.moment(draft.asked.match))
        self._screens.tell()

    def lift(self, order: Order) -> None:
        """End a standing order."""
        self.orders.end(order)
        self._screens.tell()

    def _told(self, draft: Draft, events: Sequence[Event]) -> list[LoggedEvent]:
        return [self._log.worded(draft.asked.height, event) for event in events]

    def _drafted(self, caused: Sequence[LoggedEvent]) -> None:
        self.list_options()
        self._screens.tell(lambda screen: screen.drafted(caused))
