# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions to a person, the draft of the answer, what was sent, and what answers automatically: standing
orders, and fighting on until a unit is lost in a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from client.session.choices import Choices
from client.session.draft import Draft
from client.session.log import SessionLog
from client.session.news import Announced, LoggedEvent
from client.session.orders import UNTIL, Order, Orders, order_text
from client.session.screens import Screens, ShownTable
from client.table.player import Asked, TableControls
from client.words.asking import prompt_text
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value

Send: TypeAlias = Callable[[Asked, Sequence[Value]], None]


class SentAnswers:
    """The answers that each seat sent last.

    Attributes:
        heights: by seat, the heights of the first and the last of them.
        present: the seat whose person is at a shared screen; None for all seats held here.
        seen: the height of the last action of this person, None before the first. Later events are news.
        given: the heights of the answer that was sent last in this run, another range for each; None before the first.
    """

    def __init__(self) -> None:
        self.heights: dict[int, tuple[int, int]] = {}
        self.present: int | None = None
        self.seen: int | None = None
        self.given: range | None = None
        self._shown: list[Event] = []

    @property
    def first(self) -> int | None:
        """The height of the first of the answers that were sent last; None before any."""
        return max((first for first, _last in self._mine()), default=None)

    @property
    def last(self) -> int | None:
        """The height of the last of them."""
        return max((last for _first, last in self._mine()), default=None)

    def _mine(self) -> Iterator[tuple[int, int]]:
        return (sent for seat, sent in self.heights.items() if self.present in (None, seat))

    def begin(self, controls: TableControls) -> None:
        """The table begins, goes on, or has taken answers back: all later events are news."""
        self._shown = []
        found = {seat: controls.answered(seat) for seat in controls.seats}
        self.heights = {seat: sent for seat, sent in found.items() if sent is not None}
        self.seen = max((last for _first, last in self.heights.values()), default=None)

    def sent(self, draft: Draft) -> None:
        """Note a sent draft: its events have been shown already."""
        self._shown = [event for told in draft.caused for event in told]
        height = draft.asked.height
        self.heights[draft.asked.seat] = height, height + len(draft.values) - 1

    def news(self, events: Sequence[Event], told: Sequence[LoggedEvent]) -> list[LoggedEvent]:
        """The events that no sent draft has shown. told: the events in words."""
        news = []
        for event, words in zip(events, told, strict=True):
            if self._shown and self._shown[0] == event:
                del self._shown[0]
            else:
                self._shown = []
                news.append(words)
        return news


