# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a screen shows of a session, as one frozen value.

A view holds only what the seat may know: it is made from the seat's view of the game, the public state of the table
and the draft. It is good until the session tells that something has changed. What needs drawings of the game, or words,
is made when it is first read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as shallow
from functools import cached_property, partial
from typing import Any, Final

from client.session.choices import Choices
from client.session.draft import Draft
from client.session.ending import confirming, confirming_text
from client.session.forms import PickedStage, amounts_of, beyond, parts_of, titles_of
from client.session.lobby import KnownLobby, waited_for
from client.session.news import ChatMessage, LoggedEvent
from client.session.orders import Order, order_text
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
from client.show.document import Block, Sheet
from client.show.pictures import Frame, Pictures
from client.show.styled import Glyphs
from client.show.wall import Wall
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _
from client.table.player import TableControls
from client.table.words import handover_text, owed_text, way_text
from client.words import DisplayNames
from client.words.asking import prompt_text
from client.words.machines import table_lines
from client.words.ways import DO
from engine.core.registry import GameSpec
from engine.core.values import Value
from engine.core.waits import Choose

NO_LOG: Final = Wall()


@shallow(frozen=True, eq=False)
class SessionView:
    """Everything that a screen shows; `client.session.view_json` describes the fields that are in the JSON too.

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

    _session: Session
    wall: Wall
    step: int
    game: str
    begun: bool
    questions: Sequence[str]
    answer: str
    lobby: KnownLobby | None
    rights: LobbyRights | None
    wish: str
    examined: Sequence[str] | None
    examining: bool
    left: bool
    lasting: bool
    post: bool
    awaited: int | None
    spec: GameSpec | None
    own: Sequence[int]
    names: Sequence[str]
    display_names: DisplayNames
    pictures: Pictures
    glyphs: Glyphs
    draft: Draft | None
    choices: Choices | None
    sendable: bool
    since: Mapping[int, float]
    lost: Mapping[int, float]
    seen: int | None
    last: int | None
    given: range | None
    log: Sequence[LoggedEvent]
    chat: Sequence[ChatMessage]

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
    def members(self) -> Mapping[int, int]:
        """By seat, the number of its member."""
        controls = self._session.table.controls
        return {} if controls is None else controls.members()

    @property
    def links(self) -> Mapping[int, str]:
        """How the member of each seat is linked: the `ways` of `client.table.player.TableControls`."""
        controls = self._session.table.controls
        return {} if controls is None else controls.ways()

    @cached_property
    def drawn(self) -> Frame | None:
        """The frame for the usual width; None before the table begins."""
        return self.frame() if self.begun else None

    @cached_property
    def missed(self) -> Sequence[LoggedEvent]:
        """What happened since this person's last answer; everything before the first."""
        return [each for each in self.log if not each.undone and (self.last is None or each.height > self.last)]

    # In words --------------------------------------------------------------------------------------------------------

    @cached_property
    def status(self) -> str:
        """One line about the seat."""
        frame = self.drawn
        return "" if frame is None else self.wall.drawn(lambda: self.pictures.documents.standing(frame), "")

    @cached_property
    def seats(self) -> Sequence[SeatView]:
        """The seats."""
        return () if self.drawn is None else _seats(self, self.drawn)

    @cached_property
    def machines(self) -> Sequence[str]:
        """Who sits at which machine."""
        controls = self._session.table.controls
        return () if controls is None else tuple(table_lines(controls.genesis))

    @cached_property
    def waiting(self) -> Sequence[str]:
        """The members that the table waits for."""
        return _waiting(self, self._session.table.controls)

    @cached_property
    def confirming(self) -> str:
        """The end of the game while members have not signed it."""
        unsigned = confirming(self._session)
        return confirming_text(unsigned) if unsigned else ""

    @cached_property
    def troubles(self) -> Sequence[TableTrouble]:
        """The open troubles, the most urgent first."""
        return tuple(self._session.troubles())

    @cached_property
    def stopped(self) -> Sequence[StoppedView]:
        """What has stopped the table."""
        return _stopped(self.troubles)

    @cached_property
    def votes(self) -> Sequence[VoteView]:
        """The proposals that wait for this person's vote."""
        return tuple(self._session.votes())

    @cached_property
    def standing(self) -> Sequence[Order]:
        """The standing orders of the person at the screen."""
        return tuple(self._session.asking.standing())

    @cached_property
    def held(self) -> Sequence[int]:
        """The seats that hold."""
        return tuple(self._session.asking.held)

    @cached_property
    def orders(self) -> Sequence[OrderView]:
        """The standing orders in words."""
        return tuple(OrderView(each.seat, order_text(each, self.display_names), each.until) for each in self.standing)

    @cached_property
    def advice(self) -> str:
        """Advice for a first game about the question, "" if there is none or the person wants none."""
        return advice_text(self._session)

    @cached_property
    def ask(self) -> Ask | None:
        """The question; None without one."""
        frame, draft, choices = self.drawn, self.draft, self.choices
        if frame is None or draft is None or draft.ask is None or choices is None:
            return None
        return _ask(self, frame, draft, choices)

    @cached_property
    def parts(self) -> Sequence[PickedStage]:
        """The picked stages of an answer in stages."""
        frame, draft, nothing = self.drawn, self.draft, tuple[PickedStage, ...]()
        if frame is None or draft is None:
            return nothing
        return self.wall.drawn(lambda: tuple(parts_of(self.pictures, frame, draft)), nothing)

    @cached_property
    def picked(self) -> Sequence[str]:
        """The complete answers of the draft, in notation."""
        return tuple(self._session.asking.picked)

    @cached_property
    def so_far(self) -> str:
        """The picks of an answer that is not complete, in notation."""
        return self._session.asking.so_far

    @cached_property
    def planned(self) -> Sequence[LoggedEvent]:
        """What the draft would cause, in words."""
        caused = () if self.draft is None else self.draft.caused
        return tuple(self._session.events.worded(0, event) for told in caused for event in told)

    @cached_property
    def titles(self) -> Sequence[str]:
        """The complete answers of the draft in words."""
        frame, draft = self.drawn, self.draft
        if frame is None or draft is None:
            return ()
        return self.wall.drawn(lambda: tuple(titles_of(self.pictures, frame, draft)), tuple(self.picked))


