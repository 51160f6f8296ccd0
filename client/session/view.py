# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a screen shows of a session, as one value.

A view holds only what the seat may know: it is made from the seat's view of the game, the public state of the table
and the draft. It is good until the session tells that something has changed. What needs drawings of the game, or words,
is made when it is first read.

Pages and programs get it as JSON, see docs/API.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, TypeVar

from client.session.choices import Choices
from client.session.draft import Draft
from client.session.lobby import KnownLobby, waited_for
from client.session.log import LogFilter, game_filters
from client.session.news import ChatMessage, LoggedEvent
from client.session.notation import PickedStage, amounts_of, answer_text, beyond, changes_of, parts_of, titles_of
from client.session.orders import order_text
from client.session.session import Session
from client.session.troubles import TableTrouble, stopped_text, trouble_document
from client.session.view_records import (
    Ask,
    ListedOption,
    LobbyRights,
    OrderView,
    RefusedOptions,
    SeatView,
    StoppedView,
    VoteView,
)
from client.show.boards import end_table
from client.show.document import Document, Note, as_plain
from client.show.pictures import Frame, Wall
from client.system.places import mapping_at
from client.system.registry import GAMES, game_client
from client.system.texts import _
from client.table.words import handover_text, owed_text, way_text
from client.words.asking import prompt_text
from client.words.machines import table_lines
from client.words.ways import DO
from engine.core.waits import Choose

T = TypeVar("T")


