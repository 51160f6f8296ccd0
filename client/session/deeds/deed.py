# SPDX-License-Identifier: GPL-3.0-or-later
"""What a deed is: its record, the kinds of its arguments, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from client.session.filters import log_filters
from client.session.notation import yes_or_no
from client.session.orders import UNTIL, order_text
from client.session.session import Look, Session
from client.show.document import Document, Note
from client.system.names import BOT
from client.system.texts import N_, _, pgettext
from client.table.player import TableControls, refusal_of
from client.words import refusal_text
from client.words.plain import number_of
from client.words.ways import DO
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

Given: TypeAlias = Mapping[str, Any]
"""Arguments by name, as their kinds read them."""


@dataclass(frozen=True, slots=True)
class Done:
    """It is done. text: what to say of it, "" where the screen shows it."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class NotDone:
    """It is not done. text: why."""

    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something to look at.

    Attributes:
        document: makes it, for a width.
    """

    title: str
    document: Callable[[int], Document]


@dataclass(frozen=True, slots=True)
class Lacking:
    """An argument is missing, or means nothing. texts: what to say."""

    argument: str
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Errand:
    """It takes a while. A page and programs are not told what it finds: that stands in the view, as of the network.

    Attributes:
        title: the title of what it finds.
        text: what to say meanwhile.
        start: begins, and calls its argument with the findings.
    """

    title: str
    text: str
    start: Callable[[Callable[[Sequence[str]], None]], None]


Answer: TypeAlias = Done | NotDone | Told | Lacking | Errand


def is_text(value: object) -> bool:
    """True for a text in JSON."""
    return isinstance(value, str)


def is_number(value: object) -> bool:
    """True for a whole number in JSON, which true and false are not."""
    return type(value) is int


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of arguments.

    Attributes:
        word: what stands for it in the list of actions of a program.
        read: the value that a typed text means, None if it means none.
        fits: True for a value of this kind in JSON.
        lacking: what to say where it is missing or means nothing.
        choices: the values to choose from, each in words; () where there are too many.
        listed: True if it is typed as a number of its choices, and may be left out where there is one.
        unknown: what to say of a value that is none of the choices, marked for translation; "" where others may be
            given too.
    """

    word: str
    read: Callable[[Session, str], Any] = lambda _session, text: text
    fits: Callable[[object], bool] = is_text
    lacking: Callable[[Session], str] = lambda _session: ""
    choices: Callable[[Session], Sequence[tuple[Any, str]]] = lambda _session: ()
    listed: bool = False
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a deed. name: its key for programs. optional: True if it may be left out."""

    name: str
    kind: Kind
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a person can do.

    Attributes:
        id: its name for programs, keys and texts.
        names: what is typed for it, marked for translation, the first one in lists; () if it is not typed.
        usage: the arguments in lists of what may be typed, marked for translation.
        does: what it does, in a few words without a capital, marked for translation.
        topic: one of `TOPICS`.
        run: does it, with valid arguments.
        title: the text of its button, marked for translation; "" for one with a place of its own, and for none.
        arguments: what it needs, in the order in which it is typed.
        hindrance: why it cannot be done now with these arguments, "" if it can; without any, why not at all.
        about: for a final deed, which has no arguments, what it will do, which is said before a person says that it
            is wanted; None if it is not final.
        drafted: True if it is about the draft that the person sees, which has a step.
        before: True if it can be done before the table begins. later: True if it can be done afterwards.
        shows: True if its answer is something to look at, and nothing changes.
        says: what it will do here, in words, where that is more than its title.
    """

    id: str
    names: Sequence[str]
    does: str
    topic: str
    run: Callable[[Session, Given], Answer]
    usage: str = ""
    title: str = ""
    arguments: Sequence[Argument] = ()
    hindrance: Callable[[Session, Given], str] = lambda _session, _given: ""
    about: Callable[[], str] | None = None
    drafted: bool = False
    before: bool = False
    later: bool = True
    shows: bool = False
    says: Callable[[Session, Given], str] | None = None

    def why_not(self, session: Session, given: Given) -> str:
        """Why it cannot be done now, "" if it can."""
        if session.table.controls is None and not self.before:
            return _("The table has not begun.")
        if not self.later and session.gathering.door is None:
            return _("There is no lobby.")
        return self.hindrance(session, given) or next(
            (
                _(each.kind.unknown)
                for each in self.arguments
                if each.kind.unknown and each.name in given
                if given[each.name] not in [value for value, _text in each.kind.choices(session)]
            ),
            "",
        )

    def ways(self, session: Session) -> Iterator[tuple[Given, str]]:
        """The ways to do it now: its arguments from what each can be, and what that will do, in words."""
        needed = [each for each in reversed(self.arguments) if not each.optional]
        for picked in product(*(each.kind.choices(session) for each in needed)):
            given = {each.name: value for each, (value, _text) in zip(needed, picked, strict=True)}
            name = ", ".join(text for _value, text in picked)
            yield given, self.says(session, given) if self.says is not None else _(self.title).format(name=name)

    def do(self, session: Session, given: Given) -> Answer:
        """Do it, if it can be done."""
        reason = self.why_not(session, given)
        return NotDone(reason) if reason else self.run(session, given)