def advice_text(session: Session) -> str:
    """The advice for a first game about the present question, "" if there is none or the person wants none."""
    draft, controls = session.asking.draft, session.table.controls
    place = "" if controls is None else game_client(controls.genesis.game).guide
    if draft is None or draft.ask is None or not place or not session.guided:
        return ""
    advice: str = load(place).get(draft.ask.word, "")
    return _(advice).format(do=DO) if advice else ""


def view_of(session: Session, wall: Wall = NO_LOG) -> SessionView:
    """The present view of a session. wall: receives the errors of failed drawings."""
    table, asking, gathering, controls = session.table, session.asking, session.gathering, session.table.controls
    door = gathering.door
    return SessionView(
        session,
        wall,
        step=asking.step,
        game="" if controls is None else controls.genesis.game,
        begun=controls is not None,
        questions=tuple(session.questions.texts),
        answer=session.answer,
        lobby=gathering.lobby,
        rights=None if door is None else LobbyRights(door.inviting, door.add_bot is not None, door.change is not None),
        wish=gathering.wish,
        examined=session.network.lines,
        examining=session.network.looking,
        left=session.left,
        lasting=session.lasting,
        post=session.mail is not None,
        awaited=asking.awaited,
        spec=None if controls is None else controls.match.spec,
        own=() if controls is None else controls.seats,
        names=tuple(table.names),
        display_names=table.display_names,
        pictures=table.pictures,
        glyphs=table.glyphs,
        draft=asking.draft,
        choices=asking.choices,
        sendable=asking.sendable,
        since=dict(session.screens.since),
        lost=dict(session.screens.lost),
        seen=session.sent.seen,
        last=session.sent.last,
        given=session.sent.given,
        log=tuple(session.events.entries),
        chat=tuple(session.events.chat),
    )


