# SPDX-License-Identifier: GPL-3.0-or-later
"""Who keeps a table waiting and with what, for a person who owes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.session.ending import confirming, confirming_text
from client.session.session import Session
from client.session.troubles import stopped_text, trouble_document
from client.show.document import Document, Note
from client.system.texts import _
from client.table.words import handover_text, owed_text
from client.words.ways import DO

IN_TURN: Final = ("shuffle", "remask", "tag")
"""Kinds of work that one seat after the other does."""


def waiting_text(debts: Mapping[int, str], names: Sequence[str]) -> str:
    """Who owes what. debts: by seat, as `TableControls.debts` says them; names: by seat."""
    told = dict.fromkeys((names[seat], owed_text(kind)) for seat, kind in debts.items())
    named = ", ".join(f"{name} ({owed})" if owed else name for name, owed in told)
    return _("Waiting for {names}.").format(names=named) if named else _("Nobody has to answer now.")


def idle_text(session: Session) -> str:
    """Who is waited for while this person owes no answer, and with what, or why the table has stopped."""
    if session.table.controls is None:
        return _("The table has not begun.")
    if session.asking.awaited is not None:
        return handover_text(session.table.names[session.asking.awaited])
    return _idle(session)


def _idle(session: Session) -> str:
    stopped = session.stopped()
    debts = {} if session.table.controls is None else session.table.controls.debts()
    if stopped is None:
        unsigned = confirming(session)
        return confirming_text(unsigned) if unsigned else waiting_text(debts, session.table.names)
    votes = {seat: kind for seat, kind in debts.items() if kind == "sign"}
    return " ".join((stopped_text(stopped), *([waiting_text(votes, session.table.names)] if votes else [])))


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
    asked = session.asking.draft is not None or session.questions.text is not None or session.asking.awaited is not None
    debts = {} if asked or session.table.controls is None else session.table.controls.debts()
    if not asked and (session.stopped() is not None or confirming(session)):
        return f"{_idle(session)}  {status}"
    names = session.table.names
    parts = (waiting_bar(debts, len(names)), waiting_text(debts, names), status) if debts else (status,)
    return "  ".join(part for part in parts if part)
