# SPDX-License-Identifier: GPL-3.0-or-later
"""What a deed is: its record and its topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Final

from client.session.deeds.outcomes import Answer, Given, NotDone
from client.session.session import Session
from client.system.errors import UserError
from client.system.texts import N_, _
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of arguments.

    Attributes:
        word: what stands for it in the list of actions of a program.
        read: the value that a typed text means, None if it means none.
        fits: True for a value of this kind in JSON, by default for a text.
        lacking: what to say where it is missing or means nothing.
        choices: the values to choose from, each in words; () where there are too many.
        listed: True if it is typed as a number of its choices, and may be left out where there is one.
        unknown: what to say of a value that is none of the choices, marked for translation; "" where others may be
            given too.
    """

    word: str
    read: Callable[[Session, str], Any] = lambda _session, text: text
    fits: Callable[[object], bool] = lambda value: isinstance(value, str)
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
        run: does it, with valid arguments; UserError where that fails.
        title: the text of its button, marked for translation; "" for one with a place of its own, and for none.
        arguments: what it needs, in the order in which it is typed.
        hindrance: why it cannot be done now with these arguments, "" if it can; without any, why not at all.
        about: for a final deed, which has no arguments, what it will do, which is said before a person says that it
            is wanted; None if it is not final.
        drafted: True if it is about the question or the draft that the person sees, which has a step.
        before: True if it can be done before the table begins too.
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
    shows: bool = False
    says: Callable[[Session, Given], str] | None = None

    @property
    def later(self) -> bool:
        """False for what is of the lobby alone."""
        return self.topic != BEGINNING

    def why_not(self, session: Session, given: Given) -> str:
        """Why it cannot be done now, "" if it can."""
        if not self.later:
            if session.gathering.door is None:
                return _("There is no lobby.")
        elif session.table.controls is None and not self.before:
            return _("The table has not begun.")
        if why := self.hindrance(session, given):
            return why
        for name, kind in ((each.name, each.kind) for each in self.arguments if each.kind.unknown):
            if name in given and given[name] not in [value for value, _text in kind.choices(session)]:
                return _(kind.unknown)
        return ""

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
        try:
            return NotDone(reason) if reason else self.run(session, given)
        except UserError as error:
            return NotDone(error.whole)


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
