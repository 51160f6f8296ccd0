# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that tell what happened: the log, and what is new since this person's last answer."""

from __future__ import annotations

from typing import Final

from client.fronts.line.conversation import Conversation
from client.session.filters import LogFilter, log_filters
from client.session.news import LoggedEvent
from client.session.notation import number_of
from client.show.styled import line, wrapped
from client.system.texts import _

__all__ = ["log", "since"]

LAST: Final = 20
FOUND: Final = 60
"""Most sentences that are shown: of the whole log, and of a filter or search."""


def log(screen: Conversation, rest: str) -> None:
    """Show the last sentences of the log, those of a kind or about a seat, or those with a word in them."""
    told = screen.session.log
    chosen = _filter(screen, rest) if rest else None
    if chosen is not None and chosen.keeps is None:
        _chat(screen)
    elif chosen is not None:
        _show(screen, [each for each in told if chosen.keeps is not None and chosen.keeps(each)][-FOUND:], rest)
    elif (last := number_of(rest)) is not None:
        _show(screen, told[-last:] if last else [], rest)
    elif rest:
        _show(screen, [each for each in told if rest.lower() in each.text.lower()][-FOUND:], rest)
    else:
        _show(screen, told[-LAST:], rest)


def _filter(screen: Conversation, text: str) -> LogFilter | None:
    """The filter with this name, or of the seat with this letter or name."""
    known = log_filters(screen.session)
    seat = screen.frame().seat(text) if screen.controls is not None else None
    wanted = text.lower()
    named = (each for each in known if wanted in (each.word, each.title.lower()) or each.seat == seat)
    return next(named, None)


def _show(screen: Conversation, chosen: list[LoggedEvent], rest: str) -> None:
    if not chosen:
        screen.say(_("The log has nothing like that.") if rest else _("Nothing has happened yet."))
    width = len(str(max((told.height for told in chosen), default=0)))
    for told in chosen:
        said = _("taken back: {text}").format(text=told.text) if told.undone else told.text
        text = f"{told.height:>{width}}  {said}"
        screen.say(*(line(part) for part in wrapped(text, screen.width, " " * (width + 2))))


def _chat(screen: Conversation) -> None:
    said = [f"<{each.name}> {each.text}" for each in screen.session.chat[-LAST:]]
    screen.say(*(said or [_("Nobody has said anything yet.")]))


def since(screen: Conversation, _rest: str) -> None:
    """Show what happened since this person's last answer, one paragraph for each seat's turn."""
    sent = screen.session.sent.last
    screen.recall([told for told in screen.session.log if (sent is None or told.height > sent) and not told.undone])
