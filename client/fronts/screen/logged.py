# SPDX-License-Identifier: GPL-3.0-or-later
"""The log as lines: events through a filter, and the chat."""

from __future__ import annotations

from collections.abc import Sequence

from client.fronts.kit.canvas import folded
from client.session.filters import LogFilter
from client.session.news import ChatMessage, LoggedEvent, teller
from client.show.styled import Line, line, owner_style
from client.system.texts import _

__all__ = ["event_rows", "filtered", "messages", "told_style"]


def filtered(
    chosen: LogFilter, told: Sequence[LoggedEvent], said: Sequence[ChatMessage], names: Sequence[str], width: int
) -> list[Line]:
    """What a filter keeps of a log, or the chat. said: the messages."""
    if chosen.keeps is None:
        return messages(said, width)
    shown = event_rows([each for each in told if chosen.keeps(each)], names, width)
    return shown or [line(_("The log has nothing like that.") if told else _("Nothing has happened yet."))]


def event_rows(told: Sequence[LoggedEvent], names: Sequence[str], width: int) -> list[Line]:
    """Events with their heights."""
    size = len(str(told[-1].height)) if told else 1
    shown: list[Line] = []
    for each in told:
        text = _("taken back: {text}").format(text=each.text) if each.undone else each.text
        shown += folded(f"{each.height:>{size}}  {text}", width, told_style(each, names), " " * (size + 2))
    return shown


def told_style(told: LoggedEvent, names: Sequence[str]) -> str:
    """The colour of the seat that an event is told of; faint for one that was taken back."""
    name = teller(told, names)
    return "faint" if told.undone else owner_style(names.index(name)) if name else ""


def messages(said: Sequence[ChatMessage], width: int) -> list[Line]:
    """The chat."""
    shown = [row for each in said for row in folded(f"<{each.name}> {each.text}", width, "said", "  ")]
    return shown or [line(_("Nobody has said anything yet."))]
