"""The model of a person at a table: the table calls the first half, the person's actions the second.

Nothing waits and nothing is drawn here.  `take` hands out what is new since the last call; everything else is read from
the session when a screen draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from client.notices import GameOver, HistoryRewound, LobbyNotice, TableNotice
from client.player import Asked, LobbyControls, TableControls
from client.session import lobby as lobbies
from client.session.choices import choices_of
from client.session.draft import Draft
from client.session.lobby import Lobby
from client.session.news import Announced, OrderAnswered, Told
from client.session.orders import UNTIL, Order, order_text
from client.session.screen import Screen
from client.session.state import NOBODY, Forces, Question, SessionState
from client.show.pictures import pictures
from client.wording import called_at
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.values import Value

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

__all__ = ["NOBODY", "Question", "Session"]


class Session(SessionState):
    """What one person does at one table, and what the table tells; what is known stands in `SessionState`."""

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
        self.open_troubles.begun()
        self.controls, self.pictures = controls, pictures(controls.genesis.game)
        self._word(controls)
        own = (at for at, told in controls.history if any(event.args.get("seat") in controls.seats for event in told))
        self.seen = max(own, default=None)
        self._tell(lambda screen: screen.begun())

    def _word(self, controls: TableControls) -> None:
        """Word all that the game has told."""
        self.called = called_at(controls.match.spec)
        self.events.begin(controls, self.pictures, self.called)

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
        told, news = [self._told(height, event) for event in events], []
        self.events.add(told)
        for event, words in zip(events, told, strict=True):
            if self._sent and self._sent[0] == event:
                del self._sent[0]
            else:
                self._sent = []
                news.append(words)
        self._tell(lambda screen: screen.told(news))

    def notice(self, notice: TableNotice) -> None:
        """Something happened at the table: a chat message, or what the table announces."""
        if isinstance(notice, LobbyNotice):
            self.lobby = lobbies.heard(self.lobby or Lobby(), notice)
            self._tell()
            return
        self.open_troubles.heard(notice)
        if isinstance(notice, GameOver):
            self.orders.end_all()
        if isinstance(notice, HistoryRewound):
            self._sent = []
        news = self.events.heard(notice)
        self._tell(lambda screen: screen.noticed(news))

    def announce(self, news: Announced) -> None:
        """Something happened on this machine alone."""
        self._tell(lambda screen: screen.noticed(news))

    def _told(self, height: int, event: Event) -> Told:
        return self.events.worded(height, event, self.pictures, self.called)

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
        self.orders.add(asked.ask, said, draft.state_at(0), until, self._moment(asked.match), hold=True)
        self.give(asked, (said,))
        return True

    def fight_on(self) -> bool:
        """Answer as is advised from now on until something is lost in the battle under way, on either side, or it is
        over; False where nothing is asked that can be answered so."""
        draft = self.draft
        answer = () if draft is None or draft.values else self.pictures.fight_on(self.frame(), draft.asked.ask)
        if draft is None or not answer:
            return False
        self.fighting = self._forces()
        self.give(draft.asked, answer)
        return True

    def _forces(self) -> Forces | None:
        """Where the battle under way is and what fights in it; None without one."""
        battle = self.pictures.fight(self.frame(), self.recent)
        if battle is None:
            return None
        return tuple(" ".join((str(each.owner), each.name, *each.cells)) for each in battle.fighters)

    def _advised(self, asked: Asked) -> Sequence[Value]:
        """The answer of a person who fights on, () for one who does not or as soon as something is lost."""
        if self.fighting is None:
            return ()
        answer = () if self.fighting != self._forces() else self.pictures.fight_on(self.frame(), asked.ask)
        if not answer or asked.refusal is not None:
            self.fighting = None
        return answer if self.fighting is not None else ()

    def order(self, at: int, until: str) -> None:
        """Give an answer of the draft to all questions of its kind until the phase, the round or the game ends."""
        draft = self.draft
        assert draft is not None
        ask, value = draft.answered[at]
        self.orders.add(ask, value, draft.state_at(at), until, self._moment(draft.asked.match))
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
            advised = self._advised(asked)
            if advised:
                self.give(asked, advised)
            elif found is None:
                self._ask(draft)
            else:
                order, value = found
                self.give(asked, (value,))
                if not order.hold and (not self.shared or order.seat == self.present):
                    self.announce(Announced(OrderAnswered(order.seat), order_text(order, self.called)))

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
