# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of a session in words: events of the game, chat and notices; open proposals, and what a take-back loses;
filters of the log: battles, dice, what concerns this person, the chat, and each seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from client.session.news import Announced, ChatMessage, LoggedEvent, chat_document, events_document
from client.session.screens import ShownTable
from client.session.view_records import VoteView
from client.show.document import Document, Note
from client.show.pictures import pictures
from client.show.styled import owner_letter
from client.system.names import member_name, shown
from client.system.texts import _
from client.table.notice_words import notice_text
from client.table.notices import ChatSaid, HistoryRewound, TableNotice, VoteNotice, VoteStage
from client.table.player import TableControls
from client.words import DisplayNames, event_text, seat_arguments
from client.words.pacts import pact_text
from engine.core.dataclass import dataclass
from engine.core.events import Event
from engine.core.registry import GameSpec

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.pacts import Pact

KEPT: Final = 5000
"""Most events, and most messages, that are kept."""


def logged(height: int, event: Event, names: Sequence[str], display_names: DisplayNames) -> LoggedEvent:
    """An event in words, with the seats in it."""
    seated = seat_arguments(display_names.game)
    named = [value for name, value in event.args.items() if name in seated]
    flat = {seat for value in named for seat in (value if isinstance(value, tuple | list) else (value,))}
    seats = tuple(sorted(seat for seat in flat if isinstance(seat, int) and seat >= 0))
    return LoggedEvent(height, event_text(event, names, display_names), event.id, seats)


class SessionLog:
    """The events, messages and notices of a session so far.

    Attributes:
        entries: the events of the game.
        chat: the messages.
    """

    def __init__(self, table: ShownTable) -> None:
        self.entries: list[LoggedEvent] = []
        self.chat: list[ChatMessage] = []
        self._table = table

    def begin(self) -> None:
        """Put all events of the game into words, in the language in use."""
        controls = self._table.running
        told = [self.worded(at, event) for at, events in controls.history for event in events][-KEPT:]
        self.entries = [replace(each, undone=not controls.stands(each.height)) for each in told]

    def worded(self, height: int, event: Event) -> LoggedEvent:
        """An event in words, with the seats and spaces in it."""
        happened = self._table.pictures.documents.happened
        places = tuple(dict.fromkeys(happened(self._table.running.match.g, event)))
        return replace(logged(height, event, self._table.names, self._table.display_names), places=places)

    def add(self, told: Sequence[LoggedEvent]) -> None:
        self.entries += told
        del self.entries[:-KEPT]

    def heard(self, notice: TableNotice, *, pair: bool = False) -> ChatMessage | Announced:
        """A notice of the table in words. A chat message is kept; events that were taken back are marked or removed.
        pair: as in `notice_text`."""
        match notice:
            case ChatSaid(name, str() as text):
                said = ChatMessage(name, shown(text))
                self.chat.append(said)
                del self.chat[:-KEPT]
                return said
            case HistoryRewound(height):
                self.entries = [each for each in self.entries if each.height < height]
            case VoteNotice(stage, kind, terms=terms):
                lost = lost_by(kind, terms, self.entries)
                worded = partial(notice_text, notice, lost)
                if stage is VoteStage.AGREED and self._table.controls is not None:
                    stands = self._table.controls.stands
                    self.entries = [replace(each, undone=not stands(each.height)) for each in self.entries]
                return Announced(notice, worded)
        return Announced(notice, partial(notice_text, notice, pair=pair))


# Proposals ------------------------------------------------------------------------------------------------------------


TOLD_LOST: Final = 3
"""Most sentences about what a take-back would lose."""


def proposals_of(controls: TableControls, log: Sequence[LoggedEvent]) -> list[VoteView]:
    """The proposals at a table that wait for this person's vote."""
    roster = {member.key: member_name(member.rows) for member in controls.genesis.members}
    proposals = []
    for vote in controls.votes():
        pact = vote.pact
        fields = {"out": ", ".join(roster.get(each, "?") for each in pact.about), "at": str(pact.at)}
        known = {**_passed(controls, pact), **lost_by(pact.kind, pact.terms, log)}
        text = pact_text(pact.kind, {**fields, **known})
        proposals.append(VoteView(pact.id.hex(), pact.kind, text, controls.proposer(pact.id)))
    return proposals


def _passed(controls: TableControls, pact: Pact) -> Mapping[str, str]:
    """Who gives away a seat, and to whom; nothing for other pacts and for terms that nobody can carry out."""
    from p2p.lockstep.genesis import Member  # the network loads slowly
    from p2p.wire.codec import WireError

    match pact.kind, pact.terms:
        case "seat", [int() as seat, record] if seat < controls.genesis.seats:
            try:
                return {"seat": controls.name(seat), "name": member_name(Member.read(record).rows)}
            except WireError:
                return {}
    return {}


def lost_by(kind: str, terms: object, log: Sequence[LoggedEvent]) -> Mapping[str, str]:
    """What a take-back would lose: the height it goes back to, the number of logged steps since, the first of them, and
    whether reveals are among them; of who moves to another key, whether its hand stays."""
    match kind, terms:
        case "takeback", [int() as to, across]:
            lost = [told for told in log if told.height >= to and not told.undone]
            first = "; ".join(told.text.removesuffix(".") for told in lost[:TOLD_LOST]) + " …" * (len(lost) > TOLD_LOST)
            known = {"to": str(to), "steps": str(len({told.height for told in lost})), "lost": first}
            return known | ({"across": "yes"} if across is True else {})
        case "moved", [_, bool() as kept]:
            return {"kept": "yes" if kept else "no"}
    return {}


# Filters --------------------------------------------------------------------------------------------------------------

ROLLED: Final = frozenset({"dice", "die", "faces", "face"})
"""Arguments of events that name dice."""


@dataclass(frozen=True, slots=True)
class LogFilter:
    """One way to read the log.

    Attributes:
        word: its name in commands; the letter for a seat.
        title: its name in the language in use; the name for a seat.
        keeps: True for an event to show; None for the chat, which is shown in place of events.
        seat: the seat that it is about, -1 for none.
    """

    word: str
    title: str
    keeps: Callable[[LoggedEvent], bool] | None
    seat: int = -1

    def document(self, told: Sequence[LoggedEvent], said: Sequence[ChatMessage], names: Sequence[str]) -> Document:
        """What it keeps of a log, or the chat."""
        if self.keeps is None:
            return chat_document(said)
        nothing = _("The log has nothing like that.") if told else _("Nothing has happened yet.")
        return events_document([*filter(self.keeps, told)], names) or [Note(nothing)]


def game_filters(spec: GameSpec | None, names: Sequence[str], mine: Sequence[int]) -> Iterator[LogFilter]:
    """The filters of a game, the whole log first. spec: None before it begins; mine: the seats of this person."""
    yield LogFilter("all", _("all"), lambda _told: True)
    if spec is not None:
        belonging, own = pictures(spec.id).fights.belonging, {*mine}
        rolls = {id for id, arguments in spec.events.items() if ROLLED & {*arguments}}
        if belonging:
            yield LogFilter(
                "battles", _("battles"), lambda told: bool({told.event, told.event.partition("/")[0]} & belonging)
            )
        if rolls:
            yield LogFilter("dice", _("dice"), lambda told: told.event in rolls)
        if own:
            yield LogFilter("mine", _("mine"), lambda told: bool(own & {*told.seats}))
    yield LogFilter("chat", _("chat"), None)
    for seat, name in enumerate(names):
        yield LogFilter(owner_letter(seat), name, partial(_about, seat), seat)


def _about(seat: int, told: LoggedEvent) -> bool:
    return seat in told.seats