class SessionView:
    """Everything that a screen shows.

    Attributes:
        wall: receives the errors of failed drawings.
        begun: True once the table has begun.
        questions: all yes-or-no questions that are open, the next one first.
        rights: what may be done in the lobby; None without one.
        wish: what the person would like to play, by its id, "" for nothing.
        examined: the lines of the last check of the network, None before the first; examining: True during one.
        left: True after the person has left. lasting: True if the table stays then. post: True at a table by post.
        awaited: the seat whose person must take the screen before it is asked; None otherwise.
        spec: the game; None before the table begins. own: the seats that people play here.
        names: the names of all seats. display_names: what things are called at this table.
        pictures: the pictures of the game. glyphs: the characters that the screen can draw.
        draft, choices: the draft of the answer, and its options; None while there are none.
        since, lost: by seat, since when it keeps the table waiting, and since when its link is lost, in seconds since
            1970.
        last: the height of the last answer of the person at the screen, None before any. given: the heights of the
            answer that was sent last in this run.
    """

    step: int
    game: str
    answer: str
    lobby: KnownLobby | None
    sendable: bool
    seen: int | None
    log: Sequence[LoggedEvent]
    chat: Sequence[ChatMessage]

    def __init__(self, session: Session, wall: Wall) -> None:
        table, asking, gathering, controls = session.table, session.asking, session.gathering, session.table.controls
        door = gathering.door
        self._session, self.wall, self._controls = session, wall, controls
        self.begun = controls is not None
        self.game = "" if controls is None else controls.genesis.game
        self.spec = None if controls is None else controls.match.spec
        self.own: Sequence[int] = () if controls is None else controls.seats
        self.names, self.display_names = tuple(table.names), table.display_names
        self.pictures, self.glyphs = table.pictures, table.glyphs
        self.questions, self.answer = tuple(text() for text in session.questions.values()), session.answer
        self.lobby, self.wish = gathering.lobby, gathering.wish
        known = gathering.lobby is not None and gathering.lobby.game in GAMES
        self.rights = None if door is None else LobbyRights(
            door.inviting, door.add_bot is not None, known and door.change is not None
        )  # fmt: skip
        self.examined, self.examining = session.network.lines, session.network.looking
        self.left, self.lasting, self.post = session.left, session.lasting, session.mail is not None
        self.step, self.awaited, self.sendable = asking.step, asking.awaited, asking.sendable
        self.draft, self.choices = asking.draft, asking.choices
        self.since, self.lost = dict(session.screens.since), dict(session.screens.lost)
        self.seen, self.last, self.given = session.sent.seen, session.sent.last, session.sent.given
        self.log, self.chat = tuple(session.events.entries), tuple(session.events.chat)

    # At once ---------------------------------------------------------------------------------------------------------

    def frame(self, words: Sequence[str] = (), width: int = 80) -> Frame:
        """The frame to draw pictures of: the draft while there is one, else the present table."""
        return self._session.table.frame(self.draft, words, width)

    def seconds(self, since: float) -> int:
        """The whole seconds from a time until now."""
        return self._session.screens.seconds(since)

    @property
    def question(self) -> str | None:
        """The next of the questions; None without one."""
        return self.questions[0] if self.questions else None

    @property
    def handover(self) -> str:
        """Who should take the screen before it is asked, in words; "" if nobody has to."""
        return "" if self.awaited is None else handover_text(self.names[self.awaited])

    @property
    def carried(self) -> str:
        """A line for another home: the answer, or the ticket; "" for none."""
        return self.answer or ("" if self.lobby is None else self.lobby.ticket)

    @property
    def waits(self) -> bool:
        """True if the session goes on only when the person says something."""
        return self.draft is not None or self.awaited is not None or self.question is not None

    @property
    def debts(self) -> Mapping[int, str]:
        """By seat, what keeps the table waiting."""
        return self._session.table.debts

    @property
    def links(self) -> Mapping[int, str]:
        """How the member of each seat is linked: the `ways` of `client.table.player.TableControls`."""
        return {} if self._controls is None else self._controls.ways()

    @cached_property
    def drawn(self) -> Frame | None:
        """The frame for the usual width; None before the table begins."""
        return self.frame() if self.begun else None

    @cached_property
    def missed(self) -> Sequence[LoggedEvent]:
        """What happened since this person's last answer; everything before the first."""
        return [each for each in self.log if not each.undone and (self.last is None or each.height > self.last)]

    @cached_property
    def filters(self) -> Sequence[LogFilter]:
        """The ways to read the log that this game and this person have, the whole log first."""
        return tuple(game_filters(self.spec, self.names, self.own))

    # In words --------------------------------------------------------------------------------------------------------

    @cached_property
    def status(self) -> str:
        """One line about the seat."""
        frame = self.drawn
        return "" if frame is None else self.wall.drawn(lambda: self.pictures.documents.standing(frame), "")

    @cached_property
    def seats(self) -> Sequence[SeatView]:
        frame, debts, ways = self.drawn, self.debts, self.links
        members = {} if self._controls is None else self._controls.members()
        return () if frame is None else tuple(
            SeatView(
                frame.letter(seat),
                name,
                members.get(seat, -1),
                seat in self.own,
                seat in self.own or ways.get(seat) == "here",
                seat in self.own or bool(ways.get(seat)),
                "" if seat in self.own else way_text(ways.get(seat, "")),
                owed_text(debts.get(seat, "")),
                int(self.since.get(seat, 0)),
                self._drawn(partial(self.pictures.counts.figures, frame, seat)),
            )
            for seat, name in enumerate(self.names)
        )  # fmt: skip

    @cached_property
    def machines(self) -> Sequence[str]:
        return () if self._controls is None else tuple(table_lines(self._controls.genesis))

    @cached_property
    def waiting(self) -> Sequence[str]:
        """The members that the table waits for."""
        if self._controls is None:
            return () if self.lobby is None else tuple(waited_for(self.lobby))
        owed = (seat for seat, kind in self._controls.debts().items() if kind == "sign" or not self.stopped)
        return tuple(dict.fromkeys(self.names[seat] for seat in owed))

    @cached_property
    def confirming(self) -> str:
        """The end of the game while members have not signed it. It stands once all have, and no vote undoes it then."""
        unsigned = dict.fromkeys(self.names[seat] for seat, kind in self.debts.items() if kind == "result")
        text = _("Ended, being confirmed; not yet confirmed by {names}.")
        return text.format(names=", ".join(unsigned)) if unsigned else ""

    @cached_property
    def end(self) -> Document:
        """The places and points of all seats, the first place first, and how the game ended where it tells that; ()
        before the table begins."""
        if self._controls is None:
            return ()
        match, endings = self._controls.match, game_client(self.game).endings
        why = [told.text for told in self.log if told.event in endings and not told.undone][-1:]
        return [*map(Note, why), end_table(match.spec.scores(match.g), self.names, self.pictures.counts.sources)]

    @cached_property
    def troubles(self) -> Sequence[TableTrouble]:
        """The open troubles, the most urgent first."""
        return tuple(self._session.troubles())

    @cached_property
    def stopped(self) -> Sequence[StoppedView]:
        return tuple(
            StoppedView(
                stopped_text(trouble),
                tuple(trouble_document(trouble)),
                tuple(deed for deed in trouble.deeds if deed.deed in ("absent", "repair")),
            )
            for trouble in self.troubles
            if trouble.stops
        )

    @cached_property
    def votes(self) -> Sequence[VoteView]:
        """The proposals that wait for this person's vote."""
        return tuple(self._session.votes())

    @cached_property
    def held(self) -> Sequence[int]:
        return sorted({order.seat for order in self._session.asking.standing() if order.hold})

    @cached_property
    def orders(self) -> Sequence[OrderView]:
        return tuple(
            OrderView(each.seat, order_text(each, self.display_names), each.until)
            for each in self._session.asking.standing()
        )

    @cached_property
    def advice(self) -> str:
        """Advice for a first game about the question, "" if there is none or the person wants none."""
        draft = self.draft
        if draft is None or draft.ask is None or not self._session.guided:
            return ""
        advice: str = mapping_at(game_client(self.game).guide).get(draft.ask.word, "")
        return _(advice).format(do=DO) if advice else ""

    @cached_property
    def ask(self) -> Ask | None:
        """The question; None without one."""
        frame, draft, choices, pictures, wall = self.drawn, self.draft, self.choices, self.pictures, self.wall
        if frame is None or draft is None or draft.ask is None or choices is None:
            return None
        ask, so_far, options = draft.ask, draft.so_far, choices.options
        question = wall.drawn(lambda: pictures.questions.text(frame, ask, so_far), "")
        return Ask(
            seat=draft.asked.seat,
            text=question or prompt_text(ask, self.names, self.display_names),
            before=self._drawn(partial(pictures.documents.before, frame, ask)),
            so_far=self.so_far,
            secret=draft.asked.sealed,
            hold=draft.empty and pictures.questions.waive(ask) is not None,
            advice=self.advice,
            options=[self._listed(frame, ask, choices, at) for at in range(len(options))],
            amounts=self._drawn(lambda: amounts_of(pictures, ask, so_far, options)),
            groups=self._drawn(lambda: pictures.documents.form(frame, ask, options, so_far)),
            refused=tuple(
                RefusedOptions(reason, tuple(texts))
                for reason, texts in choices.why(asides=False, titled=not choices.amounts).items()
            ),
        )

    def _listed(self, frame: Frame, ask: Choose[Any], choices: Choices, at: int) -> ListedOption:
        option, text, so_far = choices.options[at], choices.texts[at], () if self.draft is None else self.draft.so_far
        title = self.wall.drawn(partial(choices.title, at), text)
        return ListedOption(
            text=text,
            title=title,
            hint=self.wall.drawn(lambda: beyond(title, choices.hint(at)), ""),
            price=choices.price(at),
            aside=at >= choices.main,
            places=self._drawn(lambda: self.pictures.questions.places(frame, ask, option, so_far)),
        )

    def _drawn(self, draw: Callable[[], Sequence[T]]) -> Sequence[T]:
        """What a game draws, nothing if drawing fails."""
        return self.wall.drawn(lambda: tuple(draw()), ())

    def _of_draft(self, draw: Callable[[Frame, Draft], Sequence[T]]) -> Sequence[T]:
        """What a game draws of the draft, nothing without one."""
        frame, draft = self.drawn, self.draft
        return () if frame is None or draft is None else self._drawn(lambda: draw(frame, draft))

    @cached_property
    def parts(self) -> Sequence[PickedStage]:
        """The picked stages of an answer in stages."""
        return self._of_draft(partial(parts_of, self.pictures))

    @cached_property
    def picked(self) -> Sequence[str]:
        """The complete answers of the draft, in notation."""
        answered = () if self.draft is None else self.draft.answered
        return [answer_text(self.pictures, self.frame(), ask, value) for ask, value in answered]

    @cached_property
    def so_far(self) -> str:
        """The picks of an answer that is not complete, in notation."""
        draft = self.draft
        if draft is None or draft.ask is None or not draft.so_far:
            return ""
        return answer_text(self.pictures, self.frame(), draft.ask, draft.so_far)

    @cached_property
    def planned(self) -> Sequence[LoggedEvent]:
        """What the draft would cause, in words."""
        caused = () if self.draft is None else self.draft.caused
        return tuple(self._session.events.worded(0, event) for told in caused for event in told)

    @cached_property
    def changes(self) -> Sequence[str]:
        """The figures of the seat that the draft changes, before and after."""
        return self._of_draft(partial(changes_of, self.pictures))

    @cached_property
    def outlook(self) -> Document:
        """The consequences of the draft, such as battles with their odds."""
        return self._of_draft(lambda frame, draft: self.pictures.documents.outlook(frame, draft.asked.seat))

    @cached_property
    def titles(self) -> Sequence[str]:
        """The complete answers of the draft in words, in notation if wording them fails."""
        return self._of_draft(partial(titles_of, self.pictures)) or self.picked


def view_of(session: Session, wall: Wall = Wall()) -> SessionView:
    """The present view of a session. wall: receives the errors of failed drawings."""
    return SessionView(session, wall)


# As JSON --------------------------------------------------------------------------------------------------------------


VERSION: Final = 2
KEYS: Final = (
    "step", "game", "status", "seats", "machines", "waiting", "confirming", "stopped", "question", "handover", "answer",
    "lobby", "votes", "held", "orders", "ask", "parts", "picked", "titles", "sendable", "seen", "log_from", "log",
    "chat_from", "chat", "version",
)  # fmt: skip
"""The keys of the JSON, in its order."""


def as_json(view: SessionView, log_from: int = 0, chat_from: int = 0) -> Mapping[str, Any]:
    """The view as plain maps, lists, texts, numbers, booleans and null, with log and chat from these indices on."""
    known: dict[str, object] = {"version": VERSION, "log_from": log_from, "chat_from": chat_from}
    known |= {"log": view.log[log_from:], "chat": view.chat[chat_from:]}
    return {name: as_plain(known[name] if name in known else getattr(view, name)) for name in KEYS}