def looking(session: Session, title: str, examine: Look) -> Errand:
    """A check of the network."""
    text = _("Looking at the network …")
    return Errand(title, text, lambda heard: session.network.look(examine, session.screens.tell, heard))


def unless(holds: Callable[[Session], object], why: str) -> Callable[[Session, Given], str]:
    """What hinders a deed unless this holds. why: marked for translation."""
    return lambda session, _given: "" if holds(session) else _(why)


ANSWERS: Final = N_("answers")
HAPPENED: Final = N_("what happened")
OTHERS: Final = N_("the others")
DECIDED: Final = N_("what is decided together")
BEGINNING: Final = N_("before the table begins")
PROGRAM: Final = N_("starlock")
GAME: Final = N_("the game")
TOPICS: Final = (GAME, ANSWERS, HAPPENED, OTHERS, DECIDED, BEGINNING, PROGRAM)
"""The topics of the help, those of the game first."""


def at_table(session: Session) -> TableControls:
    """The table, for a deed that can be done only there."""
    assert session.table.controls is not None
    return session.table.controls


def done(act: Callable[[Session, Given], None]) -> Callable[[Session, Given], Answer]:
    """What a deed runs that is done when this is."""

    def run(session: Session, given: Given) -> Answer:
        act(session, given)
        return Done()

    return run


def said(session: Session, refusal: RefusalLike | None, text: str = "") -> Answer:
    """Why the table refused it, or that it is done."""
    return Done(text) if refusal is None else NotDone(refusal_text(refusal_of(refusal), session.table.display_names))


def noted(title: str, texts: Iterable[str], indent: str = "") -> Told:
    """Texts to look at, with an indent before all lines but the first of each."""
    blocks = [Note(text, indent=indent) for text in texts]
    return Told(title, lambda _width: blocks)


# The kinds of arguments -----------------------------------------------------------------------------------------------


# Players -------------------------------------------------------------------------------------------------------------


def seat_of(session: Session, text: str) -> int | None:
    """The seat with this letter or name."""
    return session.frame().seat(text) if text and session.table.controls is not None else None


def _others(session: Session) -> list[tuple[int, str]]:
    """The players on other machines, each once: the number of the member, and the name."""
    controls = session.table.controls
    if controls is None:
        return []
    ways, members = controls.ways(), controls.members()
    there = (seat for seat in members if seat not in controls.seats and ways.get(seat) != "here")
    return [*dict.fromkeys((members[seat], controls.name(seat)) for seat in there)]


def name_of(session: Session, member: int) -> str:
    """The names of the players of a member."""
    return ", ".join(name for number, name in _others(session) if number == member)


def _bots(session: Session) -> list[tuple[int, str]]:
    return [(seat, name) for seat, name in enumerate(session.table.names) if name.endswith(BOT)]