class SeatQuestions:
    """The questions of the table to one person.

    Attributes:
        waiting: the open questions, the next one first.
        draft: the draft of the answer; None while nothing is asked.
        choices: the options of the draft; None while it can only be sent or taken back.
        orders: the standing orders of the seats at this terminal.
        step: counts the questions and drafts shown, those before the table begins too, so that an action can name the
            one that it belongs to.
        present: if several people share this screen, the seat whose person is at it; None before anybody is.
        forces: the place and the units, in words, of the battle in which the advised answers are given until a unit is
            lost; None while the person does not fight on.
        awaited: the seat whose person must take the screen before it is asked; None otherwise.
    """

    def __init__(self, table: ShownTable, log: SessionLog, sent: SentAnswers, screens: Screens, send: Send) -> None:
        """send: sends an answer to the table."""
        self.waiting: list[Asked] = []
        self.draft: Draft | None = None
        self.choices: Choices | None = None
        self.orders = Orders()
        self.step = 0
        self.present: int | None = None
        self.awaited: int | None = None
        self.forces: frozenset[object] | None = None
        self._table, self._log, self._sent, self._screens, self._send = table, log, sent, screens, send

    # What is read ----------------------------------------------------------------------------------------------------

    @property
    def sendable(self) -> bool:
        """True if the draft holds complete answers only."""
        return self.draft is not None and bool(self.draft.values) and not self.draft.so_far

    def standing(self, match: Match | None = None) -> Sequence[Order]:
        """The standing orders of the person at the screen that have not ended. match: the game of the question."""
        match = match or (self._table.controls.match if self._table.controls is not None else None)
        if match is not None and self.orders.given:
            now = self._table.moment(match)
            self.orders.end(lambda each: now[each.until] != each.mark or self._table.undone(each.height))
        return [each for each in self.orders.given if not self._table.shared or each.seat == self.present]

    # The table asks --------------------------------------------------------------------------------------------------

    def asked(self, asked: Asked) -> None:
        """Add a question. A draft begins if no other seat of this person is being asked."""
        self.waiting.append(asked)
        if len(self.waiting) == 1:
            self._begin()

    def withdrawn(self, asked: Asked) -> None:
        """Close a question: its answer is no longer needed, or was accepted."""
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
            advised = self._fighting_on(asked)
            if advised:
                self.give(asked, advised)
            elif found is None:
                self._ask(draft)
            else:
                order, value = found
                self.orders.answered(order, asked.height)
                self.give(asked, (value,))
                if not order.hold and (not self._table.shared or order.seat == self.present):
                    news = Announced(None, partial(order_text, order, self._table.display_names))
                    self._screens.tell(lambda screen: screen.noticed(news))

    def _ask(self, draft: Draft) -> None:
        """Ask for an answer if the person of this seat is at the screen; otherwise ask for that person first."""
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
        """List the options of the present draft, in the language in use."""
        self.step += 1
        draft, table = self.draft, self._table
        ask = None if draft is None else draft.ask
        self.choices = None if draft is None or ask is None else Choices(draft, ask, table.pictures, table.frame(draft))

    def take_screen(self) -> None:
        """Ask the awaited seat: its person is at the screen now."""
        self.present, self.awaited = self.awaited, None
        self._sent.present = self.present
        self._begin()
        self._screens.tell()

    def pick(self, option: Value, more: bool = False) -> None:
        """Add an option to the draft.

        A plain "no" to a recurring question is sent at once unless `more` picks follow, because there is nothing to
        review.
        """
        assert self.draft is not None
        draft = self._by_orders(self.draft.pick(option))
        no = self._table.pictures.questions.waive(draft.asked.ask)
        if not more and draft.ask is None and no is not None and draft.values == (no,):
            self.draft = draft
            self.send()
        else:
            self._drafted(draft)

    def _by_orders(self, draft: Draft) -> Draft:
        """The draft after each standing order has answered in it once, if it could."""
        for _order in self.standing():
            found = self.orders.of(draft) if draft.values else None
            draft = draft if found is None else draft.answer(found[1])
        return draft

    def repick(self, stage: int, option: Value) -> None:
        """Change the option at a stage of the drafted answer; see `Draft.repick`."""
        assert self.draft is not None
        self._drafted(self.draft.repick(stage, option))

    def undo(self, *, whole: bool = False) -> bool:
        """Take the last pick back, or the whole draft; False when it is empty."""
        if self.draft is None or self.draft.empty:
            return False
        self._drafted(Draft(self.draft.asked) if whole else self.draft.undone())
        return True

    def send(self) -> Refusal | None:
        """Send the draft, which is final. Returns why it cannot be sent, None if it was sent."""
        draft = self.draft
        if draft is None:
            return Refusal("draft/empty")
        if draft.empty:
            return Refusal("draft/unpicked")
        if draft.so_far and draft.ask is not None:
            table = self._table
            question = table.pictures.questions.text(table.frame(draft), draft.ask, draft.so_far)
            question = question or prompt_text(draft.ask, table.names, table.display_names)
            return Refusal("draft/incomplete", detail=(question,))
        self._sent.sent(draft)
        self.give(draft.asked, draft.values)
        return None

    def give(self, asked: Asked, values: Sequence[Value]) -> None:
        """Send an answer, ignoring the draft."""
        self._end_draft()
        self._sent.given = range(asked.height, asked.height + len(values))
        self._sent.seen = self._sent.given[-1]
        self._send(asked, tuple(values))
        self._screens.tell()

    def hold(self, until: str = UNTIL[0]) -> bool | None:
        """Say no now and until the end of the phase, or of `until`; a seat that holds already is asked again.

        Returns True if the seat holds now, False if no seat holds any more, None if there is no question that can be
        held.
        """
        draft = self.draft
        said = self._table.pictures.questions.waive(draft.asked.ask) if draft is not None else None
        if draft is None or said is None:
            mine = self.standing()
            ended = self.orders.end(lambda each: each.hold and each in mine)
            self._screens.tell()
            return False if ended else None
        asked = draft.asked
        now = self._table.moment(asked.match)
        self.orders.add(asked.ask, said, draft.state_at(0), until, now, asked.height, hold=True)
        self.give(asked, (said,))
        return True

    def fight_on(self) -> bool:
        """Give the advised answers from now on until either side loses a unit in the present battle, or it ends.
        Returns False if the present question cannot be answered so."""
        draft, fights = self.draft, self._table.pictures.fights
        first = draft is not None and not draft.values
        answer = fights.fight_on(self._table.frame(draft), draft.asked.ask) if draft is not None and first else ()
        if draft is None or not answer:
            return False
        self.forces = self._forces(draft)
        self.give(draft.asked, answer)
        return True

    def _fighting_on(self, asked: Asked) -> Sequence[Value]:
        """The advised answer while the person fights on, () otherwise, and as soon as a unit is lost or such an answer
        is taken back."""
        given = self._sent.given
        if self.forces is None or given is None:
            return ()
        undone = self._table.undone(given[0])
        lost = undone or asked.refusal is not None or self.forces != self._forces(None)
        answer = () if lost else self._table.pictures.fights.fight_on(self._table.frame(None), asked.ask)
        self.forces = self.forces if answer else None
        return answer

    def _forces(self, draft: Draft | None) -> frozenset[object] | None:
        """The present battle by its place and the units of each side, in words; None without one."""
        fights, frame = self._table.pictures.fights, self._table.frame(draft)
        battle = fights.now(frame, self._table.recent)
        return None if battle is None else frozenset([battle.place, *fights.forces(frame, battle.place)])

    def order(self, at: int, until: str) -> None:
        """Give an answer of the draft to all questions of its kind until the end of the phase, the round or the
        game."""
        draft = self.draft
        assert draft is not None
        ask, value = draft.answered[at]
        now, height = self._table.moment(draft.asked.match), draft.asked.height + at
        self.orders.add(ask, value, draft.state_at(at), until, now, height)
        self._screens.tell()

    def _drafted(self, draft: Draft) -> None:
        caused = [] if self.draft is None else draft.fresh(self.draft)
        told = [self._log.worded(draft.asked.height, event) for event in caused]
        self.draft = draft
        self.list_options()
        self._screens.tell(lambda screen: screen.drafted(told))
