# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person is asked and has picked, and what one is told who owes no answer, such as who keeps the table
waiting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from client.session.session import Session
from client.session.troubles import TableTrouble, stopped_text, trouble_document
from client.session.view import SessionView, view_of
from client.show.document import Block, Document, Note
from client.system.texts import _
from client.table.notices import DiskFull, PeerStopped
from client.table.player import refusal_of
from client.table.words import owed_text
from client.words import refusal_text
from client.words.plain import called
from client.words.ways import DO

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.machine import RefusalLike

IN_TURN: Final = ("shuffle", "remask", "tag")
"""Kinds of work that one seat after the other does."""


def waiting_text(view: SessionView) -> str:
    """The members that keep the table waiting, what they owe, and who of them has no connection."""
    about = {}
    for seat in view.seats:
        told = (seat.owes, "" if seat.linked or view.post else _("no connection"))
        about[seat.name] = ", ".join(text for text in told if text)
    named = ", ".join(f"{name} ({about[name]})" if about.get(name) else name for name in view.waiting)
    return _("Waiting for {names}.").format(names=named) if named else _("Nobody has to answer now.")


def silenced(view: SessionView) -> TableTrouble | None:
    """The trouble that keeps this peer from answering although the table waits for it, None without one."""
    if not any(seat.mine and seat.name in view.waiting for seat in view.seats):
        return None
    return next((each for each in view.troubles if isinstance(each.notice, PeerStopped | DiskFull)), None)


def idle_document(view: SessionView) -> Document:
    """Who is waited for while this person owes no answer, and with what, or why the table has stopped."""
    if not view.begun:
        return [Note(_("The table has not begun."))]
    if view.handover:
        return [Note(view.handover)]
    found: list[Block] = [Note(each.text, "alarm") for each in view.stopped[:1]]
    if view.held:
        found.append(Note(_("You say no by a standing order. To be asked again: {do:hold}.").format(do=DO)))
    elif (silent := silenced(view)) is not None:
        found.append(Note(silent.text, "alarm"))
    elif view.confirming:
        found.append(Note(view.confirming))
    elif view.waiting or not found:
        found.append(Note(waiting_text(view)))
    if view.post:
        said = _(
            "By post: nothing is connected. Send the others what :{post} shows, or what :{post} FILE writes; "
            "then paste here what they send back, or :{read} FILE."
        )
        found.append(Note(said.format(post=called("post"), read=called("read")), "said"))
    return found


def idle_text(session: Session) -> str:
    """The same as sentences."""
    return " ".join(each.text for each in idle_document(view_of(session)) if isinstance(each, Note))


def refused_text(view: SessionView, refusal: RefusalLike) -> str:
    """Why the last answer was refused."""
    reason = refusal_text(refusal_of(refusal), view.display_names)
    return _("That was not taken: {reason}").format(reason=reason)


def sending_text(view: SessionView) -> str:
    """What sending the draft means, and how it is taken back."""
    if not view.sendable:
        return _("{do:undo} takes a step back.").format(do=DO)
    if view.ask is None:
        text = _(
            "{do:send} sends it. Dice, cards or others go on from there, so that is final; {do:undo} takes a step back."
        )
    else:
        text = _("{do:send} sends what is picked; that is final. {do:undo} takes a step back, {do:reset} all.")
    return text.format(do=DO)


def question_document(view: SessionView) -> Document:
    """What is asked, whether the answer stays hidden, and what of it is picked; () without a question."""
    ask = view.ask
    if ask is None:
        return ()
    found = [Note(ask.text, "question", "")]
    if ask.secret:
        found.append(Note(_("Your answer stays hidden until all have answered."), "faint"))
    if ask.so_far:
        picks = ", ".join(part.titles[part.chosen] for part in view.parts) or ask.so_far
        found.append(Note(_("So far: {picks}").format(picks=picks), "picked"))
    return found


def draft_document(view: SessionView) -> Document:
    """What is picked and not sent, the figures that it changes, its consequences, and what sending means; () before the
    first pick."""
    if not view.picked and not (view.ask and view.ask.so_far):
        return ()
    look = "question" if view.sendable and view.ask is None else "faint"
    titles = (Note(f"{number}  {text}", "picked", "   ") for number, text in enumerate(view.titles, 1))
    changes = [Note("; ".join(view.changes))] if view.changes else []
    return [*titles, *changes, *view.outlook, Note(sending_text(view), look, "")]


def stopped_document(session: Session) -> Document:
    """What has stopped the table, and what to do; () if it goes on."""
    stopped = session.stopped()
    if stopped is None:
        return ()
    back = _("To ask all to read on: {do:takeback}.").format(do=DO)
    asks = any(each.deed == "repair" for each in stopped.deeds)
    return [Note(stopped_text(stopped)), *trouble_document(stopped), *([Note(back)] if asks else [])]


def waiting_bar(debts: Mapping[int, str], seats: int) -> str:
    """How many of so many seats, which take turns in their order, have done their part of common work such as a
    shuffle: `[##----] 2/6`; "" for an answer."""
    if not any(map(owed_text, debts.values())):
        return ""
    done = min(debts) if any(kind in IN_TURN for kind in debts.values()) else seats - len(debts)
    return f"[{'#' * done}{'-' * (seats - done)}] {done}/{seats}"


def foot(session: Session, status: str) -> str:
    """The line at the foot: the status of the game, after who is waited for while this person is asked nothing."""
    view = view_of(session)
    stands = bool(view.stopped or view.confirming)
    if view.waits or not (stands or view.debts):
        return status
    bar = "" if stands else waiting_bar(view.debts, len(view.names))
    return "  ".join(filter(None, (bar, idle_text(session), status)))
