# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes of a deed: it is done or not, something to look at, a missing argument, or a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from client.session.session import Look, Session
from client.show.document import Document, Note
from client.system.texts import _
from client.table.player import refusal_of
from client.words import refusal_text
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


def looking(session: Session, title: str, examine: Look) -> Errand:
    """A check of the network."""
    text = _("Looking at the network …")
    return Errand(title, text, lambda heard: session.network.look(examine, session.screens.tell, heard))


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