def bot_of(session: Session, text: str) -> int | None:
    """The seat of the bot with this letter or name, None for anything else."""
    seat = seat_of(session, text)
    return seat if seat in dict(_bots(session)) else None


def _member(session: Session, text: str) -> int | None:
    """The number of the member on another machine that has the player with this letter or name."""
    seat, controls = seat_of(session, text), session.table.controls
    number = None if seat is None or controls is None else controls.members().get(seat)
    return number if number in dict(_others(session)) else None


def _members(session: Session, text: str) -> list[int] | None:
    """Several members: one whose name has blanks, or one for each word."""
    words = [text] if seat_of(session, text) is not None else text.split() or [""]
    found = [_member(session, word) for word in words]
    return None if None in found else list(dict.fromkeys(number for number in found if number is not None))


def _listed(players: Sequence[tuple[int, str]]) -> str:
    return ", ".join(name for _number, name in players)


def _who(session: Session) -> str:
    names = _listed(_others(session))
    return (
        _("Say who, by letter or name: {names}").format(names=names) if names else _("Nobody plays on another machine.")
    )


MEMBER: Final = Kind("number of a member", _member, is_number, _who, _others)
MEMBERS: Final = Kind(
    "list of numbers of members",
    _members,
    lambda value: isinstance(value, list) and bool(value) and all(map(is_number, value)),
    _who,
    lambda session: [([number], name) for number, name in _others(session)],
)
BOTS: Final = Kind(
    "seat of a bot",
    bot_of,
    is_number,
    lambda session: _("Say which bot, by letter or name: {names}").format(names=_listed(_bots(session))),
    _bots,
    unknown=N_("No bot sits there."),
)


# What is listed ------------------------------------------------------------------------------------------------------


def _orders(session: Session) -> list[tuple[Any, str]]:
    texts = [order_text(order, session.table.display_names) for order in session.asking.standing()]
    return [(text, text) for text in texts]


def _which_order(session: Session) -> str:
    return _("Say which: {do:lift} 1.").format(do=DO) if session.asking.standing() else _("There is no standing order.")


PROPOSAL: Final = Kind(
    "id of a proposal", choices=lambda session: [(each.id, each.text) for each in session.votes()], listed=True,
    unknown=N_("That proposal is not open any more."),
)  # fmt: skip
ORDER: Final = Kind(
    "text of an order", lacking=_which_order, choices=_orders, listed=True,
    unknown=N_("There is no such standing order any more."),
)  # fmt: skip


# Words, numbers, texts -----------------------------------------------------------------------------------------------


def _until(_session: Session, text: str) -> str | None:
    """The duration for a typed word."""
    own = {_("phase"): "phase", _("round"): "round", pgettext("until", "game"): "game"}
    word = own.get(text.lower(), text.lower())
    return word if word in UNTIL else None


UNTIL_THEN: Final = Kind(
    "phase, round or game",
    _until,
    lambda value: value in UNTIL,
    lambda _session: _("Say how long: phase, round or game."),
    lambda _session: [("phase", _("phase")), ("round", _("round")), ("game", pgettext("until", "game"))],
)
STEP: Final = Kind(
    "number of a step",
    lambda _session, text: number_of(text),
    is_number,
    lambda _session: _("Say which step, by the number that the log shows."),
)
INDEX: Final = Kind("index", lambda _session, text: number_of(text), is_number)
YES: Final = Kind(
    "true or false",
    lambda _session, text: yes_or_no(text),
    lambda value: isinstance(value, bool),
    lambda _session: _("Say yes or no."),
    lambda _session: [(True, _("yes")), (False, _("no"))],
)
TEXT: Final = Kind("text")
FILE: Final = Kind("file", fits=lambda _value: False, lacking=lambda _session: _("Name a file, or paste the text."))
LOGGED: Final = Kind(
    "filter of the log, a number or a word",
    choices=lambda session: [(each.title, each.title) for each in log_filters(session)[1:]],
)
