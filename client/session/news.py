# SPDX-License-Identifier: GPL-3.0-or-later
"""What a session tells its screens as it happens: events, chat and notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from client.show.document import Document, Note
from client.show.styled import owner_style
from client.system.texts import _
from client.table.notices import TableNotice
from engine.core.dataclass import dataclass

LONGEST: Final = 8
"""Most sentences in a paragraph."""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """One event of the game in words.

    Attributes:
        height: number of waits resolved before it.
        text: the sentence, in the language in use when it was told.
        event: the event's id, such as "combat/hit".
        seats: the seats that the event names, ascending.
        undone: True after a take-back of the step that caused it.
        places: the spaces of the map that the event names.
    """

    height: int
    text: str
    event: str = ""
    seats: tuple[int, ...] = ()
    undone: bool = False
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message. name and text are safe to show."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Announced:
    """Something other than an event of the game.

    Attributes:
        about: the notice; None for what happened on this machine only.
        worded: returns the sentence in the language in use, "" for a notice without text.
    """

    about: TableNotice | None
    worded: Callable[[], str]

    @property
    def text(self) -> str:
        return self.worded()


def teller(told: LoggedEvent, names: Sequence[str]) -> str:
    """The name at the start of a sentence if it belongs to a seat of the event, else ""."""
    about = (names[seat] for seat in told.seats if seat < len(names))
    return next((name for name in about if told.text.startswith((f"{name} ", f"{name}:"))), "")


def continues(run: Sequence[LoggedEvent], told: LoggedEvent, names: Sequence[str], opening: frozenset[str]) -> bool:
    """True if an event belongs to the paragraph of these events: the same seat goes on with what it does.

    opening: the events that begin a new paragraph.
    """
    name = teller(told, names)
    return bool(run and name) and len(run) < LONGEST and name == teller(run[0], names) and told.event not in opening


def paragraphs(
    told: Iterable[LoggedEvent], names: Sequence[str], opening: frozenset[str]
) -> Iterator[Sequence[LoggedEvent]]:
    """Events by paragraphs: what one seat does in a turn, or one event that no seat does."""
    run: list[LoggedEvent] = []
    for each in told:
        if run and not continues(run, each, names, opening):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def joined(run: Sequence[LoggedEvent], name: str) -> str:
    """Sentences that begin with the same name joined to one: “Cid: explore; explores the zone 1,-1; draws sector
    103.”"""
    first, *others = run
    parts = [first.text, *(told.text.removeprefix(name).lstrip(" :") for told in others)]
    return "; ".join([*(part.removesuffix(".") for part in parts[:-1]), parts[-1]])


def events_document(told: Sequence[LoggedEvent], names: Sequence[str]) -> Document:
    """Events with their heights, in the colours of the seats that they tell of; those that were taken back say so."""
    size = max((len(str(each.height)) for each in told), default=1)

    def note(each: LoggedEvent) -> Note:
        text = _("taken back: {text}").format(text=each.text) if each.undone else each.text
        return Note(f"{each.height:>{size}}  {text}", _look(each, names), " " * (size + 2))

    return [*map(note, told)]


def paragraphs_document(told: Sequence[LoggedEvent], names: Sequence[str], opening: frozenset[str]) -> Document:
    """Events by paragraphs."""
    runs = paragraphs(told, names, opening)
    shown = [Note(f"· {joined(run, teller(run[0], names))}", _look(run[0], names)) for run in runs]
    return shown or [Note(_("Nothing has happened since."))]


def _look(told: LoggedEvent, names: Sequence[str]) -> str:
    name = teller(told, names)
    return "faint" if told.undone else owner_style(names.index(name)) if name else ""


def chat_document(said: Sequence[ChatMessage]) -> Document:
    """The chat."""
    shown = [Note(f"<{each.name}> {each.text}", "said") for each in said]
    return shown or [Note(_("Nobody has said anything yet."))]