def _stopped(troubles: Sequence[TableTrouble]) -> tuple[StoppedView, ...]:
    found = []
    for trouble in troubles:
        if trouble.stops:
            deeds = tuple(deed for deed in trouble.deeds if deed.deed in ("absent", "repair"))
            found.append(StoppedView(stopped_text(trouble), tuple(trouble_document(trouble)), deeds))
    return tuple(found)


def _waiting(view: SessionView, controls: TableControls | None) -> tuple[str, ...]:
    if controls is None:
        return () if view.lobby is None else tuple(waited_for(view.lobby))
    stopped = view.stopped
    owed = (seat for seat, kind in controls.debts().items() if kind == "sign" or not stopped)
    return tuple(dict.fromkeys(view.names[seat] for seat in owed))


def _seats(view: SessionView, frame: Frame) -> tuple[SeatView, ...]:
    debts, ways, since, members = view.debts, view.links, view.since, view.members
    nothing = tuple[tuple[str, int], ...]()

    def figures(seat: int) -> Sequence[tuple[str, int]]:
        return view.wall.drawn(lambda: tuple(view.pictures.counts.figures(frame, seat)), nothing)

    return tuple(
        SeatView(
            frame.letter(seat),
            name,
            members.get(seat, -1),
            seat in view.own,
            seat in view.own or ways.get(seat) == "here",
            seat in view.own or bool(ways.get(seat)),
            "" if seat in view.own else way_text(ways.get(seat, "")),
            owed_text(debts.get(seat, "")),
            int(since.get(seat, 0)),
            figures(seat),
        )
        for seat, name in enumerate(view.names)
    )


def _ask(view: SessionView, frame: Frame, draft: Draft, choices: Choices) -> Ask | None:
    pictures, ask, wall, so_far, options = view.pictures, draft.ask, view.wall, draft.so_far, choices.options
    if ask is None:
        return None
    before = wall.drawn(lambda: tuple(pictures.documents.before(frame, ask)), tuple[Block, ...]())
    question = wall.drawn(lambda: pictures.questions.text(frame, ask, so_far), "")
    groups = wall.drawn(lambda: tuple(pictures.documents.form(frame, ask, options, so_far)), tuple[Sheet, ...]())
    return Ask(
        seat=draft.asked.seat,
        text=question or prompt_text(ask, view.names, view.display_names),
        before=before,
        so_far=view.so_far,
        secret=draft.asked.sealed,
        hold=draft.empty and pictures.questions.waive(ask) is not None,
        advice=view.advice,
        options=_options(view, frame, ask, choices),
        amounts=wall.drawn(lambda: amounts_of(pictures, ask, so_far, options), ()),
        groups=groups,
        refused=tuple(
            RefusedOptions(reason, tuple(texts))
            for reason, texts in choices.why(asides=False, titled=not choices.amounts).items()
        ),
    )


def _options(view: SessionView, frame: Frame, ask: Choose[Any], choices: Choices) -> tuple[ListedOption, ...]:
    pictures, so_far, nowhere = view.pictures, view.draft.so_far if view.draft is not None else (), tuple[str, ...]()

    def places(option: Value) -> Sequence[str]:
        return view.wall.drawn(lambda: tuple(pictures.questions.places(frame, ask, option, so_far)), nowhere)

    def listed(at: int, option: Value) -> ListedOption:
        title = view.wall.drawn(partial(choices.title, at), choices.texts[at])
        return ListedOption(
            text=choices.texts[at],
            title=title,
            hint=view.wall.drawn(lambda: beyond(title, choices.hint(at)), ""),
            price=choices.price(at),
            aside=at >= choices.main,
            places=places(option),
        )

    return tuple(listed(at, option) for at, option in enumerate(choices.options))
